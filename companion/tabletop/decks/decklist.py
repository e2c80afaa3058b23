"""Deck lists: plain text in one format for all games, and the stored cards of a deck."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from companion.tabletop.action import NotationError
from companion.tabletop.decks.card_line import MAX_COPIES, write_card_line
from companion.tabletop.decks.card_texts import (
    LiteralText,
    join_printings,
    join_remarks,
    split_printings,
    split_remarks,
)
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.errors import Shortened
from companion.tabletop.text import as_line
from templates.languages.messages import Finished, Language, Message, Text, declared, phrase
from templates.languages.messages import listed as in_list

_LONGEST: Final = 9
"""The maximum number of digits of a count that are read."""
_BEFORE: Final = re.compile(r"(\d+)\s*[x×]?\s+(\S.*)", re.IGNORECASE)
_BEHIND: Final = re.compile(r"(\S.*?)\s+[x×]\s*(\d+)", re.IGNORECASE)


class ListedCard(msgspec.Struct, frozen=True):
    """A line of a deck list: the number of copies, the name of the card, and the remarks after bars.

    `printing` is the edition of the copies: `RNA 200`. No rule depends on it, so it is none of the remarks.
    """

    line: int
    count: int
    name: str
    remarks: tuple[str, ...] = ()
    printing: str = ""


class ListSection(msgspec.Struct, frozen=True):
    """A section of a deck, and its lines."""

    name: str
    line: int
    cards: tuple[ListedCard, ...]

    @property
    def count(self) -> int:
        """The number of cards in the section."""
        return sum(card.count for card in self.cards)


class DeckList(msgspec.Struct, frozen=True):
    """A deck list that was read: its game, its sections in order, and the lines that could not be read."""

    game: str
    sections: tuple[ListSection, ...]
    findings: tuple[Finding, ...] = ()

    def section(self, name: str) -> ListSection:
        """Return all cards of a section, even if it is split; an empty section if the list has none."""
        parts = [section for section in self.sections if section.name == name]
        cards = tuple(card for part in parts for card in part.cards)
        return ListSection(name, parts[0].line if parts else 0, cards)


class DeckListRules(Protocol):
    """The checks of a game for its deck lists."""

    def findings(self, deck_list: DeckList) -> Iterable[Finding]:
        """Yield every error and warning with its rule, at `FormPlace(entry=LINE)` if it belongs to a line."""
        ...


class LineProblem(Message):
    """A problem with a line of a list; without its number for a list that is not visible."""

    __slots__ = ("line", "problem")

    def __init__(self, line: int, problem: Text) -> None:
        self.line = line
        self.problem = problem

    def without_line(self) -> Message:
        """Return the problem as a sentence of its own."""
        return Shortened(Finished(self.problem, begins=True))

    def render(self, language: Language) -> str:
        """Return the text in a language."""
        problem = Shortened(Finished(self.problem))
        # Translators: {line} is the number of a line of a deck list.
        return phrase("Line {line}: {problem}", line=str(self.line), problem=problem).render(language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.line, self.problem)


def line_finding(line: int, text: Text, *, warning: bool = False, unreadable: bool = False) -> Finding:
    """Return a finding at a line of a list, from a sentence without its full stop; line 0 means the whole list."""
    problem = LineProblem(line, text)
    if not line:
        return Finding(problem.without_line(), warning, unreadable=unreadable)
    return Finding(problem, warning, FormPlace(entry=line), unreadable)


# Translators: The subject of a problem with a line: “Line 3: it can have at most 10,000 characters, not 12,000.”
_IT: Final = phrase("it")


def read_card_line(line: str, number: int = 0) -> ListedCard:
    """Read the line of a card as lists are stored, `4 Ash Wolf | creature`, line `number` of its list.

    What people and other programs write is read by `card_line.parse_card_line`. Raises NotationError.
    """
    literal = LiteralText(" ".join(as_line(line, _IT).split()))
    counted, *remarks = (part.strip() for part in literal.text.split("|"))
    if match := _BEFORE.fullmatch(counted):
        count, name = match[1], match[2]
    elif match := _BEHIND.fullmatch(counted):
        count, name = match[2], match[1]
    else:
        count, name = "1", counted
    if not name or name.isdecimal():
        raise NotationError(phrase("a name is missing; write how many and which card, as in “4 Ash Wolf”"))
    if len(count) > _LONGEST or not 1 <= int(count) <= MAX_COPIES:
        raise NotationError(
            phrase(
                "“{copies}” copies of {card}; write 1 to {most}",
                copies=count[:_LONGEST],
                card=name,
                most=str(MAX_COPIES),
            )
        )
    own, printing = split_remarks(map(literal.show, remarks))
    return ListedCard(number, int(count), literal.show(" ".join(name.split())), own, printing)


_GAPS = re.compile(r"[^\w]+")


class DeckCard(msgspec.Struct, frozen=True):
    """Copies of a card in one part of a deck; `says` are the remarks after the bars of its line, its printing last."""

    part: str
    copies: int
    name: str
    says: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The key that makes two lines one card of a deck; case is ignored."""
        return self.part, self.name.casefold()

    @property
    def listed_card(self) -> ListedCard:
        """The card as a line of a deck list."""
        own, printing = split_remarks(self.says)
        return ListedCard(0, self.copies, self.name, own, printing)

    @property
    def printing(self) -> str:
        """The editions of the copies: `RNA 200`, or `2× RNA 200; 1× ANB 44`; "" if they are unknown."""
        return split_remarks(self.says)[1]

    @property
    def line(self) -> str:
        """The text of the line: `4 Ash Wolf | creature | ronum 3`"""
        return write_card_line(self.copies, self.name, self.says)


class ListChange(msgspec.Struct, frozen=True):
    """A card with more (or fewer) copies than before, or with the same number and other remarks."""

    card: DeckCard
    more: int

    @property
    def text(self) -> Text:
        """The text of the change: `+2 Ember`, `−1 Flare`, `Ash Wolf has another text`"""
        if not self.more:
            return phrase("{card} has another text", card=self.card.name)
        return f"{'+' if self.more > 0 else '−'}{abs(self.more)} {self.card.name}"


def cards_of(deck_list: DeckList, parts: Iterable[str]) -> tuple[DeckCard, ...]:
    """Return the cards of a list in its order; lines of one name in a part are merged, whatever their printings."""
    merged: dict[tuple[str, str], list[ListedCard]] = {}
    for part in parts:
        for card in deck_list.section(part).cards:
            merged.setdefault((part, card.name.casefold()), []).append(card)
    return tuple(_merge_lines(part, lines) for (part, _), lines in merged.items())


def _merge_lines(part: str, lines: Sequence[ListedCard]) -> DeckCard:
    """Return the card that several lines of a part name."""
    remarks: tuple[str, ...] = next((line.remarks for line in lines if line.remarks), ())
    counted = (each for line in lines for each in split_printings(line.printing, line.count))
    says = join_remarks(remarks, join_printings(counted))
    return DeckCard(part, sum(line.count for line in lines), lines[0].name, says)


_SWAP: Final = re.compile(r"([+\-−–])\s*(\S.*)")
"""A card that comes into a deck, or leaves it: `+2 Ember | action`, `-1 Flare`."""


def swap_cards(cards: Sequence[DeckCard], swaps: Iterable[str], part: str) -> tuple[DeckCard, ...]:
    """Return the cards after some swaps, applied one after the other; a new card is added to `part`.

    Raises NotationError if a text is not a swap, names no card of the list, or removes more copies than there are.
    """
    after = {card.key: card for card in cards}
    for swap in swaps:
        match = _SWAP.fullmatch(swap.strip())
        if match is None:
            raise NotationError(
                phrase(
                    "“{text}” is not a swap; write + or −, how many, and which card, as in “+2 Ember”.",
                    text=swap.strip(),
                )
            )
        listed = read_card_line(match[2])
        key = next((key for key in after if key[1] == listed.name.casefold()), None)
        if match[1] == "+":
            card = after[key] if key else DeckCard(part, 0, listed.name)
            merged = _merge_lines(card.part, (msgspec.structs.replace(listed, name=card.name), card.listed_card))
            after[card.key] = merged
        elif key is None:
            raise NotationError(phrase("The list has no {card} to take out.", card=listed.name))
        elif after[key].copies < listed.count:
            raise NotationError(
                phrase(
                    "The list has only {copies} × {card}, so {wanted} cannot be taken out.",
                    copies=str(after[key].copies),
                    card=after[key].name,
                    wanted=str(listed.count),
                )
            )
        else:
            after[key] = msgspec.structs.replace(after[key], copies=after[key].copies - listed.count)
    return tuple(card for card in after.values() if card.copies)


def changes(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> tuple[ListChange, ...]:
    """Return the changes from one list to the other: additions in their order, then removals."""
    return (*_additions(before, after), *_removals(before, after))


def _additions(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> Iterator[ListChange]:
    had = by_key(before)
    for card in after:
        old = had.get(card.key)
        more = card.copies - (old.copies if old else 0)
        if more > 0 or (old and not more and old.says != card.says):
            yield ListChange(card, more)


def _removals(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> Iterator[ListChange]:
    has = by_key(after)
    for card in before:
        less = card.copies - (has[card.key].copies if card.key in has else 0)
        if less > 0:
            yield ListChange(card, -less)


def change_text(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> Message:
    """Return the changes as text: `+2 Ember, −2 Flare`"""
    return in_list(change.text for change in changes(before, after)) or phrase("nothing changed")


def part_sizes(cards: Sequence[DeckCard]) -> Message:
    """Return the number of cards in each part: `60 main, 4 forge`"""
    sizes: dict[str, int] = {}
    for card in cards:
        sizes[card.part] = sizes.get(card.part, 0) + card.copies
    # Translators: the number of cards in a part of a deck, such as “60 main”
    parts = (phrase("{count} {part}", count=str(size), part=declared(part)) for part, size in sizes.items())
    return in_list(parts) or phrase("no cards")


def list_of_cards(game: str, cards: Iterable[DeckCard]) -> DeckList:
    """Return stored cards as a list, with the lines that `format_deck_list` writes."""
    sections: list[tuple[str, int, list[ListedCard]]] = []
    line = 0
    for card in cards:
        if not sections or sections[-1][0] != card.part:
            line += 2 if sections else 1
            sections.append((card.part, line, []))
        line += 1
        sections[-1][2].append(msgspec.structs.replace(card.listed_card, line=line))
    return DeckList(game, tuple(ListSection(name, first, tuple(lines)) for name, first, lines in sections))


def by_key(cards: Iterable[DeckCard]) -> Mapping[tuple[str, str], DeckCard]:
    """Return the cards by their keys."""
    return {card.key: card for card in cards}


def handle(name: str) -> str:
    """Return the handle of a card in lines: `Ash Wolf` → `ash-wolf`; never a number alone."""
    word = _GAPS.sub("-", name.casefold()).strip("-_")
    return f"card-{word}".rstrip("-") if not word or word.replace("-", "").isdecimal() else word


def format_deck_list(game: str, cards: Iterable[DeckCard]) -> str:
    """Return cards as the text of a deck list, for a file that can be read again."""
    lines: list[str] = []
    part = None
    for card in cards:
        if card.part != part:
            lines += [*([""] if lines else []), f"{game} {card.part}"]
            part = card.part
        lines.append(card.line)
    return "".join(f"{line}\n" for line in lines)
