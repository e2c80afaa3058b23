"""Amounts of a page as displayed text: `2 × the number`, `Ana's Strength + 2`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.games.described.page.amounts import (
    HAND_WORD,
    PLAYERS_WORD,
    TABLE_WORDS,
    Amount,
    Extreme,
    Name,
    Negative,
    Number,
    Product,
    Rounding,
    Standing,
    Sum,
    ValueTable,
    parse_amount,
)
from companion.games.described.page.description import Description, Own, title_of
from companion.games.described.page.takes import TAKEN_WORD, describe_parameter
from companion.tabletop.text import figure as written
from templates.languages.messages import ENGLISH, Message, Text, all_of, joined, listed, phrase, render_value


def describe_costs(page: Description, own: Own, title_text: Callable[[str], Text]) -> Message:
    """Return what a line costs: `costs Coins 2`; `title_text` returns the text for a counter.

    A price that the players name is called by the title of its parameter, or by what it is.
    """
    prices = (_describe_cost(page, own, title_text(word), price) for word, price in own.costs.items())
    return phrase("costs {prices}", prices=listed(prices))


def _describe_cost(page: Description, own: Own, figure: Text, price: int | str) -> Text:
    if isinstance(price, int):
        return joined(" ", (figure, written(price)))
    amount = parse_amount(price)
    if isinstance(amount, Name) and amount.word == "N" and not amount.owner and "N" not in own.titles:
        # Translators: A price that the player names, behind “costs”: “costs as much Energy as you say”.
        return phrase("as much {figure} as you say", figure=figure)
    text = describe_price(page, price, own.titles)
    return figure if render_value(text, ENGLISH) == render_value(figure, ENGLISH) else joined(": ", (figure, text))


def describe_price(page: Description, price: int | str, titles: Mapping[str, Text] = MappingProxyType({})) -> Text:
    """Return a price, or another amount of the page, as displayed text: `2 × the number`.

    `titles` are those of the parameters.
    """
    if isinstance(price, int):
        return written(price)
    return describe_amount(parse_amount(price), lambda name: _describe_name(page, name, titles))


def _describe_name(page: Description, name: Name, titles: Mapping[str, Text]) -> Text:
    if TAKEN_WORD.fullmatch(name.word):
        return titles.get(name.word) or describe_parameter(name.word)
    title = _title_of_word(page, name.word)
    if not name.owner.isupper():
        return title
    return phrase("{player}'s {figure}", player=titles.get(name.owner) or describe_parameter(name.owner), figure=title)


def _title_of_word(page: Description, word: str) -> Text:
    if word == PLAYERS_WORD and word not in page.counters:
        return phrase("number of players")
    if word in TABLE_WORDS and word not in page.counters:
        return page.play.round_title
    if word == HAND_WORD and page.play.hand:
        return phrase("cards dealt")
    counter = page.counters.get(word)
    if counter is None and (word in page.things or word in page.zones):
        return describe_number_of_things(page, word)
    return title_of(word, counter.title if counter else "")


def describe_place(page: Description, word: str) -> Text:
    """Return the title of a kind of thing, or of a zone."""
    return title_of(word, page.things[word].title if word in page.things else page.zones[word].title)


def describe_number_of_things(page: Description, word: str) -> Message:
    """Return the text for the number of things of a kind, or in a zone, as the name of a figure."""
    # Translators: {things} is the title of a kind of thing, or of a place: “Ana's number of things (Guard) is 3”.
    return phrase("number of things ({things})", things=describe_place(page, word))


def describe_gathered(name: Name, figure: Text, players: Text) -> Message:
    """Return the text for what a name makes of a figure of several players: the sum, the most, or the fewest."""
    match name.pick:
        case "most":
            return phrase("the highest {figure} of {players}", figure=figure, players=players)
        case "fewest":
            return phrase("the lowest {figure} of {players}", figure=figure, players=players)
    return phrase("the {figure} of {players} together", figure=figure, players=players)


def _describe_standing(standing: Standing, name_text: Callable[[Name], Text]) -> Message:
    def text_of(name: Name) -> Text:
        return name_text(name if name.owner or not standing.owner else Name(standing.owner, name.word))

    if standing.word == "rank" and isinstance(standing.amount, Negative):
        figure = describe_amount(standing.amount.amount, text_of)
        # Translators: {figure} is such as “Ana's Coins”; the rank is 1 for the fewest, 2 for the second fewest …
        return phrase("the rank of {figure} from below", figure=figure)
    figure = describe_amount(standing.amount, text_of)
    if standing.word == "rank":
        # Translators: {figure} is such as “Ana's Coins”; the rank is 1 for the most, 2 for the second most …
        return phrase("the rank of {figure}", figure=figure)
    # Translators: the number of players with the same figure, themselves included; {figure} is such as “Ana's Coins”.
    return phrase("the number of players who share {figure}", figure=figure)


def _describe_extreme(is_largest: bool, figures: Text) -> Text:
    if is_largest:
        return phrase("the most of {figures}", figures=figures)
    return phrase("the least of {figures}", figures=figures)


def describe_amount(amount: Amount, name_text: Callable[[Name], Text]) -> Text:
    """Return an amount as displayed text; `name_text` returns the texts for its names: `Ana's Strength + 2`."""

    def text_of(part: Amount) -> Text:
        return describe_amount(part, name_text)

    match amount:
        case Number(value):
            return written(value)
        case Name():
            return name_text(amount)
        case Negative(inner):
            return joined("", ("−", _in_brackets(inner, text_of, Sum, Product)))
        case Sum(terms):
            return _describe_sum(terms, text_of)
        case Product(factors):
            return joined(" × ", (_in_brackets(each, text_of, Sum, Extreme, ValueTable) for each in factors))
        case Extreme() | Rounding() | Standing():
            return _describe_function(amount, name_text)
        case ValueTable(values, by):
            return phrase("{values} by {figure}", values=listed(map(written, values)), figure=text_of(by))
    raise AssertionError(amount)


def _describe_function(amount: Extreme | Rounding | Standing, name_text: Callable[[Name], Text]) -> Text:
    """Return an amount that is made of others by name as displayed text."""

    def text_of(part: Amount) -> Text:
        return describe_amount(part, name_text)

    match amount:
        case Extreme(is_largest, parts):
            return _describe_extreme(is_largest, all_of(_in_brackets(each, text_of, Extreme) for each in parts))
        case Rounding(is_up, inner, step):
            figure = text_of(inner)
            if is_up:
                return phrase("{figure}, rounded up to a multiple of {step}", figure=figure, step=written(step))
            return phrase("{figure}, rounded down to a multiple of {step}", figure=figure, step=written(step))
        case Standing():
            return _describe_standing(amount, name_text)


def _in_brackets(part: Amount, text_of: Callable[[Amount], Text], *kinds: type) -> Text:
    """Return a part as text, in brackets if it is of one of these kinds."""
    return joined("", ("(", text_of(part), ")")) if isinstance(part, kinds) else text_of(part)


def _describe_sum(terms: tuple[Amount, ...], text_of: Callable[[Amount], Text]) -> Text:
    pieces = [_in_brackets(terms[0], text_of, Sum, Extreme, ValueTable)]
    for term in terms[1:]:
        plain = term.amount if isinstance(term, Negative) else term
        pieces += (" + " if plain is term else " − ", _in_brackets(plain, text_of, Sum, Extreme, ValueTable))
    return joined("", pieces)
