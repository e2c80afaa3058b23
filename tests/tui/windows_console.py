"""Types and pastes into a console of Windows, and prints what was read: python -m tests.tui.windows_console

Exit status 1 where that is not what was typed. It needs a console (under Wine, a pseudo-terminal); the same from a
scripted console is `tests/tui/test_windows_input.py`.
"""

import ctypes
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any, Final, TypeGuard

from textual import events
from textual.message import Message

from companion.tui.terminal.terminal_input import install_parser
from tests.tui.sequences import halves

_READS: Final = ("a\ud83c", "\udca1b", "\x1b[200~x\ry\x1b[31mz\r\x1b[201~q")
_WANTED: Final = ["a", "🂡", "b", "x\ryz\r", "q"]
_PAUSE: Final = 0.5
"""Seconds after which Textual has read what was typed."""


def type_text(win32: Any, console: int, text: str) -> None:
    """Put the keys of a text into the console's input, a press and a release for each half of a character."""
    strokes = [(half, is_down) for half in halves(text) for is_down in (1, 0)]
    records = (win32.INPUT_RECORD * len(strokes))()
    for record, (half, is_down) in zip(records, strokes, strict=True):
        record.EventType = 1
        record.Event.KeyEvent.bKeyDown = is_down
        record.Event.KeyEvent.wRepeatCount = 1
        record.Event.KeyEvent.uChar.UnicodeChar = half
    written = ctypes.c_uint32()
    win32.KERNEL32.WriteConsoleInputW(ctypes.c_void_p(console), records, len(records), ctypes.byref(written))
    assert written.value == len(strokes)


def main() -> int:
    """Type, and print what came of it."""
    from textual.drivers import win32
    from textual.drivers.windows_driver import WindowsDriver

    install_parser(WindowsDriver)
    kernel: Any = win32.KERNEL32
    received: list[Message] = []
    ended = threading.Event()
    app: Any = SimpleNamespace(log=SimpleNamespace(error=print))
    monitor = win32.EventMonitor(None, app, ended, received.append)  # type: ignore[arg-type]
    monitor.start()
    for text in _READS:
        type_text(win32, kernel.GetStdHandle(-10), text)
        time.sleep(_PAUSE)
    ended.set()
    monitor.join()
    typed = [each.text if isinstance(each, events.Paste) else each.character for each in received if _is_text(each)]
    print(ascii(typed))
    return int(typed != _WANTED)


def _is_text(message: Message) -> TypeGuard[events.Key | events.Paste]:
    return isinstance(message, events.Key | events.Paste)


if __name__ == "__main__":
    sys.exit(main())
