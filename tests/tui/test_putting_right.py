"""Whatever is wrong on screen is put right by the first thing that one tries."""

import pytest

from companion.tui.screens.help import Help
from companion.tui.widgets.bars import KeyBar
from companion.tui.widgets.prompt_list import PromptList
from tests.tui.conftest import Seat


@pytest.mark.sample(6)
@pytest.mark.parametrize("word", ["wrong", "mistake", "correct", "fix", "change", "hp", "figure", "forgotten"])
@pytest.mark.parametrize("before", [True, False], ids=["typed before", "looked for"])
async def test_help_finds_it_by_the_words_people_use(sit: Seat, duel: str, word: str, before: bool) -> None:
    async with sit(duel, (80, 24)) as hand:
        hand.type(word, "<f1>") if before else hand.type("<f1>", word)
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        await hand.shows("ana 10", "#page")
        await hand.shows("insert 12 LINE", "#page")
        await hand.shows("← → + −", "#page")


@pytest.mark.slow
async def test_the_row_of_keys_shows_what_chooses_a_figure(sit: Seat, duel: str) -> None:
    async with sit(duel, (80, 24)) as hand:
        await hand.shows("← →  Fix", hand.table.query_one(KeyBar))
        await hand.shows("F1  Help", hand.table.query_one(KeyBar))


async def test_a_figure_is_put_right_from_lists(sit: Seat, duel: str) -> None:
    async with sit(duel, (80, 24)) as hand:
        await hand.shows("Put a figure right…", hand.table.query_one(PromptList))
        hand.type("fix", "<down>", "<enter>")
        await hand.bar_holds("set ")
        hand.type("<down>", "<enter>")
        await hand.bar_holds("set ana ")
        hand.type("<down>", "<enter>")
        await hand.bar_holds("set ana life ")
        await hand.shows("Life 20 → 17", hand.table.query_one(PromptList))
        hand.type("17", "<enter>")
        await hand.until(lambda: hand.value("ana", "life") == 17)


async def test_what_a_name_and_a_number_do_is_said_before_enter(sit: Seat, duel: str) -> None:
    async with sit(duel, (80, 24)) as hand:
        hand.type("ana -3")
        await hand.until(lambda: "Ana: Life 20 → 17" in hand.status)
        hand.type("<enter>")
        await hand.until(lambda: hand.value("ana", "life") == 17)


async def test_the_log_s_line_offers_something_before_it(sit: Seat, duel: str) -> None:
    async with sit(duel, (80, 24)) as hand:
        await hand.enter("note first")
        await hand.until(lambda: "first" in hand.table.log_view.text)
        number = hand.table.sitting.log[-1].number
        hand.type("<f3>", "<up>", "<enter>")
        await hand.bar_holds(f'amend {number} note "first" ')
        hand.type("<down>", "<enter>")
        await hand.bar_holds(f"insert {number} ")
        hand.type("ana -3", "<enter>")
        await hand.until(lambda: "What would follow: Inserted before line" in hand.status)
        hand.type("<enter>")
        await hand.until(lambda: hand.value("ana", "life") == 17)
        assert [moment.text for moment in hand.table.sitting.log][-2:] == ["add ana life -3", 'note "first"']
