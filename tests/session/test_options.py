"""What a list offers for the question, or behind what is typed: always what the rules take, field by field."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.reading import line_reading, options
from companion.session.reading.table_questions import due_prompts
from companion.tabletop.action import NotationError
from companion.tabletop.notation.arguments import Words
from companion.tabletop.table.common_actions import CHECKS
from companion.tabletop.table.table import Prompt
from tests.session.matches import ENTER, MATCHES, NAMES

DUNGEON = Path(__file__).parents[1] / "tables" / "decknforge" / "dungeon.table"
CHECK_VERBS = {check.verb() for check in CHECKS}
MOST = 15
"""Fields of a line, and items of its lists, before it must be whole."""


def dungeon() -> Iterator[Session]:
    """The tables of a recorded dungeon, ceremony included."""
    rows = [row for row in DUNGEON.read_text(encoding="utf-8").splitlines() if Words.of(row)]
    first, *lines = (row for row in rows if Words.of(row).keyword() not in CHECK_VERBS)
    session = Session(Log.open(first))
    for line in lines:
        yield session
        session.enter(line)


def match(game: str) -> Iterator[Session]:
    """The tables of a whole match, as two people type it."""
    session = Session(Log.open(f"table {game}"))
    for name in NAMES:
        session.enter(f'seat {name.lower()} name "{name}"')
    for typed in MATCHES[game].typed:
        yield session
        text = typed if typed != ENTER else due_prompts(session.view())[0].line
        session.do(*line_reading.read_line(text, session))


TABLES: dict[str, Callable[[], Iterator[Session]]] = {
    "decknforge": dungeon,
    **{game: partial(match, game) for game in MATCHES},
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("begun", ["a", "", pytest.param("s", marks=pytest.mark.slow)])
def test_whatever_the_list_offers_leads_to_something_the_rules_take(game: str, begun: str) -> None:
    chance, walked = Random(f"{game} {begun}"), 0
    for session in TABLES[game]():
        walked += walks_through(session, begun, chance)
    # Some matches are asked only what Enter answers.
    assert walked > 10 or not begun, "hardly anything was offered"


def walks_through(session: Session, begun: str, chance: Random) -> bool:
    """Whether there was a list; choosing from it at random, and from what follows, ends with a line that is taken."""
    text, offered = begun, options.options(begun, session)
    if not offered.answers:
        return False
    for _ in range(MOST):
        if not offered.answers:
            assert offered.input_hint, f"“{text}” is offered, and leads nowhere"
            return True
        text = chance.choice(offered.answers).line
        if options.is_whole(text, session):
            return True
        text += " "
        offered = options.options(text, session)
    raise AssertionError(f"“{text}” never comes to an end")


def _at(line: str, game: str = "decknforge") -> Session:
    """The recorded table before a line is said."""
    for session in TABLES[game]():
        if any(prompt.line.startswith(line) for prompt in due_prompts(session.view())[:1]):
            return session
    raise AssertionError(f"never asked: {line}")


def words(text: str, session: Session) -> list[str]:
    """The words offered behind a text."""
    return [row.name for row in options.options(text, session).answers]


def first_prompt(session: Session) -> Prompt:
    """The first question."""
    return due_prompts(session.view())[0]


def test_a_question_for_one_word_lists_it_with_what_it_means() -> None:
    session = _at("reveal")
    rows = options.options("", session).answers
    assert {row.name for row in rows} >= {"9S", "KH"}
    assert all("worth" in row.detail for row in rows)
    assert rows[0].line == f"{first_prompt(session).line} {rows[0].name}"


def test_a_question_with_several_answers_lists_these() -> None:
    session = _at("pass")
    rows = options.options("", session).answers
    assert rows[0].line == first_prompt(session).line
    drafts = options.accepted_answers(first_prompt(session), session)
    assert [row.line for row in rows] == [*(draft.line for draft in drafts), "set"], (
        "and last, that a figure is put right"
    )


def test_typing_narrows_the_list_down_by_words_and_by_other_words_of_titles() -> None:
    session = next(session for session in dungeon() if asked_to_buy(session))
    buyer = next(prompt for prompt in session.view().prompts if prompt.line.startswith("buy")).line
    line = next(row.line for row in options.options(f"{buyer} ", session).answers)
    assert "blood-money" in words(f"{line} ", session)
    assert words(f"{line} bl", session) == ["blood-money"]
    assert words(f"{line} mon", session) == ["blood-money"]
    assert words(f"{line} nothing-like-that", session) == []


def asked_to_buy(session: Session) -> bool:
    """Whether somebody may buy inscriptions of ten Coppers."""
    return any(prompt.line.startswith("buy") for prompt in session.view().prompts)


def test_where_all_are_asked_for_a_word_the_next_one_is_of_the_next_seat() -> None:
    session = _at("reveal")
    first, second = due_prompts(session.view())[:2]
    one = options.options("", session).answers[0].name
    row = options.options(f"{one} ", session).answers[0]
    assert row.line == f"{one} {row.name}"
    assert options.is_whole(row.line, session)
    assert first.seat != second.seat


def test_keywords_that_must_come_go_without_saying() -> None:
    session = _at("pass")
    line = next(draft.line for draft in first_prompt(session).answers if draft.line.startswith("foil"))
    rows = options.options(f"{line} ", session).answers
    assert rows
    assert all(row.line.startswith(f"{line} pay ") for row in rows)


def test_what_nobody_can_list_is_said_in_words() -> None:
    session = _at("quest", "soulforger")
    assert (
        options.options(f"set {first_prompt(session).seat} level ", session).input_hint == "a whole number (0 or more)"
    )
    note = options.options("note ", session)
    assert (note.answers, note.input_hint) == ((), "a text")


def test_what_a_label_leaves_open_is_asked() -> None:
    session = next(islice(dungeon(), 76, None))
    with pytest.raises(NotationError, match="could be `label cy tough draw` or `label cy tough heal`"):
        line_reading.read_line("label cy tough", session)


def test_a_line_of_the_log_is_offered_only_where_it_has_something_to_do() -> None:
    session = Session(Log.open("table decknforge"))
    assert not {"undo", "redo", "amend"} & {*words("u", session), *words("r", session), *words("am", session)}
    session.enter("seat ana")
    assert "undo" in words("u", session)
    assert "redo" not in words("re", session)
    session.undo()
    assert "redo" in words("re", session)
