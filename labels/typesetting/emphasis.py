"""Bold and italic within a text, as marks in the text: each word has its own, so that lines can be broken anywhere.

The marks are noncharacters, which no text has: `fonts.check` refuses them in any text that is not set with emphasis.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from labels.typesetting import shaping


class Emphasis(NamedTuple):
    """The emphasis of a character, in addition to the weight of its text."""

    bold: bool = False
    italic: bool = False


NONE: Final = Emphasis()
_END: Final = "\U0001fffe"
_BEGIN: Final = {
    Emphasis(bold=True): "\U0001ffff",
    Emphasis(italic=True): "\U0002fffe",
    Emphasis(bold=True, italic=True): "\U0002ffff",
}
_BY_MARK: Final = {_END: NONE, **{mark: emphasis for emphasis, mark in _BEGIN.items()}}
MARKS: Final = "".join(_BY_MARK)
"""The marks that begin and end emphasis."""
_MARK: Final = re.compile(f"[{MARKS}]")
# Combining marks of direction "neutral like the letter before", which no printable text has: one for each emphasis.
_FLAGS: Final = {emphasis: chr(0xE0100 + number) for number, emphasis in enumerate((NONE, *_BEGIN))}
_BY_FLAG: Final = {flag: emphasis for emphasis, flag in _FLAGS.items()}
_FLAG: Final = re.compile(f"[{''.join(_BY_FLAG)}]")
_BREAKS: Final = re.compile("\r\n|[\n\v\f\r\x85\u2028\u2029]")


class EmphasizedText(NamedTuple):
    """A text without marks, and the emphasis of each of its characters."""

    text: str
    emphases: Sequence[Emphasis]

    def runs(self) -> Iterator[tuple[str, Emphasis]]:
        """Yield the longest parts of one emphasis, in order."""
        for emphasis, pairs in groupby(zip(self.text, self.emphases, strict=True), key=lambda pair: pair[1]):
            yield "".join(char for char, _ in pairs), emphasis

    def cut(self, start: int, end: int) -> "EmphasizedText":
        """Return a part of the text."""
        return EmphasizedText(self.text[start:end], self.emphases[start:end])

    def lines(self) -> Iterator["EmphasizedText"]:
        """Yield the lines of the text."""
        start = 0
        for match in _BREAKS.finditer(self.text):
            yield self.cut(start, match.start())
            start = match.end()
        yield self.cut(start, len(self.text))


def has_marks(text: str) -> bool:
    """Return True if any of a text is emphasized."""
    return not text.isascii() and _MARK.search(text) is not None


def remove_marks(text: str) -> str:
    """Return a text without emphasis."""
    return text if text.isascii() else _MARK.sub("", text)


def emphasize(text: str, emphasis: Emphasis) -> str:
    """Return a text with one emphasis, each of its characters on its own, and without any other emphasis."""
    plain = remove_marks(text)
    if emphasis == NONE:
        return plain
    return "".join(char if char.isspace() else f"{_BEGIN[emphasis]}{char}{_END}" for char in plain)


def read_marks(text: str) -> EmphasizedText:
    """Return a text with the emphasis of its characters. Combining marks have that of their letter."""
    chars, emphases, current = [], list[Emphasis](), NONE
    for char in text:
        if char in _BY_MARK:
            current = _BY_MARK[char]
            continue
        emphases.append(emphases[-1] if emphases and shaping.is_mark(char) else NONE if char == " " else current)
        chars.append(char)
    return EmphasizedText("".join(chars), emphases)


def write_marks(text: EmphasizedText) -> str:
    """Return a text with marks around each run of a word."""
    pieces = []
    for run, emphasis in text.runs():
        if emphasis == NONE:
            pieces.append(run)
        else:
            words = (f"{_BEGIN[emphasis]}{word}{_END}" if word else "" for word in run.split(" "))
            pieces.append(" ".join(words))
    return "".join(pieces)


def write_flags(text: EmphasizedText) -> str:
    """Return a text with a flag behind each character, which stays beside it when right-to-left text is ordered."""
    return "".join(f"{char}{_FLAGS[emphasis]}" for char, emphasis in zip(text.text, text.emphases, strict=True))


def read_flags(text: str) -> EmphasizedText:
    """Return an ordered text with the emphasis that its flags say. In reversed parts they stand before their letter."""
    chars, emphases, at = list[str](), list[Emphasis](), 0
    while at < len(text):
        is_flag_first = text[at] in _BY_FLAG
        end = at + 2
        char, flag = (text[at + 1 : end], text[at]) if is_flag_first else (text[at], text[at + 1 : end])
        chars.append(char)
        emphases.append(_BY_FLAG.get(flag, NONE))
        at = end
    return EmphasizedText("".join(chars), emphases)


def remove_flags(text: str) -> str:
    """Return a text without characters that `write_flags` uses."""
    return _FLAG.sub("", text)
