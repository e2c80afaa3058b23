"""Reading keys from the console of Windows."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, sizeof
from typing import Any, Final

_KEY_EVENT: Final = 1


class ConsoleReader:
    """Reads the input of Windows' console without splitting a character.

    Characters beyond U+FFFF come as two keys, possibly in two reads. Textual decodes each read by itself: half a
    character ends the thread that reads (Textualize/textual#3178).
    """

    def __init__(self, read: Callable[..., int]) -> None:
        self._read = read
        self._held: Any = None
        """The key that begins a character whose second half has not been read."""

    def __call__(self, handle: Any, records: Any, size: int, count: Any) -> int:
        """Read keys as `ReadConsoleInputW` does; the first half of a character is kept for the next read."""
        array, number = records._obj, count._obj
        held, self._held, number.value = self._held, None, 0
        if held is not None:
            array[0] = held
        kept = int(held is not None)
        done = self._read(handle, byref(array, kept * sizeof(array[0])), size - kept, count)
        number.value += kept
        first = None
        for record in array[: number.value]:
            key = record.Event.KeyEvent
            if record.EventType != _KEY_EVENT or not key.bKeyDown:
                continue
            is_second = "\udc00" <= key.uChar.UnicodeChar <= "\udfff"
            if is_second and first is None:
                key.uChar.UnicodeChar = "\ufffd"
            elif first is not None and not is_second:
                first.Event.KeyEvent.uChar.UnicodeChar = "\ufffd"
            first = record if "\ud800" <= key.uChar.UnicodeChar <= "\udbff" else None
        if first is not None:
            self._held = type(first).from_buffer_copy(first)
            first.Event.KeyEvent.bKeyDown = 0
        return done


def install(kernel: Any) -> None:
    """Make `ReadConsoleInputW` of Windows' kernel32, as Textual calls it, read whole characters."""
    if not isinstance(kernel.ReadConsoleInputW, ConsoleReader):
        kernel.ReadConsoleInputW = ConsoleReader(kernel.ReadConsoleInputW)
