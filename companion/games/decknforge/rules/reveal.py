"""Steps 1 and 2: reveals, the Patron, Wizard's Will, and Converts declared with them (R1.21, R1.24)."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from companion.games.decknforge.book.inscriptions import counts_as_hero, effects
from companion.games.decknforge.book.ledger import (
    check_playable,
    commit,
    describe_heal,
    draw,
    earn,
    heal,
    may_be_in_hand,
    spend,
)
from companion.games.decknforge.book.state import (
    DungeonStep,
    DungeonTable,
    Resolution,
    Upcard,
    Wizard,
)
from companion.games.decknforge.rules.actions import Patron, Reveal, Will
from companion.games.decknforge.rules.arithmetic import convert_face, face
from companion.games.decknforge.rules.payments import describe_uncounted
from companion.tabletop.action import RuleError
from companion.tabletop.notation.cards import Card, card_title, suit
from companion.tabletop.records import Reason
from templates.languages.messages import Message, Text, all_of, joined, listed, phrase, phrases


def may_convert(state: DungeonTable, upcard: Upcard) -> bool:
    """Return True if a card may Convert: an Item, not a Hero or an Ascended Item (R1.34)."""
    return not counts_as_hero(state, upcard.owner, upcard.card)


def declared_now(state: DungeonTable) -> bool:
    """Return True if Converts are declared in this step: after the Tactics, or at the Reveal (A1.6)."""
    if not state.tracks_all:
        return True
    return (state.step == "reveal") == (state.house.convert_timing == "at-reveal")


def open_converts(state: DungeonTable) -> tuple[Upcard, ...]:
    """Return the revealed cards that may still be declared to Convert now (R1.24a, A1.6)."""
    if not declared_now(state):
        return ()
    return tuple(upcard for upcard in state.revealed if not upcard.declared and may_convert(state, upcard))


def convert_yield(state: DungeonTable, upcard: Upcard, as_suit: str) -> int:
    """Return what a Convert yields (R1.35–R1.39): Spades for the shield, HP, cards, or Coppers, with Echo (R1.I06)."""
    factor = convert_factor(state, upcard)
    if as_suit == "S":
        return shield_spades(state, upcard.controller, upcard) * factor
    if as_suit == "C":
        return 2 * factor
    value = convert_face(state, upcard)
    return (-(-value // 2) if as_suit == "H" else value) * factor


def convert_factor(state: DungeonTable, upcard: Upcard) -> int:
    """Return the factor of a card's Convert (R1.39)."""
    return prod(effect.convert_factor for effect in effects(state, upcard.owner, upcard.card))


def resolve_convert(resolution: Resolution, upcard: Upcard) -> int:
    """Commit a Converted card, then resolve it (R1.34–R1.39). Returns the shield, HP, cards or Coppers."""
    commit(resolution, upcard.owner, (upcard.card,), "convert")
    gain = _gain_coppers(resolution, upcard)
    for effect in effects(resolution.state, upcard.owner, upcard.card):
        effect.on_convert(resolution, upcard.controller, upcard.card)
    return gain


def _gain_coppers(resolution: Resolution, upcard: Upcard) -> int:
    seat, as_suit = upcard.controller, upcard.converts
    uncounted = describe_uncounted(resolution.state, seat)
    amount, factor = convert_yield(resolution.state, upcard, as_suit), convert_factor(resolution.state, upcard)
    card, has_echo = upcard.title, factor > 1
    if as_suit == "S":
        spades = amount // factor
        sum_text = (
            phrases("{card}: {n} Spade ×2 Echo", "{card}: {n} Spades ×2 Echo", n=spades, card=card)
            if has_echo
            else phrases("{card}: {n} Spade", "{card}: {n} Spades", n=spades, card=card)
        )
        return _set_shield(resolution, seat, amount, joined("; ", (sum_text, uncounted)) if uncounted else sum_text)
    if as_suit == "H":
        value = convert_face(resolution.state, upcard)
        why = (
            phrase("{card}: half of {value}, rounded up ×2 Echo", card=card, value=value)
            if has_echo
            else phrase("{card}: half of {value}, rounded up", card=card, value=value)
        )
        healed = heal(resolution, seat, amount, why)
        if not healed:
            wizard = resolution.state.wizard(seat)
            text = phrase(
                "{card} heals nothing: {player} has {hp} HP (R1.36).", card=card, player=wizard.name, hp=wizard.hp
            )
            resolution.tell(text, seat)
        return healed
    if as_suit == "C":
        return draw(resolution, seat, amount, phrase("{card} ×2 Echo", card=card) if has_echo else card)
    return earn(resolution, seat, amount, Reason("convert", (resolution.name(seat), upcard.card, factor)))


def cards_in_order(state: DungeonTable) -> tuple[Upcard, ...]:
    """Return the revealed cards by controller, clockwise from the active wizard: the order of their effects (R1.24)."""
    return tuple(upcard for wizard in state.clockwise() for upcard in state.cards_of(wizard.seat))


def resolve_converts(resolution: Resolution) -> dict[tuple[str, Card], int]:
    """Resolve all declared Converts, in order (R1.24b). Returns what each yields, by owner and card."""
    return {
        (upcard.owner, upcard.card): resolve_convert(resolution, upcard)
        for upcard in cards_in_order(resolution.state)
        if upcard.converts
    }


def convert_gain(state: DungeonTable, upcard: Upcard, as_suit: str) -> int:
    """Return what a Convert yields when damage is resolved, if nothing else is declared: the shield, HP, cards or
    Coppers, within the limits of hand and HP (R1.35–R1.39).
    """
    resolution = Resolution(state)
    resolution.update_card(upcard.owner, upcard.card, converts=as_suit)
    return resolve_converts(resolution)[upcard.owner, upcard.card]


def shield_spades(state: DungeonTable, seat: str, upcard: Upcard) -> int:
    """Return the Spades that a shield counts (R1.35, R1.I20, A1.10).

    These are the wizard's own committed (or Converted) ones by printed suit, unnamed ones as far as entered, and this
    card, whatever its owner and suit.
    """
    causes = (
        ("convert",) if state.house.shield_count == "converted" else ("play", "convert", "tactic", "dodge", "phoenix")
    )
    others = (entry for entry in state.wizard(seat).pile if (seat, entry.card) != (upcard.owner, upcard.card))
    unnamed = state.wizard(seat).unnamed_spades if "tactic" in causes else 0
    return 1 + unnamed + sum(suit(entry.card) == "S" and entry.cause in causes for entry in others)


def _set_shield(resolution: Resolution, seat: str, value: int, why: Text) -> int:
    """Set the shield, unless the present one is larger (A1.10). Returns the resulting shield."""
    wizard = resolution.state.wizard(seat)
    resolution.update_wizard(seat, shield=max(wizard.shield, value))
    text = (
        phrase(
            "{player}'s shield is {shield} ({reason}); the shield of {present} stays.",
            player=wizard.name,
            shield=value,
            reason=why,
            present=wizard.shield,
        )
        if wizard.shield > value
        else phrase("{player}'s shield is {shield} ({reason}).", player=wizard.name, shield=value, reason=why)
    )
    resolution.tell(text, seat)
    return max(wizard.shield, value)


PATRON_HEAL = 5
PATRON_STEAL = 2


def plotters(state: DungeonTable) -> tuple[Wizard, ...]:
    """Return the wizards who must still reveal a card: in the fight, with a hand, and not skipping (R1.20, R1.31)."""
    revealers = {card.owner for card in state.revealed}
    return tuple(
        wizard
        for wizard in state.fighting()
        if wizard.seat not in revealers and not wizard.skips_plot and state.holds(wizard)
    )


class RevealStep(DungeonStep):
    """Steps 1 and 2: every wizard in the fight turns over a card (R1.20, R1.21)."""

    following = "tactics"

    def enter(self, resolution: Resolution) -> None:
        """Announce the wizards who skip the Plot (R1.31)."""
        for wizard in resolution.state.fighting():
            if wizard.skips_plot:
                resolution.tell(phrase("{player} skips the Plot (R1.31).", player=wizard.name), wizard.seat)

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a card, a second card, The Patron's choice or (A1.6) a Convert is still to come.

        If only the fight is tracked, the cards are unknown, and the step waits until the damage is entered.
        """
        choosing = any(wizard.patrons or may_reveal_again(state, wizard) for wizard in state.fighting())
        return not state.tracks_all or choosing or bool(plotters(state) or open_converts(state))

    def default(self, resolution: Resolution) -> None:
        """Decline second cards and let Items attack (A1.6). Raises RuleError if a reveal or a choice is missing."""
        missing = [wizard.name for wizard in plotters(resolution.state)]
        if missing:
            raise RuleError(
                phrases(
                    "{players} must still reveal a card: `reveal SEAT CARD` (R1.21).",
                    "{players} must still reveal a card: `reveal SEAT CARD` (R1.21).",
                    n=len(missing),
                    players=all_of(missing),
                )
            )
        for wizard in resolution.state.fighting():
            if wizard.patrons:
                raise RuleError(
                    phrase(
                        "The Patron of {player} must choose: `patron {seat} heal|steal SEAT` (R1.I24).",
                        player=wizard.name,
                        seat=wizard.seat,
                    )
                )
        resolution.update_everyone(more_reveals=0)


def may_reveal_again(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if a Doublestrike lets a wizard reveal one more card (R1.I12)."""
    return wizard.more_reveals > 0 and state.holds(wizard)


def reveal(resolution: Resolution, action: Reveal) -> None:
    """Turn over a card; its reveal effects apply at once (R1.21)."""
    wizard = resolution.state.wizard(action.seat)
    _check_may_reveal(resolution.state, wizard, action.card)
    worth = _turn_over(resolution, wizard, action.card)
    names = listed(effect.log_title for effect in effects(resolution.state, wizard.seat, action.card))
    text = (
        phrase(
            "{player} reveals {card} ({inscriptions}): {value}.",
            player=wizard.name,
            card=card_title(action.card),
            inscriptions=names,
            value=worth,
        )
        if names
        else phrase("{player} reveals {card}: {value}.", player=wizard.name, card=card_title(action.card), value=worth)
    )
    resolution.tell(text, wizard.seat)


def _turn_over(resolution: Resolution, wizard: Wizard, card: Card) -> int:
    """Put a card of the hand on the table, and apply its reveal effects. Returns its F."""
    again = any(upcard.owner == wizard.seat for upcard in resolution.state.revealed)
    resolution.update_wizard(
        wizard.seat,
        hand=wizard.hand - 1,
        more_reveals=wizard.more_reveals - 1 if again else wizard.more_reveals,
        known_hand=tuple(other for other in wizard.known_hand if other != card),
    )
    upcard = Upcard(wizard.seat, card, wizard.seat)
    resolution.change(revealed=(*resolution.state.revealed, upcard))
    for effect in effects(resolution.state, wizard.seat, card):
        effect.on_reveal(resolution, wizard.seat, card)
    return face(resolution.state, upcard)


def face_once_revealed(state: DungeonTable, seat: str, card: Card) -> int:
    """Return F of a card in hand after its reveal, with its own Banner but not its own Royal Decree (R1.40, R1.I21)."""
    return _turn_over(Resolution(state), state.wizard(seat), card)


def _check_may_reveal(state: DungeonTable, wizard: Wizard, card: Card) -> None:
    name, seat = wizard.name, wizard.seat
    if not wizard.in_fight:
        raise RuleError(
            phrase(
                "{player} is out of this fight (R1.17); use `set {seat} hp N` if that is wrong.", player=name, seat=seat
            )
        )
    if wizard.skips_plot:
        raise RuleError(
            phrase(
                "{player} skips this Plot (R1.31); `set {seat} skips-plot no` lets them play.", player=name, seat=seat
            )
        )
    if any(upcard.owner == seat for upcard in state.revealed) and not wizard.more_reveals:
        raise RuleError(
            phrase("{player} has revealed a card already (R1.20); `undo` takes the last line back.", player=name)
        )
    if not state.holds(wizard):
        raise RuleError(
            phrase("{player}'s hand is empty; use `set {seat} hand N` if that is wrong.", player=name, seat=seat)
        )
    check_playable(state, wizard.seat, card)


def use_patron(resolution: Resolution, action: Patron) -> None:
    """Heal another wizard 5, or steal up to 2c (R1.I24, A1.59)."""
    wizard, other = resolution.state.wizard(action.seat), resolution.state.wizard(action.other)
    if not wizard.patrons:
        raise RuleError(phrase("{player} has not revealed The Patron (R1.I24).", player=wizard.name))
    if why := patron_refusal(wizard, action.choice, other):
        raise RuleError(why)
    if action.choice == "heal":
        heal(resolution, other.seat, PATRON_HEAL, phrase("The Patron of {player}", player=wizard.name))
    else:
        coppers = patron_loot(other)
        spend(resolution, other.seat, coppers, Reason("patron-stole", (wizard.name,)))
        earn(resolution, wizard.seat, coppers, Reason("patron-steals", (other.name,)))
    resolution.update_wizard(wizard.seat, patrons=wizard.patrons - 1)


def patron_refusal(wizard: Wizard, choice: str, other: Wizard) -> Text:
    """Return why The Patron of a wizard may not heal, or steal from, another one, or "" (R1.I24, A1.59)."""
    if other.seat == wizard.seat:
        return phrase("The Patron chooses another wizard (R1.I24).")
    if choice == "heal" and not other.in_fight:
        return phrase("{player} is out of the fight; The Patron heals only wizards in it (A1.59).", player=other.name)
    return ""


def describe_patron(state: DungeonTable, choice: str, other: Wizard) -> Message:
    """Return the result of The Patron for another wizard (R1.I24): `17 → 20 HP`, `4c → 2c`."""
    if choice == "heal":
        return describe_heal(state, other, PATRON_HEAL)
    return phrase("{before}c → {after}c", before=other.purse, after=other.purse - patron_loot(other))


def patron_loot(other: Wizard) -> int:
    """Return the Coppers that The Patron steals from a purse (R1.I24)."""
    return min(PATRON_STEAL, other.purse)


def _will_cards(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return the cards with Wizard's Will that a seat could use: in hand or revealed (A1.39)."""
    on_table = (upcard.card for upcard in state.revealed if upcard.owner == seat)
    swapping = (card for card in on_table if any(effect.swaps for effect in effects(state, seat, card)))
    return (*may_be_in_hand(state, seat, lambda effect: effect.swaps), *swapping)


def will_refusal(state: DungeonTable, wizard: Wizard) -> Text:
    """Return why a wizard may not use Wizard's Will now, or "" (R1.21, R1.I14)."""
    if state.step == "tactics" and any(other.has_acted for other in state.wizards):
        return phrase("Wizard's Will comes before the first Tactic or pass (R1.21).")
    if not wizard.in_fight:
        return phrase("{player} is out of this fight (R1.17).", player=wizard.name)
    if wizard.used_will:
        return phrase("Wizard's Will of {player} has been used in this dungeon (R1.I14).", player=wizard.name)
    if not _will_cards(state, wizard.seat):
        return phrase(
            "Wizard's Will of {player} is on no card that could be in hand or revealed (R1.I14).", player=wizard.name
        )
    return ""


def use_will(resolution: Resolution, action: Will) -> None:
    """Swap the revealed cards of two wizards; it is free, and no Tactic (R1.I14)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if why := will_refusal(state, wizard):
        raise RuleError(why)
    if action.one == action.other:
        raise RuleError(phrase("Wizard's Will swaps the cards of two different wizards (R1.I14)."))
    ones, others = _match_cards(state, action)
    first, second = find_upcard(state, action.one, ones, "card"), find_upcard(state, action.other, others, "card")
    swap(resolution, first, second)
    resolution.update_wizard(action.seat, used_will=True)
    resolution.tell(
        phrase(
            "Wizard's Will of {player}: {one} and {other} swap cards.",
            player=wizard.name,
            one=resolution.name(action.one),
            other=resolution.name(action.other),
        )
    )


def _match_cards(state: DungeonTable, action: Will) -> tuple[Card | None, Card | None]:
    """Assign the named cards to the two wizards, in either order; for a wizard with one card none need be named.

    If neither order fits, the first is returned, so that the error can be reported for it.
    """
    one, other, *_ = (*action.card, None, None)
    readings = ((one, other), (other, one))
    hands = [[card.card for card in state.cards_of(seat)] for seat in (action.one, action.other)]
    fits = (
        pair
        for pair in readings
        if all(card in cards or (card is None and len(cards) < 2) for card, cards in zip(pair, hands, strict=True))
    )
    return next(fits, readings[0])


def find_upcard(
    state: DungeonTable,
    seat: str,
    card: Card | None,
    keyword: str,
    fits: Callable[[Upcard], bool] = lambda _: True,
) -> Upcard:
    """Return the revealed card of a wizard that a line means. Raises RuleError if there is none or it is ambiguous.

    Of two alike, from two bands, it is the one that `fits` and is not yet declared, the wizard's own first.
    """
    cards = state.cards_of(seat)
    name = state.wizard(seat).name
    if not cards:
        raise RuleError(phrase("{player} has no revealed card.", player=name))
    if card is not None:
        cards = tuple(upcard for upcard in cards if upcard.card == card)
        if not cards:
            raise RuleError(phrase("{player} has not revealed {card}.", player=name, card=card_title(card)))
        cards = (min(cards, key=lambda upcard: (not fits(upcard), upcard.declared, upcard.owner != seat)),)
    if len(cards) > 1:
        raise RuleError(
            phrase(
                "{player} has {cards} revealed; say which: `{keyword} CARD`.",
                player=name,
                cards=all_of(upcard.title for upcard in cards),
                keyword=keyword,
            )
        )
    return cards[0]


def swap(resolution: Resolution, one: Upcard, other: Upcard) -> None:
    """Swap the controllers of two revealed cards; owners never change (A1.58)."""
    resolution.update_card(one.owner, one.card, controller=other.controller)
    resolution.update_card(other.owner, other.card, controller=one.controller)
    for seat, upcard in ((other.controller, one), (one.controller, other)):
        now = next(card for card in resolution.state.revealed if (card.owner, card.card) == (upcard.owner, upcard.card))
        text = phrase(
            "{player} now has {card}: {value}.",
            player=resolution.name(seat),
            card=upcard.title,
            value=face(resolution.state, now),
        )
        resolution.tell(text, seat)
