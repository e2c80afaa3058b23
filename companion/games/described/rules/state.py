"""The state of a described game's table: players, figures, things in play, and the progress of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.games.described.page.campaign import CAMPAIGN
from companion.games.described.records import Borne, CampaignStages
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import ConstructedTable
from companion.tabletop.decks.decklist import handle
from companion.tabletop.records import Mark
from companion.tabletop.table import state as tabletop_state
from companion.tabletop.table.house_rules import HouseRules
from companion.tabletop.table.state import at_seat
from companion.tabletop.text import in_quotes
from templates.languages.messages import listed, phrase

Figures = Mapping[str, int | str | bool]
"""Counters and flags by their words, including those still at their start."""

WON: Final = "win"
LOST: Final = "loss"
DRAW: Final = "draw"


class NotInPlay(RuleError):
    """Raised for a thing that is not in play."""


class DescribedPlayer(msgspec.Struct, frozen=True):
    """A player at the table.

    `out` players take no further part; `conceded` ones gave up. `place` is the place of a player who is out, behind all
    who were still playing. `team` counts from 1; 0 is no team.
    """

    seat: str
    name: str
    figures: Figures = {}
    out: bool = False
    conceded: bool = False
    place: int = 0
    team: int = 0


class DescribedTeam(msgspec.Struct, frozen=True):
    """A team with figures of its own. `word` is its word in lines; `number` counts from 1."""

    number: int
    word: str
    figures: Figures = {}


class Piece(msgspec.Struct, frozen=True):
    """A thing in play. `handle` is its word in lines; `owner` is empty if it lies in the middle of the table."""

    handle: str
    kind: str
    title: str
    owner: str = ""
    zone: str = ""
    lane: int = 0
    figures: Figures = {}

    @property
    def number(self) -> int:
        """The number at the end of its word, as on its standee or card: 6 of `guard-6`; 0 if there is none."""
        return split_number(self.handle)[1]

    @property
    def is_called_by_number(self) -> bool:
        """True if its title needs the number of its word, because others of its name have other numbers."""
        return needs_number(self.handle, self.title)


@lru_cache(1024)
def split_number(word: str) -> tuple[str, int]:
    """Return a word without the number at its end, and this number: `guard` and 6 of `guard-6`; 0 if there is none."""
    match = _NUMBERED.fullmatch(word)
    return (match[1], int(match[2])) if match else (word, 0)


@lru_cache(1024)
def needs_number(word: str, title: str) -> bool:
    """Return True if a word is a title with a number: `guard-6` is a Guard."""
    begins, number = split_number(word)
    return number > 0 and handle(title) == begins


_NUMBERED: Final = re.compile(r"(.+?)-([1-9]\d{0,3})")


class PoolState(msgspec.Struct, frozen=True):
    """The contents of a pool: the cards left, one entry per copy, and the cards aside until the next reshuffle.

    `unnamed` counts the cards left whose names are unknown.
    """

    left: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    unnamed: int = 0

    @property
    def size(self) -> int:
        """The number of cards that can be drawn."""
        return len(self.left) + self.unnamed


class ScoreSheetRow(msgspec.Struct, frozen=True):
    """A row of the score sheet: the figures of each seat by column, and the points of each seat."""

    entered: Mapping[str, Mapping[str, int]]
    points: Mapping[str, int]


class Spent(NamedTuple):
    """The price a player paid for an inscription on one of their cards."""

    seat: str
    price: int
    name: str
    card: str


class CampaignAtTable(msgspec.Struct, frozen=True):
    """A campaign at a table: its figures before the game, its stages by now, and the scenario that is played."""

    figures: Mapping[str, int] = {}
    stages: CampaignStages = CampaignStages()
    scenario: str = ""
    set_figures: Mapping[str, int] = {}
    """The figures that were set after the game, in place of their counters' values."""


class DescribedTable(ConstructedTable, frozen=True):
    """The table of a described game.

    `round` is 0 before the game begins. `step` is the word of the present step. `active` is the seat whose turn it is;
    it is empty in the steps of a round and if all act at once.
    """

    house: Any = HouseRules()
    players: tuple[DescribedPlayer, ...] = ()
    teams: tuple[DescribedTeam, ...] = ()
    """The teams, once the game has begun; empty if the page has none."""
    figures: Mapping[str, int | str | bool] = {}
    tokens: Mapping[str, str] = {}
    """The seats that hold each token; tokens without a holder are left out."""
    pieces: tuple[Piece, ...] = ()
    pools: Mapping[str, PoolState] = {}
    round: int = 0
    turn: int = 0
    """The number of turns begun; of rounds, if all act at once."""
    order: tuple[str, ...] = ()
    """The seats in the order of this round."""
    active: str = ""
    step: str = ""
    acting: str = ""
    """The thing in play whose turn it is; its owner, if it has one, is then `active`."""
    acted: bool = False
    """True if one of the page's own lines was done in this step, if the page says that one must be."""
    replies: Mapping[str, tuple[str, ...]] = {}
    """The seats that have answered in this step, by the counter that they are asked for."""
    used: frozenset[tuple[str, str, str]] = frozenset()
    """The limited actions already used: the seat, the verb, and the period of the limit."""
    drawn_pools: frozenset[str] = frozenset()
    """The pools already drawn from in this step."""
    entered: Mapping[str, Mapping[str, int]] = {}
    """The figures of this round's row on the score sheet, by seat and column."""
    rows: tuple[ScoreSheetRow, ...] = ()
    verdict: str | None = None
    """The outcome by the page's rules."""
    agreed: str | None = None
    """The outcome that the players agreed on."""
    answered: Mapping[str, tuple[str, ...]] = {}
    """The seats that have already answered each question after the game."""

    borne: Mapping[str, tuple[Borne, ...]] = {}
    """The inscriptions on the cards of each seat's deck."""
    torn: Mapping[str, tuple[str, ...]] = {}
    """The torn-up cards of each seat's deck."""
    purses: Mapping[str, int] = {}
    """The money that players brought in their purses, by seat."""
    written: Mapping[str, tuple[Mark, ...]] = {}
    """The marks made after the game on the deck of each seat; sealing the game stores them."""
    campaign: CampaignAtTable = CampaignAtTable()
    """The campaign that this game belongs to, as it is before the game."""
    spent: tuple[Spent, ...] = ()
    """The purchases after the game."""
    homes: Mapping[str, str] = {}
    """The decks that go home with another player: the deck's seat to the new holder's seat."""

    @property
    def outcome(self) -> str | None:
        """The winner's seat (or team, or several seats joined by `+`), `draw`, or `win` or `loss` for all together."""
        return self.agreed or self.verdict

    @property
    def tracks_all(self) -> bool:
        """Return True: the page itself defines the figures to track."""
        return True

    @property
    def has_begun(self) -> bool:
        """Return True if the set-up is over."""
        return self.round > 0

    @property
    def rounds(self) -> int:
        """The number of rounds begun. After the last round `round` goes on counting, and there is no step."""
        return self.round if self.step or not self.round else self.round - 1

    @property
    def board(self) -> tuple[str, ...]:
        """The handles of the things in play, each of which shows a number."""
        return tuple([piece.handle for piece in self.pieces])

    @property
    def own_numbers(self) -> Mapping[str, int]:
        """The numbers that the words of things say, by their handles."""
        return {piece.handle: piece.number for piece in self.pieces if piece.number}

    @property
    def at_turn(self) -> str:
        """The seat or the thing whose turn it is; empty if nobody has one."""
        return self.acting or self.active

    @property
    def playing(self) -> tuple[DescribedPlayer, ...]:
        """The players who are not out."""
        return tuple([player for player in self.players if not player.out])

    def player(self, seat: str) -> DescribedPlayer:
        """Return the player at a seat. Raises RuleError if there is none."""
        return at_seat(self.players, seat)

    def answerer(self, seat: str) -> DescribedPlayer:
        """Return the player who is asked after the game; for a campaign, the whole table under its name.

        Raises RuleError if there is none.
        """
        if seat == CAMPAIGN and seat in self.brought:
            return DescribedPlayer(seat, self.brought[seat].called)
        return self.player(seat)

    def piece(self, handle: str) -> Piece:
        """Return a thing in play. Raises NotInPlay if there is no thing with this handle."""
        for piece in self.pieces:
            if piece.handle == handle:
                return piece
        word = in_quotes(handle)
        if not self.pieces:
            raise NotInPlay(phrase("Nothing called {word} is in play; nothing is there yet.", word=word))
        there = listed(piece.handle for piece in self.pieces)
        raise NotInPlay(phrase("Nothing called {word} is in play; there is: {things}.", word=word, things=there))

    def agreeing_on_draw(self) -> DescribedTable:
        """Return the table after all agree on a draw."""
        return replace(self, agreed=DRAW)


Owner = DescribedPlayer | DescribedTeam | Piece | DescribedTable
"""Whoever or whatever has figures."""


class Resolution(tabletop_state.Resolution[DescribedTable]):
    """The state changes and log of one action at a described table.

    `settled` is the state for which it was last settled who is out and who has won; None before that.
    """

    __slots__ = ("settled",)

    def __init__(self, state: DescribedTable) -> None:
        super().__init__(state)
        self.settled: DescribedTable | None = None

    def update_player(self, seat: str, **fields: Any) -> DescribedPlayer:
        """Change fields of a player. Raises RuleError if the seat is empty."""
        before = self.state.player(seat)
        after = replace(before, **fields)
        players = [after if player is before else player for player in self.state.players]
        self.state = replace(self.state, players=tuple(players))
        return after

    def write_figures(self, owner: Owner, figures: Figures) -> None:
        """Set the figures of a player, a team, a thing in play or the table, as it is in the present state."""
        if isinstance(owner, DescribedTable):
            self.state = replace(owner, figures=figures)
            return
        after = replace(owner, figures=figures)
        if isinstance(owner, DescribedPlayer):
            players = [after if each is owner else each for each in self.state.players]
            self.state = replace(self.state, players=tuple(players))
        elif isinstance(owner, Piece):
            pieces = [after if each is owner else each for each in self.state.pieces]
            self.state = replace(self.state, pieces=tuple(pieces))
        else:
            teams = [after if each is owner else each for each in self.state.teams]
            self.state = replace(self.state, teams=tuple(teams))

    def update_piece(self, handle: str, **fields: Any) -> Piece:
        """Change fields of a thing in play. Raises RuleError if there is no thing with this handle."""
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
        """Replace the contents of a pool."""
        self.state = replace(self.state, pools={**self.state.pools, name: pool})

    def name(self, seat: str) -> str:
        """Return the display name of a seat, or `The table` for an empty string."""
        return self.state.player(seat).name if seat else "The table"


def rival_counter(counter: str, rival: str) -> str:
    """Return the name of a figure kept for a rival seat: `damage-ben`."""
    return f"{counter}-{rival}"


def rivals(state: DescribedTable, seat: str) -> Iterator[DescribedPlayer]:
    """Yield all other players, including those who are out: the damage they did remains."""
    return (player for player in state.players if player.seat != seat)
