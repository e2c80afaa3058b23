"""After the game, question by question: whatever is chosen leads to an action that the rules accept."""

from random import Random

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.reading.table_questions import Answer, Question, question_after_game, question_behind
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError
from companion.tabletop.table.table import Draft
from templates.languages.messages import parts_of

LEGEND = (
    *("seat ana", "seat ben", "inscribed ana 9S sharp", "inscribed ana 8S echo", "inscribed ana 7S quick"),
    *("inscribed ben 9D sharp", "inscribed ben KD towers-memory", "mythics ana 1", "purse ben 30", "purse ana 12"),
    *('monster ana AS "Wyrm" hp 18 atk 3 legend', "bosses ana:AS", "active ana", "begin seed 1", "set boss hp 1"),
    *("reveal ana KS", "reveal ben 2D", "next", "damage", "bonus rally", "set table outcome loss"),
)


@pytest.fixture
def client(archive: Archive) -> TableClient:
    """After a dungeon in which Ana killed a Legend: she draws two cards for Fading."""
    session = archive_journal.start(archive, "decknforge")
    for line in LEGEND:
        session.enter(line)
    return TableClient(SharedSessions(archive).open(session.id))


def titles(question: Question) -> list[str]:
    return [str(answer.title or parts_of(" · ", answer.detail)[0] or answer.name) for answer in question.answers]


def answer(question: Question, text: str) -> Answer:
    return next(each for each, title in zip(question.answers, titles(question), strict=True) if title.startswith(text))


def take(client: TableClient, answer: Answer) -> None:
    assert answer.is_whole
    assert isinstance(answer.leads, Draft)
    assert isinstance(client.submit(answer.leads.build()), ActionDone)


def test_of_two_drawn_cards_each_is_chosen_and_then_which_fades(client: TableClient) -> None:
    first = question_after_game(client.view)
    cards = question_behind(client, answer(first, "as drawn"))
    assert titles(cards) == ["9♠", "8♠", "7♠"]
    more = question_behind(client, answer(cards, "8♠"))
    assert "8♠" in more.text
    assert titles(more) == ["9♠", "7♠"]
    take(client, answer(more, "7♠"))
    which = question_after_game(client.view)
    assert which.text == "Ana: which one fades: 8♠ or 7♠?"
    assert titles(which)[:2] == ["8♠ with Echo", "7♠ with Quick"]
    take(client, which.answers[1])
    assert "7S" not in client.session.state.bands["ana"].inscribed


def test_what_is_typed_answers_the_question_or_is_something_else(client: TableClient) -> None:
    first = question_after_game(client.view)
    with pytest.raises(NotationError):
        first.read("8s 7s", client.notation)
    cards = question_behind(client, answer(first, "as drawn"))
    with pytest.raises(NotationError):
        cards.read("fade ben 9D", client.notation)
    take(client, cards.read("8s 7s", client.notation))


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_chosen_is_accepted_until_only_the_seal_is_left(client: TableClient, seed: int) -> None:
    chance = Random(seed)
    for _ in range(200):
        question = question_after_game(client.view)
        if not question.answers:
            break
        chosen = chance.choice(question.answers)
        while not chosen.is_whole:
            question = question_behind(client, chosen)
            assert question.answers, question.text
            chosen = chance.choice(question.answers)
        assert isinstance(chosen.leads, Draft)
        reply = client.submit(chosen.leads.build())
        assert isinstance(reply, ActionDone | ConfirmationNeeded), reply
    assert client.view.step == "sealed"
