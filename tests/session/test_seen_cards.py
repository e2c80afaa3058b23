"""Cards on the table that are seen by their labels: what of the present question they answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.reading.seen_cards import SeenAnswer, answer_by_labels, brought_decks
from companion.session.reading.table_questions import due_prompts
from companion.tabletop.decks.paper import LabelText
from tests.printing.evenings import FIGHTING, begin_fight, create_deck
from tests.session.test_options import dungeon


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "archive.sqlite"), by="test") as opened:
        yield opened


def label(spot: str, title: str = "Sharp") -> LabelText:
    return LabelText(title, spot=spot)


def lines(session: Session, answer: SeenAnswer) -> list[str]:
    return [session.notation.format(action) for action in answer.actions]


def test_everybody_whose_card_is_seen_has_revealed_it(archive: Archive) -> None:
    session = begin_fight(archive)
    answer = answer_by_labels(session, {"ana": [label("9S sharp")], "ben": [], "cy": [label("KD banner")]})
    assert lines(session, answer) == ["reveal ana 9S", "reveal cy KD"]
    assert answer.open_seats == ("ben",)
    assert answer.texts == ("Ana: reveal a card · 9♠", "Cy: reveal a card · K♦")
    session.do(*answer.actions)
    assert [prompt.seat for prompt in due_prompts(session.view())] == ["ben"]


def test_of_two_cards_of_one_deck_none_is_taken_for_revealed(archive: Archive) -> None:
    session = begin_fight(archive)
    answer = answer_by_labels(session, {"ana": [label("9S sharp"), label("4H quick")], "ben": [label("2C pierce")]})
    assert lines(session, answer) == ["reveal ben 2C"]
    assert answer.open_seats == ("ana", "cy")


def test_two_labels_on_one_card_are_one_card(archive: Archive) -> None:
    session = begin_fight(archive)
    answer = answer_by_labels(session, {"ana": [label("9S sharp"), label("9S banner")]})
    assert lines(session, answer) == ["reveal ana 9S"]


def test_bosses_that_lie_there_are_named_from_left_to_right(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for seat in ("ana", "ben"):
        session.enter(f'seat {seat} name "{seat.capitalize()}" deck {create_deck(archive, FIGHTING[seat])}')
    answer = answer_by_labels(session, {"ben": [label("AD", "Moth Choir")], "ana": [label("AS", "Tithe Collector")]})
    assert lines(session, answer) == ["bosses ben:AD ana:AS"]


def test_what_is_asked_of_others_is_not_answered_for_them(archive: Archive) -> None:
    session = begin_fight(archive)
    seen = {"ana": [label("9S sharp")], "ben": [label("2C pierce")]}
    answer = answer_by_labels(session, seen, lambda prompt: prompt.seat == "ben")
    assert lines(session, answer) == ["reveal ben 2C"]


def test_cards_that_answer_nothing_leave_everything_as_it_is(archive: Archive) -> None:
    session = begin_fight(archive)
    assert answer_by_labels(session, {}).actions == ()
    assert answer_by_labels(session, {"ana": [label("AS", "Tithe Collector")]}).actions == ()


def test_the_decks_of_a_table_are_known_by_their_seats(archive: Archive) -> None:
    session = begin_fight(archive)
    names = {seat: archive.find_deck(deck).name for seat, deck in brought_decks(session).items()}
    assert names == FIGHTING


def test_the_minion_that_lies_there_is_the_one_that_came() -> None:
    session = next(each for each in dungeon() if any(prompt.line == "refill" for prompt in due_prompts(each.view())))
    ref = session.state.pool[-1]
    seat, _, card = ref.partition(":")
    answer = answer_by_labels(session, {seat: [label(card, "Moss Hound")]})
    assert lines(session, answer) == [f"refill minion {ref}"]
