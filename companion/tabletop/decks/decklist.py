"""Deck lists: plain text in one format for all games, and the stored cards of a deck."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from companion.tabletop.action import NotationError
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.errors import Shortened
from companion.tabletop.text import as_line
from templates.languages.messages import Finished, Language, Message, Text, declared, phrase
from templates.languages.messages import listed as in_list

_MOST: Final = 1000
_LONGEST: Final = 9
"""The maximum number of digits of a count that are read."""
_BEFORE: Final = re.compile(r"(\d+)\s*[x×]?\s+(\S.*)", re.IGNORECASE)
_NO_COUNT: Final = re.compile(r"([-+−]\d[\d.,]*|\d+[.,]\d*)\s*[x×]?\s+\S", re.IGNORECASE)
"""A malformed count; a card whose name begins like this is written after its count."""
_BEHIND: Final = re.compile(r"(\S.*?)\s+[x×]\s*(\d+)", re.IGNORECASE)


class ListedCard(msgspec.Struct, frozen=True):
    """A line of a deck list: the number of copies, the name of the card, and the remarks after bars."""

    line: int
    count: int
    name: str
    remarks: tuple[str, ...] = ()


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


def is_list(text: str, games: Collection[str]) -> bool:
    """Return True if a text begins as a deck list: with the word of one of the games."""
    return any(_heading(line, games) for _, line in list(_lines(text))[:1])


def read(text: str, games: Collection[str]) -> DeckList:
    """Read the deck list of a text; lines that cannot be read become findings."""
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
            message = phrase(
                "begin with the game and the part of the deck, as in “{example}”", example=f"{example} main"
            )
            return DeckList("", (), (line_finding(number, message, unreadable=True),))
        else:
            try:
                if odd := _NO_COUNT.match(line):
                    raise NotationError(
                        phrase("“{word}” is not a number of copies; write 1 to {most}", word=odd[1], most=str(_MOST))
                    )
                sections[-1][2].append(read_card_line(line, number))
            except NotationError as error:
                findings.append(line_finding(number, error.sentence, unreadable=True))
    parts = tuple(ListSection(name, line, tuple(cards)) for name, line, cards in sections)
    return DeckList(game, parts, tuple(findings))


def _lines(text: str) -> Iterable[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if content := line.partition("#")[0].strip():
            yield number, content


def _heading(line: str, games: Collection[str]) -> tuple[str, str] | None:
    """Return the game and the section that a heading names; None for the line of a card."""
    words = line.lower().split()
    return (words[0], words[1] if len(words) == 2 else "") if words[0] in games and len(words) < 3 else None


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
    """Read the line of a card, `4 Ash Wolf | creature`, line `number` of its list. Raises NotationError."""
    counted, *remarks = (part.strip() for part in " ".join(as_line(line, _IT).split()).split("|"))
    if match := _BEFORE.fullmatch(counted):
        count, name = match[1], match[2]
    elif match := _BEHIND.fullmatch(counted):
        count, name = match[2], match[1]
    else:
        count, name = "1", counted
    if not name or name.isdecimal():
        raise NotationError(phrase("a name is missing; write how many and which card, as in “4 Ash Wolf”"))
    if len(count) > _LONGEST or not 1 <= int(count) <= _MOST:
        raise NotationError(
            phrase(
                "“{copies}” copies of {card}; write 1 to {most}", copies=count[:_LONGEST], card=name, most=str(_MOST)
            )
        )
    return ListedCard(number, int(count), " ".join(name.split()), tuple(remarks))


_GAPS = re.compile(r"[^\w]+")


class DeckCard(msgspec.Struct, frozen=True):
    """Copies of a card in one part of a deck; `says` are the remarks after the bars of its line."""

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
        return ListedCard(0, self.copies, self.name, self.says)

    @property
    def line(self) -> str:
        """The text of the line: `4 Ash Wolf | creature | ronum 3`"""
        return " | ".join((f"{self.copies} {self.name}", *self.says))


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
    """Return the cards of a list in its order; lines of one name in a part are merged."""
    merged: dict[tuple[str, str], DeckCard] = {}
    for part in parts:
        for card in deck_list.section(part).cards:
            new = DeckCard(part, card.count, card.name, card.remarks)
            if before := merged.get(new.key):
                copies, says = before.copies + new.copies, before.says or new.says
                new = DeckCard(part, copies, before.name, says)
            merged[new.key] = new
    return tuple(merged.values())


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
            says = listed.remarks or card.says
            after[card.key] = DeckCard(card.part, card.copies + listed.count, card.name, says)
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
