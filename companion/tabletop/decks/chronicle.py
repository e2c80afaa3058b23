"""The data of a chronicle: the history of decks over many evenings, laid out as a booklet. It depends on no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from companion.tabletop.action import DeckId
from companion.tabletop.decks.portrait import Portrait
from companion.tabletop.evening import CardCourse, CardPart, CoursePoint, EveningCard
from companion.tabletop.records import DeckFigure
from templates.languages.messages import Text, phrase


class DeckStanding(msgspec.Struct, frozen=True):
    """The state of a deck after an evening: the holder of its box, and its main figures."""

    holder: str
    figures: tuple[DeckFigure, ...] = ()


class ChronicleDeck(msgspec.Struct, frozen=True):
    """A deck of a chronicle: its present state, the code of its box with the printed id, its beginning, and standings.

    `standings` are keyed by the number of an evening, from 0; −1 is before all of them. There is one for its beginning,
    under the number of the last evening before, and one after each evening on which it was played.
    """

    deck: DeckId
    name: str
    game: Text
    code: tuple[str, str]
    portrait: Portrait
    beginning: tuple[Text, ...] = ()
    standings: dict[int, DeckStanding] = {}

    def standing(self, evening: int) -> DeckStanding | None:
        """Return its standing after an evening, even if it was not played then; None if it did not exist yet."""
        before = [number for number in self.standings if number <= evening]
        return self.standings[max(before)] if before else None


class StorySection(msgspec.Struct, frozen=True):
    """A section of the story: an evening, with its number from 1, or the time between two of them (number 0)."""

    number: int
    card: EveningCard


class Chronicle(msgspec.Struct, frozen=True):
    """A whole chronicle.

    `evenings` are the names of the evenings in tables and charts. `overview` lists how each of them ended, and `people`
    who took part.
    """

    title: Text
    subtitle: Text
    decks: tuple[ChronicleDeck, ...]
    evenings: tuple[Text, ...] = ()
    people: tuple[Text, ...] = ()
    overview: tuple[CardPart, ...] = ()
    sections: tuple[StorySection, ...] = ()
    credits: tuple[Text, ...] = ()


class Kin(msgspec.Struct, frozen=True):
    """A deck in the family tree.

    `depth` counts generations below the first, `what` is what it took over from its parent, and `is_last` is True for
    the last child.
    """

    name: str
    depth: int
    what: Text = ""
    is_last: bool = True


def family_tree(decks: Sequence[ChronicleDeck]) -> tuple[Kin, ...]:
    """Return all decks with an heir or an ancestor, each below the deck that it descends from.

    Empty if no deck has an heir. Heirs outside the chronicle are included by name.
    """
    by_id = {deck.deck: deck for deck in decks}
    heirs = {heir.deck for deck in decks for heir in deck.portrait.heirs}
    seen: set[DeckId] = set()

    def descend(deck: ChronicleDeck, depth: int, what: Text, is_last: bool) -> Iterator[Kin]:
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
"""The maximum number of lines in a chart, so that readers can tell them apart."""


def courses(decks: Sequence[ChronicleDeck], evenings: int) -> Iterator[CardCourse]:
    """Yield charts of the figures of decks from evening to evening: one per figure, for a few decks each.

    A figure that is constant for every deck, or changed only once, has no chart.
    """
    if evenings < 2:
        return
    titles: dict[str, Text] = {}
    for deck in decks:
        for standing in deck.standings.values():
            titles |= {figure.name: figure.caption for figure in standing.figures}
    for name, title in titles.items():
        counted = [deck for deck in decks if any(_value(deck, name, at) for at in range(evenings))]
        for start in range(0, len(counted), MOST_LINES):
            some = counted[start : start + MOST_LINES]
            values = [tuple(_value(deck, name, at) for deck in some) for at in range(-1, evenings)]
            changes = sum(row != before for before, row in pairwise(values))
            if changes < 2 or (len(some) > 1 and all(len(set(row)) == 1 for row in values)):
                continue
            points = (CoursePoint(number, row) for number, row in enumerate(values))
            # Translators: {figure} is the title of a figure of decks, such as “Won”.
            heading = phrase("{figure}, evening by evening", figure=title)
            yield CardCourse(heading, tuple(d.name for d in some), tuple(points), phrase("evening"))


def _value(deck: ChronicleDeck, name: str, evening: int) -> int:
    standing = deck.standing(evening)
    return next((figure.value for figure in standing.figures if figure.name == name), 0) if standing else 0
