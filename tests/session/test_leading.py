"""After the game, question by question: whatever is chosen leads to an action that the rules accept."""

from random import Random

import pytest

from companion.archive import Archive
from companion.session import archive_journal, table_questions
from companion.session.confirmations import ConfirmationNeeded, Done
from companion.session.shared_session import SharedSessions
from companion.session.table_client import TableClient
from companion.tabletop.table import Draft

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


def way(question: table_questions.Question, text: str) -> table_questions.Way:
    return next(way for way in question.ways if way.text.startswith(text))


def take(client: TableClient, way: table_questions.Way) -> None:
    assert table_questions.is_whole(way)
    assert isinstance(way.leads, Draft)
    assert isinstance(client.submit(way.leads.build()), Done)


def test_of_two_drawn_cards_each_is_chosen_and_then_which_fades(client: TableClient) -> None:
    first = table_questions.of_table(client.view)
    cards = table_questions.after(client, way(first, "As drawn"))
    assert [each.text for each in cards.ways] == ["9♠", "8♠", "7♠"]
    more = table_questions.after(client, way(cards, "8♠"))
    assert "8♠" in more.text
    assert [each.text for each in more.ways] == ["9♠", "7♠"]
    take(client, way(more, "7♠"))
    which = table_questions.of_table(client.view)
    assert which.text == "Ana: which of 8♠ and 7♠ fades?"
    assert [each.text for each in which.ways[:2]] == ["8♠ with Echo", "7♠ with Quick"]
    take(client, which.ways[1])
    assert "7S" not in client.session.state.bands["ana"].inscribed


def test_what_is_typed_answers_the_question_or_is_something_else(client: TableClient) -> None:
    first = table_questions.of_table(client.view)
    assert table_questions.typed(first, "8s 7s", client.notation) is None
    cards = table_questions.after(client, way(first, "As drawn"))
    assert table_questions.typed(cards, "fade ben 9D", client.notation) is None
    typed = table_questions.typed(cards, "8s 7s", client.notation)
    assert typed is not None
    take(client, typed)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_chosen_is_accepted_until_only_the_seal_is_left(client: TableClient, seed: int) -> None:
    chance = Random(seed)
    for _ in range(200):
        question = table_questions.of_table(client.view)
        if not question.ways:
            break
        chosen = chance.choice(question.ways)
        while not table_questions.is_whole(chosen):
            question = table_questions.after(client, chosen)
            assert question.ways, question.text
            chosen = chance.choice(question.ways)
        assert isinstance(chosen.leads, Draft)
        reply = client.submit(chosen.leads.build())
        assert isinstance(reply, Done | ConfirmationNeeded), reply
    assert client.view.step == "sealed"
