"""The display of a table: its counters, zones and prompts for every screen, and the figures that players overwrite."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import write_word
from companion.tabletop.table import extra_counters, face_down, rule_questions
from companion.tabletop.table.common_actions import EACH, Add, Set, Track
from companion.tabletop.table.counters import Gauge, overwritten
from companion.tabletop.table.house_rules import title_of_rule
from companion.tabletop.table.state import ExtraCounter, Resolution, Seated, State
from companion.tabletop.table.table import (
    CardWork,
    Counter,
    Prompt,
    RoundStep,
    ScoreSheet,
    SeatView,
    TableView,
    Thing,
    Value,
    Zone,
)
from companion.tabletop.text import figure
from companion.tabletop.words import title_of_word
from templates.languages.messages import Text, listed, phrase, phrase_in

TABLE: Final = "table"
"""The target of the counters of the table itself."""
_FACE_DOWN: Final = phrase_in("flag", "chosen, face down")


class NamedPlayer(Seated, Protocol):
    """A named player at a table."""

    @property
    def name(self) -> str:
        """The display name of the player."""
        ...


S = TypeVar("S", bound=State)
P = TypeVar("P", bound=NamedPlayer)


class Bearer(msgspec.Struct, frozen=True):
    """The thing that a target of `set` and `add` names, its gauges, and the seat that owns it ("" for the table)."""

    thing: Any
    gauges: Sequence[Gauge[Any, Any]]
    seat: str = ""


class GaugeReading(NamedTuple):
    """A figure of a table: its thing, its value, and whether it stays the same as long as the thing lies there."""

    thing: Hashable
    value: Value
    is_lasting: bool = False


class Display(Generic[S, P]):
    """The display of a game. It declares its gauges and overrides the other parts of the view; every method is pure."""

    table_gauges: ClassVar[Sequence[Gauge[Any, Any]]] = ()
    """The counters of the table: rounds, the seat whose turn it is, the outcome."""
    seat_gauges: ClassVar[Sequence[Gauge[Any, Any]]] = ()
    """The counters of each seat."""
    report_counters: ClassVar[Sequence[str]] = ()
    """Names of seat counters that a report draws over time, besides life counters and those shown large on screen."""
    steps: ClassVar[tuple[RoundStep, ...]] = ()
    """The steps of a round or turn, in order."""

    def gauges_of_seats(self, state: S) -> Sequence[Gauge[Any, Any]]:  # noqa: ARG002 – used by overrides
        """Return the present counters of each seat."""
        return self.seat_gauges

    def gauges_of_table(self, state: S) -> Sequence[Gauge[Any, Any]]:  # noqa: ARG002
        """Return the present counters of the table."""
        return self.table_gauges

    def steps_of(self, state: S) -> tuple[RoundStep, ...]:  # noqa: ARG002
        """Return the steps of a round or turn at present."""
        return self.steps

    def people(self, state: Any) -> Sequence[P]:
        """Return the players at the table, clockwise; here the field `players` of the state."""
        players: Sequence[P] = state.players
        return players

    def step_of(self, state: S) -> str:  # noqa: ARG002 – used by overrides
        """Return the present step, `setup` before the game; "" if the game has no steps."""
        return ""

    def is_under_way(self, state: S) -> bool:
        """Return True if the game has begun and is not over."""
        return state.outcome is None and self.step_of(state) != "setup"

    def prompts(self, state: S) -> Iterable[Prompt]:  # noqa: ARG002
        """Return the prompts for what should be done now, in order."""
        return ()

    def secret_seats(self, state: S) -> tuple[str, ...]:
        """Return the seats that the prompts ask for a secret choice, each once."""
        return face_down.secret_seats(self.prompts(state))

    def card_work(self, state: S) -> CardWork:  # noqa: ARG002
        """Return the work with real cards that is due now."""
        return CardWork()

    def hints(self, state: S) -> Iterable[Text]:  # noqa: ARG002
        """Return forecasts and reminders as sentences."""
        return ()

    def zones(self, state: S) -> Iterable[Zone]:  # noqa: ARG002
        """Return the zones on the table that belong to no seat."""
        return ()

    def seat_zones(self, state: S, person: P) -> Iterable[Zone]:  # noqa: ARG002
        """Return the zones before a seat."""
        return ()

    def flags(self, state: S, person: P) -> Iterable[Text]:  # noqa: ARG002
        """Return short words that apply to a seat now: `active`, `out`."""
        return ()

    def sheet(self, state: S) -> ScoreSheet | None:  # noqa: ARG002
        """Return the score sheet that players keep round by round; None if there is none."""
        return None

    def bearer(self, state: S, target: str) -> Bearer:
        """Return the bearer for a target of `set` and `add` that is neither `table` nor a seat.

        Raises RuleError if nothing on the table can be overwritten by that name.
        """
        names = listed(("table", *(person.seat for person in self.people(state))))
        raise RuleError(
            phrase(
                "“{target}” has no counters that can be set; these have some: {names}.",
                target=target,
                names=names,
            )
        )

    def view(self, game: str, title: Text, state: S) -> TableView:
        """Return the view of the table; `game` is the word after `table`, `title` the display name of the game."""
        return TableView(
            game,
            title,
            counters=(*counters(self.gauges_of_table(state), state, state), *_extra(state, TABLE)),
            zones=_zones_of_table(state, self.zones(state)),
            seats=tuple(self.seat_view(state, person) for person in self.people(state)),
            steps=self.steps_of(state),
            step=self.step_of(state),
            prompts=self.open_prompts(state),
            hints=tuple(self.hints(state)),
            rules=tuple((title_of_rule(key), title_of_word(value)) for key, value in state.house.changed_rules()),
            outcome=state.outcome,
            card_work=self.card_work(state),
            sheet=self.sheet(state),
            later=tuple(rule_questions.in_game(state)) if self.is_under_way(state) else (),
        )

    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Return the prompts without those that a secret choice answers already."""
        prompts = tuple(self.prompts(state))
        if not state.face_down:
            return prompts
        names = {person.seat: person.name for person in self.people(state)}
        return tuple(face_down.visible_prompts(prompts, state.face_down, names))

    def seat_view(self, state: S, person: P) -> SeatView:
        """Return the view of one player's side of the table."""
        return SeatView(
            person.seat,
            person.name,
            counters=(*counters(self.gauges_of_seats(state), state, person), *_extra(state, person.seat)),
            zones=_with_extra(state, self.seat_zones(state, person)),
            flags=(*self.flags(state, person), *([_FACE_DOWN] if person.seat in state.face_down else [])),
        )

    def counters_of(self, state: S, target: str) -> tuple[Counter, ...] | None:
        """Return the counters of `table`, a seat or a thing without building the whole view; None for an unknown name.

        The case of the name of a thing is ignored.
        """
        if target == TABLE:
            return (*counters(self.gauges_of_table(state), state, state), *_extra(state, TABLE))
        for person in self.people(state):
            if person.seat == target:
                return (*counters(self.gauges_of_seats(state), state, person), *_extra(state, target))
        return next((thing.counters for thing in self._things(state) if thing.target.lower() == target.lower()), None)

    def current_count(self, state: S) -> int | None:
        """Return the first number that the table counts: its rounds or turns; None if it counts nothing."""
        return next((c.number for c in self.counters_of(state, "table") or () if c.number is not None), None)

    def _things(self, state: S) -> Iterator[Thing]:
        own = (self.seat_zones(state, person) for person in self.people(state))
        zones = (*_zones_of_table(state, self.zones(state)), *_with_extra(state, chain.from_iterable(own)))
        return (thing for zone in zones for thing in zone.things)

    def track(self, resolution: Resolution[S], action: Track) -> None:
        """Add a counter that players keep by hand. Raises RuleError if it cannot be one, or nothing has that name."""
        if resolution.state.outcome is not None:
            raise RuleError(phrase("The game is over; nothing more is counted."))
        people = self.people(resolution.state)
        seats = [person.seat for person in people]
        if action.counter in (*seats, EACH) and action.target not in (*seats, EACH, TABLE):
            # As in `ana energy 3`; a line that means this is stored in one order only.
            raise RuleError(
                phrase(
                    "Name what is counted before whose it is: `track {counter} {owner}`.",
                    counter=action.target,
                    owner=action.counter,
                )
            )
        is_each = action.target == EACH and EACH not in seats
        for target in (person.seat for person in people) if is_each else (action.target,):
            self._add_counter(resolution, action, target)
        if is_each and not people:
            raise RuleError(phrase("Nobody is at the table yet."))
        values = {"figure": extra_counters.title_of(action.counter), "value": figure(action.start)}
        if is_each:
            text = phrase("{figure} is counted for everybody from now on, starting at {value}.", **values)
        elif action.target == TABLE:
            text = phrase("{figure} is counted from now on, starting at {value}.", **values)
        else:
            thing = self._title_of(resolution.state, action.target)
            text = phrase("{thing}: {figure} is counted from now on, starting at {value}.", thing=thing, **values)
        resolution.tell(text, "" if is_each or action.target == TABLE else action.target)

    def _add_counter(self, resolution: Resolution[S], action: Track, target: str) -> None:
        state = resolution.state
        bearer = self._bearer_of(state, target)
        seats = [person.seat for person in self.people(state)]
        # As people type it, with the order of words that `set` has.
        whose = () if target == TABLE else (write_word(target),)
        line = " ".join((*whose, write_word(action.counter), str(action.start)))
        extra_counters.check_name(action.counter, line, [gauge.name for gauge in bearer.gauges], seats)
        thing = None if target in (TABLE, *seats) else self.thing_key(target, bearer.thing)
        resolution.change(
            extra_counters=(*state.extra_counters, ExtraCounter(target, action.counter, action.start, thing))
        )

    def drop_lost_counters(self, resolution: Resolution[S]) -> None:
        """Remove the added counters of things that are no longer on the table."""
        state = resolution.state
        kept = tuple(each for each in state.extra_counters if each.thing is None or self._is_there(state, each))
        if len(kept) != len(state.extra_counters):
            resolution.change(extra_counters=kept)

    def _is_there(self, state: S, counter: ExtraCounter) -> bool:
        try:
            return self.thing_key(counter.target, self._bearer_of(state, counter.target).thing) == counter.thing
        except RuleError:
            return False

    def overwrite(self, resolution: Resolution[S], action: Set | Add) -> None:
        """Apply `set` or `add`: always allowed, always in the log.

        Raises RuleError if there is no such target, counter or value.
        """
        state, target = resolution.state, action.target
        bearer = self._bearer_of(state, target)
        resolution.state = overwritten(bearer.gauges, state, bearer.thing, action)
        # Report it by the present names: another thing may lie in the same place later.
        gauge = next(gauge for gauge in bearer.gauges if gauge.name == action.counter)
        before = gauge.counter(state, bearer.thing)
        try:
            # An added counter is read without its thing, and does not make it leave the table.
            thing = None if gauge.is_extra else self._bearer_of(resolution.state, target).thing
            after: Text = gauge.counter(resolution.state, thing).figure
        except RuleError:
            # With this figure, the thing has left the table.
            after = title_of_word("gone")
        whose = phrase("The table") if target == TABLE else self._title_of(state, target)
        values = {"thing": whose, "figure": before.caption, "before": before.figure, "after": after}
        if gauge.name == "outcome" and before.value is None:
            # Translators: {thing} is the table, {figure} “Outcome”, and {after} the outcome: “Dragons”.
            text = phrase("{thing}: {figure} {after}, by hand.", **values)
        elif gauge.is_extra:
            text = phrase("{thing}: {figure} {before} → {after}.", **values)
        else:
            # Translators: {thing} is a player, a card or the table, {figure} the title of the changed figure: HP.
            text = phrase("{thing}: {figure} {before} → {after}, by hand.", **values)
        resolution.tell(text, bearer.seat)

    def figure(self, state: S, target: str, counter: str) -> GaugeReading | None:
        """Return a figure by its names in `set`; None if there is none, or if setting it corrects nothing."""
        try:
            bearer = self._bearer_of(state, target)
        except RuleError:
            return None
        gauge = next((gauge for gauge in bearer.gauges if gauge.name == counter), None)
        if gauge is None or gauge.is_position or gauge.is_extra:
            return None
        return GaugeReading(self.thing_key(target, bearer.thing), gauge.read(state, bearer.thing), gauge.is_lasting)

    def thing_key(self, target: str, thing: Any) -> Hashable:  # noqa: ARG002 – used by overrides
        """Return a key that tells a thing from any other that may have the same target later."""
        return target

    def set_figure(self, state: S, action: Set) -> S:
        """Return the table with a figure set, without any further consequences. Raises RuleError."""
        bearer = self._bearer_of(state, action.target)
        after: S = overwritten(bearer.gauges, state, bearer.thing, action)
        return after

    def _bearer_of(self, state: S, target: str) -> Bearer:
        """Return the bearer of counters that a target names. Raises RuleError if there is none."""
        person = next((person for person in self.people(state) if person.seat == target), None)
        if target == TABLE:
            bearer = Bearer(state, self.gauges_of_table(state))
        elif person:
            bearer = Bearer(person, self.gauges_of_seats(state), target)
        else:
            bearer = self.bearer(state, target)
        if extra := extra_counters.gauges_of(state, target):
            bearer = msgspec.structs.replace(bearer, gauges=(*bearer.gauges, *extra))
        return bearer

    def _title_of(self, state: S, target: str) -> Text:
        """Return the name of a player or the title of a thing; the target itself if no visible thing has that name."""
        people = self.people(state)
        for person in people:
            if person.seat == target:
                return person.name
        word = target.lower()
        zones = chain(self.zones(state), chain.from_iterable(self.seat_zones(state, person) for person in people))
        return next((thing.title for zone in zones for thing in zone.things if thing.target.lower() == word), target)


def _extra(state: State, target: str) -> tuple[Counter, ...]:
    """Return the counters that players added to a target."""
    if not state.extra_counters:
        return ()
    return counters(extra_counters.gauges_of(state, target), state, None)


def _zones_of_table(state: State, zones: Iterable[Zone]) -> tuple[Zone, ...]:
    """Return the zones of the table, with the counters that players added to it as figures of a thing on it."""
    several = _with_extra(state, zones)
    if not (extra := _extra(state, TABLE)):
        return several
    if all(thing.target != TABLE for zone in several for thing in zone.things):
        return (Zone(TABLE, "", (Thing(TABLE, phrase("The table"), extra),)), *several)
    return tuple(
        msgspec.structs.replace(
            zone,
            things=tuple(
                msgspec.structs.replace(thing, counters=(*thing.counters, *extra)) if thing.target == TABLE else thing
                for thing in zone.things
            ),
        )
        for zone in several
    )


def _with_extra(state: State, zones: Iterable[Zone]) -> tuple[Zone, ...]:
    """Return zones whose things have the counters that players added to them."""
    if not any(counter.thing is not None for counter in state.extra_counters):
        return tuple(zones)
    return tuple(
        msgspec.structs.replace(zone, things=tuple(_thing_with_extra(state, thing) for thing in zone.things))
        for zone in zones
    )


def _thing_with_extra(state: State, thing: Thing) -> Thing:
    extra = () if thing.target == TABLE else _extra(state, thing.target)
    return msgspec.structs.replace(thing, counters=(*thing.counters, *extra)) if extra else thing


def counters(gauges: Iterable[Gauge[Any, Any]], state: Any, thing: Any) -> tuple[Counter, ...]:
    """Return the counters that gauges read from a thing."""
    return tuple(gauge.counter(state, thing) for gauge in gauges)
