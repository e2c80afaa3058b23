"""Home, the welcome and the forms as pictures: what somebody sees who is new here must not change unnoticed."""

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive, SessionStanding
from companion.archive.storage.rows import DeckRow, SessionRow
from companion.tabletop.records import DeckFigure, Reason
from companion.tui.app import CompanionApp
from companion.tui.screens.home import home_lists
from tests.tui.hand import Hand
from tests.tui.test_forms import ITEMS, NAMES, SHOP, answer_form, at_form, question_text

NOW = datetime(2026, 3, 6, 20, tzinfo=UTC)
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
Step = Callable[[Hand], Awaitable[None]]


async def welcomed(hand: Hand) -> None:
    """What somebody sees who has nothing yet."""
    await hand.until_welcomed()


async def founding(hand: Hand) -> None:
    """In the middle of the Monsters: two are built, and one lacks its Items."""
    await welcomed(hand)
    await hand.press("f4")
    await at_form(hand)
    await answer_form(hand, "DecknForge", "Grave Choir", "Ana", "")
    for name, items in zip(NAMES[:2], ITEMS, strict=False):
        await answer_form(hand, items, name)
    await answer_form(hand, "4S KD")
    await hand.press("tab")
    await answer_form(hand, NAMES[2])


async def shopping(hand: Hand) -> None:
    """At the shop, with part of the budget spent and something half typed."""
    await welcomed(hand)
    await hand.press("f4")
    await at_form(hand)
    await answer_form(hand, "DecknForge", "Grave Choir", "Ana", "")
    for name, items in zip(NAMES, ITEMS, strict=True):
        await answer_form(hand, items, name)
    await answer_form(hand, *SHOP[0], "4h")
    await hand.press("down", "down")


async def looking_through(hand: Hand) -> None:
    """At the last step, where all is looked through once more."""
    await shopping(hand)
    await answer_form(hand, "", *SHOP[2], "")


async def seating(hand: Hand) -> None:
    """A new table with a wrong deck, a loose one, and a house rule being chosen."""
    await welcomed(hand)
    await hand.press("f2")
    await at_form(hand)
    await answer_form(hand, "DecknForge", "Ana", "Nowhere")
    await hand.press("tab")
    await answer_form(hand, "Ben", *[""] * 5)
    await hand.until(lambda: question_text(hand).startswith("House rules"))
    await hand.press(*"hand")


async def listing(hand: Hand) -> None:
    """A deck list in several lines, with a mistake in one of them."""
    await welcomed(hand)
    await hand.press("f4")
    await at_form(hand)
    await answer_form(hand, "SolForge", "Ash Pack", "Ana")
    hand.paste("solforge main\n2 Ash Wolf\nx\n")
    await hand.press("tab", "shift+tab")


async def adopting(hand: Hand) -> None:
    """A paper record sheet, up to its first Monster."""
    await welcomed(hand)
    await hand.press("f3")
    await at_form(hand)
    await answer_form(hand, "The Lantern Debt", "Ben", "", "Ben", "", "many")
    await hand.press("tab")
    await answer_form(hand, "4", "Toll Ghoul")


STEPS: dict[str, Step] = {
    step.__name__: step for step in (welcomed, founding, shopping, looking_through, seating, listing, adopting)
}


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.usefixtures("archive")
def test_what_somebody_new_sees(snap_compare: object, place: Path, step: str, size: str) -> None:
    async def there(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await STEPS[step](hand)
        hand.app.screen.query_one("StatusLine").display = step != "welcomed"
        await hand.settle()

    app = CompanionApp(str(place))
    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=there)


@pytest.mark.parametrize("size", SIZES)
def test_home_with_tables_and_decks(
    snap_compare: object, archive: Archive, place: Path, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home_lists, "current_time", lambda: NOW)
    with archive.store.writing() as transaction:
        for number, name in enumerate(("Grave Choir", "The Lantern Debt", "Salt and Iron")):
            figures = (DeckFigure("glory", "Glory", 9 - number), DeckFigure("dungeons", "Dungeons", 2))
            transaction.put(
                DeckRow(f"7K3M9QPX2B4T{number}", "decknforge", name, figures, "Ana", "", number == 1, NOW, 9)
            )
        seats = ("Ana", "Ben", "Cy")
        for number, facts in enumerate(((Reason("counter", ("round", "2")),), (Reason("outcome", ("win",)),))):
            at = NOW - timedelta(days=7 * number, hours=1)
            where = SessionStanding(seats, facts)
            is_sealed = number > 0
            transaction.put(SessionRow(f"WA9E30N{number}", "decknforge", "", at, at, 40, 39, where, is_sealed, 2))
    app = CompanionApp(str(place))

    async def there(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.until(lambda: hand.home.sessions.total == 2)
        hand.home.status_line.display = False
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=there)


@pytest.mark.slow
def test_pictures_are_the_same_on_any_terminal_and_in_any_time_zone() -> None:
    surroundings = {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "60", "LINES": "20", "TZ": "XXX-13"}
    picture = "home_with_tables and 80x24"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", picture, __file__]
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")} | surroundings
    ended = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert ended.returncode == 0, ended.stdout
    assert "1 passed" in ended.stdout
