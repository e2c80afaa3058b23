"""Nothing is lost and nothing done that nobody meant: amending from the log, reasons, what is stuck already, faults."""

import time
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.archive import Archive, StoredLine
from companion.session.core import archive_journal
from companion.tui.screens.home.home import Home
from companion.tui.screens.people import PeopleScreen
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.bars import KeyBar
from companion.tui.widgets.log import LogView
from companion.tui.widgets.prompt_list import PromptList
from tests.tui.conftest import Seat, Watched
from tests.tui.hand import PATIENCE, Hand
from tests.tui.test_duel import stored_lines
from tests.tui.test_pictures import in_the_middle, wizards_at


@pytest.mark.slow
async def test_a_click_on_a_prompt_or_an_answer_takes_it(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.click(PromptList, offset=(4, 1))
        await hand.until(lambda: "spend ana strike" in hand.table.bar.placeholder)
        await hand.click(PromptList, offset=(4, 3))
        await hand.until(lambda: "draw ben" in hand.table.bar.placeholder)
        assert hand.table.sitting.log[-1].text == "spend ana heal"
        hand.type("draw ben")
        await hand.until(lambda: "Do it" in hand.text_of(hand.table.query_one(KeyBar)))
        await hand.click(KeyBar, offset=(2, 0))
        await hand.until(lambda: "spend ben" in hand.table.bar.placeholder)


@pytest.mark.slow
async def test_a_click_on_a_prompt_that_wants_words_begins_its_line(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in ("seat ana", "seat ben", "seat cy", "begin seed 1"):
        session.enter(line)
    async with sit(session.id) as hand:
        rows = hand.text_of("PromptList").splitlines()
        # The first row is the frame's.
        await hand.click(PromptList, offset=(4, 1 + next(at for at, row in enumerate(rows) if "Ben: reveal" in row)))
        await hand.bar_holds("reveal ben ")
        assert hand.table.bar.has_focus


async def test_a_click_on_a_line_of_the_log_offers_to_amend_it(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        number = hand.table.sitting.log[-1].number
        row = len(hand.table.log_view.text.splitlines())
        await hand.click(LogView, offset=(12, row))
        await hand.bar_holds(f"amend {number} draw ana 9S ")


@pytest.mark.slow
async def test_arrows_choose_a_log_line_and_enter_offers_to_amend(sit: Seat, duel: str) -> None:
    async with sit(duel, (80, 24)) as hand:
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.press("f3", "up", "up", "down")
        await hand.until(lambda: hand.table.log_view.chosen is hand.table.sitting.log[-1])
        await hand.press("up", "down", "enter")
        await hand.until(lambda: hand.table.bar.value.endswith("draw ana 9S "))
        await hand.press("escape", "escape")
        await hand.until(lambda: hand.table.log_view.chosen is None)
        await hand.press("enter")
        await hand.until(lambda: "draw ben" in hand.table.bar.placeholder)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "keys", [("right", "right", "minus", "7", "space", *"it"), (*"2-7", "space", *"it"), (*":add", *" ben life -7 it")]
)
async def test_a_change_and_why_it_was_made_are_one_intention(
    sit: Seat, duel: str, place: Path, keys: tuple[str, ...]
) -> None:
    async with sit(duel) as hand:
        await hand.press(*keys, *" bit me", "enter")
        await hand.counter("ben", "life", 13)
        assert stored_lines(place, duel)[-2:] == ["add ben life -7", 'note "it bit me"']
        await hand.press("ctrl+z")
        await hand.counter("ben", "life", 20)
        assert "it bit me" not in hand.table.log_view.text


@pytest.mark.slow
async def test_a_minion_is_changed_with_the_mouse_or_with_keys(sit: Seat, archive: Archive) -> None:
    async with sit(wizards_at(archive, 4)) as hand:
        await hand.click(hand.table.query("ZonePanel").last(), offset=(5, 1))
        await hand.until(lambda: hand.table.selection.chosen.target == "minion ana:AH")
        await hand.press("minus", "minus", "enter")
        await hand.counter("minion ana:AH", "hp", 16)
        assert "A♥ of Ana: HP 18 → 16, by hand." in hand.status
        assert "A♥ of Ana: HP 18 → 16, by hand." in hand.table.log_view.text
        await hand.press("escape", "left", "plus", "enter")
        await hand.counter("minion ana:AH", "hp", 17)


@pytest.mark.slow
async def test_undo_and_redo_are_of_an_amendment_and_say_what_follows(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "spend" in hand.table.bar.placeholder)
        await hand.enter("strike")
        await hand.counter("ben", "life", 11)
        for _ in range(2):
            await hand.press(*"amend 5 draw ana 4s", "enter") if not hand.bar else await hand.press("enter")
        await hand.counter("ben", "life", 16)
        await hand.until(lambda: "Undo amend 5" in hand.text_of(hand.table.query_one(KeyBar)))
        await hand.press("ctrl+z")
        await hand.until(lambda: hand.status == "Taken back: amend 5 draw ana 4S. Ben: Life 16 → 11.")
        await hand.press("ctrl+y")
        await hand.until(lambda: hand.status == "Done again: amend 5 draw ana 4S. Ben: Life 11 → 16.")


@pytest.mark.slow
async def test_what_may_be_stuck_already_is_told_before_it_is_undone(sit: Seat, archive: Archive) -> None:
    session = in_the_middle(archive, "refuse buy cy 7S")
    async with sit(session) as hand:
        moments = hand.table.sitting.log
        await hand.press("ctrl+z")
        await hand.until(lambda: "This may have been done already" in hand.status)
        assert "stick sharp on 5♣" in hand.status.lower()
        assert hand.table.sitting.log == moments
        await hand.enter("note later")  # something else in between: it asks anew
        await hand.until(lambda: "later" in hand.table.log_view.text)
        await hand.press("ctrl+z")
        await hand.until(lambda: hand.table.sitting.log == moments)
        await hand.press("ctrl+z")
        await hand.until(lambda: "This may have been done already" in hand.status)
        await hand.press("escape")  # the question is let go of
        await hand.until(lambda: hand.status == "")
        await hand.press("ctrl+z")
        await hand.until(lambda: "This may have been done already" in hand.status)
        await hand.press("ctrl+z")
        await hand.until(lambda: "With the cards, undo" in hand.status)
        assert hand.table.sitting.log == moments[:-1]


@pytest.mark.slow
async def test_after_a_key_that_fails_keys_go_on(
    place: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.new_session("duel", "Friday")
    # Who leaves twice leaves the last screen, too, and that cannot be.
    monkeypatch.setattr(Watched, "action_home", lambda app: (app.pop_screen(), app.pop_screen()))
    app = Watched(str(place))
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: hand.home.sessions.total == 1)
        hand.type("<f7>")
        await hand.until(lambda: isinstance(hand.app.screen, PeopleScreen))
        hand.type("<ctrl+b>", "f", "r", "<escape>", "x")
        await hand.until(lambda: hand.field("box") == "x")
        assert len(app.faults) == 1


@pytest.mark.slow
async def test_a_fault_on_a_screen_is_told_and_the_table_goes_on(place: Path, archive: Archive) -> None:
    session = archive_journal.start(archive, "faulty")
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    app = Watched(str(place), session.id)
    async with app.run_test(notifications=True) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.enter("set ben life 11")
        await hand.until(lambda: bool(app.faults))
        await hand.until(lambda: "TypeError" in _toasts(pilot))
        await hand.settle()
        toast = app.screen.query_one("Toast")
        for needed in (hand.table.bar, hand.table.status_line, hand.table.keys, hand.table.tabletop.head):
            assert not toast.region.overlaps(needed.region), needed
        assert stored_lines(place, session.id)[-1] == "set ben life 11"
        await hand.press("escape")
        await hand.enter("set ben life 12")
        await hand.counter("ben", "life", 12)
        await hand.until(lambda: "12" in hand.table.log_view.text)
    assert app.return_code in (0, None)


@pytest.mark.slow
async def test_a_table_that_cannot_be_shown_is_told_at_home(place: Path, archive: Archive) -> None:
    session = archive_journal.start(archive, "faulty")
    for line in ("seat ana", "seat ben", "begin seed 1", "set ben life 12"):
        session.enter(line)
    stored = session.id
    archive.append_lines(stored, 6, [StoredLine("set ben life 13", 6)])
    app = Watched(str(place), stored)
    async with app.run_test(notifications=True) as pilot:
        await Hand(app, pilot).until(lambda: "ZeroDivisionError: thirteen" in _toasts(pilot))
        assert isinstance(app.screen, Home)
        await pilot.press("f2")
        await Hand(app, pilot).until(lambda: not isinstance(app.screen, Home | TableScreen))


def _toasts(pilot: Pilot[None]) -> str:
    return "\n".join(str(toast.render()) for toast in pilot.app.screen.query("Toast"))


@pytest.mark.slow
async def test_a_seal_is_asked_for_twice_as_it_cannot_be_undone(sit: Seat, archive: Archive, band: str) -> None:
    session = archive_journal.start(archive, "decknforge")
    for line in ("seat ana deck {}", "seat ben", "begin seed 1", "set ana hp 0", "set ben hp 0"):
        session.enter(line.format(band))
    while session.view().step != "turning":
        session.enter(next(prompt.line for prompt in session.view().prompts if prompt.due))
    async with sit(session.id) as hand:
        assert hand.table.view.step == "turning"
        await hand.enter("seal")
        await hand.until(lambda: "cannot be undone afterwards" in hand.status)
        assert hand.table.view.step == "turning"
        await hand.press("enter")
        await hand.until(lambda: hand.table.view.step == "sealed")
        await hand.until(lambda: "Undo" not in hand.text_of(hand.table.query_one(KeyBar)))
        await hand.until(lambda: "Enter: labels, chores, home" in hand.table.bar.placeholder)
    assert archive.find_deck(band).figure("dungeons") == 1


@pytest.mark.slow
async def test_a_hasty_enter_on_a_new_question_says_it_was_left_out(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        hand.table.settle = PATIENCE
        log = len(hand.table.sitting.log)
        hand.table._asked_since = time.monotonic()
        await hand.press("enter")
        await hand.until(lambda: "Enter came too soon and was ignored" in hand.status)
        assert len(hand.table.sitting.log) == log
