"""The portrait of a deck for its page, as data: a summary, lists of its things, cards by suit and rank, and charts.

A game computes it from a record (`companion.tabletop.decks.game_decks.GameDecks.portrait`); all screens and commands
draw the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.tabletop.action import DeckId
from companion.tabletop.decks.decklist import DeckCard, changes
from companion.tabletop.notation.cards import Card
from templates.languages.messages import Text, phrase


class PortraitLine(msgspec.Struct, frozen=True):
    """One thing of a deck.

    It has a name, a number of copies if that matters, the playing card that it lies on, and further remarks, the most
    important first. `starred`: it is highlighted. `change` is the difference in copies to the other side of a
    comparison.
    """

    name: Text
    count: int = 0
    card: Card | None = None
    about: tuple[Text, ...] = ()
    starred: bool = False
    change: int = 0


class Listing(msgspec.Struct, frozen=True):
    """Things under a title."""

    title: Text
    lines: tuple[PortraitLine, ...]


class CardGrid(msgspec.Struct, frozen=True):
    """The 54 cards by suit and rank; `bears` maps cards to what is written on them, `title` names it."""

    title: Text
    bears: Mapping[Card, tuple[Text, ...]]
    others: tuple[Card, ...] = ()
    """Cards with another meaning, such as those that bear a figure."""


class PortraitBar(msgspec.Struct, frozen=True):
    """One figure of a chart."""

    label: Text
    value: int
    about: Text = ""


class Chart(msgspec.Struct, frozen=True):
    """Bars side by side; `most` is the largest value of other charts on the same scale."""

    title: Text
    bars: tuple[PortraitBar, ...]
    most: int = 0


class DeckVerdict(msgspec.Struct, frozen=True):
    """The verdict on a deck by the rules, with its flaws."""

    title: Text
    flaws: tuple[Text, ...] = ()


Part = Listing | CardGrid | Chart | DeckVerdict


class Heir(msgspec.Struct, frozen=True):
    """Another deck with a part of this one: its id, its name, and the part that it took over."""

    deck: DeckId
    name: str
    what: Text = ""


class Portrait(msgspec.Struct, frozen=True):
    """The present state of a deck: a sentence or two, its parts, and the decks that descend from it."""

    summary: tuple[Text, ...] = ()
    parts: tuple[Part, ...] = ()
    heirs: tuple[Heir, ...] = ()


def changed_cards(before: Sequence[DeckCard], after: Sequence[DeckCard], title: Text) -> Iterator[Listing]:
    """Yield a listing of the additions and removals between two lists; nothing if they are equal."""
    lines = tuple(
        PortraitLine(change.card.name, change=change.more, about=() if change.more else (phrase("has another text"),))
        for change in changes(before, after)
    )
    if lines:
        yield Listing(title, lines)
