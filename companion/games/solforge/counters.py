"""SolForge's counters, each once: where it stands in the table, and how people may overwrite it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from companion.games.action import RuleError
from companion.games.counters import Gauge, overwritten, writes_table
from companion.games.lines import Add, Set
from companion.games.solforge import cycle
from companion.games.solforge.batch import verdict
from companion.games.solforge.state import (
    LANES,
    MAX_LEVEL,
    RANK_TURNS,
    Bearer,
    Creature,
    Player,
    Resolution,
    Table,
    armor_left,
)
from companion.games.solforge.turn import PLAYS

PlayerGauge = Gauge[Table, Player]
CreatureGauge = Gauge[Table, Creature]
TableGauge = Gauge[Table, Table]
Write = Callable[[Table, str, Any], Table]


def _bearer(field: str) -> Write:
    """Writes a field of a player or a creature as it is."""

    def write(state: Table, target: str, value: Any) -> Table:
        return _updated(state, target, **{field: value})

    return write


def _updated(state: Table, target: str, **fields: Any) -> Table:
    resolution = Resolution(state)
    resolution.update(state.bearer(target), **fields)
    return resolution.state


def _pile(field: str) -> Write:
    """Writes how many cards lie in a pile."""

    def write(state: Table, target: str, value: int) -> Table:
        return _with_cards(state, target, **{field: value})

    return write


def _with_cards(state: Table, target: str, **fields: Any) -> Table:
    resolution = Resolution(state)
    cycle.keep(resolution, state.player(target), **fields)
    return resolution.state


def _level(level: int) -> PlayerGauge:
    """Cards of one level in deck, hand and discard pile."""

    def write(state: Table, target: str, value: int) -> Table:
        levels = state.player(target).levels
        return _with_cards(state, target, levels=(*levels[: level - 1], value, *levels[level:]))

    return Gauge(f"level{level}", f"Level {level}", lambda _, p: p.levels[level - 1], write)


def _write_rank(state: Table, target: str, value: int) -> Table:
    if value < 1:
        raise RuleError("Ranks count from 1 (R4.9).")
    return _updated(state, target, completed=RANK_TURNS * (value - 1) + state.player(target).turn - 1)


def _write_turn(state: Table, target: str, value: int) -> Table:
    if not 1 <= value <= RANK_TURNS:
        raise RuleError(f"A rank has the turns 1 to {RANK_TURNS} (R4.9); `set {target} rank N` is for the rank.")
    return _updated(state, target, completed=RANK_TURNS * (state.player(target).rank - 1) + value - 1)


def _write_armor(state: Table, target: str, value: int) -> Table:
    """What Armor still prevents this turn; from the next turn on its own number counts again."""
    return _updated(state, target, absorbed=state.bearer(target).keywords.get("armor", 0) - value)


def _write_health(state: Table, target: str, value: int) -> Table:
    """What is left sets the damage; more than the maximum is a new maximum."""
    most = max(state.creature(target).max, value)
    return _updated(state, target, max=most, damage=most - value)


def _write_lane(state: Table, target: str, value: int) -> Table:
    creature = state.creature(target)
    if value not in LANES or state.at(creature.owner, value) not in (None, creature):
        raise RuleError(f"Lane {value} is no empty lane of {state.player(creature.owner).name} (R4.1).")
    return _updated(state, target, lane=value)


def _write_active(state: Table, target: str, value: str | None) -> Table:  # noqa: ARG001 – there is one table
    """It is somebody else's turn, with its plays and its Battle still to come."""
    seat = state.player(value or "").seat
    if not state.turn or seat == state.active:
        return replace(state, active=seat)
    resolution = Resolution(state)
    resolution.update_player(state.active, plays=0)
    resolution.update_player(seat, plays=PLAYS)
    resolution.change(active=seat, fought=False)
    return resolution.state


def _write_turn_number(state: Table, target: str, value: int) -> Table:  # noqa: ARG001 – there is one table
    if not (state.turn and value):
        raise RuleError("Turns count from 1, which `begin` starts (R4.3).")
    return replace(state, turn=value)


def _write_outcome(state: Table, target: str, value: str | None) -> Table:  # noqa: ARG001 – there is one table
    """What the table agrees on; `none` takes that and a concession back."""
    if value not in (None, "draw", *(player.seat for player in state.players)):
        raise RuleError(f"The outcome is a seat, draw or none, not “{value}”.")
    if not state.turn:
        raise RuleError("There is no outcome before `begin`.")
    resolution = Resolution(state)
    resolution.change(agreed=value)
    if value is None:
        for player in state.players:
            resolution.update_player(player.seat, conceded=False)
        if verdict(resolution.state):
            raise RuleError("Somebody has no health left (R4.1); `set SEAT health N` where that is wrong.")
    return resolution.state


def _armor(_: Table, bearer: Bearer) -> int:
    return armor_left(bearer)


def _discard_why(_: Table, player: Player) -> str:
    """What is known of the levels in the discard pile."""
    known = [f"{number} of level {level}" for level, number in enumerate(player.shelved, 1) if number]
    unknown = player.discard - sum(player.shelved)
    return ", ".join((*known, *((f"{unknown} not known",) if unknown and known else ())))


def _most_health(state: Table, player: Player) -> int:
    return max(state.house.start_health, player.health)


PLAYER_GAUGES: Final[tuple[PlayerGauge, ...]] = (
    Gauge("health", "Health", lambda _, p: p.health, _bearer("health"), top=_most_health, big=True),
    Gauge("plays", "Plays", lambda _, p: p.plays, _bearer("plays")),
    Gauge("rank", "Rank", lambda _, p: p.rank, _write_rank),
    Gauge("turn", "Turn in rank", lambda _, p: p.turn, _write_turn, top=lambda *_: RANK_TURNS),
    Gauge("hand", "Hand", lambda _, p: p.hand, _pile("hand")),
    Gauge("deck", "Deck", lambda _, p: p.deck, _pile("deck")),
    Gauge("discard", "Discard", lambda _, p: p.discard, _pile("discard"), why=_discard_why),
    Gauge("removed", "Removed", lambda _, p: p.removed, _pile("removed"), shown=False),
    *(_level(level) for level in range(1, MAX_LEVEL + 1)),
    Gauge("armor", "Armor", _armor, _write_armor, shown=False),
)

CREATURE_GAUGES: Final[tuple[CreatureGauge, ...]] = (
    Gauge("attack", "Attack", lambda _, c: c.attack, _bearer("attack")),
    Gauge("health", "Health", lambda _, c: c.health, _write_health, top=lambda _, c: c.max, big=True),
    Gauge("armor", "Armor", _armor, _write_armor, shown=False),
    Gauge("asleep", "Asleep", lambda _, c: c.asleep, _bearer("asleep"), keeps="yes-no", shown=False),
    Gauge("lane", "Lane", lambda _, c: c.lane, _write_lane, shown=False),
    Gauge("level", "Level", lambda _, c: c.level, _bearer("level"), shown=False),
)

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", "Turn", lambda s, _: s.turn, _write_turn_number),
    Gauge("active", "Active", lambda s, _: s.active or None, _write_active, keeps="word"),
    Gauge("battle", "Battle over", lambda s, _: s.fought, writes_table("fought"), keeps="yes-no", shown=False),
    Gauge("outcome", "Outcome", lambda s, _: s.outcome, _write_outcome, keeps="word", shown=False),
)


def overwrite(resolution: Resolution, action: Set | Add) -> None:
    """`set` and `add`: always allowed, always in the log; who is out is weighed again after it."""
    state, target = resolution.state, action.target
    thing: Any = state if target == "table" else state.bearer(target)
    resolution.state = overwritten(_gauges(thing), state, thing, action)
    change = f"{action.amount:+d}" if isinstance(action, Add) else f"= {action.value}"
    seat = "" if thing is state else thing.owner
    resolution.tell(f"By hand: {target} {action.counter} {change}.", seat)


def _gauges(thing: Table | Bearer) -> Sequence[Gauge[Table, Any]]:
    if isinstance(thing, Player):
        return PLAYER_GAUGES
    return CREATURE_GAUGES if isinstance(thing, Creature) else TABLE_GAUGES
