"""Figures put right in a match, or on the score sheet of a page: nothing of what it replaces is told."""

from __future__ import annotations

import pytest

from companion.session.core import changes
from companion.session.core.evenings import corrected_actions
from companion.session.core.session import Session
from companion.session.reports.courses import read_courses
from companion.tabletop.constructed.evening import BestAttack, LowestLife
from tests.games.constructed.test_evening import SEATED, enter_lines, evening
from tests.games.described import pages

TURN = ("battle", "next")
WON = ("damage ben 200",)


def match(*lines: str) -> Session:
    return enter_lines("solforge", (*SEATED, *lines))


def hits(session: Session) -> list[int]:
    """Return what the end tells of a match: the most that was lost, line by line."""
    return [point.hit for point in changes.tell_ending(session.game, session.moments()).points]


def lowest(*lines: str) -> LowestLife | None:
    return evening(match(*lines, *WON)).narrowest


@pytest.mark.parametrize("put_right", ["set ben health 115", "add ben health 7"])
def test_an_attack_did_what_it_did_as_put_right(put_right: str) -> None:
    assert evening(match("damage ben 12", put_right)).best_attack == BestAttack("ben", 5, 1, "ana")


def test_a_correction_makes_no_attack_harder() -> None:
    assert evening(match("damage ben 12", "add ben health -30")).best_attack == BestAttack("ben", 12, 1, "ana")


def test_the_narrowest_moment_is_no_wrong_figure() -> None:
    assert lowest("damage ana 30", "set ana health 9", "set ana health 99") == LowestLife("ana", 99, 1)
    assert lowest("damage ana 30", "add ana health -81", "add ana health 90") == LowestLife("ana", 99, 1)


def test_how_a_turn_ended_stays_in_the_course() -> None:
    course = evening(match("damage ana 30", *TURN, "set ana health 50", *TURN)).course
    assert [after.life[0] for after in course] == [90, 50]


def test_a_wrong_turn_is_none() -> None:
    assert evening(match("set table turn 9", "damage ana 30", "set table turn 1", *TURN)) == evening(
        match("damage ana 30", *TURN)
    )


def test_who_lost_by_a_wrong_figure_plays_on() -> None:
    lines = ("damage ana 30", "set ana health 0", "set ana health 90")
    assert match(*lines[:2]).state.outcome == "ben"
    assert lowest(*lines) == LowestLife("ana", 90, 1)
    assert hits(match(*lines, *WON)) == [30, 200]


def test_a_concession_that_is_taken_back_ends_nothing() -> None:
    assert hits(match("concede ana", "set table outcome none", "damage ben 9", *WON)) == [9, 200]


def test_where_figures_are_tracked_a_slip_is_no_attack() -> None:
    lines = (*SEATED[:2], "rule track figures", SEATED[2], "add ben health -30", "add ben health 27")
    assert evening(enter_lines("solforge", lines)).best_attack == BestAttack("ben", 3, 1, "ana")


def test_where_figures_are_tracked_each_change_is_an_attack() -> None:
    lines = (*SEATED[:2], "rule track figures", SEATED[2], "add ben health -3", "add ben health -5")
    assert evening(enter_lines("solforge", lines)).best_attack == BestAttack("ben", 5, 1, "ana")


def rounds_of_tricks(*ends: str) -> Session:
    session = Session.new(pages.ready("rummy"))
    for line in ("seat ana", "seat ben", "begin seed 1", *ends):
        session.enter(line)
    return session


def test_a_figure_of_the_sheet_counts_since_it_was_entered() -> None:
    games = (
        rounds_of_tricks("enter ana points 50", "enter ben points 7", "next", "enter ana points 5 round 1"),
        rounds_of_tricks("enter ana points 5", "enter ben points 7", "next"),
    )
    wrong, right = (read_courses(game.game, corrected_actions(game.game, game.log.position.head)) for game in games)
    assert wrong == right != ()
