"""The score sheet after the game: corrections of its rows, and what the table still shows."""

from __future__ import annotations

import pytest

from companion.tabletop.action import RuleError
from tests.games.described.test_sheet import PAGE, enter_texts, new_table

SHORT = PAGE.replace("rounds = 5", 'rounds = 2\nhand = "2 * round"')
OVER = PAGE.replace("rounds = 5\n", "").replace("[end]", '[end]\nover = "points >= 40"')


@pytest.mark.parametrize("text", ["enter ben taken 9 round 2", "enter ben taken 9", "ben taken 9", "ben 9 0"])
def test_a_mistake_on_the_sheet_is_corrected_after_the_end(text: str) -> None:
    session = new_table(SHORT)
    enter_texts(session, "2 2 1 0 0 0", "next", "2 1 1 0 0 0", "next")
    assert session.state.outcome == "ana"
    enter_texts(session, text)
    sheet = session.view().sheet
    assert sheet is not None
    assert (session.state.outcome, sheet.totals, sheet.besides) == ("ben", ("40", "110", "20"), ())
    assert len(session.state.rows) == 2


def test_a_game_that_is_not_over_after_all_goes_on() -> None:
    session = new_table(OVER)
    enter_texts(session, "5 2 1 0 0 0", "next")
    assert session.state.outcome == "ana"
    enter_texts(session, "ana taken 3")
    assert (session.state.outcome, session.state.round) == (None, 2)
    enter_texts(session, "1 2 2 0 0 0", "next")
    assert (session.state.outcome, len(session.state.rows)) == ("ana+ben", 2)


def test_a_sealed_sheet_is_corrected_no_more() -> None:
    session = new_table(SHORT)
    enter_texts(session, "2 2 1 0 0 0", "next", "2 1 1 0 0 0", "next", "seal")
    with pytest.raises(RuleError, match="sealed"):
        session.enter("enter ben taken 9 round 2")


def test_the_last_hand_stays_after_the_end() -> None:
    session = new_table(SHORT)
    enter_texts(session, "2 2 1 0 0 0", "next", "2 1 1 0 0 0", "next")
    figures = {counter.name: counter.figure for counter in session.view().counters}
    assert (figures["round"], figures["hand"]) == ("2", "4")
