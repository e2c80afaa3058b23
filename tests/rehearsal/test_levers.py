"""Levers as they are typed: what they mean, and what is asked where they leave something open."""

import pytest

from companion.games.decknforge.book.house import House
from companion.rehearsal.design import Lever
from companion.rehearsal.levers import read_levers
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.rehearsal import RehearsalSetting

SETTING = RehearsalSetting("decknforge", 3, rules=(("comeback", "yes"), ("foilCost", "1")))


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("pressure=3", ("2", "3")),
        ("pressure", ("2", "3")),
        ("pressure=4:2:3", ("4", "2", "3")),
        ("comeback", ("yes", "no")),
        ("killCredit", ("highest", "solo-lethal")),
        ("kill-credit=soloLethal", ("highest", "solo-lethal")),
        ("foil-cost=2", ("1", "2")),
        ("shield-duration=round:dungeon", ("round", "dungeon")),
    ],
)
def test_a_lever_turns_a_rule_from_what_it_is_now(word: str, values: tuple[str, ...]) -> None:
    _, (lever,) = read_levers([word], SETTING, House)
    assert lever.values == values


def test_rules_that_are_not_turned_stay_by_their_own_names() -> None:
    setting, levers = read_levers(["comeback", " pressure=3"], SETTING, House)
    assert setting.rules == (("foil-cost", "1"),)
    assert levers == (Lever("comeback", ("yes", "no")), Lever("pressure", ("2", "3")))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["shieldDuration"],
            "Give another value for shield-duration besides fight, such as shield-duration=fight:round",
        ),
        (["pressure=2"], "pressure=2:2 has a value twice"),
        (["pressure=3", "pressure=4"], "pressure is given twice"),
        (["push=3"], "There is no house rule “push”"),
        (["pressure=much"], "takes a whole number"),
        (["pressure="], "takes a whole number"),
        (["max-hand"], "There is no house rule"),
    ],
)
def test_what_cannot_be_turned_is_told(words: list[str], sentence: str) -> None:
    with pytest.raises((NotationError, RuleError), match=sentence):
        read_levers(words, SETTING, House)
