"""Simulated players of a duel: the decisions of each temperament, in its own turn and the opponent's, from its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from companion.games.oddfrontier.rehearsal.duel import FrontierCard, FrontierDecider, FrontierView
from companion.games.oddfrontier.rules.energy import ready_engines
from companion.games.oddfrontier.rules.state import Permanent
from companion.tabletop.constructed.rehearsal import Copy, players_by_name
from companion.tabletop.notation.arguments import Portion

Blocks = list[tuple[Permanent, Permanent]]


class RandomPlayer:
    """A player that makes any legal choice at random."""

    name: ClassVar[str] = "random"
    text: ClassVar[str] = (
        "Does anything legal at random, each choice equally likely: keeps a hand or not, "
        "plays any card that Engines can pay for or stops playing, cranks any number of "
        "Engines early, has each creature attack or not, and block anybody or nobody, and "
        "splits and discards at random. Nobody plays like this; it shows what the lists and "
        "the rules do by themselves."
    )

    def mulligan(self, view: FrontierView) -> bool:
        """Return True one time in two."""
        return not view.draws().below(2)

    def crank(self, view: FrontierView) -> int:
        """Return any number of ready Engines."""
        return view.draws().below(ready_engines(view.table, view.player) + 1)

    def play(self, view: FrontierView) -> Copy | None:
        """Return any playable card, or none."""
        playable = view.playable()
        return view.draws().choice_or_none(playable) if playable else None

    def attack(self, view: FrontierView, able: Sequence[Permanent]) -> Sequence[Permanent]:
        """Let each Creature attack one time in two."""
        draws = view.draws()
        return [creature for creature in able if draws.below(2)]

    def block(self, view: FrontierView, attackers: Sequence[Permanent], able: Sequence[Permanent]) -> Blocks:
        """Let each Creature block any attacker, or none."""
        draws = view.draws()
        chosen = [(creature, draws.below(len(attackers) + 1)) for creature in able]
        return [(creature, attackers[at]) for creature, at in chosen if at < len(attackers)]

    def split(self, view: FrontierView, attack: int, blockers: Sequence[Permanent]) -> tuple[Portion, ...]:
        """Give each point of damage to any blocker."""
        draws = view.draws()
        shares = dict.fromkeys([blocker.handle for blocker in blockers], 0)
        for _ in range(attack):
            shares[draws.choice(blockers).handle] += 1
        return tuple(shares.items())

    def discard(self, view: FrontierView, cards: int) -> Sequence[Copy]:
        """Return any cards."""
        return view.draws().sample(view.hand, cards)


_FEWEST_ENGINES: Final = 2
_MOST_ENGINES: Final = 5
"""The least and the most Engines in a hand that is kept, usually of 7 cards."""
_ENOUGH_ENGINES: Final = 8
"""The number of Engines on the table from which on further ones are discarded first."""


class SensiblePlayer:
    """The common behaviour of players with a goal."""

    name: ClassVar[str]
    text: ClassVar[str]

    def worth(self, attack: int, defense: int) -> float:
        """Return the value of a Creature."""
        raise NotImplementedError

    def mulligan(self, view: FrontierView) -> bool:
        """Send back a hand with too few or too many Engines, as long as that costs at most one card."""
        engines = sum(copy.card.type == "engine" for copy in view.hand)
        return view.player.mulligans < 2 and not _FEWEST_ENGINES <= engines <= _MOST_ENGINES

    def crank(self, view: FrontierView) -> int:
        """Crank all Engines if the hand costs more than they give once (A3.2)."""
        ready = ready_engines(view.table, view.player)
        cost = sum(copy.card.cost for copy in view.hand)
        return ready if cost > view.player.engines else 0

    def play(self, view: FrontierView) -> Copy | None:
        """Return an Engine, else the most valuable Creature, else a card whose text is not computed."""
        playable = view.playable()
        return max(playable, key=lambda copy: self._order(copy.card), default=None)

    def _order(self, card: FrontierCard) -> tuple[int, float, str]:
        if card.type == "engine":
            return 2, 0, card.name
        return (1, self.worth(*card.figures), card.name) if card.figures else (0, -card.cost, card.name)

    def split(self, view: FrontierView, attack: int, blockers: Sequence[Permanent]) -> tuple[Portion, ...]:  # noqa: ARG002
        """Give each blocker as much as kills it, the weakest first; the rest goes to the last one."""
        shares: list[Portion] = []
        left = attack
        for blocker in sorted(blockers, key=lambda one: (one.defense - one.damage, one.handle)):
            needed = min(left, max(0, blocker.defense - blocker.damage))
            shares.append((blocker.handle, needed))
            left -= needed
        handle, share = shares[-1]
        return (*shares[:-1], (handle, share + left))

    def discard(self, view: FrontierView, cards: int) -> Sequence[Copy]:
        """Return excess Engines and cards without computed text, then the least valuable Creatures."""
        spare = view.player.engines >= _ENOUGH_ENGINES

        def order(copy: Copy) -> tuple[float, str]:
            card: FrontierCard = copy.card
            if card.type == "engine":
                return (-2.0 if spare else 1000.0), card.name
            return (self.worth(*card.figures) if card.figures else -1.0), card.name

        return sorted(view.hand, key=order)[:cards]


def fight_out(attacker: Permanent, blocker: Permanent) -> tuple[bool, bool]:
    """Return whether the attacker dies, and whether its only blocker does (R3.8, A3.5)."""
    falls = blocker.damage + attacker.strength >= blocker.defense
    kills = attacker.damage + blocker.strength >= attacker.defense
    if attacker.first_assault != blocker.first_assault:
        if attacker.first_assault and falls:
            return False, True
        if blocker.first_assault and kills:
            return True, False
    return kills, falls


class GreedyPlayer(SensiblePlayer):
    """A player that wants damage."""

    name = "greedy"
    text = (
        "Wants to deal the most damage now. Plays an Engine each turn, cranks the others "
        "before the Reset as well if the hand needs it (A3.2), and spends all energy on the "
        "creatures with the most attack, before combat, because they may attack at once. "
        "Attacks with everything, whatever comes back; blocks with the rest only if the "
        "blocker survives and kills, or if the attack would end the game. Shuffles back a "
        "hand with fewer than 2 Engines or more than 5, at most twice. Cards whose text is "
        "not computed are played last."
    )

    def worth(self, attack: int, defense: int) -> float:
        """Return the attack, with the defense as a tie-breaker."""
        return attack + defense / 100

    def attack(self, view: FrontierView, able: Sequence[Permanent]) -> Sequence[Permanent]:  # noqa: ARG002 – in any case
        """Attack with every Creature."""
        return able

    def block(self, view: FrontierView, attackers: Sequence[Permanent], able: Sequence[Permanent]) -> Blocks:
        """Block if the blocker lives and kills; if the attack would be the last, with any Creature."""
        return _blocks(view, attackers, able, trades=False)


class CarefulPlayer(SensiblePlayer):
    """A player that wants to keep their own life."""

    name = "careful"
    text = (
        "Wants to keep life and creatures. Plays an Engine each turn, cranks the others "
        "before the Reset as well if the hand needs it (A3.2), and spends all energy on the "
        "largest creatures. Attacks with creatures that no blocker kills without a loss, as "
        "long as as many stay at home as the other side has, or as they deal more damage "
        "than they would stop. Blocks if the blocker survives, or kills something worth as "
        "much; with two if they kill and one of them survives; and with any creature if the "
        "attack would end the game. Treats hands and other cards like the greedy player."
    )

    def worth(self, attack: int, defense: int) -> float:
        """Return the sum of attack and defense."""
        return attack + defense

    def attack(self, view: FrontierView, able: Sequence[Permanent]) -> Sequence[Permanent]:
        """Attack with Creatures that are safe and not needed at home, or with all for a sure win."""
        others = view.creatures(view.rival.seat)
        blockers = [each for each in others if not each.cranked]
        threats = sorted((each.strength for each in others), reverse=True)
        home = len([each for each in view.creatures(view.seat) if not each.cranked])
        strongest = sorted(able, key=lambda each: (-each.strength, each.handle))
        if not blockers and sum(each.strength for each in able) >= view.rival.life:
            return able
        attackers = []
        for creature in strongest:
            spared = home - 1 >= len(threats) or creature.strength > threats[min(home, len(threats)) - 1]
            if creature.strength and spared and self._is_safe(creature, blockers):
                attackers.append(creature)
                home -= 1
        return attackers

    def _is_safe(self, creature: Permanent, blockers: Sequence[Permanent]) -> bool:
        """Return True if no blocker kills the Creature without a loss."""
        for blocker in blockers:
            dies, takes_along = fight_out(creature, blocker)
            if dies and not (takes_along and self._worth_of(blocker) >= self._worth_of(creature)):
                return False
        return True

    def _worth_of(self, creature: Permanent) -> float:
        return self.worth(creature.attack, creature.defense)

    def block(self, view: FrontierView, attackers: Sequence[Permanent], able: Sequence[Permanent]) -> Blocks:
        """Block if it is a good trade; if the attack would be the last, with any Creature."""
        return _blocks(view, attackers, able, trades=True)


def _blocks(view: FrontierView, attackers: Sequence[Permanent], able: Sequence[Permanent], trades: bool) -> Blocks:
    """Return the blocks: the strongest attacker first, each with the weakest Creature that blocks it well."""
    blocks: Blocks = []
    left = sorted(able, key=lambda each: (each.strength + each.defense, each.handle))
    open_attacks = sorted(attackers, key=lambda each: (-each.strength, each.handle))
    unblocked = []
    for attacker in open_attacks:
        chosen = _good_block(attacker, left, trades)
        for blocker in chosen:
            left.remove(blocker)
            blocks.append((blocker, attacker))
        if not chosen:
            unblocked.append(attacker)
    harm = sum(attacker.strength for attacker in unblocked)
    for attacker in unblocked:
        if harm < view.player.life or not left:
            break
        blocks.append((left.pop(0), attacker))
        harm -= attacker.strength
    return blocks


def _good_block(attacker: Permanent, left: Sequence[Permanent], trades: bool) -> Sequence[Permanent]:
    """Return the blockers of an attacker, or none."""
    fates = [(blocker, *fight_out(attacker, blocker)) for blocker in left]
    best = next((blocker for blocker, dies, falls in fates if dies and not falls), None)
    if best is None and trades:
        worth = attacker.strength + attacker.defense
        best = next((blocker for blocker, _, falls in fates if not falls), None) or next(
            (one for one, dies, _ in fates if dies and one.strength + one.defense <= worth), None
        )
    if best is not None:
        return (best,)
    if trades and not attacker.first_assault:
        for at, one in enumerate(left):
            for other in left[at + 1 :]:
                both = one.strength + other.strength
                if both >= attacker.defense - attacker.damage and attacker.strength < one.defense + other.defense:
                    return (one, other)
    return ()


PLAYERS: Final[Mapping[str, FrontierDecider]] = players_by_name(RandomPlayer(), GreedyPlayer(), CarefulPlayer())
"""The simulated players by their permanent names."""
