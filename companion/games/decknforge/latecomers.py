"""Who comes late: a wizard who joins a dungeon that has begun, and the lines that describe their band.

The book is silent on it. Who comes before a fight has begun takes part in it, and the Boss grows with their number
(R1.12); who comes during a fight waits for the next Boss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.action import RuleError
from companion.games.decknforge import setup
from companion.games.decknforge.actions import Join
from companion.games.decknforge.fight import is_under_way
from companion.games.decknforge.state import BOSSES, COMBAT_DECK, MONSTER_CARDS, DungeonTable, Resolution
from companion.games.kinds import Ref


def join(resolution: Resolution, action: Join) -> str | None:
    """Seat a wizard behind the last one, with a full hand; their Monsters go into the Minion Pool (R1.11, R1.13).

    Gives the step to enter where they take part in the fight that is about to begin.
    """
    waits = is_under_way(resolution.state)
    if waits and resolution.state.number == BOSSES:
        raise RuleError("The last fight is under way, and no Boss comes after it (R1.11); the next dungeon has room.")
    setup.seat(resolution, action)
    state = resolution.state
    hand, late = state.hand_limit, "waits" if waits else "joins"
    resolution.update_wizard(action.seat, hand=hand, deck=COMBAT_DECK - hand, in_fight=not waits, late=late)
    theirs = tuple(Ref(f"{action.seat}:{card}") for card in MONSTER_CARDS)
    resolution.change(pool=(*state.pool, *theirs), lots=(*state.lots, action.seat))
    joins = f"{resolution.name(action.seat)} joins and draws {hand} cards"
    if waits:
        resolution.tell(f"{joins}; they take part from the next Boss on.", action.seat, by_hand=True)
        return None
    resolution.tell(f"{joins}.", action.seat, by_hand=True)
    _grow(resolution)
    return "labels"


def _grow(resolution: Resolution) -> None:
    """The Boss that was just flipped has its written HP once more (R1.12)."""
    state = resolution.state
    assert state.boss is not None
    written = state.monsters[state.boss.ref].hp
    hp = state.boss.hp + written
    resolution.update_foe(state.boss.ref, max=state.boss.max + written, hp=hp)
    resolution.tell(f"The Boss has {written} HP more, {hp} now: {len(state.wizards)} wizards (R1.12).")


def of_band(act: Callable[[Resolution, Any], None]) -> Callable[[Resolution, Any], str | None]:
    """A line of the set-up that describes a band: once the dungeon has begun, that of somebody who has just come."""

    def described(resolution: Resolution, action: Any) -> str | None:
        state = resolution.state
        if state.step != "setup" and not _has_just_come(state, action.seat):
            raise RuleError(f"`{action.verb()}` belongs to the set-up, and the dungeon has begun; `undo` leads back.")
        act(resolution, action)
        # What a band has been through says whether its wizard may add a label (R1.70).
        return None if state.step == "setup" or is_under_way(state) else "labels"

    return described


def _has_just_come(state: DungeonTable, seat: str) -> bool:
    """Whether a wizard came late and has not fought yet."""
    late = state.wizard(seat).late
    return late == "waits" or (late == "joins" and not is_under_way(state))


def send_home(resolution: Resolution) -> None:
    """Who still waits for a Boss when the dungeon is over has played no part in it: they go as they came (R1.17)."""
    state = resolution.state
    waiting = [wizard for wizard in state.wizards if wizard.late == "waits"]
    for wizard in waiting:
        resolution.tell(f"{wizard.name} came too late for a fight; their band goes home as it came.", wizard.seat)
    gone = {wizard.seat for wizard in waiting}
    resolution.change(
        wizards=tuple(wizard for wizard in state.wizards if wizard.seat not in gone),
        bands={seat: band for seat, band in state.bands.items() if seat not in gone},
        lots=tuple(seat for seat in state.lots if seat not in gone),
    )
