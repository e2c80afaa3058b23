"""What lists show: rows of sessions, decks, people and the rest, and what stands in them.

They are seen first as the program starts, so they know nothing of how the entries of a stream add up to them.
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

Positions = tuple[int, ...]


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """What reads JSON of a kind; made once, as making it takes ten times as long as reading."""
    return msgspec.json.Decoder(kind)


class Standing(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a sitting stands, as facts: the names of who sits there, and what its game tells of the table."""

    seats: tuple[str, ...] = ()
    facts: tuple[Reason, ...] = ()


ENDS: Final = frozenset({"outcome", "won", "draw"})
"""Facts of how a game ended. Every game words them alike: a list of games that are over loads no rules."""


class SessionRow(msgspec.Struct, frozen=True, gc=False):
    """A session in a list. `length` is how many entries its stream has, `lines` how many of them are lines.

    `standing` are facts, or a sentence of before; `where` tells them. `edition` is that of the rules it was played by
    last, and `page` the digest of the page that its game is described on.
    """

    session: str
    game: str
    title: str
    started: datetime
    changed: datetime
    length: int
    lines: int
    standing: str | Standing
    sealed: bool
    edition: int
    page: str = ""

    @property
    def where(self) -> str:
        """Where it stands, in a few words: who sits there, and how far they are or how it ended."""
        if isinstance(self.standing, str):
            return self.standing
        facts = (reason_text(self.game, fact, self.page) for fact in self.standing.facts)
        return " · ".join(part for part in (", ".join(self.standing.seats), *facts) if part)

    @property
    def has_ended(self) -> bool:
        """Whether the game has ended, sealed or not."""
        return self.sealed or (isinstance(self.standing, Standing) and any(f.code in ENDS for f in self.standing.facts))

    @property
    def needs_seal(self) -> bool:
        """Return True for a game that is over and waits to be sealed."""
        return self.has_ended and not self.sealed

    @property
    def is_empty(self) -> bool:
        """Return True for a table at which nobody sits yet."""
        return not (self.standing.seats if isinstance(self.standing, Standing) else self.standing)

    @property
    def other_edition(self) -> bool:
        """Whether it was played by other rules than today's; they may refuse a line of it, and its table says so."""
        try:
            return self.edition != registry.game(self.game, self.page).edition
        except NotationError:
            return False


def find_in_play(rows: Sequence[SessionRow]) -> SessionRow | None:
    """Return the first session to go on with of those that are not sealed; an empty table only if there is no other."""
    return next((row for row in rows if not row.is_empty), rows[0] if rows else None)


class DeckRow(msgspec.Struct, frozen=True, gc=False):
    """A deck in a list. `length` is how many entries its stream has: one more than the marks made on it.

    `figures` are those that its game names; `person` is who holds it, where the name alone does not say it; `holders`
    are all who ever held it, in order; `due` is what is still to be done to it by hand, oldest first. `page` is the
    digest of the page by which it goes now.
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
        """One of its figures, by its name; 0 where its game has none such."""
        return next((figure.value for figure in self.figures if figure.name == name), 0)


class PersonRow(msgspec.Struct, frozen=True):
    """A person in a list. `called` are all names they ever had; `merged` is who they turned out to be, or "".

    `kept` are the keepsakes of each game, by its words for them. `nickname` and `hidden` say how they are called
    outside of the house.

    `purse` is what their own stream adds up to, without what was kept under the name `kept_as` before people had ids
    and without what came with whoever was merged into them: `companion.archive.purses` says what they have.
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


class NamedPurseRow(msgspec.Struct, frozen=True):
    """A purse that was kept under a name, before people had ids; `kept_as` is the name as `fold` gives it."""

    kept_as: str
    name: str
    purse: int
    length: int


class SheetRow(msgspec.Struct, frozen=True):
    """A sheet in a list; `sheet` is its name as `fold` gives it. `waiting` are claimed and not settled."""

    sheet: str
    name: str
    stock: str
    count: int
    free: Positions
    waiting: Positions
    away: bool
    length: int


class PrinterRow(msgspec.Struct, frozen=True):
    """A printer in a list; `printer` is its name as `fold` gives it."""

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

    `name` is what the game is called here, `word` what its page calls it; `author` and `edition` are as the page says.
    `listed`: somebody added it, at `added`, and it did not only come with what was played by it.
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
    """A league in a list: of which game and form, how many people ever joined, how many rounds are drawn."""

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
    """A rehearsal in a list: what is played by whom, as it was begun, and how many of how many games are counted."""

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


L = TypeVar("L")


PAGE: Final = 100
"""How many rows of a long list are read at once."""


class ListPage(NamedTuple, Generic[L]):
    """A part of a long list: its rows, the number of the first of them (from 0), and how many the whole list has."""

    rows: tuple[L, ...]
    at: int
    total: int


Row = SessionRow | DeckRow | PersonRow | NamedPurseRow | SheetRow | PrinterRow | LeagueRow | PageRow | RehearsalRow


def reason_text(game: str, reason: ReasonOrText, page: str = "") -> str:
    """A reason or a fact in the words of its game; plainly where that game is not here."""
    if isinstance(reason, Reason) and reason.code in ENDS:
        return describe_reason(reason)
    try:
        return registry.glossary(game, page).reason(reason)
    except NotationError:
        return describe_reason(reason)
