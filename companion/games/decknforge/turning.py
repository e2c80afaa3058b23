"""Turning: what is bought, placed, carried over and kept, and the seal (R1.83–R1.86)."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.decknforge.actions import Buy, Heirloom, Memory, Mythic
from companion.games.decknforge.effect import MYTHIC, Inscription, title
from companion.games.decknforge.founding import misplaced, useless
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.ledger import spend
from companion.games.decknforge.state import (
    COMBAT_CARDS,
    Band,
    Change,
    DungeonStep,
    DungeonTable,
    Resolution,
    Wizard,
    join_words,
)
from companion.tabletop.action import RuleError
from companion.tabletop.cards import Card, pretty
from companion.tabletop.records import Reason


class TurningStep(DungeonStep):
    """What is bought, placed and carried over, until somebody says `seal` (R1.83)."""

    title = "Turning"

    def default(self, resolution: Resolution) -> None:  # noqa: ARG002 – sealing is for ever, so it is said aloud
        """There is none: sealing is for ever, so it is said in its own word."""
        raise RuleError("When everybody has bought and placed what they want, say `seal`.")


def band_to_inscribe(state: DungeonTable, wizard: Wizard) -> Band | None:
    """The band that a wizard holds now; None where they hold none, or one that is yet to be built (A1.43)."""
    band = state.bands.get(wizard.holds)
    return None if band is None or band.retired else band


def _check_holds_band(state: DungeonTable, wizard: Wizard) -> Band:
    if band := band_to_inscribe(state, wizard):
        return band
    if not wizard.holds:
        raise RuleError(f"{wizard.name} holds no band; a retired band's wizard founds a new one (A1.43).")
    raise RuleError(f"{wizard.name} holds a band that is yet to be built; inscribe it as it is founded (A1.43).")


def misfit(state: DungeonTable, wizard: Wizard, band: Band, card: Card, name: str) -> str:
    """Why a wizard may not write an inscription onto a card of the band now held, or "" (R1.9, A1.19)."""
    present = band.inscribed.get(card, ())
    return misplaced(name, card, present, state.book, state.house, any_card=wizard.any_card > 0)


def _inscribe(resolution: Resolution, seat: str, card: Card, name: str, what: Literal["bought", "mythic"]) -> None:
    """Write an inscription onto a card of the band now held (R1.9)."""
    state, wizard = resolution.state, resolution.state.wizard(seat)
    band = _check_holds_band(state, wizard)
    if why := misfit(state, wizard, band, card, name):
        raise RuleError(f"{why}.")
    inscribed = {**band.inscribed, card: (*band.inscribed.get(card, ()), name)}
    resolution.update_band(wizard.holds, inscribed=inscribed, history=(*band.history, name))
    resolution.change(changes=(*resolution.state.changes, Change(what, wizard.holds, card, name, seat)))
    resolution.tell(
        f"{resolution.name(seat)}: stick {title(name)} on {pretty(card)} of {band.name}.",
        seat,
        by_hand=True,
        lasting=True,
    )
    if why := useless(name, card, state.book):
        resolution.tell(f"{why}.", seat)


def buy(resolution: Resolution, action: Buy) -> None:
    """5, 10 or 20 Coppers; Mythics are not for sale (R1.8, R1.83)."""
    wizard = resolution.state.wizard(action.seat)
    if why := sale_refusal(resolution.state, wizard, action.inscription):
        raise RuleError(why)
    price = resolution.state.book.price(action.inscription) or 0
    _inscribe(resolution, action.seat, action.card, action.inscription, "bought")
    band = resolution.state.bands[wizard.holds]
    spend(resolution, action.seat, price, Reason("inscription", (action.inscription, action.card, band.name)))
    resolution.tell(f"{wizard.name} pays {price}c and keeps {wizard.purse - price}c.", action.seat)


def sale_refusal(state: DungeonTable, wizard: Wizard, name: str) -> str:
    """Why a wizard may not buy an inscription, whatever the card, or "" (R1.8, R1.83)."""
    price = state.book.price(name)
    if price is None:
        return f"{name} is Mythic and not for sale (R1.8); an earned one is placed with `mythic`."
    return f"{name} costs {price}c; {wizard.name} has {wizard.purse}c (R1.83)." if price > wizard.purse else ""


def on_sale(state: DungeonTable, wizard: Wizard) -> tuple[Inscription, ...]:
    """What a wizard's purse can pay (R1.83)."""
    return tuple(one for name, one in state.book.inscriptions.items() if not sale_refusal(state, wizard, name))


def mythic_refusal(state: DungeonTable, wizard: Wizard, name: str) -> str:
    """Why a wizard may not place an inscription as an earned Mythic, whatever the card, or "" (R1.83, A1.19)."""
    if state.book.inscription(name).tier != MYTHIC:
        return f"{name} is not a Mythic; it is bought with `buy` (R1.83)."
    return "" if wizard.mythics else f"{wizard.name} has no Mythic to place; Legend kills earn them (A1.19)."


def earned_mythics(state: DungeonTable, wizard: Wizard) -> tuple[Inscription, ...]:
    """The Mythics, where a wizard has earned one that is not placed yet (A1.19)."""
    return tuple(one for name, one in state.book.inscriptions.items() if not mythic_refusal(state, wizard, name))


def mythic(resolution: Resolution, action: Mythic) -> None:
    """Place an earned Mythic, for nothing (R1.83, A1.19)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    if why := mythic_refusal(state, wizard, action.inscription):
        raise RuleError(why)
    # One that may go on any card is used up on a card that bears no other, or where no other is left.
    bound = msgspec.structs.replace(wizard, any_card=0)
    band = _check_holds_band(state, wizard)
    anywhere = wizard.any_card > 0 and (
        wizard.any_card == wizard.mythics or misfit(state, bound, band, action.card, action.inscription) != ""
    )
    _inscribe(resolution, action.seat, action.card, action.inscription, "mythic")
    resolution.update_wizard(action.seat, mythics=wizard.mythics - 1, any_card=wizard.any_card - anywhere)


def memory(resolution: Resolution, action: Memory) -> None:
    """Exchange a card with its like of the new band, each with its inscriptions (R1.I23, A1.42)."""
    state = resolution.state
    if state.house.towers_memory == "off":
        raise RuleError("No card goes along to another band here: rule towers-memory off (A1.42).")
    wizard = state.wizard(action.seat)
    _check_holds_band(state, wizard)
    old, new = action.seat, wizard.holds
    if old == new:
        raise RuleError(f"{resolution.name(old)} keeps the band; there is nothing to carry over (R1.I23).")
    if action.card not in remembered(state, old):
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


def remembered(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """The cards that a wizard may carry to the band now held; not what this Turning's exchanges and Mythics brought."""
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
    """Note of the band that `seat` brought what went to, and came from, the one that `other` brought."""
    band = resolution.state.bands[seat]
    rest = {left: names for left, names in band.inscribed.items() if left != card}
    resolution.update_band(seat, inscribed={**rest, card: came} if came else rest, history=(*band.history, *came))
    marks = (
        *(Change("carried-off", seat, card, name, other) for name in went),
        *(Change("carried-in", seat, card, name, other) for name in came),
    )
    resolution.change(changes=(*resolution.state.changes, *marks))


def heirloom(resolution: Resolution, action: Heirloom) -> None:
    """One inscription of a retired band's history, free for its wizard's next band (R1.81, A1.64)."""
    resolution.state.wizard(action.seat)
    band = resolution.state.bands[action.seat]
    if not band.retired:
        raise RuleError(f"{band.name} has not retired; only a retired band leaves an heirloom (R1.81).")
    if action.inscription not in band.history:
        raise RuleError(
            f"{band.name} never bore {action.inscription}; choose one of {join_words(dict.fromkeys(band.history))}."
        )
    resolution.update_wizard(action.seat, heirloom=action.inscription)
    resolution.tell(
        f"{resolution.name(action.seat)} keeps {title(action.inscription)} of {band.name} as an heirloom.", action.seat
    )


def seal(resolution: Resolution) -> str:
    """Commit the game to the records of its bands; gives the last step. Mythics not placed yet are kept (§1.12)."""
    for wizard in resolution.state.wizards:
        if wizard.mythics:
            _keep_mythics(resolution, wizard)
    resolution.tell("Sealed: Glory, dungeons, labels and inscriptions are written into the bands' records.")
    return "sealed"


def _keep_mythics(resolution: Resolution, wizard: Wizard) -> None:
    """A Mythic that no card of the band now held can bear lapses (A1.19); any other is kept for the next game."""
    count = f"{wizard.mythics} Mythic{'s' if wizard.mythics > 1 else ''}"
    if has_room(resolution.state, wizard):
        resolution.tell(f"{wizard.name} keeps {count} to place after a later game (§1.12).", wizard.seat)
        return
    band = resolution.state.bands[wizard.holds].name
    resolution.update_wizard(wizard.seat, mythics=0, any_card=0)
    lapse = "lapse" if wizard.mythics > 1 else "lapses"
    resolution.tell(f"No card of {band} can bear a Mythic: {count} of {wizard.name} {lapse} (A1.19).", wizard.seat)


def has_room(state: DungeonTable, wizard: Wizard) -> bool:
    """Whether some Mythic could go on some card of the band now held; one that is yet to be built has room."""
    band = band_to_inscribe(state, wizard)
    return band is None or any(
        not misfit(state, wizard, band, card, one.name)
        for card in COMBAT_CARDS
        for one in earned_mythics(state, wizard)
    )
