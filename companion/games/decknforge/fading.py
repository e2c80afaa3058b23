"""Fading, after the last fight: the books of the dungeon are closed, and a card of each band fades (R1.80, R1.81)."""

from __future__ import annotations

from random import Random

import msgspec

from companion.games.decknforge.actions import Fade
from companion.games.decknforge.drifting import in_order, why_in_this_order
from companion.games.decknforge.fight import sweep
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.ledger import cross_out, spend
from companion.games.decknforge.setup import send_home
from companion.games.decknforge.state import DungeonTable, Resolution, Wizard, join_words
from companion.tabletop.action import RuleError
from companion.tabletop.cards import Card, pretty
from companion.tabletop.records import Reason


def blessed(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """The inscribed cards of the band that a seat brought."""
    return tuple(state.bands[seat].inscribed)


def to_draw_from(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """The Blessed cards that are shuffled for Fading: all, or with `etched excluded` those that can fade (A1.41)."""
    cards = blessed(state, seat)
    return tuple(card for card in cards if state.house.etched == "blank" or _fades(state, seat, card))


def _fades(state: DungeonTable, seat: str, card: Card) -> bool:
    return all(effect.fades for effect in effects(state, seat, card))


def enter(resolution: Resolution) -> None:
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


def waiting(state: DungeonTable) -> bool:
    """Whether somebody has not drawn."""
    return any(not wizard.faded for wizard in state.wizards)


def default(resolution: Resolution) -> None:
    """There is none: cards are drawn by people or, with `fade SEAT`, by the app."""
    late = [wizard for wizard in resolution.state.wizards if not wizard.faded]
    seat = late[0].seat
    raise RuleError(
        f"{join_words(w.name for w in late)} must still draw for Fading: `fade {seat} CARD`, or `fade {seat}`."
    )


def leave(resolution: Resolution) -> str:
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


def draw_cards(state: DungeonTable, action: Fade, rng: Random) -> Fade:
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
    resolution.change(draws=state.draws + 1)
    resolution.update_wizard(wizard.seat, drawn=cards)
    able = tuple(card for card in cards if _fades(state, wizard.seat, card))
    fades = action.fades or (able[0] if len(able) == 1 else None)
    if fades is not None and fades not in able:
        raise RuleError(
            f"{pretty(fades)} cannot fade here; it is one of {', '.join(map(pretty, able)) or 'none'} (R1.81)."
        )
    if fades is None and able:
        both = join_words(pretty(card) for card in cards)
        resolution.tell(f"{wizard.name} drew {both}: say which fades.", wizard.seat)
        return
    resolution.update_wizard(wizard.seat, faded=True)
    if fades is None:
        resolution.tell(f"{wizard.name} drew {join_words(map(pretty, cards))}: Etched, nothing fades.", wizard.seat)
    else:
        cross_out(resolution, wizard.seat, fades, state.bands[wizard.seat].inscribed[fades], "faded")
        _retire_if_bare(resolution, wizard.seat)


def _check_drawn(state: DungeonTable, wizard: Wizard, cards: tuple[Card, ...]) -> None:
    if wizard.drawn and set(cards) != set(wizard.drawn):
        raise RuleError(f"{wizard.name} drew {join_words(map(pretty, wizard.drawn))}; `undo` takes a wrong draw back.")
    bare = [pretty(card) for card in cards if card not in blessed(state, wizard.seat)]
    if bare:
        raise RuleError(f"{join_words(bare)} bears no inscription; Fading draws among the Blessed cards (R1.81).")
    etched = [pretty(card) for card in cards if card not in to_draw_from(state, wizard.seat)]
    if etched:
        raise RuleError(f"{join_words(etched)} is Etched and left out of the draw (A1.41).")
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
