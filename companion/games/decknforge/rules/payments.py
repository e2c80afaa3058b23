"""Payments out of hands, named or only counted, and questions about unnamed cards.

If a sum depends on unnamed cards, the players are asked once. If only the fight is tracked, neither the committed cards
nor their number are known.
"""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.book.effect import Inscription
from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.ledger import card_count, check_in_hand, check_playable, commit, may_be_in_hand
from companion.games.decknforge.book.state import (
    COMBAT_CARDS,
    Cause,
    DungeonTable,
    Resolution,
    Upcard,
    Wizard,
)
from companion.games.decknforge.rules.actions import Among, Deal, Spades
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.cards import Card, card_title, suit
from templates.languages.messages import Text, all_of, any_of, phrase, phrases

_DAMAGE_STEPS: Final = ("declare", "damage")
_SPADES: Final = frozenset(card for card in COMBAT_CARDS if suit(card) == "S")


def spades_unknown(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if the number of Spades among a wizard's unnamed cards is unknown but counts for a shield (R1.35)."""
    if state.house.shield_count == "converted":
        return False  # Converted cards were revealed, so they are known
    return wizard.spades_open if state.tracks_all else wizard.spades_said != _rounds_so_far(state)


def _rounds_so_far(state: DungeonTable) -> int:
    return state.earlier_rounds + state.round


def open_shields(state: DungeonTable) -> tuple[Upcard, ...]:
    """Return the revealed cards that Convert as ♠ with a shield that cannot be summed up yet."""
    return tuple(
        upcard
        for upcard in state.revealed
        if upcard.converts == "S" and spades_unknown(state, state.wizard(upcard.controller))
    )


def most_spades(state: DungeonTable, wizard: Wizard) -> int:
    """Return the most Spades that can be among the unnamed cards, given their number and the Spades known elsewhere."""
    elsewhere = {entry.card for entry in wizard.pile}
    elsewhere |= {upcard.card for upcard in state.revealed if upcard.owner == wizard.seat}
    left = len(_SPADES - elsewhere)
    return left if wizard.untracked or not state.tracks_all else min(left, wizard.unnamed_cards)


def has_uncounted_cards(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if not even the number of a wizard's unnamed cards is known."""
    return wizard.untracked or not state.tracks_all


def describe_uncounted(state: DungeonTable, seat: str) -> Text:
    """Return that a shield does not count the unnamed cards; "" if they are known."""
    wizard = state.wizard(seat)
    if not spades_unknown(state, wizard):
        return ""
    if has_uncounted_cards(state, wizard):
        return phrase("nobody has said how many of the unnamed cards are Spades")
    return phrases(
        "nobody has said whether the {n} unnamed card is a Spade",
        "nobody has said how many of the {n} unnamed cards are Spades",
        n=wizard.unnamed_cards,
    )


def count_spades(resolution: Resolution, action: Spades) -> None:
    """Record the number of Spades among all unnamed cards of a wizard (R1.35)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    if not spades_unknown(state, wizard) and not wizard.unnamed_cards and not wizard.untracked:
        raise RuleError(
            phrase(
                "{player} has no unnamed committed cards; named ones are counted already (R1.35).",
                player=wizard.name,
            )
        )
    is_uncounted, unnamed = has_uncounted_cards(state, wizard), wizard.unnamed_cards
    if action.count > (most := most_spades(state, wizard)):
        raise RuleError(
            phrase(
                "At most {most} of {player}'s unnamed cards can be Spades (R1.35).",
                player=wizard.name,
                most=most,
            )
            if is_uncounted
            else phrases(
                "At most {most} of the {n} unnamed card of {player} can be a Spade (R1.35).",
                "At most {most} of the {n} unnamed cards of {player} can be Spades (R1.35).",
                n=unnamed,
                player=wizard.name,
                most=most,
            )
        )
    resolution.update_wizard(
        wizard.seat, unnamed_spades=action.count, spades_open=False, spades_said=_rounds_so_far(state)
    )
    spades = phrases("{n} Spade", "{n} Spades", n=action.count)
    text = (
        phrase(
            "{player}: {spades} among the unnamed cards (R1.35).",
            player=wizard.name,
            spades=spades,
        )
        if is_uncounted
        else phrases(
            "{player}: {spades} among the {n} unnamed card (R1.35).",
            "{player}: {spades} among the {n} unnamed cards (R1.35).",
            n=unnamed,
            player=wizard.name,
            spades=spades,
        )
    )
    resolution.tell(text, wizard.seat)


def pay_from_hand(resolution: Resolution, seat: str, cards: tuple[Card, ...] | int, cause: Cause) -> int:
    """Commit cards out of the hand (R1.15), named or only counted. Returns their number. Raises RuleError.

    Cards that are only counted may include any card known to be held.
    """
    check_in_hand(resolution.state, seat, cards)
    wizard, count = resolution.state.wizard(seat), card_count(cards)
    resolution.update_wizard(seat, hand=wizard.hand - count)
    if isinstance(cards, int):
        doubted = _held_that_matter(resolution.state, seat)
        unnamed = wizard.unnamed_cards + cards
        resolution.update_wizard(seat, unnamed_cards=unnamed, spades_open=True, doubted=doubted)
    else:
        commit(resolution, seat, cards, cause)
    return count


def _held_that_matter(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return held cards that have an effect while they are held: Royal Decree, Thorns, Phoenix."""
    held = state.wizard(seat).known_hand
    return tuple(card for card in held if any(map(_acts_in_hand, effects(state, seat, card))))


def _acts_in_hand(effect: Inscription) -> bool:
    return effect.hand_face > 0 or effect.thorns > 0 or effect.rescues


def doubtful_cards(state: DungeonTable, wizard: Wizard) -> tuple[Card, ...]:
    """Return cards that count as held although they may be among those paid unnamed."""
    return tuple(card for card in wizard.doubted if card in wizard.known_hand) if state.tracks_all else ()


def cards_that_act(state: DungeonTable, wizard: Wizard) -> tuple[Card, ...]:
    """Return cards with an effect on a dodge, such as a Sturdy one, that may be part of an unnamed dodge (R1.I02)."""
    if not wizard.unnamed_dodge or not state.tracks_all:
        return ()
    return may_be_in_hand(state, wizard.seat, lambda effect: effect.acts_on_dodge)


def name_among(resolution: Resolution, action: Among) -> None:
    """Name committed cards that were unnamed; their effects on a dodge apply now (R1.I02)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    count = len(action.cards)
    if not cards_that_act(state, wizard) and not doubtful_cards(state, wizard):
        raise RuleError(
            phrase(
                "{player}'s unnamed cards need no names: no effect of theirs counts. `spades` counts Spades (R1.35).",
                player=wizard.name,
            )
        )
    if count > wizard.unnamed_cards:
        raise RuleError(
            phrases(
                "{player} has {n} card committed that nobody named; `undo` takes the last line back.",
                "{player} has {n} cards committed that nobody named; `undo` takes the last line back.",
                n=wizard.unnamed_cards,
                player=wizard.name,
            )
        )
    if len(set(action.cards)) < count:
        raise RuleError(phrase("The same card is named twice; a deck has each card once (R1.2)."))
    for card in action.cards:
        check_playable(state, wizard.seat, card)
    acting = [card for card in action.cards if card in cards_that_act(state, wizard)]
    if len(acting) > wizard.unnamed_dodge:
        raise RuleError(
            phrases(
                "{player} dodged with {n} unnamed card, not {cards}.",
                "{player} dodged with {n} unnamed cards, not {cards}.",
                n=wizard.unnamed_dodge,
                player=wizard.name,
                cards=len(acting),
            )
        )
    dodges = wizard.unnamed_dodge > 0
    commit(resolution, wizard.seat, action.cards, "dodge" if dodges else "tactic")
    left = wizard.unnamed_cards - count
    spades = 0 if wizard.spades_open else sum(card in _SPADES for card in action.cards)
    resolution.update_wizard(
        wizard.seat,
        unnamed_cards=left,
        unnamed_spades=min(left, max(0, wizard.unnamed_spades - spades)),
        spades_open=wizard.spades_open and left > 0,
        unnamed_dodge=0,
        doubted=wizard.doubted if left else (),
    )
    text = (
        phrase("{player}'s unnamed cards: {cards}.", player=wizard.name, cards=all_of(map(card_title, action.cards)))
        if action.cards
        else phrase("{player}'s unnamed cards: none of them has an effect when it dodges.", player=wizard.name)
    )
    resolution.tell(text, wizard.seat)
    for card in acting:
        for effect in effects(state, wizard.seat, card):
            effect.on_dodge(resolution, wizard.seat, card)


def why_not_asked(state: DungeonTable, action: type[Action]) -> Text:
    """Return why a line about a late hand or unnamed cards applies to no wizard; "" if it applies to one."""
    wizards = state.wizards
    if action is Deal and not any(wizard.deal_open for wizard in wizards):
        return phrase("Everybody who came late has said how many cards they begin with (R1.4).")
    if action is Spades and state.tracks_all and not any(each.unnamed_cards or each.untracked for each in wizards):
        return phrase("All committed cards are named, and their Spades counted (R1.35).")
    if action is Among and not any(cards_that_act(state, each) or doubtful_cards(state, each) for each in wizards):
        return phrase("The unnamed cards need no names, as no effect of theirs counts; `spades` counts Spades (R1.35).")
    return ""


def open_question(state: DungeonTable) -> Text:
    """Describe the first open question about unnamed cards; "" if there is none."""
    shields = {upcard.controller for upcard in open_shields(state)} if state.step in _DAMAGE_STEPS else set()
    for wizard in state.clockwise():
        if wizard.seat in shields or doubtful_cards(state, wizard) or cards_that_act(state, wizard):
            return phrase("{player} may say what the unnamed cards are", player=wizard.name)
    return ""


def leave_open(resolution: Resolution) -> None:
    """Drop the questions about unnamed cards as a round ends, and report what remains unknown."""
    for wizard in resolution.state.wizards:
        if cards := cards_that_act(resolution.state, wizard):
            text = phrase(
                "Nobody said whether {player} dodged with {cards}: nothing is counted.",
                player=wizard.name,
                cards=any_of(map(card_title, cards)),
            )
            resolution.tell(text, wizard.seat)
        if cards := doubtful_cards(resolution.state, wizard):
            text = phrase(
                "Nobody said whether {player} still holds {cards}: it counts as held.",
                player=wizard.name,
                cards=all_of(map(card_title, cards)),
            )
            resolution.tell(text, wizard.seat)
    resolution.update_everyone(unnamed_dodge=0, doubted=())
