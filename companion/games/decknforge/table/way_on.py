"""The default way through a round, and the options that it would skip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from companion.games.decknforge.book.state import DungeonTable, join_words
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import labelling, payments, reveal
from companion.games.decknforge.rules.round_steps import asks_minion
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import WayOn


def way_on(state: DungeonTable) -> WayOn | None:
    """Return the way on; None if cards must be revealed, at a kill, and outside the round."""
    find = _WAYS.get(state.step)
    way = find(state) if find else None
    if way is not None and not way.leaves and (unknown := payments.open_question(state)):
        return msgspec.structs.replace(way, leaves=unknown)
    return way


def _labels(state: DungeonTable) -> WayOn:
    names = [state.wizard(seat).name for seat in labelling.open_to(state)]
    return WayOn(Next(), "no label", f"{join_words(names)} may add a label to the Boss")


def _reveal(state: DungeonTable) -> WayOn | None:
    """Return the way on, unless a player must enter a card, The Patron's choice (R1.21, R1.I24) or the damage.

    The way on also skips the second card of a Doublestrike, which is reported.
    """
    if not state.tracks_all or reveal.plotters(state) or any(wizard.patrons for wizard in state.fighting()):
        return None
    again = [wizard.name for wizard in state.fighting() if reveal.may_reveal_again(state, wizard)]
    text = f"{join_words(again)} may reveal a second card (Doublestrike)" if again else ""
    return WayOn(Next(), "no second card" if again else _no_converts(state), text)


def _tactics(state: DungeonTable) -> WayOn:
    more = "more " if any(wizard.has_acted for wizard in state.fighting()) else ""
    return WayOn(Next(), f"no {more}Tactics")


def _declare(state: DungeonTable) -> WayOn:
    return WayOn(do.Damage(), ", ".join(filter(None, (_no_converts(state), "damage"))))


def _no_converts(state: DungeonTable) -> str:
    return "no Converts" if reveal.open_converts(state) else ""


def _attack(state: DungeonTable) -> WayOn | None:
    if state.minion_due:
        return None if asks_minion(state) else WayOn(do.Escalate(), "a Minion comes")
    return WayOn(Next(), "all take" if state.step == "attack" else "also from Minions")


def _refill(state: DungeonTable) -> WayOn | None:
    """Return the way on, unless a Minion drawn by hand must be entered (R1.30)."""
    return None if asks_minion(state) else WayOn(do.Refill(), "refill")


def _flip(state: DungeonTable) -> WayOn | None:
    return None if state.house.table_draws else WayOn(do.Bosses(is_drawn=True), "the Boss is drawn")


_WAYS: Final[dict[str, Callable[[DungeonTable], WayOn | None]]] = {
    "flip": _flip,
    "labels": _labels,
    "reveal": _reveal,
    "tactics": _tactics,
    "declare": _declare,
    "damage": _declare,
    "attack": _attack,
    "minions": _attack,
    "refill": _refill,
}
