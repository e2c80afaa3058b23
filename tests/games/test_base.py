"""What the base class of all games does by itself: `set`, `add`, `note`, `rule` and `next`, and the view."""

from typing import Annotated, Literal

import msgspec
import pytest

from companion.session.core.session import Session
from companion.tabletop.action import Action, RuleError, Step
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import SeatName
from companion.tabletop.table import common_actions
from companion.tabletop.table.counters import Gauge, writes_table
from companion.tabletop.table.display import Bearer, Display
from companion.tabletop.table.house_rules import HouseRules
from companion.tabletop.table.state import State, with_seat
from companion.tabletop.table.table import Prompt, Thing, Zone, draft


class House(HouseRules, frozen=True):
    stride: Annotated[Literal["one", "two"], msgspec.Meta(description="How far a runner comes.")] = "one"


class Runner(msgspec.Struct, frozen=True):
    seat: str
    name: str
    way: int = 0


class Race(State, frozen=True):
    house: House = House()
    players: tuple[Runner, ...] = (Runner("ana", "Ana"), Runner("ben", "Ben"))
    round: int = 1
    fence: int = 3


class Run(Action, frozen=True, tag="run"):
    """Run."""

    seat: SeatName


def with_way(race: Race, seat: str, way: int) -> Race:
    return msgspec.structs.replace(race, players=with_seat(race.players, seat, way=way))


WAY = Gauge[Race, Runner]("way", "Way", lambda _, runner: runner.way, with_way)
FENCE = Gauge[Race, Race]("height", "Height", lambda race, _: race.fence, writes_table("fence"))


class RaceDisplay(Display[Race, Runner]):
    table_gauges = (Gauge[Race, Race]("round", "Round", lambda race, _: race.round, writes_table("round")),)
    seat_gauges = (WAY,)

    def prompts(self, state: Race) -> tuple[Prompt, ...]:
        behind = (runner for runner in state.players if runner.way < state.round)
        return tuple(Prompt(f"{runner.name} runs.", draft(Run, seat=runner.seat), runner.seat) for runner in behind)

    def zones(self, state: Race) -> tuple[Zone, ...]:
        return (Zone("course", "Course", (Thing("fence", "Fence", (FENCE.counter(state, state),)),)),)

    def bearer(self, state: Race, target: str) -> Bearer:
        return Bearer(state, (FENCE,)) if target == "fence" else super().bearer(state, target)


class RaceGame(Game):
    name, title, state, house, display = "race", "Race", Race, House, RaceDisplay()
    actions = (*common_actions.COMMON, Run)

    def apply(self, state: Race, action: Action) -> Step:
        if isinstance(action, Run):
            runner = next(runner for runner in state.players if runner.seat == action.seat)
            return Step(with_way(state, runner.seat, runner.way + ["one", "two"].index(state.house.stride) + 1))
        return super().apply(state, action)


@pytest.fixture
def race() -> Session:
    return Session.new(RaceGame())


@pytest.mark.parametrize(
    ("line", "target", "counter", "text"),
    [
        ("set table round 4", "table", "round", "4"),
        ("add ana way +2", "ana", "way", "2"),
        ("set fence height 9", "fence", "height", "9"),
    ],
)
def test_declared_gauges_are_shown_and_overwritten(
    race: Session, line: str, target: str, counter: str, text: str
) -> None:
    race.enter(line)
    for counters in (race.view().counters_of(target), race.counters_of(target)):
        assert counters is not None
        assert next(each.text for each in counters if each.name == counter) == text


def test_next_takes_what_is_suggested_to_everybody(race: Session) -> None:
    race.enter("run ben")
    race.enter("next")
    assert [runner.way for runner in race.state.players] == [1, 1]
    with pytest.raises(RuleError, match="`next` has nothing to finish here"):
        race.enter("next")


def test_a_house_rule_is_agreed_on(race: Session) -> None:
    race.enter("rule stride two")
    race.enter("run ana")
    assert race.state.players[0].way == 2
    assert race.view().rules == (("stride", "two"),)


def test_what_a_game_does_not_take_is_refused(race: Session) -> None:
    with pytest.raises(RuleError, match="Not now: Ana runs"):
        race.enter("begin")
    with pytest.raises(RuleError, match="“gate” has no counters"):
        race.enter("set gate height 1")
