"""The text of a deck list from the bytes of a file: UTF-8, UTF-16, or the code page of Western European Windows."""

from __future__ import annotations

import codecs
from typing import Final

from companion.tabletop.action import NotationError
from templates.languages.messages import phrase

MAX_BYTES: Final = 1_000_000
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE: Final = ("utf-16-le", "utf-16-be")


def decode_list(content: bytes) -> str:
    """Return the text of a list, with line feeds at the ends of its lines. Raises NotationError if it is no text."""
    if len(content) > MAX_BYTES:
        raise NotationError(phrase("A deck list has at most {most} MB.", most=MAX_BYTES // 1_000_000))
    for encoding in _encodings(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise NotationError(phrase("This is no text; save the deck list as UTF-8 text."))


def _encodings(content: bytes) -> tuple[str, ...]:
    """Return the encodings to try, by the mark at the beginning, or by where zeros stand."""
    marked = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")
    if marked:
        return (marked,)
    if b"\x00" in content:
        return _WIDE if content[1::2].count(0) > content[::2].count(0) else _WIDE[::-1]
    return ("utf-8", "cp1252")
