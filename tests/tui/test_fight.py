"""A DecknForge fight by keys: worked example E1.24, typed as a host with one hand types it."""

from pathlib import Path
from typing import cast

import pytest
from textual.command import CommandList

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui import blocks
from companion.tui.screens.asking import AnswerRow, AskingScreen
from companion.tui.widgets.prompt_list import PromptList
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

SET_UP = """
seat ana name "Ana" band "Grave Choir"
seat ben name "Ben" band "The Lantern Debt"
seat cy name "Cy" band "Salt and Iron"
monster ana AS "Grave Wyrm" hp 15 atk 3
monster ben AS "Cellar Rat" hp 12 atk 2
inscribed ben 7C quick
bosses ana:AS ana:AH ana:AC ana:AD ana:BJ ana:RJ
active ana
begin seed 1
"""


@pytest.fixture
def fight(archive: Archive) -> str:
    """E1.24 after its set-up."""
    session = archive_journal.start(archive, "decknforge")
    session.do(*(session.notation.parse(line) for line in SET_UP.strip().splitlines()))
    return archive.sessions()[0].session


async def enter_lines(hand: Hand, *texts: str) -> None:
    """Type lines and keys as they come; what is in <> is a key. Each is awaited, as a person watches the screen."""
    for text in texts:
        further = hand.has_played_on()
        if text.startswith("<"):
            await hand.press(text.strip("<>"))
        else:
            await hand.enter(text)
        await hand.until(further)


async def test_the_worked_fight_by_keys(sit: Seat, fight: str, place: Path) -> None:
    async with sit(fight, size=(80, 24)) as hand:
        assert "one after the other: Ana, Ben, Cy" in hand.table.bar.placeholder
        await enter_lines(hand, "8h 7c 10d", "spike 2c", "<ctrl+n>")
        assert hand.table.view.step == "declare"
        await enter_lines(hand, "convert cy", "<enter>")
        assert hand.value("boss", "hp") == 27
        assert hand.value("cy", "coppers") == 10
        await enter_lines(hand, "<enter>", "4s", "<enter>")  # Ana takes it, Ben dodges, Cy takes it
        assert [hand.value(seat, "hp") for seat in ("ana", "ben", "cy")] == [17, 20, 17]
        await enter_lines(hand, "refill minion ben:AS")
        assert hand.value("table", "round") == 2
        assert hand.value("minion ben:AS", "hp") == 12
    with Archive.open(str(place)) as opened:
        lines = opened.lines(fight)
    reveals = [line for line in lines if line.line.startswith("reveal")]
    assert [line.line for line in reveals] == ["reveal ana 8H", "reveal ben 7C", "reveal cy 10D"]
    assert len({line.group for line in reveals}) == 1


async def test_cards_revealed_in_one_go_are_taken_back_in_one_go(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await enter_lines(hand, "8h 7c 10d")
        await hand.press("ctrl+z")
        await hand.until(lambda: hand.table.view.step == "reveal")
        assert len(hand.table.view.prompts) >= 3
        await hand.press("ctrl+y")
        await hand.until(lambda: hand.table.view.step == "tactics")


async def test_a_wrong_card_among_several_changes_nothing(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        before = len(hand.table.sitting.log)
        await hand.enter("8h 7x 10d")
        await hand.until(lambda: "“7x” is not a card" in hand.status)
        await hand.bar_holds("8h 7x 10d")
        await hand.press("escape")
        await hand.enter("8h 7c 10d 2s")
        await hand.until(lambda: "4 words are too many for 3 questions (ana, ben, cy)" in hand.status)
        assert len(hand.table.sitting.log) == before


async def test_arrow_keys_choose_whose_counter_is_changed_and_which(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await enter_lines(hand, "8h 7c 10d")
        await hand.press("right", "right", "minus", "minus", "enter")
        await hand.counter("ben", "hp", 18)
        await hand.press("down", "plus", "5", "enter")
        await hand.counter("ben", "coppers", 5)
        await hand.press("right", "right", "minus", "1", "0", "enter")
        await hand.counter("boss", "hp", 35)


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_all_that_a_round_needs_is_on_the_screen(sit: Seat, fight: str, size: tuple[int, int]) -> None:
    async with sit(fight, size) as hand:
        await enter_lines(hand, "8h 7c 10d", "spike 2c")
        await hand.settle()
        now = hand.text_of(hand.table.query_one(PromptList))
        assert "Ben: Tactic" in now
        assert "Boss 45 → 17" in now
        seats = "\n".join(hand.text_of(panel) for panel in hand.table.query("SeatPanel"))
        for text in ("8♥ F 11", "7♣ F 7", "10♦ F 10", "Hand 10", "Deck 36"):
            assert text in seats
        assert "more" not in seats + now
        assert "Grave Wyrm" in str(hand.table.query("ZonePanel").first().border_title)
        assert all(panel.region.bottom <= size[1] for panel in hand.table.query("Panel"))


async def test_a_window_too_small_says_what_it_needs_and_plays_on(sit: Seat, fight: str) -> None:
    async with sit(fight, (40, 12)) as hand:
        await hand.until(lambda: "Needs 60×18, has 40×12" in hand.status)
        await enter_lines(hand, "8h 7c 10d")
        await hand.pilot.resize_terminal(80, 24)
        await hand.until(lambda: hand.table.tabletop.board.display)
        assert hand.table.view.step == "tactics"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_scoreboard_has_every_hp_in_blocks_and_keys_go_on(
    sit: Seat, fight: str, size: tuple[int, int]
) -> None:
    async with sit(fight, size) as hand:
        await hand.press("f2")
        await hand.until(lambda: not hand.table.tabletop.board.display)
        await hand.settle()
        text = hand.text_of(hand.table.tabletop.scoreboard)
        texts = ("Round", "Grave Wyrm", "Ana (active): HP", "Ben: HP", "Cy: HP")
        assert [name for name in texts if name not in text] == []
        assert "██████" in text
        assert len(text.splitlines()) <= hand.table.tabletop.scoreboard.size.height
        await enter_lines(hand, "8h 7c 10d", "<ctrl+n>")
        await hand.press("f2")
        await hand.until(lambda: hand.table.tabletop.board.display)


@pytest.mark.parametrize("size", [(60, 18), (40, 12)])
async def test_from_afar_nobody_is_missing_in_a_small_window(sit: Seat, fight: str, size: tuple[int, int]) -> None:
    async with sit(fight, size) as hand:
        await hand.press("f2")
        await hand.until(lambda: not hand.table.tabletop.board.display)
        await hand.settle()
        text = hand.text_of(hand.table.tabletop.scoreboard)
        assert [seat.name for seat in hand.table.view.seats if seat.name not in text] == []
        assert len(text.splitlines()) <= hand.table.tabletop.scoreboard.size.height
        assert text.count("HP 20/20") == 3 or text.count(blocks.figure_rows(20)[0]) >= 3


async def test_the_palette_begins_with_next_and_ends_with_what_is_rare(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await hand.press("ctrl+p")
        await hand.until(lambda: bool(hand.app.screen.query(CommandList)))
        rows = hand.app.screen.query_one(CommandList)
        await hand.until(lambda: any("leaves the game" in str(option.prompt) for option in rows.options))
        titles = [str(option.prompt).splitlines()[0] for option in rows.options]
        assert titles[0] == "Next"
        names = ("Ana", "Ben", "Cy")
        leaving = [*(f"{name} leaves the game" for name in names), "Stop the game here"]
        rare = ["Count something else", "Start a clock for everybody's turns"]
        assert titles[-9:] == [*leaving, *rare, *(f"What would help {name} now?" for name in names)]


async def test_the_palette_finds_effects_by_words_and_not_by_letters(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await hand.press("ctrl+p")
        await hand.until(lambda: bool(hand.app.screen.query(CommandList)))
        rows = hand.app.screen.query_one(CommandList)

        def titles() -> list[str]:
            return [str(option.prompt).splitlines()[0] for option in rows.options]

        hand.type("stop")
        await hand.until(lambda: titles() == ["Stop the game here"])
        hand.type(*["<backspace>"] * 4, "come back")
        await hand.until(lambda: titles() == [f"{name} leaves the game" for name in ("Ana", "Ben", "Cy")])


class _Names(AskingScreen):
    """Asks for one of three names, one of which is in another."""

    def on_mount(self) -> None:
        self.ask("Who?", [AnswerRow(name, "", name) for name in ("Joana", "Anabel", "Ana")])

    async def take(self, answer: AnswerRow) -> None:
        self.notify(f"It is {answer.text}.")


async def test_the_answer_that_is_typed_comes_before_those_that_contain_it(sit: Seat, fight: str) -> None:
    async with sit(fight) as hand:
        await hand.app.push_screen(_Names())
        await hand.until(lambda: isinstance(hand.app.screen, _Names) and len(hand.app.screen.answers.options) == 3)
        asks = cast("_Names", hand.app.screen)
        hand.type("ana")
        names = ["Ana", "Anabel", "Joana"]
        await hand.until(lambda: [str(option.prompt).strip() for option in asks.answers.options] == names)


async def test_stopping_the_game_is_asked_about(sit: Seat, fight: str) -> None:
    async def stop(hand: Hand) -> None:
        await hand.press("ctrl+p")
        await hand.until(lambda: bool(hand.app.screen.query(CommandList)))
        hand.type("stop the game")
        rows = hand.app.screen.query_one(CommandList)
        await hand.until(lambda: rows.option_count == 1)
        await hand.press("enter")

    async with sit(fight) as hand:
        await stop(hand)
        await hand.until(lambda: "The game would be lost." in hand.status)
        assert hand.table.view.outcome is None
        await stop(hand)
        await hand.until(lambda: hand.table.view.outcome == "loss")
