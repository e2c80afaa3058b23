"""Odd Frontier's table as screens see it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from companion.games import counters
from companion.games.action import RuleError
from companion.games.oddfrontier.actions import Fight
from companion.games.oddfrontier.combat import fight, to_split
from companion.games.oddfrontier.counters import SEAT_GAUGES, TABLE_GAUGES, gauges_of
from companion.games.oddfrontier.energy import reset_uncranks
from companion.games.oddfrontier.prompts import prompts
from companion.games.oddfrontier.setup import FEWEST_PLAYERS
from companion.games.oddfrontier.state import PHASES, FrontierTable, Permanent, Player, Queued, Resolution
from companion.games.oddfrontier.turn import discard_due
from companion.games.table import Counter, RoundStep, SeatView, TableView, Thing, Zone

TITLE: Final = "Odd Frontier TCG"
_STEPS: Final = tuple(RoundStep(phase, phase.title()) for phase in PHASES)


def view(state: FrontierTable) -> TableView:
    """Everything there is to show of a table."""
    return TableView(
        "oddfrontier",
        TITLE,
        counters=tuple(gauge.counter(state, state) for gauge in TABLE_GAUGES),
        zones=tuple(_zones(state)),
        seats=tuple(_seat(state, player) for player in state.players),
        steps=_STEPS,
        step=state.phase,
        prompts=prompts(state),
        hints=tuple(_hints(state)),
        rules=state.house.changed(),
        outcome=state.outcome,
    )


def counters_of(state: FrontierTable, target: str) -> tuple[Counter, ...] | None:
    """The counters of one target, without all else that a table shows."""
    shared = (thing for zone in _zones(state) for thing in zone.things)
    things = chain(shared, (_thing(state, permanent) for permanent in state.permanents))
    return counters.counters_of(state, target, TABLE_GAUGES, (state.players, SEAT_GAUGES), things)


def _zones(state: FrontierTable) -> Iterator[Zone]:
    if state.queue:
        last_in_first = tuple(enumerate(state.queue, 1))[::-1]
        yield Zone("queue", "Queue", tuple(_queued(state, number, queued) for number, queued in last_in_first))


def _queued(state: FrontierTable, number: int, queued: Queued) -> Thing:
    notes = ("magic" if queued.magic else "ability", *(("does nothing",) if queued.negated else ()))
    return Thing(f"queue {number}", f"{queued.name} ({state.player(queued.seat).name})", notes=notes)


def _seat(state: FrontierTable, player: Player) -> SeatView:
    own = tuple(permanent for permanent in state.permanents if permanent.seat == player.seat)
    creatures = tuple(_thing(state, permanent) for permanent in own if permanent.creature)
    others = tuple(_thing(state, permanent) for permanent in own if not permanent.creature)
    zones = (Zone("creatures", "Creatures", creatures), Zone("others", "Artifacts and Phenomena", others))
    return SeatView(
        player.seat,
        player.name,
        counters=tuple(gauge.counter(state, player) for gauge in SEAT_GAUGES),
        zones=tuple(zone for zone in zones if zone.things),
        flags=tuple(_flags(state, player)),
    )


def _thing(state: FrontierTable, permanent: Permanent) -> Thing:
    counters = tuple(gauge.counter(state, permanent) for gauge in gauges_of(permanent))
    return Thing(
        permanent.handle,
        permanent.title,
        counters,
        tuple(_notes(permanent)),
        brief=_brief(permanent) if permanent.creature else "permanent",
        flags=tuple(_thing_flags(state, permanent)),
    )


def _brief(creature: Permanent) -> str:
    """`3/4`, behind it the damage of this turn: `3/4 −2`"""
    taken = f" −{creature.damage}" if creature.damage else ""
    return f"{creature.attack}/{creature.defense}{taken}"


def _thing_flags(state: FrontierTable, permanent: Permanent) -> Iterator[str]:
    """What it does in this combat, or that it is cranked; an attacker is cranked by attacking (R3.7)."""
    if permanent.attacks:
        among_several = len(state.standing()) > FEWEST_PLAYERS
        yield f"attacks {state.player(permanent.attacks).name}" if among_several else "attacks"
    elif permanent.cranked:
        yield "cranked"
    if permanent.blocked:
        yield "blocked"
    if permanent.blocks:
        attackers = (each.title for each in state.permanents if each.handle == permanent.blocks)
        yield f"blocks {next(attackers, 'what has left')}"


def _notes(permanent: Permanent) -> Iterator[str]:
    """Keywords, and how its damage is split."""
    if permanent.first_assault:
        yield "First Assault: deals its damage before the others (A3.5)"
    if permanent.shares:
        yield f"splits {', '.join(f'{handle} {share}' for handle, share in permanent.shares)}"


def _flags(state: FrontierTable, player: Player) -> Iterator[str]:
    if player.seat == state.active:
        yield "active"
    if player.out:
        yield "out"
    if state.phase == "mulligan" and player.kept:
        yield "keeps"


def _hints(state: FrontierTable) -> Iterator[str]:
    """What is easily forgotten now, and what a fight would do: hints, never force."""
    if state.outcome or state.phase not in PHASES:
        return
    if state.first_turn:
        yield "The first turn: nobody draws and nobody attacks (R3.4)."
    if state.queue:
        yield "After each resolution everybody may add to the queue again (R3.11)."
    if state.phase == "reset":
        yield from _reset_hints(state)
    elif state.phase == "combat":
        yield from _forecast(state)
    else:
        yield from _main_hints(state)


def _reset_hints(state: FrontierTable) -> Iterator[str]:
    if not state.house.crank_before_reset:
        return
    for player in state.standing():
        ready = player.engines - player.cranked
        if ready and reset_uncranks(state, player.seat):
            yield f"{player.name}: {ready} Engines cranked now are uncranked by the Reset and give energy twice (A3.2)."


def _forecast(state: FrontierTable) -> Iterator[str]:
    """What would happen if the damage fell now."""
    if not state.attackers():
        return
    for attacker, left in to_split(state):
        yield f"{attacker.title} has {left} damage to split among its blockers (R3.8)."
    resolution = Resolution(state)
    try:
        fight(resolution, Fight())
    except RuleError:
        return
    yield from (f"Now: {tell.text}" for tell in resolution.tells)


def _main_hints(state: FrontierTable) -> Iterator[str]:
    player = state.player(state.active)
    if not state.engine_played and player.hand:
        yield f"{player.name} has not played an Engine in this turn (R3.5)."
    if state.phase == "post-combat":
        if due := discard_due(state, player.seat):
            yield f"{player.name} discards {due} at the end of the turn (R3.10)."
        for each in state.standing():
            if each.energy:
                yield f"{each.name}: {each.energy} energy is lost at the end of the turn (R3.5)."
