"""Soul-Forger's deck lists: the rules for building a deck (V2.1–V2.7), one function each.

    soulforger main                     the Main Deck: creatures and actions
    4 Ash Wolf | creature
    4 Ember | action
    soulforger forge                    the Forge Deck: equipment; may be left out
    2 Long Bow | weapon | hands 2
    soulforger gear                     the Starting Gear, outside both decks
    Rusty Blade | weapon | starting | hands 1
    Old Coat | armor | starting
    Tin Ring | accessory | starting

The name is followed by the type and then by the features of the card: `starting` for the Starting Gear flag, `token`,
`hands N` for a weapon, and its cost: `cost 8` for Ronum from the Material Zone, otherwise the words on the card. The
rules of play are elsewhere; a table uses the list for the names, figures and costs of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, get_args

import msgspec

from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.state import DECK_SIZE, HANDS, LARGEST_DECK, EquipmentType
from companion.tabletop.action import Action, NotationError
from companion.tabletop.decks.decklist import DeckList, ListedCard, line_finding
from companion.tabletop.decks.form import Finding
from companion.tabletop.notation.arguments import Words
from companion.tabletop.notation.notation import grammar
from templates.languages.messages import Message, phrase, phrase_in, phrases
from templates.languages.messages import listed as list_words

LARGEST_FORGE: Final = 10
"""R2.2: the maximum size of a Forge Deck."""
COPIES: Final = 4
"""R2.2: the maximum copies of one card in one deck."""

SECTIONS: Final = ("main", "forge", "gear")
MAIN_TYPES: Final = ("creature", "action")
EQUIPMENT_TYPES: Final[tuple[str, ...]] = get_args(EquipmentType)
TYPE_WORDS: Final[dict[str, Message]] = {
    "creature": phrase_in("type of card", "creature"),
    "action": phrase_in("type of card", "action"),
    "weapon": phrase_in("type of card", "weapon"),
    "armor": phrase_in("type of card", "armor"),
    "accessory": phrase_in("type of card", "accessory"),
}
"""The types of cards as they stand in brackets."""
_FLAGS: Final = ("starting", "token")
_MATERIAL: Final = re.compile(r"(?:m )?(\d{1,3})(?: ronum)?", re.IGNORECASE)
PLAYED_WITH: Final[dict[str, type[Action]]] = {
    "creature": do.Summon,
    "action": do.PlayAction,
    **dict.fromkeys(EQUIPMENT_TYPES, do.ForgeEquipment),
}
"""The line that plays each type of card. The remarks behind bars are arguments of that line."""


class Card(msgspec.Struct, frozen=True):
    """A parsed line of the list. `type` is empty for a token without one, and `hands` is None if not given."""

    line: int
    count: int
    name: str
    type: str
    starting: bool
    token: bool
    hands: int | None


class Part(msgspec.Struct, frozen=True):
    """The Main Deck, the Forge Deck or the Starting Gear. `line` is its first line, or 0 if the list lacks it."""

    line: int
    cards: tuple[Card, ...]

    @property
    def count(self) -> int:
        """The number of cards."""
        return sum(card.count for card in self.cards)


class SoulForgerDeckList:
    """The deck-building rules of Soul-Forger (V2.*)."""

    def findings(self, deck_list: DeckList) -> Iterator[Finding]:
        """Yield all problems, each with its rule and line, including unreadable lines."""
        unclear: list[Finding] = []
        for section in deck_list.sections:
            if section.name not in SECTIONS:
                if section.name:
                    problem = phrase(
                        "“{part}” is not a part of a deck; write soulforger main, forge or gear", part=section.name
                    )
                else:
                    problem = phrase("the part of the deck is missing; write soulforger main, forge or gear")
                unclear.append(line_finding(section.line, problem, unreadable=True))
        main, forge, gear = (_read_part(deck_list, name, unclear) for name in SECTIONS)
        yield from unclear
        yield from main_size(main)
        yield from main_types(main)
        yield from forge_deck(forge)
        yield from copies(main, is_main=True)
        yield from copies(forge, is_main=False)
        yield from one_of_each(gear)
        yield from starting_gear(gear)
        for part in (main, forge, gear):
            yield from no_tokens(part)
        yield from hands(gear)


def main_size(main: Part) -> Iterator[Finding]:
    """V2.1: check for 60 to 75 cards in the Main Deck."""
    if not DECK_SIZE <= main.count <= LARGEST_DECK:
        problem = phrases(
            "the Main Deck has {n} card; {least} to {most} are needed (V2.1)",
            "the Main Deck has {n} cards; {least} to {most} are needed (V2.1)",
            n=main.count,
            least=DECK_SIZE,
            most=LARGEST_DECK,
        )
        yield line_finding(main.line, problem)


def main_types(main: Part) -> Iterator[Finding]:
    """V2.2: check for only creatures and actions in the Main Deck."""
    for card in main.cards:
        if card.type in EQUIPMENT_TYPES:
            problem = phrase(
                "{card} is equipment ({type}); the Main Deck takes creatures and actions only (V2.2)",
                card=card.name,
                type=TYPE_WORDS[card.type],
            )
            yield line_finding(card.line, problem)


def forge_deck(forge: Part) -> Iterator[Finding]:
    """V2.3: check for at most 10 cards in the Forge Deck, all equipment, none with Starting Gear."""
    if forge.count > LARGEST_FORGE:
        problem = phrase(
            "the Forge Deck has {cards} cards; at most {most} are allowed (V2.3)", cards=forge.count, most=LARGEST_FORGE
        )
        yield line_finding(forge.line, problem)
    for card in forge.cards:
        if card.type in MAIN_TYPES:
            problem = phrase("{card} is not equipment; the Forge Deck takes nothing else (V2.3)", card=card.name)
            yield line_finding(card.line, problem)
        if card.starting:
            problem = phrase(
                "{card} is Starting Gear, which has no place in the Forge Deck; list it under gear (V2.3)",
                card=card.name,
            )
            yield line_finding(card.line, problem)


def copies(deck: Part, *, is_main: bool) -> Iterator[Finding]:
    """V2.4: check for at most 4 copies of a name in one deck, over all its lines."""
    names: dict[str, list[Card]] = {}
    for card in deck.cards:
        names.setdefault(card.name.casefold(), []).append(card)
    for same in names.values():
        if too_many := _first_card_beyond(same, COPIES):
            figures = {"total": sum(card.count for card in same), "card": same[0].name, "most": COPIES}
            if is_main:
                problem = phrase(
                    "{total} copies of {card} in the Main Deck; at most {most} are allowed (V2.4)", **figures
                )
            else:
                problem = phrase(
                    "{total} copies of {card} in the Forge Deck; at most {most} are allowed (V2.4)", **figures
                )
            yield line_finding(too_many.line, problem)


def one_of_each(gear: Part) -> Iterator[Finding]:
    """V2.5, first half: check that the gear is 1 weapon, 1 armor and 1 accessory."""
    for kind in EQUIPMENT_TYPES:
        pieces = [card for card in gear.cards if card.type == kind]
        if not pieces:
            yield line_finding(gear.line, _describe_missing_piece(kind))
        elif too_many := _first_card_beyond(pieces, 1):
            yield line_finding(too_many.line, _describe_second_piece(too_many.name, kind))


def _describe_missing_piece(kind: str) -> Message:
    if kind == "weapon":
        return phrase("the Starting Gear lacks its weapon; it has one of each type (V2.5)")
    if kind == "armor":
        return phrase("the Starting Gear lacks its armor; it has one of each type (V2.5)")
    return phrase("the Starting Gear lacks its accessory; it has one of each type (V2.5)")


def _describe_second_piece(card: str, kind: str) -> Message:
    if kind == "weapon":
        return phrase("{card} is one weapon too many; the Starting Gear has one of each type (V2.5)", card=card)
    if kind == "armor":
        return phrase("{card} is one piece of armor too many; the Starting Gear has one of each type (V2.5)", card=card)
    return phrase("{card} is one accessory too many; the Starting Gear has one of each type (V2.5)", card=card)


def starting_gear(gear: Part) -> Iterator[Finding]:
    """V2.5, second half: check that all gear is equipment with the Starting Gear flag."""
    for card in gear.cards:
        if card.type in MAIN_TYPES:
            problem = phrase("{card} is not equipment and cannot be gear (V2.5)", card=card.name)
            yield line_finding(card.line, problem)
        elif card.type and not card.starting:
            problem = phrase(
                "{card} is not marked as Starting Gear; if the card says so, add “| starting” (V2.5)",
                card=card.name,
            )
            yield line_finding(card.line, problem)


def no_tokens(part: Part) -> Iterator[Finding]:
    """V2.6: check for tokens, which are not allowed."""
    for card in part.cards:
        if card.token:
            problem = phrase("{card} is a token; tokens are never part of a deck (V2.6)", card=card.name)
            yield line_finding(card.line, problem)


def hands(gear: Part) -> Iterator[Finding]:
    """V2.7: check that the starting weapon takes at most 2 hands. Warn if its hands are not given."""
    for card in gear.cards:
        if card.type == "weapon" and card.hands is None:
            problem = phrase(
                "the hands of {card} are missing and were not checked; add “| hands N” (V2.7)", card=card.name
            )
            yield line_finding(card.line, problem, warning=True)
        elif card.hands is not None and card.hands > HANDS:
            problem = phrase(
                "{card} takes {hands} hands; a starting weapon takes {most} at most (V2.7)",
                card=card.name,
                hands=card.hands,
                most=HANDS,
            )
            yield line_finding(card.line, problem)


def _first_card_beyond(cards: Iterable[Card], most: int) -> Card | None:
    """Return the card with which the count exceeds the maximum, or None."""
    total = 0
    for card in cards:
        total += card.count
        if total > most:
            return card
    return None


def _read_part(deck_list: DeckList, name: str, unclear: list[Finding]) -> Part:
    section = deck_list.section(name)
    return Part(section.line, tuple(_read_card(listed, unclear) for listed in section.cards))


def _read_card(listed: ListedCard, unclear: list[Finding]) -> Card:
    """Parse a line of the list; its problems are added to `unclear`."""
    card = parse_remarks(listed)
    unclear += [line_finding(listed.line, problem, unreadable=True) for problem in card.problems]
    if not (card.type or card.flags or card.problems):
        # Lists of other programs have no types; their decks are kept all the same.
        problem = phrase(
            "the type of {card} is missing; write creature, action, weapon, armor or accessory, then starting, "
            "token, hands N, cost N or what its line says",
            card=listed.name,
        )
        unclear.append(line_finding(listed.line, problem))
    hands = card.figures.get("hands")
    return Card(
        listed.line, listed.count, listed.name, card.type, "starting" in card.flags, "token" in card.flags, hands
    )


class SoulForgerRemarks(NamedTuple):
    """The parsed remarks behind the bars of a line: the type, the flags, and the figures.

    `figures` are by the fields of the line that plays the card. `cost` is the cost in the words of the list, and
    `problems` are the remarks that could not be parsed.
    """

    type: str
    flags: frozenset[str]
    figures: Mapping[str, Any]
    problems: tuple[Message, ...]
    cost: str = ""

    @property
    def material(self) -> int:
        """The Ronum cost from the Material Zone; 0 if the card is free or has another cost (R2.17)."""
        ronum = _MATERIAL.fullmatch(self.cost)
        return int(ronum[1]) if ronum else 0


def parse_remarks(listed: ListedCard) -> SoulForgerRemarks:
    """Parse a line of a deck list."""
    parts = [" ".join(part.lower().split()) for part in listed.remarks if part.strip()]
    types = [part for part in parts if part in PLAYED_WITH]
    flags = [part for part in parts if part in _FLAGS]
    problems = [
        phrase(
            "{card} has “{remark}” and “{other}”; write only one of them, once",
            remark=words[0],
            other=again,
            card=listed.name,
        )
        for words in (types, *([flag for flag in flags if flag == each] for each in _FLAGS))
        for again in words[1:]
    ]
    costs = [" ".join(part.split()[1:]) for part in listed.remarks if _is_cost(part)]
    problems += [
        phrase("{card} has two costs; write all that it costs after a single `cost`", card=listed.name)
        for _ in costs[1:]
    ]
    figures: dict[str, Any] = {}
    for part in parts:
        if part not in (*PLAYED_WITH, *_FLAGS) and not _is_cost(part):
            problems += _add_figures(figures, types[0] if types else "", part, listed.name)
    cost = costs[0] if costs else ""
    return SoulForgerRemarks(types[0] if types else "", frozenset(flags), figures, tuple(problems), cost)


def _is_cost(part: str) -> bool:
    return part.lower().split()[:1] == ["cost"] and len(part.split()) > 1


def _add_figures(figures: dict[str, Any], type_: str, part: str, name: str) -> Iterator[Message]:
    """Add the figures in a remark to those of its card, and yield its problems."""
    values = _read_figures(type_, part)
    if "hands" in values and type_ not in ("weapon", ""):
        yield phrase("{card} is not a weapon; leave out “{remark}”", card=name, remark=part)
    elif again := figures.keys() & values.keys():
        yield phrase(
            "“{remark}” repeats the {words} of {card}; write it once",
            remark=part,
            words=list_words(sorted(again)),
            card=name,
        )
    elif not values or values.get("hands") == 0:
        yield phrase(
            "“{remark}” is not known; write creature, action, weapon, armor or accessory, then starting, token, "
            "hands N, cost N or what its line says",
            remark=part,
        )
    figures.update(values)


def _read_figures(type_: str, part: str) -> Mapping[str, Any]:
    """Return the figures in a remark for a card of this type, or of any type if it is unknown. They may be empty."""
    for action in (PLAYED_WITH[type_],) if type_ else dict.fromkeys(PLAYED_WITH.values()):
        try:
            return grammar(action).on_card(Words.of(part))
        except NotationError:
            continue
    return {}
