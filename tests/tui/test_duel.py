"""The miniature game on the table screen, without a line about it there: keys, words, undo, errors, a second window."""

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.binding import Binding
from textual.dom import DOMNode

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.table.table_client import TableClient
from companion.tui.app import CompanionApp
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.form import FormScreen
from companion.tui.screens.help import Help
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.bars import KeyBar
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.prompt_list import PromptList
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


def stored_lines(place: Path, session: str) -> list[str]:
    """The lines in the archive, as another process would read them."""
    with Archive.open(str(place)) as opened:
        return [line.line for line in opened.lines(session)]


async def test_enter_answers_the_first_prompt_and_tab_offers_others(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        assert "Enter: draw ana" in hand.table.bar.placeholder
        await hand.press("enter")
        await hand.until(lambda: "spend ana strike" in hand.table.bar.placeholder)
        await hand.shows("spend ana heal", hand.table.query_one(PromptList))
        await hand.press("tab")
        await hand.bar_holds("spend ana heal ")
        await hand.press("enter")
        await hand.until(lambda: "draw ben" in hand.table.bar.placeholder)
        assert hand.value("ana", "life") != 20 or hand.value("ben", "life") == 20


@pytest.mark.slow
async def test_the_last_word_of_an_answer_is_enough(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.press("enter")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.enter("strike")
        await hand.until(lambda: hand.value("ben", "life") != 20)
        await hand.bar_holds("")


@pytest.mark.slow
async def test_several_presses_are_one_line_and_one_undo(sit: Seat, duel: str, place: Path) -> None:
    async with sit(duel) as hand:
        await hand.press("right", "right", "minus", "minus", "minus")
        assert hand.value("ben", "life") == 20  # nothing is shown that is not yet kept
        await hand.press("enter")
        await hand.counter("ben", "life", 17)
        assert stored_lines(place, duel)[-1] == "add ben life -3"
        await hand.press("minus", "1", "2", "enter")
        await hand.counter("ben", "life", 5)
        await hand.press("ctrl+z")
        await hand.counter("ben", "life", 17)
        assert "Taken back: Ben: Life 17 → 5" in hand.status
        await hand.press("ctrl+y")
        await hand.counter("ben", "life", 5)


@pytest.mark.slow
async def test_a_change_is_entered_by_itself_after_a_moment(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        hand.table.tally_delay = 0.1
        await hand.press("right", "minus")
        await hand.counter("ana", "life", 19)


@pytest.mark.slow
async def test_a_change_can_be_typed_where_digits_begin_a_card(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.enter("2-7")
        await hand.counter("ben", "life", 13)


@pytest.mark.slow
async def test_escape_drops_a_change_that_is_running(sit: Seat, duel: str, place: Path) -> None:
    async with sit(duel) as hand:
        before = stored_lines(place, duel)
        await hand.press("right", "minus", "escape")
        await hand.until(lambda: hand.table.selection.tally is None)
        assert stored_lines(place, duel) == before


@pytest.mark.slow
async def test_an_error_is_told_in_words_and_the_text_stays(sit: Seat, duel: str, place: Path) -> None:
    async with sit(duel) as hand:
        before = stored_lines(place, duel)
        await hand.enter("drow ana")
        await hand.until(lambda: "“drow” is not an action here; did you mean draw" in hand.status)
        await hand.bar_holds("drow ana")
        await hand.press("escape")
        await hand.enter("spend ben heal")
        await hand.until(lambda: "Not now" in hand.status)
        await hand.bar_holds("spend ben heal")
        assert stored_lines(place, duel) == before


@pytest.mark.slow
async def test_a_fault_in_the_rules_is_told_and_the_evening_goes_on(sit: Seat, archive: Archive, place: Path) -> None:
    session = archive_journal.start(archive, "faulty")
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    stored = archive.sessions()[0].session
    async with sit(stored) as hand:
        before = stored_lines(place, stored)
        await hand.enter("set ben life 13")
        await hand.until(lambda: "nothing was changed (ZeroDivisionError: thirteen)" in hand.status)
        assert stored_lines(place, stored) == before
        await hand.press("escape")
        await hand.enter("set ben life 12")
        await hand.counter("ben", "life", 12)


@pytest.mark.slow
async def test_a_line_that_was_entered_comes_back(sit: Seat, duel: str, place: Path) -> None:
    async with sit(duel) as hand:
        await hand.enter('note "Ana laughs"')
        await hand.until(lambda: hand.table.bar.value == "" and "Ana laughs" in hand.table.log_view.text)
        assert stored_lines(place, duel)[-1] == 'note "Ana laughs"'
        await hand.press("up")
        await hand.bar_holds('note "Ana laughs"')


@pytest.mark.slow
async def test_a_line_that_is_typed_is_explained_and_completed(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.press(*"draw", "space")
        await hand.until(lambda: "draw SEAT" in hand.status)
        await hand.press("a", "tab")
        await hand.bar_holds("draw ana ")


@pytest.mark.slow
async def test_a_table_comes_back_as_it_was_with_its_undo(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.press("enter")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.enter("strike")
        await hand.until(lambda: "draw ben" in hand.table.bar.placeholder)
        life, log = hand.value("ben", "life"), hand.table.log_view.text
    async with sit(duel) as hand:
        assert hand.value("ben", "life") == life
        await hand.until(lambda: hand.table.log_view.text == log)
        await hand.press("ctrl+z")
        await hand.counter("ben", "life", 20)


@pytest.mark.slow
async def test_a_second_window_that_wrote_first_is_told_and_shown(
    sit: Seat, duel: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It writes in the moment before this one looks.
    monkeypatch.setattr("companion.tui.archives._LOOK_EVERY", 3600.0)
    async with sit(duel) as hand:
        await asyncio.to_thread(archive_journal.resume(archive, duel).enter, "set ana life 9")
        await hand.enter("set ana life 3")
        await hand.until(lambda: "Another window has played on" in hand.status)
        assert hand.value("ana", "life") == 9
        await hand.bar_holds("set ana life 3")
        await hand.press("enter")
        await hand.counter("ana", "life", 3)


@pytest.mark.slow
async def test_a_second_window_that_wrote_something_else_first_holds_up_nobody(
    sit: Seat, duel: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.tui.archives._LOOK_EVERY", 3600.0)
    async with sit(duel) as hand:
        await asyncio.to_thread(archive_journal.resume(archive, duel).enter, "set ben life 9")
        await hand.enter("set ana life 3")
        await hand.counter("ana", "life", 3)
        assert hand.value("ben", "life") == 9


@pytest.mark.slow
async def test_a_table_follows_another_window_by_itself(sit: Seat, duel: str, archive: Archive) -> None:
    async with sit(duel) as hand:
        await hand.press(*"note")
        await asyncio.to_thread(archive_journal.resume(archive, duel).enter, "set ben life 9")
        await hand.counter("ben", "life", 9)
        await hand.until(lambda: "In another window: " in hand.status)
        await hand.bar_holds("note")
        await hand.press(*" mine", "enter")
        await hand.until(lambda: "mine" in hand.table.log_view.text)


@pytest.mark.slow
async def test_a_table_follows_another_screen_of_this_process(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        assert hand.app.live is not None
        other = TableClient(await asyncio.to_thread(hand.app.live.open, duel))
        reply = await asyncio.to_thread(other.enter, "draw ana 9s")
        await hand.until(lambda: "spend ana strike" in hand.table.bar.placeholder)
        assert hand.status == reply.sentence
        await hand.enter("strike")
        await hand.counter("ben", "life", 11)
        assert other.follow()


@pytest.mark.slow
async def test_enter_pressed_twice_does_it_once(sit: Seat, duel: str, place: Path) -> None:
    async with sit(duel) as hand:
        before = stored_lines(place, duel)
        hand.table.settle = 60.0
        for character in "2-7":
            hand.app.post_message(events.Key("minus" if character == "-" else character, character))
        for _ in range(2):
            hand.app.post_message(events.Key("enter", None))
        await hand.counter("ben", "life", 13)
        await hand.settle()
        assert stored_lines(place, duel) == [*before, "add ben life -7"]


@pytest.mark.slow
async def test_an_enter_too_soon_after_a_new_question_is_ignored(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        hand.table.settle = 60.0
        await hand.enter("draw ana")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.press("enter", "ctrl+n")
        await hand.enter('note "still here"')
        await hand.until(lambda: "still here" in hand.table.log_view.text)
        assert "spend" in hand.table.bar.placeholder


@pytest.mark.slow
async def test_undoing_a_draw_says_what_to_undo_with_the_cards(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.press("enter")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.press("ctrl+z")
        await hand.until(lambda: "With the cards, undo: Ana draws" in hand.status)


@pytest.mark.slow
async def test_the_log_takes_the_whole_room_and_gives_it_back(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.press("f3")
        await hand.until(lambda: not hand.table.tabletop.board.display)
        await hand.press("f3")
        await hand.until(lambda: hand.table.tabletop.board.display)


@pytest.mark.slow
async def test_help_tells_keys_and_lines(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.press("f1")
        await hand.until(lambda: bool(hand.app.screen.query("#page")))
        await hand.shows("Undo the last action", "#page")
        await hand.shows("draw SEAT", "#page")
        await hand.press("escape")
        await hand.at_table()


@pytest.mark.slow
async def test_the_palette_offers_what_the_keys_do(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        titles = {command.title for command in hand.app.get_system_commands(hand.table)}
        assert {"Undo", "Next", "Log", "Help", "Home", "Quit", "Theme", "Suspend"} <= titles
        own = [b for kind in (TableScreen, CommandBar) for b in kind.__dict__.get("BINDINGS", ())]
        arrows = {binding.description for binding in own if binding.key in ("up", "down", "left", "right")}
        assert {binding.description for binding in own} - arrows <= titles
        assert not arrows & titles
        answer = next(c for c in hand.app.get_system_commands(hand.table) if c.title == "Answer")
        answer.callback()
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)


@pytest.mark.slow
@pytest.mark.parametrize("holder", [CompanionApp, Home, TableScreen, DeckScreen, FormScreen, Help, CommandBar])
def test_every_key_can_be_remapped_and_says_what_it_does(holder: type[DOMNode]) -> None:
    own = [binding for binding in holder.__dict__["BINDINGS"] if isinstance(binding, Binding)]
    assert own
    assert all(binding.id and binding.tooltip for binding in own)
    assert not {"ctrl+p", "ctrl+m"} & {key for binding in own for key in binding.key.split(",")}


async def finish(hand: Hand) -> None:
    """Play the duel to its end with Enter alone."""
    while hand.table.view.outcome is None:
        further = hand.has_played_on()
        await hand.press("enter")
        await hand.until(further)


@pytest.mark.slow
async def test_a_whole_duel_is_played_with_one_key(sit: Seat, duel: str) -> None:
    async with sit(duel, size=(80, 24)) as hand:
        await finish(hand)
        await hand.until(lambda: str(hand.table.view.outcome).upper() in hand.text_of(hand.table.query_one(PromptList)))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


@pytest.mark.slow
async def test_an_amendment_shows_its_consequences_before_it_happens(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.enter("strike")
        await hand.counter("ben", "life", 11)
        number = next(m.number for m in hand.table.sitting.log if m.text.startswith("draw"))
        await hand.press(*"amend", "space", *str(number), "space", "tab")
        await hand.bar_holds(f"amend {number} draw ana 9S ")
        await hand.press("backspace", "backspace", "backspace", *"4s", "enter")
        await hand.until(
            lambda: "What would follow: Amended" in hand.status and "Press Enter again to confirm" in hand.status
        )
        assert hand.value("ben", "life") == 11
        await hand.press("enter")
        await hand.counter("ben", "life", 16)
        await hand.press("ctrl+z")
        await hand.counter("ben", "life", 11)


@pytest.mark.slow
async def test_a_click_chooses_a_seat_and_a_key_in_the_bottom_row(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.click(hand.table.query("SeatPanel").last())
        await hand.until(lambda: hand.table.selection.chosen.target == "ben")
        await hand.press("minus", "enter")
        await hand.counter("ben", "life", 19)
        await hand.click(KeyBar, offset=(2, 0))
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
