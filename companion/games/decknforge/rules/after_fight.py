"""After the last fight: Fading, Drifting, Turning, and the seal (R1.80–R1.86)."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

from companion.games.decknforge.book.effect import MYTHIC, Inscription
from companion.games.decknforge.book.founding import placement_error, why_not_for_sale, why_useless
from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.ledger import cross_out, spend
from companion.games.decknforge.book.state import (
    COMBAT_CARDS,
    Band,
    CardChange,
    DungeonStep,
    DungeonTable,
    Resolution,
    Wizard,
    count_of,
    join_words,
)
from companion.games.decknforge.rules.actions import Buy, Fade, Heirloom, Memory, Mythic
from companion.games.decknforge.rules.drafting import order_draft, tied_for_lot
from companion.games.decknforge.rules.fight import commit_revealed_cards
from companion.games.decknforge.rules.setup import send_home
from companion.tabletop.action import RuleError
from companion.tabletop.decks.stored_decks import tell_left_out
from companion.tabletop.notation.cards import Card, pretty
from companion.tabletop.records import Reason


def to_draw_from(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return the Blessed cards to shuffle for Fading: all, or with `etched excluded` those that can fade (A1.41)."""
    cards = state.bands[seat].inscribed
    return tuple(card for card in cards if state.house.etched == "blank" or can_fade(state, seat, card))


def can_fade(state: DungeonTable, seat: str, card: Card) -> bool:
    """Return True if no effect on a card keeps it from fading (R1.I22)."""
    return all(effect.fades for effect in effects(state, seat, card))


class FadingStep(DungeonStep):
    """The dungeon's result is settled, and a Blessed card of each band fades (R1.80, R1.81)."""

    def enter(self, resolution: Resolution) -> None:
        """Settle the dungeon; bands with nothing to fade are skipped."""
        commit_revealed_cards(resolution)
        send_home(resolution)
        resolution.change(boss=None, minions=())
        resolution.update_everyone(holds="", has_faded=False)
        _cap_coppers(resolution)
        for wizard in resolution.state.wizards:
            if not to_draw_from(resolution.state, wizard.seat):
                resolution.update_wizard(wizard.seat, has_faded=True)
                retire_if_bare(resolution, wizard.seat)

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a wizard has not drawn, or if a tie in the draft needs a lot."""
        return any(not wizard.has_faded for wizard in state.wizards) or bool(tied_for_lot(state))

    def default(self, resolution: Resolution) -> None:
        """Raise RuleError: cards are drawn by players or, with `fade SEAT`, by the app."""
        late = [wizard for wizard in resolution.state.wizards if not wizard.has_faded]
        if not late:
            tied = join_words(wizard.name for wizard in tied_for_lot(resolution.state))
            raise RuleError(f"{tied} are tied: say who wins the lot, `lots SEAT`; `lots drawn` draws it (A1.44).")
        names, seat = join_words(wizard.name for wizard in late), late[0].seat
        raise RuleError(f"{names} must still draw for Fading: `fade {seat} CARD`, or `fade {seat}`.")

    def leave(self, resolution: Resolution) -> str:
        """Set the draft order (R1.82)."""
        order_draft(resolution)
        return "drifting"


def _cap_coppers(resolution: Resolution) -> None:
    """Turn Coppers above `session-copper-cap` into Glory of the band played (A1.45)."""
    cap = resolution.state.house.session_copper_cap
    if cap is None:
        return
    for wizard in resolution.state.wizards:
        excess = min(wizard.purse, max(0, wizard.earned - cap))
        if excess:
            spend(resolution, wizard.seat, excess, Reason("glory-cap", (cap,)))
            resolution.update_wizard(wizard.seat, glory=wizard.glory + excess)
            resolution.tell(
                f"{wizard.name} earned {wizard.earned}c: {excess} above {cap} become Glory (R1.85).", wizard.seat
            )


def cards_to_draw(state: DungeonTable, wizard: Wizard) -> int:
    """Return the number of cards to draw for Fading: one, or two after a Legend kill, if available (R1.81, R1.55)."""
    legends = any(state.monsters[ref].legend for ref in state.killed_bosses)
    two = legends if state.house.legend_fading == "all-wizards" else wizard.legend_killed
    return min(2 if two else 1, len(to_draw_from(state, wizard.seat)))


def draw_cards(state: DungeonTable, action: Fade, rng: Random) -> Fade:
    """Return a Fading draw with cards drawn by the app if none were named (R1.81, R1.55). If two were drawn and the
    action names one of them, that one fades.
    """
    wizard = state.wizard(action.seat)
    named = action.cards[:1] if len(action.cards) == 1 < len(wizard.fading_draw) else ()
    if named and named[0] in wizard.fading_draw and action.fades in (None, *named):
        return msgspec.structs.replace(action, cards=(), fades=named[0])
    cards = to_draw_from(state, wizard.seat)
    asks = state.house.table_draws and not action.is_drawn
    if action.cards or wizard.fading_draw or not cards or asks:
        return action
    sample = rng.sample(sorted(cards), cards_to_draw(state, wizard))
    return msgspec.structs.replace(action, cards=tuple(sample))


def fade(resolution: Resolution, action: Fade) -> None:
    """Cross out the card that fades; of two drawn, the chosen one (R1.81, R1.55, A1.41)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if wizard.has_faded:
        raise RuleError(f"{wizard.name} has nothing to draw for Fading any more (R1.81).")
    cards = action.cards or wizard.fading_draw
    if not cards and state.house.table_draws:
        due = count_of(cards_to_draw(state, wizard), "Blessed card")
        raise RuleError(f"Say what {wizard.name} drew, {due}; `fade {wizard.seat} drawn` draws for you (R1.81).")
    _check_drawn(state, wizard, cards)
    resolution.change(draws=state.draws + 1)
    resolution.update_wizard(wizard.seat, fading_draw=cards)
    able = tuple(card for card in cards if can_fade(state, wizard.seat, card))
    fades = action.fades or (able[0] if len(able) == 1 else None)
    if fades is not None and fades not in able:
        raise RuleError(
            f"{pretty(fades)} cannot fade here; it is one of {', '.join(map(pretty, able)) or 'none'} (R1.81)."
        )
    if fades is None and able:
        both = join_words(pretty(card) for card in cards)
        resolution.tell(f"{wizard.name} drew {both}: say which fades.", wizard.seat)
        return
    resolution.update_wizard(wizard.seat, has_faded=True)
    if fades is None:
        resolution.tell(f"{wizard.name} drew {join_words(map(pretty, cards))}: Etched, nothing fades.", wizard.seat)
    else:
        cross_out(resolution, wizard.seat, fades, state.bands[wizard.seat].inscribed[fades], "faded")
        retire_if_bare(resolution, wizard.seat)


def _check_drawn(state: DungeonTable, wizard: Wizard, cards: tuple[Card, ...]) -> None:
    if wizard.fading_draw and set(cards) != set(wizard.fading_draw):
        raise RuleError(
            f"{wizard.name} drew {join_words(map(pretty, wizard.fading_draw))}; `undo` takes a wrong draw back."
        )
    bare = [pretty(card) for card in cards if card not in state.bands[wizard.seat].inscribed]
    if bare:
        raise RuleError(f"{join_words(bare)} bears no inscription; Fading draws among the Blessed cards (R1.81).")
    etched = [pretty(card) for card in cards if card not in to_draw_from(state, wizard.seat)]
    if etched:
        raise RuleError(f"{join_words(etched)} is Etched and left out of the draw (A1.41).")
    due = cards_to_draw(state, wizard)
    if len(cards) != due or len(set(cards)) < due:
        raise RuleError(f"{wizard.name} draws {count_of(due, 'Blessed card')} for Fading (R1.81, R1.55).")


def retire_if_bare(resolution: Resolution, seat: str) -> None:
    """Retire a band with 0 Blessed cards left, unless it never had an inscription (R1.81)."""
    band = resolution.state.bands[seat]
    if band.history and not band.inscribed:
        resolution.update_band(seat, retired=True)
        resolution.tell(
            f"{band.name} has no Blessed card left and retires; choose its heirloom: `heirloom {seat} INSCRIPTION`.",
            seat,
        )


class TurningStep(DungeonStep):
    """Inscriptions are bought, placed and carried over, until `seal` (R1.83)."""

    def default(self, resolution: Resolution) -> None:  # noqa: ARG002 – same for every table
        """Raise RuleError: sealing is irreversible, so it has its own word."""
        raise RuleError("When everybody has bought and placed what they want, say `seal`.")


def band_to_inscribe(state: DungeonTable, wizard: Wizard) -> Band | None:
    """Return the band that a wizard holds now, or None if they hold none or one that is yet to be built (A1.43)."""
    band = state.bands.get(wizard.holds)
    return None if band is None or band.retired else band


def _check_holds_band(state: DungeonTable, wizard: Wizard) -> Band:
    if band := band_to_inscribe(state, wizard):
        return band
    if not wizard.holds:
        raise RuleError(f"{wizard.name} holds no band; a retired band's wizard builds a new one (A1.43).")
    raise RuleError(f"{wizard.name} holds a band that is yet to be built; inscribe it as it is built (A1.43).")


def inscription_error(state: DungeonTable, wizard: Wizard, band: Band, card: Card, name: str) -> str:
    """Return why a wizard may not write an inscription onto a card of the band now held, or "" (R1.9, A1.19)."""
    present = band.inscribed.get(card, ())
    return placement_error(name, card, present, state.book, state.house, any_card=wizard.any_card > 0)


def _inscribe(resolution: Resolution, seat: str, card: Card, name: str, what: Literal["bought", "mythic"]) -> None:
    """Write an inscription onto a card of the band now held (R1.9)."""
    state, wizard = resolution.state, resolution.state.wizard(seat)
    band = _check_holds_band(state, wizard)
    if why := inscription_error(state, wizard, band, card, name):
        raise RuleError(f"{why}.")
    inscribed = {**band.inscribed, card: (*band.inscribed.get(card, ()), name)}
    resolution.update_band(wizard.holds, inscribed=inscribed, history=(*band.history, name))
    resolution.change(changes=(*resolution.state.changes, CardChange(what, wizard.holds, card, name, seat)))
    resolution.tell(
        f"{resolution.name(seat)}: stick {state.book.inscription_title(name)} on {pretty(card)} of {band.name}.",
        seat,
        by_hand=True,
        lasting=True,
    )
    if why := why_useless(name, card, state.book):
        resolution.tell(f"{why}.", seat)


def buy(resolution: Resolution, action: Buy) -> None:
    """Buy an inscription for 5, 10 or 20 Coppers; Mythics are not for sale (R1.8, R1.83)."""
    wizard = resolution.state.wizard(action.seat)
    if why := sale_refusal(resolution.state, wizard, action.inscription):
        raise RuleError(why)
    price = resolution.state.book.price(action.inscription) or 0
    _inscribe(resolution, action.seat, action.card, action.inscription, "bought")
    band = resolution.state.bands[wizard.holds]
    spend(resolution, action.seat, price, Reason("inscription", (action.inscription, action.card, band.name)))
    resolution.tell(f"{wizard.name} pays {price}c and keeps {wizard.purse - price}c.", action.seat)


def sale_refusal(state: DungeonTable, wizard: Wizard, name: str) -> str:
    """Return why a wizard may not buy an inscription, whatever the card, or "" (R1.8, R1.83)."""
    price = state.book.price(name)
    if price is None:
        placed = "" if state.book.inscription(name).withdrawn else "; an earned one is placed with `mythic`"
        return f"{why_not_for_sale(state.book, name)} (R1.8){placed}."
    return f"{name} costs {price}c; {wizard.name} has {wizard.purse}c (R1.83)." if price > wizard.purse else ""


def on_sale(state: DungeonTable, wizard: Wizard) -> tuple[Inscription, ...]:
    """Return the inscriptions that a wizard's purse can pay (R1.83)."""
    return tuple(one for name, one in state.book.inscriptions.items() if not sale_refusal(state, wizard, name))


def mythic_refusal(state: DungeonTable, wizard: Wizard, name: str) -> str:
    """Return why a wizard may not place an inscription as an earned Mythic, whatever the card, or "" (R1.83, A1.19)."""
    effect = state.book.inscription(name)
    if effect.tier != MYTHIC:
        return f"{name} is not a Mythic; it is bought with `buy` (R1.83)."
    if effect.withdrawn:
        return f"{name} is given to no card any more; choose another Mythic."
    return "" if wizard.mythics else f"{wizard.name} has no Mythic to place; Legend kills earn them (A1.19)."


def earned_mythics(state: DungeonTable, wizard: Wizard) -> tuple[Inscription, ...]:
    """Return the Mythics if a wizard has earned one that is not placed yet, else () (A1.19)."""
    return tuple(one for name, one in state.book.inscriptions.items() if not mythic_refusal(state, wizard, name))


def place_mythic(resolution: Resolution, action: Mythic) -> None:
    """Place an earned Mythic, free of charge (R1.83, A1.19)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    if why := mythic_refusal(state, wizard, action.inscription):
        raise RuleError(why)
    # A Mythic that may go on any card is used only if the card can bear no other, or if no other is left.
    bound = msgspec.structs.replace(wizard, any_card=0)
    band = _check_holds_band(state, wizard)
    anywhere = wizard.any_card > 0 and (
        wizard.any_card == wizard.mythics
        or inscription_error(state, bound, band, action.card, action.inscription) != ""
    )
    _inscribe(resolution, action.seat, action.card, action.inscription, "mythic")
    resolution.update_wizard(action.seat, mythics=wizard.mythics - 1, any_card=wizard.any_card - anywhere)


def carry_over(resolution: Resolution, action: Memory) -> None:
    """Exchange a card with the same card of the new band, each with its inscriptions (R1.I23, A1.42)."""
    state = resolution.state
    if state.house.towers_memory == "off":
        raise RuleError("No card goes along to another band here: rule towers-memory off (A1.42).")
    wizard = state.wizard(action.seat)
    _check_holds_band(state, wizard)
    old, new = action.seat, wizard.holds
    if old == new:
        raise RuleError(f"{resolution.name(old)} keeps the band; there is nothing to carry over (R1.I23).")
    if action.card not in cards_to_carry_over(state, old):
        raise RuleError(
            f"{pretty(action.card)} of {state.bands[old].name} bore no towers-memory when it drifted (R1.I23, A1.42)."
        )
    went = state.bands[old].inscribed[action.card]
    came = state.bands[new].inscribed.get(action.card, ())
    _replace_card(resolution, old, new, action.card, went, came)
    _replace_card(resolution, new, old, action.card, came, went)
    resolution.tell(
        f"{resolution.name(old)} carries {pretty(action.card)} from {state.bands[old].name} "
        f"to {state.bands[new].name}.",
        old,
        True,
    )


def cards_to_carry_over(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return the cards that may be carried to the band now held (R1.I23), not those carried in or made Mythic now."""
    wizard = state.wizard(seat)
    if wizard.holds == seat or not band_to_inscribe(state, wizard) or state.house.towers_memory == "off":
        return ()
    new = {(change.band, change.card) for change in state.changes if change.what in ("carried-in", "mythic")}
    return tuple(
        card
        for card in state.bands[seat].inscribed
        if (seat, card) not in new and any(effect.drifts for effect in effects(state, seat, card))
    )


def _replace_card(
    resolution: Resolution, seat: str, other: str, card: Card, went: tuple[str, ...], came: tuple[str, ...]
) -> None:
    """Exchange the inscriptions on a card of `seat`'s band with those on the same card of `other`'s band."""
    band = resolution.state.bands[seat]
    rest = {left: names for left, names in band.inscribed.items() if left != card}
    resolution.update_band(seat, inscribed={**rest, card: came} if came else rest, history=(*band.history, *came))
    marks = (
        *(CardChange("carried-off", seat, card, name, other) for name in went),
        *(CardChange("carried-in", seat, card, name, other) for name in came),
    )
    resolution.change(changes=(*resolution.state.changes, *marks))


def choose_heirloom(resolution: Resolution, action: Heirloom) -> None:
    """Choose an inscription of a retired band's history, free for its wizard's next band (R1.81, A1.64)."""
    resolution.state.wizard(action.seat)
    band = resolution.state.bands[action.seat]
    if not band.retired:
        raise RuleError(f"{band.name} has not retired; only a retired band leaves an heirloom (R1.81).")
    if action.inscription not in band.history:
        raise RuleError(
            f"{band.name} never bore {action.inscription}; choose one of {join_words(dict.fromkeys(band.history))}."
        )
    before = resolution.state.wizard(action.seat).heirloom
    resolution.update_wizard(action.seat, heirloom=action.inscription)
    title = resolution.state.book.inscription_title
    instead = f", instead of {title(before)}" if before not in ("", action.inscription) else ""
    resolution.tell(
        f"{resolution.name(action.seat)} keeps {title(action.inscription)} of {band.name} as an heirloom{instead}.",
        action.seat,
    )


def seal(resolution: Resolution) -> str:
    """Seal the game: unplaced Mythics are kept if a card can bear them (§1.12). Returns the last step."""
    for wizard in resolution.state.wizards:
        if wizard.mythics:
            _keep_mythics(resolution, wizard)
    tell_left_out(resolution)
    resolution.tell("Sealed: Glory, dungeons, labels and inscriptions are written into the bands' records.")
    return "sealed"


def _keep_mythics(resolution: Resolution, wizard: Wizard) -> None:
    """Keep a wizard's Mythics for the next game; they lapse if no card of the band now held can bear them (A1.19)."""
    count = count_of(wizard.mythics, "Mythic")
    if has_room(resolution.state, wizard):
        resolution.tell(f"{wizard.name} keeps {count} to place after a later game (§1.12).", wizard.seat)
        return
    band = resolution.state.bands[wizard.holds].name
    resolution.update_wizard(wizard.seat, mythics=0, any_card=0)
    lapse = "lapse" if wizard.mythics > 1 else "lapses"
    resolution.tell(f"No card of {band} can bear a Mythic: {count} of {wizard.name} {lapse} (A1.19).", wizard.seat)


def has_room(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if the band now held has a card for a Mythic (A1.19), or is yet to be built."""
    band = band_to_inscribe(state, wizard)
    return band is None or any(
        not inscription_error(state, wizard, band, card, one.name)
        for card in COMBAT_CARDS
        for one in earned_mythics(state, wizard)
    )
