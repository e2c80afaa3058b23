"""The score sheet after the game: corrections of its rows, and what the table still shows."""

from __future__ import annotations

import pytest

from companion.games.described.page.reading import PageError, read_description
from companion.session.core.changes import tell_ending
from companion.session.reports import evening_cards
from companion.tabletop.action import RuleError
from companion.tabletop.evening_text import as_sentences
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


TOGETHER = """
name = "fireworks"
title = "Fireworks"
[play]
players = "2-4"
[counters.score]
of = "table"
sum = ["white", "red"]
big = true
[counters.white]
of = "table"
[counters.red]
of = "table"
[counters.verdict]
of = "table"
words = ["poor", "honourable"]
[counters.gems]
big = true
sum = ["found", "won"]
[counters.found]
[counters.won]
[actions.found]
whose = "any"
does = ["add table white 17", "add me found 3", "set table verdict honourable"]
"""


def test_the_end_shows_the_figures_of_the_table() -> None:
    session = new_table(TOGETHER, "ana", "ben")
    enter_texts(session, "found ana", "all-won")
    ending = tell_ending(session.game, session.moments())
    figures = {name: str(text) for name, text in ending.people}
    assert figures["The table"] == "Score 17 · White 17 · Verdict honourable"
    card = evening_cards.present_session(None, session).card
    assert [f"{each.value} {each.title}" for each in card.figures] == ["17 Score", "1 round"]
    assert "Score 17" in [str(each) for each in card.highlights]
    sentences = " ".join(map(str, as_sentences(card)))
    for figure in ("White 17", "Verdict Honourable", "3"):
        assert figure in sentences


@pytest.mark.parametrize(
    ("key", "figures", "outcome"),
    [
        ("most", {"ana": (5, 2), "ben": (5, 3), "cy": (4, 9)}, "ben"),
        ("most", {"ana": (5, 3), "ben": (5, 3), "cy": (4, 9)}, "ana+ben"),
        ("most", {"ana": (5, 3), "ben": (5, 3), "cy": (5, 3)}, "draw"),
        ("fewest", {"ana": (1, 2), "ben": (1, 1), "cy": (4, 0)}, "ben"),
    ],
)
def test_a_list_of_counters_breaks_ties(key: str, figures: dict[str, tuple[int, int]], outcome: str) -> None:
    page = PAGE.replace("[end]", "[counters.puddings]\n[end]").replace(
        'most = "points"', f'{key} = ["points", "puddings"]'
    )
    session = new_table(page.replace("rounds = 5", "rounds = 1"))
    lines = [
        f"set {seat} {word} {n}"
        for seat, both in figures.items()
        for word, n in zip(("points", "puddings"), both, strict=True)
    ]
    for line in (*(f"enter {seat} {column} 0" for seat in figures for column in ("taken", "bonus")), *lines, "next"):
        session.enter(line)
    assert session.state.outcome == outcome
    result = session.game.results.match_result(session.state)
    assert result is not None
    first = {contender.seat for contender in result.players if contender.place == 1}
    assert first == (set(figures) if outcome == "draw" else set(outcome.split("+")))


def test_a_list_of_counters_is_checked_word_by_word() -> None:
    with pytest.raises(PageError, match=r"end\.most\.2: There is no counter “pudings”"):
        read_description(PAGE.replace('most = "points"', 'most = ["points", "pudings"]'))
