"""Searches by racing: the nearest candidate stays, what cannot be nearest drops out, and it ends when that is sure."""

import csv
import io
import json
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.main import main
from companion.rehearsal.design import Lever, Race
from companion.rehearsal.report import WIDTH
from companion.rehearsal.search import (
    Search,
    SearchReport,
    make_race,
    most_farther,
    plain_search,
    search_csv,
    search_text,
)
from companion.rehearsal.sequential import carry_out
from companion.tabletop.action import RuleError
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import RehearsalSetting
from tests.rehearsal import toy

SETTING = RehearsalSetting("toy", 2)
LIFT, TWIST, IDLE = Lever("lift", ("0", "1", "2")), Lever("twist", ("no", "yes")), Lever("idle", ("no", "yes"))
# Games won: 0.30, 0.35; 0.40, 0.65; 0.50, 0.95.
RACE = make_race(SETTING, (LIFT, TWIST), toy.WIN, 0.62, 0.08)
CATALOGUE = toy.ToyRehearsal.figures


def search(
    race: Race,
    most: int = 20_000,
    seed: int = 0,
    workers: Callable[[], Executor] = toy.one_thread,
) -> Search:
    """A search to its end, or so many units."""
    plan = Search(race, next(figure for figure in CATALOGUE if figure.key == race.figure))
    for _ in carry_out(plan, seed, most, workers):
        pass
    return plan


def report(plan: Search) -> SearchReport:
    return plan.report(toy.ToyRehearsal(), 0)


ENDS = st.floats(-2, 2)
WIDTHS = st.floats(0, 1)


@given(ENDS, ENDS, WIDTHS, WIDTHS, WIDTHS, WIDTHS)
def test_nobody_is_farther_than_is_said(a: float, b: float, w: float, x: float, y: float, z: float) -> None:
    difference, total = Estimate(a - b, a - b - w, a - b + x), Estimate(a + b, a + b - y, a + b + z)
    assert abs(a) - abs(b) <= most_farther(difference, total) + 1e-9
    exact = most_farther(Estimate(a - b, a - b, a - b), Estimate(a + b, a + b, a + b))
    assert exact == pytest.approx(abs(a) - abs(b), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_setting_nearest_to_a_wish_is_found(seed: int) -> None:
    plan = search(RACE, seed=seed)
    searched = report(plan)
    assert searched.is_sure
    assert plan.units < 20_000
    assert dict(searched.candidates[0].setting.rules) == {"lift": "1", "twist": "yes"}
    dropped = [each.units for each in searched.candidates if each.has_dropped]
    assert dropped
    assert dropped == sorted(dropped, reverse=True)


def test_candidates_on_both_sides_of_a_wish_are_told_apart() -> None:
    # 0.50 is 0.05 below, 0.65 is 0.10 above.
    searched = report(search(make_race(SETTING, (LIFT, TWIST), toy.WIN, 0.55, 0.04)))
    assert dict(searched.candidates[0].setting.rules) == {"lift": "2", "twist": "no"}
    assert searched.is_sure


def test_who_is_as_near_stays_and_the_search_ends() -> None:
    searched = report(search(make_race(SETTING, (Lever("lift", ("0", "1")), IDLE), toy.SCORE, 7.0)))
    nearest = [dict(each.setting.rules) for each in searched.candidates[:2] if not each.has_dropped]
    assert nearest == [{"idle": "no", "lift": "1"}, {"idle": "yes", "lift": "1"}]
    assert searched.is_sure
    text = "\n".join(search_text(searched))
    assert "It is certain that none of the remaining ones is nearer by more than 0.35 points." in text


def test_a_wish_that_nothing_comes_near_is_told() -> None:
    searched = report(search(make_race(SETTING, (Lever("lift", ("0", "1")),), toy.SCORE, 20.0)))
    assert dict(searched.candidates[0].setting.rules) == {"lift": "1"}
    assert searched.is_near is False
    assert "It is certain to be more than 1.00 points from the wish." in search_text(searched)
    near = report(search(make_race(SETTING, (Lever("lift", ("0", "1")),), toy.SCORE, 7.0, 0.9), most=4000))
    assert near.is_near in (True, None)


def test_what_is_not_sure_after_all_games_is_told() -> None:
    searched = report(search(RACE, most=60))
    assert not searched.is_sure
    assert not any(each.has_dropped for each in searched.candidates)
    assert "It is not yet certain that it is the nearest; more games would tell." in search_text(searched)


def test_any_number_of_workers_gives_the_same_search() -> None:
    reports = [
        plain_search(report(search(RACE, workers=lambda jobs=jobs: ThreadPoolExecutor(jobs))))  # type: ignore[misc]
        for jobs in (1, 2, 3)
    ]
    assert reports[0] == reports[1] == reports[2]


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_search() -> None:
    reports = [
        plain_search(report(search(RACE, workers=lambda jobs=jobs: _processes(jobs))))  # type: ignore[misc]
        for jobs in (1, 2, 3)
    ]
    assert reports[0] == reports[1] == reports[2]


def _processes(jobs: int) -> Executor:
    return ProcessPoolExecutor(jobs, initializer=import_module, initargs=("tests.rehearsal.toy",))


@pytest.mark.parametrize("stop", [60, 100, 175])
def test_a_search_that_was_stopped_goes_on_as_if_never(stop: int) -> None:
    part = search(RACE, most=stop)
    again = Search(RACE, toy.WIN, part.units, part.sums)
    for _ in carry_out(again, 0, 20_000, toy.one_thread):
        pass
    assert plain_search(report(again)) == plain_search(report(search(RACE)))


@pytest.mark.slow
def test_the_nearest_candidate_hardly_ever_drops_out() -> None:
    # 0.40 is nearest to 0.38, and 0.35 is nearly as near.
    race = make_race(SETTING, (LIFT, TWIST), toy.WIN, 0.38, 0.005)
    nearest = next(each for each in race.candidates if toy.truth(each)["win"] == 0.4)
    lost = 0
    for seed in range(30):
        searched = report(search(race, most=300, seed=seed))
        lost += next(each.has_dropped for each in searched.candidates if each.setting == nearest)
    assert lost <= 3


def test_a_report_of_a_search_is_the_same_for_all_readers() -> None:
    searched = report(search(RACE))
    plain = plain_search(searched)
    json.dumps(plain)
    lines = [*search_text(searched)]
    assert max(map(len, lines)) <= WIDTH
    rows = [*csv.DictReader(io.StringIO(search_csv(searched)))]
    assert [float(row["win"]) for row in rows] == [each["value"] for each in plain["candidates"]]
    assert [{key: row[key] for key in ("lift", "twist")} for row in rows] == [
        each["rules"] for each in plain["candidates"]
    ]
    assert {*plain["figures"]} == {"score", "pips"}
    assert sum(each["units"] for each in plain["candidates"]) == sum(int(row["units"]) for row in rows)


def test_more_candidates_than_can_race_are_refused() -> None:
    with pytest.raises(RuleError, match="have 81 combinations, but at most 64"):
        make_race(SETTING, tuple(Lever(key, ("1", "2", "3")) for key in "abcd"), toy.WIN, 0.5)


def run_search(*words: str) -> Result:
    """The command, as somebody types it."""
    return CliRunner().invoke(main, ["rehearse", "decknforge", "--players", "2", "--jobs", "1", *words])


def test_a_search_is_a_command(tmp_path: Path) -> None:
    words = ("--games", "4", "--wizards", "careful", "--sweep", "pressure=2:4", "--find", "bosses=3", "--margin", "0.5")
    text = run_search(*words).stdout
    assert text.startswith("Wish: Bosses killed 3.00 Bosses, with 2 players (careful), seed 0. 2 settings")
    plain = json.loads(run_search(*words, "--json").stdout)
    assert (plain["figure"], plain["wish"], plain["margin"], plain["units"]) == ("bosses", 3, 0.5, 4)
    sheet = tmp_path / "search.csv"
    assert run_search(*words, "-o", str(sheet)).exit_code == 0
    assert sheet.read_text(encoding="utf-8").startswith("pressure,bosses,low,high,distance,units,dropped")


def test_a_wish_for_a_share_may_be_said_in_per_cent() -> None:
    words = ("--games", "2", "--sweep", "pressure", "--margin", "3", "--json")
    wishes = [json.loads(run_search("--find", f"win={wish}", *words).stdout) for wish in ("55%", "0.55")]
    assert [(each["wish"], each["margin"]) for each in wishes] == [(0.55, 0.03)] * 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--find", "win=0.5"), "Say what house rules are turned"),
        (("--find", "win", "--sweep", "comeback"), "write FIGURE=VALUE, such as win=0.55"),
        (("--find", "win=many", "--sweep", "comeback"), "write FIGURE=VALUE, such as win=0.55"),
        (
            ("--find", "win=55", "--sweep", "comeback"),
            "Dungeons won cannot be 55; write a value that it can have, such as win=0.55",
        ),
        (("--find", "fun=1", "--sweep", "comeback"), "There is no figure “fun”"),
        (("--find", "win=0.5", "--sweep", "comeback", "--figure", "win"), "leave --figure out"),
        (("--find", "bosses=inf", "--sweep", "comeback"), "Bosses killed cannot be inf"),
    ],
)
def test_what_cannot_be_searched_is_told_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = run_search(*words)
    assert result.exit_code in (1, 2)
    assert sentence in result.output
    assert "Traceback" not in result.output
