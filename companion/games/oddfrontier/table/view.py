"""The view of the table, and its counters for `set`, `add` and `expect`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.games.oddfrontier.glossary import GLOSSARY
from companion.games.oddfrontier.rules.actions import Fight
from companion.games.oddfrontier.rules.battlefield import outcome_of
from companion.games.oddfrontier.rules.combat import call_off, fight, to_split
from companion.games.oddfrontier.rules.energy import reset_uncranks
from companion.games.oddfrontier.rules.setup import FEWEST_PLAYERS
from companion.games.oddfrontier.rules.state import (
    PHASE_NAMES,
    PHASES,
    PLAYING,
    STARTING_HAND,
    FrontierPlayer,
    FrontierTable,
    Permanent,
    Queued,
    Resolution,
)
from companion.games.oddfrontier.rules.turn import discard_due, draws_card, take_off
from companion.games.oddfrontier.table.prompts import prompts
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import flaws
from companion.tabletop.constructed.tracking import WHOLE_TURN, DuelDisplay
from companion.tabletop.table.counters import Gauge, writes
from companion.tabletop.table.display import Bearer, counters
from companion.tabletop.table.table import CardWork, Explanation, Prompt, RoundStep, Thing, Zone
from companion.tabletop.text import figure
from templates.languages.messages import Message, Text, joined, listed, phrase, phrase_in, phrases, signed

_seat = writes(Resolution, Resolution.update_player)
_permanent = writes(Resolution, Resolution.update_permanent)


def _write_engines(state: FrontierTable, seat: str, value: int) -> FrontierTable:
    """Set the number of Engines. If it decreases, uncranked ones leave first."""
    return _seat("cranked")(_seat("engines")(state, seat, value), seat, min(state.player(seat).cranked, value))


def _write_cranked(state: FrontierTable, seat: str, value: int) -> FrontierTable:
    player = state.player(seat)
    if value > player.engines:
        raise RuleError(
            phrases(
                "{player} has {n} Engine, so {cranked} cannot be cranked (R3.5).",
                "{player} has {n} Engines, so {cranked} cannot be cranked (R3.5).",
                n=player.engines,
                player=player.name,
                cranked=value,
            )
        )
    return _seat("cranked")(state, seat, value)


def _check_under_way(state: FrontierTable) -> None:
    if state.phase not in PLAYING:
        raise RuleError(phrase("The first turn has not begun; `next` ends the mulligans (R3.2)."))


def _write_turn(state: FrontierTable, target: str, value: int) -> FrontierTable:  # noqa: ARG001 – there is one table
    _check_under_way(state)
    if not value:
        raise RuleError(phrase("Turns are counted from 1."))
    return replace(state, turn=value)


def _write_phase(state: FrontierTable, target: str, value: str | None) -> FrontierTable:  # noqa: ARG001 – there is one table
    """Set the phase of this turn, if the table went on without the companion. There are no attackers in it yet."""
    _check_under_way(state)
    if not state.tracks_all:
        raise RuleError(phrase("Phases are not tracked here (house rule track); `rule track all` tracks them again."))
    if value not in PHASES:
        raise RuleError(phrase("The phase is {phases}, not “{word}” (R3.3).", phases=listed(PHASES), word=value))
    resolution = Resolution(state)
    call_off(resolution)
    resolution.change(phase=value, combat="attackers")
    return resolution.state


def _write_active(state: FrontierTable, target: str, value: str | None) -> FrontierTable:  # noqa: ARG001 – there is one table
    """Set the turn player, who has neither played an Engine nor attacked yet."""
    player = state.playing(value or "")
    resolution = Resolution(state)
    call_off(resolution)
    resolution.change(active=player.seat, engine_played=False, combat="attackers")
    return resolution.state


def _write_queue(state: FrontierTable, target: str, value: int) -> FrontierTable:  # noqa: ARG001 – there is one table
    """Shorten the queue; the items that came last leave it."""
    if value > len(state.queue):
        raise RuleError(
            phrases(
                "{n} wait on the queue; more come by `queue` only (R3.11).",
                "{n} wait on the queue; more come by `queue` only (R3.11).",
                n=len(state.queue),
            )
        )
    resolution = Resolution(state)
    take_off(resolution, len(state.queue) - value)
    return resolution.state


def _write_outcome(state: FrontierTable, target: str, value: str | None) -> FrontierTable:  # noqa: ARG001 – there is one table
    if value is None and state.players and outcome_of(state):
        raise RuleError(phrase("Fewer than two players are in the game; `undo`, or give somebody life again (R3.1)."))
    if value not in (None, "draw"):
        value = state.playing(value).seat
    return replace(state, outcome=value)


def _due_why(state: FrontierTable, player: FrontierPlayer) -> Text:
    return joined(" − ", (player.hand, state.house.max_hand)) if discard_due(state, player.seat) else ""


PlayerGauge = Gauge[FrontierTable, FrontierPlayer]
PermanentGauge = Gauge[FrontierTable, Permanent]
TableGauge = Gauge[FrontierTable, FrontierTable]

SEAT_GAUGES: Final[tuple[PlayerGauge, ...]] = (
    Gauge("life", phrase("Life"), lambda _, player: player.life, _seat("life"), big=True, life=True),
    Gauge("energy", phrase("Energy"), lambda _, player: player.energy, _seat("energy")),
    Gauge("engines", phrase("Engines"), lambda _, player: player.engines, _write_engines),
    Gauge("cranked", phrase_in("figure", "Cranked"), lambda _, player: player.cranked, _write_cranked),
    Gauge("hand", phrase("Hand"), lambda _, player: player.hand, _seat("hand")),
    Gauge("archive", phrase("Archive"), lambda _, player: player.archive, _seat("archive")),
    Gauge("graveyard", phrase("Graveyard"), lambda _, player: player.graveyard, _seat("graveyard")),
    Gauge("banished", phrase("Banished"), lambda _, player: player.banished, _seat("banished"), is_visible=False),
    Gauge("mulligans", phrase("Mulligans"), lambda _, player: player.mulligans, _seat("mulligans"), is_visible=False),
    Gauge(
        "discard-due",
        phrase("To discard"),
        lambda state, player: discard_due(state, player.seat),
        why=_due_why,
        is_visible=False,
    ),
)

_CRANKED: Final[PermanentGauge] = Gauge(
    "cranked",
    phrase_in("figure", "Cranked"),
    lambda _, permanent: permanent.cranked,
    _permanent("cranked"),
    keeps="yes-no",
)
PERMANENT_GAUGES: Final[tuple[PermanentGauge, ...]] = (_CRANKED,)
CREATURE_GAUGES: Final[tuple[PermanentGauge, ...]] = (
    Gauge("attack", phrase_in("figure", "Attack"), lambda _, creature: creature.attack, _permanent("attack")),
    Gauge("defense", phrase("Defense"), lambda _, creature: creature.defense, _permanent("defense")),
    Gauge(
        "damage",
        phrase_in("figure", "Damage"),
        lambda _, creature: creature.damage,
        _permanent("damage"),
        full="harm",
        life=True,
    ),
    _CRANKED,
)

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", phrase("Turn"), lambda state, _: state.turn, _write_turn),
    Gauge(
        "phase",
        phrase("Phase"),
        lambda state, _: state.phase,
        _write_phase,
        keeps="word",
        is_position=True,
        titles=PHASE_NAMES,
    ),
    Gauge(
        "active", phrase("Active"), lambda state, _: state.active or None, _write_active, keeps="word", is_position=True
    ),
    Gauge("queue", phrase_in("place", "Queue"), lambda state, _: len(state.queue), _write_queue),
    Gauge("outcome", phrase("Outcome"), lambda state, _: state.outcome, _write_outcome, keeps="word"),
)


def gauges_of(permanent: Permanent) -> tuple[PermanentGauge, ...]:
    """Return the gauges of a permanent."""
    return CREATURE_GAUGES if permanent.creature else PERMANENT_GAUGES


def _work_of_phase(state: FrontierTable) -> Message:
    """Return the work with the real cards in the present phase (R3.3)."""
    draws, most = draws_card(state), state.house.max_hand
    match state.phase:
        case "reset" if draws:
            return phrase("Turn your cranked cards upright again, then draw 1 card.")
        case "reset":
            return phrase("Turn your cranked cards upright again; you draw nothing this turn.")
        case "pre-combat":
            return phrase("Play an Engine, tilt Engines for energy, and play cards; magic then goes to the graveyard.")
        case "combat":
            return phrase("Tilt all attackers at once, each at a player; then blocks; then the damage.")
        case "post-combat":
            return phrases(
                "Play what you still want to, then discard down to {n} cards.",
                "Play what you still want to, then discard down to {n} cards.",
                n=most,
            )
        case _ if draws:
            return phrase(
                "Uncrank, draw 1 card; play and fight; discard down to {most}. Say here how life and Engines change.",
                most=most,
            )
        case _:
            return phrase(
                "Uncrank, without drawing this turn; play and fight; discard down to {most}. Say "
                "here how life and Engines change.",
                most=most,
            )


class OddFrontierDisplay(DuelDisplay[FrontierTable, FrontierPlayer]):
    """The display of the game; see `companion.tabletop.table.display.Display`."""

    table_gauges = TABLE_GAUGES
    seat_gauges = SEAT_GAUGES
    steps = tuple(RoundStep(*step) for step in GLOSSARY.steps.items())
    cards = ("mulligans", "discard-due")

    def gauges_of_table(self, state: FrontierTable) -> Sequence[TableGauge]:
        """Return all gauges of the table; the phase is hidden in a turn without phases."""
        hidden = "phase" if state.phase == WHOLE_TURN else ""
        return tuple(
            msgspec.structs.replace(gauge, is_visible=False) if gauge.name == hidden else gauge
            for gauge in TABLE_GAUGES
        )

    def step_of(self, state: FrontierTable) -> str:
        """Return the phase."""
        return state.phase

    def prompts(self, state: FrontierTable) -> Iterable[Prompt]:
        """Return the questions of the table; see `companion.games.oddfrontier.table.prompts`."""
        return prompts(state)

    def card_work(self, state: FrontierTable) -> CardWork:
        """Return the present instructions (R3.2, R3.3); none once the game is over."""
        if state.outcome or not state.players:
            return CardWork()
        if state.phase == "setup":
            text = phrase(
                "Everybody shuffles the archive and draws {cards} cards. Decide who begins.", cards=STARTING_HAND
            )
            return CardWork((text,))
        if state.phase == "mulligan":
            text = phrase("Keep your hand, or shuffle it back and draw again: first 7 again, then 6, 5 and so on.")
            return CardWork((text,))
        return CardWork((_work_of_phase(state),))

    def hints(self, state: FrontierTable) -> Iterator[Text]:
        """Yield hints on what is easily forgotten, and on the result of a fight. Hints never force anything."""
        if state.phase == "setup":
            yield from map(str, flaws(state))
        if state.outcome or state.phase not in PLAYING:
            return
        if state.first_turn:
            yield phrase("The first turn: nobody draws and nobody attacks (R3.4).")
        if state.queue:
            yield phrase("After each resolution everybody may add to the queue again (R3.11).")
        if state.phase == "reset":
            yield from _reset_hints(state)
        elif state.phase in ("combat", WHOLE_TURN):
            yield from _forecast(state)
        else:
            yield from _main_hints(state)

    def zones(self, state: FrontierTable) -> Iterator[Zone]:
        """Yield the queue, with its last item on top."""
        if state.queue:
            last_in_first = tuple(enumerate(state.queue, 1))[::-1]
            yield Zone(
                "queue",
                phrase_in("place", "Queue"),
                tuple(_queued_thing(state, number, queued) for number, queued in last_in_first),
            )

    def seat_zones(self, state: FrontierTable, person: FrontierPlayer) -> Iterator[Zone]:
        """Yield a player's Creatures, then their other permanents."""
        own = [permanent for permanent in state.permanents if permanent.seat == person.seat]
        if creatures := tuple(_thing(state, permanent) for permanent in own if permanent.creature):
            yield Zone("creatures", phrase("Creatures"), creatures)
        if others := tuple(_thing(state, permanent) for permanent in own if not permanent.creature):
            yield Zone("others", phrase("Artifacts and Phenomena"), others)

    def flags(self, state: FrontierTable, person: FrontierPlayer) -> Iterator[Text]:
        """Yield the flags of a player: active, out, and keeping the first hand."""
        if person.seat == state.active:
            yield "active"
        if person.out:
            yield "out"
        if state.phase == "mulligan" and person.kept:
            # Translators: a mark beside a player who keeps the first hand
            yield phrase_in("player", "keeps")

    def bearer(self, state: FrontierTable, target: str) -> Bearer:
        """Return a permanent with its gauges. Raises RuleError if there is none of that handle."""
        permanent = state.permanent(target)
        return Bearer(permanent, gauges_of(permanent))


def _queued_thing(state: FrontierTable, number: int, queued: Queued) -> Thing:
    kind = phrase("magic") if queued.magic else phrase("ability")
    notes = (kind, phrase("does nothing")) if queued.negated else (kind,)
    return Thing(f"queue {number}", f"{queued.name} ({state.player(queued.seat).name})", notes=notes)


def _thing(state: FrontierTable, permanent: Permanent) -> Thing:
    return Thing(
        permanent.handle,
        permanent.title,
        counters(gauges_of(permanent), state, permanent),
        tuple(_notes(permanent)),
        brief=_brief_figures(permanent) if permanent.creature else "permanent",
        flags=tuple(_thing_flags(state, permanent)),
        number=state.numbers.get(permanent.handle, 0),
    )


def _brief_figures(creature: Permanent) -> str:
    """Return a Creature's figures as `3/4`, followed by this turn's damage: `3/4 −2`."""
    taken = f" −{creature.damage}" if creature.damage else ""
    return f"{figure(creature.attack)}/{figure(creature.defense)}{taken}"


def _thing_flags(state: FrontierTable, permanent: Permanent) -> Iterator[Message]:
    """Yield a permanent's part in this combat, or that it is cranked; attacking cranks an attacker (R3.7)."""
    if permanent.attacks:
        # Translators: marks beside a creature: what it does in this combat
        if len(state.standing()) > FEWEST_PLAYERS:
            yield phrase("attacks {player}", player=state.player(permanent.attacks).name)
        else:
            yield phrase("attacks")
    elif permanent.cranked:
        yield phrase("cranked")
    if permanent.blocked:
        yield phrase("blocked")
    if permanent.blocks:
        attacker = next((each.title for each in state.permanents if each.handle == permanent.blocks), None)
        yield phrase("blocks {attacker}", attacker=attacker) if attacker else phrase("its attacker has left")


def _notes(permanent: Permanent) -> Iterator[Message]:
    """Yield notes on a permanent: keywords, temporary changes, and its split damage."""
    if permanent.first_assault:
        if permanent.lent_assault:
            effect = phrase("deals its damage before the others (A3.5), this turn")
        else:
            effect = phrase("deals its damage before the others (A3.5)")
        yield Explanation(phrase("First Assault"), effect)
    if any(permanent.until_end):
        # Translators: how much attack and defense change: “+2/−1 this turn”
        yield phrase("{change} this turn", change=joined("/", map(signed, permanent.until_end)))
    if permanent.token:
        yield Explanation(phrase("token"), phrase("vanishes when it leaves"))
    if permanent.shares:
        # Translators: how an attacker splits its damage: “splits cat 2, owl 4”
        yield phrase("splits {shares}", shares=listed(f"{handle} {share}" for handle, share in permanent.shares))


def _reset_hints(state: FrontierTable) -> Iterator[Message]:
    if not state.house.crank_before_reset:
        return
    for player in state.standing():
        ready = player.engines - player.cranked
        if ready and reset_uncranks(state, player.seat):
            yield phrases(
                "{player}: {n} Engines cranked now are uncranked by the Reset and give energy twice (A3.2).",
                "{player}: {n} Engines cranked now are uncranked by the Reset and give energy twice (A3.2).",
                n=ready,
                player=player.name,
            )


def _forecast(state: FrontierTable) -> Iterator[Message]:
    """Yield the messages of the fight if it happened now; none while simultaneous effects are unfinished."""
    if state.together or not state.attackers():
        return
    for attacker, left in to_split(state):
        yield phrase(
            "{attacker} has {damage} damage to split among its blockers (R3.8).", attacker=attacker.title, damage=left
        )
    resolution = Resolution(state)
    try:
        fight(resolution, Fight())
    except RuleError:
        return
    # Translators: a sentence of the fight as it would end now
    yield from (phrase("Now: {what}", what=tell.text) for tell in resolution.tells)


def _main_hints(state: FrontierTable) -> Iterator[Message]:
    player = state.player(state.active)
    if not state.engine_played and state.holds(player):
        yield phrase("{player} has not played an Engine yet this turn (R3.5).", player=player.name)
    if state.phase == "post-combat":
        if due := discard_due(state, player.seat):
            yield phrase("{player} discards {cards} at the end of the turn (R3.10).", player=player.name, cards=due)
        for each in state.standing():
            if each.energy:
                yield phrase(
                    "{player}: {energy} energy is lost at the end of the turn (R3.5).",
                    player=each.name,
                    energy=each.energy,
                )
