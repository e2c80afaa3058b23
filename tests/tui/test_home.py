"""Home: what there is, what is scanned or typed there, and how a table is opened."""

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from companion.archive import Archive, deck_id, shelf
from companion.tui.app import CompanionApp
from companion.tui.screens.deck import DeckScreen
from companion.tui.screens.home import Home
from companion.tui.screens.new_table import NewTable
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

ON_A_DECK = ("#name", "#record Static", "#story Static")


async def at_deck(hand: Hand) -> str:
    """Wait until a deck's screen is there and filled, and read it."""
    await hand.until(lambda: isinstance(hand.app.screen, DeckScreen) and all(map(hand.app.screen.query, ON_A_DECK)))
    await hand.until(lambda: all(hand.shown(place).strip() for place in ON_A_DECK))
    return "\n".join(map(hand.shown, ON_A_DECK))


@pytest.mark.usefixtures("duel")
async def test_home_lists_sessions_and_the_first_one_opens_with_enter(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until(lambda: hand.home.sessions.option_count == 1)
        assert "Ana, Ben" in str(hand.home.sessions.get_option_at_index(0).prompt)
        await hand.press("enter")
        table = await hand.at_table()
        assert table.view.game == "duel"
        await hand.press("enter")
        await hand.until(lambda: "spend" in table.bar.placeholder)
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.until(lambda: "Spend" in str(hand.home.sessions.get_option_at_index(0).prompt))


@pytest.mark.parametrize("spelling", ["payload", "lower", "name"])
async def test_what_is_scanned_or_typed_opens_the_decks_record(sit: Seat, band: str, spelling: str) -> None:
    typed = {"payload": deck_id.payload(band), "lower": deck_id.show(band).lower(), "name": "gRAVE"}[spelling]
    async with sit() as hand:
        await hand.until(lambda: hand.home.decks.option_count == 1)
        await hand.enter(typed)
        text = await at_deck(hand)
        assert "Grave Choir" in text
        assert deck_id.show(band) in text
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_a_wrong_id_is_told_in_words_and_stays_in_the_field(sit: Seat, band: str) -> None:
    async with sit() as hand:
        wrong = band[:-1] + ("0" if band[-1] != "0" else "1")
        await hand.enter(wrong)
        await hand.until(lambda: "check" in hand.said)
        assert hand.home.box.value == wrong


@pytest.mark.usefixtures("band")
async def test_a_new_table_is_opened_by_names_and_enter(sit: Seat, archive: Archive) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await hand.until(lambda: isinstance(hand.app.screen, NewTable) and bool(hand.app.screen.query("#deck5")))
        await hand.enter("Ana")
        await hand.press(*"Grave", "right", "enter")
        await hand.enter("Ben B")
        await hand.press("enter", "enter")
        table = await hand.at_table()
        assert [seat.name for seat in table.view.seats] == ["Ana", "Ben B"]
        assert [seat.seat for seat in table.view.seats] == ["ana", "ben"]
        assert table.view.seats[0].title == "Grave Choir"
        assert archive.sessions()[0].lines == len(table.sitting.session.log.lines)


async def test_a_deck_that_is_not_there_leaves_no_half_opened_table(sit: Seat, archive: Archive) -> None:
    async with sit() as hand:
        await hand.press("f2")
        await hand.until(lambda: isinstance(hand.app.screen, NewTable) and bool(hand.app.screen.query("#deck5")))
        await hand.enter("Ana")
        await hand.enter("Nowhere")
        await hand.press("ctrl+o")
        await hand.until(lambda: "No deck is called “Nowhere”" in hand.said)
        assert hand.app.screen.query_one("#deck1", Input).value == "Nowhere"
        assert archive.sessions() == ()


async def test_an_archive_that_cannot_be_opened_is_told_in_words(tmp_path: Path) -> None:
    app = CompanionApp(str(tmp_path))
    async with app.run_test() as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: "is a directory" in hand.said)
        await hand.press("f2")
        await hand.until(lambda: "not open" in hand.said)
        assert hand.app.screen.query_one("#decks", OptionList).option_count == 0


async def test_chores_are_ticked_off_on_the_decks_screen_and_back(sit: Seat, archive: Archive, band: str) -> None:
    due = shelf.chores(archive, band)
    assert len(due) > 2
    async with sit(size=(100, 40)) as hand:
        await hand.enter("grave")
        await at_deck(hand)
        await hand.settled()
        chores = hand.app.screen.query_one("#chores", OptionList)
        await hand.until(lambda: chores.option_count == len(due))
        await hand.press("down", "space")
        await hand.until(lambda: chores.option_count == len(due) - 1)
        await hand.until(lambda: due[1].text in hand.said.replace("★", "⭐"))
        assert shelf.chores(archive, band) == (due[0], *due[2:])
        newest = hand.shown("#story Static").splitlines()[0]
        assert newest.startswith(f"{archive.story(band)[-1].at:%Y-%m-%d}  ")
        assert archive.story(band)[-1].text.replace("⭐", "★") in newest
        await hand.press("ctrl+z")
        await hand.until(lambda: chores.option_count == len(due))
        assert {chore.id for chore in shelf.chores(archive, band)} == {chore.id for chore in due}
        await hand.press("f2")
        await hand.until(lambda: not chores.display)
        assert shelf.chores(archive, band) == ()
