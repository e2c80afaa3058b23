"""The basic operations of all effects, with their limits: draw, heal, wound, earn, commit."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Literal

from companion.games.decknforge.book.effect import Inscription
from companion.games.decknforge.book.state import (
    COMBAT_CARDS,
    CardChange,
    Cause,
    CommittedCard,
    DungeonTable,
    Resolution,
    Wizard,
)
from companion.games.decknforge.glossary import GLOSSARY
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card, card_title
from companion.tabletop.records import Reason
from templates.languages.messages import Message, Text, all_of, phrase, phrases


def draw(resolution: Resolution, seat: str, count: int, why: Text, up_to: int | None = None) -> int:
    """Draw cards from the wizard's combat deck at once (R1.32), until the hand holds `up_to`. Returns the number."""
    wizard = resolution.state.wizard(seat)
    state = resolution.state
    limit = state.hand_limit if state.house.hand_cap == "always" else up_to
    if not state.counts(seat, "hand"):
        text = (
            phrase("{player} draws {cards} at most ({reason}).", player=wizard.name, cards=count, reason=why)
            if limit is not None and count >= limit
            else phrase("{player} draws {cards} ({reason}).", player=wizard.name, cards=count, reason=why)
        )
        resolution.tell(text, seat, by_hand=True)
        return count
    room = count if limit is None else min(count, max(0, limit - wizard.hand))
    count_drawn = min(room, wizard.deck) if state.counts(seat, "deck") else room
    if count_drawn:
        resolution.update_wizard(seat, hand=wizard.hand + count_drawn, deck=wizard.deck - count_drawn)
        text = phrase("{player} draws {cards} ({reason}).", player=wizard.name, cards=count_drawn, reason=why)
        resolution.tell(text, seat, by_hand=True)
    if count_drawn < room:
        resolution.tell(
            phrase(
                "{player}'s deck is empty: {cards} fewer drawn ({reason}).",
                player=wizard.name,
                cards=room - count_drawn,
                reason=why,
            ),
            seat,
        )
    return count_drawn


def fill_hand(resolution: Resolution, seat: str, why: Text) -> None:
    """Draw until the hand is full (R1.14, R1.62)."""
    limit = resolution.state.hand_limit
    draw(resolution, seat, limit, why, up_to=limit)


def hp_healed(state: DungeonTable, wizard: Wizard, amount: int) -> int:
    """Return the HP that a heal gives: not above the full HP (R1.36), except with `overheal` (A1.11)."""
    return amount if state.house.overheal else max(0, min(amount, state.full_hp - wizard.hp))


def describe_heal(state: DungeonTable, wizard: Wizard, amount: int) -> Message:
    """Return a wizard's HP before and after a heal: `17 → 20 HP`."""
    return phrase("{before} → {after} HP", before=wizard.hp, after=wizard.hp + hp_healed(state, wizard, amount))


def heal(resolution: Resolution, seat: str, amount: int, why: Text) -> int:
    """Heal a wizard within the limit of R1.36. Returns the HP healed."""
    wizard = resolution.state.wizard(seat)
    healed = hp_healed(resolution.state, wizard, amount)
    resolution.update_wizard(seat, hp=wizard.hp + healed)
    if healed:
        resolution.tell(
            phrase(
                "{player} heals {healed} to {hp} ({reason}).",
                player=wizard.name,
                healed=healed,
                hp=wizard.hp + healed,
                reason=why,
            ),
            seat,
        )
    return healed


def earn(resolution: Resolution, seat: str, coppers: int, why: Reason) -> int:
    """Add earned Coppers to the purse (R1.80), unless the player has left (A1.72). Returns the number added."""
    wizard = resolution.state.wizard(seat)
    if not resolution.state.may_take(seat):
        resolution.tell(phrase("{player} has left and takes no Coppers (A1.72).", player=wizard.name), seat)
        return 0
    entry = ((coppers, why),) if coppers else ()
    resolution.update_wizard(
        seat, purse=wizard.purse + coppers, earned=wizard.earned + coppers, ledger=(*wizard.ledger, *entry)
    )
    # Translators: "c" is short for Coppers, the money of DecknForge.
    text = phrase("{player} {coppers}c: {reason}.", player=wizard.name, coppers=coppers, reason=GLOSSARY.reason(why))
    resolution.tell(text, seat)
    return coppers


def spend(resolution: Resolution, seat: str, coppers: int, why: Reason) -> None:
    """Take Coppers out of the purse (R1.80); earned Coppers stay earned. The caller checks that there are enough."""
    wizard = resolution.state.wizard(seat)
    entry = ((-coppers, why),) if coppers else ()
    resolution.update_wizard(seat, purse=wizard.purse - coppers, ledger=(*wizard.ledger, *entry))


def wound_damage(wizard: Wizard, amount: int) -> int:
    """Return the damage of an attack that the shield does not stop (R1.44)."""
    return max(0, amount - wizard.shield)


def wound(resolution: Resolution, seat: str, amount: int, why: Text) -> int:
    """Damage a wizard, less the shield (R1.44). Returns the damage taken. Wizards at 0 HP fall in `fall`.

    With `shield-mode pool` the shield is reduced by the damage it stops (A1.10).
    """
    wizard = resolution.state.wizard(seat)
    damage = wound_damage(wizard, amount)
    left = max(0, wizard.hp - damage)
    stops = 0 if resolution.state.house.shield_mode == "flat" else amount - damage
    resolution.update_wizard(seat, hp=left, shield=wizard.shield - stops)
    name, before = wizard.name, wizard.hp
    text = (
        phrase(
            "{player} takes {damage} ({amount} {cause} − {shield} shield): {before} → {after} HP.",
            player=name,
            damage=damage,
            amount=amount,
            cause=why,
            shield=wizard.shield,
            before=before,
            after=left,
        )
        if wizard.shield
        else phrase(
            "{player} takes {damage} ({amount} {cause}): {before} → {after} HP.",
            player=name,
            damage=damage,
            amount=amount,
            cause=why,
            before=before,
            after=left,
        )
    )
    resolution.tell(text, seat)
    return damage


def lose_hp(resolution: Resolution, ref: Ref, damage: int) -> None:
    """Take HP from a Boss or Minion; HP below 0 is overkill and displayed as 0 (A1.51)."""
    foe = next(foe for foe in resolution.state.foes() if foe.ref == ref)
    resolution.update_foe(ref, hp=max(0, foe.hp - damage), lost_hp=foe.lost_hp + damage)


def remove_minions(resolution: Resolution, refs: Container[Ref]) -> None:
    """Take Minions off the table (R1.14, R1.62): cards no longer aim at them, and answers to their attacks lapse."""
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


def card_count(cards: tuple[Card, ...] | int) -> int:
    """Return the number of cards paid, whether they are named or only counted."""
    return cards if isinstance(cards, int) else len(cards)


def check_in_hand(state: DungeonTable, seat: str, cards: tuple[Card, ...] | int) -> None:
    """Raise RuleError if these cards cannot all be in that hand now."""
    wizard, count = state.wizard(seat), card_count(cards)
    if not state.holds(wizard, count):
        raise RuleError(
            phrases(
                "{player} has {n} card in hand, not {number}; use `set {seat} hand N` if that is wrong.",
                "{player} has {n} cards in hand, not {number}; use `set {seat} hand N` if that is wrong.",
                n=wizard.hand,
                player=wizard.name,
                number=count,
                seat=seat,
            )
        )
    if isinstance(cards, int):
        return
    if len(set(cards)) < len(cards):
        raise RuleError(phrase("The same card is named twice; a deck has each card once (R1.2)."))
    for card in cards:
        check_playable(state, seat, card)


def cards_out_of_hand(state: DungeonTable, seat: str) -> frozenset[Card]:
    """Return the cards of a seat's band that cannot be in its hand: committed (R1.15), or revealed on the table."""
    pile = (entry.card for entry in state.wizard(seat).pile)
    return frozenset((*pile, *(upcard.card for upcard in state.revealed if upcard.owner == seat)))


def check_playable(state: DungeonTable, seat: str, card: Card) -> None:
    """Raise RuleError if a card of the seat's band cannot be in its hand."""
    wizard = state.wizard(seat)
    if card not in COMBAT_CARDS:
        raise RuleError(phrase("{card} is a Monster and never in the combat deck (R1.2).", card=card_title(card)))
    for entry in wizard.pile:
        if entry.card == card:
            raise RuleError(
                phrase(
                    "{player}'s {card} is committed until the dungeon ends (R1.15).",
                    player=wizard.name,
                    card=card_title(card),
                )
            )
    for upcard in state.revealed:
        if upcard.card == card and upcard.owner == seat:
            raise RuleError(
                phrase("{player}'s {card} lies revealed on the table.", player=wizard.name, card=card_title(card))
            )


def inscriptions_on(state: DungeonTable, owner: str, card: Card) -> tuple[str, ...]:
    """Return the names of the inscriptions on a card; `owner` is the seat that brought its band."""
    return state.bands[owner].inscribed.get(card, ())


def cross_out(
    resolution: Resolution,
    seat: str,
    card: Card,
    names: tuple[str, ...],
    what: Literal["faded", "cursed"],
    by: str = "",
) -> None:
    """Cross out inscriptions on a card for good; `what` is the cause."""
    band = resolution.state.bands[seat]
    left = tuple(name for name in band.inscribed[card] if name not in names)
    inscribed = {other: on for other, on in band.inscribed.items() if other != card}
    resolution.update_band(seat, inscribed={**inscribed, card: left} if left else inscribed)
    resolution.change(changes=(*resolution.state.changes, *(CardChange(what, seat, card, name, by) for name in names)))
    titles = all_of(map(resolution.state.book.inscription_title, names))
    resolution.tell(
        phrase(
            "Cross out {inscriptions} on {card} of {band}.", inscriptions=titles, card=card_title(card), band=band.title
        ),
        seat,
        by_hand=True,
        lasting=True,
    )


def earn_glory(resolution: Resolution, seat: str, amount: int = 1) -> None:
    """Add Glory to the band that a seat brought (R1.53)."""
    wizard = resolution.state.wizard(seat)
    resolution.update_wizard(seat, glory=wizard.glory + amount)


def known_in_hand(state: DungeonTable, seat: str, matters: Callable[[Inscription], bool]) -> tuple[Card, ...]:
    """Return the held cards of a seat that bear an inscription that `matters`."""
    effects, held = state.book.inscriptions, state.wizard(seat).known_hand
    return tuple(card for card in held if any(matters(effects[name]) for name in inscriptions_on(state, seat, card)))


def may_be_in_hand(state: DungeonTable, seat: str, matters: Callable[[Inscription], bool]) -> tuple[Card, ...]:
    """Return the cards of a seat's band with an inscription that `matters` and neither committed nor revealed."""
    effects, inscribed = state.book.inscriptions, state.bands[seat].inscribed
    bear_it = [card for card, names in inscribed.items() if any(matters(effects[name]) for name in names)]
    out_of_hand = cards_out_of_hand(state, seat) if bear_it else ()
    return tuple(card for card in bear_it if card not in out_of_hand)
