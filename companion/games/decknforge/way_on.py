"""How a round goes on where nobody says anything, and what somebody would leave out by that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge import labelling, payments, reveal
from companion.games.decknforge.round_steps import asks_minion
from companion.games.decknforge.state import DungeonTable, join_words
from companion.tabletop.common_actions import Next
from companion.tabletop.table import WayOn


def way_on(state: DungeonTable) -> WayOn | None:
    """The way on; None where cards are to be revealed, at a kill, and outside of the round."""
    find = _WAYS.get(state.step)
    way = find(state) if find else None
    if way is not None and not way.leaves and (unknown := payments.open_question(state)):
        return msgspec.structs.replace(way, leaves=unknown)
    return way


def _labels(state: DungeonTable) -> WayOn:
    names = [state.wizard(seat).name for seat in labelling.open_to(state)]
    return WayOn(Next(), "no label", f"{join_words(names)} may add a label to the Boss")


def _reveal(state: DungeonTable) -> WayOn | None:
    """A card and The Patron are for people to say (R1.21, R1.I24), and the damage where only the fight is tracked; the
    second card of a Doublestrike is waited for.
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
    """A Minion that the table draws is for people to say (R1.30)."""
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
