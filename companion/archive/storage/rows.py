"""The rows of lists of sessions, decks, people and the rest.

They are the first thing loaded for the first screen, so this module does not know how rows are made from entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.records import DeckFigure, Due, Reason, ReasonOrText, describe_reason
from companion.tabletop.table.match_result import MatchResult
from templates.languages.messages import Message, Text, all_of, listed, phrase

Positions = tuple[int, ...]


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return a decoder for JSON of a kind; cached, because making one takes ten times as long as decoding."""
    return msgspec.json.Decoder(kind)


class SessionStanding(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The standing of a session as facts: the names at its seats, and what its game reports of the table."""

    seats: tuple[str, ...] = ()
    facts: tuple[Reason, ...] = ()
    sealed: bool = False
    """True if the game was sealed and left nothing to write into any record, so that no seal is stored."""


ENDS: Final = frozenset({"outcome", "won", "draw"})
"""Facts about the end of a game. They are worded alike for every game: a list of ended games loads no rules."""


class SessionRow(msgspec.Struct, frozen=True, gc=False):
    """A session in a list. `length` is the number of entries of its stream, `lines` how many of them are lines.

    `standing` has facts, or a sentence in older rows; `where` formats them. `edition` is that of the rules it was last
    played by, and `page` the digest of the page that describes its game.
    """

    session: str
    game: str
    title: str
    started: datetime
    changed: datetime
    length: int
    lines: int
    standing: str | SessionStanding
    sealed: bool
    edition: int
    page: str = ""

    @property
    def where(self) -> str:
        """The standing in a few words: the players, and the progress or the result."""
        if isinstance(self.standing, str):
            return self.standing
        facts = (reason_text(self.game, fact, self.page) for fact in self.standing.facts)
        return " · ".join(part for part in (", ".join(self.standing.seats), *facts) if part)

    @property
    def is_closed(self) -> bool:
        """True if the game was sealed, also if that left nothing to write."""
        return self.sealed or (isinstance(self.standing, SessionStanding) and self.standing.sealed)

    @property
    def has_ended(self) -> bool:
        """True if the game has ended, sealed or not."""
        return self.is_closed or (
            isinstance(self.standing, SessionStanding) and any(f.code in ENDS for f in self.standing.facts)
        )

    @property
    def needs_seal(self) -> bool:
        """True for a game that is over and waits to be sealed."""
        return self.has_ended and not self.is_closed

    @property
    def is_empty(self) -> bool:
        """True for a table without players so far."""
        return not (self.standing.seats if isinstance(self.standing, SessionStanding) else self.standing)

    @property
    def other_edition(self) -> bool:
        """True if it was played by an edition other than today's.

        Today's rules may refuse a line of it; its table reports that.
        """
        try:
            return self.edition != registry.game(self.game, self.page).edition
        except NotationError:
            return False


def find_in_play(rows: Sequence[SessionRow]) -> SessionRow | None:
    """Return the first unsealed session to go on with; an empty table only if there is no other."""
    return next((row for row in rows if not row.is_empty), rows[0] if rows else None)


class DeckRow(msgspec.Struct, frozen=True, gc=False):
    """A deck in a list. `length` is the number of entries of its stream: one more than its marks.

    `figures` are those that its game names; `person` is the holder's id, if the name alone is ambiguous; `holders` are
    all past and present holders, in order; `due` are its chores, oldest first. `page` is the digest of the page that it
    follows now.
    """

    deck: str
    game: str
    name: str
    figures: tuple[DeckFigure, ...]
    holder: str
    person: str
    retired: bool
    updated: datetime
    length: int
    holders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    due: tuple[Due, ...] = ()
    page: str = ""

    def figure(self, name: str) -> int:
        """Return one of its figures, by name; 0 if its game has no such figure."""
        return next((figure.value for figure in self.figures if figure.name == name), 0)


class PersonRow(msgspec.Struct, frozen=True):
    """A person in a list. `called` are all past and present names; `merged` is the id of the person merged into, or "".

    `kept` are the keepsakes of each game, by the game's own words. `nickname` and `hidden` define the name outside of
    the house. `language` is the code of the person's language, "" if it is unknown.

    `purse` is the sum of the person's own stream, without what was kept under the name `kept_as` before people had ids
    and without merged people: `companion.archive.storage.purses` computes the whole balance.
    """

    person: str
    name: str
    called: tuple[str, ...]
    purse: int
    kept_as: str
    merged: str
    since: datetime
    length: int
    kept: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    nickname: str = ""
    hidden: bool = False
    language: str = ""


class NamedPurseRow(msgspec.Struct, frozen=True):
    """A purse that was kept under a name, before people had ids; `kept_as` is the name as `fold` returns it."""

    kept_as: str
    name: str
    purse: int
    length: int


class SheetRow(msgspec.Struct, frozen=True):
    """A sheet in a list; `sheet` is its name as `fold` returns it. `waiting` are positions claimed and not settled."""

    sheet: str
    name: str
    stock: str
    count: int
    free: Positions
    waiting: Positions
    away: bool
    length: int


class PrinterRow(msgspec.Struct, frozen=True):
    """A printer in a list; `printer` is its name as `fold` returns it."""

    printer: str
    name: str
    dx: float
    dy: float
    sx: float
    sy: float
    away: bool
    length: int


class PageRow(msgspec.Struct, frozen=True):
    """An edition of a described game in a list; `page` is the digest of its text.

    `name` is the game's name here, `word` the one on its page; `author` and `edition` are from the page. `listed`: it
    was added by a user, at `added`, and did not only come with a deck or a session.
    """

    page: str
    name: str
    word: str
    title: str
    author: str
    edition: int
    added: datetime
    listed: bool
    withdrawn: bool
    length: int


class LeagueRow(msgspec.Struct, frozen=True):
    """A league in a list: its game and form, the number of people who ever joined, and of rounds drawn."""

    league: str
    name: str
    game: str
    form: str
    people: int
    rounds: int
    closed: bool
    updated: datetime
    length: int


class RehearsalRow(msgspec.Struct, frozen=True):
    """A rehearsal in a list: its design and program, and the numbers of counted units and of games."""

    rehearsal: str
    name: str
    game: str
    design: Any
    seed: int
    edition: int
    program: str
    units: int
    games: int
    begun: datetime
    updated: datetime
    length: int


class PlayRow(msgspec.Struct, frozen=True):
    """A play from another program in a list, as `PlayKept` has it; `name` is the name of its game there."""

    play: str
    name: str
    source: str
    game: str
    at: datetime
    changed: datetime
    result: MatchResult
    length: int


L = TypeVar("L")


QUERY_SIZE: Final = 400
"""The number of values in one query; SQLite accepts some 999."""
PAGE: Final = 100
"""The number of rows of a long list that are read at once."""


class ListPage(NamedTuple, Generic[L]):
    """A page of a long list: its rows, the number of the first one (from 0), and the length of the whole list."""

    rows: tuple[L, ...]
    at: int
    total: int


Row = (
    SessionRow
    | DeckRow
    | PersonRow
    | NamedPurseRow
    | SheetRow
    | PrinterRow
    | LeagueRow
    | PageRow
    | RehearsalRow
    | PlayRow
)


def reason_text(game: str, reason: ReasonOrText, page: str = "") -> str:
    """Format a reason or a fact in the words of its game; generically if that game is not here."""
    if isinstance(reason, Reason) and reason.code in ENDS:
        return str(describe_reason(reason))
    try:
        return str(registry.glossary(game, page).reason(reason))
    except NotationError:
        return str(describe_reason(reason))


def describe_seats(names: Sequence[str]) -> Message:
    """Return names as in `Ana, Ben and Cy`."""
    # Translators: A table without players.
    return all_of(names) if names else phrase("nobody")


def describe_game_result(row: SessionRow) -> Text:
    """Return the players and the result, as a sentence without its full stop."""
    if not isinstance(row.standing, SessionStanding):
        return row.where
    players, facts = describe_seats(row.standing.seats), row.standing.facts
    # The result of a cooperative game is that of all players.
    match next((str(fact.args[0]) for fact in facts if fact.args), ""):
        case "win":
            return phrase("{players} played, and they won", players=players)
        case "loss":
            return phrase("{players} played, and they lost", players=players)
    if facts:
        # Translators: {result} is such as “Ana wins” or “round 3”.
        result = listed(reason_text(row.game, fact, row.page) for fact in facts)
        return phrase("{players} played, and {result}", players=players, result=result)
    return phrase("{players} played", players=players)


class StoredChoice(NamedTuple):
    """A secret choice: its line in table notation, and the length of the log before it was announced there.

    It is from a `phone`, which alone may show it, and which the log calls `by`.
    """

    line: str
    length: int
    phone: str
    by: str
