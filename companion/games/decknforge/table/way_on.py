"""The default way through a round, and the options that it would skip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import labelling, payments, reveal
from companion.games.decknforge.rules.round_steps import asks_minion
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import WayOn
from templates.languages.messages import all_of, phrase, phrase_in


def way_on(state: DungeonTable) -> WayOn | None:
    """Return the way on; None if cards must be revealed, at a kill, and outside the round."""
    find = _WAYS.get(state.step)
    way = find(state) if find else None
    if way is not None and not way.leaves and (unknown := payments.open_question(state)):
        return msgspec.structs.replace(way, leaves=unknown)
    return way


def _labels(state: DungeonTable) -> WayOn:
    players = all_of(state.wizard(seat).name for seat in labelling.open_to(state))
    return WayOn(Next(), phrase("no label"), phrase("{players} may add a label to the Boss", players=players))


def _reveal(state: DungeonTable) -> WayOn | None:
    """Return the way on, unless a player must enter a card, The Patron's choice (R1.21, R1.I24) or the damage.

    The way on also skips the second card of a Doublestrike, which is reported.
    """
    if not state.tracks_all or reveal.plotters(state) or any(wizard.patrons for wizard in state.fighting()):
        return None
    again = [wizard.name for wizard in state.fighting() if reveal.may_reveal_again(state, wizard)]
    if again:
        text = phrase("{players} may reveal a second card (Doublestrike)", players=all_of(again))
        return WayOn(Next(), phrase("no second card"), text)
    return WayOn(Next(), phrase("no Converts") if reveal.open_converts(state) else "")


def _tactics(state: DungeonTable) -> WayOn:
    has_any = any(wizard.has_acted for wizard in state.fighting())
    return WayOn(Next(), phrase("no more Tactics") if has_any else phrase("no Tactics"))


def _declare(state: DungeonTable) -> WayOn:
    # Translators: What the damage of the round resolves.
    damage = phrase("no Converts, damage") if reveal.open_converts(state) else phrase_in("step", "damage")
    return WayOn(do.Damage(), damage)


def _attack(state: DungeonTable) -> WayOn | None:
    if state.minion_due:
        return None if asks_minion(state) else WayOn(do.Escalate(), phrase("a Minion comes"))
    # Translators: All wizards take the damage of the attacks.
    return WayOn(Next(), phrase("all take") if state.step == "attack" else phrase("also from Minions"))


def _refill(state: DungeonTable) -> WayOn | None:
    """Return the way on, unless a Minion drawn by hand must be entered (R1.30)."""
    return None if asks_minion(state) else WayOn(do.Refill(), phrase_in("step", "refill"))


def _flip(state: DungeonTable) -> WayOn | None:
    return None if state.house.table_draws else WayOn(do.Bosses(is_drawn=True), phrase("the Boss is drawn"))


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
