"""Text from elsewhere: what may come in as a name or a line, and how what is there already is shown.

One place, because a name that came by a file, a code, a keyboard or another archive ends on every screen and sheet: it
must not steer a terminal, turn the direction of other people's words, or hide what it says. What was stored before
stays as it is, and is shown with `·` for what would do that.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from companion.tabletop.action import NotationError

LONGEST_NAME: Final = 200
LONGEST_LINE: Final = 10_000
LONGEST_CELL: Final = 5 * LONGEST_NAME
"""What a list shows of a text: as much as the names of a full table."""
_MOST_QUOTED: Final = 40
_INSTEAD: Final = "·"

# What joins letters or stands before numbers is part of how people write (Persian, Hindi, Arabic, emoji).
_NEEDED: Final = frozenset("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
# Faces that are younger than this Python.
_NEW_EMOJI: Final = range(0x1F000, 0x1FB00)


# Unicode's default-ignorable code points, which take no room, and the two blanks that count as letters and patterns.
_UNSEEN: Final = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS: Final = frozenset("\u200c\u200d")
# Scripts whose letters are joined, or stacked by a sign between them.
_JOINING: Final = (range(0x0600, 0x1100), range(0x1700, 0x1AB0), range(0x1B00, 0x1C50), range(0xA800, 0xAC00))
_JOINING_ABOVE: Final = (range(0xFB50, 0xFE00), range(0xFE70, 0xFF00), range(0x10A00, 0x12000))
_SELECTED: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_MONGOLIAN: Final = range(0x1800, 0x18B0)
_KEYCAP: Final = "\u20e3"


def visible_form(name: str) -> str:
    """What people see of a name: without case, with one kind of space, and without what takes no room.

    Names of which this is the same cannot be told apart. It is "" where nothing can be seen.
    """
    folded = unicodedata.normalize("NFKC", re.sub(_UNSEEN, "", name)).casefold()
    return " ".join(re.sub(_UNSEEN, "", folded).split())


def _hides(text: str, at: int) -> bool:
    """Whether the symbol at a place can neither be seen there nor changes how its neighbours look."""
    symbol, before, behind = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if not re.match(_UNSEEN, symbol):
        return False
    if symbol in _JOINERS:
        return not all(_is_joining(other) or _is_picture(other) for other in (before, behind))
    if ord(symbol) in _MONGOLIAN:
        return not before or ord(before) not in _MONGOLIAN
    if any(ord(symbol) in selectors for selectors in _SELECTED):
        return not (_is_picture(before) or behind == _KEYCAP or (before >= "\u2e80" and before.isalpha()))
    return True


def _is_joining(symbol: str) -> bool:
    return bool(symbol) and any(ord(symbol) in letters for letters in (*_JOINING, *_JOINING_ABOVE))


def _is_picture(symbol: str) -> bool:
    """A pictograph, what gives it its colour or look, or another sign that has one."""
    return bool(symbol) and (
        unicodedata.category(symbol)[0] == "S" or symbol in "\ufe0f\u203c\u2049" or ord(symbol) in _NEW_EMOJI
    )


def _is_safe(symbol: str) -> bool:
    return (
        symbol.isprintable()
        or symbol in _NEEDED
        or unicodedata.category(symbol) == "Zs"
        or (ord(symbol) in _NEW_EMOJI and unicodedata.category(symbol) == "Cn")
    )


def _visible(symbol: str) -> str:
    if symbol == "\t" or unicodedata.category(symbol) == "Zs":
        return " "
    return symbol if _is_safe(symbol) else _INSTEAD


def sanitize(text: str) -> str:
    """`text` on one line, with `·` in place of every symbol that could steer a terminal or hide what follows."""
    if text.isprintable():
        return text
    return "".join(_visible(symbol) for symbol in text)


def sanitize_lines(text: str) -> str:
    """The same for a text of many lines, which stay lines."""
    return "\n".join(map(sanitize, text.split("\n")))


def quoted(text: str) -> str:
    """`text` in quotation marks as a sentence can bear it: short, on one line, steering nothing."""
    # What somebody typed or held before a camera may be anything: here nothing stays that cannot be seen.
    short = "".join(symbol if symbol.isprintable() else _INSTEAD for symbol in text[: _MOST_QUOTED + 1])
    return f"“{short}”" if len(short) <= _MOST_QUOTED else f"“{short[: _MOST_QUOTED - 3]}…”"


def as_name(text: str, what: str = "A name") -> str:
    """`text` as what something shall be called: one kind of space, and nothing that cannot be shown.

    `what` begins the sentence that refuses it. Raises NotationError.
    """
    name = " ".join(text.split())
    _refuse(name, what, LONGEST_NAME)
    refuse_unseen(name, what)
    return name


def refuse_unseen(text: str, what: str = "A name") -> None:
    """Raises NotationError for an end of line, and for a symbol that nobody sees; `what` begins the sentence."""
    if text.isascii() and text.isprintable():
        return
    if "\n" in text or "\r" in text:
        raise NotationError(f"{what} stands on one line; leave out the end of line in it.")
    for at in (match.start() for match in re.finditer(_UNSEEN, text)):
        if _hides(text, at):
            raise NotationError(f"{what} holds a symbol that nobody can see (U+{ord(text[at]):04X}); type it anew.")


def capped(text: str) -> str:
    """A text as a list can bear it, however long an older program let it become."""
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


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
        if symbol != "\t" and not _is_safe(symbol):
            raise NotationError(f"{what} holds a symbol that cannot be shown (U+{ord(symbol):04X}); type it anew.")


def quantity(number: int, noun: str) -> str:
    """`1 card`, `2 cards`"""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def figure(number: int) -> str:
    """`3`, `−2`"""
    return str(number).replace("-", "−")


def signed(number: int) -> str:
    """`+2`, `−2`: by how much a figure changes."""
    return f"{number:+d}".replace("-", "−")


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `13th`"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
