"""The archive screen: its place and size, its backups, and its integrity."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from textual import work
from textual.content import Content
from textual.message import Message
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError, maintenance
from companion.archive.maintenance import Fault
from companion.archive.recovery import backups
from companion.archive.recovery.backups import Backup
from companion.archive.storage import files
from companion.tui import drawing, frame
from companion.tui.screens.base import StatusScreen
from companion.tui.screens.listing import ListScreen, fits

_WAYS = {
    "info": ("Where it is", "What this archive is, and its backups."),
    "check": ("Check it", "Reads everything, to check that it is undamaged and that its lists agree with its entries."),
    "repair": ("Make its lists again", "Rebuilds lists that a check found wrong; entries are never changed."),
    "backup": ("Copy it", "Writes a complete copy beside the archive; you can continue meanwhile."),
}
_ACCEPT = "accept"
_ACCEPTANCE = (
    "Take it as it is",
    "Continues with this older archive; missing entries stay lost, unless you go back to a backup that has them.",
)

_ACCEPT_QUESTION = "Enter again takes it as it is, and it is written to from then on."
_KEEPS = "what is here now is kept beside it."
_PUTS_BACK = f"Checks this backup and puts it in the archive's place; {_KEEPS}"
_SAVES = "In a shell, companion archive check --repair saves what can be read."
_OR_BACKUP = "Or go back to a backup."


class ArchiveScreen(ListScreen):
    """The actions on the archive; each runs beside the screen and reports its progress."""

    heading = "Archive"
    placeholder = "type what to do"
    verb = "Do it"
    nothing = "There is nothing with this name; Esc clears the field."

    class AcceptanceRequested(Message):
        """A request to accept the archive as it is, though this computer last saw more in it."""

    class RestoreRequested(Message):
        """A request to replace the archive by a backup."""

        def __init__(self, backup: Path) -> None:
            super().__init__()
            self.backup = backup

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._is_busy = threading.Lock()
        self._faults: Sequence[Fault] | None = None
        self._backups: dict[str, Backup] = {}
        self._unconfirmed = ""

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the actions, and the backups that can replace the archive."""
        file = self.archive.store.file
        self._backups = {each.path.name: each for each in (backups.list_backups(file) if file else ())}
        titles = {name: title for name, (title, _) in self._ways().items()}
        titles |= {
            name: f"Back to {backups.local_time(each)}, {backups.REASONS[each.why]}"
            for name, each in self._backups.items()
        }
        return [
            Option(Content.styled(title, drawing.BOLD), name) for name, title in titles.items() if fits(text, title)
        ]

    def _ways(self) -> Mapping[str, tuple[str, str]]:
        """Return the title and the effect of each action, by its name."""
        return {_ACCEPT: _ACCEPTANCE, **_WAYS} if self.archive.store.loss_reason else _WAYS

    def describe_row(self, row: str) -> Content:
        """Describe the effect of the row; then the archive, its backups, and the result of the last check."""
        store, ways = self.archive.store, self._ways()
        rows = [
            Content.styled(ways[row][1] if row in ways else _PUTS_BACK, "$text-accent"),
            Content(""),
            Content.styled(self.archive.name, "bold $text-accent"),
            *self._describe_size(),
            *([Content.styled(frame.describe_error(store.refusal), "$text-warning")] if store.read_only_reason else ()),
            *(_draw_faults(self._faults) if self._faults is not None else ()),
            *_backup_row(tuple(self._backups.values())),
        ]
        return Content("\n").join(rows)

    def _describe_size(self) -> Iterator[Content]:
        """Yield the size of the archive, or the error if it is too damaged to be counted."""
        try:
            info = maintenance.info(self.archive)
        except ArchiveError as error:
            yield Content.styled(str(error), "$text-error")
            return
        yield Content(str(info.contents))
        if info.bytes is not None:
            yield Content.styled(_format_megabytes(info.bytes), drawing.DIM)

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002
        """Run the action; ask for confirmation if it changes the archive itself."""
        self.box.value = ""
        unconfirmed, self._unconfirmed = self._unconfirmed, ""
        if row == "info":
            await self.refill("info")
        elif row == _ACCEPT or row in self._backups:
            await self._change(row, is_meant=unconfirmed == row)
        elif row:
            self._do({"check": self._check, "repair": self._repair, "backup": self._back_up}[row])

    async def _change(self, row: str, *, is_meant: bool) -> None:
        """Replace the archive by a backup, or accept an older one, after a confirmation."""
        if is_meant and row == _ACCEPT:
            self.post_message(self.AcceptanceRequested())
        elif is_meant:
            self.post_message(self.RestoreRequested(self._backups[row].path))
        else:
            self._unconfirmed = row
            self.say(_ACCEPT_QUESTION if row == _ACCEPT else f"Enter again goes back to {row}; {_KEEPS}")
            await self.refill(row)

    @work(thread=True)
    def _do(self, what: Callable[[], str]) -> None:
        """Run one action at a time in a thread, and report its result."""
        if not self._is_busy.acquire(blocking=False):
            self.app.call_from_thread(self.say, "Please wait: another task is still running.", wrong=True)
            return
        try:
            sentence, wrong = what(), False
        except (ArchiveError, OSError) as error:
            sentence, wrong = str(error), True
        finally:
            self._is_busy.release()
        self.app.call_from_thread(self._finish, sentence, wrong)

    def _finish(self, sentence: str, wrong: bool) -> None:
        if self.is_attached:
            self.say(sentence, wrong=wrong)
            self._search()

    def _check(self) -> str:
        self._faults = maintenance.check_archive(self.archive, self._report_progress, thorough=False)
        if not self._faults:
            return "The archive is whole, and its lists say what its entries add up to."
        mendable = " Making its lists again mends some of it." if any(fault.mendable for fault in self._faults) else ""
        ways = f" {_SAVES} {_OR_BACKUP}" if self._backups else f" {_SAVES}"
        lost = "" if all(fault.mendable for fault in self._faults) else ways
        one = len(self._faults) == 1
        wrong = "1 problem was found." if one else f"{len(self._faults)} problems were found."
        return f"{wrong}{mendable}{lost}"

    def _repair(self) -> str:
        maintenance.repair(self.archive, self._report_progress)
        self._faults = None
        return "Its lists are made again; check it to see that all is well."

    def _back_up(self) -> str:
        beside = Path(self.archive.name).parent
        target = beside / backups.dated_name(datetime.now())
        with files.write_atomically(target) as draft:
            maintenance.backup(self.archive, draft)
        return f"{target}: a whole copy."

    def _report_progress(self, kind: str, streams: Sequence[str]) -> Iterable[str]:
        """Yield the streams and report the progress at intervals: a report for each stream would take longer than
        reading it.
        """
        step = max(1, len(streams) // 20)
        for number, stream in enumerate(streams):
            if number % step == 0:
                self.app.call_from_thread(self.say, f"Reading: {number:,} of {len(streams):,} {kind}s …")
            yield stream


def _backup_row(copies: Sequence[Backup]) -> Iterator[Content]:
    yield from (Content(""), Content.styled("Backups, newest first", drawing.BOLD))
    if not copies:
        yield Content.styled("None yet; one is made when an evening ends.", drawing.DIM)
    for backup in copies:
        about = f"  {backups.REASONS[backup.why]}, {_format_megabytes(backup.bytes)}"
        yield Content.assemble(backup.path.name, (about, drawing.DIM))


def _format_megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def _draw_faults(faults: Sequence[Fault]) -> Iterator[Content]:
    yield from (Content(""), Content.styled("The last check", drawing.BOLD))
    if not faults:
        yield Content("✓ All is well.")
    for fault in faults:
        mend = "  making its lists again mends this" if fault.mendable else ""
        yield Content.assemble((f"✗ {frame.add_hint(str(fault.text), fault.look)}", "$text-error"), (mend, drawing.DIM))


async def open_archive(screen: StatusScreen, archive: Archive) -> None:
    """Open the screen of an archive."""
    await screen.app.push_screen(ArchiveScreen(archive))
