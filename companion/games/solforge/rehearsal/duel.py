"""One simulated duel: the cards on their round through deck, hand and discard pile, and how a turn goes."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple, Protocol

import msgspec

from companion.games.solforge import actions as do
from companion.games.solforge.keywords import Held, read_keywords
from companion.games.solforge.state import HAND, MAX_LEVEL, RANK_TURNS, Player, Table
from companion.tabletop.action import Action
from companion.tabletop.common_actions import Next
from companion.tabletop.constructed.rehearsal import Copy, Piles, SimulatedDuel
from companion.tabletop.rehearsal import Stream

_NEXT: Final = Next()
_BATTLE: Final = do.Battle()
_CONSISTENT: Final = 20
"""R4.20: among so many of the deck's first cards a Consistent card is shuffled."""


class LevelFigures(msgspec.Struct, frozen=True):
    """A creature's figures at a level, and its keywords as a line writes them and as the rules read them."""

    attack: int
    health: int
    has: tuple[str, ...]
    keywords: Held


class PlayedCard(msgspec.Struct, frozen=True, eq=False):
    """A card as it is played: a creature's figures at each level; none of what is no creature."""

    name: str
    levels: tuple[LevelFigures, ...] = ()
    flags: frozenset[str] = frozenset()
    """`free` and `overload`, which hold at every level."""

    @property
    def free(self) -> bool:
        """Whether it takes no play (R4.5)."""
        return "free" in self.flags

    def at(self, level: int) -> LevelFigures | None:
        """Its figures at a level."""
        return self.levels[level - 1] if self.levels else None

    def has(self, keyword: str, level: int) -> bool:
        """Whether it has a keyword at a level."""
        return keyword in self.flags or (bool(self.levels) and keyword in self.levels[level - 1].keywords)


class Play(NamedTuple):
    """A card of the hand is played: Forged into a lane, or without a lane cast or banked (R4.6)."""

    copy: Copy
    verb: str
    lane: int = 0


Decision = Play | do.Move
"""What somebody does next in their turn; who does nothing goes on to the Battle, and then to the end of the turn."""


class View:
    """What a person in their turn sees: the open table and the own hand."""

    __slots__ = ("_duel", "hand", "seat", "table")

    def __init__(self, duel: SolForgeDuel, seat: str) -> None:
        self._duel = duel
        self.seat = seat
        self.table: Table = duel.table
        self.hand: tuple[Copy, ...] = tuple(duel.piles[seat].hand)

    @property
    def player(self) -> Player:
        """Who looks."""
        return self.table.player(self.seat)

    def draws(self) -> Stream:
        """The chance of this decision."""
        return self._duel.draws(self.seat)


class Decider(Protocol):
    """Who decides at a seat."""

    def act(self, view: View) -> Decision | None:
        """What they do next; None where they go on."""
        ...


class SolForgeDuel(SimulatedDuel[Table, Decider]):
    """See `companion.tabletop.constructed.rehearsal.SimulatedDuel`."""

    most_turns: ClassVar[int] = 200
    reserved: ClassVar[frozenset[str]] = do.reserved()

    def first_line(self, seat: str) -> Action:
        """R4.5."""
        return do.First(seat)

    def deal(self) -> None:
        """The first hands (R4.2)."""
        for seat, piles in self.piles.items():
            self._consistent_first(piles)
            self._draw(seat)
            self._compare(seat)

    def step(self) -> None:
        """What the active player does next (R4.4)."""
        seat = self.table.active
        decision = self.players[seat].act(View(self, seat))
        if decision is None:
            self._go_on(seat)
        elif isinstance(decision, Play):
            self._play_card(seat, decision)
        else:
            self.do(decision)

    def _go_on(self, seat: str) -> None:
        """The Battle, then the end of the turn."""
        if not self.table.fought:
            self.do(_BATTLE)
            return
        before = self.table.player(seat)
        self.do(_NEXT)
        self._end_turn(seat, before)
        self._compare(seat)

    def _play_card(self, seat: str, play: Play) -> None:
        copy, card, level = play.copy, play.copy.card, play.copy.level
        free, overload = card.free, card.has("overload", level)
        figures = card.at(level)
        if play.verb == "forge":
            pair = (figures.attack, figures.health)
            handle = self.free_handle(seat, card.name)
            self.do(do.Forge(seat, play.lane, handle, pair, level, figures.has, free))
        elif play.verb == "cast":
            self.do(do.Cast(seat, card.name, level, free, overload))
        else:
            self.do(do.Bank(seat, card.name, level))
            overload = False
        if self.tally is not None:
            self.tally.play(seat, card.name)
        piles = self.piles[seat]
        piles.hand.remove(copy)
        if not overload:
            copy.level = min(level + 1, MAX_LEVEL)
            piles.discard.append(copy)

    def _end_turn(self, seat: str, before: Player) -> None:
        """The hand is discarded, and a new one drawn; with the fourth turn of a rank comes the shuffle (R4.8, A4.2)."""
        piles = self.piles[seat]
        piles.discard += piles.hand
        piles.hand.clear()
        ranks_up = before.turn == RANK_TURNS
        draws_first = ranks_up and self.table.house.rank_up_draw == "before-shuffle"
        if draws_first:
            self._draw(seat, before.rank)
        if ranks_up:
            self._shuffle_in(seat, before.rank + 1)
        if not draws_first:
            self._draw(seat, before.rank + ranks_up)

    def _draw(self, seat: str, rank: int = 1) -> None:
        """A hand; an empty deck takes the discard pile in at once (A4.6)."""
        piles = self.piles[seat]
        lacking = HAND - piles.draw(HAND)
        if lacking and any(self._goes_in(copy, rank) for copy in piles.discard):
            self._shuffle_in(seat, rank)
            piles.draw(lacking)

    def _goes_in(self, copy: Copy, rank: int) -> bool:
        """Whether a shuffle takes a card out of the discard pile (A4.5)."""
        return self.table.house.rank_gate == "off" or copy.level <= rank

    def _shuffle_in(self, seat: str, rank: int) -> None:
        piles = self.piles[seat]
        goes = [copy for copy in piles.discard if self._goes_in(copy, rank)]
        piles.discard = [copy for copy in piles.discard if not self._goes_in(copy, rank)]
        piles.shuffle_in(goes)
        self._consistent_first(piles)

    def _consistent_first(self, piles: Piles) -> None:
        """Consistent cards that lie deeper change places with others among the first 20 (R4.20)."""
        deck = piles.deck
        top = max(0, len(deck) - _CONSISTENT)
        places = [at for at in range(top, len(deck)) if not _is_consistent(deck[at])]
        for at in [at for at in range(top) if _is_consistent(deck[at])][: len(places)]:
            draws = piles.chance.stream("consistent", piles.seat, piles.shuffles, deck[at].number)
            place = places.pop(draws.below(len(places)))
            deck[at], deck[place] = deck[place], deck[at]

    def _compare(self, seat: str) -> None:
        """The piles are what the table counts."""
        piles, player = self.piles[seat], self.table.player(seat)
        there = (len(piles.deck), len(piles.hand), len(piles.discard))
        assert there == (player.deck, player.hand, player.discard), (seat, there, player)


def _is_consistent(copy: Copy) -> bool:
    return bool(copy.card.has("consistent", copy.level))


def played_levels(by_level: tuple[tuple[tuple[int, int], tuple[str, ...]] | None, ...]) -> tuple[LevelFigures, ...]:
    """A creature's figures at all levels, from those that its list has: what is missing is as at the level below."""
    levels: list[LevelFigures] = []
    given = next((one for one in by_level if one is not None), None)
    for one in by_level:
        given = one or given
        if given is not None:
            (attack, health), has = given
            levels.append(LevelFigures(attack, health, has, read_keywords(has)))
    return tuple(levels)
