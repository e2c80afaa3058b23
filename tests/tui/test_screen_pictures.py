"""Printing, people, archive, scan, settings and a box looked through as pictures, each after it has settled."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive, deck_id, deck_records, stationery
from companion.games import registry
from companion.printing import wording
from companion.tabletop.decks.form import FormContext
from companion.tui.app import CompanionApp
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.decks.versions import VersionsScreen
from tests.printing import evenings
from tests.tui.hand import Hand
from tests.tui.test_form_pictures import SIZES
from tests.tui.test_forms import answer_form, at_form
from tests.tui.test_lists import at_list
from tests.tui.test_print import at_print, at_printed

Step = Callable[[Hand], Awaitable[None]]
NOW = datetime(2026, 3, 6, 20, tzinfo=UTC)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An archive of that day, with an evening in it, a sheet that is partly used, and a printer."""
    numbers = count(1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(deck_id, "draw", lambda length: str(next(numbers)).zfill(length))
    with Archive.open("archive.sqlite", by="test", clock=lambda: NOW) as archive:
        evenings.play(archive)
        stationery.begin_sheet(archive, "blue folder", "18294", 60, tuple(range(16, 61)))
        stationery.claim(archive, {"blue folder": (16, 17)})
        stationery.calibrate(archive, "office", 0.5, -1.2, 1.001, 1.0)
    return "archive.sqlite"


async def printing(hand: Hand) -> None:
    """A starter sheet onto a sheet that is partly used, with its positions and its first page."""
    await hand.press("f5")
    screen = await at_print(hand)
    # Offered first are tonight's labels, which wait to be stuck.
    await answer_form(hand, "starter sheet", "", "blue folder")
    await hand.until(lambda: screen.positions.part is not None and len(screen.positions.part) > 1)


async def page(hand: Hand) -> None:
    """The page of a table aid, as large as the screen."""
    await hand.press("f5")
    screen = await at_print(hand)
    await answer_form(hand, "table aid")
    await hand.press("f3")
    await hand.until(lambda: "Page 1 of" in str(screen.picture.border_title) and screen.picture.size.width > 50)


async def printed(hand: Hand) -> None:
    """What is asked once a PDF is written."""
    await hand.press("f5")
    await at_print(hand)
    await answer_form(hand, "tonight", "", "blue folder", "", "", "", "", "tonight")
    await hand.press("enter")
    await at_printed(hand)
    await hand.press("down")
    await hand.until(lambda: "count as used" in hand.text_of("#page"))


async def people(hand: Hand) -> None:
    """A purse with its reasons."""
    await at_list(hand, "f7")
    await hand.press("down")
    await hand.until(lambda: hand.text_of("#page").startswith("Ben"))


async def archive(hand: Hand) -> None:
    """The archive after a check."""
    await at_list(hand, "ctrl+o")
    await hand.enter("check")
    await hand.until(lambda: "All is well" in hand.text_of("#page"))


async def scanned(hand: Hand) -> None:
    """A code that is none, and what is said of it."""
    await at_list(hand, "f6")
    await hand.enter("DECK:7K3M9QPX2B4TD")
    await hand.until(lambda: "check symbol" in hand.text_of("#page"))


async def open_settings(hand: Hand) -> None:
    """The settings, at the label sheets."""
    await hand.press("f12")
    await at_form(hand)
    await answer_form(hand, "", "office")


async def open_deck(hand: Hand) -> None:
    """A deck's record, what is to be done to it, and its story."""
    await hand.enter("grave")
    await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))


async def open_audit(hand: Hand) -> None:
    """A box that is looked through, with something that is otherwise."""
    await hand.enter("grave")
    await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
    await hand.press("f2", "f6")
    await at_form(hand)
    await answer_form(hand, "Grave Choir of the North")


async def open_list(hand: Hand) -> None:
    """The page of a deck that is built from a list, after its second version."""
    game = registry.game("oddfrontier")
    assert game.decks.founding is not None
    answers = {"name": "Salt Tide", "holder": "Ben", "list": wording.read_example(game, "salt-tide.txt")}
    filled = game.decks.founding.validate_answers(answers, FormContext())
    with Archive.open("archive.sqlite", by="test", clock=lambda: NOW) as archive:
        deck, _ = deck_records.new_deck(archive, game, filled)
        draft = deck_records.draft_list(archive, deck, "", ["-2 Crab", "+1 Gust", "+1 Hag | creature | Sea | 2/2"])
        deck_records.rebuild(archive, deck, draft.text, "too slow", "Ben")
    await hand.enter("salt tide")
    await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))


async def compare_versions(hand: Hand) -> None:
    """Two versions of a list."""
    await open_list(hand)
    await hand.press("f4")
    await hand.until(lambda: isinstance(hand.app.screen, VersionsScreen))


async def rebuild_deck(hand: Hand) -> None:
    """A deck whose next version breaks a rule."""
    await open_list(hand)
    await hand.press("f3")
    await at_form(hand)
    await answer_form(hand, "-4 Light House", "-1 Ox")


STEPS: dict[str, Step] = {
    step.__name__: step
    for step in (
        printing,
        page,
        printed,
        people,
        archive,
        scanned,
        open_settings,
        open_deck,
        open_audit,
        open_list,
        compare_versions,
        rebuild_deck,
    )
}


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", STEPS)
def test_what_the_screens_show(snap_compare: object, played: str, step: str, size: str) -> None:
    app = CompanionApp(played)

    async def there(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await STEPS[step](hand)
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=there)
