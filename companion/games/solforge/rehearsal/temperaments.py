"""Simulated players of a duel: the next action of each temperament, from what a player at that seat can see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from companion.games.solforge.rehearsal.duel import CardPlay, Decision, LevelFigures, SolForgeDecider, SolForgeView
from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.keywords import Held
from companion.games.solforge.rules.state import LANES, MAX_LEVEL, SolForgeTable
from companion.tabletop.constructed.rehearsal import Copy, players_by_name


def playable(view: SolForgeView) -> Iterator[Copy]:
    """Yield the cards of the hand that may be played now, each card of a level once (R4.5)."""
    plays = view.player.plays
    seen: set[tuple[str, int]] = set()
    for copy in view.hand:
        key = (copy.card.name, copy.level)
        if (plays or copy.card.free) and key not in seen:
            seen.add(key)
            yield copy


def moves(table: SolForgeTable, seat: str) -> Iterator[do.MoveCreature]:
    """Yield every move that the creatures of a seat may make now (R4.17)."""
    for creature in table.creatures:
        reach = creature.keywords.get("mobility", 0)
        if reach and creature.owner == seat and creature.ready and not creature.moved:
            for lane in table.empty_lanes(seat):
                if abs(lane - creature.lane) <= reach:
                    yield do.MoveCreature(creature.handle, lane)


class RandomPlayer:
    """A player who chooses any legal action at random."""

    name: ClassVar[str] = "random"
    text: ClassVar[str] = (
        "Does anything legal at random, each choice equally likely: Forges any creature from "
        "the hand into any lane, even over one of its own, casts or levels any card, moves, "
        "fights the Battle, and then ends the turn. Nobody plays like this; it shows what "
        "the lists and the rules do by themselves."
    )

    def act(self, view: SolForgeView) -> Decision | None:
        """Return a random action, or None to go on."""
        decisions: list[Decision] = [*moves(view.table, view.seat)]
        for copy in playable(view):
            if copy.card.levels:
                decisions += [CardPlay(copy, "forge", lane) for lane in LANES]
            else:
                decisions.append(CardPlay(copy, "cast"))
            if not copy.card.free:
                decisions.append(CardPlay(copy, "bank"))
        return view.draws().choice_or_none(decisions) if decisions else None


class WeighedCreature(NamedTuple):
    """A creature as a player weighs it, in a lane or in the hand."""

    attack: int
    health: int
    armor: int
    fights: bool
    """True if it is on the offensive once it is awake."""
    breaks_through: bool
    worth: float
    """Its size as a number: figures and keywords together."""


def fighter(attack: int, health: int, keywords: Held) -> WeighedCreature:
    """Return a creature by its figures and keywords."""
    armor = keywords.get("armor", 0)
    worth = attack + health + 2 * (armor + keywords.get("regenerate", 0) - keywords.get("poison", 0))
    return WeighedCreature(attack, health, armor, "defender" not in keywords, "breakthrough" in keywords, worth)


class Weights(NamedTuple):
    """The weights of the points of a lane after the next Battle."""

    damage: float
    """Damage to the other player."""
    hurt: float
    """Damage to the player."""
    kill: float
    loss: float
    body: float
    """The size of an own creature in the lane."""
    growth: float
    """The growth of a card that comes back a level higher."""


class WeighingPlayer:
    """A player who weighs every lane after a Battle with all creatures awake, and takes the most useful action."""

    name: ClassVar[str]
    text: ClassVar[str]
    weights: ClassVar[Weights]

    def act(self, view: SolForgeView) -> Decision | None:
        """Return the best move, else the best play; None if nothing is worth it, or it waits for the Battle."""
        own, other = _fighters(view.table, view.seat)
        if (move := self._best_move(view, own, other)) is not None:
            return move
        best: CardPlay | None = None
        most = 0.0
        for copy in playable(view):
            for play, worth in self._weigh(copy, own, other):
                if worth > most and (view.table.fought or self.plays_early(play, own)):
                    best, most = play, worth
        if best is None and view.table.fought:
            return next((CardPlay(copy, "cast") for copy in playable(view) if not copy.card.levels), None)
        return best

    def plays_early(self, play: CardPlay, own: Mapping[int, WeighedCreature]) -> bool:
        """Return True if a card is played before the Battle."""
        raise NotImplementedError

    def _best_move(
        self, view: SolForgeView, own: Mapping[int, WeighedCreature], other: Mapping[int, WeighedCreature]
    ) -> do.MoveCreature | None:
        best, most = None, 0.0
        for move in moves(view.table, view.seat):
            lane = view.table.creature(move.handle).lane
            there, gone = other.get(move.lane), other.get(lane)
            mover = own[lane]
            gain = self._lane(mover, there) + self._lane(None, gone)
            gain -= self._lane(mover, gone) + self._lane(None, there)
            if gain > most:
                best, most = move, gain
        return best

    def _weigh(
        self, copy: Copy, own: Mapping[int, WeighedCreature], other: Mapping[int, WeighedCreature]
    ) -> Iterator[tuple[CardPlay, float]]:
        """Yield the plays of a card, each with its gain."""
        figures: LevelFigures | None = copy.card.at(copy.level)
        if figures is None:
            return
        new = fighter(figures.attack, figures.health, figures.keywords)
        following = copy.card.at(min(copy.level + 1, MAX_LEVEL))
        grown = fighter(following.attack, following.health, following.keywords).worth - new.worth
        growth = 0.0 if copy.card.has("overload", copy.level) else self.weights.growth * max(0.0, grown)
        for lane in LANES:
            gain = self._lane(new, other.get(lane)) - self._lane(own.get(lane), other.get(lane))
            yield CardPlay(copy, "forge", lane), gain + growth
        if not copy.card.free:
            yield CardPlay(copy, "bank"), self.weights.growth * max(0.0, grown)

    def _lane(self, own: WeighedCreature | None, other: WeighedCreature | None) -> float:
        """Return the worth of a lane after the next Battle."""
        weights = self.weights
        if own is None:
            return -weights.hurt * other.attack if other is not None and other.fights else 0.0
        worth = weights.body * own.worth
        if other is None:
            return worth + (weights.damage * own.attack if own.fights else 0.0)
        if not (own.fights or other.fights):
            return worth
        excess = max(0, own.attack - other.armor) - other.health
        if excess >= 0:
            worth += weights.kill * other.worth
            if own.fights and own.breaks_through:
                worth += weights.damage * excess
        excess = max(0, other.attack - own.armor) - own.health
        if excess >= 0:
            worth -= weights.loss * own.worth
            if other.fights and other.breaks_through:
                worth -= weights.hurt * excess
        return worth


def _fighters(table: SolForgeTable, seat: str) -> tuple[dict[int, WeighedCreature], dict[int, WeighedCreature]]:
    """Return the creatures of a seat and those of the other side, by lane."""
    own: dict[int, WeighedCreature] = {}
    other: dict[int, WeighedCreature] = {}
    for creature in table.creatures:
        side = own if creature.owner == seat else other
        side[creature.lane] = fighter(creature.attack, creature.health, creature.keywords)
    return own, other


class GreedyPlayer(WeighingPlayer):
    """A player who wants damage."""

    name = "greedy"
    text = (
        "Wants to deal the most damage to the other player in the next Battle. Forges the "
        "strongest creature opposite an empty lane, moves creatures there, and Forges over "
        "one of its own if the new one deals more damage; otherwise, Forges where the "
        "creature breaks through or kills. Forges only Aggressive creatures before the "
        "Battle, and ignores the damage that comes back. If no creature adds damage, levels "
        "the card that grows most."
    )
    weights = Weights(damage=1.0, hurt=0.0, kill=0.1, loss=0.02, body=0.02, growth=0.05)

    def plays_early(self, play: CardPlay, own: Mapping[int, WeighedCreature]) -> bool:  # noqa: ARG002 – does not matter here
        """Return True for a creature that attacks at once."""
        figures = play.copy.card.at(play.copy.level)
        return play.verb == "forge" and "aggressive" in figures.keywords


class CarefulPlayer(WeighingPlayer):
    """A player who protects their own health."""

    name = "careful"
    text = (
        "Wants to keep health and creatures. Puts creatures in the way of those that would "
        "get through, if they survive or kill the other one, and does so before the Battle, "
        "because they hit back at once; Forges over one of its own only after the Battle. "
        "Attacks empty lanes with the rest, and levels the card that grows most if no lane "
        "gains anything. Looks ahead to the next Battle only, and does not plan for a rank."
    )
    weights = Weights(damage=0.6, hurt=1.0, kill=0.4, loss=0.5, body=0.15, growth=0.1)

    def plays_early(self, play: CardPlay, own: Mapping[int, WeighedCreature]) -> bool:
        """Return True for a creature into an empty lane."""
        return play.verb == "forge" and play.lane not in own


PLAYERS: Final[Mapping[str, SolForgeDecider]] = players_by_name(RandomPlayer(), GreedyPlayer(), CarefulPlayer())
"""The simulated players by their permanent names."""
