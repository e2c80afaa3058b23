"""Permanent numbers of inscriptions: a later edition of a page never gives a used number to another inscription."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.described.page.description import Description


class NumberReused(NamedTuple):
    """A number whose meaning changed; `number` includes its kind: `Number 7`."""

    number: str
    before: str
    now: str


def permanent_numbers(page: Description) -> Mapping[str, str]:
    """Return the names of a page's inscriptions by their permanent numbers."""
    inscriptions = page.decks.inscriptions if page.decks else ()
    return {f"Number {each.number}": each.name for each in inscriptions}


def reused_number(now: Mapping[str, str], before: Mapping[str, str]) -> NumberReused | None:
    """Return the first number whose meaning differs between two editions of a page, or None.

    Names that differ only in case or white space are equal.
    """
    for number, name in now.items():
        if number in before and _fold_name(before[number]) != _fold_name(name):
            return NumberReused(number, before[number], name)
    return None


def _fold_name(name: str) -> str:
    return " ".join(name.casefold().split())
