"""The buttons of answers: what is done to what, without a word that only a line needs, in every game and language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion.games.decknforge.rules import actions as do
from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.reading.table_questions import Answer, Question
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.notation.cards import PACK
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.choices import Open
from companion.tabletop.table.draft_titles import title_draft
from companion.tabletop.table.table import Draft, draft
from companion.web.answering import Asking, opening
from templates.languages.catalogues import load_language
from templates.languages.messages import Language, speaking
from tests.web.test_plain_words import TABLES

EXPECTATIONS: Final = ("expect", "refuse")
NAMES: Final = {"ana": "Ana", "ben": "Ben", "tin-sheriff": "Tin Sheriff"}


def positions(path: Path) -> Iterator[Session]:
    """Yield a table after each of its lines that can be played one by one."""
    first, *others = filter(None, (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines()))
    try:
        session = Session(Log.open(first))
    except (NotationError, RuleError):
        return
    for line in others:
        if not line.startswith(EXPECTATIONS):
            try:
                session.enter(line)
            except (NotationError, RuleError):
                continue
            yield session


def buttons_of(session: Session) -> Iterator[tuple[Answer, frozenset[str]]]:
    """Yield all buttons of a table, each with the words of the names on it."""
    asking = Asking.now(session)
    names = frozenset(word for name in (*asking.names.values(), *asking.titles.values()) for word in name.split())
    for prompt in asking.prompts:
        form = opening(asking, prompt, at_once=False)
        for answer in form.buttons if form else ():
            yield answer, names


def words_of_notation(answer: Answer, names: frozenset[str], language: Language) -> set[str]:
    """Return the words on a button that only a line needs: codes of cards, keywords, and verbs as they are typed."""
    lead = answer.leads
    assert isinstance(lead, Draft)
    title, verb = str(answer.title), lead.action.verb()
    keywords = {each.keyword for each in grammar(lead.action).arguments if each.keyword}
    typed = {word for word in (verb, language.translate(verb, "verb")) if "-" in word}
    is_text = lead.title or title.lower() == str(lead.note).lower()
    notation = {*PACK, *typed, *(() if is_text else keywords)}
    quoted = {title} if '"' in title else set()
    return {word for word in title.split() if word in notation or word.lower() in typed} - names | quoted


@pytest.mark.slow
@pytest.mark.parametrize("code", ["en", "de"])
def test_no_button_has_a_word_that_only_a_line_needs(code: str) -> None:
    language, faults, verbs = load_language(code), dict[str, set[str]](), set[str]()
    with speaking(language):
        for path in TABLES:
            for session in positions(path):
                for answer, names in buttons_of(session):
                    verbs.add(answer.key.partition(":")[2].split()[0])
                    if words := words_of_notation(answer, names, language):
                        faults[f"{answer.title} ({answer.key})"] = words
    assert faults == {}
    assert len(verbs) > 60


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        (draft(do.Fade, seat="ana", fades="9S"), "Fade 9♠"),
        (draft(do.Fade, seat="ana", is_drawn=True), "Fade"),
        (draft(do.Convert, seat="ana", card="6C"), "Convert 6♣"),
        (draft(do.Foil, seat="ana", other="ben"), "Foil Ben"),
        (draft(do.KeepPurse, seat="ana"), "Keep purse"),
        (draft(do.KeepPurse, seat="ana").with_title("Keep it"), "Keep it"),
        (draft(do.Target, seat="ana", minion="ben:AC"), "Target A♣ of Ben"),
    ],
)
def test_a_title_is_made_of_the_verb_and_what_it_is_about(answer: Draft, title: str) -> None:
    assert str(title_draft(answer, NAMES, "ana")) == title


def test_a_number_that_stands_in_a_hint_is_not_repeated() -> None:
    assert Question(open=Open("2 Blessed cards", (), 2, 2)).input_hint == "2 Blessed cards"
    assert Question(open=Open("cards", (), 2, 2)).input_hint == "cards (2)"
