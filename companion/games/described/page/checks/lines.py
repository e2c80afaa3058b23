"""Checks of the lines that a page's own lines and cards perform: `add SEAT life -N`, `put wolf creature of me`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.games.described.page.amounts import split_amounts
from companion.games.described.page.checks.amounts import AmountPlace, check_amount
from companion.games.described.page.checks.names import (
    COLUMN,
    KIND_OF_THING,
    PEOPLE,
    POOL,
    TOKEN,
    WORD_OF_COUNTER,
    ZONE,
    PageNames,
    Wrong,
    check_in_bounds,
    no_such_name,
    some_of,
)
from companion.games.described.page.description import SEAT, TABLE, CounterDefinition, Flag
from companion.games.described.page.takes import Taken
from companion.games.described.page.toml_lines import Path
from companion.tabletop.text import in_quotes
from templates.languages.messages import all_of, any_of, phrase


class _Any:
    """A word kind that accepts any word of a line."""

    shape = "a word"


ANY_WORD: Any = _Any()

LINES: Final[Mapping[str, str]] = {
    "add": "WHO COUNTER AMOUNT",
    "set": "WHO COUNTER VALUE",
    "give": "TOKEN HOLDER",
    "put": "NEW KIND …",
    "move": "THING …",
    "remove": "THING",
    "draw": "POOL …",
    "return": "POOL TEXT",
    "shuffle": "POOL",
    "turn": "SEAT",
    "enter": "SEAT COLUMN AMOUNT",
    "concede": "SEAT",
    "won": "SEAT …",
    "lost": "",
    "all-won": "",
    "next": "",
}
"""The lines that a page's own lines can perform, with the shape of their arguments."""
_MORE: Final[Mapping[str, str]] = {
    "of": "SEAT",
    "for": "SEAT",
    "zone": "ZONE",
    "lane": "AMOUNT",
    "name": "TEXT",
    "with": "AMOUNTS",
    "is": "TEXT",
}
"""The arguments of the keywords."""
_NAMES: Final = {
    "TOKEN": (TOKEN, "tokens"),
    "KIND": (KIND_OF_THING, "things"),
    "ZONE": (ZONE, "zones"),
    "POOL": (POOL, "pools"),
}
"""The shapes that are words of the page: their display name and the table of the page that defines them."""


class PerformedLine:
    """One line that a page's own line performs, checked against the page word by word."""

    def __init__(
        self,
        page: PageNames,
        line: str,
        words: Sequence[str],
        takes: Mapping[str, Taken],
        path: Path,
        *,
        me: bool = True,
    ) -> None:
        self._me = me
        self._page = page
        self._line = line
        self._words = words
        self._takes = takes
        self._path = path
        self._figures = {"COUNTER": self._counter, "AMOUNT": self._amount, "VALUE": self._value}

    def wrong(self, verb: str) -> Wrong:
        shape = LINES[verb].split()
        goes_on = shape[-1:] == ["…"]
        wanted = [part for part in shape if part != "…"]
        if shape[-1:] in (["AMOUNT"], ["VALUE"]) and len(self._words) > len(wanted):
            # An amount is the rest of the line.
            last = len(wanted) - 1
            self._words = (*self._words[:last], " ".join(self._words[last:]))
        if len(self._words) < len(wanted) or (not goes_on and len(self._words) > len(wanted)):
            yield (
                self._path,
                phrase(
                    "{line} is not complete; write it as “{verb} {shape}”.",
                    line=in_quotes(self._line),
                    verb=verb,
                    shape=LINES[verb],
                ),
            )
            return
        for part, word in zip(wanted, self._words, strict=False):
            if wrong := [*self._part(part, word)]:
                yield from wrong
                return
        if verb in ("put", "move", "draw"):
            yield from self._keywords(verb, self._words[len(wanted) :])

    def _keywords(self, verb: str, words: Sequence[str]) -> Wrong:
        kind = ""
        for word in split_amounts(words):
            if word in _MORE:
                kind = _MORE[word]
            elif kind:
                yield from self._part("AMOUNT" if kind == "AMOUNTS" else kind, word)
                kind = kind if kind == "AMOUNTS" else ""
            elif word in self._page.page.zones and verb != "draw":
                line = in_quotes(self._line.replace(f" {word}", f" zone {word}", 1))
                yield self._path, phrase("A place comes after “zone”; write {line}.", line=line)
            elif word != "drawn" or verb != "draw":
                keywords = any_of(("for", "is", "drawn") if verb == "draw" else ("of", "zone", "lane", "name", "with"))
                yield (
                    self._path,
                    phrase(
                        "{word} is one word too many; what it says comes after {keywords}.",
                        word=in_quotes(word),
                        keywords=keywords,
                    ),
                )

    def _part(self, part: str, word: str) -> Wrong:
        page = self._page.page
        if word.startswith("CHOICE") and word in self._takes:
            for choice in self._takes[word].choices:
                yield from self._part(part, choice)
        elif part in ("WHO", "HOLDER", "SEAT"):
            yield from self._who(part, word)
        elif part in _NAMES:
            what, table = _NAMES[part]
            yield from self._page.check_name(word, getattr(page, table), what, self._path)
        elif part == "COLUMN":
            yield from self._page.check_name(word, page.sheet.columns if page.sheet else (), COLUMN, self._path)
        elif part == "THING" and word not in self._takes and not page.things:
            yield self._path, phrase("{line} needs [things], of which this page has none.", line=in_quotes(self._line))
        elif part in self._figures:
            yield from self._figures[part](word)

    def _kind(self, word: str) -> str:
        return self._takes[word].kind if word in self._takes else ""

    def _who(self, part: str, word: str) -> Wrong:
        allowed = {"WHO": (*PEOPLE, TABLE), "HOLDER": ("me", "left", "right", "none"), "SEAT": ("me", "left", "right")}
        kinds = ("SEAT", "THING") if part == "WHO" else ("SEAT",)
        if part == "WHO" and word in (*self._page.listed, *self._page.team_words):
            return
        if part == "SEAT" and self._line.startswith("enter ") and word in self._page.team_words:
            return
        if word not in allowed[part] and self._kind(word) not in kinds:
            names = [*allowed[part], *(each.word for each in self._takes.values() if each.kind in kinds)]
            names += (*self._page.team_words, *self._page.listed) if part == "WHO" else ()
            if part == "WHO" and word in self._page.page.counters:
                yield (
                    self._path,
                    phrase(
                        "{line} does not say whose; write “{verb} me {word} …”.",
                        line=in_quotes(self._line),
                        verb=self._line.split()[0],
                        word=word,
                    ),
                )
            else:
                yield (
                    self._path,
                    phrase("{word} is nobody here; write one of {names}.", word=in_quotes(word), names=some_of(names)),
                )

    @property
    def _of(self) -> str | None:
        return self._page.owner_of(self._words[0], self._takes)

    def _counter(self, word: str) -> Wrong:
        counter = self._page.counter_named(word, self._of)
        if counter is None:
            yield self._path, self._page.no_counter(word, self._of)
        elif isinstance(counter, CounterDefinition) and counter.sum:
            yield (
                self._path,
                phrase(
                    "{word} is the sum of {parts}; change one of those.",
                    word=in_quotes(word),
                    parts=all_of(counter.sum),
                ),
            )
        elif isinstance(counter, CounterDefinition) and counter.follows:
            text = phrase("{word} follows {other}; change that.", word=in_quotes(word), other=counter.follows)
            yield self._path, text
        elif self._line.startswith("add ") and (isinstance(counter, Flag) or counter.words):
            yield (
                self._path,
                phrase(
                    "{word} is not a figure; write “set {owner} {word2} …”.",
                    word=in_quotes(word),
                    owner=self._words[0],
                    word2=word,
                ),
            )

    def _amount(self, word: str) -> Wrong:
        # In most lines, words alone mean counters of whoever the line changes.
        of = self._of if self._words and self._line.split()[0] in ("add", "set", "enter") else SEAT
        yield from check_amount(self._page, word, AmountPlace(self._path, self._takes, of, self._me))

    def _value(self, word: str) -> Wrong:
        counter = self._page.counter_named(self._words[1], self._of)
        if isinstance(counter, Flag):
            if word not in ("yes", "no"):
                yield self._path, phrase("{flag} is a flag; set it to yes or no.", flag=in_quotes(self._words[1]))
        elif counter is not None and counter.words:
            if word not in counter.words and self._kind(word) != "choice":
                yield self._path, no_such_name(word, counter.words, WORD_OF_COUNTER)
        elif counter is not None:
            yield from self._amount(word)
            if re.fullmatch(r"[+−-]?\d+", word):
                yield from check_in_bounds(int(word.replace("−", "-")), counter, self._path)
