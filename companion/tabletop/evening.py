"""The facts of an evening, kept at the seal, and the evening card that is made from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Self

import msgspec

from companion.tabletop.action import DeckId
from companion.tabletop.table.table_clock import TurnTimes
from templates.languages.messages import Finished, Text, joined, phrase_in


class Participant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player, with the deck before their seat: a stored deck by its id, or any deck by its name."""

    seat: str
    name: str
    person: str = ""
    deck: DeckId = ""
    called: str = ""


class CountedFigure(msgspec.Struct, frozen=True, array_like=True):
    """The last value of a counter that players added to the table, of a seat, or of the table itself (seat "")."""

    name: str
    seat: str
    value: int


class SharedFacts(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The facts of an evening that no game knows of.

    `counted` are the counters that players added, and `times` what the clock of the table has counted, if it has.
    """

    counted: tuple[CountedFigure, ...] = ()
    times: TurnTimes | None = None


class Evening(SharedFacts, frozen=True, omit_defaults=True):
    """The facts of an evening, kept in the records of its decks. A game adds its own fields.

    Fields are stored by name, and each may be missing. Only `participants` has names: everything else refers to seats.
    `minutes` is the duration if it is known, else 0.
    """

    participants: tuple[Participant, ...] = ()
    outcome: str = ""
    venue: str = ""
    minutes: int = 0

    def participant(self, seat: str) -> Participant:
        """Return the participant at a seat; if none is known, one named after the seat."""
        return next((each for each in self.participants if each.seat == seat), Participant(seat, seat.capitalize()))

    def name(self, seat: str) -> str:
        """Return the name of the participant at a seat."""
        return self.participant(seat).name

    def others(self, seat: str) -> tuple[str, ...]:
        """Return the names of all participants except the one at a seat."""
        return tuple(each.name for each in self.participants if each.seat != seat)

    def with_names(self, name_of: NameOf) -> Self:
        """Return the evening with the names of people as they appear in exports."""
        participants = (
            msgspec.structs.replace(each, name=name_of(each.name, each.person)) for each in self.participants
        )
        return msgspec.structs.replace(self, participants=tuple(participants))

    def seat_of(self, deck: DeckId) -> str:
        """Return the seat before which a stored deck lay, or ""."""
        return next((each.seat for each in self.participants if deck and each.deck == deck), "")


NameOf = Callable[[str, str], str]
"""A function that returns a person's name for exports, from the name and the person's id (or "")."""


def own_name(name: str, person: str) -> str:  # noqa: ARG001 – used by other functions of this type
    """Return the own name of a person."""
    return name


class ChapterText(NamedTuple):
    """A section of a deck's story about an evening: a short title, the venue, and sentences."""

    title: Text
    venue: str = ""
    facts: tuple[Text, ...] = ()


class CardFigure(msgspec.Struct, frozen=True):
    """A notable figure: `27` `best hit` `9 + 12 + 6, against the Grave Wyrm`."""

    value: Text
    title: Text
    note: Text = ""


class CardTable(msgspec.Struct, frozen=True):
    """A table of a card. The first column is set in bold; `figures` are the columns that are right-aligned."""

    title: Text
    headings: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    figures: tuple[int, ...] = ()


class CardBar(msgspec.Struct, frozen=True):
    """A bar of a chart, made of `parts` in the order of the chart's `keys`; `note` is printed after it."""

    title: Text
    parts: tuple[int, ...]
    note: Text = ""

    @property
    def total(self) -> int:
        """The length of the bar: the sum of its parts."""
        return sum(self.parts)


class CardChart(msgspec.Struct, frozen=True):
    """Bars below one another on one scale; `keys` label their parts if there are several."""

    title: Text
    bars: tuple[CardBar, ...]
    keys: tuple[Text, ...] = ()

    @property
    def scale(self) -> int:
        """The length of the longest bar, and at least 1."""
        return max((bar.total for bar in self.bars), default=0) or 1


class CoursePoint(msgspec.Struct, frozen=True):
    """The values at a time, one for each of the course's `keys`."""

    at: int
    values: tuple[int, ...]


class CardCourse(msgspec.Struct, frozen=True):
    """Lines over time, one for each of `keys`, from 0 up; `unit` is the unit of time."""

    title: Text
    keys: tuple[Text, ...]
    points: tuple[CoursePoint, ...]
    unit: Text = phrase_in("unit", "turn")


class CardList(msgspec.Struct, frozen=True):
    """Sentences below a title."""

    title: Text
    lines: tuple[Text, ...]


CardPart = CardTable | CardChart | CardCourse | CardList


class EveningCard(msgspec.Struct, frozen=True):
    """An evening on one page: the game, the result, the notable figures, and the parts below them.

    `won` selects the colour of the result; None if the players do not win or lose together. `highlights` are short
    sentences without a full stop, the most significant first. Each can tell this evening from others with the same
    result.
    """

    game: Text
    headline: Text
    subtitle: Text = ""
    day: Text = ""
    venue: str = ""
    won: bool | None = None
    figures: tuple[CardFigure, ...] = ()
    parts: tuple[CardPart, ...] = ()
    credit: Text = ""
    highlights: tuple[Text, ...] = ()

    @property
    def when(self) -> Text:
        """The day and the venue, as far as they are known: `Saturday, 14 March 2026 · Café`."""
        return joined(" · ", filter(None, (self.day, self.venue)))

    @property
    def highlight(self) -> Text:
        """The main highlight of the evening; "" if there is none."""
        return next(iter(self.highlights), "")

    @property
    def highlight_sentence(self) -> Text:
        """The highlight as a full sentence, or ""."""
        return Finished(self.highlight, begins=True) if self.highlight else ""

    @property
    def title(self) -> Text:
        """The result and the highlight: `Ana wins; 9 : 0 after 14 turns`"""
        return joined("; ", filter(None, (self.headline, self.highlight)))


def tell_apart(cards: Sequence[EveningCard]) -> tuple[EveningCard, ...]:
    """Return the cards of several evenings, each with a unique highlight first if it has one."""
    common = Counter(text for card in cards for text in set(card.highlights))
    taken: set[Text] = set()
    distinct = []
    for card in cards:
        own = [text for text in card.highlights if common[text] == 1]
        first = next((text for text in (*own, *card.highlights) if text not in taken), card.highlight)
        taken.add(first)
        others = (text for text in card.highlights if text != first)
        distinct.append(msgspec.structs.replace(card, highlights=(first, *others)) if first else card)
    return tuple(distinct)


FORMATS: Final = ("png", "pdf", "md")
"""The formats of an exported card, by file extension."""
