"""A table of a described game: who sits there, their figures, what lies on it, and how far the game has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.games.described.records import Borne
from companion.tabletop import state as tabletop_state
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.house_rules import HouseRules
from companion.tabletop.records import Mark
from companion.tabletop.state import at_seat
from companion.tabletop.text import quoted

Figures = Mapping[str, int | str | bool]
"""Counters and flags by their words; what still stands at its start is there as well."""

WON: Final = "win"
LOST: Final = "loss"
DRAW: Final = "draw"


class Player(msgspec.Struct, frozen=True):
    """Somebody at the table. `out`: they play no part any more, `conceded`: as they gave up; `place` is theirs
    then, behind all who were left. `team` counts from 1; 0 is none.
    """

    seat: str
    name: str
    figures: Figures = {}
    out: bool = False
    conceded: bool = False
    place: int = 0
    team: int = 0


class Piece(msgspec.Struct, frozen=True):
    """A thing in play, by the word that lines use; `owner` is "" where it lies in the middle of the table."""

    handle: str
    kind: str
    title: str
    owner: str = ""
    zone: str = ""
    lane: int = 0
    figures: Figures = {}


class PoolState(msgspec.Struct, frozen=True):
    """What is left in a pool, by name and each copy by itself, and what lies aside until it is shuffled in again.

    Where nobody knows what is in it, `unnamed` counts it.
    """

    left: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    unnamed: int = 0

    @property
    def size(self) -> int:
        """How many can be drawn."""
        return len(self.left) + self.unnamed


class SheetRow(msgspec.Struct, frozen=True):
    """A row of the score sheet: what was entered for each seat, by column, and the points that it came to."""

    entered: Mapping[str, Mapping[str, int]]
    points: Mapping[str, int]


class Spent(NamedTuple):
    """What somebody paid for an inscription on one of their cards."""

    seat: str
    price: int
    name: str
    card: str


class Table(ConstructedTable, frozen=True):
    """The table. Before it begins `round` is 0; `step` is the word of the present one, `active` whose turn it is, ""
    where all act at once.
    """

    house: Any = HouseRules()
    players: tuple[Player, ...] = ()
    figures: Mapping[str, int | str | bool] = {}
    tokens: Mapping[str, str] = {}
    """Who holds what one seat holds at a time; what nobody holds is left out."""
    pieces: tuple[Piece, ...] = ()
    pools: Mapping[str, PoolState] = {}
    round: int = 0
    turn: int = 0
    """How many turns have begun; rounds, where all act at once."""
    order: tuple[str, ...] = ()
    """The seats in the order of this round."""
    active: str = ""
    step: str = ""
    used: frozenset[tuple[str, str, str]] = frozenset()
    """Which seat did what already that can be done once: the seat, the verb, and until when."""
    drawn_pools: frozenset[str] = frozenset()
    """The pools of which this step's card was drawn."""
    entered: Mapping[str, Mapping[str, int]] = {}
    """What the score sheet has of this round, by seat and column."""
    rows: tuple[SheetRow, ...] = ()
    verdict: str | None = None
    """Who has won by what the page says."""
    agreed: str | None = None
    """Who has won by what people say."""
    answered: Mapping[str, tuple[str, ...]] = {}
    """What was answered after the game, by question: the seats that need not be asked any more."""

    borne: Mapping[str, tuple[Borne, ...]] = {}
    """What the cards of inscribed decks bear, by the seat that brought one."""
    torn: Mapping[str, tuple[str, ...]] = {}
    """Which of their cards are torn up."""
    purses: Mapping[str, int] = {}
    """What people brought in their purses, by seat."""
    written: Mapping[str, tuple[Mark, ...]] = {}
    """What was written after the game on the deck of each seat, and told of it; the seal keeps it."""
    spent: tuple[Spent, ...] = ()
    """What was bought after the game."""
    homes: Mapping[str, str] = {}
    """Who takes which deck home, both by their seats."""

    @property
    def outcome(self) -> str | None:
        """The winner's seat (or team, or several seats joined by `+`), `draw`, or `win` or `loss` for all together."""
        return self.agreed or self.verdict

    @property
    def tracks_all(self) -> bool:
        """A page says itself what is tracked."""
        return True

    @property
    def has_begun(self) -> bool:
        """Whether the set-up is over."""
        return self.round > 0

    @property
    def rounds(self) -> int:
        """How many rounds were begun: behind the last one the number goes on, and there is no step."""
        return self.round if self.step or not self.round else self.round - 1

    @property
    def board(self) -> tuple[str, ...]:
        """What bears a number as long as it lies there."""
        return tuple(piece.handle for piece in self.pieces)

    @property
    def playing(self) -> tuple[Player, ...]:
        """Who is not out."""
        return tuple(player for player in self.players if not player.out)

    def player(self, seat: str) -> Player:
        """Who sits at a seat. Raises RuleError where nobody does."""
        return at_seat(self.players, seat)

    def piece(self, handle: str) -> Piece:
        """A thing in play. Raises RuleError where there is none of that name."""
        for piece in self.pieces:
            if piece.handle == handle:
                return piece
        there = ", ".join(piece.handle for piece in self.pieces) or "nothing yet"
        raise RuleError(f"Nothing called {quoted(handle)} is in play; there is: {there}.")

    def agreeing_on_draw(self) -> Table:
        """The table when everybody agrees on a draw."""
        return replace(self, agreed=DRAW)


class Resolution(tabletop_state.Resolution[Table]):
    """What one action sets in motion, with how the things of a described table change."""

    __slots__ = ()

    def update_player(self, seat: str, **fields: Any) -> Player:
        """Change fields of somebody. Raises RuleError where nobody sits there."""
        after = replace(self.state.player(seat), **fields)
        players = tuple(after if player.seat == seat else player for player in self.state.players)
        self.state = replace(self.state, players=players)
        return after

    def update_piece(self, handle: str, **fields: Any) -> Piece:
        """Change fields of a thing in play. Raises RuleError where there is none of that name."""
        after = replace(self.state.piece(handle), **fields)
        pieces = tuple(after if piece.handle == handle else piece for piece in self.state.pieces)
        self.state = replace(self.state, pieces=pieces)
        return after

    def remove_pieces(self, gone: Iterable[str]) -> None:
        """Take things out of play."""
        handles = frozenset(gone)
        self.state = replace(
            self.state, pieces=tuple(piece for piece in self.state.pieces if piece.handle not in handles)
        )

    def update_pool(self, name: str, pool: PoolState) -> None:
        """Change what is in a pool."""
        self.state = replace(self.state, pools={**self.state.pools, name: pool})

    def name(self, seat: str) -> str:
        """What people call somebody; the table where it is nobody's."""
        return self.state.player(seat).name if seat else "The table"


def rival_counter(counter: str, rival: str) -> str:
    """How a figure is named that somebody has for another seat: `damage-ben`."""
    return f"{counter}-{rival}"


def rivals(state: Table, seat: str) -> Iterator[Player]:
    """Everybody else, also those who are out: what they did stays."""
    return (player for player in state.players if player.seat != seat)
