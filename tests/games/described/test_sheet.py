"""The score sheet: figures in a row, corrections by name, sums, and totals that say what is in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.described.game import DescribedGame
from companion.games.described.load import game_from_text
from companion.games.described.page.actions import Enter
from companion.games.described.page.reading import PageError, read_description
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading.figure_reading import change_lines
from companion.session.reading.line_reading import read_line
from companion.session.reading.options import options
from companion.tabletop.action import AmbiguousLine, NotationError, RuleError
from companion.tabletop.table.choices import Gap, accepts
from companion.tabletop.table.table import draft
from tests.games.described import pages

PAGE = """
name = "rows"
title = "Rows"
[play]
players = "2-4"
order = "together"
rounds = 5
[counters.points]
least = "none"
[sheet]
columns = ["taken", "bonus"]
sum = { taken = 5 }
[[sheet.points]]
points = "10 * taken + bonus"
[actions.luck]
takes = "N"
whose = "any"
does = ["add me points N"]
[end]
most = "points"
"""
STEPS = """
name = "steps"
title = "Steps"
[play]
players = "2-4"
order = "together"
[[steps]]
name = "bid"
do = "Hold up your fists."
[[steps]]
name = "play"
do = "Play the cards."
[counters.points]
[sheet]
columns = ["bid", "tricks", "bonus"]
at = { bid = "bid" }
secret = ["bid"]
"""
TEAMS = (
    PAGE.replace('"2-4"', '"4"\nteams = 2')
    .replace("[sheet]", '[sheet]\neach = "team"')
    .replace('least = "none"', 'least = "none"\nof = "team"')
)


def new_table(text: str, *seats: str) -> Session:
    """A table of a page with these seats."""
    game = game_from_text(text)
    assert isinstance(game, DescribedGame)
    session = Session.new(game)
    for line in (*(f"seat {seat}" for seat in seats or ("ana", "ben", "cy")), "begin seed 1"):
        session.enter(line)
    return session


def enter_texts(session: Session, *texts: str) -> list[str]:
    """What typed texts come to, as lines; all of them are done."""
    lines = []
    for text in texts:
        actions = read_line(text, session)
        lines += [session.notation.format(action) for action in actions]
        session.do(*actions)
    return lines


def hint_texts(session: Session) -> list[str]:
    return [str(hint) for hint in session.view().hints]


def test_figures_in_a_row_answer_all_columns() -> None:
    row = [f"enter {seat} taken {figure}" for seat, figure in (("ana", 2), ("ben", 2), ("cy", 1))]
    bonus = [f"enter {seat} bonus 10" for seat in ("ana", "ben", "cy")]
    assert enter_texts(new_table(PAGE), "2 2 1 10 10 10") == [*row, *bonus]
    assert enter_texts(new_table(PAGE), "enter ana taken 2 2 1") == row


@pytest.mark.parametrize("text", ["enter ana 3 2", "ana 3 2", "enter ANA 3 2"])
def test_figures_behind_a_seat_are_its_columns(text: str) -> None:
    assert enter_texts(new_table(PAGE), text) == ["enter ana taken 3", "enter ana bonus 2"]


def test_figures_behind_a_seat_are_those_still_open() -> None:
    session = new_table(STEPS)
    with pytest.raises(NotationError, match=r"^2 figures are too many; only Bid of ana is open\.$"):
        read_line("enter ana 3 2", session)
    enter_texts(session, "1 0 2", "next", "ben tricks 1")
    assert enter_texts(session, "enter ben 20") == ["enter ben bonus 20"]
    assert enter_texts(session, "enter ana 3 2") == ["enter ana tricks 3", "enter ana bonus 2"]


def test_a_complete_row_is_corrected_in_one_line() -> None:
    session = new_table(PAGE)
    enter_texts(session, "enter ana 3 2")
    assert enter_texts(session, "enter ana 4 0") == ["enter ana taken 4", "enter ana bonus 0"]


def test_teams_have_rows_as_well() -> None:
    session = new_table(TEAMS, "ana", "ben", "cy", "dee")
    assert enter_texts(session, "team-1 3 2") == ["enter team-1 taken 3", "enter team-1 bonus 2"]
    assert enter_texts(session, "enter ben 2 0") == ["enter ben taken 2", "enter ben bonus 0"]


@pytest.mark.parametrize("text", ["ana taken 1", "taken ana 1", "Ana Taken 1"])
def test_a_column_is_corrected_by_its_name(text: str) -> None:
    session = new_table(PAGE)
    enter_texts(session, "ana taken 3")
    assert enter_texts(session, text) == ["enter ana taken 1"]
    assert session.state.entered["ana"]["taken"] == 1


def test_a_wrong_sum_is_shown_until_it_is_right() -> None:
    session = new_table(PAGE)
    enter_texts(session, "3 2 1")
    wrong = "Taken: the sum is 6, but should be 5; look again."
    assert hint_texts(session) == [wrong]
    enter_texts(session, "1 1 1", "next")
    assert hint_texts(session) == [f"Round 1. {wrong}"]
    enter_texts(session, "enter cy taken 0 round 1")
    assert hint_texts(session) == []


def test_a_correction_that_leaves_a_wrong_sum_says_so_even_after_the_game() -> None:
    session = new_table(PAGE.replace("rounds = 5", "rounds = 2"))
    enter_texts(session, "3 2 0", "0 0 0", "next", "3 2 0", "0 0 0", "next")
    assert session.view().outcome
    sentences = [str(tell.text) for tell in session.do(session.notation.parse("enter cy taken 2 round 1"))]
    assert "Round 1. Taken: the sum is 7, but should be 5; look again." in sentences
    sentences = [str(tell.text) for tell in session.do(session.notation.parse("enter ana taken 1 round 1"))]
    assert not any("the sum is" in text for text in sentences)


def test_a_sum_can_follow_another_column() -> None:
    session = new_table(PAGE.replace("{ taken = 5 }", '{ taken = "5 - bonus" }'))
    enter_texts(session, "2 2 0")
    assert hint_texts(session) == []
    enter_texts(session, "0 0 2")
    assert hint_texts(session) == ["Taken: the sum is 4, but should be 3; look again."]
    enter_texts(session, "enter cy bonus 1")
    assert hint_texts(session) == []


@pytest.mark.parametrize("total", ["5 - taken", "others.bonus", "points", "5 -", "each.round"])
def test_a_sum_names_only_other_columns(total: str) -> None:
    with pytest.raises(PageError, match=r"sheet\.sum\.taken: .* is not a sum"):
        read_description(PAGE.replace("{ taken = 5 }", f'{{ taken = "{total}" }}'))


def test_the_sheet_says_what_came_besides_its_rows() -> None:
    session = new_table(PAGE)
    enter_texts(session, "3 2 0 1 1 1", "next")
    sheet = session.view().sheet
    assert sheet is not None
    assert (sheet.totals, sheet.besides) == (("31", "21", "1"), ())
    enter_texts(session, "luck ana 6")
    sheet = session.view().sheet
    assert sheet is not None
    assert (sheet.totals, sheet.besides) == (("37", "21", "1"), ("+6", "", ""))


def test_a_step_says_once_what_is_to_be_done() -> None:
    session, questions = new_table(STEPS), list[str]()
    for line in ("enter ana bid 1", "0 0", "next", "1", "0 0", "0", "0 0"):
        questions += [str(prompt.text) for prompt in session.view().prompts if prompt.due and prompt.seat]
        enter_texts(session, line)
    assert [text for text in questions if "fists" in text] == ["Hold up your fists. Ana: Bid?"]
    assert [text for text in questions if "Play the cards." in text and "?" in text] == ["Play the cards. Ana: Tricks?"]


def test_a_row_of_a_complete_row_corrects_it_without_a_verb() -> None:
    session = new_table(PAGE)
    enter_texts(session, "ana 3 2")
    assert enter_texts(session, "ana 3 1") == ["enter ana taken 3", "enter ana bonus 1"]
    with pytest.raises(
        NotationError, match=r"^No figure of ana is open\. `ana taken 3` corrects one; a row of all \(Taken, Bonus\)"
    ):
        read_line("ana 3 1 4", session)


def test_a_figure_where_none_is_open_is_asked_about() -> None:
    session = new_table(PAGE)
    enter_texts(session, "ana 3 2")
    ways = ["set ana points 1", "enter ana taken 1", "enter ana bonus 1"]
    with pytest.raises(AmbiguousLine, match=" or ".join(f"`{line}`" for line in ways)):
        read_line("ana 1", session)
    assert [line for line, _ in change_lines("ana 1", session)] == ways
    assert change_lines("ana 3 1", session) == ()


def test_a_row_with_a_refused_figure_says_which() -> None:
    page = STEPS.replace("columns", 'limit = { tricks = "tricks <= 1" }\ncolumns').replace('secret = ["bid"]', "")
    session = new_table(page)
    enter_texts(session, "1 0 0", "next")
    for row in ("2 0 0", "0 2 0", "0 0 2"):
        with pytest.raises(RuleError, match=r"Tricks cannot be 2, since Tricks is at most 1 by the rules\."):
            session.do(*read_line(row, session))


def test_a_figure_of_a_later_step_may_belong_to_the_last_row() -> None:
    session = new_table(STEPS)
    enter_texts(session, "1 0 2", "next", "1 1 1", "0 0 0", "next")
    assert not [prompt for prompt in session.view().prompts if "Tricks" in str(prompt.text)]
    with pytest.raises(AmbiguousLine, match="`enter cy tricks 2 round 1` or `enter cy tricks 2`"):
        read_line("cy tricks 2", session)
    assert enter_texts(session, "enter cy tricks 2 round 1", "cy bid 1") == [
        "enter cy tricks 2 round 1",
        "enter cy bid 1",
    ]


TEAM_ROWS = (
    PAGE.replace('name = "rows"', 'name = "team-rows"')
    .replace('players = "2-4"', 'players = "4"\nteams = 2')
    .replace("[counters.points]", '[counters.points]\nof = "team"')
    .replace("[sheet]", '[sheet]\neach = "team"')
)
SEATS = ("ana", "ben", "cleo", "dora")


def played_rows(page: str, rows: Sequence[Sequence[int]]) -> Session:
    """A table with these figures, by rounds, each with those of the sides: all taken, then each bonus."""
    session = Session.new(game_from_text(page))
    for line in (*(f"seat {seat}" for seat in SEATS), "begin"):
        session.enter(line)
    sides = [SEATS[0], SEATS[1]] if "teams" in page else [*SEATS]
    for at, row in enumerate(rows):
        for column, figures in (("taken", row[: len(sides)]), ("bonus", row[len(sides) : 2 * len(sides)])):
            for seat, figure in zip(sides, figures, strict=True):
                session.enter(f"enter {seat} {column} {figure}")
        if at + 1 < len(rows):
            session.enter("next")
    return session


@pytest.mark.parametrize("page", [PAGE, TEAM_ROWS], ids=["seats", "teams"])
@given(
    rows=st.lists(st.lists(st.integers(0, 9), min_size=8, max_size=8), min_size=1, max_size=4), right=st.integers(0, 9)
)
def test_each_figure_of_a_sheet_is_corrected_by_choices(page: str, rows: list[list[int]], right: int) -> None:
    session, places = played_rows(page, rows), 0
    game, state, sides = session.game, session.state, 2 if "teams" in page else 4
    for side, seat in enumerate(SEATS[:sides]):
        for at_column, answer in enumerate(game.figures_to_correct(state, seat)):
            rounds = Gap.of(game, state, answer)
            assert rounds.argument.field == "round"
            assert [choice.value for choice in rounds.fitting_choices] == [*range(len(rows), 0, -1)]
            for choice in rounds.fitting_choices:
                place = at_column * sides + side
                assert str(choice.detail).endswith(f" {rows[choice.value - 1][place]}")
                figure = Gap.of(game, state, rounds.fill_gap(choice.value))
                action = figure.fill_gap(right).build()
                column = answer.given["column"]
                assert action == session.notation.parse(f"enter {seat} {column} round {choice.value} {right}")
                right_rows = [[*row] for row in rows]
                right_rows[choice.value - 1][place] = right
                corrected, expected = game.apply(state, action).state, played_rows(page, right_rows).state
                assert (corrected.rows, corrected.entered) == (expected.rows, expected.entered)
                assert (corrected.players, corrected.teams) == (expected.players, expected.teams)
                places += 1
    assert places == len(rows) * 2 * sides


def test_a_figure_of_the_sheet_is_listed_beside_the_counters_of_its_seat() -> None:
    session = played_rows(PAGE, [[1, 2, 1, 1, 0, 0, 0, 0], [2, 1, 1, 1, 3, 0, 0, 0]])
    assert [answer.line for answer in options("set ana ", session).answers] == [
        "set ana points",
        "enter ana taken",
        "enter ana bonus",
    ]
    rounds = options("enter ana bonus ", session)
    assert [(answer.line, str(answer.detail)) for answer in rounds.answers] == [
        ("enter ana bonus round 2", "Bonus 3"),
        ("enter ana bonus round 1", "Bonus 0"),
    ]
    assert rounds.open
    behind = options("enter ana bonus round 1 ", session)
    assert (behind.answers, behind.open is not None) == ((), True)
    assert "enter ana bonus" not in [answer.line for answer in options("", session).answers]


def test_a_figure_beyond_its_limit_is_refused_and_asks_for_no_earlier_round() -> None:
    page = PAGE.replace("sum = { taken = 5 }", 'limit = { taken = "taken <= 5" }')
    session = played_rows(page, [[1, 2, 1, 1, 0, 0, 0, 0]])
    session.enter("next")
    assert not accepts(session.game, session.state, draft(Enter, seat="ana", column="taken", figure=6))
    assert accepts(session.game, session.state, draft(Enter, seat="ana", column="taken", figure=6, round=1))


def test_nothing_of_the_sheet_is_listed_before_there_is_a_row() -> None:
    session = Session.new(game_from_text(PAGE))
    for line in ("seat ana", "seat ben", "begin"):
        session.enter(line)
    assert session.game.figures_to_correct(session.state, "ana") == ()
    assert [answer.line for answer in options("set ana ", session).answers] == ["set ana points"]


# The sums behind points


SHEETS = sorted(path for path in pages.TABLES.glob("**/*.table") if "enter " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_the_sums_behind_points_come_to_them(path: Path) -> None:
    if path.with_suffix(".toml").exists():
        pages.load(path.with_suffix(".toml"))
    played = Replay(path.read_text(encoding="utf-8"))
    assert not [line.failure for line in played if line.failure]
    sheet = played.session.view().sheet
    for row in sheet.rows if sheet else ():
        for points, how in zip(row.points, row.sums, strict=True):
            assert not str(how) or reckon(str(how)) == reckon(points), f"{row.title}: {how}"


def reckon(text: str) -> int:
    """Return the value of a sum of products."""
    assert re.fullmatch(r"[\d,()+−× ]+", text), text
    return int(eval(text.replace(",", "").replace("−", "-").replace("×", "*")))


@pytest.mark.parametrize(
    ("points", "taken", "bonus", "how"),
    [
        ("10 * taken + bonus", 3, 5, "10 × 3 + 5"),
        ("10 * taken - bonus", 3, 5, "10 × 3 − 5"),
        ("bonus - 10 * taken", 3, 5, "5 − 10 × 3"),
        ("-2 * taken", 3, 0, "−2 × 3"),
        ("2 * (taken - bonus)", 3, 5, "2 × (3 − 5)"),
        ("taken - (bonus - 2)", 3, 5, "3 − 5 + 2"),
        ("max(taken, bonus) + 4", 3, 5, "5 + 4"),
        ("[1, 3, 6] by taken + bonus", 3, 5, "6 + 5"),
        ("10 * taken + bonus", 0, 5, ""),
        ("taken", 3, 5, ""),
    ],
)
def test_a_sum_has_the_figures_of_its_row(points: str, taken: int, bonus: int, how: str) -> None:
    session = new_table(PAGE.replace("10 * taken + bonus", points), "ana", "ben")
    for line in (f"enter ana taken {taken}", f"enter ana bonus {bonus}", "enter ben taken 1", "enter ben bonus 0"):
        session.enter(line)
    session.enter("next")
    sheet = session.view().sheet
    assert sheet is not None
    assert str(sheet.rows[0].sums[0]) == how
