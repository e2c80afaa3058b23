"""What happens together is judged together when the batch ends: deaths, their triggers, who has lost (R4.21, R4.22)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.solforge.keywords import speaking
from companion.games.solforge.state import Creature, Resolution, Table


def end_batch(resolution: Resolution) -> None:
    """Deaths become final, Vengeance is due, and whoever has no health left has lost (R4.1, R4.22)."""
    if [creature for creature in resolution.state.creatures if creature.damage >= creature.max]:
        bury(resolution, [creature for creature in resolution.state.newest_first() if creature.health <= 0])
    weigh(resolution)


def bury(resolution: Resolution, dead: Iterable[Creature]) -> None:
    """Creatures die together: all leave their lanes, then Vengeance acts in this order, also of the dead (R4.13)."""
    dead = tuple(dead)
    leave(resolution, dead)
    for creature in dead:
        resolution.tell(f"{creature.title} of {resolution.name(creature.owner)} dies.", creature.owner, by_hand=True)
    for creature in dead:
        remind(resolution, creature, "died")


def leave(resolution: Resolution, gone: Iterable[Creature]) -> None:
    """Creatures are in no lane any more."""
    handles = {creature.handle for creature in gone}
    resolution.change(
        creatures=tuple(creature for creature in resolution.state.creatures if creature.handle not in handles)
    )


def remind(resolution: Resolution, creature: Creature, *moments: str) -> None:
    """What the card's own text does now, for people to say and do (R4.20)."""
    for keyword in speaking(creature.keywords, moments):
        resolution.tell(
            f"{keyword.title} of {creature.title} acts now: do what its card says.", creature.owner, by_hand=True
        )


def weigh(resolution: Resolution) -> None:
    """Who has won, by what the table shows now."""
    outcome = verdict(resolution.state)
    if outcome == resolution.state.outcome:
        return
    resolution.change(outcome=outcome)
    if outcome is None:
        resolution.tell("The game goes on.")
    elif outcome == "draw":
        resolution.tell("The game is a draw.")
    else:
        resolution.tell(f"{resolution.name(outcome)} wins.")


def verdict(state: Table) -> str | None:
    """The winner's seat, `draw`, or None: what the table agreed, a concession, or health at 0 or below (R4.1, A4.7)."""
    if state.agreed:
        return state.agreed
    one, other = state.players
    if one.conceded or other.conceded:
        return other.seat if one.conceded else one.seat
    if min(one.health, other.health) > 0:
        return None
    if one.health == other.health:
        return "draw" if state.house.tie == "draw" else None
    return one.seat if one.health > other.health else other.seat
