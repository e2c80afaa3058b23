"""A whole evening in the program, from the welcome on an empty archive to the scan of the box, by keys only.

`tests/tui/test_evening_by_mouse.py` plays the same evening.
"""

from pathlib import Path

import pytest
from textual.command import CommandList

from companion.archive import Archive, deck_records
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.home.home import Home
from tests.tui.conftest import Seat
from tests.tui.evening import at_scan, desk, photographed, play_ceremony, seal_evening, what_lasts
from tests.tui.hand import Hand
from tests.tui.test_ceremony import answer_rows, choose
from tests.tui.test_forms import ITEMS, NAMES, SHOP, answer_form, at_form
from tests.tui.test_home import at_deck
from tests.tui.test_print import at_print, at_printed

__all__ = ["desk"]


async def gone(hand: Hand, answer: str) -> None:
    """Wait until other answers are listed than those of a question and the one that led to it."""
    await hand.until(lambda: answer_rows(hand)[0] not in (answer, "Yes"))


async def founded(hand: Hand) -> None:
    """From the welcome through the form to the new deck's screen."""
    await hand.until_welcomed()
    await hand.press("enter")
    await at_form(hand)
    await answer_form(hand, "", "Grave Choir", "Ana", "")
    for name, items in zip(NAMES, ITEMS, strict=True):
        await answer_form(hand, items, name)
    for card, inscription in SHOP:
        await answer_form(hand, card, inscription)
    await answer_form(hand, "", "")
    assert "Grave Choir" in await at_deck(hand)


async def _fought(hand: Hand) -> None:
    """One Boss, which falls at once; then it is late."""
    await hand.press("enter")
    await hand.until(lambda: hand.table.view.step == "flip")
    await hand.enter("ana:AH")
    await hand.until(lambda: hand.value("table", "round") == 1)
    await hand.enter("ks kh")
    await hand.until(lambda: hand.table.view.step == "tactics")
    while hand.table.view.step != "kill":
        further = hand.has_played_on()
        await hand.press("ctrl+n")
        await hand.until(further)
    assert "HAS FALLEN" in hand.text_of("MomentPanel")
    await hand.press("down", "down", "enter")
    await hand.until(lambda: hand.table.view.step == "flip")
    # Nobody flips the next one by hand: the program draws it.
    await hand.press("f7")
    await hand.until(lambda: hand.table.view.step == "reveal")
    await _stop(hand)
    await hand.until(lambda: "The game would be lost." in hand.status)
    # What ends the game is asked about; chosen once more it is done.
    await _stop(hand)
    await hand.until(lambda: hand.table.view.outcome == "loss")


async def _stop(hand: Hand) -> None:
    await hand.press("ctrl+p")
    await hand.until(lambda: bool(hand.app.screen.query(CommandList)))
    await hand.press(*"stop")
    rows = hand.app.screen.query_one(CommandList)
    await hand.until(lambda: "Stop the game here" in str(next((row.prompt for row in rows.options), "")))
    await hand.press("enter")
    await hand.at_table()


async def _printed(hand: Hand, name: str, what: str = "") -> None:
    """Say what is printed, leave everything up to the file as it is, name that, write it, and go back."""
    # Labels of cards are asked about codes, too.
    await answer_form(hand, what, *[""] * (8 if what.startswith("box") else 9), name)
    await hand.press("enter")
    await at_printed(hand)
    await hand.press("escape")


@pytest.mark.slow
async def test_an_evening_by_keys(sit: Seat, archive: Archive, desk: Path) -> None:
    async with sit(size=(80, 24)) as hand:
        await founded(hand)
        # Its box label is printed at once.
        await hand.press("f5")
        await at_print(hand)
        await _printed(hand, "box", "box label")
        await at_deck(hand)
        await hand.press("f2")
        await hand.until(lambda: not deck_records.chores(archive, archive.decks()[0].deck))
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        # The table: Enter alone takes the deck that somebody holds, and a loose one for who has none; all is tracked.
        await hand.press("f2")
        await at_form(hand)
        await answer_form(hand, "", "Ana", "", "Ben", "", "", "", "")
        await hand.press("down", "enter")
        await answer_form(hand, "", "")
        table = await hand.at_table()
        assert [(seat.name, seat.title) for seat in table.view.seats] == [("Ana", "Grave Choir"), ("Ben", "Ben's band")]
        await _fought(hand)
        await hand.press("enter")
        await play_ceremony(hand, choose)
        # What Ben has won with a loose band is told, and lost all the same.
        assert any("will be lost, as Ben's band is loose" in row for row in answer_rows(hand))
        await choose(hand, "Review all changes")
        await seal_evening(hand, choose, _printed)
        # The box that was labelled, photographed and scanned; then by its id, as a scanner types it.
        picture = photographed(desk / "box.pdf")
        await hand.press("f6")
        await at_scan(hand)
        await hand.enter(str(picture))
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        assert "received Sharp (bought, by Ana)." in await at_deck(hand)
        await hand.press("escape")
        await at_scan(hand)
        await hand.enter(archive.decks()[0].deck.lower())
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
    what_lasts(archive, desk)
