"""The clock for everybody's turns at the table: started, paused and shown there."""

from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui.widgets.bars import Head
from tests.tui.conftest import Seat
from tests.tui.hand import Hand


@pytest.fixture
def table(place: Path) -> str:
    """A duel in which Ana has the first turn."""
    with Archive.open(str(place)) as archive:
        session = archive_journal.start(archive, "life")
        for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "first ana", "begin seed 1"):
            session.enter(line)
        return session.id


def times(hand: Hand) -> tuple[str, ...]:
    """The time at the head of the table, in longer and shorter words."""
    part = hand.table.query_one(Head).part
    assert part is not None
    return part.time


async def test_a_line_starts_the_clock_and_a_key_pauses_it(sit: Seat, table: str) -> None:
    async with sit(table, size=(120, 40)) as hand:
        await hand.press_for("table.clock")
        assert "`clock up` counts the time of each turn" in hand.status
        assert times(hand) == ()
        await hand.enter("clock up")
        assert times(hand)[0].startswith("Ana 0:0")
        assert "table 0:0" in times(hand)[0]
        await hand.press_for("table.clock")
        assert times(hand)[0].endswith("paused")
        assert hand.table.sitting.session.lines()[-1] == "clock pause"
        await hand.press_for("table.clock")
        assert hand.table.sitting.session.lines()[-1] == "clock go"
        await hand.enter("clock off")
        assert hand.table.sitting.session.lines()[-1] == "clock off"
        assert times(hand) == ()


async def test_little_time_of_ones_own_is_a_warning(sit: Seat, table: str) -> None:
    async with sit(table, size=(120, 40)) as hand:
        await hand.enter("clock each 1")
        part = hand.table.query_one(Head).part
        assert part is not None
        assert part.is_urgent
        assert " left · Ben 1:00 left" in times(hand)[0]
        await hand.enter("clock")
        assert "Ben's turns: 0:00, 1:00 left." in hand.status


@pytest.mark.parametrize("width", [80, 60])
async def test_a_clock_is_drawn_where_the_head_is_full(sit: Seat, place: Path, width: int) -> None:
    with Archive.open(str(place)) as archive:
        session = archive_journal.start(archive, "life")
        for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "match 3", "first ana", "begin seed 1"):
            session.enter(line)
    async with sit(session.id, size=(width, 24)) as hand:
        for line in ("clock up", "clock pause", "clock each 25"):
            await hand.enter(line)
            await hand.settle()
            part = hand.table.query_one(Head).part
            assert part is not None
            first, _ = Head.draw(part, width - 2)
            assert first.plain.endswith(part.time[-1]), first.plain
            assert first.plain.startswith("Duel with life totals")
            assert first.cell_length <= width - 2


async def test_the_countdown_is_still_set_by_seconds(sit: Seat, table: str) -> None:
    async with sit(table, size=(120, 40)) as hand:
        await hand.enter("clock 90")
        assert "90 s" in hand.status
        await hand.enter("clock off")
        assert hand.status == "No countdown."
        assert "clock" not in "".join(hand.table.sitting.session.lines())


async def test_what_nobody_counts_is_offered_and_counted(sit: Seat, table: str) -> None:
    async with sit(table, size=(120, 40)) as hand:
        await hand.enter("ana runes 3")
        assert "`track runes ana start 3` counts it from now on" in hand.status
        await hand.press("down", "enter")
        await hand.counter("ana", "runes", 3)
