"""The evening's card on screen: drawn after the game, saved by a key, as wide as there is room."""

from functools import partial
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.reports import evening_cards
from companion.tabletop.evening import EveningCard
from companion.tui.screens.table.ceremony import TonightScreen
from companion.tui.screens.table.evening import EveningScreen
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.evening_card import draw_card
from companion.tui.widgets.page import Page
from tests.printing.evenings import play
from tests.printing.test_evening_page import duel_card
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_ceremony import led_to


def card_text(hand: Hand) -> str:
    return hand.app.screen.query_one(Page).text


def says_file(hand: Hand, file: Path) -> bool:
    return file.name in hand.status


async def at_card(hand: Hand) -> None:
    await hand.until(lambda: isinstance(hand.app.screen, EveningScreen) and bool(card_text(hand)))


@pytest.mark.slow
async def test_the_card_comes_after_the_seal_and_is_saved_by_a_key(
    sit: Seat, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with sit(play(archive)) as hand:
        await hand.press("enter")
        await led_to(hand, TonightScreen)
        await hand.shows("All six Bosses fell", "#text")
        await hand.press("f8")
        await at_card(hand)
        for expected in (
            "ALL SIX BOSSES FELL",
            "45 → 27 → 4 → 0",
            "Damage dealt to Bosses",
            "• Salt and Iron goes to Ana.",
        ):
            assert expected in card_text(hand)
        for key, file, begins in (
            ("f5", tmp_path / "evening.png", b"\x89PNG"),
            ("f6", tmp_path / "evening.pdf", b"%PDF"),
            ("f7", tmp_path / "evening.md", b"#"),
        ):
            await hand.press(key)
            await hand.until(partial(says_file, hand, file))
            assert file.read_bytes().startswith(begins)
        await hand.press("f5")
        await hand.until(lambda: "evening-2.png" in hand.status)
        await hand.press("escape")
        await led_to(hand, TonightScreen)


async def test_a_match_that_is_over_has_its_card_at_the_table(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "solforge")
    for line in ("seat ana", "seat ben", "begin seed 1", "damage ben 120"):
        session.enter(line)
    async with sit(session.id) as hand:
        assert "F8 Card" in " ".join(hand.text_of(hand.table.keys).split())
        await hand.press("f8")
        await at_card(hand)
        assert "ANA WINS" in card_text(hand)
        card = hand.app.screen.query_one(Page).region
        assert card.x == hand.app.size.width - card.right > 0
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, TableScreen))


async def test_before_the_first_turn_there_is_no_card(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "solforge")
    session.enter("seat ana")
    async with sit(session.id) as hand:
        await hand.press("f8")
        await hand.until(lambda: "nothing to show" in hand.status)


@pytest.mark.parametrize("width", [40, 76, 100])
def test_no_row_is_wider_than_there_is_room(archive: Archive, width: int) -> None:
    evening = evening_cards.present_stored(archive, archive.find_session(play(archive))).card
    for card in (evening, duel_card(), EveningCard("Game", "Ana wins")):
        rows = draw_card(card, width)
        assert all(row.cell_length <= width for row in rows)
        assert str(card.headline).upper().split()[0] in "".join(row.plain for row in rows)
