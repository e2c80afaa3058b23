"""Names and remarks in the lines of deck lists: signs that are taken literally, and printings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_FIRST: Final = 0xE000
_LITERAL: Final = re.compile(r"\\(\S)")
_SIGNS: Final = re.compile(r"[\\|#]")
_HIDDEN: Final = re.compile("[\ue000-\uf8ff]")

PRINTING: Final = "printing"
"""The word that begins the remark about a printing, `printing RNA 200`. It never changes: decks store it."""
_COUNTED: Final = re.compile(r"(\d{1,4})× (\S.*)")


class LiteralText:
    """A text whose signs behind a backslash are hidden while the rest is read: `Robot \\#2` has no comment."""

    def __init__(self, text: str) -> None:
        self._signs: list[str] = []
        self.text = _LITERAL.sub(self._hide, text)
        """The text with a private symbol in place of each such sign."""

    def _hide(self, match: re.Match[str]) -> str:
        self._signs.append(match[1])
        return chr(_FIRST + min(len(self._signs) - 1, 0x18FF))

    def show(self, text: str) -> str:
        """Return a part of the text with its own signs."""
        return _HIDDEN.sub(lambda match: self._signs[ord(match[0]) - _FIRST], text)


def write_literally(text: str) -> str:
    """Return a text in which no sign ends a name or begins a comment: `Robot \\#2`."""
    return _SIGNS.sub(r"\\\g<0>", text)


def split_remarks(remarks: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Return the remarks about a card itself, and its printing; "" if that is unknown."""
    own: list[str] = []
    printings: list[str] = []
    for remark in remarks:
        word, _, rest = remark.partition(" ")
        if word.lower() == PRINTING and rest.strip():
            printings.append(rest.strip())
        else:
            own.append(remark)
    return tuple(own), "; ".join(dict.fromkeys(printings))


def join_remarks(remarks: Sequence[str], printing: str) -> tuple[str, ...]:
    """Return the remarks on a line: those about the card, and its printing last."""
    return (*remarks, f"{PRINTING} {printing}") if printing else tuple(remarks)


def split_printings(printing: str, copies: int) -> tuple[tuple[int, str], ...]:
    """Return the printings of a card with their copies: `2× RNA 200; 1× ANB 44`. A rest has the printing ""."""
    counted: list[tuple[int, str]] = []
    parts = [part.strip() for part in printing.split(";")]
    matches = [_COUNTED.fullmatch(part) for part in parts]
    if all(matches) and printing:
        counted = [(int(match[1]), match[2]) for match in matches if match]
    elif printing:
        counted = [(copies, printing)]
    rest, taken = copies, []
    for count, each in counted:
        if rest and count:
            taken.append((min(count, rest), each))
            rest -= taken[-1][0]
    return (*taken, (rest, "")) if rest else tuple(taken)


def join_printings(counted: Iterable[tuple[int, str]]) -> str:
    """Return the text of several printings of a card with their copies; the inverse of `split_printings`."""
    copies: dict[str, int] = {}
    for count, printing in counted:
        copies[printing] = copies.get(printing, 0) + count
    named = {printing: count for printing, count in copies.items() if printing}
    if len(copies) == 1:
        return next(iter(copies))
    return "; ".join(f"{count}× {printing}" for printing, count in named.items())


def clean_printing(text: str) -> str:
    """Return a printing without the signs that separate printings, remarks and comments."""
    return " ".join(re.sub(r"[|;#\\×]", " ", text).split())
