"""After a PDF is written: look at it, print it, and say how it came out, so that the sheet's count stays right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, stationery
from companion.archive.sheets import Outcome
from companion.tui import drawing
from companion.tui.screens.listing import ListScreen, fits

if TYPE_CHECKING:
    from companion.press.order import Ready


class Printed(NamedTuple):
    """A PDF, what is told of it, and what it was made of; `printer` is whose calibration it has."""

    path: Path
    told: str
    ready: Ready
    printer: str = ""


class _Way(NamedTuple):
    title: str
    about: str


_OPEN, _DONE, _CALIBRATE, _SEND = "open", "done", "calibrate", "send:"
_WAYS: Mapping[str, _Way] = {
    "printed": _Way("It came out right", "Its labels count as used."),
    "spoiled": _Way("It came out wrong, and the labels are lost", "They count as gone; print again for the next ones."),
    "blank": _Way("It came out wrong, or not at all: the labels are still blank", "They are free again."),
}


_OUTCOMES: Mapping[str, Outcome] = {"printed": "printed", "spoiled": "spoiled", "blank": "blank"}


class PrintedScreen(ListScreen):
    """What can be done with a finished PDF, one after the other."""

    heading = "Printed"
    placeholder = "type what to do"
    verb = "Do it"
    nothing = "Nothing here is called so; Esc clears the field."
    BINDINGS: ClassVar = []

    def __init__(self, archive: Archive, printed: Printed) -> None:
        super().__init__(archive)
        self._printed = printed
        self._queues: tuple[str, ...] | None = None
        self._waits = bool(printed.ready.claims)
        self._said = ""

    def listed(self, text: str) -> Sequence[Option]:
        """What there is still to do."""
        from companion.press import system

        if self._queues is None:
            self._queues = system.queues()
        ways = [(name, way) for name, way in self._ways() if fits(text, way.title)]
        return [Option(Content.styled(way.title, "bold"), name) for name, way in ways]

    def _ways(self) -> Iterator[tuple[str, _Way]]:
        yield (
            _OPEN,
            _Way("Open the PDF", "In the system's viewer; print it there at 100 %, without fitting to the page."),
        )
        for queue in self._queues or ():
            yield (
                f"{_SEND}{queue}",
                _Way(f"Send it to {queue}", "The system's printer of this name gets it, true to size."),
            )
        if self._waits:
            yield from _WAYS.items()
        about = "With a ruler and a test page, so that the next one fits; it takes two minutes."
        if self._printed.ready.span is not None:
            yield _CALIBRATE, _Way("It does not lie where it should: calibrate the printer", about)
        yield _DONE, _Way("That is all", "Back to where you came from." + (_LATER if self._waits else ""))

    def told(self, row: str) -> Content:
        """What was printed, and what the row would do."""
        way = dict(self._ways()).get(row)
        about = [Content.styled(way.about, "$text-accent"), Content("")] if way else []
        goes = [Content(drawing.single(sentence)) for sentence in self._printed.ready.told]
        question = Content.styled("Did it come out right?" if self._waits else "Print at 100 %.", drawing.BOLD)
        return Content("\n").join([Content(self._printed.told), question, Content(""), *about, *goes])

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – what a list may need
        """Do what the row says."""
        if row in ("", _DONE):
            self.dismiss()
        elif row == _CALIBRATE:
            from companion.tui.screens.choose import open_calibration

            span = self._printed.ready.span
            assert span is not None
            await open_calibration(self, self.archive, self._printed.printer, span)
        elif row in _WAYS:
            if await self._did(lambda: self._settled(row)):
                self._waits = False
                await self.refill(_DONE)
        else:
            await self._did(lambda: self._handed_on(row))

    def _settled(self, row: str) -> str:
        stationery.settle(self.archive, tuple(self._printed.ready.claims), _OUTCOMES[row])
        return _WAYS[row].about

    def _handed_on(self, row: str) -> str:
        from companion.press import system

        if row.startswith(_SEND):
            ready, queue = self._printed.ready, row.removeprefix(_SEND)
            mind = system.mismatch(queue, ready.paper)
            said = system.send(self._printed.path, queue, ready.media, ready.title)
            return " ".join(part for part in (mind, said or "It is on its way.") if part)
        system.show(self._printed.path)
        return "It opens in the system's viewer."

    async def _did(self, what: Callable[[], str]) -> bool:
        """Do something that may take a moment, and tell what came of it."""
        said = await self.asked(what)
        if said is not None:
            self.box.value = ""
            self.say(said)
        return said is not None


_LATER = (
    " The labels wait on their sheet until somebody says how they came out; later, that is said in a shell: "
    "companion labels sheets printed."
)
