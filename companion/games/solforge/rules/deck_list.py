"""Deck lists of SolForge: the parts of a list, the remarks on a card after bars, and the rules for decks (V4.*).

solforge main                          the deck; other formats: `draft`, `overdraft` or `scramble` for `main`
3 Ash Wolf | creature | tempys         `creature` or `spell`, and the faction; each is optional
solforge solbind                       cards that Solbind adds when a game starts, not counted; optional
solforge cards                         all existing cards, to check names against; optional
Ash Wolf | creature | tempys           a faction here, or on any line of the card, applies to all its lines
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple
from unicodedata import normalize

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.house import House
from companion.games.solforge.rules.state import MAX_LEVEL
from companion.tabletop.action import NotationError
from companion.tabletop.decks.decklist import DeckList, ListedCard, ListSection, line_finding
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.notation.arguments import Words
from companion.tabletop.notation.notation import grammar
from templates.languages.messages import all_of, listed, phrase, phrases

_Format = Literal["constructed", "draft", "scramble", "overdraft"]

FORMATS: Final[dict[str, _Format]] = {
    "main": "constructed",
    "draft": "draft",
    "overdraft": "overdraft",
    "scramble": "scramble",
}
"""The part that holds a deck, and the format for which it is built (R4.24)."""
SOLBIND: Final = "solbind"
CARDS: Final = "cards"
TYPES: Final = ("creature", "spell")
FLAGS: Final = ("free", "overload")
"""The flags that a card may have at every level (R4.5, R4.20)."""
FACTIONS: Final = ("alloyin", "nekrium", "tempys", "uterra")
"""R4.23."""
MOST_FACTIONS: Final = 2
"""V4.2."""
MOST_COPIES: Final = 3
"""V4.3."""


class SolForgeDeck(NamedTuple):
    """The contents of a list: the deck, its format, the cards of Solbind, all existing cards, and factions by name."""

    main: ListSection
    format: _Format
    solbind: ListSection
    cards: ListSection
    factions: dict[str, str]


class SolForgeDeckList:
    """The rules for decks of SolForge (V4.1–V4.5)."""

    def findings(self, deck_list: DeckList) -> Iterable[Finding]:
        """Yield unreadable parts and, if the list holds one deck, broken rules and rules that could not be checked."""
        yield from _strange_parts(deck_list)
        yield from _strange_words(deck_list)
        yield from _check_contradictions(deck_list)
        parts = [part for part in FORMATS if deck_list.section(part).line]
        if len(parts) != 1:
            yield from _not_one_deck(deck_list, parts)
            return
        factions = {name: min(words) for name, words in _cards_by_word(deck_list, FACTIONS).items()}
        main, solbind, cards = (deck_list.section(part) for part in (parts[0], SOLBIND, CARDS))
        deck = SolForgeDeck(main, FORMATS[parts[0]], solbind, cards, factions)
        for rule in (
            _check_size,
            _check_factions,
            _check_known_factions,
            _check_copies,
            _check_names,
            _check_singletons,
        ):
            yield from rule(deck)


# Unreadable parts


def _strange_parts(deck_list: DeckList) -> Iterator[Finding]:
    """Yield the parts that no list has."""
    parts = (*FORMATS, SOLBIND, CARDS)
    for section in deck_list.sections:
        if section.name not in parts:
            if section.name:
                problem = phrase(
                    "“{part}” is not a part of a deck list; write one of {parts} after the game",
                    part=section.name,
                    parts=listed(parts),
                )
            else:
                problem = phrase("the part is missing; write one of {parts} after the game", parts=listed(parts))
            yield line_finding(section.line, problem, unreadable=True)


def _strange_words(deck_list: DeckList) -> Iterator[Finding]:
    """Yield the words after bars that mean nothing for a card."""
    for card in _all_cards(deck_list):
        for word in parse_remarks(card).strange:
            problem = phrase(
                "“{word}” is not known for {card}; write one of {words}, or a creature's figures, such as “{example}”",
                word=word,
                card=card.name,
                words=listed((*TYPES, *FACTIONS, *FLAGS)),
                example="level 2 7/8 has armor=1",
            )
            yield line_finding(card.line, problem, unreadable=True)


class SolForgeRemarks(NamedTuple):
    """The remarks on a line of a deck list.

    `levels` are the figures of a creature at each level, by the fields of the line that plays it. `flags` are `free`
    and `overload`. `strange` are words that cannot be read.
    """

    levels: Mapping[int, Mapping[str, Any]]
    strange: tuple[str, ...]
    flags: frozenset[str] = frozenset()


def parse_remarks(card: ListedCard) -> SolForgeRemarks:
    """Read the remarks on a line of a deck list, word by word."""
    levels: dict[int, Mapping[str, Any]] = {}
    strange: list[str] = []
    flags = frozenset(map(str.lower, card.remarks)) & {*FLAGS}
    for word in filter(None, card.remarks):
        if word.lower() in (*TYPES, *FACTIONS, *FLAGS):
            continue
        level, figures = _read_level(word)
        if figures and level not in levels:
            levels[level] = figures
        else:
            strange.append(word)
    return SolForgeRemarks(levels, tuple(strange), flags)


def _read_level(word: str) -> tuple[int, Mapping[str, Any]]:
    """Read `level 2 7/8 has armor=1`, or `4/5` for level 1: return the level and the figures, or {} for other words."""
    first, _, rest = word.partition(" ")
    number, _, behind = rest.strip().partition(" ") if first.lower() == "level" else ("1", "", word)
    if not (number.isascii() and number.isdecimal() and len(number) == 1 and 1 <= int(number) <= MAX_LEVEL):
        return 0, {}
    try:
        return int(number), grammar(do.ForgeCreature).on_card(Words.of(behind))
    except NotationError:
        return 0, {}


def _check_contradictions(deck_list: DeckList) -> Iterator[Finding]:
    """Yield the cards with two types or two factions."""
    for words in (TYPES, FACTIONS):
        for lines in _cards_by_word(deck_list, words).values():
            (first, card), *others = lines.items()
            for word, other in others:
                problem = phrase(
                    "{card} is {word} here and {other} on line {line}; one of them is wrong",
                    card=other.name,
                    word=word,
                    other=first,
                    line=str(card.line),
                )
                yield line_finding(other.line, problem, unreadable=True)


def _not_one_deck(deck_list: DeckList, parts: list[str]) -> Iterator[Finding]:
    """Yield findings for a list without a deck, or with several."""
    if not parts:
        problem = phrase("the list has no deck; begin it with “{example}”", example=f"{deck_list.game} main")
        yield line_finding(deck_list.sections[0].line, problem, unreadable=True)
        return
    first, *others = sorted((deck_list.section(part) for part in parts), key=lambda section: section.line)
    for other in others:
        problem = phrase(
            "there is a deck “{part}” besides “{other}”; a list holds only one deck", part=other.name, other=first.name
        )
        yield line_finding(other.line, problem, unreadable=True)


# Rules for decks


def _check_size(deck: SolForgeDeck) -> Iterator[Finding]:
    """Check that the deck has the size of its format, without the cards of Solbind (V4.1, A4.12)."""
    size = House(format=deck.format).deck
    if deck.main.count != size:
        problem = phrases(
            "{n} cards; a deck has exactly {size} (V4.1)",
            "{n} cards; a deck has exactly {size} (V4.1)",
            n=deck.main.count,
            size=size,
        )
        yield line_finding(deck.main.line, problem)


def _check_factions(deck: SolForgeDeck) -> Iterator[Finding]:
    """Check that there are at most two factions, except in a scramble (V4.2, V4.5)."""
    first: dict[str, ListedCard] = {}
    for card in deck.main.cards:
        if faction := deck.factions.get(_name_key(card)):
            first.setdefault(faction, card)
    for faction, card in list(first.items())[MOST_FACTIONS:] if deck.format != "scramble" else ():
        problem = phrase(
            "{card} adds {faction} to {factions}; a deck has at most {most} factions (V4.2)",
            card=card.name,
            faction=faction.title(),
            factions=all_of(name.title() for name in list(first)[:MOST_FACTIONS]),
            most=MOST_FACTIONS,
        )
        yield line_finding(card.line, problem)


def _check_known_factions(deck: SolForgeDeck) -> Iterator[Finding]:
    """Warn about cards without a known faction, which V4.2 could not count."""
    lines = [card.line for card in deck.main.cards if _name_key(card) not in deck.factions]
    if lines and deck.format != "scramble":
        text = phrases(
            "Line {lines} does not name the faction, so it is not counted (V4.2); write it after a bar: “| tempys”.",
            "Lines {lines} do not name the faction, so it is not counted (V4.2); write it after a bar: “| tempys”.",
            n=len(lines),
            lines=listed(map(str, lines)),
        )
        yield Finding(text, warning=True, place=FormPlace(entry=lines[0]))


def _check_copies(deck: SolForgeDeck) -> Iterator[Finding]:
    """Check that there are at most three copies of a card in a constructed deck (V4.3)."""
    for card, copies in _excess_cards(deck.main, MOST_COPIES) if deck.format == "constructed" else ():
        problem = phrase(
            "{copies} copies of {card}; a deck has at most {most} (V4.3)",
            copies=copies,
            card=card.name,
            most=MOST_COPIES,
        )
        yield line_finding(card.line, problem)


def _check_names(deck: SolForgeDeck) -> Iterator[Finding]:
    """Check that every card exists, if the list has the existing cards (V4.4)."""
    names = {_name_key(card) for card in deck.cards.cards}
    for card in (*deck.main.cards, *deck.solbind.cards) if deck.cards.line else ():
        if _name_key(card) not in names:
            problem = phrase(
                "{card} is not in the list of cards that begins on line {line} (V4.4)",
                card=card.name,
                line=str(deck.cards.line),
            )
            yield line_finding(card.line, problem)


def _check_singletons(deck: SolForgeDeck) -> Iterator[Finding]:
    """Check that a scramble has every card only once (V4.5)."""
    for card, copies in _excess_cards(deck.main, 1) if deck.format == "scramble" else ():
        problem = phrase(
            "{copies} copies of {card}; in a scramble all cards are different (V4.5)", copies=copies, card=card.name
        )
        yield line_finding(card.line, problem)


# Reading a list


def _all_cards(deck_list: DeckList) -> Iterator[ListedCard]:
    return (card for section in deck_list.sections for card in section.cards)


def _name_key(card: ListedCard) -> str:
    """Return a key for a name that ignores case and the encoding of accents."""
    return normalize("NFC", card.name.casefold())


def _cards_by_word(deck_list: DeckList, words: tuple[str, ...]) -> dict[str, dict[str, ListedCard]]:
    """Return the `words` on the lines of each card, by its name, each with the first line that has it."""
    by_name: dict[str, dict[str, ListedCard]] = defaultdict(dict)
    for card in _all_cards(deck_list):
        for word in map(str.lower, card.remarks):
            if word in words:
                by_name[_name_key(card)].setdefault(word, card)
    return by_name


def _excess_cards(section: ListSection, most: int) -> Iterator[tuple[ListedCard, int]]:
    """Yield the cards with more than `most` copies, each at the line that exceeds it, with the total."""
    copies: dict[str, int] = defaultdict(int)
    reached: dict[str, ListedCard] = {}
    for card in section.cards:
        copies[_name_key(card)] += card.count
        if copies[_name_key(card)] > most:
            reached.setdefault(_name_key(card), card)
    return ((card, copies[name]) for name, card in reached.items())
