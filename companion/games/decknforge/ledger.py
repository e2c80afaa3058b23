"""What every effect does in the end: draw, heal, wound, earn, commit. Each stands here once, with its limits."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Literal

from companion.games.decknforge.effect import Inscription, title
from companion.games.decknforge.marks import describe_band_reason
from companion.games.decknforge.state import (
    COMBAT_CARDS,
    FULL_HP,
    Cause,
    Change,
    CommittedCard,
    DungeonTable,
    Resolution,
    join_words,
)
from companion.tabletop.action import RuleError
from companion.tabletop.arguments import Ref
from companion.tabletop.cards import Card, pretty
from companion.tabletop.records import Reason


def draw(resolution: Resolution, seat: str, count: int, why: str, up_to: int | None = None) -> int:
    """Draw cards from one's own combat deck, at once (R1.32), at most until the hand holds `up_to`; gives how many."""
    wizard = resolution.state.wizard(seat)
    state = resolution.state
    limit = state.hand_limit if state.house.hand_cap == "always" else up_to
    room = count if limit is None else min(count, max(0, limit - wizard.hand))
    count_drawn = min(room, wizard.deck)
    if count_drawn:
        resolution.update_wizard(seat, hand=wizard.hand + count_drawn, deck=wizard.deck - count_drawn)
        resolution.tell(f"{wizard.name} draws {count_drawn} ({why}).", seat, by_hand=True)
    if count_drawn < room:
        resolution.tell(f"{wizard.name}'s deck is empty: {room - count_drawn} fewer drawn ({why}).", seat)
    return count_drawn


def heal(resolution: Resolution, seat: str, amount: int, why: str) -> None:
    """Heal, not above 20 (R1.36) but with `overheal` (A1.11)."""
    wizard = resolution.state.wizard(seat)
    healed = amount if resolution.state.house.overheal else max(0, min(amount, FULL_HP - wizard.hp))
    resolution.update_wizard(seat, hp=wizard.hp + healed)
    if healed:
        resolution.tell(f"{wizard.name} heals {healed} to {wizard.hp + healed} ({why}).", seat)


def earn(resolution: Resolution, seat: str, coppers: int, why: Reason) -> None:
    """Coppers into the purse, counted as earned this dungeon."""
    wizard = resolution.state.wizard(seat)
    entry = ((coppers, why),) if coppers else ()
    resolution.update_wizard(
        seat, purse=wizard.purse + coppers, earned=wizard.earned + coppers, ledger=(*wizard.ledger, *entry)
    )
    resolution.tell(f"{wizard.name} {coppers}c: {describe_band_reason(why)}.", seat)


def spend(resolution: Resolution, seat: str, coppers: int, why: Reason) -> None:
    """Coppers out of the purse; what was earned stays earned. The caller has seen that they are there."""
    wizard = resolution.state.wizard(seat)
    entry = ((-coppers, why),) if coppers else ()
    resolution.update_wizard(seat, purse=wizard.purse - coppers, ledger=(*wizard.ledger, *entry))


def wound(resolution: Resolution, seat: str, amount: int, why: str) -> int:
    """Damage to a wizard, less the shield (R1.44); gives the damage taken. Who is at 0 falls in `fall`.

    With `shield-mode pool` the shield is used up by what it stops (A1.10).
    """
    wizard = resolution.state.wizard(seat)
    damage = max(0, amount - wizard.shield)
    shielded = f" − {wizard.shield} shield" if wizard.shield else ""
    left = max(0, wizard.hp - damage)
    stops = 0 if resolution.state.house.shield_mode == "flat" else amount - damage
    resolution.update_wizard(seat, hp=left, shield=wizard.shield - stops)
    resolution.tell(f"{wizard.name} takes {damage} ({amount} {why}{shielded}): {wizard.hp} → {left} HP.", seat)
    return damage


def lose(resolution: Resolution, ref: Ref, damage: int) -> None:
    """HP that a Boss or Minion loses to damage; below 0 is overkill and shown as 0 (A1.51)."""
    foe = next(foe for foe in resolution.state.foes() if foe.ref == ref)
    resolution.update_foe(ref, hp=max(0, foe.hp - damage), lost_hp=foe.lost_hp + damage)


def remove_minions(resolution: Resolution, refs: Container[Ref]) -> None:
    """Take Minions off the table: nobody aims at them any more, and answers to their attacks lapse."""
    state = resolution.state
    stay = [index for index, minion in enumerate(state.minions, 1) if minion.ref not in refs]
    resolution.change(minions=tuple(minion for minion in state.minions if minion.ref not in refs))
    for wizard in state.wizards:
        answers = (*wizard.answers[:1], *(wizard.answers[index] for index in stay if index < len(wizard.answers)))
        if answers != wizard.answers:
            resolution.update_wizard(wizard.seat, answers=answers)
    for upcard in state.revealed:
        if upcard.target is not None and upcard.target in refs:
            resolution.update_card(upcard.owner, upcard.card, target=None)


def commit(resolution: Resolution, owner: str, cards: Iterable[Card], cause: Cause) -> None:
    """Put cards onto the pile of the band that owns them (R1.15)."""
    wizard = resolution.state.wizard(owner)
    pile = (*wizard.pile, *(CommittedCard(card, cause) for card in cards))
    gone = {entry.card for entry in pile}
    resolution.update_wizard(owner, pile=pile, known_hand=tuple(card for card in wizard.known_hand if card not in gone))


def pay_from_hand(resolution: Resolution, seat: str, cards: tuple[Card, ...] | int, cause: Cause) -> int:
    """Commit cards out of the hand, named or only counted; gives how many. Raises RuleError."""
    check_in_hand(resolution.state, seat, cards)
    wizard = resolution.state.wizard(seat)
    count = cards if isinstance(cards, int) else len(cards)
    resolution.update_wizard(seat, hand=wizard.hand - count)
    if isinstance(cards, int):
        resolution.update_wizard(seat, unnamed_cards=wizard.unnamed_cards + cards)
    else:
        commit(resolution, seat, cards, cause)
    return count


def check_in_hand(state: DungeonTable, seat: str, cards: tuple[Card, ...] | int) -> None:
    """Raises RuleError where these cards cannot all be in that hand now."""
    wizard = state.wizard(seat)
    count = cards if isinstance(cards, int) else len(cards)
    if count > wizard.hand:
        raise RuleError(
            f"{wizard.name} has {wizard.hand} card(s) in hand, not {count}; `set {seat} hand N` where that is wrong."
        )
    if isinstance(cards, int):
        return
    if len(set(cards)) < len(cards):
        raise RuleError("The same card is named twice; a deck has each card once (R1.2).")
    for card in cards:
        check_playable(state, seat, card)


def check_playable(state: DungeonTable, seat: str, card: Card) -> None:
    """Raises RuleError where a card of the seat's band cannot be in its hand."""
    name = state.wizard(seat).name
    if card not in COMBAT_CARDS:
        raise RuleError(f"{pretty(card)} is a Monster and never in the combat deck (R1.2).")
    if any(entry.card == card for entry in state.wizard(seat).pile):
        raise RuleError(f"{name}'s {pretty(card)} is committed until the dungeon ends (R1.15).")
    if any((upcard.owner, upcard.card) == (seat, card) for upcard in state.revealed):
        raise RuleError(f"{name}'s {pretty(card)} lies revealed on the table.")


def inscriptions(state: DungeonTable, owner: str, card: Card) -> tuple[str, ...]:
    """The names of the inscriptions on a card, by the seat that brought its band."""
    return state.bands[owner].inscribed.get(card, ())


def cross_out(
    resolution: Resolution,
    seat: str,
    card: Card,
    names: tuple[str, ...],
    what: Literal["faded", "cursed"],
    by: str = "",
) -> None:
    """Take inscriptions off a card for good; `what` is why (`faded`, `cursed`)."""
    band = resolution.state.bands[seat]
    left = tuple(name for name in band.inscribed[card] if name not in names)
    inscribed = {other: on for other, on in band.inscribed.items() if other != card}
    resolution.update_band(seat, inscribed={**inscribed, card: left} if left else inscribed)
    resolution.change(changes=(*resolution.state.changes, *(Change(what, seat, card, name, by) for name in names)))
    resolution.tell(
        f"Cross out {join_words(map(title, names))} on {pretty(card)} of {band.name}.", seat, by_hand=True, lasting=True
    )


def glory(resolution: Resolution, seat: str, amount: int = 1) -> None:
    """Glory for the band that a seat brought (R1.53)."""
    wizard = resolution.state.wizard(seat)
    resolution.update_wizard(seat, glory=wizard.glory + amount)


def known_in_hand(state: DungeonTable, seat: str, inscription: str) -> tuple[Card, ...]:
    """Held cards of a seat that bear an inscription."""
    return tuple(card for card in state.wizard(seat).known_hand if inscription in inscriptions(state, seat, card))


def may_be_in_hand(state: DungeonTable, seat: str, matters: Callable[[Inscription], bool]) -> tuple[Card, ...]:
    """Cards of a seat's band with an inscription that `matters`, and neither committed nor revealed: maybe in hand."""
    effects_by_name = state.book.inscriptions
    bear_it = [
        card
        for card, names in state.bands[seat].inscribed.items()
        if any(matters(effects_by_name[name]) for name in names)
    ]
    if not bear_it:
        return ()
    gone = {entry.card for entry in state.wizard(seat).pile}
    gone |= {upcard.card for upcard in state.revealed if upcard.owner == seat}
    return tuple(card for card in bear_it if card not in gone)
