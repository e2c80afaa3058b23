"""What somebody plays: all games to choose from, and one that is in no list, with the table beside the answers."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from companion.archive import Archive
from companion.archive.exchange import pages
from companion.games import listing
from companion.session.table import game_pages
from companion.tui.app import CompanionApp
from companion.tui.screens.form import FormScreen
from companion.tui.screens.home.another_game import AnotherGameScreen
from companion.tui.widgets.board import Board
from companion.tui.widgets.welcome import Welcome
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

READY = [str(each.title) for each in listing.ready()]


def rows(hand: Hand, of: str) -> list[str]:
    """What a list offers."""
    return [str(option.prompt) for option in hand.app.screen.query_one(of, OptionList).options]


async def at_a_form(hand: Hand, kind: type[FormScreen] = FormScreen) -> None:
    """Wait for a form, with what is asked first."""
    await hand.until(lambda: type(hand.app.screen) is kind and hand.app.screen.is_running)
    await hand.settle()


async def at_another_game(hand: Hand) -> AnotherGameScreen:
    """To the form of another game, by its key."""
    await hand.until(lambda: hand.home.archive is not None)
    await hand.press("ctrl+n")
    await at_a_form(hand, AnotherGameScreen)
    assert isinstance(hand.app.screen, AnotherGameScreen)
    return hand.app.screen


def table(hand: Hand) -> str:
    """The table beside the answers."""
    return "\n".join(hand.text_of(panel) for panel in hand.app.screen.query_one(Board).query("Panel"))


async def test_the_first_screen_keeps_all_its_rows_in_view_beside_a_long_sentence(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        welcome = await hand.until_welcomed()
        await hand.press("down")
        chosen = welcome.chosen
        for rows_of_status in (1, 2, 4, 1):
            hand.home.say("\n".join(["Archive: here"] * rows_of_status))
            await hand.settle()
            assert not welcome.show_vertical_scrollbar
            assert "Adopt a deck" in "\n".join(rows(hand, "#welcome"))
            assert welcome.chosen == chosen


@pytest.mark.parametrize("size", [(80, 24), (120, 50)])
async def test_the_first_screen_asks_what_is_played(sit: Seat, size: tuple[int, int]) -> None:
    async with sit(size=size) as hand:
        welcome = await hand.until_welcomed()
        # The list has its rows before it has its height.
        await hand.settle()
        text = "\n".join(rows(hand, "#welcome"))
        assert "Table Companion" in str(welcome.border_title)
        assert "What do you play?" in text
        assert [row for row in rows(hand, "#welcome") if re.match(r" [1-4] ", row) and "…" in row] == []
        titles, more = (READY, "") if size[1] >= 40 else (READY[:3], "more; type what you play.")
        for title in ("DecknForge", "SolForge", *titles, more, "Another game…", "Build a deck", "Adopt a deck"):
            assert title in text
        assert not hand.home.query_one(Welcome).show_vertical_scrollbar


@pytest.mark.parametrize(("typed", "title"), [("black lady", "Tricks to avoid"), ("Cribage", "Pegs and a crib")])
async def test_the_first_screen_finds_games_as_you_type(sit: Seat, typed: str, title: str) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press(*("space" if letter == " " else letter for letter in typed))
        await hand.until(lambda: sum("new(" in str(row.id) for row in hand.home.query_one(Welcome).options) == 1)
        assert any(title in row for row in rows(hand, "#welcome"))
        await hand.press("enter")
        await at_a_form(hand)
        assert title in hand.text_of("#title")


async def test_words_of_no_game_are_told_on_the_first_screen(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        await hand.press(*"zzyzx")
        await hand.until(lambda: any("No game has these words" in row for row in rows(hand, "#welcome")))
        await hand.press("escape")
        await hand.until(lambda: any("DecknForge" in row for row in rows(hand, "#welcome")))


@pytest.mark.usefixtures("duel")
async def test_a_new_table_finds_games_by_words(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until(lambda: hand.home.sessions.total == 1)
        await hand.press("f2")
        await at_a_form(hand)
        await hand.press("shift+tab", "shift+tab", *"canasta")
        await hand.until(lambda: len(rows(hand, "#choices")) == 1)
        assert "Melds in pairs" in rows(hand, "#choices")[0]


async def test_a_row_that_is_cut_is_said_in_full(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.until_welcomed()
        programs = 4
        await hand.press(str(programs + 1 + READY.index("Commander, any decks")))
        await hand.until(lambda: "comes back" in hand.status)
        assert "comes back" not in "".join(rows(hand, "#welcome"))
        await hand.press("backspace", "4")
        await hand.until(lambda: not hand.status)


@pytest.mark.slow
async def test_a_digit_opens_a_ready_game(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until_welcomed()
        await hand.press("6", "enter")
        await at_a_form(hand)
        assert READY[1] in hand.text_of("#title")
        await hand.press(*"Ana", "enter", *"Ben", "enter", "enter", "enter", "ctrl+s")
        await hand.at_table()
        assert hand.table.view.title == READY[1]


@pytest.mark.usefixtures("duel")
async def test_a_digit_chooses_among_all_games_where_there_are_tables(sit: Seat) -> None:
    async with sit() as hand:
        await hand.until(lambda: hand.home.sessions.total == 1)
        await hand.press("f2")
        await at_a_form(hand)
        choices = rows(hand, "#choices")
        assert [row.split(maxsplit=1)[0] for row in choices[:9]] == list("123456789")
        assert "Another game…" in choices[-1]
        at = next(row for row in choices if "DecknForge" in row)[0]
        await hand.press("shift+tab", "shift+tab", at, "enter")
        await hand.until(lambda: "DecknForge" in hand.text_of("#title"))
        assert hand.field("entry") == ""


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_another_game_is_the_last_row_of_the_first_screen(sit: Seat, by: str) -> None:
    async with sit(size=(80, 24)) as hand:
        welcome = await hand.until_welcomed()
        await hand.settle()
        at = welcome.get_option_index("another")
        if by == "mouse":
            line = next(y for y in range(welcome.size.height) if "Another game" in welcome.render_line(y).text)
            await hand.click(welcome, (10, line + 1))
        else:
            while welcome.highlighted != at:
                await hand.press("up")
            await hand.press("enter")
        await at_a_form(hand, AnotherGameScreen)


@pytest.mark.slow
async def test_a_game_in_a_few_answers_with_its_table_beside_them(archive: Archive, sit: Seat) -> None:
    async with sit() as hand:
        await at_another_game(hand)
        await hand.press("enter", *"Dragon", "space", *"Duel", "enter", *"2-3", "enter", "enter")
        await hand.press(*"Life", "enter", *"20", "enter")
        await hand.until(lambda: table(hand).count("Life 20") == 3)
        await hand.press("tab", *"0", "enter", "pagedown", *"Draw", "enter", *"Take", "enter")
        await hand.until(lambda: "Draw" in hand.text_of("Head"))
        await hand.press("ctrl+s")
        await at_a_form(hand)
        assert "Dragon Duel" in hand.text_of("#title")
        assert [row.name for row in pages.pages(archive)] == ["dragon-duel"]
        await hand.press(*"Ana", "enter", *"Ben", "enter", "enter", "ctrl+s")
        await hand.at_table()
        await hand.enter("begin")
        await hand.counter("ana", "life", 20)
        await hand.press("ctrl+b")
        await hand.until(lambda: hand.home.sessions.total == 1)
        await hand.press("f2")
        await at_a_form(hand)
        assert any("Dragon Duel" in row for row in rows(hand, "#choices"))


async def test_a_ready_game_is_played_as_it_is_and_nothing_is_kept(archive: Archive, sit: Seat) -> None:
    async with sit() as hand:
        await at_another_game(hand)
        await hand.press("3", "enter")
        await hand.until(lambda: "plays it as it is" in hand.status)
        await hand.until(lambda: bool(table(hand)))
        await hand.press("ctrl+s")
        await at_a_form(hand)
        assert READY[1] in hand.text_of("#title")
        assert pages.pages(archive) == ()


@pytest.mark.slow
async def test_a_copy_needs_a_title_of_its_own(archive: Archive, sit: Seat) -> None:
    async with sit() as hand:
        await at_another_game(hand)
        await hand.press("3", "enter", "tab", *"2-3", "enter", "ctrl+s")
        await hand.until(lambda: hand.reads("give your copy a title of its own"))
        await hand.press(*"Crowns", "enter", "ctrl+s")
        await at_a_form(hand)
        (row,) = pages.pages(archive)
        assert (row.name, row.title) == ("crowns", "Crowns")


@pytest.mark.slow
async def test_faults_stand_at_their_answers(archive: Archive, sit: Seat) -> None:
    async with sit() as hand:
        await at_another_game(hand)
        await hand.press("enter", *"DecknForge", "enter")
        await hand.until(lambda: hand.reads("is a game of its own here"))
        await hand.press("tab", *"many", "enter")
        await hand.until(lambda: hand.reads("Write how many can play: 2, or 2-6."))
        assert pages.pages(archive) == ()


@pytest.mark.slow
def test_another_game(snap_compare: object, place: Path) -> None:
    app = CompanionApp(str(place))

    async def at_the_form(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        await at_another_game(hand)
        await hand.press(
            "enter", *"Dragon", "space", *"Duel", "enter", *"2-3", "enter", "enter", *"Life", "enter", *"20"
        )
        await hand.until(lambda: table(hand).count("Life 20") == 3)
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=(80, 24), run_before=at_the_form)


def test_ones_own_games_say_what_they_are_too(archive: Archive) -> None:
    pages.add_page(archive, 'name = "lamps"\ntitle = "Lamps"\nabout = "Everybody keeps a lamp."\n')
    assert [each.about for each in game_pages.added_games(archive)] == ["Everybody keeps a lamp."]
