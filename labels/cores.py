"""Pages drawn on all cores of the machine, each as it would have been drawn here, handed on in their order.

Separate because processes are no part of a PDF. It pays for long runs only: processes must start first, and they are
told a few pages at a time, so that a run without end needs no more memory than a short one.
"""

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice, repeat
from typing import TYPE_CHECKING, Self

from labels import pdffile
from labels.calibration import Calibration
from labels.pdffile import FileState, Page, RenderedPage

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

_TOGETHER = 2
"""So many pages go to a process at once."""

_PATIENCE = 16
"""After so many pages it shows whether they can be drawn elsewhere at all."""

_FEW_LOOKS = 20_000
"""So many new objects before the garbage collector looks through them: about a page's."""

_PAYS = {"fork": 600, "spawn": 3000}
"""How many labels must be drawn to make up for the start of processes: of copies of this one, or of fresh ones."""


class Cores:
    """At most so many processes, begun when the first page is to be drawn; the block's end ends them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def pays(self, labels: int) -> bool:
        """Whether so many labels are drawn sooner by several."""
        return self._most > 1 and (self._pool is not None or labels >= _PAYS[_way()])

    def drawn(
        self, pages: Iterable[Page], size: tuple[float, float], calibration: Calibration, known: Callable[[], FileState]
    ) -> Iterator[RenderedPage | None]:
        """Each page drawn with what the file has made `known` by then; None for one that needs more than that, or where
        processes cannot be had.

        Raises what a page raises. Pages must be such as can be pickled.
        """
        from concurrent.futures import BrokenExecutor

        waiting: deque[Future[list[RenderedPage | None]]] = deque()
        left, missed, had = iter(pages), 0, 0
        with suppress(BrokenExecutor):
            self._pool = self._pool or _pool(self._most)
            while 2 * missed <= had or had < _PATIENCE:
                while len(waiting) < 2 * self._most and (some := list(islice(left, _TOGETHER))):
                    waiting.append(self._pool.submit(_draw, some, size, calibration, known()))
                if not waiting:
                    return
                for page in waiting.popleft().result():
                    missed, had = missed + (page is None), had + 1
                    yield page
        yield from repeat(None)


def _way() -> str:
    """How processes begin: as copies, where that is safe, for there it takes no time."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _pool(most: int) -> "ProcessPoolExecutor":
    """Raises BrokenExecutor where the system has no processes to give."""
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import get_context

    context: BaseContext = get_context(_way())
    try:
        return ProcessPoolExecutor(most, context, _unhurried)
    except (ImportError, NotImplementedError, OSError) as error:
        raise BrokenExecutor(str(error)) from error


def _unhurried() -> None:
    """Ctrl+C is for whoever waits for the pages; what came along is for ever and need not be looked through."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(_FEW_LOOKS)


def _draw(
    pages: list[Page], size: tuple[float, float], calibration: Calibration, known: FileState
) -> list[RenderedPage | None]:
    canvas = pdffile.canvas(size)
    pdffile.prime_canvas(canvas, known)
    before, count = pdffile.fonts_of(canvas), len(canvas._doc.idToObject)
    made: list[RenderedPage | None] = []
    for number, page in enumerate(pages, 1):
        drawn = pdffile.render_page(canvas, page, size, calibration)
        same = len(canvas._doc.idToObject) == count + number and pdffile.fonts_of(canvas) == before
        made.append(drawn if same else None)
    return made


def available() -> int:
    """How many cores this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
