"""A later edition of a page on the screen of a deck: what it changes is told, and the deck goes by it once asked."""

from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.archive.exchange import pages
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.decks.edition import EditionScreen
from tests.archive import crowns
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_home import at_deck


@pytest.fixture
def rex(archive: Archive) -> Iterator[str]:
    """A deck by the first edition of a page; gives its id."""
    crowns.forget()
    pages.add_page(archive, crowns.ONE)
    yield crowns.found_deck(archive, "Rex")
    crowns.forget()


async def open_question(hand: Hand) -> None:
    """Open the deck and ask for its later editions."""
    await hand.enter("rex")
    await at_deck(hand)
    assert "There is a later edition of its game's page" in hand.status
    await hand.press("f7")
    await hand.until(lambda: isinstance(hand.app.screen, EditionScreen) and bool(hand.text_of("#question").strip()))


async def test_a_later_edition_is_taken_once_it_is_asked(sit: Seat, archive: Archive, rex: str) -> None:
    two = pages.add_page(archive, crowns.TWO).present
    async with sit() as hand:
        await open_question(hand)
        assert "Life begins with 25 instead of 20." in hand.text_of("#text")
        await hand.settle()
        await hand.press("down", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen) and "edition 2" in hand.status)
        assert archive.find_deck(rex).page == two.page
        await hand.press("f7")
        await hand.until(lambda: "There is no later edition" in hand.status)


async def test_a_deck_stays_with_its_edition_by_the_first_answer(sit: Seat, archive: Archive, rex: str) -> None:
    pages.add_page(archive, crowns.TWO)
    before = archive.find_deck(rex)
    async with sit() as hand:
        await open_question(hand)
        await hand.settle()
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen) and "the same edition" in hand.status)
    assert (archive.find_deck(rex).page, archive.find_deck(rex).length) == (before.page, before.length)
