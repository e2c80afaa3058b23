"""What makes a deck list an archive of Odd Frontier (V3.*). Separate from the table, which only counts cards.

oddfrontier main
4 Steam Works | engine               after the name comes the type: engine, creature, artifact,
4 Ash Wolf | creature | Wolf | 2/3   phenomenon or magic; of a creature also its subtype and its ATK/DEF
4 Flare | magic

oddfrontier house                    only where people agreed on house rules, as after `rule` at the table
unlimited-engines yes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from companion.games.action import NotationError, RuleError
from companion.games.decklist import DeckList, ListedCard, ListSection
from companion.games.form import Finding, Place
from companion.games.oddfrontier.house import House
from companion.games.oddfrontier.state import ARCHIVE_SIZES, cards

MOST_COPIES: Final = 4
"""R3.1: of a card."""
TYPES: Final = ("engine", "creature", "artifact", "phenomenon", "magic")
"""R3.12, by the word in a list."""
PARTS: Final = ("main", "house")
_FIGURES: Final = re.compile(r"\d+ ?/ ?\d+", re.ASCII)


class ArchiveRules:
    """V3.1 to V3.3: how many cards, how many of the same, and what must be told of each."""

    def findings(self, deck_list: DeckList) -> Iterator[Finding]:
        """Everything that is wrong or doubtful, each with its rule at its line."""
        main, house = deck_list.section("main"), House()
        yield from _parts(deck_list.sections)
        for rule in deck_list.section("house").cards:
            try:
                house = _agreed(house, rule)
            except (NotationError, RuleError) as error:
                yield _at(rule.line, str(error), unreadable=isinstance(error, NotationError))
        yield from size(main, main.line or deck_list.sections[0].line)
        yield from copies(main.cards, house)
        yield from types(main.cards)
        yield from one_type(main.cards)
        yield from engines(main)


def size(main: ListSection, line: int) -> Iterator[Finding]:
    """V3.1: an archive has 36 to 40 cards."""
    if main.count not in ARCHIVE_SIZES:
        low, high = ARCHIVE_SIZES[0], ARCHIVE_SIZES[-1]
        yield _at(line, f"“main” has {cards(main.count)}; an archive has {low} to {high} (V3.1).")


def copies(listed: Iterable[ListedCard], house: House) -> Iterator[Finding]:
    """V3.2: at most 4 copies of a card, on however many lines; of Engines any number where that is agreed (A3.8)."""
    for same in _by_name(listed):
        count = sum(card.count for card in same)
        all_engines = all(_type(card) == "engine" for card in same)
        if count <= MOST_COPIES or (all_engines and house.unlimited_engines):
            continue
        way_out = "; `unlimited-engines yes` below `oddfrontier house` allows more (A3.8)" if all_engines else ""
        told = f"{count} copies of {same[0].name}; {MOST_COPIES} are the most (V3.2){way_out}."
        yield _at(same[-1].line, told)


def types(listed: Iterable[ListedCard]) -> Iterator[Finding]:
    """V3.3: every card has one of the five types, and a Creature its subtype, attack and defense."""
    for card in listed:
        if _type(card) not in TYPES:
            said = f"has the type “{card.told[0]}”" if _type(card) else "has no type"
            yield _at(
                card.line, f"{card.name} {said}; write {', '.join(TYPES[:-1])} or {TYPES[-1]} after a bar (V3.3)."
            )
        elif _type(card) == "creature":
            yield from _creature(card)
        else:
            yield from _unknown(card, card.told[1:])


def one_type(listed: Iterable[ListedCard]) -> Iterator[Finding]:
    """V3.3: a card that stands on several lines is of the same type on each."""
    for first, *others in _by_name(card for card in listed if _type(card) in TYPES):
        for card in others:
            if _type(card) != _type(first):
                told = f"{card.name} is a card of type {_type(first)} on line {first.line}, and has only one (V3.3)."
                yield _at(card.line, told)


def engines(main: ListSection) -> Iterator[Finding]:
    """The warning beside V3.3: without an Engine there is hardly any energy."""
    if main.cards and not any(_type(card) == "engine" for card in main.cards):
        told = "no Engine is among the cards, and Engines are what gives energy (V3.3, R3.5)."
        yield _at(main.line, told, warning=True)


def _creature(card: ListedCard) -> Iterator[Finding]:
    """Of what is told of a Creature, in any order, the figures are what has a stroke; the other is its subtype."""
    told = [part for part in card.told[1:] if part]
    figures = [part for part in told if "/" in part]
    subtypes = [part for part in told if "/" not in part]
    lacking = [what for what, given in (("subtype", subtypes), ("attack and defense", figures)) if not given]
    if lacking:
        example = f"“{card.name} | creature | Wolf | 2/3”"
        yield _at(card.line, f"the creature {card.name} lacks its {' and its '.join(lacking)}; write {example} (V3.3).")
    for both in figures[:1]:
        if not _FIGURES.fullmatch(both):
            yield _at(card.line, f"“{both}” is not ATK/DEF; write two whole numbers, as 2/3.", unreadable=True)
    yield from _unknown(card, (*subtypes[1:], *figures[1:]))


def _unknown(card: ListedCard, words: Iterable[str]) -> Iterator[Finding]:
    for word in words:
        if word:
            told = (
                f"nothing is known as “{word}” of the {_type(card)} {card.name}; leave it out, or write it after a #."
            )
            yield _at(card.line, told, unreadable=True)


def _parts(sections: Iterable[ListSection]) -> Iterator[Finding]:
    for section in sections:
        if section.name not in PARTS:
            said = f"an archive has no part “{section.name}”" if section.name else "the part of the deck is missing"
            yield _at(section.line, f"{said}; write “oddfrontier main” above its cards.", unreadable=True)


def _agreed(house: House, rule: ListedCard) -> House:
    """The house rules with one more. Raises NotationError, RuleError."""
    if rule.count != 1 or rule.told:
        raise NotationError("a house rule is its key and its value, as in “unlimited-engines yes”.")
    key, _, word = rule.name.partition(" ")
    return house.agreed(key, word)


def _by_name(listed: Iterable[ListedCard]) -> Iterable[list[ListedCard]]:
    """The lines of each card; capitals make no other card."""
    named: dict[str, list[ListedCard]] = {}
    for card in listed:
        named.setdefault(card.name.casefold(), []).append(card)
    return named.values()


def _type(card: ListedCard) -> str:
    return card.told[0].lower() if card.told else ""


def _at(line: int, text: str, *, warning: bool = False, unreadable: bool = False) -> Finding:
    return Finding(f"Line {line}: {text}", warning=warning, place=Place(entry=line), unreadable=unreadable)
