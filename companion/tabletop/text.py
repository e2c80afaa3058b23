"""Text from outside: the checks of names and lines on input, and safe display of stored text.

There is one module for this, because a name from a file, a code, a keyboard or another archive appears on every screen
and sheet: it must not control a terminal, change the direction of other text, or hide its content. Older stored text
stays as it is, and is displayed with `·` for such characters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from companion.tabletop.action import NotationError
from templates.languages.messages import Message, Text, phrase, phrase_in

LONGEST_NAME: Final = 200
LONGEST_LINE: Final = 10_000
LONGEST_CELL: Final = 5 * LONGEST_NAME
"""The maximum length of a text in a list, enough for the names of a full table."""
_MOST_QUOTED: Final = 40
_INSTEAD: Final = "·"

# Characters that join letters or precede numbers are part of writing systems (Persian, Hindi, Arabic, emoji).
_NEEDED: Final = frozenset("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
# Emoji that are newer than this version of Python.
_NEW_EMOJI: Final = range(0x1F000, 0x1FB00)


# Unicode's default-ignorable code points, which have no width, and two blanks that count as letters and patterns.
_UNSEEN: Final = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS: Final = frozenset("\u200c\u200d")
# Scripts with letters that are joined, or stacked by a sign between them.
_JOINING: Final = (range(0x0600, 0x1100), range(0x1700, 0x1AB0), range(0x1B00, 0x1C50), range(0xA800, 0xAC00))
_JOINING_ABOVE: Final = (range(0xFB50, 0xFE00), range(0xFE70, 0xFF00), range(0x10A00, 0x12000))
_SELECTED: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_MONGOLIAN: Final = range(0x1800, 0x18B0)
_KEYCAP: Final = "\u20e3"


def visible_form(name: str) -> str:
    """Return the visible form of a name: without case, with one kind of space, and without invisible characters.

    Names with the same visible form cannot be told apart. It is "" if nothing is visible.
    """
    folded = unicodedata.normalize("NFKC", re.sub(_UNSEEN, "", name)).casefold()
    return " ".join(re.sub(_UNSEEN, "", folded).split())


def _hides(text: str, at: int) -> bool:
    """Return True if the character at an index is invisible there and does not change how its neighbours look."""
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
    """Return True for a pictograph, a character that sets its colour or style, or another sign with an emoji form."""
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


def sanitize(text: Text) -> str:
    """Return a text on one line, with `·` for every character that could control a terminal or hide text."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(_visible(symbol) for symbol in text)


def sanitize_lines(text: Text) -> str:
    """Sanitize a text of several lines, and keep the lines."""
    return "\n".join(map(sanitize, str(text).split("\n")))


def quote_text(text: str) -> str:
    """Return a text in English quotation marks: short, on one line, without control characters.

    Messages have `in_quotes` instead.
    """
    return f"“{shorten_quote(text)}”"


def in_quotes(text: str) -> Message:
    """Return a text in the reader's quotation marks, as the value of a message: short, without control characters."""
    # Translators: The quotation marks of the language, around what somebody typed or called something.
    return phrase_in("list", "“{text}”", text=shorten_quote(text))


def shorten_quote(text: str) -> str:
    """Return what somebody typed or a camera read as a value within quotation marks of a message, for one line."""
    # User input and camera input may be anything: remove every invisible character here.
    short = "".join(symbol if symbol.isprintable() else _INSTEAD for symbol in text[: _MOST_QUOTED + 1])
    return short if len(short) <= _MOST_QUOTED else f"{short[: _MOST_QUOTED - 3]}…"


_A_NAME: Final = phrase("A name")
_A_LINE: Final = phrase("A line")


def as_name(text: str, what: Text = _A_NAME) -> str:
    """Return a text as a name: with single spaces, and without characters that cannot be displayed.

    `what` is the subject of the error message. Raises NotationError.
    """
    name = " ".join(text.split())
    _refuse(name, what, LONGEST_NAME)
    refuse_unseen(name, what)
    return name


def refuse_unseen(text: str, what: Text = _A_NAME) -> None:
    """Raise NotationError for a line break or an invisible character; `what` is the subject of the message."""
    if text.isascii() and text.isprintable():
        return
    if "\n" in text or "\r" in text:
        # Translators: {what} is “A name”, “A line”, or the title of a field.
        raise NotationError(phrase("{what} must be a single line; leave out the line break.", what=what))
    for at in (match.start() for match in re.finditer(_UNSEEN, text)):
        if _hides(text, at):
            # Translators: {code} is the number of the symbol in Unicode: U+200B.
            raise NotationError(
                phrase(
                    "{what} has an invisible character ({code}); type it again.",
                    what=what,
                    code=f"U+{ord(text[at]):04X}",
                )
            )


def shorten_cell(text: str) -> str:
    """Return a text shortened for a list; older programs had no limit."""
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def as_line(text: str, what: Text = _A_LINE) -> str:
    """Return a line of user input unchanged. Raises NotationError if it is not valid."""
    _refuse(text, what, LONGEST_LINE)
    return text


def _refuse(text: str, what: Text, longest: int) -> None:
    if len(text) > longest:
        # Translators: {what} is “A name”, “A line”, or the title of a field.
        raise NotationError(
            phrase(
                "{what} can have at most {longest} characters, not {length}.",
                what=what,
                longest=longest,
                length=len(text),
            )
        )
    if text.isprintable():
        return
    for symbol in text:
        if symbol != "\t" and not _is_safe(symbol):
            # Translators: {code} is the number of the symbol in Unicode: U+0007.
            raise NotationError(
                phrase(
                    "{what} has a character that cannot be displayed ({code}); type it again.",
                    what=what,
                    code=f"U+{ord(symbol):04X}",
                )
            )


# The functions below make English text. Messages have `phrases`, whole numbers as fields, and `signed` instead.


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`"""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def figure(number: int) -> str:
    """Return a number with a typographic minus: `3`, `−2`"""
    return str(number) if number >= 0 else f"−{-number}"


def signed_figure(number: int) -> str:
    """Return a number with its sign, for a change: `+2`, `−2`."""
    return f"{number:+d}".replace("-", "−")


def ordinal(number: int) -> str:
    """Return an ordinal number: `1st`, `2nd`, `13th`"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
