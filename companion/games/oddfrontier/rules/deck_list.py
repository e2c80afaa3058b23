"""Deck lists: how to read them, and the listed cards that a player can pay for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.energy import ready_engines
from companion.games.oddfrontier.rules.house import House
from companion.games.oddfrontier.rules.state import ARCHIVE_SIZES, FrontierTable
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.constructed.table import Brought
from companion.tabletop.decks.decklist import DeckList, ListedCard, ListSection, line_finding
from companion.tabletop.decks.form import Finding
from companion.tabletop.notation.arguments import Words
from companion.tabletop.notation.notation import grammar
from templates.languages.messages import Message, Text, any_of, phrase, phrase_in, phrases

MOST_COPIES: Final = 4
"""Maximum number of copies of a card (R3.1)."""
TYPES: Final = ("engine", "creature", "artifact", "phenomenon", "magic")
"""The types of cards (R3.12), by the word in a list."""
TYPE_NAMES: Final[Mapping[str, Message]] = {
    # Translators: the types of cards in a sentence: “the creature Ash Wolf”
    "engine": phrase_in("card type", "engine"),
    "creature": phrase_in("card type", "creature"),
    "artifact": phrase_in("card type", "artifact"),
    "phenomenon": phrase_in("card type", "phenomenon"),
    "magic": phrase_in("card type", "magic"),
}
"""The names of the types within a sentence."""
PARTS: Final = ("main", "house")
PLAYED_WITH: Final[dict[str, type[Action]]] = {
    "creature": do.Summon,
    "artifact": do.PlayPermanent,
    "phenomenon": do.PlayPermanent,
    "magic": do.Queue,
}
"""The action that plays a card, by its type. The words after the bars of a line are arguments of that action."""
_STROKE: Final = re.compile(r" ?/ ?")


class ArchiveRules:
    """The rules for archives (V3.1 to V3.3): the number of cards, of copies, and the facts required of each card."""

    def findings(self, deck_list: DeckList) -> Iterator[Finding]:
        """Yield everything that is wrong or doubtful, each with its rule and line."""
        main, house = deck_list.section("main"), House()
        yield from _check_parts(deck_list.sections)
        for rule in deck_list.section("house").cards:
            try:
                house = _agree_rule(house, rule)
            except (NotationError, RuleError) as error:
                yield line_finding(rule.line, error.sentence, unreadable=isinstance(error, NotationError))
        yield from check_size(main, main.line or deck_list.sections[0].line)
        yield from check_copies(main.cards, house)
        yield from check_types(main.cards)
        yield from one_type(main.cards)
        yield from check_engines(main)


def check_size(main: ListSection, line: int) -> Iterator[Finding]:
    """Check V3.1: an archive has 36 to 40 cards."""
    if main.count not in ARCHIVE_SIZES:
        low, high = ARCHIVE_SIZES[0], ARCHIVE_SIZES[-1]
        text = phrases(
            "“main” has {n} card; an archive has {low} to {high} (V3.1).",
            "“main” has {n} cards; an archive has {low} to {high} (V3.1).",
            n=main.count,
            low=low,
            high=high,
        )
        yield line_finding(line, text)


def check_copies(listed: Iterable[ListedCard], house: House) -> Iterator[Finding]:
    """Check V3.2: at most 4 copies of a card, over all lines; any number of Engines by house rule (A3.8)."""
    for same in _by_name(listed):
        count = sum(card.count for card in same)
        all_engines = all(_card_type(card) == "engine" for card in same)
        if count <= MOST_COPIES or (all_engines and house.unlimited_engines):
            continue
        if all_engines:
            problem = phrase(
                "{copies} copies of {card}; at most {most} are allowed (V3.2); `unlimited-engines "
                "yes` below `oddfrontier house` allows more (A3.8).",
                copies=count,
                card=same[0].name,
                most=MOST_COPIES,
            )
        else:
            problem = phrase(
                "{copies} copies of {card}; at most {most} are allowed (V3.2).",
                copies=count,
                card=same[0].name,
                most=MOST_COPIES,
            )
        yield line_finding(same[-1].line, problem)


def check_types(listed: Iterable[ListedCard]) -> Iterator[Finding]:
    """Check V3.3: every card has one of the five types, and a Creature its subtype, attack and defense."""
    for card in listed:
        if _card_type(card) not in TYPES:
            if _card_type(card):
                problem = phrase(
                    "{card} has the type “{type}”; write {types} after a bar (V3.3).",
                    card=card.name,
                    type=card.remarks[0],
                    types=any_of(TYPES),
                )
            else:
                problem = phrase(
                    "{card} has no type; write {types} after a bar (V3.3).", card=card.name, types=any_of(TYPES)
                )
            yield line_finding(card.line, problem)
        elif _card_type(card) == "creature":
            yield from _check_creature(card)
        else:
            yield from _unknown_word_findings(card, parse_remarks(card).strange)


def one_type(listed: Iterable[ListedCard]) -> Iterator[Finding]:
    """Check V3.3: a card on several lines has the same type on each."""
    for first, *others in _by_name(card for card in listed if _card_type(card) in TYPES):
        for card in others:
            if _card_type(card) != _card_type(first):
                problem = phrase(
                    "{card} has the type {type} on line {line}, and a card has only one type (V3.3).",
                    card=card.name,
                    type=TYPE_NAMES[_card_type(first)],
                    line=str(first.line),
                )
                yield line_finding(card.line, problem)


def check_engines(main: ListSection) -> Iterator[Finding]:
    """Yield the warning beside V3.3: without an Engine there is hardly any energy."""
    if main.cards and not any(_card_type(card) == "engine" for card in main.cards):
        problem = phrase("there is no Engine among the cards, and only Engines give energy (V3.3, R3.5).")
        yield line_finding(main.line, problem, warning=True)


def _check_creature(card: ListedCard) -> Iterator[Finding]:
    """Check that a Creature has its subtype and its figures, in any order."""
    remarks = parse_remarks(card)
    lacks_figures = not any("/" in part for part in card.remarks[1:])
    values = {"card": card.name, "example": f"{card.name} | creature | Wolf | 2/3"}
    if lacks_figures and not remarks.subtypes:
        problem = phrase(
            "the creature {card} lacks its subtype and its attack and defense; write “{example}” (V3.3).", **values
        )
        yield line_finding(card.line, problem)
    elif lacks_figures:
        problem = phrase("the creature {card} lacks its attack and defense; write “{example}” (V3.3).", **values)
        yield line_finding(card.line, problem)
    elif not remarks.subtypes:
        problem = phrase("the creature {card} lacks its subtype; write “{example}” (V3.3).", **values)
        yield line_finding(card.line, problem)
    yield from _unknown_word_findings(card, (*remarks.subtypes[1:], *remarks.strange))


class FrontierRemarks(NamedTuple):
    """The words after the bars of a line: the type, subtypes (exactly one is correct), and figures by field.

    The fields are those of the action that plays the card; `strange` words are not understood.
    """

    type: str
    subtypes: tuple[str, ...]
    figures: Mapping[str, Any]
    strange: tuple[str, ...]


def parse_remarks(card: ListedCard) -> FrontierRemarks:
    """Parse a line of a deck list, word by word."""
    type_, figures = _card_type(card), dict[str, Any]()
    left: list[str] = []
    for part in filter(None, card.remarks[1:]):
        values = _read_figures(type_, part)
        if values and not figures.keys() & values.keys():
            figures.update(values)
        else:
            left.append(part)
    subtypes = tuple(part for part in left if type_ == "creature" and "/" not in part)
    if type_ == "magic":
        figures["magic"] = True
    return FrontierRemarks(type_, subtypes, figures, tuple(part for part in left if part not in subtypes))


def _read_figures(type_: str, part: str) -> Mapping[str, Any]:
    """Return the values that a part gives for the action that plays a card of this type; {} if it gives none."""
    try:
        return grammar(PLAYED_WITH[type_]).on_card(Words.of(_STROKE.sub("/", part))) if type_ in PLAYED_WITH else {}
    except NotationError:
        return {}


def _unknown_word_findings(card: ListedCard, words: Iterable[str]) -> Iterator[Finding]:
    for word in words:
        if "/" in word and _card_type(card) == "creature" and "figures" not in parse_remarks(card).figures:
            problem = phrase("“{word}” is not ATK/DEF; write two whole numbers, such as 2/3.", word=word)
        else:
            problem = phrase(
                "“{word}” is not known for the {type} {card}; leave it out, or put a # before it.",
                word=word,
                type=TYPE_NAMES[_card_type(card)],
                card=card.name,
            )
        yield line_finding(card.line, problem, unreadable=True)


def _check_parts(sections: Iterable[ListSection]) -> Iterator[Finding]:
    for section in sections:
        if section.name not in PARTS:
            if section.name:
                problem = phrase(
                    "an archive has no part “{part}”; write “oddfrontier main” above its cards.", part=section.name
                )
            else:
                problem = phrase("the part of the deck is missing; write “oddfrontier main” above its cards.")
            yield line_finding(section.line, problem, unreadable=True)


def _agree_rule(house: House, rule: ListedCard) -> House:
    """Return the house rules with one more. Raises NotationError or RuleError."""
    if rule.count != 1 or rule.remarks:
        raise NotationError(phrase("a house rule is a key and a value, as in “unlimited-engines yes”."))
    key, _, word = rule.name.partition(" ")
    return house.change_rule(key, word)


def _by_name(listed: Iterable[ListedCard]) -> Iterable[list[ListedCard]]:
    """Group lines by card, ignoring case."""
    named: dict[str, list[ListedCard]] = {}
    for card in listed:
        named.setdefault(card.name.casefold(), []).append(card)
    return named.values()


def _card_type(card: ListedCard) -> str:
    return card.remarks[0].lower() if card.remarks else ""


def is_payable(state: FrontierTable, seat: str, action: type[Action], card: ListedCard) -> bool:
    """Return True if an action plays a card, and the seat can pay its cost."""
    return is_played_with(action, card) and _card_cost(card) <= _available_energy(state, seat)


def lacking(state: FrontierTable, seat: str, action: type[Action]) -> Text:
    """Return why a seat can pay for none of the listed cards that an action plays: the cheapest cost and the energy.

    "" if one is payable, or if there is no such card.
    """
    cards = state.brought.get(seat, Brought()).cards.values()
    costs = [(_card_cost(card), card.name) for card in cards if is_played_with(action, card)]
    cost, cheapest = min(costs, default=(0, ""))
    player = next((player for player in state.players if player.seat == seat), None)
    if player is None or cost <= _available_energy(state, seat):
        return ""
    values = {"card": cheapest, "cost": cost, "energy": player.energy}
    if ready := ready_engines(state, player):
        return phrases(
            "the cheapest, {card}, costs {cost}; energy is {energy}, with {n} Engine to crank",
            "the cheapest, {card}, costs {cost}; energy is {energy}, with {n} Engines to crank",
            n=ready,
            **values,
        )
    return phrase("the cheapest, {card}, costs {cost}; energy is {energy}", **values)


def is_played_with(action: type[Action], card: ListedCard) -> bool:
    return PLAYED_WITH.get(parse_remarks(card).type) is action


def _card_cost(card: ListedCard) -> int:
    cost: int = parse_remarks(card).figures.get("cost", 0)
    return cost


def _available_energy(state: FrontierTable, seat: str) -> int:
    """Return the energy of a seat: its pool, and what its Engines can add now (R3.5)."""
    return next((each.energy + ready_engines(state, each) for each in state.players if each.seat == seat), 0)
