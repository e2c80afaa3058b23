"""What the archive's streams hold: one entry a thing that happened, never changed, numbered from 0 in each stream."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeVar, cast

import msgspec

from companion.archive.errors import ArchiveError
from companion.archive.rows import Positions, Standing, decoder
from companion.tabletop.match_result import MatchResult
from companion.tabletop.records import DeckReading, ReasonOrText

T = TypeVar("T")


class NewEntry(NamedTuple):
    """An entry that is yet to be appended: what kind it is, and its body as JSON."""

    kind: str
    body: str


class LogLine(NamedTuple):
    """A line as it stands in a session's log; `number` counts from 1 and is its seq in the stream. `read` says how far
    the records of the decks had come that it brought.
    """

    number: int
    at: datetime
    by: str
    line: str
    group: int
    read: tuple[DeckReading, ...] = ()


def log_lines(entries: Sequence["Entry"]) -> tuple[LogLine, ...]:
    """The lines among a session's entries."""
    read = ((entry, entry.read(StoredLine)) for entry in entries if entry.holds(StoredLine))
    return tuple(LogLine(entry.seq, entry.at, entry.by, line.line, line.group, line.read) for entry, line in read)


class Entry(msgspec.Struct, frozen=True):
    """An entry as it stands in the archive. `at` is UTC, `by` says who wrote it, `body` is JSON.

    `session` is the sitting that wrote it by its seal; "" where it was written otherwise.
    """

    stream: str
    seq: int
    at: datetime
    by: str
    kind: str
    body: str
    session: str = ""

    def holds(self, kind: type[msgspec.Struct]) -> bool:
        """Whether the body is a `kind`, one of the structs of this module."""
        return self.kind == _KINDS[kind]

    def read(self, kind: type[T]) -> T:
        """The body as a `kind` (a struct, or a union of marks). Raises ArchiveError if it is something else."""
        try:
            read: T = decoder(cast("Any", kind)).decode(self.body)
        except msgspec.MsgspecError as error:
            raise unreadable_entry(self.stream, self.seq, error) from error
        return read


def unreadable_entry(stream: str, seq: int, why: Exception) -> ArchiveError:
    """The error that says that an entry's body cannot be read."""
    return ArchiveError(f"Entry {seq} of {stream} cannot be read: {why}.")


class StreamOpened(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first entry of a session or of a deck: which game it is of, and what the session's table is called.

    `edition` is that of the game's rules by which the session was begun. `page` is the digest of the page that the game
    is described on: its text stands in a stream of its own.
    """

    game: str
    title: str = ""
    edition: int = 1
    page: str = ""


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a session's log in table notation.

    Lines of one `group` are undone together. `standing` is where the session stands now, as lists show it (a sentence
    in entries of before); empty where it did not change. `seals` names the decks whose records this line writes; only
    the line that ends a game has it. `edition` is that of the rules in force from here on; 0 where it did not change.
    `result` is how the game ended, on each line after which it is over. `read` says how far the records of the decks
    had come that the line brought; lines of before do not say it.
    """

    line: str
    group: int = 0
    standing: str | Standing = ""
    seals: tuple[str, ...] | None = None
    edition: int = 0
    result: MatchResult | None = None
    read: tuple[DeckReading, ...] = ()


class PersonIntroduced(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody is known from now on. `kept_as` is the name under which a purse was kept before people had ids."""

    name: str
    kept_as: str = ""


class PersonRenamed(msgspec.Struct, frozen=True):
    """Somebody is called otherwise from now on."""

    name: str


class PersonMerged(msgspec.Struct, frozen=True):
    """Somebody turned out to be a person who is known already: purse and decks are theirs."""

    into: str


class PersonAlias(msgspec.Struct, frozen=True, omit_defaults=True):
    """How somebody is called on everything that leaves the house: by a nickname, not at all, or (neither) by name."""

    nickname: str = ""
    hidden: bool = False


class PurseChange(msgspec.Struct, frozen=True):
    """A purse changes by so much, and why; the sentence for a reason is made by `game`.

    `name` is whom it was paid to; the stream says the person.
    """

    name: str = msgspec.field(name="wizard")
    change: int
    why: ReasonOrText = ""
    game: str = ""


class KeepsakeChange(msgspec.Struct, frozen=True):
    """Somebody keeps so many more (or fewer) of something from a `game` for the next; `what` is the game's own word."""

    name: str
    what: str
    change: int
    game: str


Outcome = Literal["printed", "spoiled", "blank"]
"""How a run came out: well; badly, so that its labels are lost; or not at all, so that they are free again."""


class SheetBegun(msgspec.Struct, frozen=True, tag="begun"):
    """A sheet came to hand, or one of this name again: of which stock, with how many labels and which of them free."""

    name: str
    stock: str
    count: int
    free: Positions


class PositionsClaimed(msgspec.Struct, frozen=True, tag="claimed"):
    """Labels were printed for these positions; nobody has said yet how they came out."""

    positions: Positions


class ClaimsSettled(msgspec.Struct, frozen=True, tag="settled"):
    """Somebody said how all that was claimed came out."""

    outcome: Outcome


class PositionsReturned(msgspec.Struct, frozen=True, tag="given-back"):
    """These positions are free after all."""

    positions: Positions


class PositionsUsed(msgspec.Struct, frozen=True, tag="used-up"):
    """These positions are gone without a run that says so: peeled off, torn, printed elsewhere."""

    positions: Positions


class PutAway(msgspec.Struct, frozen=True, tag="put-away"):
    """The sheet or printer is no longer at hand."""


class PrinterCalibrated(msgspec.Struct, frozen=True, tag="calibrated"):
    """What a printer needs to hit the paper: shifts right and down in mm, and scales."""

    name: str
    dx: float
    dy: float
    sx: float
    sy: float


Form = Literal["round-robin", "swiss", "ladder"]
"""Who meets whom in a league: everybody everybody, people of equal points, or neighbours on a ladder."""


class Scoring(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a league's results are worth, and in which order ties are broken.

    `places` are the points by place at tables of more than two; with `by_score` the points are what was scored there.
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
    """How a match ended, one figure for each of its people in their order.

    `places` count from 1, and equal ones are drawn. `games` are how many games each won, `games_drawn` how many nobody
    did; `scores` is what was scored at a table. `absent` are the places in the row (from 0) of those who did not come.
    `session` is the sitting that it was read from.
    """

    places: tuple[int, ...]
    games: tuple[int, ...] = ()
    games_drawn: int = 0
    scores: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    session: str = ""


Pairings = tuple[tuple[str, ...], ...]
"""Who plays at each table, by the ids of people, who begins first; one alone has a bye."""


class LeagueCreated(msgspec.Struct, frozen=True, omit_defaults=True, tag="league-created"):
    """A league begins. `game` is what is played, "" for anything; `rules` are house rules; `seats` play at a table.

    `figure` is the score where all play together: what each has of it in the end, by the word of the game's counter.
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
    """Somebody joins, or comes back, from the next round on."""

    person: str


class PlayerDropped(msgspec.Struct, frozen=True, tag="league-dropped"):
    """Somebody plays no further rounds; what they played stays."""

    person: str


class RoundDrawn(msgspec.Struct, frozen=True, tag="round-drawn"):
    """Who plays whom in a round, drawn from a seed."""

    round: int
    seed: int
    pairings: Pairings


class RoundRedrawn(msgspec.Struct, frozen=True, tag="round-redrawn"):
    """The last round is drawn once more, because somebody said so: what was drawn and entered of it counts no more."""

    round: int
    seed: int
    pairings: Pairings


class ResultEntered(msgspec.Struct, frozen=True, tag="result-entered"):
    """A match has a result; `round` and `table` count from 1, and round 0 are matches that nobody paired."""

    round: int
    table: int
    people: tuple[str, ...]
    result: LeagueResult


class ResultCorrected(msgspec.Struct, frozen=True, omit_defaults=True, tag="result-corrected"):
    """What was entered for a match was wrong; without `result` it has none for now, without `people` there is none."""

    round: int
    table: int
    people: tuple[str, ...] = ()
    result: LeagueResult | None = None


class LeagueClosed(msgspec.Struct, frozen=True, tag="league-closed"):
    """The league is over; its standings are final."""


class LeagueReopened(msgspec.Struct, frozen=True, tag="league-reopened"):
    """The league was not over yet."""


class PageKept(msgspec.Struct, frozen=True, omit_defaults=True, tag="page"):
    """The text of a page that describes a game; the stream's key is its digest.

    `name` is what the game is called here where that is not what the page calls it.
    """

    text: str
    name: str = ""


class PageListed(msgspec.Struct, frozen=True, omit_defaults=True, tag="page-listed"):
    """Somebody added the page, so that its game can be chosen by the `name` that it has here."""

    name: str


class PageWithdrawn(msgspec.Struct, frozen=True, tag="page-withdrawn"):
    """The page is not to be chosen any more; what was played by it stays."""


PageEvent = PageKept | PageListed | PageWithdrawn


class RehearsalBegun(msgspec.Struct, frozen=True, omit_defaults=True, tag="rehearsal-begun"):
    """A rehearsal begins: what of a `game` is played (the `design`, as its room writes it), and from which seed.

    `edition` is that of the game's rules, and `program` who plays: figures of two are never added up.
    """

    game: str
    design: Any
    seed: int
    edition: int
    program: str
    name: str = ""


class RehearsalCounted(msgspec.Struct, frozen=True, omit_defaults=True, tag="rehearsal-counted"):
    """What the games numbered from 0 to before `units` add up to, in place of what was counted before.

    `games` is how many shall be played; `sums` are exact, as the room of rehearsals writes them.
    """

    units: int
    games: int
    sums: Any


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


# The kinds under which bodies are stored are for ever, whatever their classes are called.
_KINDS: dict[type[msgspec.Struct], str] = {
    StreamOpened: "opened",
    StoredLine: "line",
    PersonIntroduced: "introduced",
    PersonRenamed: "renamed",
    PersonMerged: "merged",
    PersonAlias: "alias",
    PurseChange: "coppers",
    KeepsakeChange: "keepsake",
}


def draft(body: msgspec.Struct) -> NewEntry:
    """The entry that writes `body` down; a mark's kind is its tag."""
    kind = _KINDS.get(type(body)) or str(body.__struct_config__.tag)
    return NewEntry(kind, msgspec.json.encode(body).decode())


def drafts(bodies: Sequence[msgspec.Struct]) -> tuple[NewEntry, ...]:
    """The entries that write `bodies` down, in order."""
    return tuple(draft(body) for body in bodies)
