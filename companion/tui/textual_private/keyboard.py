"""What comes from the terminal's keyboard: pasted text in one piece, and what a key is called that types a character.

Textual hands on a paste after what follows it, and tells the names of keys in one private function alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.keys import KEY_NAME_REPLACEMENTS, _character_to_key, key_to_character
from textual.message import Message

_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_COLOURS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])?")
"""A sequence by which a terminal is told a colour, or anything else that is no text."""

_BEGUN = (re.compile(r"\x1b\[(?:2(?:00?)?)?\Z"), re.compile(r"\x1b(?:\[[0-?]*[ -/]*)?\Z"))
"""The beginning of what begins a paste; and in one, of any sequence."""


class PasteKeepingParser(XTermParser):
    """What the terminal sends, with a pasted text in one piece and without what only colours it.

    Textual takes an escape sequence in the middle of a pasted text for keys, and hands on what follows it, Enter
    included, before the paste itself.
    """

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._is_pasting = False
        self._pending = ""
        self._sent = 0
        """How much of what is held has been handed on: an Escape alone is a key, and must not wait."""

    def feed(self, data: str) -> Iterable[Message]:
        """Events of the next data; "" ends them."""
        complete = self._take_complete(data)
        if complete or not data:
            yield from super().feed(complete)

    def _take_complete(self, data: str) -> str:
        """What can be handed on by now."""
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
            # The beginning of a sequence waits for the rest of it.
            partial = None if separator else _BEGUN[self._is_pasting].search(text)
            if partial:
                text, self._pending = text[: partial.start()], partial.group()
            yield _COLOURS.sub("", text) if self._is_pasting else text
            yield separator
            self._is_pasting ^= bool(separator)


def keep_pastes_whole(driver: type[Driver]) -> None:
    """Have the driver of a terminal read what is sent so."""
    module = sys.modules[driver.__module__]
    if hasattr(module, XTermParser.__name__):
        setattr(module, XTermParser.__name__, PasteKeepingParser)


def key_of(character: str) -> str:
    """What Textual calls the key that types a character: `question_mark`."""
    return _character_to_key(character)


_SPELLED_OUT = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}


def types(key: str) -> bool:
    """Whether a key, as Textual calls it, types a symbol: `m`, `plus`, `space`, and not `tab`."""
    character = key_to_character(_SPELLED_OUT.get(key, key))
    return character is not None and character.isprintable()
