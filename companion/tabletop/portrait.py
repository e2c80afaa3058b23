"""A deck as a page shows it, as data: a summary, lists of its things, cards by suit and rank, and charts.

A game makes it of a record (`companion.tabletop.game.Game.portrait`); every screen and command draws the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.tabletop.action import DeckId
from companion.tabletop.cards import Card
from companion.tabletop.decklist import DeckCard, changes


class Line(msgspec.Struct, frozen=True):
    """One of a deck's things: what it is called, how many there are of it where that matters, the playing card that it
    lies on, and what else there is to say, the most important first; `starred` stands out among its like. `change` is
    how many more (or fewer, below 0) there are than in what it is compared with.
    """

    name: str
    count: int = 0
    card: Card | None = None
    about: tuple[str, ...] = ()
    starred: bool = False
    change: int = 0


class Listing(msgspec.Struct, frozen=True):
    """Things under a title."""

    title: str
    lines: tuple[Line, ...]


class CardGrid(msgspec.Struct, frozen=True):
    """The 54 cards by suit and rank; of those in `bears` something is written on the card, which `title` calls."""

    title: str
    bears: Mapping[Card, tuple[str, ...]]
    others: tuple[Card, ...] = ()
    """Cards that stand for something besides, such as those that bear a figure."""


class Bar(msgspec.Struct, frozen=True):
    """One figure of a chart."""

    label: str
    value: int
    about: str = ""


class Chart(msgspec.Struct, frozen=True):
    """Figures side by side, each a bar as long as it is large; `most` is the longest of others that it is compared
    with.
    """

    title: str
    bars: tuple[Bar, ...]
    most: int = 0


class Verdict(msgspec.Struct, frozen=True):
    """Whether the deck is one by the rules, and if not, why."""

    title: str
    flaws: tuple[str, ...] = ()


Part = Listing | CardGrid | Chart | Verdict


class Heir(msgspec.Struct, frozen=True):
    """Another deck in which something of this one lives on: its id, its name, and what it took over."""

    deck: DeckId
    name: str
    what: str = ""


class Portrait(msgspec.Struct, frozen=True):
    """What a deck is today: a sentence or two, its parts, and the decks that descend from it."""

    summary: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    heirs: tuple[Heir, ...] = ()


def changed_cards(before: Sequence[DeckCard], after: Sequence[DeckCard], title: str) -> Iterator[Listing]:
    """What came and what went between two lists; no listing where nothing did."""
    lines = tuple(
        Line(change.card.name, change=change.more, about=() if change.more else ("says something else",))
        for change in changes(before, after)
    )
    if lines:
        yield Listing(title, lines)
