"""Payments out of hands, named or only counted, and questions about the cards that nobody named.

Where a sum needs that, the table is asked once. Where only the fight is tracked, nobody says which cards are committed,
nor how many.
"""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.actions import Among, Deal, Spades
from companion.games.decknforge.effect import Inscription
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.ledger import card_count, check_in_hand, check_playable, commit, may_be_in_hand
from companion.games.decknforge.state import (
    COMBAT_CARDS,
    Cause,
    DungeonTable,
    Resolution,
    Upcard,
    Wizard,
    count_of,
    join_words,
)
from companion.tabletop.action import Action, RuleError
from companion.tabletop.cards import Card, pretty, suit

_DAMAGE_STEPS: Final = ("declare", "damage")
_SPADES: Final = frozenset(card for card in COMBAT_CARDS if suit(card) == "S")


def spades_unknown(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True where nobody has said how many of a wizard's unnamed cards are Spades, and a shield counts them
    (R1.35).
    """
    if state.house.shield_count == "converted":
        return False  # what is Converted was revealed, and so is known
    return wizard.spades_open if state.tracks_all else wizard.spades_said != _rounds(state)


def _rounds(state: DungeonTable) -> int:
    return state.earlier_rounds + state.round


def open_shields(state: DungeonTable) -> tuple[Upcard, ...]:
    """The revealed cards that Convert as ♠ and whose shield nobody can sum up yet."""
    return tuple(
        upcard
        for upcard in state.revealed
        if upcard.converts == "S" and spades_unknown(state, state.wizard(upcard.controller))
    )


def most_spades(state: DungeonTable, wizard: Wizard) -> int:
    """Return the most Spades that can lie unnamed: no more than there are cards, nor any that lies elsewhere."""
    elsewhere = {entry.card for entry in wizard.pile}
    elsewhere |= {upcard.card for upcard in state.revealed if upcard.owner == wizard.seat}
    left = len(_SPADES - elsewhere)
    return left if wizard.untracked or not state.tracks_all else min(left, wizard.unnamed_cards)


def describe_unnamed(state: DungeonTable, wizard: Wizard) -> str:
    """`2 unnamed cards`; where nobody counted them, what was committed untracked."""
    if wizard.untracked or not state.tracks_all:
        return "cards that nobody named"
    return count_of(wizard.unnamed_cards, "unnamed card")


def describe_uncounted(state: DungeonTable, seat: str) -> str:
    """Say that a shield does not count the unnamed cards; "" where nothing of them is unknown."""
    wizard = state.wizard(seat)
    if not spades_unknown(state, wizard):
        return ""
    return f"; of the {describe_unnamed(state, wizard)} nobody said how many are Spades"


def count_spades(resolution: Resolution, action: Spades) -> None:
    """Note the number of Spades among all unnamed cards of a wizard (R1.35)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    if not spades_unknown(state, wizard) and not wizard.unnamed_cards and not wizard.untracked:
        raise RuleError(
            f"No card of {wizard.name}'s lies committed that nobody named; those named are counted (R1.35)."
        )
    if action.count > (most := most_spades(state, wizard)):
        cards = describe_unnamed(state, wizard)
        raise RuleError(f"Of the {cards} of {wizard.name} at most {most} can be Spades (R1.35).")
    resolution.update_wizard(wizard.seat, unnamed_spades=action.count, spades_open=False, spades_said=_rounds(state))
    cards = describe_unnamed(state, wizard)
    resolution.tell(f"{wizard.name}: {count_of(action.count, 'Spade')} among the {cards} (R1.35).", wizard.seat)


def pay_from_hand(resolution: Resolution, seat: str, cards: tuple[Card, ...] | int, cause: Cause) -> int:
    """Commit cards out of the hand (R1.15), named or only counted; gives how many. Raises RuleError.

    Of what is only counted, any card that was known to be held may be a part.
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
    """Held cards that act as long as they are held: Royal Decree, Thorns, Phoenix."""
    held = state.wizard(seat).known_hand
    return tuple(card for card in held if any(map(_acts_in_hand, effects(state, seat, card))))


def _acts_in_hand(effect: Inscription) -> bool:
    return effect.hand_face > 0 or effect.thorns > 0 or effect.rescues


def doubtful_cards(state: DungeonTable, wizard: Wizard) -> tuple[Card, ...]:
    """Cards that count as held though they may be among those that were paid unnamed."""
    return tuple(card for card in wizard.doubted if card in wizard.known_hand) if state.tracks_all else ()


def cards_that_act(state: DungeonTable, wizard: Wizard) -> tuple[Card, ...]:
    """Cards that act as they dodge, such as a Sturdy one, and may be among those of an unnamed dodge (R1.I02)."""
    if not wizard.unnamed_dodge or not state.tracks_all:
        return ()
    return may_be_in_hand(state, wizard.seat, lambda effect: effect.acts_on_dodge)


def name_among(resolution: Resolution, action: Among) -> None:
    """Name committed cards that nobody had named; what acts as it dodges does so now (R1.I02)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    count = len(action.cards)
    if not cards_that_act(state, wizard) and not doubtful_cards(state, wizard):
        raise RuleError(
            f"Nothing needs to know what {wizard.name}'s unnamed cards are; `spades` counts Spades (R1.35)."
        )
    if count > wizard.unnamed_cards:
        lie = count_of(wizard.unnamed_cards, "card")
        raise RuleError(f"{wizard.name} has {lie} committed that nobody named; `undo` takes the last line back.")
    if len(set(action.cards)) < count:
        raise RuleError("The same card is named twice; a deck has each card once (R1.2).")
    for card in action.cards:
        check_playable(state, wizard.seat, card)
    acting = [card for card in action.cards if card in cards_that_act(state, wizard)]
    if len(acting) > wizard.unnamed_dodge:
        dodged = count_of(wizard.unnamed_dodge, "unnamed card")
        raise RuleError(f"{wizard.name} dodged with {dodged}, not {len(acting)}.")
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
    what = join_words(map(pretty, action.cards)) if action.cards else "none that acts as it dodges"
    resolution.tell(f"{wizard.name}'s unnamed cards: {what}.", wizard.seat)
    for card in acting:
        for effect in effects(state, wizard.seat, card):
            effect.on_dodge(resolution, wizard.seat, card)


def why_not_asked(state: DungeonTable, action: type[Action]) -> str:
    """Say why no wizard can be meant by a line about a late hand or unnamed cards; "" where one can."""
    wizards = state.wizards
    if action is Deal and not any(wizard.deal_open for wizard in wizards):
        return "Nobody who came late has yet to say with how many cards they begin (R1.4)."
    if action is Spades and state.tracks_all and not any(each.unnamed_cards or each.untracked for each in wizards):
        return "All committed cards are named, and their Spades counted (R1.35)."
    if action is Among and not any(cards_that_act(state, each) or doubtful_cards(state, each) for each in wizards):
        return "Nothing needs to know what the unnamed cards are; `spades` counts Spades (R1.35)."
    return ""


def open_question(state: DungeonTable) -> str:
    """Describe the first open question about unnamed cards; "" where there is none."""
    shields = {upcard.controller for upcard in open_shields(state)} if state.step in _DAMAGE_STEPS else set()
    for wizard in state.clockwise():
        if wizard.seat in shields or doubtful_cards(state, wizard) or cards_that_act(state, wizard):
            return f"{wizard.name} may say what the unnamed cards are"
    return ""


def leave_open(resolution: Resolution) -> None:
    """A round ends, and with it what was asked of its unnamed cards; say what stays unknown."""
    for wizard in resolution.state.wizards:
        if cards := cards_that_act(resolution.state, wizard):
            named = " or ".join(map(pretty, cards))
            resolution.tell(f"Nobody said whether {wizard.name} dodged with {named}: nothing is counted.", wizard.seat)
        if cards := doubtful_cards(resolution.state, wizard):
            named = join_words(map(pretty, cards))
            resolution.tell(f"Nobody said whether {wizard.name} still holds {named}: it counts as held.", wizard.seat)
    resolution.update_everyone(unnamed_dodge=0, doubted=())
