"""Numbers that stand on cards for ever: a later edition of a page never gives one to something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.described.description import Description


class NumberReused(NamedTuple):
    """A number that means something else than it did."""

    number: int
    before: str
    now: str


def permanent_numbers(page: Description) -> Mapping[int, str]:
    """What the permanent numbers of a page mean, by the names of its inscriptions."""
    inscriptions = page.decks.inscriptions if page.decks else ()
    return {each.number: each.name for each in inscriptions}


def reused_number(now: Description, before: Description) -> NumberReused | None:
    """The first number that means something else in one edition of a page than in another; None where all are kept.

    A name that is only written otherwise, in another case or with other spaces, is the same.
    """
    names = permanent_numbers(before)
    for number, name in permanent_numbers(now).items():
        if number in names and _folded(names[number]) != _folded(name):
            return NumberReused(number, names[number], name)
    return None


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
