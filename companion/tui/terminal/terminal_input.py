"""Terminal input, read so that nothing in it ends the program and pasted text stays whole.

It uses private names of Textual, as `textual_private` does: test a new Textual here, too.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.keys import KEY_NAME_REPLACEMENTS, _character_to_key, key_to_character
from textual.message import Message

from companion.tui import terminal

if "TEXTUAL_SMOOTH_SCROLL" not in os.environ:
    # If a terminal claims to report its size in the input (mode 2048), Textual trusts it and ignores the signal: if no
    # report follows, it keeps the old size for ever. The reports exist to count mouse positions in pixels, which
    # nothing here needs.
    constants.SMOOTH_SCROLL = False  # type: ignore[misc]

_UNREADABLE: Final = re.compile("[\ud800-\udfff\ufffd]")
"""Replacements of undecodable bytes, and lone surrogates."""


class GuardedParser(XTermParser):
    """A parser that drops what it cannot read and goes on.

    Textual's own fails at some sequences (Textualize/textual#6706, #6417), which ends the thread that reads, and
    with it the program.
    """

    @property
    def mouse_pixels(self) -> bool:
        """True if the mouse counts pixels: Textual has requested that, and knows the pixels of a cell."""
        sizes = (self.terminal_size, self.terminal_pixel_size)
        return constants.SMOOTH_SCROLL and all(size is not None and all(size) for size in sizes)

    @mouse_pixels.setter
    def mouse_pixels(self, value: bool) -> None:
        """Ignore Textual's conclusion from a report of the size, which need not contain pixels."""

    def feed(self, data: str) -> Iterable[Message]:
        """Return the events of the next data; "" ends them."""
        # Only sequences can fail. Feed those character by character: the ones after a failure are then still read.
        is_in_sequence = self._awaiting.timeout is not None
        for part in data if is_in_sequence or "\x1b" in data else (data,):
            yield from self._guard(super().feed(part))

    def tick(self) -> Iterable[Message]:
        """Return the events of a sequence that was not completed in time."""
        yield from self._guard(super().tick())

    def _guard(self, messages: Iterable[Message]) -> Iterator[Message]:
        try:
            yield from filter(_is_readable, messages)
        except Exception:
            self._tokens.clear()
            self._gen = self.parse(self._tokens.append)
            self._awaiting = next(self._gen)


def _is_readable(message: Message) -> bool:
    """Return True unless the message is to be dropped."""
    if isinstance(message, events.Resize):
        # It was not requested: the size in it may be anything.
        return constants.SMOOTH_SCROLL
    return not isinstance(message, events.Key) or not _UNREADABLE.search(message.key + (message.character or ""))


_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_COLOURS = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])?"
"""A sequence that sets a colour, or another one that is no text."""

_BEGUN = (re.compile(r"\x1b\[(?:2(?:00?)?)?\Z"), re.compile(r"\x1b(?:\[[0-?]*[ -/]*)?\Z"))
"""The beginning of a paste's start marker; and, within a paste, of any sequence."""


class PasteKeepingParser(GuardedParser):
    """A parser that passes pasted text on in one piece, without the sequences that colour it.

    Textual takes an escape sequence in the middle of pasted text for keys, and passes on what follows it, Enter
    included, before the paste itself.
    """

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._is_pasting = False
        self._pending = ""
        self._sent = 0
        """Characters of `_pending` that were passed on already: an Escape alone is a key, and must not wait."""

    def feed(self, data: str) -> Iterable[Message]:
        """Return the events of the next data; "" ends them."""
        complete = self._take_complete(data)
        if complete or not data:
            yield from super().feed(complete)

    def _take_complete(self, data: str) -> str:
        """Return the data that can be passed on now."""
        data, self._pending = self._pending + data, ""
        complete = "".join(self._without_colours(data))
        if not complete:
            return ""
        sent, self._sent = self._sent, 0
        if complete.endswith("\x1b") and not self._is_pasting:
            self._pending, self._sent = "\x1b", 1
        return complete[sent:]

    def _without_colours(self, data: str) -> Iterator[str]:
        while data:
            mark = _PASTE_ENDS if self._is_pasting else _PASTE_BEGINS
            text, separator, data = data.partition(mark)
            # The beginning of a sequence waits for its rest.
            partial = None if separator else _BEGUN[self._is_pasting].search(text)
            if partial:
                text, self._pending = text[: partial.start()], partial.group()
            yield re.sub(_COLOURS, "", text) if self._is_pasting else text
            yield separator
            self._is_pasting ^= bool(separator)


def install_parser(driver: type[Driver]) -> None:
    """Make the driver of a terminal parse its input with `PasteKeepingParser`."""
    for name in (driver.__module__, "textual.drivers.win32"):
        module: Any = sys.modules.get(name)
        if hasattr(module, "XTermParser"):
            module.XTermParser = PasteKeepingParser
        if hasattr(module, "getincrementaldecoder"):
            module.getincrementaldecoder = _lenient_decoder
        if hasattr(module, "KERNEL32"):
            terminal.console_reader.install(module.KERNEL32)


def _lenient_decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    """Return a decoder that replaces invalid bytes by U+FFFD: Textual's would end the thread that reads."""
    return partial(codecs.getincrementaldecoder(encoding), "replace")


def key_of(character: str) -> str:
    """Return Textual's name for the key that types a character: `question_mark`."""
    return _character_to_key(character)


_SPELLED_OUT = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}


def types(key: str) -> bool:
    """Return True if a key, in Textual's name, types a symbol: `m`, `plus`, `space`, but not `tab`."""
    character = key_to_character(_SPELLED_OUT.get(key, key))
    return character is not None and character.isprintable()
