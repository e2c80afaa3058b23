"""One table, read in several languages: what a session says stays a message until somebody reads it."""

from collections.abc import Iterator

from companion.plain.talk import Talk
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded
from companion.session.table.shared_session import News, SharedSession
from templates.languages.messages import ENGLISH, speaking
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
    assert str(reply.sentence) == "Would be: Amended: draw ana 9S → draw ana 4S. Ben: Life 11 → 16."
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
