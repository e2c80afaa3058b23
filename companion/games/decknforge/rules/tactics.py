"""Step 3: Tactics, one pass clockwise (R1.22, R1.23), and their present costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from companion.games.decknforge.book.inscriptions import counts_as_hero, effects
from companion.games.decknforge.book.ledger import card_count, check_in_hand
from companion.games.decknforge.book.state import DungeonStep, DungeonTable, Resolution, Upcard
from companion.games.decknforge.glossary import effect_name
from companion.games.decknforge.rules.actions import Brace, Foil, Pass, Snipe, Spike
from companion.games.decknforge.rules.arithmetic import TACTIC_VALUE, base_face, face, labels_on
from companion.games.decknforge.rules.payments import pay_from_hand
from companion.games.decknforge.rules.reveal import find_upcard, swap
from companion.tabletop.action import RuleError
from templates.languages.messages import Message, Text, all_of, joined, listed, phrase, phrases, signed

TACTIC_TITLES: Final[Mapping[str, Message]] = {
    "spike": phrase("Spike"),
    "foil": phrase("Foil"),
    "snipe": phrase("Snipe"),
    "brace": phrase("Brace"),
}
"""Titles of the Tactics by their names in notation (R1.23)."""


class Cost(NamedTuple):
    """The present cost of a Tactic: cards in all, Heroes among them, and why it differs from the printed cost."""

    cards: int
    heroes: int = 0
    why: Text = ""

    @property
    def price(self) -> Message:
        """The cards to pay: `2 cards`, `1 Hero + 1 card`."""
        extra = self.cards - self.heroes
        if not self.heroes:
            return phrases("{n} card", "{n} cards", n=self.cards)
        heroes = phrases("{n} Hero", "{n} Heroes", n=self.heroes)
        return joined(" + ", (heroes, phrases("{n} card", "{n} cards", n=extra))) if extra else heroes


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
        resolution.tell(phrases("{players} passes.", "{players} pass.", n=len(names), players=all_of(names)))
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
    why = [phrase("doubled by {label}", label=effect_name(label.name)) for label in labels if label.cost_factor > 1]
    extra = 0
    if target is not None and tactic != "brace":
        slippery = sum(effect.surcharge for effect in effects(state, target.owner, target.card))
        extra += slippery
        why += [joined(" ", (signed(slippery), phrase("Slippery")))] if slippery else []
    if tactic == "snipe":
        cunning = sum(label.snipe_extra for label in labels)
        extra += cunning
        why += [joined(" ", (signed(cunning), phrase("Cunning")))] if cunning else []
    return Cost(printed + extra, printed if tactic == "snipe" else 0, listed(why) if why else "")


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
        raise RuleError(phrase("{player} is out of this fight and uses no Tactics (A1.50).", player=wizard.name))
    if wizard.has_acted:
        raise RuleError(phrase("{player} has had the one Tactic or pass of this round (R1.22).", player=wizard.name))
    if now != seat:
        raise RuleError(
            phrase(
                "It is {player}'s turn (R1.22, clockwise); use `pass {seat}` if they do nothing.",
                player=state.wizard(now).name,
                seat=now,
            )
        )


def _pay_cost(resolution: Resolution, action: Spike | Foil | Snipe | Brace, price: Cost) -> None:
    """Commit the cards paid. Raises RuleError if they are not the cost of the Tactic."""
    state, seat, pay = resolution.state, action.seat, action.pay
    count = card_count(pay)
    title = TACTIC_TITLES[action.verb()]
    if count != price.cards:
        raise RuleError(
            phrases(
                "A {tactic} costs {cost} ({reason}); {n} was paid (R1.23).",
                "A {tactic} costs {cost} ({reason}); {n} were paid (R1.23).",
                n=count,
                tactic=title,
                cost=price.price,
                reason=price.why,
            )
            if price.why
            else phrases(
                "A {tactic} costs {cost}; {n} was paid (R1.23).",
                "A {tactic} costs {cost}; {n} were paid (R1.23).",
                n=count,
                tactic=title,
                cost=price.price,
            )
        )
    check_in_hand(state, seat, pay)
    if not isinstance(pay, int) and sum(counts_as_hero(state, seat, card) for card in pay) < price.heroes:
        raise RuleError(
            phrase(
                "A {tactic} costs {cost}: J, Q, K or an Ascended Item (R1.23, R1.I11).", tactic=title, cost=price.price
            )
        )
    pay_from_hand(resolution, seat, pay, "tactic")


def spike(resolution: Resolution, action: Spike) -> None:
    """Raise the wizard's own revealed card by 3 (R1.23)."""
    _check_turn(resolution.state, action.seat)
    upcard = find_upcard(resolution.state, action.seat, action.card, "card")
    _pay_cost(resolution, action, tactic_cost(resolution.state, "spike", upcard))
    _change_value(resolution, action.seat, upcard, TACTIC_VALUE)
    resolution.update_wizard(action.seat, has_acted=True)


def foil(resolution: Resolution, action: Foil) -> None:
    """Lower another wizard's revealed card by 3, not below 1 (R1.23, A1.47)."""
    state = resolution.state
    _check_turn(state, action.seat)
    upcard = _others_card(state, action)
    if foil_forbidden(state):
        raise RuleError(phrase("The Boss is Sneaky: nobody may Foil in fight round 1 (R1.L02)."))
    _pay_cost(resolution, action, tactic_cost(state, "foil", upcard))
    _change_value(resolution, action.seat, upcard, -TACTIC_VALUE)
    resolution.update_wizard(action.seat, has_acted=True)


def snipe(resolution: Resolution, action: Snipe) -> None:
    """Swap the wizard's own revealed card with another wizard's (R1.23)."""
    state = resolution.state
    _check_turn(state, action.seat)
    upcard = _others_card(state, action)
    own = find_upcard(state, action.seat, action.own, "own")
    _pay_cost(resolution, action, tactic_cost(state, "snipe", upcard))
    text = phrase(
        "{player} Snipes {other}'s {card}.",
        player=resolution.name(action.seat),
        other=resolution.name(action.other),
        card=upcard.title,
    )
    resolution.tell(text, action.seat)
    swap(resolution, own, upcard)
    resolution.update_wizard(action.seat, has_acted=True)


def brace(resolution: Resolution, action: Brace) -> None:
    """Protect the wizard from Boss damage this round; their card still has its effect (R1.23)."""
    _check_turn(resolution.state, action.seat)
    _pay_cost(resolution, action, tactic_cost(resolution.state, "brace", None))
    resolution.update_wizard(action.seat, braced=True)
    text = phrase("{player} Braces: no Boss damage this round.", player=resolution.name(action.seat))
    resolution.tell(text, action.seat)
    resolution.update_wizard(action.seat, has_acted=True)


def pass_(resolution: Resolution, action: Pass) -> None:
    """Use no Tactic (R1.22)."""
    _check_turn(resolution.state, action.seat)
    resolution.tell(phrase("{player} passes.", player=resolution.name(action.seat)), action.seat)
    resolution.update_wizard(action.seat, has_acted=True)


def _others_card(state: DungeonTable, action: Foil | Snipe) -> Upcard:
    """Return the other wizard's card that a Foil or Snipe targets."""
    if action.other == action.seat:
        raise RuleError(
            phrase("A {tactic} is aimed at another wizard's card (R1.23).", tactic=TACTIC_TITLES[action.verb()])
        )
    upcard = find_upcard(state, action.other, action.card, "card", lambda other: not is_untouchable(state, other))
    if is_untouchable(state, upcard):
        raise RuleError(phrase("{card} is Untouchable: it cannot be Foiled or Sniped (R1.I25).", card=upcard.title))
    return upcard


def changed_by(upcard: Upcard, change: int) -> Upcard:
    """Return a card with one more Spike or Foil on it."""
    return msgspec.structs.replace(upcard, tactics=(*upcard.tactics, change))


def _change_value(resolution: Resolution, seat: str, upcard: Upcard, change: int) -> None:
    """Put a Spike or a Foil on a card, and report the sum: `5 +3 → 8`, or all Tactics on it if the floor applies."""
    changed = changed_by(upcard, change)
    resolution.update_card(upcard.owner, upcard.card, tactics=changed.tactics)
    state = resolution.state
    before, after = face(state, upcard), face(state, changed)
    sum_text, is_spike = joined(" ", (before, signed(change))), change > 0
    if before + change != after and upcard.tactics and state.house.foil_floor == "total":
        before = base_face(state, upcard.controller, upcard.owner, upcard.card)
        sum_text = joined(" ", (before, *map(signed, changed.tactics)))
        change = sum(changed.tactics)
    if before + change < after:
        sum_text = phrase("{sum}, at least 1", sum=sum_text)
    player, card = resolution.name(seat), upcard.title
    text = (
        phrase("{player} Spikes {card}: {sum} → {value}.", player=player, card=card, sum=sum_text, value=after)
        if is_spike
        else phrase(
            "{player} Foils {other}'s {card}: {sum} → {value}.",
            player=player,
            other=resolution.name(upcard.controller),
            card=card,
            sum=sum_text,
            value=after,
        )
    )
    resolution.tell(text, seat)
