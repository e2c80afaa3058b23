"""Designs: which settings a unit plays, which runs make an effect, and that they outlive a journey as JSON."""

import pickle
from itertools import combinations

import msgspec
import pytest

from companion.rehearsal.design import (
    Comparison,
    Design,
    Factorial,
    Lever,
    LeverEffect,
    OneSetting,
    Race,
    candidate_key,
    effect_key,
    grid,
)
from companion.rehearsal.fraction import parity, two_level_columns
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import RehearsalSetting

PLAIN = RehearsalSetting("anything", 2, rules=(("c", "9"),))
LEVERS = (Lever("a", ("0", "1")), Lever("b", ("0", "1", "2")))


def _levers(count: int) -> tuple[Lever, ...]:
    return tuple(Lever(f"lever{number}", ("no", "yes")) for number in range(count))


@pytest.mark.parametrize(
    "design",
    [
        OneSetting(PLAIN),
        Comparison(PLAIN, RehearsalSetting("anything", 2)),
        Factorial(PLAIN, LEVERS),
        Race(grid(PLAIN, LEVERS), "win", 0.55, 0.02),
    ],
)
def test_a_design_goes_through_json_and_to_workers(design: Design) -> None:
    assert msgspec.json.decode(msgspec.json.encode(design), type=Design) == design
    assert pickle.loads(pickle.dumps(design)) == design


def test_a_factorial_plays_every_combination_of_values() -> None:
    settings = Factorial(PLAIN, LEVERS).settings
    assert [dict(setting.rules) for setting in settings] == [
        {"a": a, "b": b, "c": "9"} for a in "01" for b in ("0", "1", "2")
    ]
    assert settings == grid(PLAIN, LEVERS)


def test_an_effect_adds_up_the_runs_with_a_value_and_those_without() -> None:
    effects = {effect.name: effect for effect in Factorial(PLAIN, LEVERS).effects}
    assert [*effects] == ["a=1", "b=1", "b=2", "a=1 × b=1", "a=1 × b=2"]
    # The runs are a0b0, a0b1, a0b2, a1b0, a1b1, a1b2.
    assert effects["b=2"] == LeverEffect("b=2", ((2, 5), (0, 3)), (1, -1))
    assert effects["a=1 × b=2"] == LeverEffect("a=1 × b=2", ((5,), (3,), (2,), (0,)), (1, -1, -1, 1))


def test_each_side_of_an_effect_has_the_sums_of_its_runs() -> None:
    design = Factorial(PLAIN, LEVERS)
    sides = dict(design.sides([{"f": (float(run), 1.0), "t:x": (1.0, 1.0)} for run in range(6)]))
    assert sides["f"] == ((0, 1),)
    assert sides["f@a=1"] == ((12, 3), (3, 3))
    assert len(sides) == 6


def test_candidates_are_kept_alone_and_in_pairs() -> None:
    race = Race(grid(PLAIN, LEVERS)[:3], "f", 1.0, 0.1)
    sides = dict(race.sides([{"f": (float(run), 1.0), "g": (9.0, 3.0)} for run in range(3)]))
    first, _, third = race.candidates
    assert sides[candidate_key("f", third)] == ((2, 1),)
    assert sides[candidate_key("f", first, third)] == ((0, 1), (2, 1))
    assert len(sides) == 3 * 2 + 3


@pytest.mark.parametrize("count", range(2, 65))
def test_no_lever_is_confused_with_another_or_a_pair(count: int) -> None:
    columns = two_level_columns(count)
    assert len({*columns, 0}) == count + 1
    pairs = [one ^ other for one, other in combinations(columns, 2)]
    assert not {*columns} & {*pairs}
    if count <= 11:  # resolution V
        assert len({*pairs}) == len(pairs)


@pytest.mark.parametrize(("count", "runs"), [(6, 64), (7, 64), (8, 64), (9, 128), (11, 128), (12, 32), (64, 128)])
def test_many_levers_are_played_in_a_fraction(count: int, runs: int) -> None:
    design = Factorial(PLAIN, _levers(count))
    assert len({*design.settings}) == len(design.settings) == runs
    assert design.is_fraction == (count > 6)
    mains = [effect for effect in design.effects if not effect.is_interplay]
    assert all(len(group) == runs // 2 for effect in mains for group in effect.groups)
    assert len(mains) == count
    names = [name for effect in design.effects for name in (effect.name, *effect.aliases)]
    assert len(names) == len({*names}) == count + count * (count - 1) // 2


def test_aliases_of_a_fraction_have_the_same_runs() -> None:
    design = Factorial(PLAIN, _levers(12))
    columns = two_level_columns(12)
    aliased = next(effect for effect in design.effects if effect.aliases)
    for name in (aliased.name, *aliased.aliases):
        one, other = (int(word.removeprefix("lever").removesuffix("=yes")) for word in name.split(" × "))
        signs = [parity(run & columns[one]) ^ parity(run & columns[other]) for run in range(32)]
        assert {run for run in range(32) if not signs[run]} == {*aliased.groups[0], *aliased.groups[3]}


def test_more_than_can_be_played_is_refused() -> None:
    with pytest.raises(RuleError, match="have 81 combinations, but at most 64"):
        Factorial(PLAIN, tuple(Lever(key, ("1", "2", "3")) for key in "abcd")).check()
    with pytest.raises(RuleError, match="Up to 64 levers"):
        Factorial(PLAIN, _levers(65)).check()


def test_an_effect_is_kept_by_its_figure_and_name() -> None:
    assert effect_key("win", Factorial(PLAIN, LEVERS).effects[0]) == "win@a=1"
