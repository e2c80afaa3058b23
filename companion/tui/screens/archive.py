"""The archive: where it is and how much it holds, copies of it, and whether it is whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from textual import work
from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError, files, maintenance
from companion.archive.maintenance import Fault
from companion.tui import drawing
from companion.tui.screens.listing import ListScreen, fits

_WAYS = {
    "info": ("Where it is", "What this archive is, and the copies beside it."),
    "check": ("Check it", "Reads everything: whether it is whole, and its lists say what its entries add up to."),
    "repair": ("Make its lists again", "Where a check found a list wrong; entries are never touched."),
    "backup": ("Copy it", "A whole copy of this moment, beside the archive; going on meanwhile is no harm."),
}


class ArchiveScreen(ListScreen):
    """What can be done for the archive; all of it beside the screen, with how far it is."""

    heading = "Archive"
    placeholder = "type what to do"
    verb = "Do it"
    nothing = "Nothing here is called so; Esc clears the field."

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._is_busy = threading.Lock()
        self._found: Sequence[Fault] | None = None

    def listed(self, text: str) -> Sequence[Option]:
        """What can be done."""
        return [Option(Content.styled(title, "bold"), name) for name, (title, _) in _WAYS.items() if fits(text, title)]

    def told(self, row: str) -> Content:
        """What the row would do; then the archive, its copies, and what the last check found."""
        found = maintenance.info(self.archive)
        size = "" if found.bytes is None else f", {_megabytes(found.bytes)}"
        held = (
            f"sessions {found.sessions:,} · decks {found.decks:,} · people {found.people:,} · entries {found.entries:,}"
        )
        rows = [
            Content.styled(_WAYS[row][1], "$text-accent"),
            Content(""),
            Content.styled(found.archive, "bold $text-accent"),
            Content(held),
            Content.styled(f"schema {found.schema}{size}", drawing.DIM),
            *_copies(maintenance.backups(self.archive)),
        ]
        return Content("\n").join([*rows, *(_faults(self._found) if self._found is not None else ())])

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002
        """Do it."""
        self.box.value = ""
        if row == "info":
            await self.refill("info")
        elif row:
            self._do({"check": self._check, "repair": self._repair, "backup": self._back_up}[row])

    @work(thread=True)
    def _do(self, what: Callable[[], str]) -> None:
        """One thing at a time; what comes of it is told."""
        if not self._is_busy.acquire(blocking=False):
            self.app.call_from_thread(self.say, "One thing at a time: the other is not done yet.", wrong=True)
            return
        try:
            said, wrong = what(), False
        except (ArchiveError, OSError) as error:
            said, wrong = str(error), True
        finally:
            self._is_busy.release()
        self.app.call_from_thread(self._done, said, wrong)

    def _done(self, said: str, wrong: bool) -> None:
        if self.is_attached:
            self.say(said, wrong=wrong)
            self._tell()

    def _check(self) -> str:
        self._found = maintenance.check(self.archive, self._watched)
        if not self._found:
            return "The archive is whole, and its lists say what its entries add up to."
        mendable = " Making its lists again mends some of it." if any(fault.mendable for fault in self._found) else ""
        return f"{len(self._found)} things are not as they must be.{mendable}"

    def _repair(self) -> str:
        maintenance.repair(self.archive, self._watched)
        self._found = None
        return "Its lists are made again; check it to see that all is well."

    def _back_up(self) -> str:
        beside = Path(self.archive.name).parent
        with files.fresh(beside / maintenance.dated(datetime.now())) as draft:
            maintenance.backup(self.archive, draft)
        return f"{beside / maintenance.backups(self.archive)[0].name}: a whole copy."

    def _watched(self, kind: str, streams: Sequence[str]) -> Iterable[str]:
        """How far it is, every so often: telling of each stream would take longer than reading it."""
        step = max(1, len(streams) // 20)
        for number, stream in enumerate(streams):
            if number % step == 0:
                self.app.call_from_thread(self.say, f"Reading: {number:,} of {len(streams):,} {kind}s …")
            yield stream


def _copies(copies: Sequence[Path]) -> Iterator[Content]:
    yield from (Content(""), Content.styled("Copies beside it, newest first", drawing.BOLD))
    if not copies:
        yield Content.styled("None yet.", drawing.DIM)
    for path in copies:
        yield Content.assemble(f"{path.name}  ", (_megabytes(path.stat().st_size), drawing.DIM))


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def _faults(found: Sequence[Fault]) -> Iterator[Content]:
    yield from (Content(""), Content.styled("The last check", drawing.BOLD))
    if not found:
        yield Content("✓ All is well.")
    for fault in found:
        mend = "  making its lists again mends this" if fault.mendable else ""
        yield Content.assemble((f"✗ {fault.text}", "$text-error"), (mend, drawing.DIM))
