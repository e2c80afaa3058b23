"""What a game shows of its table: its counters, zones and prompts, put together for every screen, and what `set` and
`add` overwrite of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.tabletop import rule_questions
from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import Add, Set
from companion.tabletop.counters import Gauge, overwritten
from companion.tabletop.state import Resolution, Seated, State
from companion.tabletop.table import (
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


class Player(Seated, Protocol):
    """Somebody at a table, with a name."""

    @property
    def name(self) -> str:
        """What people call them."""
        ...


S = TypeVar("S", bound=State)
P = TypeVar("P", bound=Player)


class Bearer(msgspec.Struct, frozen=True):
    """What a target of `set` and `add` names, its gauges, and the seat that it belongs to ("" for the table's)."""

    thing: Any
    gauges: Sequence[Gauge[Any, Any]]
    seat: str = ""


class GaugeReading(NamedTuple):
    """A figure of a table: of which thing, its value, and whether it is the same as long as the thing lies there."""

    thing: Hashable
    value: Value
    is_lasting: bool = False


class Display(Generic[S, P]):
    """What a game shows. It declares its gauges and overrides what else there is to see; every method is pure."""

    table_gauges: ClassVar[Sequence[Gauge[Any, Any]]] = ()
    """The counters of the table: rounds, whose turn it is, the outcome."""
    seat_gauges: ClassVar[Sequence[Gauge[Any, Any]]] = ()
    """The counters of each seat."""
    report_counters: ClassVar[Sequence[str]] = ()
    """Names of counters of a seat whose course a report draws, besides those that are life or read from afar."""
    steps: ClassVar[tuple[RoundStep, ...]] = ()
    """The steps of a round or turn, in order."""

    def gauges_of_seats(self, state: S) -> Sequence[Gauge[Any, Any]]:  # noqa: ARG002 – what a game may need
        """The counters that each seat has now."""
        return self.seat_gauges

    def gauges_of_table(self, state: S) -> Sequence[Gauge[Any, Any]]:  # noqa: ARG002
        """The counters that the table has now."""
        return self.table_gauges

    def steps_of(self, state: S) -> tuple[RoundStep, ...]:  # noqa: ARG002
        """The steps through which a round or turn goes now."""
        return self.steps

    def people(self, state: Any) -> Sequence[P]:
        """Who sits at the table, clockwise; here the field `players` of the state."""
        players: Sequence[P] = state.players
        return players

    def step_of(self, state: S) -> str:  # noqa: ARG002 – what a game may need
        """The step in which the table is, `setup` before the game; "" where a game has no steps."""
        return ""

    def is_under_way(self, state: S) -> bool:
        """Whether the game has begun and goes on."""
        return state.outcome is None and self.step_of(state) != "setup"

    def prompts(self, state: S) -> Iterable[Prompt]:  # noqa: ARG002
        """What should be done now, in the order in which it is asked."""
        return ()

    def card_work(self, state: S) -> CardWork:  # noqa: ARG002
        """What people do with the real cards now."""
        return CardWork()

    def hints(self, state: S) -> Iterable[str]:  # noqa: ARG002
        """Forecasts and reminders, as sentences."""
        return ()

    def zones(self, state: S) -> Iterable[Zone]:  # noqa: ARG002
        """The places on the table that are nobody's own."""
        return ()

    def seat_zones(self, state: S, person: P) -> Iterable[Zone]:  # noqa: ARG002
        """The places before a seat."""
        return ()

    def flags(self, state: S, person: P) -> Iterable[str]:  # noqa: ARG002
        """Short words that hold for a seat now: `active`, `out`."""
        return ()

    def sheet(self, state: S) -> ScoreSheet | None:  # noqa: ARG002
        """What people write down round by round; None where nothing is."""
        return None

    def bearer(self, state: S, target: str) -> Bearer:
        """What `set` and `add` name by a target that is neither `table` nor a seat.

        Raises RuleError where nothing on the table can be overwritten by that name.
        """
        names = ", ".join(("table", *(person.seat for person in self.people(state))))
        raise RuleError(f"Nothing called “{target}” has counters that can be set; there are: {names}.")

    def view(self, game: str, title: str, state: S) -> TableView:
        """The whole table; `game` is the word after `table`, `title` what people call the game."""
        return TableView(
            game,
            title,
            counters=counters(self.gauges_of_table(state), state, state),
            zones=tuple(self.zones(state)),
            seats=tuple(self.seat_view(state, person) for person in self.people(state)),
            steps=self.steps_of(state),
            step=self.step_of(state),
            prompts=tuple(self.prompts(state)),
            hints=tuple(self.hints(state)),
            rules=state.house.changed(),
            outcome=state.outcome,
            card_work=self.card_work(state),
            sheet=self.sheet(state),
            later=tuple(rule_questions.in_game(state)) if self.is_under_way(state) else (),
        )

    def seat_view(self, state: S, person: P) -> SeatView:
        """One person's side of the table."""
        return SeatView(
            person.seat,
            person.name,
            counters=counters(self.gauges_of_seats(state), state, person),
            zones=tuple(self.seat_zones(state, person)),
            flags=tuple(self.flags(state, person)),
        )

    def counters_of(self, state: S, target: str) -> tuple[Counter, ...] | None:
        """The counters of `table`, a seat or a thing, in any case, without all else that a view has; None where nothing
        has that name.
        """
        if target == "table":
            return counters(self.gauges_of_table(state), state, state)
        for person in self.people(state):
            if person.seat == target:
                return counters(self.gauges_of_seats(state), state, person)
        return next((thing.counters for thing in self._things(state) if thing.target.lower() == target.lower()), None)

    def _things(self, state: S) -> Iterator[Thing]:
        own = (self.seat_zones(state, person) for person in self.people(state))
        return (thing for zone in chain(self.zones(state), chain.from_iterable(own)) for thing in zone.things)

    def overwrite(self, resolution: Resolution[S], action: Set | Add) -> None:
        """`set` and `add`: always allowed, always in the log.

        Raises RuleError where there is no such target, counter or value.
        """
        state, target = resolution.state, action.target
        bearer = self._bearer_of(state, target)
        resolution.state = overwritten(bearer.gauges, state, bearer.thing, action)
        # Told by the names of this moment: in the same place lies another thing later.
        gauge = next(gauge for gauge in bearer.gauges if gauge.name == action.counter)
        person = next((person for person in self.people(state) if person.seat == target), None)
        whose = person.name if person else "The table" if target == "table" else self._title_of(state, target)
        before = gauge.counter(state, bearer.thing)
        try:
            after = gauge.counter(resolution.state, self._bearer_of(resolution.state, target).thing).figure
        except RuleError:
            # With such a figure it has left the table.
            after = "gone"
        resolution.tell(f"{whose}: {before.caption} {before.figure} → {after}, by hand.", bearer.seat)

    def figure(self, state: S, target: str, counter: str) -> GaugeReading | None:
        """A figure by the names that `set` gives it; None where the table has none of these names, or it is none."""
        try:
            bearer = self._bearer_of(state, target)
        except RuleError:
            return None
        gauge = next((gauge for gauge in bearer.gauges if gauge.name == counter), None)
        if gauge is None or gauge.is_position:
            return None
        return GaugeReading(self.thing_key(target, bearer.thing), gauge.read(state, bearer.thing), gauge.is_lasting)

    def thing_key(self, target: str, thing: Any) -> Hashable:  # noqa: ARG002 – what a game may need
        """Return what tells a thing from any other that may be called by the same target later."""
        return target

    def written(self, state: S, action: Set) -> S:
        """The table with a figure set, and nothing else that follows from that. Raises RuleError."""
        bearer = self._bearer_of(state, action.target)
        after: S = overwritten(bearer.gauges, state, bearer.thing, action)
        return after

    def _bearer_of(self, state: S, target: str) -> Bearer:
        """What a target names that has counters. Raises RuleError where it names nothing."""
        if target == "table":
            return Bearer(state, self.gauges_of_table(state))
        person = next((person for person in self.people(state) if person.seat == target), None)
        return Bearer(person, self.gauges_of_seats(state), target) if person else self.bearer(state, target)

    def _title_of(self, state: S, target: str) -> str:
        """What people call a thing; the word for it where they see none of that name."""
        return next((thing.title for thing in self._things(state) if thing.target.lower() == target.lower()), target)


def counters(gauges: Iterable[Gauge[Any, Any]], state: Any, thing: Any) -> tuple[Counter, ...]:
    """What gauges read of a thing."""
    return tuple(gauge.counter(state, thing) for gauge in gauges)
