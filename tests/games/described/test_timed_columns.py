"""Columns of the score sheet that are asked for in some rounds only."""

from __future__ import annotations

import pytest

from companion.games.described.page.reading import PageError, read_description
from companion.tabletop.action import RuleError
from tests.games.described.test_sheet import enter_texts, hint_texts, new_table

PAGE = """
name = "puddings"
title = "Puddings"
[play]
players = "2-4"
order = "together"
rounds = 2
[counters.points]
least = "none"
[sheet]
columns = ["dishes", "puddings"]
rounds = { puddings = "last" }
sum = { puddings = 4 }
[[sheet.points]]
points = "dishes"
[[sheet.points]]
when = ["rank of -puddings = 1"]
points = -6
[end]
most = "points"
"""


def test_a_column_of_the_last_round_is_asked_only_there() -> None:
    session = new_table(PAGE, "ana", "ben")
    with pytest.raises(RuleError, match=r"^Puddings is not asked for in Round 1\.$"):
        session.enter("enter ana puddings 2")
    enter_texts(session, "5 4")
    assert hint_texts(session) == []
    enter_texts(session, "next")
    assert session.state.rows[0].points == {"ana": 5, "ben": 4}
    assert enter_texts(session, "ana 5 1", "enter ben 4 3") == [
        "enter ana dishes 5",
        "enter ana puddings 1",
        "enter ben dishes 4",
        "enter ben puddings 3",
    ]
    enter_texts(session, "next")
    assert session.state.rows[1].points == {"ana": -1, "ben": 4}
    enter_texts(session, "ana puddings 4")
    assert session.state.rows[1].points == {"ana": 5, "ben": -2}


@pytest.mark.parametrize("rounds", ["2", "[2]"])
def test_rounds_can_be_numbers(rounds: str) -> None:
    session = new_table(PAGE.replace('"last"', rounds), "ana", "ben")
    enter_texts(session, "5 4", "next", "5 4")
    with pytest.raises(RuleError, match=r"^Puddings of Ana is missing"):
        session.enter("next")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("rounds = 2\n", "", "The page does not say which round is the last"),
        ('"last"', "3", r"The game has 2 rounds\."),
        ('"last"', '"first"', "“first” cannot stand here|“first” is not one of"),
        ("{ puddings =", "{ pudings =", "pudings"),
    ],
)
def test_wrong_rounds_of_columns_are_found(old: str, new: str, sentence: str) -> None:
    with pytest.raises(PageError, match=sentence):
        read_description(PAGE.replace(old, new).replace('most = "points"', 'most = "points"\nover = "points >= 9"'))
