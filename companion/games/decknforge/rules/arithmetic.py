"""The sums of §1.5: face value, ATK, damage, dodges. Pure functions of a table."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.games.decknforge.book.effect import MonsterLabel
from companion.games.decknforge.book.inscriptions import effects, hand_face
from companion.games.decknforge.book.state import PRINTED, DungeonTable, Foe, Upcard
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import SUITS, Card, suit
from templates.languages.messages import Text, phrase

TACTIC_VALUE = 3
"""Value that a Spike adds and a Foil subtracts (R1.23)."""


def face(state: DungeonTable, upcard: Upcard) -> int:
    """Return F of a revealed card for the wizard who controls it now (R1.40)."""
    value = base_face(state, upcard.controller, upcard.owner, upcard.card)
    return with_tactics(state, value, upcard.tactics) if upcard.tactics else value


def with_tactics(state: DungeonTable, value: int, tactics: tuple[int, ...]) -> int:
    """Return F after these Spikes and Foils: with a Foil at least 1, on the total or at each step (A1.47)."""
    if state.house.foil_floor == "total":
        value += sum(tactics)
        return max(1, value) if min(tactics, default=0) < 0 else value
    for change in tactics:
        value = max(1, value + change) if change < 0 else value + change
    return value


def convert_face(state: DungeonTable, upcard: Upcard) -> int:
    """Return the value of a Convert: F or, by house rule, the printed value or F without Spikes (A1.6, A1.60)."""
    if state.house.convert_value == "printed":
        return PRINTED[upcard.card]
    tactics = tuple(change for change in upcard.tactics if change < 0 or state.house.spike_boosts_convert)
    return with_tactics(state, base_face(state, upcard.controller, upcard.owner, upcard.card), tactics)


def base_face(state: DungeonTable, controller: str, owner: str, card: Card, leaving: tuple[Card, ...] = ()) -> int:
    """Return F before Tactics (R1.40): printed, Sharp, the controller's Banners and Decrees except `leaving` cards."""
    wizard = state.wizard(controller)
    value = PRINTED[card] + wizard.banner
    for effect in effects(state, owner, card):
        value += effect.face
    return value + hand_face(state, controller, leaving) if wizard.known_hand else value


def dodge_total(state: DungeonTable, seat: str, cards: tuple[Card, ...]) -> int:
    """Return the value of cards from a hand as a dodge (R1.43)."""
    return sum(base_face(state, seat, seat, card, leaving=cards) for card in cards)


def dodge_bar(state: DungeonTable, foe: Foe) -> int:
    """Return the value that a dodge must exceed (R1.43): ATK, +1 with Twitchy, +1 for every Stinky in the fight."""
    stinky = sum(label.dodge for other in state.foes() for label in labels_on(state, other))
    return atk(state, foe) + sum(label.bar for label in labels_on(state, foe)) - stinky


def is_dodge(state: DungeonTable, seat: str, foe: Foe, cards: tuple[Card, ...]) -> bool:
    """Return True if cards from a hand exceed the value that dodges an attack (R1.43)."""
    return dodge_total(state, seat, cards) > dodge_bar(state, foe)


def labels_on(state: DungeonTable, foe: Foe) -> Iterable[MonsterLabel]:
    """Return the active labels on a Boss or Minion."""
    return (state.book.labels[active.label] for active in foe.labels)


def absorbed_damage(state: DungeonTable, foe: Foe) -> int:
    """Return the damage that the labels on a foe absorb each round (R1.L10)."""
    return sum(label.absorbs for label in labels_on(state, foe))


def atk(state: DungeonTable, foe: Foe) -> int:
    """Return the present ATK (R1.41)."""
    return foe.atk + foe.escalation + sum(bonus for _, bonus in atk_bonuses(state, foe))


def atk_bonuses(state: DungeonTable, foe: Foe) -> tuple[tuple[str, int], ...]:
    """Return each label's bonus to ATK this round (R1.41); before a Minion's first strike, those of that strike."""
    now = max(state.round, foe.since)
    labels, house = state.book.labels, state.house
    bonuses = (
        (active.label, labels[active.label].atk(max(1, now - active.since + 1), now - foe.since + 1, house))
        for active in foe.labels
    )
    return tuple((label, bonus) for label, bonus in bonuses if bonus)


class Hit(msgspec.Struct, frozen=True):
    """One attacking card: its F, and the damage it deals after Tough (R1.42)."""

    upcard: Upcard
    face: int
    dealt: int
    pierces: bool


class Strike(msgspec.Struct, frozen=True):
    """The damage of step 4 to one Boss or Minion, if it were resolved now."""

    foe: Foe
    hits: tuple[Hit, ...]
    pierced: int
    """Damage of Pierce cards."""
    others: int
    """Damage of other cards, before Resilient."""
    total: int
    absorb: int
    """Damage that Resilient can still absorb this round."""

    @property
    def kills(self) -> bool:
        """Return True if HP falls to 0 or below (R1.25)."""
        return bool(self.hits) and self.total >= self.foe.hp

    @property
    def hp_left(self) -> int:
        """HP of the Boss or Minion afterwards."""
        return max(0, self.foe.hp - self.total)

    @property
    def overkill(self) -> int:
        """Damage beyond 0 HP (R1.42)."""
        return max(0, self.total - self.foe.hp)

    def sentence(self) -> Text:
        """Return the sum in words: `9 + 12 + 6 = 27`; for a single card without absorption, its damage alone."""
        parts = " + ".join(str(hit.dealt) for hit in self.hits)
        absorbed = self.pierced + self.others - self.total
        if len(self.hits) < 2 and not absorbed:
            return str(self.total)
        if absorbed:
            return phrase(
                "{parts} − {absorbed} Resilient = {total}", parts=parts or "0", absorbed=absorbed, total=str(self.total)
            )
        return f"{parts or 0} = {self.total}"


def compute_strike(state: DungeonTable, foe: Foe) -> Strike:
    """Compute the damage of all cards that attack a foe (R1.42)."""
    is_boss = state.is_boss(foe)
    target = None if is_boss else foe.ref
    hits = tuple(_compute_hit(state, upcard, foe, is_boss) for upcard in attackers(state, target))
    pierced = sum(hit.dealt for hit in hits if hit.pierces)
    others = sum(hit.dealt for hit in hits if not hit.pierces)
    absorbs = absorbed_damage(state, foe)
    total = pierced + max(0, others - absorbs)
    return Strike(foe, hits, pierced, others, total, max(0, absorbs - others))


def attackers(state: DungeonTable, target: Ref | None) -> tuple[Upcard, ...]:
    """Return the revealed cards that attack a Minion, or the Boss if `target` is None (R1.24, R1.60)."""
    return tuple(upcard for upcard in state.revealed if not upcard.converts and upcard.target == target)


def _compute_hit(state: DungeonTable, upcard: Upcard, foe: Foe, is_boss: bool) -> Hit:
    value = face(state, upcard)
    on_card = tuple(effects(state, upcard.owner, upcard.card))
    raw = value + (sum(effect.edge(foe) for effect in on_card) if is_boss else 0)
    pierces = any(effect.pierces for effect in on_card)
    tough = 0 if pierces else sum(label.per_card for label in labels_on(state, foe))
    return Hit(upcard, value, max(0, raw - tough), pierces)


def dealt_damage(hit: Hit, strike: Strike) -> bool:
    """Return True if a card dealt damage (R1.45)."""
    return hit.dealt >= 1 and (hit.pierces or strike.total >= 1)


def killing_hit(state: DungeonTable, strike: Strike) -> Hit | None:
    """Return the card that takes the kill: highest F, then ♠ ♥ ♣ ♦, then clockwise from the active seat (R1.50, R1.61).

    Cards of players who have left take none (A1.72); None if there are no others.
    """
    house, seats = state.house, [wizard.seat for wizard in state.clockwise()]

    def order(hit: Hit) -> tuple[int, int, int, int]:
        value = PRINTED[hit.upcard.card] if house.kill_value == "printed" else hit.face
        purse = state.wizard(hit.upcard.controller).purse if house.kill_tie == "fewest-coppers" else 0
        return (-value, SUITS.index(suit(hit.upcard.card)), purse, seats.index(hit.upcard.controller))

    hits = _of_takers(state, strike.hits)
    if not state.is_boss(strike.foe):
        return min(hits, key=order, default=None)
    alone = _solo_lethal(state, strike.foe, hits) if house.kill_credit == "solo-lethal" else ()
    return min(alone or (*hits, *_of_takers(state, _converted_hits(state))), key=order, default=None)


def _of_takers(state: DungeonTable, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    return tuple(hit for hit in hits if state.may_take(hit.upcard.controller))


def _converted_hits(state: DungeonTable) -> tuple[Hit, ...]:
    """Return, with `converted-can-kill`, the Converted cards, which did no damage (A1.13)."""
    if not state.house.converted_can_kill:
        return ()
    return tuple(Hit(upcard, face(state, upcard), 0, pierces=False) for upcard in state.revealed if upcard.converts)


def _solo_lethal(state: DungeonTable, boss: Foe, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Return the hits of a wizard whose own damage, before Resilient, sufficed for the Boss as the round began (R1.85),
    if there is exactly one such wizard; else ().
    """
    hp = boss.hp if state.edition < 4 else boss.hp_at_start
    seats = {hit.upcard.controller for hit in hits}
    own = {seat: tuple(hit for hit in hits if hit.upcard.controller == seat) for seat in seats}
    lethal = [hits for hits in own.values() if sum(hit.dealt for hit in hits) >= hp]
    return lethal[0] if len(lethal) == 1 else ()
