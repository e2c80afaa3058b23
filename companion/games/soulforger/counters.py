"""Soul-Forger's counters, each once: where it stands in the table, and how people may overwrite it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from companion.games.action import RuleError
from companion.games.counters import Gauge, overwritten, writes
from companion.games.lines import Add, Set
from companion.games.soulforger.flow import drop_top
from companion.games.soulforger.state import ENDURANCE, PHASES, Equipment, FieldCard, Player, Resolution, Table

SeatGauge = Gauge[Table, Player]
CardGauge = Gauge[Table, FieldCard]
TableGauge = Gauge[Table, Table]


_seat = writes(Resolution, Resolution.update_player)
_card = writes(Resolution, Resolution.update_card)


def _write_material(state: Table, seat: str, value: int) -> Table:
    """More cards are of a Ronum that nobody has named; of fewer, those leave first, then the last that came."""
    player = state.player(seat)
    known = player.material[:value]
    res = Resolution(state)
    res.update_player(seat, material=known, unknown_material=value - len(known))
    return res.state


def _write_out(state: Table, seat: str, value: bool) -> Table:
    player = state.player(seat)
    if not value and player.damage >= ENDURANCE:
        raise RuleError(f"{player.name} is out by {player.damage} damage (R2.1); set the damage below {ENDURANCE}.")
    return _seat("gone")(state, seat, value)


def _write_guard(state: Table, handle: str, value: str | None) -> Table:
    if value not in ("on", "off"):
        raise RuleError(f"A card's guard is on or off, not “{value or 'none'}”.")
    return _card("guarded")(state, handle, value == "on")


def _write_power(state: Table, handle: str, value: int) -> Table:
    """The Power used now is what people see; On- and Off-guard Power change alike (R2.13)."""
    return _card("gain")(state, handle, value - state.card(handle).printed)


def _write_phase(state: Table, target: str, value: str | None) -> Table:  # noqa: ARG001 – there is one table
    """Another phase of the turn, where the table went on without the companion: nothing is readied or drawn."""
    if value not in PHASES or state.phase not in PHASES:
        raise RuleError(f"The phase can be set to {', '.join(PHASES)}, once the first turn has begun.")
    return replace(state, phase=value)


def _write_turn(state: Table, target: str, value: int) -> Table:  # noqa: ARG001 – there is one table
    return replace(state, turn=value)


def _write_active(state: Table, target: str, value: str | None) -> Table:  # noqa: ARG001 – there is one table
    player = state.player(value or "none")
    if player.out:
        raise RuleError(f"{player.name} is out of the game and has no turn (R2.1).")
    return replace(state, active=player.seat)


def _write_flow(state: Table, target: str, value: int) -> Table:  # noqa: ARG001 – there is one table
    """Fewer effects on the Flow: those on top have left it."""
    if value > len(state.flow):
        raise RuleError(f"The Flow holds {len(state.flow)}; more come by `flow` and `action` (R2.20).")
    res = Resolution(state)
    while len(res.state.flow) > value:
        drop_top(res)
    return res.state


def _write_outcome(state: Table, target: str, value: str | None) -> Table:  # noqa: ARG001 – there is one table
    """What the table agreed on; as soon as all but one are out, that one has won whatever stands here (R2.1)."""
    if value is not None and value != "draw":
        state.player(value)
    return replace(state, agreed=value)


def _why_power(state: Table, card: FieldCard) -> str:  # noqa: ARG001 – the shape of every reading
    printed = f"{card.on}/{card.off} printed"
    return f"{printed}, {card.gain:+d}" if card.gain else printed


def _creature(field: str) -> Callable[[Table, FieldCard], Any]:
    return lambda _, card: getattr(card, field)


SEAT_GAUGES: Final[tuple[SeatGauge, ...]] = (
    Gauge("damage", "Damage", lambda _, p: p.damage, _seat("damage"), top=lambda *_: ENDURANCE, big=True, harm=True),
    Gauge("level", "Level", lambda _, p: p.level, _seat("level"), big=True),
    Gauge("xp", "XP", lambda _, p: p.xp, _seat("xp")),
    Gauge("ronum", "Ronum", lambda s, p: s.ronum(p.seat), top=lambda _, p: p.level),
    Gauge("limit", "Ronum Limit", lambda _, p: p.level, shown=False),
    Gauge("hand", "Hand", lambda _, p: p.hand, _seat("hand")),
    Gauge("deck", "Deck", lambda _, p: p.deck, _seat("deck")),
    Gauge("graveyard", "Graveyard", lambda _, p: p.graveyard, _seat("graveyard")),
    Gauge(
        "material",
        "Material",
        lambda _, p: len(p.material) + p.unknown_material,
        _write_material,
        why=lambda _, p: " + ".join([*map(str, p.material), *["?"] * p.unknown_material]),
    ),
    Gauge("out", "Out", lambda _, p: p.out, _write_out, keeps="yes-no", shown=False),
    Gauge("discard-due", "To discard", lambda s, p: s.discard_due(p), shown=False),
)
"""`ronum`, `limit` and `discard-due` follow from creatures, level and hand."""

POWER: Final[CardGauge] = Gauge("power", "Power", lambda _, c: c.power, _write_power, why=_why_power)
GUARD: Final[CardGauge] = Gauge("guard", "Guard", lambda _, c: "on" if c.guarded else "off", _write_guard, keeps="word")
CREATURE_GAUGES: Final[tuple[CardGauge, ...]] = (
    Gauge("damage", "Damage", _creature("damage"), _card("damage"), top=_creature("endurance"), harm=True),
    POWER,
    GUARD,
    Gauge("endurance", "Endurance", _creature("endurance"), _card("endurance"), shown=False),
    Gauge("ronum", "Ronum", _creature("ronum"), _card("ronum"), shown=False),
    Gauge("xp", "Experience", _creature("experience"), _card("experience"), shown=False),
)
WEAPON_GAUGES: Final[tuple[CardGauge, ...]] = (POWER, GUARD)
GEAR_GAUGES: Final[tuple[CardGauge, ...]] = (GUARD,)

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", "Turn", lambda s, _: s.turn, _write_turn),
    Gauge("phase", "Phase", lambda s, _: s.phase, _write_phase, keeps="word", shown=False),
    Gauge("active", "Turn player", lambda s, _: s.active or None, _write_active, keeps="word"),
    Gauge("flow", "On the Flow", lambda s, _: len(s.flow), _write_flow),
    Gauge("outcome", "Outcome", lambda s, _: s.outcome, _write_outcome, keeps="word", shown=False),
)


def gauges_of(card: FieldCard) -> tuple[CardGauge, ...]:
    """The counters of a card on the field, by what it is."""
    if isinstance(card, Equipment):
        return WEAPON_GAUGES if card.is_weapon else GEAR_GAUGES
    return CREATURE_GAUGES


def overwrite(res: Resolution, action: Set | Add) -> None:
    """`set` and `add`: always allowed, always in the log."""
    state, target = res.state, action.target
    if target == "table":
        res.state = overwritten(TABLE_GAUGES, state, state, action)
    elif state.seated(target):
        res.state = overwritten(SEAT_GAUGES, state, state.player(target), action)
    else:
        card = state.card(target)
        res.state = overwritten(gauges_of(card), state, card, action)
    change = f"{action.amount:+d}" if isinstance(action, Add) else f"= {action.value}"
    res.tell(f"By hand: {target} {action.counter} {change}.", target if state.seated(target) else "")
