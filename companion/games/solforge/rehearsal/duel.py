"""One simulated duel: the cards in their cycle through deck, hand and discard pile, and the course of a turn."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple, Protocol

import msgspec

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.keywords import Held, read_keywords
from companion.games.solforge.rules.state import HAND, MAX_LEVEL, RANK_TURNS, SolForgePlayer, SolForgeTable
from companion.tabletop.constructed.rehearsal import Copy, DuelPlayer, DuelView, Piles, SimulatedDuel
from companion.tabletop.table.common_actions import Next

_NEXT: Final = Next()
_BATTLE: Final = do.Battle()
_CONSISTENT: Final = 20
"""R4.20: the number of first cards of a deck into which a Consistent card is shuffled."""


class LevelFigures(msgspec.Struct, frozen=True):
    """The figures of a creature at a level, and its keywords, both as written in a line and as used by the rules."""

    attack: int
    health: int
    has: tuple[str, ...]
    keywords: Held


class SolForgeCard(msgspec.Struct, frozen=True, eq=False):
    """A card for a duel: a creature has figures at each level, other cards have none."""

    name: str
    levels: tuple[LevelFigures, ...] = ()
    flags: frozenset[str] = frozenset()
    """`free` and `overload`, which apply at every level."""

    @property
    def free(self) -> bool:
        """Return True if it takes no play (R4.5)."""
        return "free" in self.flags

    def at(self, level: int) -> LevelFigures | None:
        """Return its figures at a level, or None."""
        return self.levels[level - 1] if self.levels else None

    def has(self, keyword: str, level: int) -> bool:
        """Return True if it has a keyword at a level."""
        return keyword in self.flags or (bool(self.levels) and keyword in self.levels[level - 1].keywords)


class CardPlay(NamedTuple):
    """A play of a card from the hand: Forged into a lane or, without a lane, cast or banked (R4.6)."""

    copy: Copy
    verb: str
    lane: int = 0


Decision = CardPlay | do.MoveCreature
"""The next action of a player in their turn; without one, they go on to the Battle, then to the end of the turn."""


class SolForgeView(DuelView[SolForgeTable, SolForgePlayer]):
    """The view of a player in their turn: the open table and their own hand."""

    __slots__ = ()


class SolForgeDecider(DuelPlayer, Protocol):
    """The decision-maker of a seat."""

    def act(self, view: SolForgeView) -> Decision | None:
        """Return the next action; None to go on."""
        ...


class SolForgeDuel(SimulatedDuel[SolForgeTable, SolForgeDecider]):
    """See `companion.tabletop.constructed.rehearsal.SimulatedDuel`."""

    reserved: ClassVar[frozenset[str]] = do.reserved_words()
    first_action = do.First

    def deal(self) -> None:
        """Draw the first hands (R4.2)."""
        for seat, piles in self.piles.items():
            self._consistent_first(piles)
            self._draw(seat)
            self._compare(seat)

    def step(self) -> None:
        """Take the next action of the active player (R4.4)."""
        seat = self.table.active
        decision = self.players[seat].act(SolForgeView(self, seat))
        if decision is None:
            self._go_on(seat)
        elif isinstance(decision, CardPlay):
            self._play_card(seat, decision)
        else:
            self.do(decision)

    def _go_on(self, seat: str) -> None:
        """Fight the Battle, or end the turn."""
        if not self.table.fought:
            self.do(_BATTLE)
            return
        before = self.table.player(seat)
        self.do(_NEXT)
        self._end_turn(seat, before)
        self._compare(seat)

    def _play_card(self, seat: str, play: CardPlay) -> None:
        copy, card, level = play.copy, play.copy.card, play.copy.level
        free, overload = card.free, card.has("overload", level)
        figures = card.at(level)
        if play.verb == "forge":
            pair = (figures.attack, figures.health)
            handle = self.free_handle(seat, card.name)
            self.do(do.ForgeCreature(seat, play.lane, handle, pair, level, figures.has, free))
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

    def _end_turn(self, seat: str, before: SolForgePlayer) -> None:
        """Discard the hand and draw a new one; the fourth turn of a rank also shuffles (R4.8, A4.2)."""
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
        """Draw a hand; an empty deck takes in the discard pile at once (A4.6)."""
        piles = self.piles[seat]
        lacking = HAND - piles.draw(HAND)
        if lacking and any(self._goes_in(copy, rank) for copy in piles.discard):
            self._shuffle_in(seat, rank)
            piles.draw(lacking)

    def _goes_in(self, copy: Copy, rank: int) -> bool:
        """Return True if a shuffle takes a card out of the discard pile (A4.5)."""
        return self.table.house.rank_gate == "off" or copy.level <= rank

    def _shuffle_in(self, seat: str, rank: int) -> None:
        piles = self.piles[seat]
        goes = [copy for copy in piles.discard if self._goes_in(copy, rank)]
        piles.discard = [copy for copy in piles.discard if not self._goes_in(copy, rank)]
        piles.shuffle_in(goes)
        self._consistent_first(piles)

    def _consistent_first(self, piles: Piles) -> None:
        """Swap Consistent cards that are deeper with others among the first 20 (R4.20)."""
        deck = piles.deck
        top = max(0, len(deck) - _CONSISTENT)
        places = [at for at in range(top, len(deck)) if not _is_consistent(deck[at])]
        for at in [at for at in range(top) if _is_consistent(deck[at])][: len(places)]:
            draws = piles.chance.stream("consistent", piles.seat, piles.shuffles, deck[at].number)
            place = places.pop(draws.below(len(places)))
            deck[at], deck[place] = deck[place], deck[at]

    def _compare(self, seat: str) -> None:
        """Assert that the piles match the counters of the table."""
        piles, player = self.piles[seat], self.table.player(seat)
        there = (len(piles.deck), len(piles.hand), len(piles.discard))
        assert there == (player.deck, player.hand, player.discard), (seat, there, player)


def _is_consistent(copy: Copy) -> bool:
    return bool(copy.card.has("consistent", copy.level))


def played_levels(by_level: tuple[tuple[tuple[int, int], tuple[str, ...]] | None, ...]) -> tuple[LevelFigures, ...]:
    """Return a creature's figures at all levels; missing ones are those of the level below, or the first given."""
    levels: list[LevelFigures] = []
    given = next((one for one in by_level if one is not None), None)
    for one in by_level:
        given = one or given
        if given is not None:
            (attack, health), has = given
            levels.append(LevelFigures(attack, health, has, read_keywords(has)))
    return tuple(levels)
