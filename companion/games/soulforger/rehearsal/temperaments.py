"""Simulated players: the decisions of each temperament in both players' turns, from the information it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from companion.games.soulforger.rehearsal.duel import SoulForgerCard, SoulForgerDecider, SoulForgerView
from companion.games.soulforger.rehearsal.exchange import Exchange, foresee_fight
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.state import (
    ACCESSORIES,
    ENDURANCE,
    HANDS,
    Creature,
    Equipment,
    FieldCard,
    OngoingAttack,
)
from companion.tabletop.constructed.rehearsal import Copy, players_by_name


class RandomSoulForger:
    """A player who makes any legal choice at random."""

    name: ClassVar[str] = "random"
    text: ClassVar[str] = (
        "Does anything legal at random, each choice equally likely: exchanges each card or "
        "not, sends each card on a Side Quest or not, plays or forges any card that may be "
        "played or stops, attacks anybody with anything or stops, blocks with anything or "
        "nothing, buys a level or not. Sets no Actions. Nobody plays like this; it shows "
        "what the lists and the rules do by themselves."
    )

    def exchange(self, view: SoulForgerView) -> Sequence[Copy]:
        """Return each card with a probability of one half."""
        return self._choose_half(view)

    def quest(self, view: SoulForgerView) -> Sequence[Copy]:
        """Return each card with a probability of one half."""
        return self._choose_half(view)

    def _choose_half(self, view: SoulForgerView) -> list[Copy]:
        draws = view.draws()
        return [copy for copy in view.hand if draws.below(2)]

    def play(self, view: SoulForgerView) -> Copy | None:
        """Return any playable card, or None, with equal probability."""
        playable = view.playable()
        return view.draws().choice_or_none(playable) if playable else None

    def attack(self, view: SoulForgerView, able: Sequence[FieldCard]) -> do.Attack | None:
        """Return any attack, or None, with equal probability."""
        attacks = [do.Attack(card.handle, target) for card in able for target in view.targets()]
        return view.draws().choice_or_none(attacks)

    def block(self, view: SoulForgerView, attack: OngoingAttack, able: Sequence[FieldCard]) -> FieldCard | None:  # noqa: ARG002
        """Return any blocker, or None, with equal probability."""
        return view.draws().choice_or_none(able)

    def level(self, view: SoulForgerView) -> bool:
        """Return True with a probability of one half."""
        return not view.draws().below(2)

    def discard(self, view: SoulForgerView, cards: int) -> Sequence[Copy]:
        """Return any cards."""
        return view.draws().sample(view.hand, cards)


_EARLY: Final = 3
"""The maximum Ronum of cards to keep in an opening hand."""


class SensibleSoulForger:
    """The base class of players with a goal."""

    name: ClassVar[str]
    text: ClassVar[str]

    def worth(self, power: int, endurance: int) -> float:
        """Return the worth of a creature, by its On-guard Power and its Endurance."""
        raise NotImplementedError

    def exchange(self, view: SoulForgerView) -> Sequence[Copy]:
        """Return the cards with much Ronum."""
        return [copy for copy in view.hand if (copy.card.ronum or 0) > _EARLY]

    def quest(self, view: SoulForgerView) -> Sequence[Copy]:
        """Return the fewest cards that make a level, the least useful first.

        If no level is possible, return only the cards that will not be played soon.
        """
        player = view.player
        spare = sorted(view.hand, key=lambda copy: (self._keeping_worth(player.level, copy.card), copy.card.name))
        sent: list[Copy] = []
        total = player.xp
        for copy in spare:
            sent.append(copy)
            total += copy.card.ronum or 0
            if total >= player.level:
                return sent
        return [copy for copy in spare if self._keeping_worth(player.level, copy.card) < 0]

    def _keeping_worth(self, level: int, card: SoulForgerCard) -> float:
        """Return the worth of keeping a card in hand; below 0 if it will not be played soon, if ever."""
        if card.type != "creature" or not card.is_whole:
            return -100.0
        ronum = card.ronum or 0
        if ronum > level + 1:
            return -float(ronum)
        return self._worth_of_card(card)

    def _worth_of_card(self, card: SoulForgerCard) -> float:
        assert card.power is not None
        return self.worth(card.power[0], card.endurance or 0)

    def play(self, view: SoulForgerView) -> Copy | None:
        """Return the creature that is worth most, else a better weapon, else an accessory for a free slot."""
        playable = view.playable()
        creatures = [copy for copy in playable if copy.card.type == "creature"]
        if creatures:
            return max(creatures, key=lambda copy: (self._worth_of_card(copy.card), copy.card.name))
        for copy in playable:
            if copy.card.type == "weapon" and _is_better(view, copy.card):
                return copy
        worn = [piece for piece in view.table.equipment(view.seat) if piece.slot == "accessory"]
        accessories = (copy for copy in playable if copy.card.type == "accessory")
        return next(accessories, None) if len(worn) < ACCESSORIES else None

    def level(self, view: SoulForgerView) -> bool:  # noqa: ARG002 – whatever it costs
        """Return True."""
        return True

    def discard(self, view: SoulForgerView, cards: int) -> Sequence[Copy]:
        """Return the cards that would be played last."""
        level = view.player.level
        return sorted(view.hand, key=lambda copy: (self._keeping_worth(level, copy.card), copy.card.name))[:cards]

    def worth_of(self, card: FieldCard) -> float:
        """Return the worth lost with a card in a fight; weapons are not lost."""
        return self.worth(card.on + card.gain, card.endurance) if isinstance(card, Creature) else 0.0


def _is_better(view: SoulForgerView, card: SoulForgerCard) -> bool:
    """Return True if a weapon of the Forge Deck strengthens attacks, or fits into a free hand (R2.15)."""
    assert card.power is not None
    primary, secondary = view.table.weapon(view.seat), view.table.weapon(view.seat, "secondary")
    held = [weapon for weapon in (primary, secondary) if weapon]
    if (card.hands or 1) == HANDS:
        return card.power[0] > sum(weapon.on for weapon in held)
    if primary is not None and primary.hands < HANDS and secondary is None:
        return card.power[0] > 0
    return primary is None or card.power[0] > primary.on


def _would_fall(view: SoulForgerView, damage: int) -> bool:
    return view.player.damage + damage >= ENDURANCE


class GreedySoulForger(SensibleSoulForger):
    """A player who maximizes damage."""

    name = "greedy"
    text = (
        "Wants to deal the most damage to the other player now. Gains levels by XP and by "
        "Side Quests with as few cards as possible, beginning with those that will not be "
        "played; summons the creatures with the most Power that the Ronum Limit allows, "
        "forges stronger weapons, and attacks the player with every creature and weapon, "
        "unless the damage dealt back would put its own player out. Blocks only if the "
        "blocker survives and kills, or if the attack would end the game. Sends Actions on "
        "Side Quests, because their effects are not computed."
    )

    def worth(self, power: int, endurance: int) -> float:
        """Return its Power, with Endurance to break ties."""
        return power + endurance / 100

    def attack(self, view: SoulForgerView, able: Sequence[FieldCard]) -> do.Attack | None:
        """Return an attack on the player with the strongest card left."""
        for card in sorted(able, key=lambda each: (-each.power, each.handle)):
            if card.power and not _would_fall(view, foresee_fight(view.table, card, view.rival).hurt):
                return do.Attack(card.handle, view.rival)
        return None

    def block(self, view: SoulForgerView, attack: OngoingAttack, able: Sequence[FieldCard]) -> FieldCard | None:
        """Return a blocker that survives and kills; in danger of defeat, the one that prevents the most damage."""
        attacker = view.table.card(attack.attacker)
        fights = [(foresee_fight(view.table, attacker, card), card) for card in able]
        good = [card for fight, card in fights if fight.attacker_dies and not (fight.defender_dies or fight.dealt)]
        if good:
            return min(good, key=lambda card: (self.worth_of(card), card.handle))
        if _would_fall(view, foresee_fight(view.table, attacker, _target(view, attack)).dealt):
            return min(fights, key=lambda pair: (pair[0].dealt, pair[1].handle))[1]
        return None


def _target(view: SoulForgerView, attack: OngoingAttack) -> FieldCard | str:
    """Return the target of an attack: a creature, or a seat."""
    return view.table.cards.get(attack.target, attack.target)


_HURT: Final = 1.2
"""The weight of damage to oneself, relative to damage to the other player."""
_END: Final = 1000.0
"""The weight of the end of the game."""


class CarefulSoulForger(SensibleSoulForger):
    """A player who protects their life and creatures."""

    name = "careful"
    text = (
        "Wants to keep life and creatures. Gains levels, summons and forges like the greedy "
        "player, but looks at Power and Endurance together. Works out each attack, on the "
        "player and on every creature, against every possible block, and makes the one with "
        "the best worst case, as long as that gains something. Blocks if that loses less "
        "than letting the attack through. Does not look ahead to the next turn. Sends "
        "Actions on Side Quests, because their effects are not computed."
    )

    def worth(self, power: int, endurance: int) -> float:
        """Return a quarter of Power plus Endurance, in points of damage to a player.

        With a higher worth, players who fight for their creatures lose to those who do not.
        """
        return (power + endurance) / 4

    def attack(self, view: SoulForgerView, able: Sequence[FieldCard]) -> do.Attack | None:
        """Return the attack with the best worst case, or None if it gains nothing."""
        best, most = None, 0.0
        targets = view.targets()
        others = [card for card in view.table.cards.values() if card.owner == view.rival]
        for card in able:
            if not card.power:
                continue
            blocks = {
                other.handle: self._attacker_gain(view, card, other) for other in others if _could_block(card, other)
            }
            for target in targets:
                gain = blocks.get(target)
                if gain is None:
                    gain = self._attacker_gain(view, card, view.table.cards.get(target, target))
                gain = min([gain, *(gain for handle, gain in blocks.items() if handle != target)])
                if gain > most:
                    best, most = do.Attack(card.handle, target), gain
        return best

    def _attacker_gain(self, view: SoulForgerView, attacker: FieldCard, defender: FieldCard | str) -> float:
        """Return the worth of a fight to the attacking player."""
        fight = foresee_fight(view.table, attacker, defender)
        gain = self._weigh_exchange(fight, attacker, defender)
        if fight.hurt and _would_fall(view, fight.hurt):
            gain -= _END
        if fight.dealt and view.table.player(view.rival).damage + fight.dealt >= ENDURANCE:
            gain += _END
        if fight.defender_dies and isinstance(attacker, Equipment) and isinstance(defender, Creature):
            gain += defender.experience / 2
        return gain

    def _weigh_exchange(
        self, fight: Exchange, attacker: FieldCard, defender: FieldCard | str, own: bool = True
    ) -> float:
        """Return the sum of a fight's results for the attacking player, or for the other if `own` is False."""
        lost = self.worth_of(attacker) if fight.attacker_dies else 0.0
        won = self.worth_of(defender) if fight.defender_dies and isinstance(defender, FieldCard) else 0.0
        return won + fight.dealt - lost - _HURT * fight.hurt if own else lost + fight.hurt - won - _HURT * fight.dealt

    def block(self, view: SoulForgerView, attack: OngoingAttack, able: Sequence[FieldCard]) -> FieldCard | None:
        """Return the blocker with the smallest loss, or None if no block is better."""
        attacker, target = view.table.card(attack.attacker), _target(view, attack)
        best, most = None, self._defender_loss(view, attacker, target)
        for card in able:
            loss = self._defender_loss(view, attacker, card)
            if loss > most:
                best, most = card, loss
        return best

    def _defender_loss(self, view: SoulForgerView, attacker: FieldCard, defender: FieldCard | str) -> float:
        """Return the worth of a fight to the attacked player."""
        fight = foresee_fight(view.table, attacker, defender)
        end = _END if _would_fall(view, fight.dealt) and fight.dealt else 0.0
        return self._weigh_exchange(fight, attacker, defender, own=False) - end


def _could_block(attacker: FieldCard, card: FieldCard) -> bool:
    """Return True if a card of the other side could block (R2.16, R2.22, R2.27)."""
    if not card.guarded or "pacifist" in card.keywords:
        return False
    if isinstance(card, Equipment) and card.slot != "primary":
        return False
    return "flight" not in attacker.keywords or "flight" in card.keywords


PLAYERS: Final[Mapping[str, SoulForgerDecider]] = players_by_name(
    RandomSoulForger(), GreedySoulForger(), CarefulSoulForger()
)
"""The simulated players by their permanent names."""
