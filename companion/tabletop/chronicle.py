"""A chronicle as data: what many evenings made of decks, to be laid out as a booklet; it knows no game and no page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from companion.tabletop.action import DeckId
from companion.tabletop.evening import CardCourse, CardPart, CoursePoint, EveningCard
from companion.tabletop.portrait import Portrait
from companion.tabletop.records import DeckFigure


class DeckStanding(msgspec.Struct, frozen=True):
    """How a deck stood after an evening: who held its box, and the figures by which people know it."""

    holder: str
    figures: tuple[DeckFigure, ...] = ()


class ChronicleDeck(msgspec.Struct, frozen=True):
    """A deck of a chronicle: as it is today, what its box's code holds and how its id is read, how it began, and how it
    stood when it had begun and after each evening that it was played on, by the number of the last evening before, from
    0; −1 is before all of them.
    """

    deck: DeckId
    name: str
    game: str
    code: tuple[str, str]
    portrait: Portrait
    beginning: tuple[str, ...] = ()
    standings: dict[int, DeckStanding] = {}

    def standing(self, evening: int) -> DeckStanding | None:
        """How it stood after an evening, whether it was played then or not; None where it was not there yet."""
        before = [number for number in self.standings if number <= evening]
        return self.standings[max(before)] if before else None


class StorySection(msgspec.Struct, frozen=True):
    """A part of the story: an evening, with its number from 1, or what was between two of them (number 0)."""

    number: int
    card: EveningCard


class Chronicle(msgspec.Struct, frozen=True):
    """A whole chronicle. `evenings` are what they are called in tables and charts; `overview` says how each of them
    ended, and `people` who was there.
    """

    title: str
    subtitle: str
    decks: tuple[ChronicleDeck, ...]
    evenings: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    overview: tuple[CardPart, ...] = ()
    sections: tuple[StorySection, ...] = ()
    credits: tuple[str, ...] = ()


class Kin(msgspec.Struct, frozen=True):
    """A deck in the family tree: how many generations below the first, what it took over from the one before it, and
    whether it is the last of its parent's.
    """

    name: str
    depth: int
    what: str = ""
    is_last: bool = True


def family_tree(decks: Sequence[ChronicleDeck]) -> tuple[Kin, ...]:
    """All decks that something was handed on to or from, each below the one that it descends from; none if no deck
    has an heir. An heir that the chronicle does not tell of is named all the same.
    """
    by_id = {deck.deck: deck for deck in decks}
    heirs = {heir.deck for deck in decks for heir in deck.portrait.heirs}
    seen: set[DeckId] = set()

    def descend(deck: ChronicleDeck, depth: int, what: str, is_last: bool) -> Iterator[Kin]:
        yield Kin(deck.name, depth, what, is_last)
        seen.add(deck.deck)
        last = deck.portrait.heirs[-1:] and deck.portrait.heirs[-1]
        for heir in deck.portrait.heirs:
            other = by_id.get(heir.deck)
            if other is None:
                yield Kin(heir.name, depth + 1, heir.what, heir is last)
            elif other.deck not in seen:
                yield from descend(other, depth + 1, heir.what, heir is last)

    roots = [deck for deck in decks if deck.portrait.heirs and deck.deck not in heirs]
    return tuple(kin for root in roots for kin in descend(root, 0, "", is_last=True))


MOST_LINES: Final = 6
"""Lines in one chart, so that each can be told from the others."""


def courses(decks: Sequence[ChronicleDeck], evenings: int) -> Iterator[CardCourse]:
    """How the figures of decks went from evening to evening: a chart a figure, of a few decks each; none of a figure
    that was the same for all of them, or that changed but once.
    """
    if evenings < 2:
        return
    titles: dict[str, str] = {}
    for deck in decks:
        for standing in deck.standings.values():
            titles |= {figure.name: figure.title for figure in standing.figures}
    for name, title in titles.items():
        counted = [deck for deck in decks if any(_value(deck, name, at) for at in range(evenings))]
        for start in range(0, len(counted), MOST_LINES):
            some = counted[start : start + MOST_LINES]
            values = [tuple(_value(deck, name, at) for deck in some) for at in range(-1, evenings)]
            changes = sum(row != before for before, row in pairwise(values))
            if changes < 2 or (len(some) > 1 and all(len(set(row)) == 1 for row in values)):
                continue
            points = (CoursePoint(number, row) for number, row in enumerate(values))
            yield CardCourse(f"{title}, evening by evening", tuple(d.name for d in some), tuple(points), "evening")


def _value(deck: ChronicleDeck, name: str, evening: int) -> int:
    standing = deck.standing(evening)
    return next((figure.value for figure in standing.figures if figure.name == name), 0) if standing else 0
