"""What an evening has in common, by keys or mouse: what is answered after the game, how it ends, and what is left."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from companion.archive import Archive, deck_records
from companion.scan import read
from companion.tui.screens.decks.scan import ScanScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.ceremony import CeremonyScreen, TonightScreen
from labels.output import proof
from labels.paper import stocks
from tests.labels.paper import text_in
from tests.tui.hand import Hand
from tests.tui.test_ceremony import led_to, wait_for_question
from tests.tui.test_print import at_print

STOCK: Final = stocks.find("18294")

AFTER_THE_GAME: Final = (
    ("Ana: draw 1 Blessed card", "Draw one for us"),
    ("Ana: pick one of", "Grave Choir"),
    ("Ben: only", "Ben's band"),
    ("What else, before it is sealed?", "Ana: buy inscriptions"),
    ("Which inscription?", "Sharp"),
    ("On which card?", "6♠"),
)
"""Fading, Drifting, Turning: what is asked, and which answer is taken."""

Answer = Callable[[Hand, str], Awaitable[None]]
"""Takes the answer that begins so."""

Printed = Callable[[Hand, str], Awaitable[None]]
"""From the form that prints to a file of this name, and back."""


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program was begun: PDFs go there. No printer of the machine is woken."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


async def play_ceremony(hand: Hand, answer: Answer) -> None:
    """Through what follows the game, up to the question what else there is."""
    await led_to(hand, CeremonyScreen)
    for question, row in AFTER_THE_GAME:
        await wait_for_question(hand, question)
        await answer(hand, row)
    await wait_for_question(hand, "What else, before it is sealed?")


async def seal_evening(hand: Hand, answer: Answer, printed: Printed) -> None:
    """The review and the seal, tonight's labels, then what is to be done by hand; home again."""
    await wait_for_question(hand, "Is all of this right?")
    assert "6♠ received Sharp (bought, by Ana)." in hand.text_of("#text")
    await answer(hand, "Seal")
    await led_to(hand, TonightScreen)
    await answer(hand, "Print tonight's")
    await at_print(hand)
    await printed(hand, "tonight")
    await led_to(hand, TonightScreen)
    await answer(hand, "☐ All of it is done")
    await wait_for_question(hand, "Everything of tonight is done.")
    await answer(hand, "Home")
    await hand.until(lambda: isinstance(hand.app.screen, Home))


async def at_scan(hand: Hand) -> None:
    """Wait for the screen that scans."""
    await hand.until(lambda: isinstance(hand.app.screen, ScanScreen) and bool(hand.app.screen.query("#rows")))
    await hand.settle()


def photographed(document: Path) -> Path:
    """The first page that was printed, as a picture of the box that it was stuck on."""
    picture = document.with_suffix(".png")
    proof.page_as_picture(document.read_bytes(), 1, dpi=300).save(picture)
    return picture


def what_lasts(archive: Archive, desk: Path) -> None:
    """What the evening must have left behind, however it was played."""
    (row,) = archive.decks()
    (session,) = archive.sessions()
    assert session.sealed
    sentences = [str(line.text) for line in archive.story(row.deck)]
    (end,) = (sentence for sentence in sentences if "lost a dungeon with it, after 1 Boss in " in sentence)
    assert end.endswith(": 1 Glory.")
    assert any("received Sharp (bought, by Ana)." in sentence for sentence in sentences)
    assert not deck_records.chores(archive, row.deck, session.session)
    # Position 1 of that sheet was the box label; printing goes on at the next one.
    assert "Sharp" in text_in((desk / "tonight.pdf").read_bytes(), STOCK.box(2))
    (code,) = read(desk / "box.png")
    assert code.deck == row.deck
