"""DecknForge's table as screens see it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.cards import GLYPHS, pretty
from companion.games.decknforge.arithmetic import face, killing_hit, strike
from companion.games.decknforge.counters import BOSS_GAUGES, MINION_GAUGES, SEAT_GAUGES, TABLE_GAUGES
from companion.games.decknforge.inscriptions import INSCRIPTIONS, effects
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.ledger import may_be_in_hand
from companion.games.decknforge.prompts import prompts
from companion.games.decknforge.round import shown_steps
from companion.games.decknforge.state import BOSSES, DungeonTable, Foe, Revealed, Wizard
from companion.games.table import Counter, SeatView, TableView, Thing, Zone

TITLE = "DecknForge"
TUNED = range(3, 6)
"""R1.1: players the rules are tuned for."""


def view(state: DungeonTable) -> TableView:
    """Everything there is to show of a table."""
    return TableView(
        "decknforge",
        TITLE,
        counters=tuple(gauge.counter(state, state) for gauge in TABLE_GAUGES),
        zones=tuple(_zones(state)),
        seats=tuple(_seat(state, wizard) for wizard in state.wizards),
        steps=shown_steps(state.step),
        step=state.step,
        prompts=prompts(state),
        hints=tuple(_hints(state)),
        rules=state.house.changed(),
        outcome=state.outcome,
    )


def _zones(state: DungeonTable) -> Iterator[Zone]:
    if state.boss is not None:
        counters = tuple(gauge.counter(state, state.boss) for gauge in BOSS_GAUGES)
        title = f"Boss {state.number} of {BOSSES} · {state.monster_title(state.boss.ref)}"
        yield Zone("boss", "Boss", (_foe(state, state.boss, "boss", title, counters),))
    if state.minions:
        yield Zone("minions", "Minions", tuple(_minion(state, minion) for minion in state.minions))


def _minion(state: DungeonTable, minion: Foe) -> Thing:
    counters = tuple(gauge.counter(state, minion) for gauge in MINION_GAUGES)
    return _foe(state, minion, f"minion {minion.ref}", state.monster_title(minion.ref), counters)


def _foe(state: DungeonTable, foe: Foe, target: str, title: str, counters: tuple[Counter, ...]) -> Thing:
    notes = tuple(f"{worn.label}: {LABELS[worn.label].effect}" for worn in foe.worn)
    return Thing(target, title, counters, notes, legend=state.monsters[foe.ref].legend)


def _seat(state: DungeonTable, wizard: Wizard) -> SeatView:
    counters = tuple(gauge.counter(state, wizard) for gauge in SEAT_GAUGES)
    return SeatView(
        wizard.seat,
        wizard.name,
        state.bands[wizard.seat].name,
        counters,
        zones=tuple(_seat_zones(state, wizard)),
        flags=tuple(_flags(state, wizard)),
    )


def _seat_zones(state: DungeonTable, wizard: Wizard) -> Iterator[Zone]:
    shown = state.cards_of(wizard.seat)
    if shown:
        yield Zone("revealed", "Revealed", tuple(_revealed(state, card) for card in shown))
    if wizard.held:
        held = tuple(
            Thing(
                f"{wizard.seat}'s {card}",
                pretty(card),
                notes=tuple(
                    f"{name}: {INSCRIPTIONS[name].effect}" for name in state.bands[wizard.seat].inscribed.get(card, ())
                ),
            )
            for card in wizard.held
        )
        yield Zone("held", "Holds", held)


def _revealed(state: DungeonTable, shown: Revealed) -> Thing:
    value = Counter("value", face(state, shown), "F", settable=False)
    notes = [effect.name for effect in effects(state, shown.owner, shown.card)]
    notes += [f"Spike ×{shown.spikes}"] if shown.spikes else []
    notes += [f"Foil ×{shown.foils}"] if shown.foils else []
    notes += [f"Converts as {GLYPHS[shown.converts]}"] if shown.converts else []
    notes += [f"at {state.monster_title(shown.target)}"] if shown.target else []
    return Thing(f"{shown.owner}'s {shown.card}", shown.title, (value,), tuple(notes))


def _flags(state: DungeonTable, wizard: Wizard) -> Iterator[str]:
    if wizard.seat == state.active:
        yield "active"
    if not wizard.in_fight:
        yield "out"
    if wizard.braced:
        yield "braced"
    if wizard.skips_plot:
        yield "skips Plot"
    if wizard.label_risk:
        yield "label risk"


def _hints(state: DungeonTable) -> Iterator[str]:
    """Forecasts and warnings: hints, never force."""
    if state.step == "setup":
        if state.wizards and len(state.wizards) not in TUNED:
            yield f"The rules are tuned for 3 to 5 wizards, and here {_sit(len(state.wizards))} (A1.1)."
        return
    if state.round == 1 and state.step in ("labels", "reveal") and not state.revealed:
        fought = "".join(f" {ref}" for ref in state.order[: state.number - 1])
        yield f"Did the table flip another Boss? `bosses{fought} REF` says which."
    if state.step in ("tactics", "declare", "damage"):
        yield from _forecast(state)
    if state.step in ("attack", "minions"):
        yield from _hand_hints(state)
    if state.step == "kill" and state.house.kill_bonus_timing == "immediate":
        yield "Rally and Surge act before everybody goes to 20 HP and 12 cards (A1.16): Momentum is worth most."
    for wizard in state.fighting():
        if wizard.deck == 0 and state.step in ("minions", "refill", "attack"):
            yield f"{wizard.name}'s deck is empty: after this Refill there is no Plot for them (R1.31)."


def _sit(wizards: int) -> str:
    return "sits one" if wizards == 1 else f"sit {wizards}"


def _forecast(state: DungeonTable) -> Iterator[str]:
    """What would happen if damage fell now, and who would take the kill."""
    if state.boss is None:
        return
    struck = strike(state, state.boss)
    left = max(0, state.boss.hp - struck.total)
    if struck.kills:
        killer = state.wizard(killing_hit(state, struck).shown.controller).name
        yield f"Now: {struck.told()} kills the Boss, overkill {struck.overkill}; {killer} would take the kill."
    else:
        yield f"Now: {struck.told()} damage, Boss {state.boss.hp} → {left}."


def _hand_hints(state: DungeonTable) -> Iterator[str]:
    """Cards that would matter now if they were in hand, and nobody has said so."""
    for wizard in state.fighting():
        for name, effect in INSCRIPTIONS.items():
            if effect.thorns or effect.rescues or effect.hand_face:
                for card in may_be_in_hand(state, wizard.seat, name):
                    if card not in wizard.held:
                        yield f"{wizard.name}: if {pretty(card)} ({name}) is in hand, say `hold {wizard.seat} {card}`."
