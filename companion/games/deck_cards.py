"""The cards of a deck from a list as they are stored: lines of its list, and what changed between two lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.games.decklist import DeckList, ListedCard

_GAPS = re.compile(r"[^\w]+")


class DeckCard(msgspec.Struct, frozen=True):
    """So many copies of a card in one part of a deck; `says` are the words behind the bars of its line."""

    part: str
    copies: int
    name: str
    says: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What makes two lines one card of a deck; capitals make no difference."""
        return self.part, self.name.casefold()

    @property
    def listed(self) -> ListedCard:
        """The line as a deck list's."""
        return ListedCard(0, self.copies, self.name, self.says)

    @property
    def line(self) -> str:
        """`4 Ash Wolf | creature | ronum 3`"""
        return " | ".join((f"{self.copies} {self.name}", *self.says))


class Change(NamedTuple):
    """A card of which a deck has more (or fewer) copies than before; or as many, which say something else."""

    card: DeckCard
    more: int

    @property
    def text(self) -> str:
        """`+2 Ember`, `−1 Flare`, `Ash Wolf says something else`"""
        if not self.more:
            return f"{self.card.name} says something else"
        return f"{'+' if self.more > 0 else '−'}{abs(self.more)} {self.card.name}"


def cards_of(deck_list: DeckList, parts: Iterable[str]) -> tuple[DeckCard, ...]:
    """The cards of a list, those of one name in a part on one line, in the order of the list."""
    found: dict[tuple[str, str], DeckCard] = {}
    for part in parts:
        for card in deck_list.section(part).cards:
            new = DeckCard(part, card.count, card.name, card.told)
            if before := found.get(new.key):
                copies, says = before.copies + new.copies, before.says or new.says
                new = DeckCard(part, copies, before.name, says)
            found[new.key] = new
    return tuple(found.values())


def changes(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> tuple[Change, ...]:
    """What makes one list of the other: what came, in its order, then what went."""
    return (*_more(before, after), *_gone(before, after))


def _more(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> Iterator[Change]:
    had = by_key(before)
    for card in after:
        old = had.get(card.key)
        more = card.copies - (old.copies if old else 0)
        if more > 0 or (old and not more and old.says != card.says):
            yield Change(card, more)


def _gone(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> Iterator[Change]:
    has = by_key(after)
    for card in before:
        less = card.copies - (has[card.key].copies if card.key in has else 0)
        if less > 0:
            yield Change(card, -less)


def change_text(before: Sequence[DeckCard], after: Sequence[DeckCard]) -> str:
    """`+2 Ember, −2 Flare`"""
    return ", ".join(change.text for change in changes(before, after)) or "nothing changed"


def counted(cards: Sequence[DeckCard]) -> str:
    """`60 main, 4 forge`"""
    sizes: dict[str, int] = {}
    for card in cards:
        sizes[card.part] = sizes.get(card.part, 0) + card.copies
    return ", ".join(f"{size} {part}" for part, size in sizes.items()) or "no cards"


def by_key(cards: Iterable[DeckCard]) -> Mapping[tuple[str, str], DeckCard]:
    """Cards by what makes them one."""
    return {card.key: card for card in cards}


def handle(name: str) -> str:
    """The word by which lines call a card: `Ash Wolf` → `ash-wolf`; never a number alone."""
    word = _GAPS.sub("-", name.casefold()).strip("-_")
    return f"card-{word}".rstrip("-") if not word or word.replace("-", "").isdecimal() else word


def text_of(game: str, cards: Iterable[DeckCard]) -> str:
    """Cards as a deck list, to be written to a file and read again."""
    lines: list[str] = []
    part = None
    for card in cards:
        if card.part != part:
            lines += [*([""] if lines else []), f"{game} {card.part}"]
            part = card.part
        lines.append(card.line)
    return "".join(f"{line}\n" for line in lines)
