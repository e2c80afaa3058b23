"""What a game leaves to be told of an evening: facts, kept at the seal, and the card that is drawn of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Self

import msgspec

from companion.tabletop.action import DeckId


class Participant(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who played, with what lay before their seat: a stored deck by its id, or any deck by its name."""

    seat: str
    name: str
    person: str = ""
    deck: DeckId = ""
    called: str = ""


class Evening(msgspec.Struct, frozen=True, omit_defaults=True):
    """An evening's facts, which its decks' records keep. A game adds its own; all are named and may be missing.

    People are named once, here; all else says their seats. `minutes` is how long it took where that is known, 0 else.
    """

    participants: tuple[Participant, ...] = ()
    outcome: str = ""
    venue: str = ""
    minutes: int = 0

    def participant(self, seat: str) -> Participant:
        """Who sat there; somebody called as the seat where nobody is known to."""
        return next((each for each in self.participants if each.seat == seat), Participant(seat, seat.capitalize()))

    def name(self, seat: str) -> str:
        """What people call whoever sat there."""
        return self.participant(seat).name

    def others(self, seat: str) -> tuple[str, ...]:
        """The names of everybody but whoever sat there."""
        return tuple(each.name for each in self.participants if each.seat != seat)

    def presented(self, name_of: NameOf) -> Self:
        """The same evening with everybody as they are called on what leaves the house."""
        participants = (
            msgspec.structs.replace(each, name=name_of(each.name, each.person)) for each in self.participants
        )
        return msgspec.structs.replace(self, participants=tuple(participants))

    def seat_of(self, deck: DeckId) -> str:
        """Before whom a stored deck lay; "" where it lay before nobody."""
        return next((each.seat for each in self.participants if deck and each.deck == deck), "")


NameOf = Callable[[str, str], str]
"""What somebody is called on what leaves the house: takes a name, and the person's id or ""."""


def own_name(name: str, person: str) -> str:  # noqa: ARG001 – the id says who it is, where names are not shown
    """People by their own names."""
    return name


class ChapterText(NamedTuple):
    """What a deck's story tells of an evening: what it was in a few words, where, and sentences about it."""

    title: str
    venue: str = ""
    facts: tuple[str, ...] = ()


class CardFigure(msgspec.Struct, frozen=True):
    """A figure that stands out: `27` `best hit` `9 + 12 + 6, against the Grave Wyrm`."""

    value: str
    title: str
    note: str = ""


class CardTable(msgspec.Struct, frozen=True):
    """A table of a card. The first column is set in bold; `figures` are the columns set to the right."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: tuple[int, ...] = ()


class CardBar(msgspec.Struct, frozen=True):
    """A bar of a chart, made of `parts` in the order of the chart's `keys`; `note` stands behind it."""

    title: str
    parts: tuple[int, ...]
    note: str = ""

    @property
    def total(self) -> int:
        """How long it is."""
        return sum(self.parts)


class CardChart(msgspec.Struct, frozen=True):
    """Bars below one another, on one scale; `keys` say what their parts are, where there are several."""

    title: str
    bars: tuple[CardBar, ...]
    keys: tuple[str, ...] = ()

    @property
    def scale(self) -> int:
        """The longest bar, and at least 1."""
        return max((bar.total for bar in self.bars), default=0) or 1


class CoursePoint(msgspec.Struct, frozen=True):
    """How it stood at a time: a value for each of the course's `keys`."""

    at: int
    values: tuple[int, ...]


class CardCourse(msgspec.Struct, frozen=True):
    """Lines over time, one for each of `keys`, from 0 up; `unit` is what time is counted in."""

    title: str
    keys: tuple[str, ...]
    points: tuple[CoursePoint, ...]
    unit: str = "turn"


class CardList(msgspec.Struct, frozen=True):
    """Sentences below a title."""

    title: str
    lines: tuple[str, ...]


CardPart = CardTable | CardChart | CardCourse | CardList


class EveningCard(msgspec.Struct, frozen=True):
    """An evening on one page: what it was, how it ended, the figures that stand out, and the parts below them.

    `won` says in which colour the end is told; None where nobody won or lost together. `highlights` are short sentences
    without a point, the most telling first, any of which says which of many evenings that ended alike it was.
    """

    game: str
    headline: str
    subtitle: str = ""
    when: str = ""
    won: bool | None = None
    figures: tuple[CardFigure, ...] = ()
    parts: tuple[CardPart, ...] = ()
    credit: str = ""
    highlights: tuple[str, ...] = ()

    @property
    def highlight(self) -> str:
        """Whatever sets this evening apart from others; "" where nothing is known to."""
        return next(iter(self.highlights), "")

    @property
    def highlight_sentence(self) -> str:
        """The same as a sentence of its own."""
        return f"{self.highlight[:1].upper()}{self.highlight[1:]}." if self.highlight else ""

    @property
    def title(self) -> str:
        """The end, and what sets this evening apart from others that ended so: `Ana wins; 9 : 0 after 14 turns`"""
        return "; ".join(filter(None, (self.headline, self.highlight)))


def tell_apart(cards: Sequence[EveningCard]) -> tuple[EveningCard, ...]:
    """The cards of several evenings, each with a highlight first that no other of them has, where there is one."""
    common = Counter(text for card in cards for text in set(card.highlights))
    taken: set[str] = set()
    distinct = []
    for card in cards:
        own = [text for text in card.highlights if common[text] == 1]
        first = next((text for text in (*own, *card.highlights) if text not in taken), card.highlight)
        taken.add(first)
        others = (text for text in card.highlights if text != first)
        distinct.append(msgspec.structs.replace(card, highlights=(first, *others)) if first else card)
    return tuple(distinct)


FORMATS: Final = ("png", "pdf", "md")
"""What a card can be written as, by the ends of its files' names."""
