"""Step 3: Tactics, one pass clockwise (R1.22, R1.23), and their present costs."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.games.decknforge.book.inscriptions import counts_as_hero, effects
from companion.games.decknforge.book.ledger import card_count, check_in_hand
from companion.games.decknforge.book.state import DungeonStep, DungeonTable, Resolution, Upcard, join_words
from companion.games.decknforge.rules.actions import Brace, Foil, Pass, Snipe, Spike
from companion.games.decknforge.rules.arithmetic import TACTIC_VALUE, base_face, face, labels_on
from companion.games.decknforge.rules.payments import pay_from_hand
from companion.games.decknforge.rules.reveal import find_upcard, swap
from companion.tabletop.action import RuleError
from companion.tabletop.text import signed_figure


class Cost(NamedTuple):
    """The present cost of a Tactic: cards in all, Heroes among them, and why it differs from the printed cost."""

    cards: int
    heroes: int = 0
    why: str = ""

    def __str__(self) -> str:
        extra = self.cards - self.heroes
        if not self.heroes:
            return f"{self.cards} card{'s' if self.cards > 1 else ''}"
        heroes = f"{self.heroes} Hero{'es' if self.heroes > 1 else ''}"
        return heroes + (f" + {extra} card{'s' if extra > 1 else ''}" if extra else "")


class TacticsStep(DungeonStep):
    """Step 3: one Tactic or pass each, clockwise (R1.22)."""

    following = "declare"

    def enter(self, resolution: Resolution) -> None:
        """Reset the turns of all wizards."""
        resolution.update_everyone(has_acted=False)

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a wizard has not acted."""
        return seat_to_act(state) != ""

    def default(self, resolution: Resolution) -> None:
        """Pass for every wizard who has not acted."""
        names = [wizard.name for wizard in resolution.state.fighting() if not wizard.has_acted]
        resolution.tell(f"{join_words(names)} pass{'es' if len(names) == 1 else ''}.")
        resolution.update_everyone(has_acted=True)


def seat_to_act(state: DungeonTable) -> str:
    """Return the seat whose turn it is (R1.22), or "" if all have acted."""
    return next((wizard.seat for wizard in state.fighting() if not wizard.has_acted), "")


def tactic_cost(state: DungeonTable, tactic: str, target: Upcard | None) -> Cost:
    """Return the cost of a Tactic now, in cards (R1.23, R1.L07, R1.L14, R1.I16; doubled first, then extras: A1.33)."""
    labels = tuple(labels_on(state, state.boss)) if state.boss else ()
    factor = 1
    for label in labels:
        factor *= label.cost_factor
    printed = {"foil": state.house.foil_cost}.get(tactic, 1) * factor
    why = [f"doubled by {label.name}" for label in labels if label.cost_factor > 1]
    extra = 0
    if target is not None and tactic != "brace":
        slippery = sum(effect.surcharge for effect in effects(state, target.owner, target.card))
        extra += slippery
        why += [f"+{slippery} Slippery"] if slippery else []
    if tactic == "snipe":
        cunning = sum(label.snipe_extra for label in labels)
        extra += cunning
        why += [f"+{cunning} Cunning"] if cunning else []
    return Cost(printed + extra, printed if tactic == "snipe" else 0, ", ".join(why))


def foil_forbidden(state: DungeonTable) -> bool:
    """Return True if a label of the Boss forbids Foils this round (R1.L02)."""
    return state.boss is not None and any(label.forbids_foil(state.round) for label in labels_on(state, state.boss))


def is_untouchable(state: DungeonTable, upcard: Upcard) -> bool:
    """Return True if a card cannot be Foiled or Sniped (R1.I25)."""
    return any(effect.untouchable for effect in effects(state, upcard.owner, upcard.card))


def _check_turn(state: DungeonTable, seat: str) -> None:
    wizard = state.wizard(seat)
    now = seat_to_act(state)
    if not wizard.in_fight:
        raise RuleError(f"{wizard.name} is out of this fight and uses no Tactics (A1.50).")
    if wizard.has_acted:
        raise RuleError(f"{wizard.name} has had the one Tactic or pass of this round (R1.22).")
    if now != seat:
        raise RuleError(
            f"It is {state.wizard(now).name}'s turn (R1.22, clockwise); `pass {now}` where they do nothing."
        )


def _pay_cost(resolution: Resolution, action: Spike | Foil | Snipe | Brace, price: Cost) -> None:
    """Commit the cards paid. Raises RuleError if they are not the cost of the Tactic."""
    state, seat, pay = resolution.state, action.seat, action.pay
    count = card_count(pay)
    name = action.verb().title()
    if count != price.cards:
        why = f" ({price.why})" if price.why else ""
        raise RuleError(f"A {name} costs {price}{why}; {count} {'was' if count == 1 else 'were'} paid (R1.23).")
    check_in_hand(state, seat, pay)
    if not isinstance(pay, int) and sum(counts_as_hero(state, seat, card) for card in pay) < price.heroes:
        raise RuleError(f"A {name} costs {price}: J, Q, K or an Ascended Item (R1.23, R1.I11).")
    pay_from_hand(resolution, seat, pay, "tactic")


def spike(resolution: Resolution, action: Spike) -> None:
    """Raise the wizard's own revealed card by 3 (R1.23)."""
    _check_turn(resolution.state, action.seat)
    upcard = find_upcard(resolution.state, action.seat, action.card, "card")
    _pay_cost(resolution, action, tactic_cost(resolution.state, "spike", upcard))
    _change_value(resolution, action.seat, "Spikes", upcard, TACTIC_VALUE)
    resolution.update_wizard(action.seat, has_acted=True)


def foil(resolution: Resolution, action: Foil) -> None:
    """Lower another wizard's revealed card by 3, not below 1 (R1.23, A1.47)."""
    state = resolution.state
    _check_turn(state, action.seat)
    upcard = _others_card(state, action)
    if foil_forbidden(state):
        raise RuleError("The Boss is Sneaky: nobody may Foil in fight round 1 (R1.L02).")
    _pay_cost(resolution, action, tactic_cost(state, "foil", upcard))
    _change_value(resolution, action.seat, f"Foils {resolution.name(upcard.controller)}'s", upcard, -TACTIC_VALUE)
    resolution.update_wizard(action.seat, has_acted=True)


def snipe(resolution: Resolution, action: Snipe) -> None:
    """Swap the wizard's own revealed card with another wizard's (R1.23)."""
    state = resolution.state
    _check_turn(state, action.seat)
    upcard = _others_card(state, action)
    own = find_upcard(state, action.seat, action.own, "own")
    _pay_cost(resolution, action, tactic_cost(state, "snipe", upcard))
    resolution.tell(
        f"{resolution.name(action.seat)} Snipes {resolution.name(action.other)}'s {upcard.title}.", action.seat
    )
    swap(resolution, own, upcard)
    resolution.update_wizard(action.seat, has_acted=True)


def brace(resolution: Resolution, action: Brace) -> None:
    """Protect the wizard from Boss damage this round; their card still has its effect (R1.23)."""
    _check_turn(resolution.state, action.seat)
    _pay_cost(resolution, action, tactic_cost(resolution.state, "brace", None))
    resolution.update_wizard(action.seat, braced=True)
    resolution.tell(f"{resolution.name(action.seat)} Braces: no Boss damage this round.", action.seat)
    resolution.update_wizard(action.seat, has_acted=True)


def pass_(resolution: Resolution, action: Pass) -> None:
    """Use no Tactic (R1.22)."""
    _check_turn(resolution.state, action.seat)
    resolution.tell(f"{resolution.name(action.seat)} passes.", action.seat)
    resolution.update_wizard(action.seat, has_acted=True)


def _others_card(state: DungeonTable, action: Foil | Snipe) -> Upcard:
    """Return the other wizard's card that a Foil or Snipe targets."""
    if action.other == action.seat:
        raise RuleError(f"A {action.verb().title()} is aimed at another wizard's card (R1.23).")
    upcard = find_upcard(state, action.other, action.card, "card", lambda other: not is_untouchable(state, other))
    if is_untouchable(state, upcard):
        raise RuleError(f"{upcard.title} is Untouchable: it cannot be Foiled or Sniped (R1.I25).")
    return upcard


def changed_by(upcard: Upcard, change: int) -> Upcard:
    """Return a card with one more Spike or Foil on it."""
    return msgspec.structs.replace(upcard, tactics=(*upcard.tactics, change))


def _change_value(resolution: Resolution, seat: str, what: str, upcard: Upcard, change: int) -> None:
    """Put a Spike or a Foil on a card, and report the sum: `5 +3 → 8`, or all Tactics on it if the floor applies."""
    changed = changed_by(upcard, change)
    resolution.update_card(upcard.owner, upcard.card, tactics=changed.tactics)
    state = resolution.state
    before, after = face(state, upcard), face(state, changed)
    sum_text = f"{before} {signed_figure(change)}"
    if before + change != after and upcard.tactics and state.house.foil_floor == "total":
        before = base_face(state, upcard.controller, upcard.owner, upcard.card)
        sum_text = " ".join([str(before), *map(signed_figure, changed.tactics)])
        change = sum(changed.tactics)
    floor = ", at least 1" if before + change < after else ""
    resolution.tell(f"{resolution.name(seat)} {what} {upcard.title}: {sum_text}{floor} → {after}.", seat)
