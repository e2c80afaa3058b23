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
from companion.tabletop.text import quantity

LARGEST_FORGE: Final = 10
"""R2.2: the maximum size of a Forge Deck."""
COPIES: Final = 4
"""R2.2: the maximum copies of one card in one deck."""

SECTIONS: Final = ("main", "forge", "gear")
MAIN_TYPES: Final = ("creature", "action")
EQUIPMENT_TYPES: Final[tuple[str, ...]] = get_args(EquipmentType)
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
                problem = (
                    f"“{section.name}” is no part of a deck" if section.name else "the part of the deck is missing"
                )
                unclear.append(
                    line_finding(section.line, f"{problem}; write soulforger main, forge or gear", unreadable=True)
                )
        main, forge, gear = (_read_part(deck_list, name, unclear) for name in SECTIONS)
        yield from unclear
        yield from main_size(main)
        yield from main_types(main)
        yield from forge_deck(forge)
        yield from copies(main, "the Main Deck")
        yield from copies(forge, "the Forge Deck")
        yield from one_of_each(gear)
        yield from starting_gear(gear)
        for part in (main, forge, gear):
            yield from no_tokens(part)
        yield from hands(gear)


def main_size(main: Part) -> Iterator[Finding]:
    """V2.1: check for 60 to 75 cards in the Main Deck."""
    if not DECK_SIZE <= main.count <= LARGEST_DECK:
        cards = quantity(main.count, "card")
        yield line_finding(main.line, f"the Main Deck has {cards}; {DECK_SIZE} to {LARGEST_DECK} are needed (V2.1)")


def main_types(main: Part) -> Iterator[Finding]:
    """V2.2: check for only creatures and actions in the Main Deck."""
    for card in main.cards:
        if card.type in EQUIPMENT_TYPES:
            problem = f"{card.name} is equipment ({card.type}); the Main Deck takes creatures and actions only (V2.2)"
            yield line_finding(card.line, problem)


def forge_deck(forge: Part) -> Iterator[Finding]:
    """V2.3: check for at most 10 cards in the Forge Deck, all equipment, none with Starting Gear."""
    if forge.count > LARGEST_FORGE:
        yield line_finding(forge.line, f"the Forge Deck has {forge.count} cards; {LARGEST_FORGE} are the most (V2.3)")
    for card in forge.cards:
        if card.type in MAIN_TYPES:
            yield line_finding(card.line, f"{card.name} is no equipment; the Forge Deck takes nothing else (V2.3)")
        if card.starting:
            problem = (
                f"{card.name} is Starting Gear, which has no place in the Forge Deck; only the gear may have it (V2.3)"
            )
            yield line_finding(card.line, problem)


def copies(deck: Part, called: str) -> Iterator[Finding]:
    """V2.4: check for at most 4 copies of a name in one deck, over all its lines."""
    names: dict[str, list[Card]] = {}
    for card in deck.cards:
        names.setdefault(card.name.casefold(), []).append(card)
    for same in names.values():
        if too_many := _first_card_beyond(same, COPIES):
            total = sum(card.count for card in same)
            problem = f"{total} copies of {same[0].name} in {called}; {COPIES} are the most (V2.4)"
            yield line_finding(too_many.line, problem)


def one_of_each(gear: Part) -> Iterator[Finding]:
    """V2.5, first half: check that the gear is 1 weapon, 1 armor and 1 accessory."""
    for kind in EQUIPMENT_TYPES:
        pieces = [card for card in gear.cards if card.type == kind]
        if not pieces:
            yield line_finding(gear.line, f"the Starting Gear lacks its {kind}; it has one of each type (V2.5)")
        elif too_many := _first_card_beyond(pieces, 1):
            problem = f"{too_many.name} is one {kind} too many; the Starting Gear has one of each type (V2.5)"
            yield line_finding(too_many.line, problem)


def starting_gear(gear: Part) -> Iterator[Finding]:
    """V2.5, second half: check that all gear is equipment with the Starting Gear flag."""
    for card in gear.cards:
        if card.type in MAIN_TYPES:
            yield line_finding(card.line, f"{card.name} is no equipment and cannot be gear (V2.5)")
        elif card.type and not card.starting:
            problem = f"{card.name} is not said to be Starting Gear; where the card says so, add “| starting” (V2.5)"
            yield line_finding(card.line, problem)


def no_tokens(part: Part) -> Iterator[Finding]:
    """V2.6: check for tokens, which are not allowed."""
    for card in part.cards:
        if card.token:
            yield line_finding(card.line, f"{card.name} is a token; tokens are never part of a deck (V2.6)")


def hands(gear: Part) -> Iterator[Finding]:
    """V2.7: check that the starting weapon takes at most 2 hands. Warn if its hands are not given."""
    for card in gear.cards:
        if card.type == "weapon" and card.hands is None:
            problem = f"the hands of {card.name} are not said, so nobody checked them; add “| hands N” (V2.7)"
            yield line_finding(card.line, problem, warning=True)
        elif card.hands is not None and card.hands > HANDS:
            yield line_finding(
                card.line, f"{card.name} takes {card.hands} hands; a starting weapon takes {HANDS} at most (V2.7)"
            )


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
    problems: tuple[str, ...]
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
        f"“{words[0]}” and “{again}” of {listed.name}; say one of them, once"
        for words in (types, *([flag for flag in flags if flag == each] for each in _FLAGS))
        for again in words[1:]
    ]
    costs = [" ".join(part.split()[1:]) for part in listed.remarks if _is_cost(part)]
    problems += [f"two costs of {listed.name}; say all that it costs behind one `cost`" for _ in costs[1:]]
    figures: dict[str, Any] = {}
    for part in parts:
        if part not in (*PLAYED_WITH, *_FLAGS) and not _is_cost(part):
            problems += _add_figures(figures, types[0] if types else "", part, listed.name)
    if not (types or flags or problems):
        problems.append(f"the type of {listed.name} is missing; write {_TYPES_TO_WRITE}")
    cost = costs[0] if costs else ""
    return SoulForgerRemarks(types[0] if types else "", frozenset(flags), figures, tuple(problems), cost)


def _is_cost(part: str) -> bool:
    return part.lower().split()[:1] == ["cost"] and len(part.split()) > 1


def _add_figures(figures: dict[str, Any], type_: str, part: str, name: str) -> Iterator[str]:
    """Add the figures in a remark to those of its card, and yield its problems."""
    values = _read_figures(type_, part)
    if "hands" in values and type_ not in ("weapon", ""):
        yield f"{name} is no weapon; leave out its “{part}”"
    elif again := figures.keys() & values.keys():
        yield f"“{part}” says again what the {', '.join(sorted(again))} of {name} is; say it once"
    elif not values or values.get("hands") == 0:
        yield f"“{part}” is not known; write {_TYPES_TO_WRITE}"
    figures.update(values)


def _read_figures(type_: str, part: str) -> Mapping[str, Any]:
    """Return the figures in a remark for a card of this type, or of any type if it is unknown. They may be empty."""
    for action in (PLAYED_WITH[type_],) if type_ else dict.fromkeys(PLAYED_WITH.values()):
        try:
            return grammar(action).on_card(Words.of(part))
        except NotationError:
            continue
    return {}


_TYPES_TO_WRITE: Final = (
    "creature, action, weapon, armor or accessory, then starting, token, hands N, cost N or what its line says"
)
