"""After the last fight: Fading, Drifting, Turning, and the seal (R1.80–R1.86)."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

from companion.games.action import RuleError
from companion.games.cards import Card, pretty
from companion.games.decknforge.actions import Buy, Fade, Heirloom, Memory, Mythic, Pick
from companion.games.decknforge.draft_order import deck_of, in_order, why_in_this_order
from companion.games.decknforge.effect import MYTHIC
from companion.games.decknforge.fight import sweep
from companion.games.decknforge.founding import misplaced, useless
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.latecomers import send_home
from companion.games.decknforge.ledger import cross_out, spend
from companion.games.decknforge.state import COMBAT_CARDS, Change, DungeonTable, Resolution, Wizard, listed
from companion.games.reasons import Reason


def blessed(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """The inscribed cards of the band that a seat brought."""
    return tuple(state.bands[seat].inscribed)


def to_draw_from(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """The Blessed cards that are shuffled for Fading: all, or with `etched excluded` those that can fade (A1.41)."""
    cards = blessed(state, seat)
    return tuple(card for card in cards if state.house.etched == "blank" or _fades(state, seat, card))


def _fades(state: DungeonTable, seat: str, card: Card) -> bool:
    return all(effect.fades for effect in effects(state, seat, card))


# Fading (R1.81)


def enter_fading(resolution: Resolution) -> None:
    """Close the books of the dungeon; bands that have nothing to fade are not asked."""
    sweep(resolution)
    send_home(resolution)
    resolution.change(boss=None, minions=())
    resolution.update_everyone(holds="", faded=False)
    _cap_coppers(resolution)
    for wizard in resolution.state.wizards:
        if not to_draw_from(resolution.state, wizard.seat):
            resolution.update_wizard(wizard.seat, faded=True)
            _retire_if_bare(resolution, wizard.seat)


def _cap_coppers(resolution: Resolution) -> None:
    """With `session-copper-cap`: what is above becomes Glory of the band played (A1.45)."""
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


def waiting_fading(state: DungeonTable) -> bool:
    """Whether somebody has not drawn."""
    return any(not wizard.faded for wizard in state.wizards)


def default_fading(resolution: Resolution) -> None:
    """There is none: cards are drawn by people or, with `fade SEAT`, by the app."""
    late = [wizard for wizard in resolution.state.wizards if not wizard.faded]
    seat = late[0].seat
    raise RuleError(f"{listed(w.name for w in late)} must still draw for Fading: `fade {seat} CARD`, or `fade {seat}`.")


def leave_fading(resolution: Resolution) -> str:
    """The draft order is known now (R1.82)."""
    state = resolution.state
    order = in_order(state, (wizard for wizard in state.wizards if _drafts(state, wizard)))
    resolution.change(draft=tuple(wizard.seat for wizard in order))
    if order:
        resolution.tell(f"The draft goes {', then '.join(wizard.name for wizard in order)} (R1.82).")
    for wizard, why in zip(order, why_in_this_order(resolution.state), strict=False):
        resolution.tell(f"{why}.", wizard.seat)
    return "drifting"


def _drafts(state: DungeonTable, wizard: Wizard) -> bool:
    """Who drafts: not whose band has retired, unless the band that they build now is drafted too (A1.43)."""
    return not state.bands[wizard.seat].retired or state.house.retire_draft == "new-band-joins"


def cards_to_draw(state: DungeonTable, wizard: Wizard) -> int:
    """Two after a Legend kill (R1.55), where the band has two Blessed cards."""
    legends = any(state.monsters[ref].legend for ref in state.felled)
    two = legends if state.house.legend_fading == "all-wizards" else wizard.legend_killed
    return min(2 if two else 1, len(to_draw_from(state, wizard.seat)))


def drawn_for_fading(state: DungeonTable, action: Fade, rng: Random) -> Fade:
    """The cards that the app draws where nobody named them."""
    wizard = state.wizard(action.seat)
    cards = to_draw_from(state, wizard.seat)
    if action.cards or wizard.drawn or not cards:
        return action
    drawn = rng.sample(sorted(cards), cards_to_draw(state, wizard))
    return msgspec.structs.replace(action, cards=tuple(drawn))


def fade(resolution: Resolution, action: Fade) -> None:
    """Cross out the card that fades; of two drawn, the one chosen (R1.81, R1.55, A1.41)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if wizard.faded:
        raise RuleError(f"{wizard.name} has nothing to draw for Fading any more (R1.81).")
    cards = action.cards or wizard.drawn
    _check_drawn(state, wizard, cards)
    resolution.change(drawn=state.drawn + 1)
    resolution.update_wizard(wizard.seat, drawn=cards)
    able = tuple(card for card in cards if _fades(state, wizard.seat, card))
    fades = action.fades or (able[0] if len(able) == 1 else None)
    if fades is not None and fades not in able:
        raise RuleError(
            f"{pretty(fades)} cannot fade here; it is one of {', '.join(map(pretty, able)) or 'none'} (R1.81)."
        )
    if fades is None and able:
        both = listed(pretty(card) for card in cards)
        resolution.tell(f"{wizard.name} drew {both}: say which fades.", wizard.seat)
        return
    resolution.update_wizard(wizard.seat, faded=True)
    if fades is None:
        resolution.tell(f"{wizard.name} drew {listed(map(pretty, cards))}: Etched, nothing fades.", wizard.seat)
    else:
        cross_out(resolution, wizard.seat, fades, state.bands[wizard.seat].inscribed[fades], "faded")
        _retire_if_bare(resolution, wizard.seat)


def _check_drawn(state: DungeonTable, wizard: Wizard, cards: tuple[Card, ...]) -> None:
    if wizard.drawn and set(cards) != set(wizard.drawn):
        raise RuleError(f"{wizard.name} drew {listed(map(pretty, wizard.drawn))}; `undo` takes a wrong draw back.")
    bare = [pretty(card) for card in cards if card not in blessed(state, wizard.seat)]
    if bare:
        raise RuleError(f"{listed(bare)} bears no inscription; Fading draws among the Blessed cards (R1.81).")
    etched = [pretty(card) for card in cards if card not in to_draw_from(state, wizard.seat)]
    if etched:
        raise RuleError(f"{listed(etched)} is Etched and left out of the draw (A1.41).")
    due = cards_to_draw(state, wizard)
    if len(cards) != due or len(set(cards)) < due:
        raise RuleError(f"{wizard.name} draws {due} Blessed card{'s' if due > 1 else ''} for Fading (R1.81, R1.55).")


def _retire_if_bare(resolution: Resolution, seat: str) -> None:
    """0 Blessed left: the band retires, unless it never had an inscription (R1.81)."""
    band = resolution.state.bands[seat]
    if band.history and not band.inscribed:
        resolution.update_band(seat, retired=True)
        resolution.tell(
            f"{band.name} has no Blessed card left and retires; choose its heirloom: `heirloom {seat} INSCRIPTION`.",
            seat,
        )


# Drifting (R1.82)


def waiting_drifting(state: DungeonTable) -> bool:
    """Whether somebody in the draft has not picked."""
    return any(not state.wizard(seat).holds for seat in state.draft)


def default_drifting(resolution: Resolution) -> None:
    """There is none: a pick is a choice."""
    seat = next_pick(resolution.state)
    raise RuleError(f"{resolution.name(seat)} must pick a deck: `pick {seat} SEAT` (R1.82).")


def leave_drifting(resolution: Resolution) -> str:  # noqa: ARG001 – every step leaves the same way
    """On to the Turning."""
    return "turning"


def next_pick(state: DungeonTable) -> str:
    """Whose turn it is in the draft."""
    return next(seat for seat in state.draft if not state.wizard(seat).holds)


def left_to_pick(state: DungeonTable) -> tuple[str, ...]:
    """The decks still to be drafted, by the seats that brought them."""
    taken = {state.wizard(seat).holds for seat in state.draft}
    return tuple(wizard.seat for wizard in state.wizards if wizard.seat in state.draft and wizard.seat not in taken)


def pick(resolution: Resolution, action: Pick) -> None:
    """Draft the deck that somebody brought; one's own is allowed (R1.82)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if action.seat not in state.draft:
        raise RuleError(f"{wizard.name}'s band has retired; they found a new one instead of drafting (A1.43).")
    if wizard.holds:
        raise RuleError(f"{wizard.name} has picked {state.bands[wizard.holds].name} already.")
    if next_pick(state) != action.seat:
        raise RuleError(f"{resolution.name(next_pick(state))} picks first (R1.82).")
    state.wizard(action.brought)
    if action.brought not in left_to_pick(state):
        raise RuleError(f"That deck is not to be had any more; left are those of {listed(left_to_pick(state))}.")
    resolution.update_wizard(action.seat, holds=action.brought)
    held = deck_of(state, action.brought)
    resolution.tell(f"{wizard.name} now holds {held}.", action.seat, by_hand=True)


# Turning (R1.83)


def waiting_turning(state: DungeonTable) -> bool:  # noqa: ARG001 – somebody says it aloud
    """Until somebody seals."""
    return True


def default_turning(resolution: Resolution) -> None:  # noqa: ARG001 – every step has the same shape
    """Sealing is for ever, so it is said in its own word."""
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
        f"{resolution.name(seat)}: stick {name} on {pretty(card)} of {band.name}.", seat, by_hand=True, lasting=True
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
            f"{band.name} never bore {action.inscription}; choose one of {listed(dict.fromkeys(band.history))}."
        )
    resolution.update_wizard(action.seat, heirloom=action.inscription)
    resolution.tell(
        f"{resolution.name(action.seat)} keeps {action.inscription} of {band.name} as an heirloom.", action.seat
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
    held = resolution.state.bands[wizard.holds].name
    resolution.update_wizard(wizard.seat, mythics=0, any_card=0)
    lapse = "lapse" if wizard.mythics > 1 else "lapses"
    resolution.tell(f"No card of {held} can bear a Mythic: {count} of {wizard.name} {lapse} (A1.19).", wizard.seat)


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
