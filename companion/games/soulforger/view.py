"""Soul-Forger's table as screens see it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from companion.games import counters
from companion.games.soulforger.attack import called, is_there
from companion.games.soulforger.counters import SEAT_GAUGES, TABLE_GAUGES, gauges_of
from companion.games.soulforger.field import action_called, action_handle
from companion.games.soulforger.fight import deal_damage
from companion.games.soulforger.keywords import KEYWORDS, Moment, title
from companion.games.soulforger.prompts import prompts
from companion.games.soulforger.reminders import reminders
from companion.games.soulforger.state import (
    PHASES,
    Attack,
    Creature,
    Equipment,
    FieldCard,
    FlowItem,
    Player,
    Resolution,
    Table,
)
from companion.games.soulforger.turn import TITLES
from companion.games.table import Counter, RoundStep, SeatView, TableView, Thing, Zone

TITLE: Final = "Soul-Forger"
STEPS: Final = tuple(RoundStep(phase, TITLES[phase]) for phase in PHASES)
SLOTS: Final = {"primary": "Primary", "secondary": "Secondary", "armor": "Armor", "accessory": "Accessory"}
"""R2.15: the slots of equipment, in the order in which they are shown."""


def view(state: Table) -> TableView:
    """Everything there is to show of a table."""
    return TableView(
        "soulforger",
        TITLE,
        counters=tuple(gauge.counter(state, state) for gauge in TABLE_GAUGES),
        zones=tuple(_zones(state)),
        seats=tuple(_seat(state, player) for player in state.players),
        steps=STEPS,
        step=state.phase,
        prompts=prompts(state),
        hints=tuple(_hints(state)),
        rules=state.house.changed(),
        outcome=state.outcome,
    )


def counters_of(state: Table, target: str) -> tuple[Counter, ...] | None:
    """The counters of one target, without all else that a table shows."""
    zones = chain(_zones(state), chain.from_iterable(_seat_zones(state, player) for player in state.players))
    things = (thing for zone in zones for thing in zone.things)
    return counters.counters_of(state, target, TABLE_GAUGES, (state.players, SEAT_GAUGES), things)


def _zones(state: Table) -> Iterator[Zone]:
    if state.attack is not None:
        yield Zone("attack", "Attack", (_attack(state, state.attack),))
    if state.flow:
        things = (_flow_item(state, number, item) for number, item in enumerate(state.flow, 1))
        yield Zone("flow", "The Flow", tuple(things)[::-1])


def _attack(state: Table, attack: Attack) -> Thing:
    """Who attacks whom, and who blocks: one line of what the fight will be between."""
    target = called(state, attack.target) if is_there(state, attack.target) else f"{title(attack.target)} (has left)"
    notes = [f"blocked by {title(attack.blocker)}"] if attack.blocker in state.cards else []
    notes += ["nobody blocks"] if attack.declined else []
    return Thing("the attack", f"{state.cards[attack.attacker].title} attacks {target}", notes=tuple(notes))


def _flow_item(state: Table, number: int, item: FlowItem) -> Thing:
    notes = ("negated",) if item.negated else ()
    return Thing(f"flow {number}", f"{number}. {item.name} ({state.player(item.seat).name})", notes=notes)


def _seat(state: Table, player: Player) -> SeatView:
    return SeatView(
        player.seat,
        player.name,
        counters=tuple(gauge.counter(state, player) for gauge in SEAT_GAUGES),
        zones=tuple(_seat_zones(state, player)),
        flags=tuple(_flags(state, player)),
    )


def _seat_zones(state: Table, player: Player) -> Iterator[Zone]:
    creatures = tuple(_creature(state, card) for card in state.creatures(player.seat))
    if creatures:
        yield Zone("creatures", "Creatures", creatures)
    worn = sorted(state.equipment(player.seat), key=lambda piece: list(SLOTS).index(piece.slot))
    if worn:
        yield Zone("gear", "Gear", tuple(_piece(state, piece) for piece in worn))
    if player.zone:
        yield Zone("actions", "Actions", tuple(_actions(state, player)))


def _creature(state: Table, card: Creature) -> Thing:
    """`P3 D2/5`: its Power now, and its damage of its Endurance."""
    is_a = "token" if card.token else f"Ronum {card.ronum}"
    return _thing(state, card, (is_a,), f"P{card.power} D{card.damage}/{card.endurance}", ())


def _piece(state: Table, piece: Equipment) -> Thing:
    is_a = ("two-handed",) if piece.hands > 1 else ()
    return _thing(state, piece, is_a, f"P{piece.power}" if piece.is_weapon else "", (SLOTS[piece.slot],))


def _thing(state: Table, card: FieldCard, is_a: tuple[str, ...], brief: str, flags: tuple[str, ...]) -> Thing:
    return Thing(
        card.handle,
        card.title,
        tuple(gauge.counter(state, card) for gauge in gauges_of(card)),
        (*is_a, *(f"{title(word)}: {KEYWORDS[word].effect}" for word in card.keywords)),
        brief=brief,
        flags=(*flags, *_card_flags(state, card)),
    )


def _card_flags(state: Table, card: FieldCard) -> Iterator[str]:
    """What it does in the open attack, and that it is Off-guard."""
    attack = state.attack
    if attack is not None:
        parts = {attack.target: "attacked", attack.blocker: "blocks", attack.attacker: "attacks"}
        yield from (parts[card.handle],) if card.handle in parts else ()
    if not card.guarded:
        yield "off-guard"


def _actions(state: Table, player: Player) -> Iterator[Thing]:
    """Set and Lingering Actions; one that no word of its own leads to is shown by its place alone."""
    for number, action in enumerate(player.zone, 1):
        lies = "face down" if action.face_down else "Lingering"
        since = (f"since turn {action.turn}",) if action.face_down else ()
        target = action_handle(action)
        named = not state.seated(target) and target not in state.cards and action_called(state, target) is action
        yield Thing(target if named else f"{player.seat}'s action {number}", action.name, notes=since, flags=(lies,))


def _flags(state: Table, player: Player) -> Iterator[str]:
    if player.out:
        yield "out"
    elif player.seat == state.active:
        yield "active"
    primary = state.weapon(player.seat)
    if primary is not None and not primary.guarded:
        yield "off-guard"


def _hints(state: Table) -> Iterator[str]:
    """Reminders at the moment when they matter: hints, never force (R2.27)."""
    if state.outcome or state.phase not in PHASES:
        return
    if state.flow:
        yield from _reminders(state, "on-flow")
    if state.attack is not None:
        yield from _forecast(state, state.attack)
    for player in state.living():
        if player.deck == 0:
            yield f"{player.name}'s deck is empty: the next turn that starts so costs 5 damage (R2.25)."


def _reminders(state: Table, moment: Moment) -> Iterator[str]:
    """The keywords on the field that matter at a moment."""
    for card in state.cards.values():
        yield from reminders(card, moment)


def _forecast(state: Table, attack: Attack) -> Iterator[str]:
    """What would happen if the fight were now."""
    if not is_there(state, attack.target) and attack.blocker not in state.cards:
        return
    trial = Resolution(state)
    deal_damage(trial, attack)
    if trial.tells:
        yield f"If they fight now: {' '.join(tell.text for tell in trial.tells if not tell.by_hand)}"
