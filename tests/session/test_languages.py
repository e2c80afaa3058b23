"""One table, read in several languages: what a session says stays a message until somebody reads it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.plain.talk import Talk
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading import line_reading, options
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded
from companion.session.table.shared_session import News, SharedSession
from templates.languages import catalogues
from templates.languages.messages import ENGLISH, Language, speaking
from templates.languages.pseudo import PSEUDO
from tests.session.test_table_client import duel_client

AMENDMENT = "amend 5 draw ana 4S"


def test_news_are_read_in_the_language_of_who_reads_them() -> None:
    ana = duel_client("draw ana 9S")
    ben, heard = ana.another("Ben"), list[News]()
    ben.watch(heard.append)
    with speaking(PSEUDO):
        assert isinstance(ana.undo(), ActionDone)
    (news,) = heard
    assert str(news.sentence) == "Taken back: draw ana 9S. With the cards, undo: Ana draws 9♠."
    with speaking(PSEUDO):
        assert str(news.sentence).startswith("⟦Taken back: draw ana 9S.")


def test_a_question_is_the_same_question_in_every_language() -> None:
    client = duel_client("draw ana 9S", "spend ana strike")
    with speaking(PSEUDO):
        reply = client.enter(AMENDMENT)
    assert isinstance(reply, ConfirmationNeeded)
    assert str(reply.sentence) == "What would follow: Amended: draw ana 9S → draw ana 4S. Ben: Life 11 → 16."
    assert isinstance(client.enter(AMENDMENT), ActionDone)


def test_lines_tell_of_others_in_their_own_language() -> None:
    ana = duel_client("draw ana 9S")
    sentences: list[str] = []

    def typed() -> Iterator[str]:
        # Another user, who reads English, writes while this one is asked.
        with speaking(ENGLISH):
            ana.undo()
        yield "quit"

    with speaking(PSEUDO):
        Talk(ana.another("Ben"), sentences.append).run(typed())
    assert any(text.startswith("⟦Taken back: draw ana 9S.") for text in sentences)
    assert not any(text.startswith("Taken back") for text in sentences)


def test_what_was_written_elsewhere_needs_no_window_on_a_phone() -> None:
    live = SharedSession(duel_client("draw ana 9S").session)
    news = live.news_from_elsewhere(4)
    assert str(news.sentence) == "In another window: Ana draws 9♠."
    assert str(news.happened) == "Ana draws 9♠."


TABLES = Path(__file__).parents[1] / "tables"


def _german() -> Language:
    language = catalogues.find_language("de")
    assert language is not None
    return language


def _play(lines: str, language: Language = ENGLISH, folder: Path | None = None) -> Session:
    with speaking(language):
        replay = Replay(lines, folder=folder)
        assert not [line.failure for line in replay if line.failure]
    return replay.session


def _assert_same_in_every_language(table: Path) -> None:
    """Replay the log of a table in other languages, and compare its lines, its state and all that it shows."""

    def facts_of(session: Session) -> list[Any]:
        return [[line.text for line in session.log.lines], session.state, session.view()]

    session = _play(table.read_text(encoding="utf-8"), folder=table.parent)
    log = "\n".join(line.text for line in session.log.lines)
    facts = facts_of(session)
    for language in (_german(), PSEUDO):
        assert facts_of(_play(log, language, table.parent)) == facts, f"{table.name} in {language.code}"


@pytest.mark.parametrize("game", ["decknforge", "described", "homebrew", "oddfrontier", "solforge", "soulforger"])
def test_a_log_is_the_same_game_in_every_language(game: str) -> None:
    for table in sorted((TABLES / game).glob("*.table"))[:4]:
        _assert_same_in_every_language(table)


@pytest.mark.slow
@pytest.mark.parametrize("table", sorted(TABLES.glob("*/*.table")), ids=lambda table: table.stem)
def test_every_log_is_the_same_game_in_german(table: Path) -> None:
    _assert_same_in_every_language(table)


_FIGHT = """table decknforge
seat ana
seat ben
monster ana AS "Grave Wyrm" hp 18 atk 3
inscribed ben KS blood-money
bosses ana:AS
active ana
begin seed 1
reveal ana 3C
reveal ben KS"""


@pytest.mark.parametrize(
    ("table", "typed", "line"),
    [
        (_FIGHT, "ana lp 12", "set ana hp 12"),
        (_FIGHT, "ana kupfer 5", "set ana coppers 5"),
        (_FIGHT, "passen ana", "pass ana"),
        (_FIGHT, "schub ana 4C", "spike ana pay 4C"),
        ("table decknforge\nseat ana", "inscribed ana 5S scharf", "inscribed ana 5S sharp"),
        ("table decknforge\nseat ana", "inscribed ana 5S Blutg", "inscribed ana 5S blood-money"),
        ("table decknforge\nseat ana", "regel konterpreis 3", "rule foil-cost 3"),
        ("table decknforge\nseat ana", "rule Überheilen ja", "rule overheal yes"),
        ("table decknforge\nseat ana", "rule wem-der-todesstoß-gehört solo-lethal", "rule kill-credit solo-lethal"),
        ("table solforge\nseat ana", "rule gleichstand unentschieden", "rule tie draw"),
        ("table oddfrontier\nseat ana\nseat ben\nbegin seed 1", "ana leben 130", "set ana life 130"),
    ],
)
def test_german_titles_are_typed_and_notation_is_logged(table: str, typed: str, line: str) -> None:
    session = _play(table)
    with speaking(_german()):
        assert [session.notation.format(action) for action in line_reading.read_line(typed, session)] == [line]


def test_a_title_that_begins_like_another_is_no_word() -> None:
    session = _play("table decknforge\nseat ana")
    with speaking(_german()):
        # “Konterpreis”, “Untergrenze beim Konter”
        (action,) = line_reading.read_line("rule konter 3", session)
        assert "konter" in session.notation.format(action)
        completions = options.complete("regel konterp", session)
        assert [(each.word, str(each.title)) for each in completions] == [("foil-cost", "Konterpreis")]


def test_titles_of_another_language_are_no_words_in_english() -> None:
    session = _play("table decknforge\nseat ana")
    (action,) = line_reading.read_line("inscribed ana 5S scharf", session)
    assert session.notation.format(action) == "inscribed ana 5S scharf"
