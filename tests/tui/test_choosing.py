"""Choosing instead of remembering: the list below the question, by keys and with the mouse; and looking a word up."""

from itertools import islice
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive
from companion.forms import settings
from companion.session.core import archive_journal
from companion.session.reading.selection import NOTHING
from companion.tui.app import CompanionApp
from companion.tui.screens.help import Help
from companion.tui.widgets.prompt_list import PromptList
from tests.session.test_options import dungeon
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_fight import SET_UP

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


def before(archive: Archive, line: str) -> str:
    """The recorded dungeon up to a line, kept in the archive."""
    for played in islice(dungeon(), 1, None):
        if played.moments() and played.moments()[-1].text == line:
            session = archive_journal.start(archive, "decknforge")
            for moment in played.moments():
                session.do(moment.action)
            return session.id
    raise AssertionError(f"never said: {line}")


@pytest.fixture
def fight(archive: Archive) -> str:
    """Three wizards who are asked for a card each."""
    session = archive_journal.start(archive, "decknforge")
    session.do(*(session.notation.parse(line) for line in SET_UP.strip().splitlines()))
    return session.id


@pytest.fixture
def shop(archive: Archive) -> str:
    """Three wizards after the draft, with Coppers to spend."""
    session = archive_journal.start(archive, "decknforge")
    lines = (
        *("seat ana", "seat ben", "seat cy", "purse ana 39", "bosses ana:AS", "begin seed 1 lots ana ben cy"),
        *("set table outcome loss", "pick ana ana", "pick ben ben", "pick cy cy"),
    )
    for line in lines:
        session.enter(line)
    return session.id


def row_of(hand: Hand, text: str) -> tuple[int, int]:
    """Where a text stands in the list, as a place to click on."""
    rows = hand.text_of("PromptList").splitlines()
    at = next(at for at, row in enumerate(rows) if text in row)
    # The frame, and a column of padding.
    top = hand.table.prompt_list.content_region.y - hand.table.prompt_list.region.y
    return rows[at].index(text) + 2, at + top


# By keys


async def test_a_card_is_revealed_from_the_list_without_knowing_a_line(sit: Seat, fight: str) -> None:
    async with sit(fight, size=(80, 24)) as hand:
        await hand.shows("2♠", "PromptList")
        further = hand.has_played_on()
        await hand.press("down", "right")
        assert hand.table.bar.placeholder == "Enter: reveal ana 3♠"
        assert "worth 3" in hand.status
        await hand.press("up")
        assert "one after the other: Ana, Ben, Cy" in hand.table.bar.placeholder
        await hand.press("down", "right", "enter")
        await hand.until(further)
        assert hand.table.sitting.log[-1].text == "reveal ana 3S"
        assert hand.bar == ""


@pytest.mark.slow
async def test_a_line_is_chosen_field_by_field_and_back(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        hand.type("buy ana 9s ")
        await hand.shows("blood-money", "PromptList")
        hand.type("mon")
        await hand.bar_holds("buy ana 9s mon")
        await hand.until(lambda: "sharp" not in hand.text_of("PromptList"))
        further = hand.has_played_on()
        await hand.press("down", "enter")
        await hand.until(further)
        assert hand.table.sitting.log[-1].text == "buy ana 9S blood-money"


@pytest.mark.slow
async def test_tab_takes_a_row_to_go_on_with_and_escape_leads_back(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        hand.type("buy ")
        await hand.press("down", "tab")
        await hand.bar_holds("buy ana ")
        await hand.press("down", "enter")
        await hand.bar_holds("buy ana 2S ")
        await hand.press("down")
        await hand.press("escape")
        await hand.bar_holds("buy ana 2S ")
        await hand.press("escape")
        await hand.bar_holds("buy ana ")
        await hand.press("escape")
        await hand.bar_holds("buy ")
        await hand.press("escape")
        await hand.bar_holds("")


@pytest.mark.slow
async def test_up_leaves_the_list_and_then_recalls_earlier_lines(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await hand.enter("note first")
        await hand.bar_holds("")
        await hand.press("down")
        assert hand.table.answer_cursor.is_inside
        await hand.press("up")
        assert not hand.table.answer_cursor.is_inside
        await hand.press("up")
        await hand.bar_holds("note first")


@pytest.mark.slow
async def test_a_quick_hand_chooses_what_it_sees(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        further = hand.has_played_on()
        hand.type("7", "<down>", "<enter>")
        await hand.until(further)
        assert hand.table.sitting.log[-1].text == "reveal ana 7S"


def cell(hand: Hand) -> str:
    """The chosen card."""
    return next(row for row in hand.text_of("PromptList").splitlines() if "▌" in row).partition("▌")[2].split()[0]


@pytest.mark.sample(2)
@pytest.mark.parametrize("line", ["", "reveal ana "], ids=["question", "typed"])
async def test_arrow_keys_lead_through_cards_as_they_are_seen(sit: Seat, fight: str, line: str) -> None:
    async with sit(fight, size=(80, 24)) as hand:
        hand.type(line)
        cards = []
        for key in ("down", "down", "right", "down", "left", "left", "up", "up", "down"):
            await hand.press(key)
            cards.append(cell(hand))
        assert cards == ["2♠", "2♥", "3♥", "3♣", "2♣", "2♣", "2♥", "2♠", "2♥"]
        await hand.press("up", "up")
        assert not hand.table.answer_cursor.is_inside
        assert hand.table.selection.chosen == NOTHING
        assert hand.bar == line


@pytest.mark.slow
async def test_inscribed_cards_come_first_with_all_that_they_do(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    lines = SET_UP.replace("bosses", "inscribed ana 7H sharp\nbosses").strip().splitlines()
    session.do(*map(session.notation.parse, lines))
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.until(lambda: "Sharp" in hand.text_of("PromptList"))
        rows = hand.text_of("PromptList").splitlines()
        suits = [next(at for at, row in enumerate(rows) if row.split()[:1] == [f"2{sign}"]) for sign in "♠♥♣♦"]
        assert suits == list(range(suits[0], suits[0] + 4))
        assert suits[0] > next(at for at, row in enumerate(rows) if "Sharp" in row)
        assert "7♥" not in rows[suits[1]]


@pytest.mark.slow
async def test_cards_stay_a_grid_below_a_round_that_is_long_to_tell(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in ("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1"):
        session.enter(line)
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.press(*"9sqh6c", "f4")
        await hand.counter("table", "round", 2)
        await hand.settle()
        assert hand.table.status_line.size.height > 3
        await hand.shows("2♥    3♥    4♥", "PromptList")


@pytest.mark.slow
async def test_beside_a_list_without_columns_stands_the_typed_line(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        hand.type("buy ")
        await hand.press("down", "left")
        assert hand.table.answer_cursor.is_inside
        assert hand.table.bar.cursor_position == len("buy ") - 1


# With the mouse


@pytest.mark.slow
async def test_a_card_is_revealed_by_a_click(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await hand.shows("4♠", "PromptList")
        further = hand.has_played_on()
        await hand.click(PromptList, row_of(hand, "4♠"))
        await hand.until(further)
        assert hand.table.sitting.log[-1].text == "reveal ana 4S"


@pytest.mark.slow
async def test_an_inscription_is_bought_by_clicks_alone(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        await hand.click(PromptList, row_of(hand, "buy inscriptions"))
        await hand.bar_holds("buy ana ")
        await hand.shows("3♠", "PromptList")
        await hand.click(PromptList, row_of(hand, "3♠"))
        await hand.bar_holds("buy ana 3S ")
        await hand.shows("sturdy", "PromptList")
        further = hand.has_played_on()
        await hand.click(PromptList, row_of(hand, "sturdy"))
        await hand.until(further)
        assert hand.table.sitting.log[-1].text == "buy ana 3S sturdy"


@pytest.mark.slow
async def test_a_second_click_is_of_the_first_one(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        hand.type("buy ")
        await hand.shows("holds", "PromptList")
        place = row_of(hand, "holds")
        await hand.click(PromptList, place)
        await hand.bar_holds("buy ana ")
        hand.table.settle = 60.0
        await hand.click(PromptList, place)
        assert hand.bar == "buy ana "


@pytest.mark.slow
async def test_a_deck_is_brought_from_a_list_that_says_who_holds_it(sit: Seat, band: str, archive: Archive) -> None:
    assert archive.find_deck(band).holder == "Ana"
    session = archive_journal.start(archive, "decknforge")
    async with sit(session.id) as hand:
        hand.type("seat ana deck gra")
        await hand.shows("held by Ana", "PromptList")
        further = hand.has_played_on()
        await hand.click(PromptList, row_of(hand, "Grave Choir"))
        await hand.until(further)
        assert hand.table.view.seats[0].title == "Grave Choir"
        hand.type("seat ben deck ")
        await hand.shows("type a name or an id", "PromptList")
        assert "Grave Choir" not in hand.text_of("PromptList")


# Looking up


@pytest.mark.slow
async def test_what_a_chosen_row_says_is_one_key_away(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        hand.type("buy ana 9s glint")
        await hand.press("down", "f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        await hand.shows("Revealed: +1c", "#page")
        assert "Keys" not in hand.text_of("#page")
        await hand.press("escape")
        assert hand.bar == "buy ana 9s glint"


@pytest.mark.slow
async def test_the_rule_that_a_refusal_names_is_one_key_away(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        await hand.enter("buy ana KS the-patron")
        await hand.until(lambda: "R1.8" in hand.status)
        await hand.press("f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        await hand.shows("Mythics are not for sale", "#page")


@pytest.mark.slow
async def test_what_the_chosen_counter_counts_is_one_key_away(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        assert hand.table.selection.choose("ana")
        await hand.press("f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        await hand.shows("A wizard has 20 in each fight", "#page")
        await hand.shows("R1.3", "#page")


@pytest.mark.slow
async def test_help_searches_words_and_rules(sit: Seat, shop: str) -> None:
    async with sit(shop) as hand:
        await hand.press("f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("drifting")
        await hand.shows("the decks change hands", "#page")
        await hand.shows("R1.82", "#page")


# What hurts, and what is over


@pytest.mark.slow
async def test_next_asks_before_a_fall_unless_switched_off(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        for line in ("8h 7c 10d", "next", "damage", "set ana hp 2"):
            further = hand.has_played_on()
            await hand.enter(line)
            await hand.until(further)
        await hand.press("ctrl+n")
        await hand.until(lambda: "Ana would be out (HP 2 now)" in hand.status)
        assert hand.value("ana", "hp") == 2
        await hand.press("ctrl+n")
        await hand.counter("ana", "hp", 0)
        await hand.shows("ANA IS OUT", "PromptList")
        await hand.press("f2")
        await hand.shows("ANA IS OUT", "Scoreboard")
        await hand.press("f2", "ctrl+z")
        await hand.counter("ana", "hp", 2)
        await hand.press("f9", "ctrl+n")
        await hand.counter("ana", "hp", 0)


@pytest.mark.slow
async def test_whether_next_asks_is_there_again_after_a_restart(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        assert hand.table.sitting.warns
        await hand.press("f9")
        await hand.until(lambda: not settings.read_settings().warns)
    async with sit(fight) as hand:
        assert not hand.table.sitting.warns
        assert not hand.table.sitting.another().warns
        await hand.press("f9")
        await hand.until(lambda: settings.read_settings() == settings.ScreenSettings())


@pytest.mark.slow
async def test_a_game_that_is_over_has_a_moment_of_its_own(sit: Seat, archive: Archive) -> None:
    session = before(archive, "spike ben pay 5C")
    async with sit(session) as hand:
        await hand.enter("damage")
        await hand.until(lambda: hand.table.has_class("-ended"))
        await hand.shows("Ben takes the Killing Blow with 6♥", "EndingPanel")
        await hand.shows("WON", "EndingPanel")
        assert not hand.table.tabletop.board.display
        await hand.press("escape")
        await hand.until(lambda: not hand.table.has_class("-ended"))
        assert hand.table.tabletop.board.display


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("line", ["", "buy ana 9s "], ids=["question", "shop"])
def test_how_a_list_looks(
    snap_compare: object, archive: Archive, place: Path, shop: str, fight: str, size: str, line: str
) -> None:
    del archive
    app = CompanionApp(str(place), shop if line else fight)

    async def at_table(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.at_table()
        hand.type(line)
        await hand.bar_holds(line)
        await hand.press("down", "down")
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=at_table)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_how_an_ending_looks(snap_compare: object, archive: Archive, place: Path, size: str) -> None:
    app = CompanionApp(str(place), before(archive, "spike ben pay 5C"))

    async def at_table(pilot: Pilot[None]) -> None:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.enter("damage")
        await hand.until(lambda: hand.table.has_class("-ended"))
        await hand.settle()

    assert callable(snap_compare)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=at_table)
