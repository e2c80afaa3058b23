"""No page shows notation, numbers of rules or names of machines: guests tap, and never type a line."""

import re
from pathlib import Path
from typing import Final

import pytest

from companion.archive import Archive
from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.notation.line_texts import lines_in_words
from companion.web import templates
from companion.web.table_page import list_moments
from tests.web.page_samples import PageSample
from tests.web.page_texts import PageTexts
from tests.web.serving import serving
from tests.web.test_permissions import _send, seated, step

TABLES: Final = sorted((Path(__file__).parents[1] / "tables").glob("*/*.table"))
SEATS: Final = "ana|ben|cleo|cy|dora|emil|eve|uma|wes"
CODES: Final = re.compile(
    rf"`|\b[RAV]\d+\.[A-Z]?\d+|\b[\w.]+@\w+|\b\w+:(?:10|[2-9AJQK])[SHCD]\b|\b[a-z-]+ (?:{SEATS})\b|"
    r"\b(?:10|[2-9AJQK])[SHCD]\b"
)
EXAMPLES: Final = re.compile(
    r"as 9S, 10H, KD, or BJ, RJ for the jokers|KD 10H 9S|as 7S sharp|Beast A[SHCD]|as ana\.jpg"
)
"""What a field says that takes typed cards, and the names that a sample gives to Monsters."""


_EMOJI: Final = re.compile("[\u2b50\ufe0f\U0001f000-\U0001faff]")


def codes_in(text: str) -> list[str]:
    """All codes in a text, each with what stands around it."""
    text = EXAMPLES.sub("", text)
    return [text[max(0, match.start() - 30) : match.end() + 30] for match in CODES.finditer(text)]


@pytest.mark.slow
def test_no_page_has_notation_or_rule_numbers(english_samples: tuple[PageSample, ...]) -> None:
    codes = {
        each.name: [code for text in PageTexts(each.answer.text).texts for code in codes_in(text)]
        for each in english_samples
        if each.is_text
    }
    assert {name: texts for name, texts in codes.items() if texts} == {}


@pytest.mark.slow
def test_no_page_needs_a_font_with_emoji(english_samples: tuple[PageSample, ...]) -> None:
    pages = [each for each in english_samples if each.is_page]
    # What is only spoken, in attributes, needs no font.
    assert [each.name for each in pages if _EMOJI.search(PageTexts(each.answer.text).texts[0])] == []
    # The sign that DecknForge itself has for its legends is there, as a letter.
    assert any("★" in each.answer.text for each in pages)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["decknforge", "oddfrontier", "solforge", "soulforger"])
def test_every_line_of_a_log_has_a_sentence(game: str) -> None:
    codes: dict[str, list[str]] = {}
    for path in (path for path in TABLES if path.parent.name == game):
        session = replay_table(path)
        with lines_in_words():
            moments = list_moments(TableClient(SharedSession(session))) if session else ()
            texts = [templates.simplify(str(text)) for moment in moments for text, _ in moment.sentences]
        codes[path.name] = [code for text in texts for code in codes_in(text)]
    assert len(codes) > 5
    assert {name: texts for name, texts in codes.items() if texts} == {}


def replay_table(path: Path) -> Session | None:
    """A table as far as its file can be played line by line, None if it is opened otherwise."""
    lines = [line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines()]
    first, *others = filter(None, lines)
    try:
        session = Session(Log.open(first))
    except (NotationError, RuleError):
        return None
    for line in others:
        if not line.startswith(("expect", "refuse")):
            try:
                session.enter(line)
            except (NotationError, RuleError):
                continue
    return session


def test_undo_and_redo_say_what_in_words(archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        session = host.fight()
        ben = seated(host, session, "ben")
        with host.phone("Ana").news(session) as news:
            news.of_table()
            _send(ben, session, "answer", step=step("ben", "QH"))
            assert "reveals Q♥" in news.of_table().sentence
            _send(ben, session, "undo")
            assert news.of_table().sentence.startswith("Taken back: Ben reveals Q♥: 12.")
            _send(ben, session, "redo")
            assert news.of_table().sentence == "Done again: Ben reveals Q♥: 12."


def test_the_writer_at_the_machine_is_the_host(archive: Archive) -> None:
    with serving(archive, permissions="own") as host:
        session = host.fight()
        ben = seated(host, session, "ben")
        _send(ben, session, "answer", step=step("ben", "QH"))
        host.sitting(session).enter("reveal ana 9S")
        page = ben.get(f"/t/{session}").text
        assert '<span class="by">the host</span>' in page
        assert '<span class="by">Ben</span>' in page
        assert "tests" not in PageTexts(page).texts[0]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A Foil costs 2 cards; 1 was paid (R1.23).", "A Foil costs 2 cards; 1 was paid."),
        ("It is Ben's turn (R1.22, clockwise); use `pass ben` if they do nothing.", "It is Ben's turn (clockwise)."),
        ("Nobody is tied (R1.82, A1.44).", "Nobody is tied."),
        ("No card is known; name the cards: `coach ana CARD…`. It stays here.", "No card is known. It stays here."),
        ("`coach` comes after `begin`.", "“coach” comes after “begin”."),
        ("Boss (HP 3)", "Boss (HP 3)"),
    ],
)
def test_a_text_without_codes_is_a_sentence(text: str, plain: str) -> None:
    assert templates.simplify(text) == plain


def test_what_somebody_typed_stays_as_it_is() -> None:
    assert templates.mark_typed("see (R1.23), `x`") == '<bdi class="typed">see (R1.23), `x`</bdi>'
