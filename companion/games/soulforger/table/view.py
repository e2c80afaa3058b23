"""The view of a Soul-Forger table, and its counters for `set`, `add` and `expect`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from companion.games.soulforger.glossary import GLOSSARY
from companion.games.soulforger.rules.attack import deal_damage, is_there, target_name
from companion.games.soulforger.rules.field import is_meant, keyword_reminders, lying_actions
from companion.games.soulforger.rules.flow import drop_top
from companion.games.soulforger.rules.keywords import KEYWORDS, SoulForgerKeyword, title
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
from companion.tabletop.table.table import CardWork, Explanation, Prompt, RoundStep, Thing, Zone
from templates.languages.messages import Message, Text, joined, listed, phrase, phrase_in, phrases, signed

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
        raise RuleError(
            phrase(
                "{player} is out with {damage} damage (R2.1); set the damage below {endurance}.",
                player=player.name,
                damage=player.damage,
                endurance=ENDURANCE,
            )
        )
    return _seat("gone")(state, seat, value)


def _write_guard(state: SoulForgerTable, handle: str, value: str | None) -> SoulForgerTable:
    if value not in ("on", "off"):
        raise RuleError(phrase("A card's guard is on or off, not “{word}”.", word=value or "none"))
    return _card("guarded")(state, handle, value == "on")


def _write_power(state: SoulForgerTable, handle: str, value: int) -> SoulForgerTable:
    """Set the present Power, as displayed; On- and Off-guard Power change alike (R2.13)."""
    return _card("gain")(state, handle, value - state.card(handle).printed_power)


def _write_phase(state: SoulForgerTable, target: str, value: str | None) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    """Set the phase of the turn after play without the companion. Nothing is readied or drawn."""
    if not state.tracks_all:
        raise RuleError(phrase("Phases are not tracked here (house rule track); `rule track all` tracks them again."))
    if value not in PHASES or state.phase not in PLAYING:
        raise RuleError(
            phrase("The phase can be set to {phases}, once the first turn has begun.", phases=listed(PHASES))
        )
    return replace(state, phase=value)


def _write_active(state: SoulForgerTable, target: str, value: str | None) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    player = state.player(value or "none")
    if player.out:
        raise RuleError(phrase("{player} is out of the game and has no turn (R2.1).", player=player.name))
    return replace(state, active=player.seat)


def _write_flow(state: SoulForgerTable, target: str, value: int) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    """Reduce the Flow to a number of effects by removing those on top."""
    if value > len(state.flow):
        raise RuleError(
            phrase("The Flow holds {effects}; `flow` and `action` add more (R2.20).", effects=len(state.flow))
        )
    resolution = Resolution(state)
    while len(resolution.state.flow) > value:
        drop_top(resolution)
    return resolution.state


def _write_outcome(state: SoulForgerTable, target: str, value: str | None) -> SoulForgerTable:  # noqa: ARG001 – there is one table
    """Set the outcome that the table agreed on. Once all but one are out, that one wins regardless (R2.1)."""
    if value is not None and value != "draw":
        state.player(value)
    return replace(state, agreed=value)


def _why_power(state: SoulForgerTable, card: FieldCard) -> Text:  # noqa: ARG001 – the shape of every reading
    printed = phrase("{on}/{off} printed", on=card.on, off=card.off)
    return listed((printed, signed(card.gain))) if card.gain else printed


def _creature_field(field: str) -> Callable[[SoulForgerTable, FieldCard], Any]:
    return lambda _, card: getattr(card, field)


SEAT_GAUGES: Final[tuple[SeatGauge, ...]] = (
    Gauge(
        "damage",
        phrase("Damage"),
        lambda _, p: p.damage,
        _seat("damage"),
        top=lambda *_: ENDURANCE,
        big=True,
        full="harm",
        life=True,
    ),
    Gauge("level", phrase("Level"), lambda _, p: p.level, _seat("level"), big=True),
    Gauge("xp", phrase("XP"), lambda _, p: p.xp, _seat("xp")),
    Gauge("ronum", phrase("Ronum"), lambda s, p: s.ronum(p.seat), top=lambda _, p: p.level),
    Gauge("limit", phrase("Ronum Limit"), lambda _, p: p.level, is_visible=False),
    Gauge("hand", phrase("Hand"), lambda _, p: p.hand, _seat("hand")),
    Gauge("deck", phrase("Deck"), lambda _, p: p.deck, _seat("deck")),
    Gauge("graveyard", phrase("Graveyard"), lambda _, p: p.graveyard, _seat("graveyard")),
    Gauge(
        "material",
        phrase("Material"),
        lambda _, p: len(p.material) + p.unknown_material,
        _write_material,
        why=lambda _, p: joined(" + ", (*p.material, *["?"] * p.unknown_material)),
    ),
    Gauge("out", phrase("Out"), lambda _, p: p.out, _write_out, keeps="yes-no", is_visible=False),
    Gauge("discard-due", phrase("To discard"), lambda s, p: s.discard_due(p), is_visible=False),
)
"""The gauges of a seat. `ronum`, `limit` and `discard-due` are computed from creatures, level and hand."""

POWER: Final[CardGauge] = Gauge("power", phrase("Power"), lambda _, c: c.power, _write_power, why=_why_power)
GUARD: Final[CardGauge] = Gauge(
    "guard", phrase("Guard"), lambda _, c: "on" if c.guarded else "off", _write_guard, keeps="word"
)
CREATURE_GAUGES: Final[tuple[CardGauge, ...]] = (
    Gauge(
        "damage",
        phrase("Damage"),
        _creature_field("damage"),
        _card("damage"),
        top=_creature_field("endurance"),
        full="harm",
        life=True,
    ),
    POWER,
    GUARD,
    Gauge("endurance", phrase("Endurance"), _creature_field("endurance"), _card("endurance"), is_visible=False),
    Gauge("ronum", phrase("Ronum"), _creature_field("ronum"), _card("ronum"), is_visible=False),
    Gauge("xp", phrase("Experience"), _creature_field("experience"), _card("experience"), is_visible=False),
)
WEAPON_GAUGES: Final[tuple[CardGauge, ...]] = (POWER, GUARD)
GEAR_GAUGES: Final[tuple[CardGauge, ...]] = (GUARD,)

_PHASE_WORDS: Final[Mapping[str, Message]] = {
    # Translators: The phases of a turn as values of a figure: “Phase: main1”.
    "mulligan": phrase_in("phase", "mulligan"),
    "ready": phrase_in("phase", "ready"),
    "quest": phrase_in("phase", "quest"),
    "main1": phrase_in("phase", "main1"),
    "combat": phrase_in("phase", "combat"),
    "main2": phrase_in("phase", "main2"),
    "end": phrase_in("phase", "end"),
    WHOLE_TURN: phrase_in("phase", "turn"),
}

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", phrase("Turn"), lambda s, _: s.turn, writes_table("turn")),
    Gauge(
        "phase",
        phrase("Phase"),
        lambda s, _: s.phase,
        _write_phase,
        "word",
        is_visible=False,
        is_position=True,
        titles=_PHASE_WORDS,
    ),
    Gauge(
        "active", phrase("Turn player"), lambda s, _: s.active or None, _write_active, keeps="word", is_position=True
    ),
    Gauge("flow", phrase("On the Flow"), lambda s, _: len(s.flow), _write_flow),
    Gauge("outcome", phrase("Outcome"), lambda s, _: s.outcome, _write_outcome, keeps="word", is_visible=False),
)


def gauges_of(card: FieldCard) -> tuple[CardGauge, ...]:
    """Return the gauges of a card on the field, by its type."""
    if isinstance(card, Equipment):
        return WEAPON_GAUGES if card.is_weapon else GEAR_GAUGES
    return CREATURE_GAUGES


SLOTS: Final[dict[str, Message]] = {
    "primary": phrase_in("slot", "Primary"),
    "secondary": phrase_in("slot", "Secondary"),
    "armor": phrase_in("slot", "Armor"),
    "accessory": phrase_in("slot", "Accessory"),
}
"""R2.15: the slots of equipment in display order."""


_SETUP_WORK: Final = (
    phrase("Everybody shuffles the Main Deck; the Forge Deck lies beside it, the gear face down."),
    phrase("Decide who begins. Everybody draws {cards} cards.", cards=OPENING_HAND),
)
_CARD_WORK: Final[dict[str, tuple[Message, ...]]] = {
    "mulligan": (
        phrase(
            "Each player, once: put any cards on the bottom, draw as many, and shuffle. Then turn the gear face up."
        ),
    ),
    "quest": (phrase("Once, put any cards from your hand into the Material Zone, and draw as many."),),
    "main1": (
        phrase(
            "Play creatures, Actions and equipment; cards that pay a Ronum cost go from the "
            "Material Zone to the graveyard."
        ),
    ),
    "combat": (phrase("Attack with one upright card at a time; the other side may block with one."),),
    "main2": (phrase("Play what you still want to, as in Main 1."),),
    "end": (phrase("Discard down to {limit} cards.", limit=HAND_LIMIT),),
}


def _draw_work(state: SoulForgerTable) -> Message:
    """Return the instruction for the Ready Phase, or for a whole turn without phases."""
    cards = FIRST_DRAW if state.turn == 1 else TURN_DRAW
    if state.phase == "ready":
        return phrases(
            "Turn your cards upright (On-guard) and draw {n} card; if the deck is empty, take {damage} damage.",
            "Turn your cards upright (On-guard) and draw {n} cards; if the deck is empty, take {damage} damage.",
            n=cards,
            damage=MISSED_DRAW,
        )
    return phrases(
        "Turn cards upright, draw {n} card; Side Quest; play and fight; discard down to "
        "{limit}. Say here how damage and levels change.",
        "Turn cards upright, draw {n} cards; Side Quest; play and fight; discard down to "
        "{limit}. Say here how damage and levels change.",
        n=cards,
        limit=HAND_LIMIT,
    )


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
                (phrase("Once the fight is over, turn the attacker and the blocker sideways: they are Off-guard."),)
            )
        if state.phase in ("ready", WHOLE_TURN):
            return CardWork((_draw_work(state),))
        return CardWork(_CARD_WORK.get(state.phase, ()))

    def hints(self, state: SoulForgerTable) -> Iterator[Text]:
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
                yield phrase(
                    "{player}'s deck is empty: a turn that starts like this costs 5 damage (R2.25).", player=player.name
                )

    def zones(self, state: SoulForgerTable) -> Iterator[Zone]:
        """Yield the open attack, and the Flow."""
        if state.attack is not None:
            yield Zone("attack", phrase_in("noun", "Attack"), (_attack(state, state.attack),))
        if state.flow:
            things = (_flow_item(state, number, item) for number, item in enumerate(state.flow, 1))
            yield Zone("flow", phrase("The Flow"), tuple(things)[::-1])

    def seat_zones(self, state: SoulForgerTable, person: SoulForgerPlayer) -> Iterator[Zone]:
        """Yield creatures, equipment, and Actions in their zones."""
        creatures = tuple(_creature_thing(state, card) for card in state.creatures(person.seat))
        if creatures:
            yield Zone("creatures", phrase("Creatures"), creatures)
        worn = sorted(state.equipment(person.seat), key=lambda piece: list(SLOTS).index(piece.slot))
        if worn:
            yield Zone("gear", phrase("Gear"), tuple(_piece(state, piece) for piece in worn))
        if person.zone:
            yield Zone("actions", phrase("Actions"), tuple(_actions(state, person)))

    def flags(self, state: SoulForgerTable, person: SoulForgerPlayer) -> Iterator[Text]:
        """Yield the flags of a player: out, active, or with an Off-guard Primary weapon."""
        if person.out:
            yield "out"
        elif person.seat == state.active:
            yield "active"
        primary = state.weapon(person.seat)
        if primary is not None and not primary.guarded:
            yield _OFF_GUARD

    def bearer(self, state: SoulForgerTable, target: str) -> Bearer:
        """Return a card on the field. Raises RuleError if there is none with this handle."""
        card = state.card(target)
        return Bearer(card, gauges_of(card))


def _attack(state: SoulForgerTable, attack: OngoingAttack) -> Thing:
    """Return a line for the open attack: attacker, target and blocker."""
    target: Text = target_name(state, attack.target) if is_there(state, attack.target) else _has_left(attack.target)
    attacker = state.cards.get(attack.attacker)
    name: Text = attacker.title if attacker else _has_left(attack.attacker)
    notes = []
    if attack.blocker in state.cards:
        notes.append(phrase("blocked by {card}", card=title(attack.blocker)))
    if attack.declined:
        notes.append(phrase("nobody blocks"))
    return Thing("the attack", phrase("{attacker} attacks {target}", attacker=name, target=target), notes=tuple(notes))


def _has_left(handle: str) -> Message:
    return phrase("{card} (has left)", card=title(handle))


def _flow_item(state: SoulForgerTable, number: int, item: FlowItem) -> Thing:
    notes = (phrase("negated"),) if item.negated else ()
    text = phrase("{number}. {effect} ({player})", number=number, effect=item.name, player=state.player(item.seat).name)
    return Thing(f"flow {number}", text, notes=notes)


def _creature_thing(state: SoulForgerTable, card: Creature) -> Thing:
    """Return a creature for display, in short `P3 D2/5`: its present Power, and its damage out of its Endurance."""
    is_a = []
    if card.token:
        is_a.append(phrase("token"))
    if card.ronum or not card.token:
        is_a.append(phrase("Ronum {ronum}", ronum=card.ronum))
    return _thing(state, card, tuple(is_a), f"P{card.power} D{card.damage}/{card.endurance}", ())


def _piece(state: SoulForgerTable, piece: Equipment) -> Thing:
    is_a = (phrase("two-handed"),) if piece.hands > 1 else ()
    return _thing(state, piece, is_a, f"P{piece.power}" if piece.is_weapon else "", (SLOTS[piece.slot],))


def _thing(
    state: SoulForgerTable, card: FieldCard, is_a: tuple[Text, ...], brief: str, flags: tuple[Text, ...]
) -> Thing:
    return Thing(
        card.handle,
        card.title,
        counters(gauges_of(card), state, card),
        (*is_a, *(_keyword_note(KEYWORDS[word]) for word in card.keywords)),
        brief=brief,
        flags=(*flags, *_card_flags(state, card)),
        number=state.numbers.get(card.handle, 0),
    )


def _keyword_note(keyword: SoulForgerKeyword) -> Message:
    return Explanation(keyword.title, keyword.effect)


# Translators: a mark beside a card, or beside a player with such a weapon.
_OFF_GUARD: Final = phrase_in("mark", "off-guard")


def _card_flags(state: SoulForgerTable, card: FieldCard) -> Iterator[Text]:
    """Yield the card's part in the open attack, and that it is Off-guard."""
    attack = state.attack
    if attack is not None:
        parts = {
            attack.target: phrase_in("mark", "attacked"),
            attack.blocker: phrase_in("mark", "blocks"),
            attack.attacker: phrase_in("mark", "attacks"),
        }
        yield from (parts[card.handle],) if card.handle in parts else ()
    if not card.guarded:
        yield _OFF_GUARD


def _actions(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Thing]:
    """Yield the set and Lingering Actions. One that its handle does not find is named by its place."""
    mine = (lying for lying in lying_actions(state) if lying.player is player)
    for number, lying in enumerate(mine, 1):
        lies = phrase("face down") if lying.action.face_down else phrase("Lingering")
        since = (phrase("since turn {turn}", turn=lying.action.turn),) if lying.action.face_down else ()
        target = lying.handle
        named = not state.is_seat(target) and target not in state.cards and is_meant(state, lying)
        yield Thing(target if named else f"{player.seat}'s action {number}", lying.title, notes=since, flags=(lies,))


def _forecast(state: SoulForgerTable, attack: OngoingAttack) -> Iterator[Text]:
    """Yield the result of the fight if it happened now."""
    if attack.attacker not in state.cards or (not is_there(state, attack.target) and attack.blocker not in state.cards):
        return
    trial = Resolution(state)
    deal_damage(trial, attack)
    if trial.tells:
        what = joined(" ", (tell.text for tell in trial.tells if not tell.by_hand))
        yield phrase("If they fight now: {what}", what=what)
