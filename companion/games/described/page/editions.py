"""The changes between editions of a page, for players whose decks follow an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from companion.games.described.page.amount_texts import describe_price
from companion.games.described.page.description import Description, InscriptionDefinition, title_of
from templates.languages.messages import Text, all_of, phrase

_PARTS: Final = {
    "play": phrase("who plays and whose turn it is"),
    "steps": phrase("the steps"),
    "flags": phrase("the flags"),
    "tokens": phrase("the tokens"),
    "things": phrase("the kinds of things"),
    "zones": phrase("the zones"),
    "pools": phrase("the pools"),
    "actions": phrase("its own lines"),
    "sheet": phrase("the score sheet"),
    "end": phrase("how it ends"),
    "campaign": phrase("the campaign"),
    "purse": phrase("the purse"),
    "after": phrase("the questions after the game"),
    "house": phrase("the house rules"),
}
"""The parts of a page whose changes are reported only in general, with their wording."""


def describe_changes(before: Description, after: Description) -> tuple[Text, ...]:
    """Return the changes of an edition, one sentence each: first inscriptions, then figures, then the rest."""
    return (*_inscription_changes(before, after), *_counter_changes(before, after), *_other_changes(before, after))


def _inscription_changes(before: Description, after: Description) -> Iterator[Text]:
    had, has = _by_number(before), _by_number(after)
    for number, inscription in had.items():
        if number in has:
            yield from _changes_of_inscription(inscription, has[number])
        else:
            yield phrase(
                "{inscription} is no longer available; cards that bear it keep it.", inscription=inscription.name
            )
    for number, inscription in has.items():
        if number not in had:
            yield (
                phrase("New: {thing}.", thing=inscription.name)
                if inscription.price is None
                else phrase("New: {thing}, at {price}.", thing=inscription.name, price=inscription.price)
            )


def _by_number(page: Description) -> Mapping[int, InscriptionDefinition]:
    return {each.number: each for each in page.decks.inscriptions} if page.decks else {}


def _changes_of_inscription(before: InscriptionDefinition, after: InscriptionDefinition) -> Iterator[Text]:
    name = before.name
    if name != after.name:
        yield phrase("{inscription} is called {title} now.", inscription=name, title=after.name)
    if before.price != after.price:
        yield _price_change(name, before.price, after.price)
    if before.tier != after.tier:
        yield (
            phrase("{inscription} is {tier} now.", inscription=name, tier=title_of(after.tier))
            if after.tier
            else phrase("{inscription} no longer has a tier.", inscription=name)
        )
    if before.text != after.text:
        yield phrase("{inscription} says “{text}” now.", inscription=name, text=after.text)
    if (before.per_card, before.per_deck) != (after.per_card, after.per_deck):
        yield phrase("The maximum number of {inscription} has changed.", inscription=name)


def _price_change(name: str, before: int | None, after: int | None) -> Text:
    if after is None:
        return phrase("{inscription} costs nothing instead of {before}.", inscription=name, before=before)
    if before is None:
        return phrase("{inscription} costs {price} instead of nothing.", inscription=name, price=after)
    return phrase("{inscription} costs {price} instead of {before}.", inscription=name, price=after, before=before)


def _counter_changes(before: Description, after: Description) -> Iterator[Text]:
    for word, counter in after.counters.items():
        title = title_of(word, counter.title)
        had = before.counters.get(word)
        if had is None:
            yield phrase("New: {thing}.", thing=title)
        elif had.start != counter.start:
            yield phrase(
                "{counter} begins with {n} instead of {before}.",
                counter=title,
                n=describe_price(after, counter.start),
                before=describe_price(before, had.start),
            )
        elif had != counter:
            yield phrase("{counter} is counted differently.", counter=title)
    for word, counter in before.counters.items():
        if word not in after.counters:
            yield phrase("{counter} is no longer counted.", counter=title_of(word, counter.title))


def _other_changes(before: Description, after: Description) -> Iterator[Text]:
    changed = [words for part, words in _PARTS.items() if getattr(before, part) != getattr(after, part)]
    if _without_inscriptions(before) != _without_inscriptions(after):
        changed.append(phrase("the decks"))
    if changed:
        yield phrase("Also changed: {parts}.", parts=all_of(changed))


def _without_inscriptions(page: Description) -> Any:
    return msgspec.structs.replace(page.decks, inscriptions=()) if page.decks else None
