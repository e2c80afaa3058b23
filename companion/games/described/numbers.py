"""Numbers that stand on cards for ever: a later edition of a page never gives one to something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.described.description import Description


class NumberReused(NamedTuple):
    """A number that means something else than it did; `number` says what it numbers: `Number 7`."""

    number: str
    before: str
    now: str


def permanent_numbers(page: Description) -> Mapping[str, str]:
    """What the permanent numbers of a page mean, by the names of its inscriptions."""
    inscriptions = page.decks.inscriptions if page.decks else ()
    return {f"Number {each.number}": each.name for each in inscriptions}


def reused_number(now: Mapping[str, str], before: Mapping[str, str]) -> NumberReused | None:
    """The first number that means something else in one edition of a page than in another; None where all are kept.

    A name that is only written otherwise, in another case or with other spaces, is the same.
    """
    for number, name in now.items():
        if number in before and _folded(before[number]) != _folded(name):
            return NumberReused(number, before[number], name)
    return None


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
