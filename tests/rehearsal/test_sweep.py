"""Sweeps: effects as they truly are and as another reckoning has them, ranked, and ended when all is sure."""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.rehearsal.design import Factorial, Lever, LeverEffect, effect_key
from companion.rehearsal.estimate import Sums
from companion.rehearsal.play import rehearse_one
from companion.rehearsal.report import WIDTH
from companion.rehearsal.run import play_batch
from companion.rehearsal.sequential import carry_out, sequential_z
from companion.rehearsal.sweep import Sweep, plain_sweep, rank_effects, sweep_csv, sweep_text
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import RehearsalSetting
from tests.rehearsal import toy

SETTING = RehearsalSetting("toy", 2)
LIFT, TWIST, IDLE = Lever("lift", ("0", "1")), Lever("twist", ("no", "yes")), Lever("idle", ("no", "yes"))
ALL = Factorial(SETTING, (IDLE, LIFT, TWIST), "win")
TWO = Factorial(SETTING, (LIFT, TWIST), "win")


def sweep(design: Factorial, units: int, seed: int = 0, workers: Callable[[], Executor] = toy.one_thread) -> Sweep:
    """A sweep to its end, or so many units."""
    figure = next(figure for figure in toy.ToyRehearsal.figures if figure.key == design.figure)
    plan = Sweep(design, figure)
    for _ in carry_out(plan, seed, units, workers):
        pass
    return plan


def true_effects(design: Factorial, figure: str) -> dict[str, float]:
    values = [toy.truth(setting)[figure] for setting in design.settings]
    return {
        effect.name: sum(
            sign * fmean(values[run] for run in group) for sign, group in zip(effect.signs, effect.groups, strict=True)
        )
        for effect in design.effects
    }


@pytest.mark.parametrize("figure", ["win", "score", "pips"])
def test_effects_are_those_that_the_game_has(figure: str) -> None:
    plan = Sweep(ALL, toy.WIN)
    plan.add(400, play_batch(ALL, 3, 0, 400))
    ranked = rank_effects(ALL, next(each for each in toy.ToyRehearsal.figures if each.key == figure), plan.sums)
    assert ranked is not None
    truth = true_effects(ALL, figure)
    assert {row.effect.name for row in ranked.rows} == {*truth}
    for row in ranked.rows:
        assert row.estimate.low <= truth[row.effect.name] <= row.estimate.high, row
    assert ranked.estimate.value == pytest.approx(toy.truth(ALL.settings[0])[figure], rel=0.15)


def test_an_effect_and_its_error_are_those_of_paired_differences() -> None:
    units = 1000
    sums = play_batch(TWO, 1, 0, units)
    games = [[rehearse_one(setting, 1, number).figures for setting in TWO.settings] for number in range(units)]
    # The settings are lift and twist off; twist; lift; both.
    by_hand: dict[str, tuple[tuple[int, ...], int]] = {
        "lift=1": ((-1, -1, 1, 1), 2),
        "twist=yes": ((-1, 1, -1, 1), 2),
        "lift=1 × twist=yes": ((1, -1, -1, 1), 1),
    }
    for effect in TWO.effects:
        signs, share = by_hand[effect.name]
        each = [sum(sign * one["win"][0] for sign, one in zip(signs, game, strict=True)) / share for game in games]
        estimate = sums[effect_key("win", effect)].contrast(dict(enumerate(effect.signs)))
        assert estimate is not None
        half = 1.959963984540054 * stdev(each) / math.sqrt(units)
        assert estimate == pytest.approx((fmean(each), fmean(each) - half, fmean(each) + half), abs=half / 10)


@pytest.mark.slow
def test_the_interplay_of_ratios_has_the_error_of_a_jackknife() -> None:
    # What twists does to pips of one die, minus what it does to those of five: nothing in the long run.
    units, chance, sums, games = 2000, Random(4), Sums(), []
    for _ in range(units):
        games.append([(sum(chance.randrange(1, 7) for _ in range(dice)), dice) for dice in (1, 5, 2, 4)])
        sums.add(*games[-1])

    def interplay(some: Sequence[Sequence[tuple[float, float]]]) -> float:
        none, twist, lift, both = (sum(g[at][0] for g in some) / sum(g[at][1] for g in some) for at in range(4))
        return none - twist - lift + both

    estimate = sums.contrast({0: 1, 1: -1, 2: -1, 3: 1}, z=1)
    assert estimate is not None
    assert estimate.value == pytest.approx(interplay(games))
    without = [interplay([*games[:at], *games[at + 1 :]]) for at in range(units)]
    error = math.sqrt((units - 1) / units * sum((each - fmean(without)) ** 2 for each in without))
    assert estimate.high - estimate.value == pytest.approx(error, rel=0.02)


def test_a_lever_that_does_nothing_is_exactly_0_and_last() -> None:
    plan = sweep(ALL, 50)
    for figure in toy.ToyRehearsal.figures:
        ranked = rank_effects(ALL, figure, plan.sums)
        assert ranked is not None
        nothing = [row.effect.name for row in ranked.rows if row.estimate == (0, 0, 0)]
        assert {"idle=yes", "idle=yes × lift=1", "idle=yes × twist=yes"} <= {*nothing}
        assert [row.effect.name for row in ranked.rows[-len(nothing) :]] == nothing
        sizes = [abs(row.estimate.value) for row in ranked.rows]
        assert sizes == sorted(sizes, reverse=True)


def test_a_sweep_ends_when_all_is_sure_and_that_is_right() -> None:
    plan = sweep(Factorial(SETTING, ALL.levers, "score", 0.5), 5000)
    assert plan.is_over
    assert plan.units < 1000
    assert plan.units % 50 == 0
    ranked = plan.report(toy.ToyRehearsal(), 0).figures[0]
    verdicts = {row.effect.name: row.verdict for row in ranked.rows}
    assert verdicts.pop("lift=1") == "more"
    assert verdicts.pop("twist=yes") == "less"
    assert {*verdicts.values()} == {"nothing"}


def test_what_is_not_sure_is_played_to_the_end_and_told() -> None:
    plan = sweep(ALL, 120)
    assert (plan.units, plan.is_over) == (120, False)
    text = "\n".join(sweep_text(plan.report(toy.ToyRehearsal(), 0)))
    assert "not certain yet" in text
    assert plain_sweep(plan.report(toy.ToyRehearsal(), 0))["sure"] is False


def test_any_number_of_workers_gives_the_same_sweep() -> None:
    design = Factorial(SETTING, TWO.levers, "score", 0.5)
    plans = [sweep(design, 2000, workers=lambda jobs=jobs: ThreadPoolExecutor(jobs)) for jobs in (1, 2, 3)]  # type: ignore[misc]
    reports = [plain_sweep(plan.report(toy.ToyRehearsal(), 0)) for plan in plans]
    assert reports[0] == reports[1] == reports[2]
    assert reports[0]["sure"]


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_sweep() -> None:
    design = Factorial(SETTING, TWO.levers, "score", 0.5)
    reports = [
        plain_sweep(sweep(design, 2000, workers=lambda jobs=jobs: _processes(jobs)).report(toy.ToyRehearsal(), 0))  # type: ignore[misc]
        for jobs in (1, 2, 3)
    ]
    assert reports[0] == reports[1] == reports[2]


def _processes(jobs: int) -> Executor:
    return ProcessPoolExecutor(jobs, initializer=import_module, initargs=("tests.rehearsal.toy",))


def test_a_sweep_that_was_stopped_goes_on_as_if_never() -> None:
    whole = sweep(TWO, 400)
    part = sweep(TWO, 130)
    again = Sweep(TWO, toy.WIN, part.units, part.sums)
    for _ in carry_out(again, 0, 400, toy.one_thread):
        pass
    assert plain_sweep(again.report(toy.ToyRehearsal(), 0)) == plain_sweep(whole.report(toy.ToyRehearsal(), 0))


@pytest.mark.slow
def test_all_intervals_of_a_sweep_hold_at_once_at_every_look() -> None:
    truth, rehearsals = true_effects(TWO, "win"), 60
    sequential, usual, at_the_end = 0, 0, 0
    for seed in range(rehearsals):
        plan = Sweep(TWO, toy.WIN)
        missed, missed_by_usual = False, 0
        for first in range(0, 400, 50):
            plan.add(50, play_batch(TWO, seed, first, 50))
            ranked = rank_effects(TWO, toy.WIN, plan.sums)
            assert ranked is not None
            missed |= any(not row.estimate.low <= truth[row.effect.name] <= row.estimate.high for row in ranked.rows)
            each = {effect.name: usual_interval(plan, effect) for effect in TWO.effects}
            at_this_look = sum(not one.low <= truth[name] <= one.high for name, one in each.items())
            missed_by_usual += at_this_look
        sequential += missed
        usual += missed_by_usual > 0
        at_the_end += at_this_look
    assert sequential <= 0.1 * rehearsals
    # Usual intervals hold what they promise, 95 % of each after a number of units that is fixed, and no more.
    assert 2 <= at_the_end <= 0.12 * rehearsals * len(TWO.effects)
    assert usual > 0.15 * rehearsals


def usual_interval(plan: Sweep, effect: LeverEffect) -> Estimate:
    """The 95 % interval of an effect on games won, for who looks once and at nothing else."""
    estimate = plan.sums[effect_key("win", effect)].contrast(dict(enumerate(effect.signs)))
    assert estimate is not None
    return estimate


@pytest.mark.parametrize("count", [8, 12])
def test_a_fraction_keeps_levers_apart_and_adds_up_aliases(count: int) -> None:
    design = Factorial(SETTING, tuple(Lever(f"l{at}", ("no", "yes")) for at in range(count)), "f")
    pairs = {pair: (3 * at) % 7 for at, pair in enumerate(combinations(range(count), 2))}

    def figure(setting: RehearsalSetting) -> float:
        on = [value == "yes" for _, value in sorted(setting.rules, key=lambda rule: int(rule[0][1:]))]
        alone = sum((at + 1) * on[at] for at in range(count))
        return float(alone + sum(size * on[one] * on[other] for (one, other), size in pairs.items()))

    sides = dict(design.sides([{"f": (figure(setting), 1.0)} for setting in design.settings]))
    for effect in design.effects:
        sums = Sums()
        sums.add(*sides[effect_key("f", effect)])
        estimate = sums.contrast(dict(enumerate(effect.signs)))
        assert estimate is not None
        if effect.is_interplay:
            aliases = [tuple(map(int, re.findall(r"l(\d+)=", name))) for name in (effect.name, *effect.aliases)]
            assert estimate.value == pytest.approx(sum(pairs[one, other] for one, other in aliases))
        else:
            at = design.effects.index(effect)
            assert estimate.value == pytest.approx(at + 1 + sum(v for pair, v in pairs.items() if at in pair) / 2)


def test_several_values_are_each_compared_with_the_first() -> None:
    design = Factorial(SETTING, (Lever("lift", ("0", "2", "4")),), "score")
    plan = sweep(design, 50)
    ranked = rank_effects(design, toy.SCORE, plan.sums)
    assert ranked is not None
    values = [(row.effect.name, row.estimate.value, row.verdict) for row in ranked.rows]
    assert values == [("lift=4", 8, "unsure"), ("lift=2", 4, "unsure")]
    assert all(row.estimate.high - row.estimate.low < 0.5 for row in ranked.rows)


def test_sides_of_an_effect_are_its_figures() -> None:
    ranked = rank_effects(TWO, toy.WIN, sweep(TWO, 50).sums)
    assert ranked is not None
    for row in ranked.rows:
        signs = dict(zip(row.sides, row.effect.signs, strict=True)) if len({*row.sides}) == len(row.sides) else {}
        assert not signs or sum(side * sign for side, sign in signs.items()) == pytest.approx(row.estimate.value)


def test_a_report_is_the_same_for_people_programs_and_spreadsheets() -> None:
    report = sweep(ALL, 200).report(toy.ToyRehearsal(), 0)
    plain = plain_sweep(report)
    lines = [*sweep_text(report)]
    assert max(map(len, lines)) <= WIDTH
    rows = [*csv.DictReader(io.StringIO(sweep_csv(report)))]
    json.dumps(plain)
    assert [*plain["figures"]] == ["win", "score", "pips"]
    for key, ranked in plain["figures"].items():
        written = [row for row in rows if row["figure"] == key]
        assert [row["effect"] for row in written] == ["", *(effect["effect"] for effect in ranked["effects"])]
        assert [float(row["value"]) for row in written[1:]] == [effect["value"] for effect in ranked["effects"]]
    strongest = plain["figures"]["win"]["effects"][0]
    line = next(line for line in lines if line.strip().startswith(f"{strongest['effect']} "))
    assert f"{100 * strongest['value']:+.1f} points" in line


def test_intervals_of_a_sweep_share_the_5_percent() -> None:
    plan = sweep(TWO, 200)
    ranked = rank_effects(TWO, toy.WIN, plan.sums)
    assert ranked is not None
    row = ranked.rows[0]
    z = sequential_z(plan.units, 1 + len(TWO.effects))
    counted = plan.sums[effect_key("win", row.effect)]
    assert row.estimate == counted.contrast(dict(enumerate(row.effect.signs)), z)
    usual = counted.contrast(dict(enumerate(row.effect.signs)))
    assert usual is not None
    assert row.estimate.high - row.estimate.low == pytest.approx((usual.high - usual.low) * z / 1.96, rel=0.1)


def run_sweep(*words: str) -> Result:
    """The command, as somebody types it."""
    return CliRunner().invoke(main, ["rehearse", "decknforge", "--players", "2", "--jobs", "1", *words])


def test_a_sweep_is_a_command(tmp_path: Path) -> None:
    words = ("--games", "4", "--wizards", "careful", "--sweep", "foilCost,pressure=3", "--figure", "bosses")
    text = run_sweep(*words).stdout
    assert text.startswith("4 rehearsed, each by 4 combinations of house rules; 2 players (careful)")
    assert "pressure=3 × foil-cost=1" in text or "foil-cost=1 × pressure=3" in text
    plain = json.loads(run_sweep(*words, "--json").stdout)
    assert (plain["figure"], plain["units"], plain["combinations"]) == ("bosses", 4, 4)
    # Who is careful never Foils.
    foil = next(each for each in plain["figures"]["bosses"]["effects"] if each["effect"] == "foil-cost=1")
    assert (foil["value"], foil["interval"]) == (0, [0, 0])
    sheet = tmp_path / "effects.csv"
    assert run_sweep(*words, "-o", str(sheet)).exit_code == 0
    assert sheet.read_text(encoding="utf-8").startswith("figure,title,unit,rank,effect")


def test_what_is_turned_in_campaigns_says_so() -> None:
    words = ("--games", "2", "--evenings", "2", "--wizards", "careful", "--sweep", "pressure=3:4")
    swept, searched = (" ".join(run_sweep(*words, *more).stdout.split()) for more in ((), ("--find", "bosses=6")))
    assert swept.startswith("2 campaigns of 2 evenings, each by 2 combinations")
    assert "2 settings played 4 campaigns of 2 evenings" in searched


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--sweep", ""), "Say what house rules are turned"),
        (("--sweep", "pressure=3", "--margin", "nan"), "A margin of nan makes no sense"),
        (("--sweep", "pressure=3", "--against", "default"), "leave --against out"),
        (("--sweep", "pressure=3", "--figure", "fun"), "There is no figure “fun”; the figures are: win"),
        (("--sweep", "shield-duration"), "Give another value for shield-duration besides fight"),
        (("--sweep", "push"), "There is no house rule “push”"),
        (("--sweep", "pressure=much"), "takes a whole number"),
        (("--sweep", "pressure=1:2:3:4,foilCost=1:2:3:4,easyReward=1:2:3:4,comeback"), "128 combinations"),
        (("--sweep", "track=fight,comeback"), "needs the house rule `track all`"),
        (("--against", "default"), "names the rules that are played anyway"),
        (("--figure", "win"), "Say what house rules are turned"),
        (("--margin", "2"), "Say what house rules are turned"),
    ],
)
def test_what_cannot_be_swept_is_told_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = run_sweep(*words)
    assert result.exit_code in (1, 2)
    assert sentence in result.output
    assert "Traceback" not in result.output
