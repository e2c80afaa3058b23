"""Deck lists as plain text: one documented format for all games, and the common ways in which people write lists.

    soulforger main            which game, and which part of the deck; a further such line begins another part
    4 Ash Wolf | creature      how often, its name, and what its game wants to know of it after bars
    Ember x2                   `4x Ember`, `Ember x4` and a name alone, for one copy, are read too
    # anything                 a comment, at the end of a line too

Separate from any game: a game judges what was read (`DeckListRules`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, Protocol

import msgspec

from companion.games.action import NotationError
from companion.games.form import Finding, Place
from companion.games.text import as_line

_MOST: Final = 1000
_LONGEST: Final = 9
"""Digits of a count that are looked at."""
_BEFORE: Final = re.compile(r"(\d+)\s*[x×]?\s+(\S.*)", re.IGNORECASE)
_NO_COUNT: Final = re.compile(r"([-+−]\d[\d.,]*|\d+[.,]\d*)\s*[x×]?\s+\S", re.IGNORECASE)
"""What looks like a count and is none; a card whose name begins so is written behind its count."""
_BEHIND: Final = re.compile(r"(\S.*?)\s+[x×]\s*(\d+)", re.IGNORECASE)


class ListedCard(msgspec.Struct, frozen=True):
    """A line of a deck list: how many of which card, and what was said of it after bars."""

    line: int
    count: int
    name: str
    told: tuple[str, ...] = ()


class ListSection(msgspec.Struct, frozen=True):
    """A part of a deck, and its lines."""

    name: str
    line: int
    cards: tuple[ListedCard, ...]

    @property
    def count(self) -> int:
        """How many cards it has."""
        return sum(card.count for card in self.cards)


class DeckList(msgspec.Struct, frozen=True):
    """A deck list as it was read: its game, its parts in order, and which lines could not be read."""

    game: str
    sections: tuple[ListSection, ...]
    findings: tuple[Finding, ...] = ()

    def section(self, name: str) -> ListSection:
        """All of a part, wherever its lines stand; empty where the list has no such part."""
        parts = [section for section in self.sections if section.name == name]
        cards = tuple(card for part in parts for card in part.cards)
        return ListSection(name, parts[0].line if parts else 0, cards)


class DeckListRules(Protocol):
    """What makes a game's deck list one by its rules."""

    def findings(self, deck_list: DeckList) -> Iterable[Finding]:
        """Everything that is wrong or doubtful, each with its rule, at `Place(entry=LINE)` where it has a line."""
        ...


def is_list(text: str, games: Collection[str]) -> bool:
    """Whether a text begins as a deck list does: with the word of one of the games."""
    return any(_heading(line, games) for _, line in list(_lines(text))[:1])


def read(text: str, games: Collection[str]) -> DeckList:
    """The deck list that a text holds; lines that cannot be read are among its findings."""
    game = ""
    sections: list[tuple[str, int, list[ListedCard]]] = []
    findings: list[Finding] = []
    for number, line in _lines(text):
        heading = _heading(line, (game,) if game else games)
        if heading:
            game, part = heading
            sections.append((part, number, []))
        elif not sections:
            example = next(iter(games)) if len(games) == 1 else "GAME"
            told = f"begin with the game and the part of the deck, as in “{example} main”"
            return DeckList("", (), (_unreadable(number, told),))
        else:
            try:
                if odd := _NO_COUNT.match(line):
                    raise NotationError(f"“{odd[1]}” is no count of copies; write 1 to {_MOST}")
                sections[-1][2].append(read_card_line(line, number))
            except NotationError as error:
                findings.append(_unreadable(number, str(error)))
    parts = tuple(ListSection(name, line, tuple(cards)) for name, line, cards in sections)
    return DeckList(game, parts, tuple(findings))


def _lines(text: str) -> Iterable[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if told := line.partition("#")[0].strip():
            yield number, told


def _heading(line: str, games: Collection[str]) -> tuple[str, str] | None:
    """The game and the part of the deck that a line begins; None where it is a card's."""
    words = line.lower().split()
    return (words[0], words[1] if len(words) == 2 else "") if words[0] in games and len(words) < 3 else None


def _unreadable(line: int, text: str) -> Finding:
    return Finding(f"Line {line}: {text.rstrip('.')}.", place=Place(entry=line), unreadable=True)


def read_card_line(line: str, number: int = 0) -> ListedCard:
    """A card's line, `4 Ash Wolf | creature`, the `number`th of its list. Raises NotationError."""
    counted, *told = (part.strip() for part in " ".join(as_line(line, "it").split()).split("|"))
    if found := _BEFORE.fullmatch(counted):
        count, name = found[1], found[2]
    elif found := _BEHIND.fullmatch(counted):
        count, name = found[2], found[1]
    else:
        count, name = "1", counted
    if not name or name.isdecimal():
        raise NotationError("a name is missing; write how often and which card, as in “4 Ash Wolf”")
    if len(count) > _LONGEST or not 1 <= int(count) <= _MOST:
        raise NotationError(f"“{count[:_LONGEST]}” copies of {name}; write 1 to {_MOST}")
    return ListedCard(number, int(count), " ".join(name.split()), tuple(told))
