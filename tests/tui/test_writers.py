"""Who entered a line of the log: said of the chosen one, where several people did."""

from pathlib import Path

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.tui.conftest import Seat


async def test_the_log_says_who_entered_the_chosen_line(sit: Seat, duel: str, place: Path) -> None:
    with Archive.open(str(place), by="Ana's [phone]") as phone:
        archive_journal.resume(phone, duel).enter("draw ana")
    async with sit(duel) as hand:
        log = hand.table.log_view
        log.choose(-1)
        assert log.border_subtitle == r"line 5 by Ana's \[phone]"
        log.choose(-1)
        assert log.border_subtitle == "line 4 by test"
        log.choose(0)
        assert log.border_subtitle == ""


async def test_where_one_person_entered_all_lines_nothing_is_said(sit: Seat, duel: str) -> None:
    async with sit(duel) as hand:
        hand.table.log_view.choose(-1)
        assert hand.table.log_view.border_subtitle == ""
