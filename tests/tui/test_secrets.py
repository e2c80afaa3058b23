"""What lies face down is not on the screen that everybody sees, nor in what the arrow keys bring back."""

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.session.test_secrets import MAIN, NAME
from tests.tui.conftest import Seat


async def test_a_name_typed_at_the_host_is_neither_shown_nor_recalled(sit: Seat, archive: Archive) -> None:
    session = archive_journal.start(archive, "soulforger")
    for line in MAIN:
        session.enter(line)
    async with sit(session.id, size=(80, 24)) as hand:
        await hand.enter(f'set-action ana "{NAME}"')
        await hand.until(lambda: hand.status == "Ana sets an Action face down.")
        await hand.press("up")
        await hand.bar_holds("set-action ana")
        await hand.press("escape", "tab", "tab", "f3")
        for widget in hand.table.query("*"):
            assert NAME not in hand.text_of(widget)
        assert NAME not in hand.table.log_view.text
        await hand.press("f3")
        await hand.enter("amend 11 set-action ana")
        assert NAME not in hand.status
    assert archive.lines(session.id)[10].line == f'set-action ana "{NAME}"', "the record knows it in time"
