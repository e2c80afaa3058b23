"""Text from elsewhere: what may come in as a name or a line, and how what is there already is shown.

One place, because a name that came by a file, a code, a keyboard or another archive ends on every screen and sheet: it
must not steer a terminal, turn the direction of other people's words, or hide what it says. What was stored before
stays as it is, and is shown with `·` for what would do that.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from companion.games.action import NotationError

LONGEST_NAME: Final = 200
LONGEST_LINE: Final = 10_000
_MOST_QUOTED: Final = 40
_INSTEAD: Final = "·"

# What joins letters or stands before numbers is part of how people write (Persian, Hindi, Arabic, emoji).
_NEEDED: Final = frozenset("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
# Faces that are younger than this Python.
_NEW_EMOJI: Final = range(0x1F000, 0x1FB00)


def _is_harmless(symbol: str) -> bool:
    return (
        symbol.isprintable()
        or symbol in _NEEDED
        or unicodedata.category(symbol) == "Zs"
        or (ord(symbol) in _NEW_EMOJI and unicodedata.category(symbol) == "Cn")
    )


def _shown(symbol: str) -> str:
    if symbol == "\t" or unicodedata.category(symbol) == "Zs":
        return " "
    return symbol if _is_harmless(symbol) else _INSTEAD


def harmless(text: str) -> str:
    """`text` on one line, without what would steer the terminal it is shown on."""
    if text.isprintable():
        return text
    return "".join(_shown(symbol) for symbol in text)


def harmless_lines(text: str) -> str:
    """The same for a text of many lines, which stay lines."""
    return "\n".join(map(harmless, text.split("\n")))


def quoted(text: str) -> str:
    """`text` in quotation marks as a sentence can bear it: short, on one line, steering nothing."""
    # What somebody typed or held before a camera may be anything: here nothing stays that cannot be seen.
    short = "".join(symbol if symbol.isprintable() else _INSTEAD for symbol in text[: _MOST_QUOTED + 1])
    return f"“{short}”" if len(short) <= _MOST_QUOTED else f"“{short[: _MOST_QUOTED - 3]}…”"


def as_name(text: str, what: str = "A name") -> str:
    """`text` as what something shall be called: one kind of space, and nothing that cannot be shown.

    `what` begins the sentence that refuses it. Raises NotationError.
    """
    said = " ".join(text.split())
    _refuse(said, what, LONGEST_NAME)
    return said


def as_line(text: str, what: str = "A line") -> str:
    """`text` as a line that people wrote, unchanged. Raises NotationError."""
    _refuse(text, what, LONGEST_LINE)
    return text


def _refuse(text: str, what: str, longest: int) -> None:
    if len(text) > longest:
        raise NotationError(f"{what} has at most {longest:,} symbols, not {len(text):,}.")
    if text.isprintable():
        return
    for symbol in text:
        if symbol != "\t" and not _is_harmless(symbol):
            raise NotationError(f"{what} holds a symbol that cannot be shown (U+{ord(symbol):04X}); type it anew.")
