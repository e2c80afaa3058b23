"""Doubts of `check`: amounts that are possible, but probably do not mean what they seem to."""

import pytest

from companion.games.described.page.checks.doubts import doubt_page
from companion.games.described.page.reading import place_faults, read_description

PAGE = """
name = "rolls"
title = "Rolls"
[play]
players = "2-4"
order = "together"
rounds = 3
[counters.points]
[counters.rolls]
[counters.level]
start = 1
[sheet]
columns = ["sets"]
[end]
most = "points"
"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('does = ["add me points [1, 3] by rolls"]', "“rolls” can be 0 and then takes the first value, 1"),
        ('costs = { points = "[1, 3] by me.rolls" }', "“me.rolls” can be 0 and then takes the first value, 1"),
        ('when = ["me points < [1, 3] by rolls"]', "“rolls” can be 0 and then takes the first value, 1"),
        ('does = ["add me points [1, 3] by rolls from 0"]', ""),
        ('does = ["add me points [1, 3] by rolls from 1"]', ""),
        ('does = ["add me points [0, 3] by rolls"]', ""),
        ('does = ["add me points [1, 3] by level"]', ""),
        ('does = ["add me points [1, 3] by round"]', ""),
        ('does = ["add me points [1, 3] by rank of rolls"]', ""),
        ('when = ["me rolls > others.rolls"]', "“others.rolls” is the sum of all others"),
        ('does = ["add me points max(others.rolls)"]', "Write “most of others.rolls” for one of them"),
        ('does = ["add me points min(each.rolls)"]', "Write “fewest of each.rolls” for one of them"),
        ('does = ["add me points max(0, others.rolls)"]', ""),
        ('when = ["others.rolls < me.rolls"]', "“others.rolls” is the sum of all others"),
        ('when = ["rolls > others.rolls"]', "write “most of others.rolls”, or “rank of rolls = 1”"),
        ('when = ["others rolls < me.rolls"]', ""),
        ('when = ["me rolls > most of others.rolls"]', ""),
        ('when = ["me points > others.rolls"]', ""),
    ],
)
def test_an_amount_is_doubted_on_its_line(text: str, sentence: str) -> None:
    whole = f"{PAGE}[actions.score]\n{text}\n"
    doubts = place_faults(whole, doubt_page(read_description(whole)))
    assert [doubt.line for doubt in doubts] == ([whole.count("\n")] if sentence else [])
    assert all(sentence in str(doubt.text) for doubt in doubts)


def test_a_list_by_a_column_is_doubted() -> None:
    whole = f'{PAGE}[[sheet.points]]\npoints = "[1, 3, 6] by sets"\n'
    (doubt,) = place_faults(whole, doubt_page(read_description(whole)))
    assert "“sets” can be 0 and then takes the first value, 1" in str(doubt.text)


def test_two_players_are_not_told_that_others_are_several() -> None:
    whole = f'{PAGE.replace("2-4", "2")}[actions.score]\nwhen = ["me rolls > others.rolls"]\n'
    assert not [*doubt_page(read_description(whole))]


def test_a_column_with_the_word_of_a_counter_is_doubted() -> None:
    whole = PAGE.replace('columns = ["sets"]', 'columns = ["sets", "rolls"]')
    (doubt,) = place_faults(whole, doubt_page(read_description(whole)))
    assert whole.splitlines()[doubt.line - 1].startswith("columns")
    assert "“rolls” is a counter as well" in str(doubt.text)


def test_the_counter_of_the_total_may_be_a_column() -> None:
    whole = PAGE.replace('columns = ["sets"]', 'columns = ["sets", "points"]')
    assert not [*doubt_page(read_description(whole))]


@pytest.mark.parametrize(("of", "is_doubted"), [("seat", True), ("table", False)])
def test_things_in_a_zone_of_other_owners_are_doubted(of: str, is_doubted: bool) -> None:
    whole = f'{PAGE}[zones.supply]\nof = "{of}"\n[things.pile]\nof = "table"\nzone = "supply"\n'
    doubts = place_faults(whole, doubt_page(read_description(whole)))
    assert [doubt.line for doubt in doubts] == ([whole.count("\n")] if is_doubted else [])
