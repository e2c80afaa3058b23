"""The same evening as `tests/tui/test_evening.py` with the mouse only, but for names: a click goes where a text stands.

What cannot be clicked on is a fault of the screens.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual import events
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.widget import Widget

from companion.archive import Archive, deck_records
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.home.home import Home
from tests.tui.conftest import Seat
from tests.tui.evening import at_scan, desk, photographed, play_ceremony, seal_evening, what_lasts
from tests.tui.hand import Hand
from tests.tui.test_forms import NAMES, at_form, question_text
from tests.tui.test_home import at_deck
from tests.tui.test_print import at_print, at_printed

__all__ = ["desk"]

WHEEL = 40
"""Steps of the wheel after which a text is in no list."""


def places(hand: Hand, text: str, within: str) -> Iterator[Offset]:
    """Where a text stands on the screen, in widgets that fit a selector and are not hidden there."""
    for widget in hand.app.screen.query(within):
        for line, strip in enumerate(widget.render_lines(Region(0, 0, *widget.outer_size))):
            before, match, _ = strip.text.partition(text)
            place = widget.region.offset + Offset(cell_len(before), line)
            if match and _is_there(hand, widget, place):
                yield place


def _is_there(hand: Hand, widget: Widget, place: Offset) -> bool:
    try:
        return hand.app.screen.get_widget_at(*place)[0] is widget
    except NoWidget:
        return False


async def click(hand: Hand, text: str, within: str = "KeyBar") -> None:
    """Click on a text once everything has its place; where it stands several times, on the first one."""
    await hand.until(lambda: bool(hand.app.screen.query(within)))
    await hand.settle()
    for _ in range(WHEEL):
        if offset := next(places(hand, text, within), None):
            await hand.pilot.click(offset=(offset.x, offset.y))
            return
        roll(hand, hand.app.screen.query(within).first())
        await hand.settle()
    raise AssertionError(f"“{text}” does not stand in {within}")


def roll(hand: Hand, widget: Widget) -> None:
    """Turn the wheel by one step, over a widget."""
    x, y = widget.region.offset + Offset(1, 1)
    hand.app.post_message(events.MouseScrollDown(None, x, y, 0, 0, 0, False, False, False, x, y))


async def is_asked(hand: Hand, begins: str, then: str = "") -> None:
    """Wait until a form asks something that begins so, and goes on so."""
    await hand.until(lambda: question_text(hand).startswith(begins) and then in question_text(hand))


async def answer(hand: Hand, text: str) -> None:
    """Click on one of the answers after the game."""
    await click(hand, text, "#answers")


async def enter_name(hand: Hand, name: str) -> None:
    """Type a name, and click on what Enter does. What was clicked before is done first: the pilot knows no order."""
    await hand.settle()
    hand.type(name)
    await hand.until(lambda: name in (hand.field("entry"), hand.field("box")))
    await click(hand, "Enter")


async def found_deck(hand: Hand) -> None:
    """From the welcome through the form to the new deck's screen; Items are drawn by chance."""
    await hand.until_welcomed()
    await click(hand, "Build a deck", "Welcome")
    await at_form(hand)
    await click(hand, "DecknForge", "#choices")
    await enter_name(hand, "Grave Choir")
    await enter_name(hand, "Ana")
    await click(hand, "Go on")
    for number, name in enumerate(NAMES, 1):
        await is_asked(hand, f"Monsters {number} ·", "Items")
        await click(hand, "Draw")
        await click(hand, "Go on")
        await enter_name(hand, name)
    await hand.settle()
    if question_text(hand).startswith("Legend"):
        await click(hand, NAMES[0], "#choices")
    for number, card in enumerate(("2♠", "3♠", "4♠"), 1):
        await is_asked(hand, f"Inscriptions {number} · Card")
        await click(hand, card, "#choices")
        await hand.until(lambda: "· Inscription" in question_text(hand))
        await click(hand, "Sturdy", "#choices")
    await is_asked(hand, "Inscriptions 4")
    await click(hand, "Go on")
    await hand.until(lambda: "Look it through" in question_text(hand))
    await click(hand, "Build it", "#sheet")
    assert "Grave Choir" in await at_deck(hand)


async def _printed(hand: Hand, name: str) -> None:
    """Name the file, write it, and go back."""
    await click(hand, "File", "#sheet")
    await is_asked(hand, "File")
    await enter_name(hand, name)
    await click(hand, "Write the PDF", "#sheet")
    await at_printed(hand)
    await click(hand, "That is all", "#rows")


async def seated(hand: Hand) -> None:
    """The table: Ana with her deck, Ben with a loose one; she begins, and the table draws its own Monsters."""
    await click(hand, "New table")
    await at_form(hand)
    await click(hand, "DecknForge", "#choices")
    await click(hand, "Ana", "#choices")
    await is_asked(hand, "Seats 1 · Ana · Deck")
    await click(hand, "Grave Choir", "#choices")
    await enter_name(hand, "Ben")
    await is_asked(hand, "Seats 2 · Ben · Deck")
    await click(hand, "Go on")
    await is_asked(hand, "Seats 3")
    await click(hand, "Go on")
    await is_asked(hand, "Who draws")
    await click(hand, "Go on")
    await is_asked(hand, "Keep track of")
    await click(hand, "Everything", "#choices")
    await is_asked(hand, "Active")
    await click(hand, "Ana", "#choices")
    await is_asked(hand, "House rules")
    await click(hand, "Open the table", "#sheet")
    await is_asked(hand, "Open the table")
    await click(hand, "Open the table", "#sheet")
    await hand.at_table()


async def _fought(hand: Hand) -> None:
    """One Boss of 36 HP in two rounds, a Minion between them, each card clicked where it stands; then it is late."""
    await click(hand, "Begin the dungeon", "PromptList")
    await hand.until(lambda: hand.table.view.step == "flip")
    await click(hand, "A♠ of Ben", "PromptList")
    for number, cards in enumerate((("K♠", "K♥"), ("Q♠", "Q♥")), 1):
        await hand.counter("table", "round", number)
        for card in cards:
            further = hand.has_played_on()
            await click(hand, card, "PromptList")
            await hand.until(further)
        while hand.table.view.step not in ("kill", "reveal"):
            further = hand.has_played_on()
            if hand.table.view.step == "refill":
                await click(hand, "Moss Hound", "PromptList")
            else:
                await click(hand, "Next")
            await hand.until(further)
    await hand.until(lambda: "HAS FALLEN" in hand.text_of("MomentPanel"))
    await click(hand, "bonus rally", "PromptList")
    await hand.until(lambda: hand.table.view.step == "flip")
    await click(hand, "Draw one")
    await hand.until(lambda: hand.table.view.step == "reveal")
    await click(hand, "More")
    await click(hand, "Stop the game here", "CommandList")
    await hand.at_table()
    await hand.until(lambda: "The game would be lost." in hand.status)
    await click(hand, "More")
    await click(hand, "Stop the game here", "CommandList")
    await hand.at_table()
    await hand.until(lambda: hand.table.view.outcome == "loss")


@pytest.mark.slow
async def test_an_evening_by_mouse(sit: Seat, archive: Archive, desk: Path) -> None:
    async with sit(size=(80, 24)) as hand:
        await found_deck(hand)
        await click(hand, "Print")
        await at_print(hand)
        await click(hand, "Box label", "#choices")
        await _printed(hand, "box")
        await at_deck(hand)
        await click(hand, "All done")
        await hand.until(lambda: not deck_records.chores(archive, archive.decks()[0].deck))
        await click(hand, "Back")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await seated(hand)
        await _fought(hand)
        await click(hand, "Go on")
        await play_ceremony(hand, answer)
        await answer(hand, "Review all changes")
        await seal_evening(hand, answer, _printed)
        picture = photographed(desk / "box.pdf")
        await click(hand, "More")
        await click(hand, "Scan", "CommandList")
        await at_scan(hand)
        await enter_name(hand, str(picture))
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        assert "received Sharp (bought, by Ana)." in await at_deck(hand)
    what_lasts(archive, desk)
