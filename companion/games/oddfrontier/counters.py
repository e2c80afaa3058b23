"""Odd Frontier's counters, each once: where it stands in the table, and how people may overwrite it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.games.action import RuleError
from companion.games.counters import Gauge, overwritten, writes
from companion.games.lines import Add, Set
from companion.games.oddfrontier.combat import call_off
from companion.games.oddfrontier.outcome import outcome_of
from companion.games.oddfrontier.queue import take_off
from companion.games.oddfrontier.state import PHASES, FrontierTable, Permanent, Player, Resolution
from companion.games.oddfrontier.turn import discard_due

_seat = writes(Resolution, Resolution.update_player)
_permanent = writes(Resolution, Resolution.update_permanent)


def _write_engines(state: FrontierTable, seat: str, value: int) -> FrontierTable:
    """Fewer Engines: the uncranked ones have left first."""
    return _seat("cranked")(_seat("engines")(state, seat, value), seat, min(state.player(seat).cranked, value))


def _write_cranked(state: FrontierTable, seat: str, value: int) -> FrontierTable:
    player = state.player(seat)
    if value > player.engines:
        raise RuleError(f"{player.name} has {player.engines} Engines; {value} of them cannot be cranked (R3.5).")
    return _seat("cranked")(state, seat, value)


def _check_under_way(state: FrontierTable) -> None:
    if state.phase not in PHASES:
        raise RuleError("The first turn has not begun; `next` ends the mulligans (R3.2).")


def _write_turn(state: FrontierTable, target: str, value: int) -> FrontierTable:  # noqa: ARG001 – there is one table
    _check_under_way(state)
    if not value:
        raise RuleError("Turns are counted from 1.")
    return replace(state, turn=value)


def _write_phase(state: FrontierTable, target: str, value: str | None) -> FrontierTable:  # noqa: ARG001 – there is one table
    """Another phase of this turn, where the table went on without the companion; nobody attacks yet in it."""
    _check_under_way(state)
    if value not in PHASES:
        raise RuleError(f"The phase is {', '.join(PHASES)}, not “{value}” (R3.3).")
    resolution = Resolution(state)
    call_off(resolution)
    resolution.change(phase=value, combat="attackers")
    return resolution.state


def _write_active(state: FrontierTable, target: str, value: str | None) -> FrontierTable:  # noqa: ARG001 – there is one table
    """Another turn player, who has neither played an Engine nor attacked yet."""
    player = state.playing(value or "")
    resolution = Resolution(state)
    call_off(resolution)
    resolution.change(active=player.seat, engine_played=False, combat="attackers")
    return resolution.state


def _write_queue(state: FrontierTable, target: str, value: int) -> FrontierTable:  # noqa: ARG001 – there is one table
    """Fewer on the queue: those that came last have left it."""
    if value > len(state.queue):
        raise RuleError(f"{len(state.queue)} wait on the queue; more come by `queue` only (R3.11).")
    resolution = Resolution(state)
    take_off(resolution, len(state.queue) - value)
    return resolution.state


def _write_outcome(state: FrontierTable, target: str, value: str | None) -> FrontierTable:  # noqa: ARG001 – there is one table
    if value is None and state.players and outcome_of(state):
        raise RuleError("Fewer than two players are in the game; `undo`, or give somebody life again (R3.1).")
    if value not in (None, "draw"):
        value = state.playing(value).seat
    return replace(state, outcome=value)


def _due_why(state: FrontierTable, player: Player) -> str:
    return f"{player.hand} − {state.house.max_hand}" if discard_due(state, player.seat) else ""


PlayerGauge = Gauge[FrontierTable, Player]
PermanentGauge = Gauge[FrontierTable, Permanent]
TableGauge = Gauge[FrontierTable, FrontierTable]

SEAT_GAUGES: Final[tuple[PlayerGauge, ...]] = (
    Gauge("life", "Life", lambda _, player: player.life, _seat("life"), big=True),
    Gauge("energy", "Energy", lambda _, player: player.energy, _seat("energy")),
    Gauge("engines", "Engines", lambda _, player: player.engines, _write_engines),
    Gauge("cranked", "Cranked", lambda _, player: player.cranked, _write_cranked),
    Gauge("hand", "Hand", lambda _, player: player.hand, _seat("hand")),
    Gauge("archive", "Archive", lambda _, player: player.archive, _seat("archive")),
    Gauge("graveyard", "Graveyard", lambda _, player: player.graveyard, _seat("graveyard")),
    Gauge("banished", "Banished", lambda _, player: player.banished, _seat("banished"), shown=False),
    Gauge("mulligans", "Mulligans", lambda _, player: player.mulligans, _seat("mulligans"), shown=False),
    Gauge(
        "discard-due", "To discard", lambda state, player: discard_due(state, player.seat), why=_due_why, shown=False
    ),
)

_CRANKED: Final[PermanentGauge] = Gauge(
    "cranked", "Cranked", lambda _, permanent: permanent.cranked, _permanent("cranked"), keeps="yes-no"
)
PERMANENT_GAUGES: Final[tuple[PermanentGauge, ...]] = (_CRANKED,)
CREATURE_GAUGES: Final[tuple[PermanentGauge, ...]] = (
    Gauge("attack", "Attack", lambda _, creature: creature.attack, _permanent("attack")),
    Gauge("defense", "Defense", lambda _, creature: creature.defense, _permanent("defense")),
    Gauge("damage", "Damage", lambda _, creature: creature.damage, _permanent("damage")),
    _CRANKED,
)

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", "Turn", lambda state, _: state.turn, _write_turn),
    Gauge("phase", "Phase", lambda state, _: state.phase, _write_phase, keeps="word"),
    Gauge("active", "Active", lambda state, _: state.active or None, _write_active, keeps="word"),
    Gauge("queue", "Queue", lambda state, _: len(state.queue), _write_queue),
    Gauge("outcome", "Outcome", lambda state, _: state.outcome, _write_outcome, keeps="word"),
)


def gauges_of(permanent: Permanent) -> tuple[PermanentGauge, ...]:
    """The counters that a permanent has."""
    return CREATURE_GAUGES if permanent.creature else PERMANENT_GAUGES


def overwrite(resolution: Resolution, action: Set | Add) -> None:
    """Manual override. Raises RuleError where there is no such target, counter or value."""
    state = resolution.state
    resolution.state = _overwritten(state, action)
    told = f"{action.amount:+d}" if isinstance(action, Add) else action.value
    resolution.tell(f"By hand: {action.target} {action.counter} {told}.")


def _overwritten(state: FrontierTable, action: Set | Add) -> FrontierTable:
    target = action.target
    if target == "table":
        return overwritten(TABLE_GAUGES, state, state, action)
    if any(player.seat == target for player in state.players):
        return overwritten(SEAT_GAUGES, state, state.player(target), action)
    permanent = state.permanent(target)
    return overwritten(gauges_of(permanent), state, permanent, action)
