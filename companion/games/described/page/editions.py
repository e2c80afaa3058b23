"""The changes between editions of a page, for players whose decks follow an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from companion.games.described.page.description import Description, InscriptionDefinition, title_of

_PARTS: Final = {
    "play": "who plays and whose turn it is",
    "steps": "the steps",
    "flags": "what can hold of somebody",
    "tokens": "what one holds at a time",
    "things": "what comes into play",
    "zones": "where it lies",
    "pools": "what is drawn from",
    "actions": "the lines of its own",
    "sheet": "the score sheet",
    "end": "how it ends",
    "purse": "what goes home with people",
    "after": "what is asked after the game",
    "house": "the house rules",
}
"""The parts of a page whose changes are reported only in general, with their wording."""


def describe_changes(before: Description, after: Description) -> tuple[str, ...]:
    """Return the changes of an edition, one sentence each: first inscriptions, then figures, then the rest."""
    return (*_inscription_changes(before, after), *_counter_changes(before, after), *_other_changes(before, after))


def _inscription_changes(before: Description, after: Description) -> Iterator[str]:
    had, has = _by_number(before), _by_number(after)
    for number, inscription in had.items():
        if number not in has:
            yield f"{inscription.name} is there no more; cards that bear it keep it."
        elif changes := tuple(_change_words(inscription, has[number])):
            yield f"{inscription.name} {_join_words(changes)}."
    for number, inscription in has.items():
        if number not in had:
            price = "" if inscription.price is None else f", at {inscription.price}"
            yield f"New: {inscription.name}{price}."


def _by_number(page: Description) -> Mapping[int, InscriptionDefinition]:
    return {each.number: each for each in page.decks.inscriptions} if page.decks else {}


def _change_words(before: InscriptionDefinition, after: InscriptionDefinition) -> Iterator[str]:
    if before.name != after.name:
        yield f"is called {after.name} now"
    if before.price != after.price:
        prices = ("nothing" if each.price is None else str(each.price) for each in (before, after))
        yield "costs {1} instead of {0}".format(*prices)
    if before.tier != after.tier:
        yield f"is {title_of(after.tier)} now" if after.tier else "has no tier any more"
    if before.text != after.text:
        yield f"says “{after.text}” now"
    if (before.per_card, before.per_deck) != (after.per_card, after.per_deck):
        yield "may stand on other numbers of cards"


def _counter_changes(before: Description, after: Description) -> Iterator[str]:
    for word, counter in after.counters.items():
        title = title_of(word, counter.title)
        had = before.counters.get(word)
        if had is None:
            yield f"New: {title}."
        elif had.start != counter.start:
            yield f"{title} begins with {counter.start} instead of {had.start}."
        elif had != counter:
            yield f"{title} is counted otherwise."
    for word, counter in before.counters.items():
        if word not in after.counters:
            yield f"{title_of(word, counter.title)} is counted no more."


def _other_changes(before: Description, after: Description) -> Iterator[str]:
    changed = [words for part, words in _PARTS.items() if getattr(before, part) != getattr(after, part)]
    if _without_inscriptions(before) != _without_inscriptions(after):
        changed.append("what a deck is")
    if changed:
        yield f"Otherwise than before: {_join_words(changed)}."


def _join_words(parts: Sequence[str]) -> str:
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def _without_inscriptions(page: Description) -> Any:
    return msgspec.structs.replace(page.decks, inscriptions=()) if page.decks else None
