"""A terminal of which one sees what people see: what a program writes is drawn by a terminal emulator."""

import ctypes
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyte

from tests.terminal import COLUMNS, PATIENCE, ROWS, Terminal

_PAUSE = 0.002
"""Seconds without a further piece after which those that came are drawn."""


class Moment(NamedTuple):
    """How long a program had run, and how much it had computed by then, in milliseconds; 0 where nothing tells that."""

    wall: float
    cpu: float


class EmulatedTerminal(Terminal):
    """A `Terminal` with the screen that stands on it.

    A piece counts as seen at the moment it comes: drawing it takes Python longer than any terminal that people have,
    so pieces are read first and drawn once none follows.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        super().__init__(command, environment)
        self._clock = _cpu_clock(self._process.pid)
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._to_draw: deque[tuple[Moment, bytes]] = deque()

    def until_displayed(self, text: str) -> Moment:
        """Waits until `text` stands in a line of the screen; when what brought it there came. Raises TimeoutError."""
        deadline = time.perf_counter() + PATIENCE
        while (left := deadline - time.perf_counter()) > 0 and self._read(left):
            while self._read(_PAUSE):
                pass
            while self._to_draw:
                moment, piece = self._to_draw.popleft()
                self._screen.dirty.clear()
                self._stream.feed(piece)
                if any(text in self._line(row) for row in self._screen.dirty):
                    return moment
        raise TimeoutError(f"“{text}” was not shown; this stands on the screen: {self._screen.display}")

    def _line(self, row: int) -> str:
        cells = self._screen.buffer[row]
        return "".join(cells[column].data for column in range(COLUMNS))

    def _read(self, within: float) -> bool:
        before = len(self._output)
        is_read = super()._read(within)
        if is_read:
            wall = time.perf_counter() - self.started
            cpu = 0.0 if self._clock is None else time.clock_gettime(self._clock)
            self._to_draw.append((Moment(wall * 1e3, cpu * 1e3), self._output[before:]))
        return is_read


def _cpu_clock(process: int) -> int | None:
    """The clock of what all threads of another process have computed; None where the system has none, as macOS."""
    get_clock = getattr(ctypes.CDLL(None), "clock_getcpuclockid", None)
    clock = ctypes.c_int()
    return clock.value if get_clock and not get_clock(process, ctypes.byref(clock)) else None
