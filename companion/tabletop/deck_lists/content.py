"""The content of a deck list as it was read, before its sections are placed into the parts of a game's decks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

import msgspec

from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.list_words import fold_heading, load_words
from templates.languages.messages import Text

SectionKind = Literal["part", "named", "beside", "below"]
"""The kind of a section: a part of the game's decks, a section of another program, cards beside a deck, or cards below
a blank line.
"""


class ReadSection(msgspec.Struct):
    """A section of a list: its heading as written ("" for the cards before any heading), and its cards so far."""

    title: str
    kind: SectionKind
    line: int
    cards: list[ListedCard] = msgspec.field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of cards."""
        return sum(card.count for card in self.cards)


class UnreadLine(NamedTuple):
    """A line that could not be understood, or can be in several ways; `problem` is a sentence without a full stop."""

    line: int
    text: str
    problem: Text


class ReadList(NamedTuple):
    """A list as it was read: its sections, and the lines that were not understood.

    `game` is the game that its heading names, `name` the deck's name in it; "" if there is none. `doubts` are warnings
    with their lines, as sentences without a full stop.
    """

    sections: tuple[ReadSection, ...]
    unread: tuple[UnreadLine, ...] = ()
    doubts: tuple[tuple[int, Text], ...] = ()
    game: str = ""
    name: str = ""


_ALIKE: Final = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-"}
)
_SLASHES: Final = re.compile(r"\s*/{1,2}\s*")


def name_key(name: str) -> str:
    """Return a key for the name of a card, the same for all spellings: of case, accents, quotes, dashes and slashes."""
    return _SLASHES.sub("/", normalize("NFC", name).casefold().translate(_ALIKE))


def unify_spellings(sections: Iterable[ReadSection]) -> None:
    """Write each card of a list as its first line writes it, so that lines of one card are counted together."""
    spellings: dict[str, str] = {}
    for section in sections:
        for at, card in enumerate(section.cards):
            name = spellings.setdefault(name_key(card.name), normalize("NFC", card.name))
            if name != card.name:
                section.cards[at] = msgspec.structs.replace(card, name=name)


class SectionDesk:
    """The sections of a list while it is read: each heading leads to its section, whether it is new or not."""

    def __init__(self, parts: Iterable[str]) -> None:
        self._parts = {fold_part(part): part for part in parts}
        self._sections: dict[tuple[SectionKind, str], ReadSection] = {}

    @property
    def sections(self) -> tuple[ReadSection, ...]:
        """The sections in the order of their headings; without cards, only those that the game's own headings name."""
        return tuple(section for section in self._sections.values() if section.cards or section.kind == "part")

    def is_part(self, title: str) -> bool:
        """Return True if a heading is the word of a part of the game's decks: `Forge Deck` for `forge`."""
        return fold_part(title) in self._parts

    def part(self, word: str, line: int) -> ReadSection:
        """Return the section of a part that the game's own heading names, even if the game has no such part."""
        return self._open(("part", word), word, line)

    def titled(self, title: str, line: int) -> ReadSection:
        """Return the section with a title as other programs write it; "" for the cards before any heading."""
        words, word = load_words(), fold_heading(title)
        if part := self._parts.get(fold_part(title)):
            return self.part(part, line)
        if word in words.beside:
            return self._open(("beside", word), title, line)
        section = words.section(word)
        if section in ("", "main") and not title.strip():
            return self._open(("named", "main"), title, line)
        return self._open(("named", section or word), title, line)

    def below(self, line: int) -> ReadSection:
        """Return the section of the cards below a blank line, which may be another part of the deck."""
        return self._open(("below", ""), "", line)

    def _open(self, key: tuple[SectionKind, str], title: str, line: int) -> ReadSection:
        return self._sections.setdefault(key, ReadSection(title, key[0], line))


def fold_part(title: str) -> str:
    """Return the word of a part or of its heading: `Forge Deck` → `forge`."""
    word = re.sub(r"[\s_-]+", "-", fold_heading(title))
    return word.removesuffix("-deck") if word != "deck" else word
