"""DecknForge's table as screens see it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.games import counters
from companion.games.cards import GLYPHS, pretty
from companion.games.decknforge import draft_order
from companion.games.decknforge.arithmetic import face, killing_hit, strike
from companion.games.decknforge.counters import BOSS_GAUGES, MINION_GAUGES, SEAT_GAUGES, TABLE_GAUGES
from companion.games.decknforge.effect import Inscription
from companion.games.decknforge.fight import deck_is_empty, is_under_way
from companion.games.decknforge.inscriptions import effects
from companion.games.decknforge.ledger import may_be_in_hand
from companion.games.decknforge.prompts import prompts
from companion.games.decknforge.record import NAME, TITLE
from companion.games.decknforge.round import AFTER_STEPS, shown_steps
from companion.games.decknforge.state import BOSSES, DungeonTable, Foe, Revealed, Wizard, listed
from companion.games.reasons import Reason
from companion.games.table import Counter, SeatView, TableView, Thing, Zone

TUNED = range(3, 6)
"""R1.1: players the rules are tuned for."""


def view(state: DungeonTable) -> TableView:
    """Everything there is to show of a table."""
    return TableView(
        NAME,
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
        standing=tuple(_standing(state)),
        closing=state.step in AFTER_STEPS,
    )


def counters_of(state: DungeonTable, target: str) -> tuple[Counter, ...] | None:
    """The counters of one target, without all else that a table shows."""
    zones = chain(_zones(state), chain.from_iterable(_seat_zones(state, wizard) for wizard in state.wizards))
    things = (thing for zone in zones for thing in zone.things)
    return counters.counters_of(state, target, TABLE_GAUGES, (state.wizards, SEAT_GAUGES), things)


def _standing(state: DungeonTable) -> Iterator[Reason]:
    """Where a dungeon stands, for a list: the Boss and the round, or what follows the last fight."""
    if state.outcome:
        yield Reason("outcome", (state.outcome,))
        return
    if state.boss is not None:
        seat, _, card = state.boss.ref.partition(":")
        yield Reason("boss", (state.number, state.monsters[state.boss.ref].name, card, state.wizard(seat).name))
    if state.round:
        yield Reason("round", (state.round,))
    if state.step != "setup":
        yield Reason("step", (state.step,))


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
    notes = tuple(f"{worn.label}: {state.book.labels[worn.label].effect}" for worn in foe.worn)
    return Thing(target, title, counters, notes, starred=state.monsters[foe.ref].legend)


def _seat(state: DungeonTable, wizard: Wizard) -> SeatView:
    counters = tuple(gauge.counter(state, wizard) for gauge in SEAT_GAUGES)
    return SeatView(
        wizard.seat,
        wizard.name,
        _decks(state, wizard),
        counters,
        zones=tuple(_seat_zones(state, wizard)),
        flags=tuple(_flags(state, wizard)),
    )


def _decks(state: DungeonTable, wizard: Wizard) -> str:
    """The band that a wizard brought, and the one that they hold since the draft, where that is another."""
    brought = state.bands[wizard.seat].name
    return brought if wizard.holds in ("", wizard.seat) else f"{brought} → {draft_order.deck_of(state, wizard.holds)}"


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
                    f"{name}: {state.book.inscriptions[name].effect}"
                    for name in state.bands[wizard.seat].inscribed.get(card, ())
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
        yield "waits" if wizard.late == "waits" and not wizard.left else "out"
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
        if state.order:
            yield f"Flipped first: {', '.join(map(state.monster_title, state.order))}; `bosses REF…` says otherwise."
        return
    yield from _after_hints(state)
    if not is_under_way(state):
        yield from _hints_at_the_flip(state)
    if state.step in ("tactics", "declare", "damage"):
        yield from _forecast(state)
    yield from _hand_hints(state)
    if state.step == "kill" and state.number < BOSSES and state.house.kill_bonus_timing == "immediate":
        yield "Rally and Surge act before everybody goes to 20 HP and 12 cards (A1.16): Momentum is worth most."
    for wizard in state.fighting():
        if deck_is_empty(state, wizard) and state.step in ("minions", "refill", "attack"):
            yield f"{wizard.name}'s deck is empty: after this Refill there is no Plot for them (R1.31)."


def _hints_at_the_flip(state: DungeonTable) -> Iterator[str]:
    """What may be said only before a fight: which Boss it is, unless the table has named it, and who is there."""
    if state.number > state.named:
        fought = "".join(f" {ref}" for ref in state.order[: state.number - 1])
        yield f"Did the table flip another Boss? `bosses{fought} REF` says which."
    if state.number > 1:
        yield "Has somebody come, or must go? `join SEAT` and `concede SEAT` say so."


def _after_hints(state: DungeonTable) -> Iterator[str]:
    """Who is not there for what follows the last fight, and in which order decks are picked."""
    if state.step in ("fading", "drifting") and (gone := [wizard.name for wizard in state.wizards if wizard.left]):
        yield f"Gone early: {listed(gone)}. Whoever is here draws and picks for them."
    if state.step == "drifting":
        yield from (f"{why}." for why in draft_order.why_in_this_order(state))


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
    """Cards that would matter now if they were in hand, and nobody has said so.

    What raises F does so from the Reveal on, as it decides damage and the Killer (R1.40, R1.50); the rest waits for
    the attacks.
    """
    attacked = state.step in ("attack", "minions")
    if not attacked and state.step not in ("reveal", "tactics", "declare", "damage"):
        return

    def matters(effect: Inscription) -> bool:
        return effect.hand_face > 0 or (attacked and (effect.thorns > 0 or effect.rescues))

    for wizard in state.fighting():
        for card in may_be_in_hand(state, wizard.seat, matters) if attacked or state.cards_of(wizard.seat) else ():
            if card not in wizard.held:
                names = listed(effect.name for effect in effects(state, wizard.seat, card) if matters(effect))
                yield f"{wizard.name}: if {pretty(card)} ({names}) is in hand, say `hold {wizard.seat} {card}`."
