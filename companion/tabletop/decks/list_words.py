"""The words that other programs write into deck lists: headings, kinds of cards, heads of columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final
from unicodedata import normalize

import msgspec

_BLANKS: Final = re.compile(r"[\s\u00a0]+")
_AROUND: Final = " \t:=-–—*#/!;.•·"


class ListWords(msgspec.Struct, frozen=True):
    """The words of `templates/lists/words.toml`, in lower case.

    `sections` has the words of each section, `beside` those of sections that are no part of a deck. `kinds` are
    headings of kinds of cards, `coded` those below which cards end with a set and a number. `about` are words before a
    colon that tell of a deck, `names` those before its name, `heads` headings without cards. `totals` count all cards.
    `columns` has the heads of each column, the best first.
    """

    sections: Mapping[str, frozenset[str]]
    beside: frozenset[str]
    kinds: frozenset[str]
    coded: frozenset[str]
    about: frozenset[str]
    names: frozenset[str]
    heads: frozenset[str]
    totals: frozenset[str]
    columns: Mapping[str, tuple[str, ...]]

    def section(self, word: str) -> str:
        """Return the section that a folded word names; "" if it names none."""
        return next((name for name, words in self.sections.items() if word in words), "")

    def counts_cards(self, word: str) -> bool:
        """Return True if a number before a folded word may count the cards below it: `12 Creatures`, `60 Cards`."""
        kinds = self.kinds | self.coded
        is_single = f"{word}s" in kinds or f"{word.removesuffix('y')}ies" in kinds
        return (word in kinds and not is_single) or word in self.totals | self.beside or bool(self.section(word))


@cache
def load_words() -> ListWords:
    """Return the words, which are read once."""
    text = (resources.files("templates") / "lists" / "words.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = msgspec.toml.decode(text)
    return ListWords(
        sections={name: frozenset(words) for name, words in data["sections"].items()},
        beside=frozenset(data["beside"]["words"]),
        kinds=frozenset(data["kinds"]["words"]),
        coded=frozenset(data["kinds"]["coded"]),
        about=frozenset((*data["about"]["name"], *data["about"]["other"])),
        names=frozenset(data["about"]["name"]),
        heads=frozenset(data["about"]["heads"]),
        totals=frozenset(data["totals"]["words"]),
        columns={name: tuple(words) for name, words in data["columns"].items()},
    )


def fold_heading(text: str) -> str:
    """Return a heading as its word: in lower case, with single blanks, and without the signs around it."""
    return _BLANKS.sub(" ", normalize("NFC", text)).strip(_AROUND).casefold()
