"""The quiet clock at the head of the table."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.content import Content

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui.widgets.bars import Head, with_time
from tests.tui.conftest import Seat

TIMES = ("Turn 1: 25 min · evening: 1 h 05 min", "Turn 1: 25 min")


@pytest.fixture
def early(place: Path) -> str:
    """A duel whose people sat down an hour ago and whose first turn began 25 minutes ago."""
    ago = [65, 65, 64, 63, 25]
    with Archive.open(
        str(place), clock=lambda: datetime.now(UTC) - timedelta(minutes=ago.pop(0), seconds=5)
    ) as archive:
        session = archive_journal.start(archive, "duel")
        for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
            session.enter(line)
        return session.id


@pytest.mark.sample(3)
@pytest.mark.parametrize(("size", "text"), [((120, 40), TIMES[0]), ((60, 18), TIMES[0]), ((40, 12), TIMES[1])])
async def test_the_head_tells_the_time_at_its_end(sit: Seat, early: str, size: tuple[int, int], text: str) -> None:
    async with sit(early, size=size) as hand:
        head = hand.table.query_one(Head)
        assert head.part is not None
        assert head.part.time == TIMES
        row = Head.draw(head.part, size[0])[0].plain
        assert row.endswith(text)
        assert row.startswith("Duel")


async def test_in_the_first_minute_nothing_is_said_of_time(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        part = hand.table.query_one(Head).part
        assert part is not None
        assert part.time == ()


@pytest.mark.parametrize(("width", "time"), [(60, TIMES[0]), (52, TIMES[0]), (51, TIMES[1]), (30, TIMES[1]), (29, "")])
def test_the_time_has_the_room_that_the_figures_leave(width: int, time: str) -> None:
    row = with_time(Content("Duel · Turn 1"), TIMES, width).plain
    assert row == (f"Duel · Turn 1{time:>{width - 13}}" if time else "Duel · Turn 1")
