"""A first evening on Windows' console, as Wine has it on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.systems.windows import Windows
from tests.terminal import PATIENCE, Terminal
from tests.tui.test_first_evening import STEPS

_CONSOLE: Final = re.compile(rb"\x1b\[\?25[lh]|\x1b\[\d+;\d+H|\x1b\[\d*[A-DGKd]|[\r\n]")
"""Sequences that Wine's console adds: it takes the program's own for text, and breaks them at the edge."""

_SEQUENCE: Final = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")


class WindowsConsole(Terminal):
    """A Windows program in Wine's console."""

    @property
    def text(self) -> str:
        """The text since the last key, without any space: where a line breaks, spaces are lost."""
        text = _SEQUENCE.sub(b"", _CONSOLE.sub(b"", self._output)).decode(errors="replace")
        return "".join(text.split())

    def until(self, text: str) -> float:
        """Wait until `text` is shown, and return that moment. Raises TimeoutError."""
        wanted = "".join(text.split())
        deadline = time.perf_counter() + PATIENCE
        while wanted not in self.text:
            self._read(0.2)
            if time.perf_counter() > deadline:
                raise TimeoutError(f"“{text}” was not shown; the last that was: {self.text[-300:]!r}")
        return time.perf_counter()


def play(cache: str) -> int:
    """Play the first evening, print what was shown, and return the program's exit status."""
    system = Windows(Path(cache))
    with tempfile.TemporaryDirectory(dir=system.folder) as folder:
        os.chdir(folder)
        command = system.command("-m", "companion.cli", "--archive", "first evening, grün.sqlite")
        with WindowsConsole(command, system.environment) as console:
            for keys, text in STEPS:
                console.press(keys)
                console.until(text)
                console.settle(1.0)
                print(f"shown: {text}", flush=True)
            status = console.quit()
        print(f"Ctrl+Q: exit status {status}")
    return status or check_console(system)


def check_console(system: Windows) -> int:
    """Type and paste into the console itself, and return the exit status of what reads it there."""
    os.chdir(system.folder / "src")
    with WindowsConsole(system.command("-m", "tests.tui.windows_console"), system.environment) as console:
        status = console.ended()
        print(f"console: {console.text[-80:]}: exit status {status}")
    return status


if __name__ == "__main__":
    sys.exit(play(*sys.argv[1:]))
