"""Looking through a box on the screen: spot by spot, and the record is mended where the box differs."""

import pytest

from companion.archive import Archive, deck_records
from companion.games.decknforge.decks.record import BandRecord
from companion.tabletop.notation.cards import read_card
from companion.tui.screens.decks.deck import DeckScreen
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form, question_text, sheet
from tests.tui.test_home import at_deck


async def look_through(hand: Hand) -> None:
    """To the box of the one deck."""
    await hand.enter("grave")
    await at_deck(hand)
    await hand.press("f6")
    await at_form(hand)


async def until_asked(hand: Hand, spot: str) -> None:
    """Enter, until a spot is asked about."""
    while spot not in question_text(hand):
        before = question_text(hand)
        await hand.press("enter")
        await hand.until(lambda: question_text(hand) != before)  # noqa: B023 – looked at before the next turn


async def test_a_box_that_agrees_changes_nothing(sit: Seat, archive: Archive, band: str) -> None:
    deck_records.tick(archive, band, ["all"])
    before = archive.marks(band)
    async with sit(size=(80, 24)) as hand:
        await look_through(hand)
        assert "agree so far" in sheet(hand)
        await hand.press("ctrl+s")
        await hand.until(
            lambda: isinstance(hand.app.screen, DeckScreen) and "The box and the record agree" in hand.status
        )
    assert archive.marks(band) == before


@pytest.mark.slow
async def test_the_record_is_mended_and_the_story_says_so(sit: Seat, archive: Archive, band: str) -> None:
    deck_records.tick(archive, band, ["all"])
    async with sit(size=(120, 40)) as hand:
        await look_through(hand)
        await answer_form(hand, "Grave Choir of the North")
        await until_asked(hand, "Sharp?")
        await answer_form(hand, "no")
        while "Besides" not in question_text(hand):
            await hand.press("enter")
        await answer_form(hand, "nowhere")
        assert "✗" in sheet(hand)
        await answer_form(hand, "8h banner", "")
        await hand.press("ctrl+s")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen) and "North" in hand.status)
        assert "North" in hand.text_of("#name")
    record = archive.record(band)
    assert isinstance(record, BandRecord)
    assert record.name == "Grave Choir of the North"
    borne = [(each.card, each.inscription) for each in record.inscriptions if not each.fate]
    assert (read_card("9S"), "sharp") not in borne
    assert (read_card("8H"), "banner") in borne
