"""A program in a real pseudo-terminal, and the moments at which it shows something.

Separate because start-up, keys and memory are all measured on a program that believes it has a person before it.
"""

import contextlib
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

if sys.platform != "win32":
    import fcntl
    import pty
    import termios

COLUMNS, ROWS = 160, 45
PATIENCE = 60.0
"""Seconds after which a program that does not show what it should has failed."""

_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[@-Z\\-_=>78])")

_PARTS = re.compile(r"\x1b\[[0-?]*[@-~]|[\r\n]|[^\x1b\r\n]+")


def companion(place: Path, *words: str) -> tuple[str, ...]:
    """Return the command line of the companion on the archive at `place`."""
    return (sys.executable, "-m", "companion.cli", *words, "--archive", str(place))


class Terminal:
    """Runs `command` on a terminal of 160 × 45 characters until the block ends."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._master, slave = pty.openpty()
        _set_size(slave, COLUMNS, ROWS)
        looks = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, **looks, **(environment or {})},
        )
        os.close(slave)
        self._output = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def text(self) -> str:
        """What was written since the start, or since the last key, without colours and cursor movements."""
        return _ESCAPES.sub(b"", self._output).decode(errors="replace")

    @property
    def raw(self) -> str:
        """What was written, colours and cursor movements included."""
        return self._output.decode(errors="replace")

    @property
    def standing(self) -> list[str]:
        """The lines that are left of a text, of which parts were taken away or written over line by line."""
        lines, row, column = defaultdict[int, str](str), 0, 0
        for part in _PARTS.findall(self._output.decode(errors="replace")):
            match part:
                case "\r":
                    column = 0
                case "\n":
                    row += 1
                case "\x1b[1A":
                    row = max(0, row - 1)
                case "\x1b[2K":
                    lines[row] = ""
                case text if not text.startswith("\x1b"):
                    line = lines[row].ljust(column)
                    lines[row] = line[:column] + text + line[column + len(text) :]
                    column += len(text)
        return [lines[number].rstrip() for number in range(max(lines, default=-1) + 1)]

    def until(self, text: str) -> float:
        """Waits until `text` is on the screen and returns that moment (`time.perf_counter`). Raises TimeoutError."""
        deadline = time.perf_counter() + PATIENCE
        while text not in self.text:
            left = deadline - time.perf_counter()
            if left <= 0 or not self._read(left):
                raise TimeoutError(f"“{text}” was not shown; the last that was: {self.text[-300:]!r}")
        return time.perf_counter()

    def press(self, key: str) -> float:
        """Types `key`, forgets the text so far, and returns the moment of typing."""
        return self.send_bytes(key.encode())

    def send_bytes(self, sent: bytes) -> float:
        """Send bytes, which need not be text; forget the text so far, and return the moment of sending."""
        self._output = b""
        typed = time.perf_counter()
        os.write(self._master, sent)
        return typed

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal and tell the program so, as a window does; forget the text so far."""
        self._output = b""
        _set_size(self._master, columns, rows)
        # The program owns no terminal that would tell it.
        os.kill(self._process.pid, signal.SIGWINCH)

    def settle(self, quiet: float = 0.3) -> None:
        """Waits until nothing was written for `quiet` seconds, and nothing keeps the program from writing."""
        while self._read(quiet) or self._wants_to_run():
            pass

    def _wants_to_run(self) -> bool:
        """Whether one of its threads would go on if only it were let; False where the system does not tell."""
        states = []
        for stat in Path(f"/proc/{self._process.pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):
                states.append(stat.read_text(encoding="utf-8").rpartition(") ")[2][:1])
        return not {"R", "D"}.isdisjoint(states)

    def quit(self) -> int:
        """Press Ctrl+Q as soon as the program has painted what it has to, and return its exit status.

        A program that was painted and never read a key does not end, so this also shows that it could be used.
        """
        self.settle()
        self.press("\x11")
        return self.ended()

    def ended(self) -> int:
        """Waits until the program has ended by itself and returns its exit status."""
        # What nobody reads keeps a program from ending.
        while self._read(PATIENCE):
            pass
        return self._process.wait(PATIENCE)

    def memory(self) -> float:
        """What the program holds in memory now (resident), in MiB."""
        return resident(self._process.pid)

    def _read(self, within: float) -> bool:
        """Takes in what the program writes within so many seconds; False if it writes nothing or has ended."""
        ready, _, _ = select.select([self._master], [], [], within)
        chunk = b""
        if ready:
            # A terminal whose program has ended reports an input/output error on Linux.
            with contextlib.suppress(OSError):
                chunk = os.read(self._master, 65536)
        self._output += chunk
        return bool(chunk)


def _set_size(terminal: int, columns: int, rows: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def resident(process: int) -> float:
    """What a program holds in memory now, in MiB, by the number of its process."""
    status = Path(f"/proc/{process}/status")
    if status.exists():
        (line,) = (line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024
    output = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, encoding="utf-8", check=True)
    return int(output.stdout) / 1024
