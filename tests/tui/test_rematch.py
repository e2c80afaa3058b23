"""One key goes on: the next game of a match, or the same table again, from its table and from home."""

from time import monotonic

import pytest

from companion.archive import Archive
from companion.forms import settings
from companion.session.core import archive_journal
from companion.tui.screens.table.table import TableScreen
from companion.tui.widgets.bars import Head, KeyBar
from companion.tui.widgets.prompt_list import PromptList
from companion.tui.widgets.scoreboard import Scoreboard
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


def _begin(archive: Archive, *lines: str) -> str:
    session = archive_journal.start(archive, "solforge")
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', *lines):
        session.enter(line)
    return session.id


async def _at_another(hand: Hand, session: str) -> str:
    """Wait for another table than that of a session."""
    await hand.until(lambda: isinstance(hand.app.screen, TableScreen) and hand.app.screen.sitting.session.id != session)
    await hand.at_table()
    return hand.table.sitting.session.id


@pytest.mark.slow
async def test_best_of_three_is_played_with_one_key_between(sit: Seat, archive: Archive) -> None:
    first = _begin(archive, "match 3", "begin seed 1")
    async with sit(first, (80, 24)) as hand:
        await hand.shows("SolForge · Game 1 · best of 3 · Ana 0 – 0 Ben", hand.table.query_one(Head))
        await hand.enter("concede ben")
        await hand.shows("Game 1 · best of 3 · Ana 1 – 0 Ben", hand.table.query_one(Head))
        await hand.shows("Game 2", hand.table.query_one(KeyBar))
        await hand.press_for("table.again")
        second = await _at_another(hand, first)
        await hand.shows("Game 2 · best of 3 · Ana 1 – 0 Ben", hand.table.query_one(Head))
        await hand.shows("Ben lost the game before and chooses: who begins?", hand.table.query_one(PromptList))
        await hand.press("enter")
        await hand.until(lambda: hand.value("table", "active") == "ben")
        await hand.press("f2")
        await hand.shows("Game 2 · best of 3 · Ana 1 – 0 Ben", hand.table.query_one(Scoreboard))
        await hand.press("f2")
        await hand.press("enter")
        await hand.until(lambda: hand.value("table", "turn") == 1)
        await hand.enter("concede ben")
        await hand.shows("Ana 2 – 0 Ben", hand.table.query_one(Head))
        await hand.shows("Again", hand.table.query_one(KeyBar))
        await hand.press_for("table.again")
        third = await _at_another(hand, second)
        await hand.shows("Game 1 · best of 3 · Ana 0 – 0 Ben", hand.table.query_one(Head))
    assert archive.sessions()[0].session == third


async def test_from_home_a_table_that_is_over_is_opened_again(sit: Seat, archive: Archive) -> None:
    first = _begin(archive, "begin seed 1", "concede ana")
    async with sit(size=(80, 24)) as hand:
        await hand.until(lambda: hand.home.sessions.chosen == first)
        await hand.press_for("home.again")
        again = await _at_another(hand, first)
        assert [seat.name for seat in hand.table.view.seats] == ["Ana", "Ben"]
        await hand.press("ctrl+b")
        # The game that waits for its seal stands first.
        await hand.until(lambda: hand.app.screen is hand.home and hand.home.sessions.chosen == first)
        await hand.press("down")
        await hand.until(lambda: hand.home.sessions.chosen == again)
        await hand.press_for("home.again")
        await hand.until(lambda: "This game is not over yet" in hand.status)


async def test_a_draw_is_asked_once_more(sit: Seat, archive: Archive) -> None:
    async with sit(_begin(archive, "begin seed 1"), (80, 24)) as hand:
        await hand.enter("draw-agreed")
        await hand.until(lambda: "Does everybody agree on a draw?" in hand.status)
        assert hand.table.view.outcome is None
        await hand.press("enter")
        await hand.until(lambda: hand.table.view.outcome == "draw")


@pytest.mark.slow
async def test_a_countdown_begins_with_a_word_and_waits_while_the_table_is_left(sit: Seat, archive: Archive) -> None:
    session = _begin(archive, "begin seed 1")
    async with sit(session, (80, 24)) as hand:
        head = hand.table.query_one(Head)
        assert "━" not in hand.text_of(head)
        await hand.enter("clock 600")
        await hand.until(lambda: "600 s now" in hand.status)
        await hand.shows("━━━━━━━━ 9:5", head)
        await hand.press("f2")
        await hand.shows("Seconds", hand.table.query_one(Scoreboard))
        await hand.press("f2")
        lines, countdown = archive.find_session(session).lines, hand.table.sitting.countdown
        await hand.press("ctrl+b")
        await hand.until(lambda: hand.app.screen is hand.home)
        left = countdown.seconds_left(monotonic())
        assert countdown.seconds_left(monotonic() + 60) == left
        await hand.until(lambda: hand.home.sessions.chosen == session)
        await hand.press("enter")
        await hand.at_table()
        assert hand.table.sitting.countdown is countdown
        assert countdown.is_running
        await hand.shows("━ 9:", hand.table.query_one(Head))
        await hand.enter("clock off")
        await hand.until(lambda: "━" not in hand.text_of(hand.table.query_one(Head)))
        assert archive.find_session(session).lines == lines
    assert settings.read_settings().clock == ""
