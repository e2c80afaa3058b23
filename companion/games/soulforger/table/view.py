"""The view of a Soul-Forger table, and its counters for `set`, `add` and `expect`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from companion.games.soulforger.glossary import GLOSSARY
from companion.games.soulforger.rules.attack import deal_damage, is_there, target_name
from companion.games.soulforger.rules.field import is_meant, keyword_reminders, lying_actions
from companion.games.soulforger.rules.flow import drop_top
from companion.games.soulforger.rules.keywords import KEYWORDS, title
from companion.games.soulforger.rules.state import (
    ENDURANCE,
    HAND_LIMIT,
    OPENING_HAND,
    PHASES,
    PLAYING,
    Creature,
    Equipment,
    FieldCard,
    FlowItem,
    OngoingAttack,
    Resolution,
    SoulForgerPlayer,
    SoulForgerTable,
)
from companion.games.soulforger.rules.turn import FIRST_DRAW, MISSED_DRAW, TURN_DRAW
from companion.games.soulforger.table.prompts import prompts
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import flaws
from companion.tabletop.constructed.tracking import WHOLE_TURN, DuelDisplay
from companion.tabletop.table.counters import Gauge, writes, writes_table
from companion.tabletop.table.display import Bearer, counters
from companion.tabletop.table.table import CardWork, Prompt, RoundStep, Thing, Zone
from companion.tabletop.text import quantity, signed_figure

SeatGauge = Gauge[SoulForgerTable, SoulForgerPlayer]
CardGauge = Gauge[SoulForgerTable, FieldCard]
TableGauge = Gauge[SoulForgerTable, SoulForgerTable]


_seat = writes(Resolution, Resolution.update_player)
_card = writes(Resolution, Resolution.update_card)


def _write_material(state: SoulForgerTable, seat: str, value: int) -> SoulForgerTable:
    """Set the number of cards in the Material Zone.

    Additional cards have unknown Ronum. Unknown cards leave first, then the last that came.
    """
    player = state.player(seat)
    kept = player.material[:value]
    resolution = Resolution(state)
    resolution.update_player(seat, material=kept, unknown_material=value - len(kept))
    return resolution.state


def _write_out(state: SoulForgerTable, seat: str, value: bool) -> SoulForgerTable:
    player = state.player(seat)
    if not value and player.damage >= ENDURANCE:
        raise RuleError(f"{player.name} is out by {player.damage} damage (R2.1); set the damage below {ENDURANCE}.")
    return _seat("gone")(state, seat, value)


def _write_guard(state: SoulForgerTable, handle: str, value: str | None) -> SoulForgerTable:
    if value not in ("on", "off"):
        raise RuleError(f"A card's guard is on or off, not “{value or 'none'}”.")
    return _card("guarded")(state, handle, value == "on")


def _write_power(state: SoulForgerTable, handle: str, value: int) -> SoulForgerTable:
    """Set the present Power, as displayed; On- and Off-guard Power change alike (R2.13)."""
    return _card("gain")(state, handle, value - state.card(handle).printed_power)


def _write_phase(state: SoulForgerTable, target: str, value: str | None) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    """Set the phase of the turn after play without the companion. Nothing is readied or drawn."""
    if not state.tracks_all:
        raise RuleError("Nobody walks through phases here (house rule track); `rule track all` does again.")
    if value not in PHASES or state.phase not in PLAYING:
        raise RuleError(f"The phase can be set to {', '.join(PHASES)}, once the first turn has begun.")
    return replace(state, phase=value)


def _write_active(state: SoulForgerTable, target: str, value: str | None) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    player = state.player(value or "none")
    if player.out:
        raise RuleError(f"{player.name} is out of the game and has no turn (R2.1).")
    return replace(state, active=player.seat)


def _write_flow(state: SoulForgerTable, target: str, value: int) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    """Reduce the Flow to a number of effects by removing those on top."""
    if value > len(state.flow):
        raise RuleError(f"The Flow holds {len(state.flow)}; more come by `flow` and `action` (R2.20).")
    resolution = Resolution(state)
    while len(resolution.state.flow) > value:
        drop_top(resolution)
    return resolution.state


def _write_outcome(state: SoulForgerTable, target: str, value: str | None) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    """Set the outcome that the table agreed on. Once all but one are out, that one wins regardless (R2.1)."""
    if value is not None and value != "draw":
        state.player(value)
    return replace(state, agreed=value)


def _why_power(state: SoulForgerTable, card: FieldCard) -> str:  # noqa: ARG001 – the shape of every reading
    printed = f"{card.on}/{card.off} printed"
    return f"{printed}, {signed_figure(card.gain)}" if card.gain else printed


def _creature_field(field: str) -> Callable[[SoulForgerTable, FieldCard], Any]:
    return lambda _, card: getattr(card, field)


SEAT_GAUGES: Final[tuple[SeatGauge, ...]] = (
    Gauge(
        "damage",
        "Damage",
        lambda _, p: p.damage,
        _seat("damage"),
        top=lambda *_: ENDURANCE,
        big=True,
        full="harm",
        life=True,
    ),
    Gauge("level", "Level", lambda _, p: p.level, _seat("level"), big=True),
    Gauge("xp", "XP", lambda _, p: p.xp, _seat("xp")),
    Gauge("ronum", "Ronum", lambda s, p: s.ronum(p.seat), top=lambda _, p: p.level),
    Gauge("limit", "Ronum Limit", lambda _, p: p.level, is_visible=False),
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
    Gauge("out", "Out", lambda _, p: p.out, _write_out, keeps="yes-no", is_visible=False),
    Gauge("discard-due", "To discard", lambda s, p: s.discard_due(p), is_visible=False),
)
"""The gauges of a seat. `ronum`, `limit` and `discard-due` are computed from creatures, level and hand."""

POWER: Final[CardGauge] = Gauge("power", "Power", lambda _, c: c.power, _write_power, why=_why_power)
GUARD: Final[CardGauge] = Gauge("guard", "Guard", lambda _, c: "on" if c.guarded else "off", _write_guard, keeps="word")
CREATURE_GAUGES: Final[tuple[CardGauge, ...]] = (
    Gauge(
        "damage",
        "Damage",
        _creature_field("damage"),
        _card("damage"),
        top=_creature_field("endurance"),
        full="harm",
        life=True,
    ),
    POWER,
    GUARD,
    Gauge("endurance", "Endurance", _creature_field("endurance"), _card("endurance"), is_visible=False),
    Gauge("ronum", "Ronum", _creature_field("ronum"), _card("ronum"), is_visible=False),
    Gauge("xp", "Experience", _creature_field("experience"), _card("experience"), is_visible=False),
)
WEAPON_GAUGES: Final[tuple[CardGauge, ...]] = (POWER, GUARD)
GEAR_GAUGES: Final[tuple[CardGauge, ...]] = (GUARD,)

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", "Turn", lambda s, _: s.turn, writes_table("turn")),
    Gauge("phase", "Phase", lambda s, _: s.phase, _write_phase, "word", is_visible=False, is_position=True),
    Gauge("active", "Turn player", lambda s, _: s.active or None, _write_active, keeps="word", is_position=True),
    Gauge("flow", "On the Flow", lambda s, _: len(s.flow), _write_flow),
    Gauge("outcome", "Outcome", lambda s, _: s.outcome, _write_outcome, keeps="word", is_visible=False),
)


def gauges_of(card: FieldCard) -> tuple[CardGauge, ...]:
    """Return the gauges of a card on the field, by its type."""
    if isinstance(card, Equipment):
        return WEAPON_GAUGES if card.is_weapon else GEAR_GAUGES
    return CREATURE_GAUGES


SLOTS: Final = {"primary": "Primary", "secondary": "Secondary", "armor": "Armor", "accessory": "Accessory"}
"""R2.15: the slots of equipment in display order."""


_SETUP_WORK: Final = (
    "Everybody shuffles the Main Deck; the Forge Deck lies beside it, the gear face down.",
    f"Decide who begins. Everybody draws {OPENING_HAND} cards.",
)
_CARD_WORK: Final[dict[str, tuple[str, ...]]] = {
    "mulligan": ("Once each: put any cards to the bottom, draw as many, shuffle. Then turn the gear up.",),
    "ready": (f"Turn your cards upright (On-guard) and draw {{cards}}; from an empty deck, {MISSED_DRAW} damage.",),
    "quest": ("Put any cards of your hand into the Material Zone, once, and draw as many.",),
    "main1": ("Play creatures, Actions and equipment; what costs Ronum goes from the Material Zone to the graveyard.",),
    "combat": ("Attack with one upright card at a time; the other side may block with one.",),
    "main2": ("Play what you still want to, as in Main 1.",),
    "end": (f"Discard down to {HAND_LIMIT} cards.",),
    WHOLE_TURN: (
        "Cards upright, draw {cards}; Side Quest; play and fight; discard down to "
        f"{HAND_LIMIT}. Say here what damage and levels become.",
    ),
}


class SoulForgerDisplay(DuelDisplay[SoulForgerTable, SoulForgerPlayer]):
    """The display of Soul-Forger; see `companion.tabletop.table.display.Display`."""

    table_gauges = TABLE_GAUGES
    seat_gauges = SEAT_GAUGES
    steps = tuple(RoundStep(*step) for step in GLOSSARY.steps.items())
    cards = ("discard-due",)

    def step_of(self, state: SoulForgerTable) -> str:
        """Return the phase."""
        return state.phase

    def prompts(self, state: SoulForgerTable) -> Iterable[Prompt]:
        """Return the prompts; see `companion.games.soulforger.table.prompts`."""
        return prompts(state)

    def card_work(self, state: SoulForgerTable) -> CardWork:
        """Return the instructions for now (R2.4–R2.9); none once the game is over."""
        if state.outcome or not state.players:
            return CardWork()
        if state.phase == "setup":
            return CardWork(_SETUP_WORK)
        if state.attack is not None:
            return CardWork(
                ("Turn the attacker sideways once the fight is over, and so the blocker: they are Off-guard.",)
            )
        cards = quantity(FIRST_DRAW if state.turn == 1 else TURN_DRAW, "card")
        phases = {phase: tuple(line.format(cards=cards) for line in lines) for phase, lines in _CARD_WORK.items()}
        return CardWork(phases.get(state.phase, ()))

    def hints(self, state: SoulForgerTable) -> Iterator[str]:
        """Yield reminders at the moment they matter; they never refuse an action (R2.27)."""
        if state.phase == "setup":
            yield from map(str, flaws(state))
        if state.outcome or state.phase not in PLAYING:
            return
        if state.flow:
            for card in state.cards.values():
                yield from keyword_reminders(card, "on-flow")
        if state.attack is not None:
            yield from _forecast(state, state.attack)
        for player in state.living():
            if player.deck == 0 and state.counts(player.seat, "deck"):
                yield f"{player.name}'s deck is empty: the next turn that starts so costs 5 damage (R2.25)."

    def zones(self, state: SoulForgerTable) -> Iterator[Zone]:
        """Yield the open attack, and the Flow."""
        if state.attack is not None:
            yield Zone("attack", "Attack", (_attack(state, state.attack),))
        if state.flow:
            things = (_flow_item(state, number, item) for number, item in enumerate(state.flow, 1))
            yield Zone("flow", "The Flow", tuple(things)[::-1])

    def seat_zones(self, state: SoulForgerTable, person: SoulForgerPlayer) -> Iterator[Zone]:
        """Yield creatures, equipment, and Actions in their zones."""
        creatures = tuple(_creature_thing(state, card) for card in state.creatures(person.seat))
        if creatures:
            yield Zone("creatures", "Creatures", creatures)
        worn = sorted(state.equipment(person.seat), key=lambda piece: list(SLOTS).index(piece.slot))
        if worn:
            yield Zone("gear", "Gear", tuple(_piece(state, piece) for piece in worn))
        if person.zone:
            yield Zone("actions", "Actions", tuple(_actions(state, person)))

    def flags(self, state: SoulForgerTable, person: SoulForgerPlayer) -> Iterator[str]:
        """Yield the flags of a player: out, active, or with an Off-guard Primary weapon."""
        if person.out:
            yield "out"
        elif person.seat == state.active:
            yield "active"
        primary = state.weapon(person.seat)
        if primary is not None and not primary.guarded:
            yield "off-guard"

    def bearer(self, state: SoulForgerTable, target: str) -> Bearer:
        """Return a card on the field. Raises RuleError if there is none with this handle."""
        card = state.card(target)
        return Bearer(card, gauges_of(card))


def _attack(state: SoulForgerTable, attack: OngoingAttack) -> Thing:
    """Return a line for the open attack: attacker, target and blocker."""
    target = (
        target_name(state, attack.target) if is_there(state, attack.target) else f"{title(attack.target)} (has left)"
    )
    attacker = state.cards.get(attack.attacker)
    name = attacker.title if attacker else f"{title(attack.attacker)} (has left)"
    notes = [f"blocked by {title(attack.blocker)}"] if attack.blocker in state.cards else []
    notes += ["nobody blocks"] if attack.declined else []
    return Thing("the attack", f"{name} attacks {target}", notes=tuple(notes))


def _flow_item(state: SoulForgerTable, number: int, item: FlowItem) -> Thing:
    notes = ("negated",) if item.negated else ()
    return Thing(f"flow {number}", f"{number}. {item.name} ({state.player(item.seat).name})", notes=notes)


def _creature_thing(state: SoulForgerTable, card: Creature) -> Thing:
    """Return a creature for display, in short `P3 D2/5`: its present Power, and its damage out of its Endurance."""
    is_a = (*(("token",) if card.token else ()), *((f"Ronum {card.ronum}",) if card.ronum or not card.token else ()))
    return _thing(state, card, is_a, f"P{card.power} D{card.damage}/{card.endurance}", ())


def _piece(state: SoulForgerTable, piece: Equipment) -> Thing:
    is_a = ("two-handed",) if piece.hands > 1 else ()
    return _thing(state, piece, is_a, f"P{piece.power}" if piece.is_weapon else "", (SLOTS[piece.slot],))


def _thing(state: SoulForgerTable, card: FieldCard, is_a: tuple[str, ...], brief: str, flags: tuple[str, ...]) -> Thing:
    return Thing(
        card.handle,
        card.title,
        counters(gauges_of(card), state, card),
        (*is_a, *(f"{title(word)}: {KEYWORDS[word].effect}" for word in card.keywords)),
        brief=brief,
        flags=(*flags, *_card_flags(state, card)),
        number=state.numbers.get(card.handle, 0),
    )


def _card_flags(state: SoulForgerTable, card: FieldCard) -> Iterator[str]:
    """Yield the card's part in the open attack, and that it is Off-guard."""
    attack = state.attack
    if attack is not None:
        parts = {attack.target: "attacked", attack.blocker: "blocks", attack.attacker: "attacks"}
        yield from (parts[card.handle],) if card.handle in parts else ()
    if not card.guarded:
        yield "off-guard"


def _actions(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Thing]:
    """Yield the set and Lingering Actions. One that its handle does not find is named by its place."""
    mine = (lying for lying in lying_actions(state) if lying.player is player)
    for number, lying in enumerate(mine, 1):
        lies = "face down" if lying.action.face_down else "Lingering"
        since = (f"since turn {lying.action.turn}",) if lying.action.face_down else ()
        target = lying.handle
        named = not state.is_seat(target) and target not in state.cards and is_meant(state, lying)
        yield Thing(target if named else f"{player.seat}'s action {number}", lying.title, notes=since, flags=(lies,))


def _forecast(state: SoulForgerTable, attack: OngoingAttack) -> Iterator[str]:
    """Yield the result of the fight if it happened now."""
    if attack.attacker not in state.cards or (not is_there(state, attack.target) and attack.blocker not in state.cards):
        return
    trial = Resolution(state)
    deal_damage(trial, attack)
    if trial.tells:
        yield f"If they fight now: {' '.join(str(tell.text) for tell in trial.tells if not tell.by_hand)}"
