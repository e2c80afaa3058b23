"""PDF files of label sheets and of pages.

Repeated labels are stored once, and large runs are drawn by several processes.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from io import BytesIO
from itertools import cycle, islice, repeat
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import msgspec

from labels import output
from labels.drawing.ink import GREY, Ink, path
from labels.drawing.languages import ENGLISH
from labels.geometry import Box, InkName
from labels.paper.calibration import IDENTITY, Calibration
from labels.paper.sheet import Label, Sheet
from labels.paper.stocks import Stock
from labels.typesetting import font_files
from templates import languages
from templates.languages.messages import current_language, set_language

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

    from labels.output.pdffile import FileState, Page, PdfWriter, RenderedPage


_BATCH_PAGES = 2
"""Number of pages that are sent to a process at once."""

_TRIAL_PAGES = 16
"""Number of pages after which it is decided whether other processes can draw them at all."""

_GC_THRESHOLD = 20_000
"""Allocations between two garbage collections: about those of a page."""

_WORTHWHILE_LABELS = {"fork": 600, "spawn": 3000}
"""The least labels that make up for starting processes, by start method: copies of this one, or fresh ones."""


class PagePool:
    """A pool of at most `most` processes, started for the first page and ended with the block."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            # Ctrl+C may come when processes have started, but not yet the thread that ends them, which then cannot be
            # joined; they would wait for ever, and this program for them. There is no public way to them.
            processes = tuple((getattr(self._pool, "_processes", None) or {}).values())
            with suppress(RuntimeError):
                self._pool.shutdown(cancel_futures=True)
            for process in processes:
                if process.is_alive():
                    process.terminate()

    def is_worthwhile(self, labels: int) -> bool:
        """Return True if several processes would draw `labels` labels sooner."""
        return self._most > 1 and (self._pool is not None or labels >= _WORTHWHILE_LABELS[_start_method()])

    def draw_pages(
        self,
        pages: Iterable[Page],
        size: tuple[float, float],
        calibration: Calibration,
        state: Callable[[], FileState],
        ink_name: InkName = "colour",
    ) -> Iterator[RenderedPage | None]:
        """Yield each page drawn with the `state` of the file at that time.

        Yield None for a page that needs more than that state, and if no processes are available. Raises the exceptions
        of the pages. Pages must be picklable.
        """
        from concurrent.futures import BrokenExecutor

        pending: deque[Future[list[RenderedPage | None]]] = deque()
        remaining, unrendered, received = iter(pages), 0, 0
        with suppress(BrokenExecutor):
            self._pool = self._pool or _start_pool(self._most)
            while 2 * unrendered <= received or received < _TRIAL_PAGES:
                while len(pending) < 2 * self._most and (batch := list(islice(remaining, _BATCH_PAGES))):
                    pending.append(
                        self._pool.submit(output.pdffile.render_batch, batch, size, calibration, state(), ink_name)
                    )
                if not pending:
                    return
                for page in pending.popleft().result():
                    unrendered, received = unrendered + (page is None), received + 1
                    yield page
        yield from repeat(None)


def _start_method() -> str:
    """Return the start method of processes: fork if that is safe, as it takes no time."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _start_pool(most: int) -> ProcessPoolExecutor:
    """Start the pool. Raises BrokenExecutor if the system cannot provide processes."""
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import get_context

    context: BaseContext = get_context(_start_method())
    try:
        return ProcessPoolExecutor(most, context, _init_worker, (current_language().code,))
    except (ImportError, NotImplementedError, OSError) as error:
        raise BrokenExecutor(str(error)) from error


def _init_worker(code: str) -> None:
    """Leave Ctrl+C to the parent process, whose language has this code, and exclude inherited objects, which live on,
    from garbage collection.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    if code != current_language().code and (language := languages.catalogues.find_language(code)):
        set_language(language)


def available_cores() -> int:
    """Return the number of cores that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


OUTLINE = 0.25
"""Line width of a die cut, in points."""

_BATCH_SHEETS = 240
"""Number of sheets in a batch: a label repeated within a batch is stored once."""


class _StoredLabel(msgspec.Struct, frozen=True):
    """A label that is stored in the file: its name there, and its text for screen readers."""

    name: str
    spoken: str


_PreparedSheet = Mapping[int, Label | _StoredLabel]
"""A sheet in which repeated labels are replaced by stored ones."""

Progress = Callable[[Sequence[Any]], Iterable[Any]]
"""A callback that passes the pages on one by one and displays the progress."""


def no_progress(pages: Sequence[Any]) -> Iterable[Any]:
    """Pass the pages on without displaying the progress."""
    return pages


class Setup(msgspec.Struct, frozen=True):
    """The settings for printing sheets.

    `title` and `subject` are metadata of the file, as a sheet itself holds only labels. `outlines` prints the outlines
    of the die cuts. `calibration` is the printer's. `language` is the BCP 47 tag of the words. `ink` replaces the
    stock's own ink. With `two_sided` every second page is the back of the one before.
    """

    title: str
    subject: str = ""
    outlines: bool = False
    calibration: Calibration = IDENTITY
    language: str = ENGLISH
    ink: InkName | None = None
    two_sided: bool = False


def render_sheets(run: Sequence[Sheet], stock: Stock, setup: Setup, *, cores: int = 1) -> bytes:
    """Return a PDF with one page for each sheet. Use `write_sheets` for runs that do not fit into memory.

    Raises LabelError, naming the label, if one does not fit or cannot be printed.
    """
    out = BytesIO()
    write_sheets(out, run, stock, setup, cores=cores)
    return out.getvalue()


def write_sheets(
    out: BinaryIO, run: Iterable[Sheet], stock: Stock, setup: Setup, *, progress: Progress = no_progress, cores: int = 1
) -> None:
    """Write a PDF with one page for each sheet, and store repeated labels once.

    Sheets are consumed as they are written. `progress` is called only for runs of known length. The file is the same
    for any number of `cores`; labels must be picklable. Raises LabelError, naming the label, if one does not fit or
    cannot be printed.
    """
    ink_name = setup.ink or stock.ink
    file = _begin_file(
        out, stock.page_size, setup.title, setup.subject, setup.language, ink_name, two_sided=setup.two_sided
    )
    press = _SheetPainter(stock, setup.outlines)
    back_press = _SheetPainter(stock.mirror(), setup.outlines) if setup.two_sided else press
    with PagePool(cores) as pool:
        pages = _write_sheets(file, (press, back_press), run, setup.calibration, ink_name, pool)
        for _ in zip(progress(run), pages, strict=False) if isinstance(run, Sequence) else pages:
            pass
    file.close()


def _begin_file(
    out: BinaryIO,
    size: tuple[float, float],
    title: str,
    subject: str,
    language: str = ENGLISH,
    ink_name: InkName = "colour",
    *,
    two_sided: bool = False,
) -> PdfWriter:
    """Begin a PDF file; reportlab is loaded with the first one, while the fonts are read."""
    font_files.preload()
    return output.pdffile.PdfWriter(out, size, title, subject, language, ink_name, two_sided=two_sided)


def _write_sheets(
    file: PdfWriter,
    presses: Sequence[_SheetPainter],
    run: Iterable[Sheet],
    calibration: Calibration,
    ink_name: InkName,
    pool: PagePool,
) -> Iterator[None]:
    """Write sheet by sheet.

    The file does not depend on the process that draws a page. A page that needs more than the state sent to a process
    is drawn here.
    """
    stored: dict[Label, _StoredLabel] = {}
    remaining = iter(run)
    while batch := [dict(sheet) for sheet in islice(remaining, _BATCH_SHEETS)]:
        press = presses[0]
        plates = _store_repeated(file, press, batch, stored)
        # A batch has as many fronts as backs.
        pages = [partial(side.page, plate) for side, plate in zip(cycle(presses), plates, strict=False)]
        file.draw_page(pages[0], calibration)
        yield
        label_count = sum(not isinstance(label, _StoredLabel) for plate in plates for label in plate.values())
        ready: Iterable[RenderedPage | None] = repeat(None)
        if pool.is_worthwhile(label_count):
            ready = pool.draw_pages(pages[1:], press.stock.page_size, calibration, file.state, ink_name)
        for page, rendered in zip(pages[1:], ready, strict=False):
            if rendered is None:
                file.draw_page(page, calibration)
            else:
                file.add_page(rendered)
            yield
        # The batch leaves memory before the next one is read.
        del batch, plates, pages, ready


def _store_repeated(
    file: PdfWriter, press: _SheetPainter, batch: Sequence[Sheet], stored: dict[Label, _StoredLabel]
) -> list[_PreparedSheet]:
    """Replace repeated labels by stored ones. New ones among them are drawn and stored in the file."""
    uses = Counter(label for sheet in batch for label in sheet.values())
    die = press.stock.room(1)
    around = die.around
    for label, count in uses.items():
        if count > 1 and label not in stored:
            name = f"L{len(stored) + 1}"
            with file.store_form(name, around.width, around.height) as (ink, box):
                ink.dot = press.stock.dot
                label.draw(ink, die.translate(box.x - around.x, box.y - around.y))
            stored[label] = _StoredLabel(name, ink.spoken)
    return [{position: stored.get(label, label) for position, label in sheet.items()} for sheet in batch]


class _SheetPainter(msgspec.Struct, frozen=True):
    """A painter of the sheets of a run."""

    stock: Stock
    outlines: bool

    def page(self, plate: _PreparedSheet, ink: Ink) -> None:
        """Draw the labels of one sheet, and place stored ones by name."""
        ink.dot = self.stock.dot
        if self.outlines:
            with ink.artifact():
                dies = map(self.stock.box, range(1, self.stock.count + 1))
                cuts = (path(*cut) for die in dies for cut in self.stock.outlines(die))
                ink.outline(cuts, GREY, OUTLINE)
        rooms = _label_rooms(self.stock)
        for position in sorted(plate):
            label, die = plate[position], rooms[position - 1]
            if isinstance(label, _StoredLabel):
                with ink.element(spoken=label.spoken):
                    ink.draw_form(die.around, label.name)
            else:
                with ink.element():
                    label.draw(ink, die)


@lru_cache(maxsize=8)
def _label_rooms(stock: Stock) -> tuple[Box, ...]:
    """Return the rooms of the labels of a page, the same on every page of a run."""
    rooms = tuple(map(stock.room, range(1, stock.count + 1)))
    if not stock.dot:
        return rooms
    # Labels begin at a dot, so that stored labels begin at one in any place.
    corners = [(room.around.x, room.around.y) for room in rooms]
    moves = [tuple(round(at / stock.dot) * stock.dot - at for at in corner) for corner in corners]
    return tuple(room.translate(*move) for room, move in zip(rooms, moves, strict=True))


def render_pages(
    painters: Sequence[Page],
    size: tuple[float, float],
    title: str,
    calibration: Calibration = IDENTITY,
    subject: str = "",
    ink: InkName = "colour",
) -> bytes:
    """Return a PDF in the current language with a page of `size`, width and height in points, for each painter."""
    out = BytesIO()
    file = _begin_file(out, size, title, subject, current_language().code, ink)
    for draw in painters:
        file.draw_page(draw, calibration)
    file.close()
    return out.getvalue()
