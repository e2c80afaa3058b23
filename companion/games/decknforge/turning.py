"""Turning: what is bought, placed, carried over and kept, and the seal (R1.83–R1.86)."""

from __future__ import annotations

from typing import Literal

from companion.games.decknforge.actions import Buy, Heirloom, Memory, Mythic
from companion.games.decknforge.effect import MYTHIC
from companion.games.decknforge.founding import misplaced, useless
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.ledger import spend
from companion.games.decknforge.standard import title
from companion.games.decknforge.state import (
    COMBAT_CARDS,
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


def _held_band(state: DungeonTable, seat: str) -> str:
    wizard = state.wizard(seat)
    if not wizard.holds:
        raise RuleError(f"{wizard.name} holds no band; a retired band's wizard founds a new one (A1.43).")
    if state.bands[wizard.holds].retired:
        raise RuleError(f"{wizard.name} holds a band that is yet to be built; inscribe it as it is founded (A1.43).")
    return wizard.holds


def _inscribe(resolution: Resolution, seat: str, card: Card, name: str, what: Literal["bought", "mythic"]) -> None:
    """Write an inscription onto a card of the band now held (R1.9)."""
    state = resolution.state
    held = _held_band(state, seat)
    band = state.bands[held]
    present = band.inscribed.get(card, ())
    anywhere = what == "mythic" and state.wizard(seat).any_card > 0
    if why := misplaced(name, card, present, state.book, state.house, any_card=anywhere):
        raise RuleError(f"{why}.")
    resolution.update_band(held, inscribed={**band.inscribed, card: (*present, name)}, history=(*band.history, name))
    resolution.change(changes=(*resolution.state.changes, Change(what, held, card, name, seat)))
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
    price = resolution.state.book.price(action.inscription)
    if price is None:
        raise RuleError(
            f"{action.inscription} is Mythic and not for sale (R1.8); an earned one is placed with `mythic`."
        )
    if price > wizard.purse:
        raise RuleError(f"{action.inscription} costs {price}c; {wizard.name} has {wizard.purse}c (R1.83).")
    _inscribe(resolution, action.seat, action.card, action.inscription, "bought")
    band = resolution.state.bands[wizard.holds]
    spend(resolution, action.seat, price, Reason("inscription", (action.inscription, action.card, band.name)))
    resolution.tell(f"{wizard.name} pays {price}c and keeps {wizard.purse - price}c.", action.seat)


def mythic(resolution: Resolution, action: Mythic) -> None:
    """Place an earned Mythic, for nothing (R1.83, A1.19)."""
    wizard = resolution.state.wizard(action.seat)
    if resolution.state.book.inscription(action.inscription).tier != MYTHIC:
        raise RuleError(f"{action.inscription} is not a Mythic; it is bought with `buy` (R1.83).")
    if not wizard.mythics:
        raise RuleError(f"{wizard.name} has no Mythic to place; Legend kills earn them (A1.19).")
    anywhere = _takes_any_card(resolution.state, wizard, action)
    _inscribe(resolution, action.seat, action.card, action.inscription, "mythic")
    resolution.update_wizard(action.seat, mythics=wizard.mythics - 1, any_card=wizard.any_card - anywhere)


def _takes_any_card(state: DungeonTable, wizard: Wizard, action: Mythic) -> bool:
    """Whether this uses up one that may go on any card: on a card that bears no other, or where no other is left."""
    if not wizard.any_card:
        return False
    present = state.bands[_held_band(state, action.seat)].inscribed.get(action.card, ())
    elsewhere = misplaced(action.inscription, action.card, present, state.book, state.house) == ""
    return not elsewhere or wizard.any_card == wizard.mythics


def memory(resolution: Resolution, action: Memory) -> None:
    """Exchange a card with its like of the new band, each with its inscriptions (R1.I23, A1.42)."""
    state = resolution.state
    if state.house.towers_memory == "off":
        raise RuleError("No card goes along to another band here: rule towers-memory off (A1.42).")
    old, new = action.seat, _held_band(state, action.seat)
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
    holds = state.wizard(seat).holds
    if holds in ("", seat) or state.bands[holds].retired or state.house.towers_memory == "off":
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
    if not wizard.holds or state.bands[wizard.holds].retired:
        return True
    inscribed = state.bands[wizard.holds].inscribed
    mythics = [name for name, effect in state.book.inscriptions.items() if effect.tier == MYTHIC]
    return any(
        misplaced(name, card, inscribed.get(card, ()), state.book, state.house, any_card=wizard.any_card > 0) == ""
        for card in COMBAT_CARDS
        for name in mythics
    )
