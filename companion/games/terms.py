"""Words of a game that mean something of their own, each with what it says: data, for whoever looks one up."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.house import HouseRules


class Term(msgspec.Struct, frozen=True):
    """A word: what people call it, what it says, which kind of thing it is, and the number of its rule, if any.

    `also` are other words that mean it: what a line calls it, or a screen.
    """

    name: str
    text: str
    kind: str = ""
    rule: str = ""
    also: tuple[str, ...] = ()


def of_house(house: type[HouseRules]) -> Iterator[Term]:
    """The house rules, each with what it changes and what the book says."""
    for rule in house.all():
        yield Term(rule.key, f"{rule.text} The book: {rule.book}.", "house rule")
