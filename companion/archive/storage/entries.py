"""Entries of the archive's streams: one entry per event, never changed, numbered from 0 in each stream."""

from collections.abc import Sequence
from datetime import datetime
from itertools import repeat
from typing import Any, Literal, NamedTuple, TypeVar, cast

import msgspec

from companion.archive.errors import ArchiveError
from companion.archive.storage.rows import Positions, SessionStanding, decoder
from companion.tabletop.records import DeckReading, ReasonOrText
from companion.tabletop.table.match_result import MatchResult
from templates.languages.messages import phrase

T = TypeVar("T")


class NewEntry(NamedTuple):
    """An entry to append: its kind, and its body as JSON; `by` is its author if the entries beside it have another."""

    kind: str
    body: str
    by: str = ""


class LogLine(NamedTuple):
    """A line in a session's log; `number` counts from 1 and is its seq in the stream.

    `read` are the readings of the records of the decks that the line brought.
    """

    number: int
    at: datetime
    by: str
    line: str
    group: int
    read: tuple[DeckReading, ...] = ()


def log_lines(entries: Sequence["Entry"]) -> tuple[LogLine, ...]:
    """Return the lines among a session's entries."""
    read = ((entry, entry.read(StoredLine)) for entry in entries if entry.holds(StoredLine))
    return tuple(LogLine(entry.seq, entry.at, entry.by, line.line, line.group, line.read) for entry, line in read)


class Entry(msgspec.Struct, frozen=True):
    """An entry in the archive. `at` is UTC, `by` is the author, `body` is JSON.

    `session` is the session whose seal wrote it; "" if it was written otherwise.
    """

    stream: str
    seq: int
    at: datetime
    by: str
    kind: str
    body: str
    session: str = ""

    def holds(self, kind: type[msgspec.Struct]) -> bool:
        """Return True if the body is a `kind`, one of the structs of this module."""
        return self.kind == _KINDS[kind]

    def read(self, kind: type[T]) -> T:
        """Decode the body as a `kind` (a struct, or a union of marks). Raises ArchiveError if it is something else."""
        try:
            read: T = decoder(cast("Any", kind)).decode(self.body)
        except msgspec.MsgspecError as error:
            raise unreadable_entry(self.stream, self.seq, error) from error
        return read


def unreadable_entry(stream: str, seq: int, why: Exception) -> ArchiveError:
    """Return the error for an entry whose body cannot be read."""
    return ArchiveError(phrase("Entry {seq} of {stream} cannot be read: {why}.", seq=str(seq), stream=stream, why=why))


class StreamOpened(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first entry of a session or a deck: its game, and the title of a session.

    `edition` is that of the game's rules when the session began. `page` is the digest of the page that describes the
    game; the text is in a stream of its own. `branch_of` is the session that went on here and on another device, if
    this is what the other one wrote.
    """

    game: str
    title: str = ""
    edition: int = 1
    page: str = ""
    branch_of: str = ""


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a session's log in table notation.

    Lines of one `group` are undone together. `standing` is the session's standing now, as lists show it (a sentence in
    older entries); empty if it did not change. `seals` names the decks whose records this line writes; only the line
    that ends a game has it. `edition` is that of the rules in force from here on; 0 if it did not change. `result` is
    how the game ended, on each line after which it is over. `read` are the readings of the records of the decks that
    the line brought; older lines have none.
    """

    line: str
    group: int = 0
    standing: str | SessionStanding = ""
    seals: tuple[str, ...] | None = None
    edition: int = 0
    result: MatchResult | None = None
    read: tuple[DeckReading, ...] = ()


class PersonIntroduced(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person was added. `kept_as` is the name under which a purse was kept before people had ids."""

    name: str
    kept_as: str = ""


class PersonRenamed(msgspec.Struct, frozen=True):
    """A person was renamed."""

    name: str


class PersonMerged(msgspec.Struct, frozen=True):
    """A person turned out to be the same as another: purse and decks go to that one."""

    into: str


class PersonAlias(msgspec.Struct, frozen=True, omit_defaults=True):
    """The name of a person on everything that leaves the house: a nickname, none at all, or (neither) the real name."""

    nickname: str = ""
    hidden: bool = False


class PersonLanguage(msgspec.Struct, frozen=True, omit_defaults=True):
    """The language of a person, by its code, such as `de` or `pt-BR`; "" if it is unknown."""

    language: str = ""


class PurseChange(msgspec.Struct, frozen=True):
    """A change of a purse by `change`, with its reason; `game` words the reason.

    `name` is the payee's name; the stream identifies the person.
    """

    name: str = msgspec.field(name="wizard")
    change: int
    why: ReasonOrText = ""
    game: str = ""


class KeepsakeChange(msgspec.Struct, frozen=True):
    """A change by `change` of what a person keeps from a `game` for the next; `what` is the game's own word."""

    name: str
    what: str
    change: int
    game: str


Outcome = Literal["printed", "spoiled", "blank"]
"""The outcome of a run: good; spoiled, so that its labels are lost; or blank, so that they are free again."""


class SheetBegun(msgspec.Struct, frozen=True, tag="begun"):
    """A sheet was added, or one of this name again: its stock, its number of labels, and the free ones."""

    name: str
    stock: str
    count: int
    free: Positions


class PositionsClaimed(msgspec.Struct, frozen=True, tag="claimed"):
    """Labels were printed for these positions; the outcome is not known yet."""

    positions: Positions


class ClaimsSettled(msgspec.Struct, frozen=True, tag="settled"):
    """The outcome of everything that was claimed."""

    outcome: Outcome


class PositionsReturned(msgspec.Struct, frozen=True, tag="given-back"):
    """These positions are free after all."""

    positions: Positions


class PositionsUsed(msgspec.Struct, frozen=True, tag="used-up"):
    """These positions were used without a recorded run: peeled off, torn, printed elsewhere."""

    positions: Positions


class PutAway(msgspec.Struct, frozen=True, tag="put-away"):
    """The sheet or printer is no longer at hand."""


class PrinterCalibrated(msgspec.Struct, frozen=True, tag="calibrated"):
    """The calibration of a printer: shifts right and down in mm, and scales."""

    name: str
    dx: float
    dy: float
    sx: float
    sy: float


Form = Literal["round-robin", "swiss", "ladder"]
"""The pairing system of a league: everyone meets everyone, people of equal points meet, or neighbours on a ladder."""


class Scoring(msgspec.Struct, frozen=True, omit_defaults=True):
    """The points for a league's results, and the order of its tie-breaks.

    `places` are the points by place at tables of more than two; with `by_score` the points are the scores themselves.
    `order` names an order of tie-breaks, as the `edition` of scoring has it.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    places: tuple[int, ...] = ()
    by_score: bool = False
    order: str = "match-win"
    edition: int = 1


class LeagueResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a match, one figure for each of its people in their order.

    `places` count from 1, and equal ones are drawn. `games` are the games that each won, `games_drawn` the number of
    drawn ones; `scores` are the scores at a table. `absent` are the indices (from 0) of people who did not come.
    `session` is the session that the result was read from.
    """

    places: tuple[int, ...]
    games: tuple[int, ...] = ()
    games_drawn: int = 0
    scores: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    session: str = ""


Pairings = tuple[tuple[str, ...], ...]
"""The people at each table, by their ids, in starting order; one alone has a bye."""


class LeagueCreated(msgspec.Struct, frozen=True, omit_defaults=True, tag="league-created"):
    """A league was created. `game` is its game, "" for any; `rules` are house rules; `seats` people play at a table.

    `figure` is the score if all play together: the final value of the game's counter of this name.
    """

    name: str
    form: Form
    scoring: Scoring
    seed: int
    people: tuple[str, ...]
    game: str = ""
    rules: tuple[str, ...] = ()
    seats: int = 2
    rounds: int = 0
    figure: str = ""


class PlayerJoined(msgspec.Struct, frozen=True, tag="league-joined"):
    """A person joins, or comes back, from the next round on."""

    person: str


class PlayerDropped(msgspec.Struct, frozen=True, tag="league-dropped"):
    """A person plays no further rounds; past matches stay."""

    person: str


class RoundDrawn(msgspec.Struct, frozen=True, tag="round-drawn"):
    """The pairings of a round, drawn from a seed."""

    round: int
    seed: int
    pairings: Pairings


class RoundRedrawn(msgspec.Struct, frozen=True, tag="round-redrawn"):
    """The last round was drawn again on request: its earlier pairings and results no longer count."""

    round: int
    seed: int
    pairings: Pairings


class ResultEntered(msgspec.Struct, frozen=True, tag="result-entered"):
    """A match has a result; `round` and `table` count from 1. Matches without a pairing are in round 0."""

    round: int
    table: int
    people: tuple[str, ...]
    result: LeagueResult


class ResultCorrected(msgspec.Struct, frozen=True, omit_defaults=True, tag="result-corrected"):
    """The entry for a match was wrong. Without `result` it has none for now; without `people` it is deleted."""

    round: int
    table: int
    people: tuple[str, ...] = ()
    result: LeagueResult | None = None


class LeagueClosed(msgspec.Struct, frozen=True, tag="league-closed"):
    """The league is over; its standings are final."""


class LeagueReopened(msgspec.Struct, frozen=True, tag="league-reopened"):
    """A closed league goes on."""


class PageKept(msgspec.Struct, frozen=True, omit_defaults=True, tag="page"):
    """The text of a page that describes a game; the stream's key is its digest.

    `name` is the game's name here, if it differs from the one on the page.
    """

    text: str
    name: str = ""


class PageListed(msgspec.Struct, frozen=True, omit_defaults=True, tag="page-listed"):
    """The page was added to the list of games, under the `name` that its game has here."""

    name: str


class PageWithdrawn(msgspec.Struct, frozen=True, tag="page-withdrawn"):
    """The page can no longer be chosen; sessions and decks that follow it stay."""


PageEvent = PageKept | PageListed | PageWithdrawn


class RehearsalBegun(msgspec.Struct, frozen=True, omit_defaults=True, tag="rehearsal-begun"):
    """A rehearsal begins: what of a `game` is played (the `design`, as `companion.rehearsal` writes it), and its seed.

    `edition` is that of the game's rules, and `program` the version of the program that plays: figures of two versions
    are never added up.
    """

    game: str
    design: Any
    seed: int
    edition: int
    program: str
    name: str = ""


class RehearsalCounted(msgspec.Struct, frozen=True, omit_defaults=True, tag="rehearsal-counted"):
    """The sums of the games numbered from 0 to before `units`, which replace those counted before.

    `games` is the number of games to play; `sums` are exact, as `companion.rehearsal` writes them.
    """

    units: int
    games: int
    sums: Any


class PlayKept(msgspec.Struct, frozen=True, omit_defaults=True, tag="play"):
    """A finished game that another program, or a list of scores, has recorded; the first entry of its stream.

    `source` identifies it there: the program and a digest of its id. `title` is the name of its game there, `game` the
    word of that game here ("" if it is none of these), and `bgg` its number at BoardGameGeek. `at` is its end, and
    `changed` the time of its last change there: of several entries of a `source`, the one changed last counts.
    """

    source: str
    title: str
    at: datetime
    changed: datetime
    result: MatchResult
    game: str = ""
    bgg: int = 0


class PlayRemoved(msgspec.Struct, frozen=True, tag="play-removed"):
    """The game was removed by the user: it counts no more."""


class PlayRestored(msgspec.Struct, frozen=True, tag="play-restored"):
    """The removal of the game was undone."""


PlayEvent = PlayKept | PlayRemoved | PlayRestored

RehearsalEvent = RehearsalBegun | RehearsalCounted

LeagueEvent = (
    LeagueCreated
    | PlayerJoined
    | PlayerDropped
    | RoundDrawn
    | RoundRedrawn
    | ResultEntered
    | ResultCorrected
    | LeagueClosed
    | LeagueReopened
)


# The kinds under which bodies are stored never change, whatever their classes are called.
_KINDS: dict[type[msgspec.Struct], str] = {
    StreamOpened: "opened",
    StoredLine: "line",
    PersonIntroduced: "introduced",
    PersonRenamed: "renamed",
    PersonMerged: "merged",
    PersonAlias: "alias",
    PersonLanguage: "language",
    PurseChange: "coppers",
    KeepsakeChange: "keepsake",
}


def draft(body: msgspec.Struct) -> NewEntry:
    """Return the entry that stores `body`; a mark's kind is its tag."""
    kind = _KINDS.get(type(body)) or str(body.__struct_config__.tag)
    return NewEntry(kind, msgspec.json.encode(body).decode())


def drafts(bodies: Sequence[msgspec.Struct], writers: Sequence[str] = ()) -> tuple[NewEntry, ...]:
    """Return the entries that store `bodies`, in order; `writers` are their authors if these differ."""
    return tuple(draft(body)._replace(by=writer) for body, writer in zip(bodies, writers or repeat(""), strict=False))
