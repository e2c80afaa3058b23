"""The sums of §1.5: face value, ATK, damage, dodges. Pure arithmetic on a table; nothing changes here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.games.cards import SUITS, Card, suit
from companion.games.decknforge.inscriptions import effects, hand_face
from companion.games.decknforge.labels import LABELS, MonsterLabel
from companion.games.decknforge.state import PRINTED, DungeonTable, Foe, Revealed
from companion.games.kinds import Ref

TACTIC_VALUE = 3
"""R1.23: what a Spike adds and a Foil takes."""


def face(state: DungeonTable, shown: Revealed) -> int:
    """F of a revealed card for the wizard who controls it now (R1.40)."""
    value = base_face(state, shown.controller, shown.owner, shown.card)
    value += TACTIC_VALUE * (shown.spikes - shown.foils)
    return max(1, value) if shown.foils else value


def base_face(state: DungeonTable, controller: str, owner: str, card: Card, leaving: tuple[Card, ...] = ()) -> int:
    """F before Tactics: printed, Sharp, the controller's Banners and Decrees; `leaving` cards are no longer in hand."""
    inscribed = sum(effect.face for effect in effects(state, owner, card))
    wizard = state.wizard(controller)
    decrees = hand_face(state, controller, leaving) if wizard.held else 0
    return PRINTED[card] + inscribed + wizard.banner + decrees


def dodge_total(state: DungeonTable, seat: str, cards: tuple[Card, ...]) -> int:
    """What cards from a hand are worth as a dodge (R1.43), Stinky included."""
    return sum(base_face(state, seat, seat, card, leaving=cards) for card in cards) + sum(
        label.dodge for foe in state.foes() for label in labels_on(foe)
    )


def dodge_bar(state: DungeonTable, foe: Foe) -> int:
    """The value that a dodge must be above (R1.43): ATK, +1 with Twitchy."""
    return atk(state, foe) + sum(label.bar for label in labels_on(foe))


def labels_on(foe: Foe) -> Iterable[MonsterLabel]:
    """The labels at work on a Boss or Minion."""
    return (LABELS[worn.label] for worn in foe.worn)


def atk(state: DungeonTable, foe: Foe) -> int:
    """The present ATK (R1.41)."""
    return foe.atk + foe.escalation + sum(bonus for _, bonus in atk_bonuses(state, foe))


def atk_bonuses(state: DungeonTable, foe: Foe) -> tuple[tuple[str, int], ...]:
    """What each label adds to ATK this round. Before a Minion's first strike it stands as it will strike."""
    now = max(state.round, foe.since)
    bonuses = (
        (worn.label, LABELS[worn.label].atk(max(1, now - worn.since + 1), now - foe.since + 1)) for worn in foe.worn
    )
    return tuple((label, bonus) for label, bonus in bonuses if bonus)


class Hit(NamedTuple):
    """One attacking card: its F, and the damage it deals after Tough (R1.42)."""

    shown: Revealed
    face: int
    dealt: int
    pierces: bool


class Strike(NamedTuple):
    """What step 4 does to one Boss or Minion, if it were resolved now."""

    foe: Foe
    hits: tuple[Hit, ...]
    pierced: int
    """Damage of Pierce cards."""
    others: int
    """Damage of other cards, before Resilient."""
    total: int
    absorb: int
    """What Resilient can still ignore this round."""

    @property
    def kills(self) -> bool:
        """Whether HP falls to 0 or below (R1.25)."""
        return bool(self.hits) and self.total >= self.foe.hp

    @property
    def overkill(self) -> int:
        """Damage beyond 0 HP (R1.42)."""
        return max(0, self.total - self.foe.hp)

    def told(self) -> str:
        """The sum in words: `9 + 12 + 6 = 27`."""
        parts = " + ".join(str(hit.dealt) for hit in self.hits)
        absorbed = self.pierced + self.others - self.total
        return f"{parts or 0}{f' − {absorbed} Resilient' if absorbed else ''} = {self.total}"


def strike(state: DungeonTable, foe: Foe) -> Strike:
    """The damage of all cards that attack a foe (R1.42)."""
    is_boss = state.boss is not None and foe.ref == state.boss.ref
    target = None if is_boss else foe.ref
    hits = tuple(_hit(state, shown, foe, is_boss) for shown in attackers(state, target))
    pierced = sum(hit.dealt for hit in hits if hit.pierces)
    others = sum(hit.dealt for hit in hits if not hit.pierces)
    absorbs = sum(label.absorbs for label in labels_on(foe))
    total = pierced + max(0, others - absorbs)
    return Strike(foe, hits, pierced, others, total, max(0, absorbs - others))


def attackers(state: DungeonTable, target: Ref | None) -> tuple[Revealed, ...]:
    """The revealed cards that attack a Minion, or the Boss (None)."""
    return tuple(shown for shown in state.revealed if not shown.converts and shown.target == target)


def _hit(state: DungeonTable, shown: Revealed, foe: Foe, is_boss: bool) -> Hit:
    value = face(state, shown)
    on_card = tuple(effects(state, shown.owner, shown.card))
    raw = value + (sum(effect.edge(foe) for effect in on_card) if is_boss else 0)
    pierces = any(effect.pierces for effect in on_card)
    tough = 0 if pierces else sum(label.per_card for label in labels_on(foe))
    return Hit(shown, value, max(0, raw - tough), pierces)


def dealt_damage(hit: Hit, strike_: Strike) -> bool:
    """Whether a card dealt damage (R1.45)."""
    return hit.dealt >= 1 and (hit.pierces or strike_.total >= 1)


def killing_hit(state: DungeonTable, strike_: Strike) -> Hit:
    """The card that takes the kill: highest F, then ♠ ♥ ♣ ♦, then clockwise from the active wizard (R1.50)."""
    seats = [wizard.seat for wizard in state.clockwise()]

    def order(hit: Hit) -> tuple[int, int, int]:
        value = PRINTED[hit.shown.card] if state.house.kill_value == "printed" else hit.face
        return (-value, SUITS.index(suit(hit.shown.card)), seats.index(hit.shown.controller))

    return min(_solo_lethal(state, strike_) or strike_.hits, key=order)


def _solo_lethal(state: DungeonTable, strike_: Strike) -> tuple[Hit, ...]:
    """With `kill-credit solo-lethal`: the hits of the one wizard whose own damage sufficed (R1.85); else none."""
    if state.house.kill_credit != "solo-lethal":
        return ()
    seats = {hit.shown.controller for hit in strike_.hits}
    own = {seat: tuple(hit for hit in strike_.hits if hit.shown.controller == seat) for seat in seats}
    lethal = [hits for hits in own.values() if sum(hit.dealt for hit in hits) >= strike_.foe.hp]
    return lethal[0] if len(lethal) == 1 else ()
