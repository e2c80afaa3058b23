"""Plain lines of every ready page and of those beside tables: what they list, and what a typed number means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.plain import talk
from companion.session.core.session import Session
from companion.session.reading.table_questions import Answer, Question, due_prompts
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.table.table import Draft, Prompt
from tests.games import at_random
from tests.games.described import pages, player

_LINES = 10
"""The lines of a random game that are looked at for one page."""
PAGES = (*sorted(pages.READY.glob("*.toml")), *sorted(pages.TABLES.glob("keys/*.toml")))
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}-{path.stem}")


def played(path: Path) -> Iterator[Session]:
    """The tables that a random game comes to; nobody ends it by saying so."""
    chance = Random(path.stem)
    session = player.begun(pages.load(path), chance)
    says = at_random.answering(session, chance, player.besides, player.value, 0.6, player.ENDS)
    yield session
    for _, _ in zip(range(_LINES), at_random.tables(session, says, is_over), strict=False):
        yield session


def is_over(session: Session) -> bool:
    """Return True if nothing is left but to end the game."""
    prompts = session.view().prompts
    return session.view().outcome is not None or all(prompt.answer.action in player.ENDS for prompt in prompts)


def listed(question: Question) -> list[Draft]:
    """Yield what can be chosen in a question, and in the lists behind its answers."""
    return [draft for answer in question.answers for draft in _behind(answer)]


def _behind(answer: Answer) -> tuple[Draft, ...]:
    return answer.leads.answers if isinstance(answer.leads, Prompt) else (answer.leads,) if answer.leads else ()


def is_listed(wanted: Draft, several: list[Draft]) -> bool:
    """Return True if a listed line is the wanted one, becomes it with more values, or says the only ones."""
    return any(
        draft.action is wanted.action
        and all(wanted.given.get(field, value) == value for field, value in draft.given.items())
        for draft in several
    )


@every_page
def test_plain_lines_list_whatever_screens_offer(path: Path) -> None:
    for session in played(path):
        client = TableClient(SharedSession(session))
        lines = listed(talk.first_question(client))
        for prompt in session.view().prompts:
            unlisted = [draft.shape for draft in prompt.answers if not is_listed(draft, lines)]
            assert not unlisted, f"{prompt.text} {unlisted}"


@every_page
def test_a_number_where_one_is_asked_is_no_answer_of_the_list(path: Path) -> None:
    for session in played(path):
        question = talk.first_question(TableClient(SharedSession(session)))
        for prompt in due_prompts(session.view())[:1]:
            if len(prompt.answer.missing) == 1 and at_random.is_accepted(_copy(session), f"{prompt.line} 1"):
                assert talk.chosen_answer(question, "1") is None, f"{prompt.text} {question.answers[0].name}"


def _copy(session: Session) -> Session:
    copy = Session.new(session.game)
    for line in session.log.lines[1:]:
        copy.enter(line.text)
    return copy
