"""Keys of Windows' console, read by Textual's own code for it from a scripted console, on every system.

`python -m tests.tui.windows_console` does the same with a console of Windows.
"""

import ctypes
import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import textual
from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.message import Message

from companion.tui.terminal.terminal_input import install_parser
from tests.tui.sequences import halves

NAME = "textual.drivers.win32"
_WAIT_TIMEOUT = 0x102
_KEY_EVENT = 1


class ScriptedConsole:
    """What Textual calls of kernel32, with keys that come by one read after the other."""

    def __init__(self, reads: Sequence[str], end: Callable[[], None]) -> None:
        self._reads = list(reads)
        self._end = end
        self.GetStdHandle = _handle
        self.ReadConsoleInputW: Callable[..., int] = self.read

    def WaitForMultipleObjects(self, *_: object) -> int:  # noqa: N802 – Windows'
        """Return at once; once there are no more keys, end."""
        if self._reads:
            return 0
        self._end()
        return _WAIT_TIMEOUT

    def read(self, _: object, records: Any, size: int, count: Any) -> int:
        """Fill in a press and a release for each half of a character, as `ReadConsoleInputW` does."""
        place = ctypes.cast(records, ctypes.c_void_p).value
        assert place is not None
        array = (records._obj._type_ * size).from_address(place)
        strokes = [(half, is_down) for half in halves(self._reads.pop(0)) for is_down in (1, 0)]
        for record, (half, is_down) in zip(array, strokes, strict=False):
            record.EventType = _KEY_EVENT
            record.Event.KeyEvent.bKeyDown = is_down
            record.Event.KeyEvent.wVirtualKeyCode = 0
            record.Event.KeyEvent.dwControlKeyState = 0
            record.Event.KeyEvent.uChar.UnicodeChar = half
        count._obj.value = len(strokes)
        return 1


def _handle(_: int) -> int:
    return 1


class Monitored:
    """What Textual's thread for the console made of some reads."""

    def __init__(self, reads: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[Message] = []
        self.errors: list[object] = []
        ended = threading.Event()
        console = ScriptedConsole(reads, ended.set)
        monkeypatch.setattr(ctypes, "WinDLL", lambda *_, **__: console, raising=False)
        monkeypatch.setitem(sys.modules, "msvcrt", ModuleType("msvcrt"))
        spec = importlib.util.spec_from_file_location(NAME, Path(textual.__file__).parent / "drivers" / "win32.py")
        assert spec is not None
        assert spec.loader is not None
        win32: Any = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, NAME, win32)
        spec.loader.exec_module(win32)
        install_parser(HeadlessDriver)
        app = SimpleNamespace(log=SimpleNamespace(error=lambda *error: self.errors.extend(error)))
        win32.EventMonitor(None, app, ended, self.events.append).run()

    @property
    def typed(self) -> str:
        """What keys typed."""
        return "".join(event.character or "" for event in self.events if isinstance(event, events.Key))


@pytest.mark.parametrize(
    ("reads", "typed"),
    [
        (["a🂡b"], "a🂡b"),
        (["a\ud83c", "\udca1b"], "a🂡b"),
        (["\ud83c", "\udca1\ud83c", "\udca2"], "🂡🂢"),
        (["a\ud83c", "b"], "ab"),
        (["\udca1a", "b\ud83c"], "ab"),
        (["\ud83c\ud83c\udca1"], "🂡"),
    ],
    ids=["in one read", "cut in two", "two cut", "without an end", "without a beginning", "begun twice"],
)
def test_a_character_that_two_reads_share_is_typed_whole(
    reads: list[str], typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monitored = Monitored(reads, monkeypatch)
    assert (monitored.errors, monitored.typed) == ([], typed)


def test_a_full_read_keeps_every_key(monkeypatch: pytest.MonkeyPatch) -> None:
    # As many keys as Textual has room for, besides the one that waits.
    reads = ["\ud83c", "\udca1" + "x" * 510, "yz"]
    assert Monitored(reads, monkeypatch).typed == f"🂡{'x' * 510}yz"


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_pasted_text_stays_in_one_piece_on_windows(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = "a\x1b[200~pass ana\r\x1b[31mnote a\x1b[0m\r\x1b[201~b"
    monitored = Monitored([sent[at : at + size] for at in range(0, len(sent), size)], monkeypatch)
    assert [event.text for event in monitored.events if isinstance(event, events.Paste)] == ["pass ana\rnote a\r"]
    assert monitored.typed == "ab"
