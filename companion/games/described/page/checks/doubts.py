"""Doubts about what is possible, but probably does not mean what it seems to; `check` warns of them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.described.page.amounts import SEVERAL, Amount, Extreme, Name, ValueTable, all_parts, parse_amount
from companion.games.described.page.conditions import sides_of
from companion.games.described.page.description import Description
from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, phrase

Doubts = Iterator[tuple[str, Text]]
"""The places on the page (`actions.attack.does[1]`), each with a sentence."""


def doubt_page(page: Description) -> Doubts:
    """Yield the doubts about a page without errors."""
    yield from _doubt_names(page)
    yield from _doubt_zones(page)
    yield from _doubt_amounts(page)


def _doubt_names(page: Description) -> Doubts:
    """Doubt columns with the word of a counter: `ana tricks 3` could mean either of them."""
    for number, column in enumerate(page.sheet.columns if page.sheet else (), 1):
        if column in page.counters and page.sheet and column != page.sheet.counts:
            text = phrase(
                "“{column}” is a counter as well, and lines such as “ana {column} 3” change the counter; give the "
                "column another word.",
                column=column,
            )
            yield f"sheet.columns[{number}]", text


def _doubt_zones(page: Description) -> Doubts:
    """Doubt a zone whose owners are not those of the things that begin there: nobody would see them."""
    for word, thing in page.things.items():
        zone = page.zones.get(thing.zone)
        if zone is not None and zone.of != thing.of:
            text = phrase(
                "“{zone}” has of = “{of_zone}”, and these things of = “{of_things}”, so that they are not seen there; "
                "give both the same owner.",
                zone=thing.zone,
                of_zone=zone.of,
                of_things=thing.of,
            )
            yield f"things.{word}.zone", text


def _doubt_amounts(page: Description) -> Doubts:
    """Yield the doubts about the amounts of a page without errors."""
    for place, text in _amounts_of(page):
        try:
            amount = parse_amount(text)
        except NotationError:
            continue  # a word or a flag
        yield from _doubt_amount(page, amount, place)
    for place, text in _conditions_of(page):
        first, *others = sides_of(text) or (Name("", ""),)
        for side in others:
            yield from _doubt_amount(page, side, place)
        is_about_each = isinstance(first, Name) and first.owner == "others"
        yield from _doubt_sum(page, others if is_about_each else [first, *others], place)


def _amounts_of(page: Description) -> Iterator[tuple[str, str]]:
    for word, counter in page.counters.items():
        yield f"counters.{word}.start", str(counter.start)
        yield f"counters.{word}.each", str(counter.each)
    for verb, own in page.actions.items():
        for counter_word, price in own.costs.items():
            yield f"actions.{verb}.costs.{counter_word}", str(price)
        for number, line in enumerate(own.does, 1):
            if line.split()[:1] in (["add"], ["set"], ["enter"]):
                yield f"actions.{verb}.does[{number}]", " ".join(line.split()[3:])
    for number, points in enumerate(page.sheet.points if page.sheet else (), 1):
        yield f"sheet.points[{number}].points", str(points.points)


def _conditions_of(page: Description) -> Iterator[tuple[str, str]]:
    for verb, own in page.actions.items():
        for number, text in enumerate(own.when, 1):
            yield f"actions.{verb}.when[{number}]", text
    for number, points in enumerate(page.sheet.points if page.sheet else (), 1):
        for text in points.conditions:
            yield f"sheet.points[{number}].when", text
    for text in page.end.wins:
        yield "end.win", text
    for text in page.end.overs:
        yield "end.over", text


def _doubt_amount(page: Description, amount: Amount, place: str) -> Doubts:
    yield from _doubt_tables(page, amount, place)
    for part in all_parts(amount):
        if not isinstance(part, Extreme) or len(part.amounts) > 1 or not isinstance(part.amounts[0], Name):
            continue
        name, pick = part.amounts[0], "most" if part.is_largest else "fewest"
        if name.owner in SEVERAL and not name.pick:
            yield (
                place,
                phrase(
                    "{amount} is the sum of several figures. Write “{pick} of {name}” for one of them.",
                    amount=in_quotes(str(part)),
                    pick=pick,
                    name=str(name),
                ),
            )


def _doubt_tables(page: Description, amount: Amount, place: str) -> Doubts:
    """Doubt a list of values from 1 whose place is a figure that begins with 0."""
    for part in all_parts(amount):
        if not isinstance(part, ValueTable) or not isinstance(part.by, Name) or part.first is not None:
            continue
        if len(part.values) > 1 and part.values[0] and _begins_with_0(page, part.by):
            yield (
                place,
                phrase(
                    "“{figure}” can be 0 and then takes the first value, {value}, just as it does with 1. Write “from "
                    "0” behind it if the list begins with the value for 0, or else “from 1”.",
                    figure=str(part.by),
                    value=str(part.values[0]),
                ),
            )


def _begins_with_0(page: Description, name: Name) -> bool:
    if page.sheet is not None and not name.owner and name.word in page.sheet.columns:
        return page.sheet.least <= 0
    counter = page.counters.get(name.word)
    return counter is not None and not counter.words and counter.start == 0 and counter.least in (0, "none")


def _doubt_sum(page: Description, sides: list[Amount], place: str) -> Doubts:
    """Doubt a comparison of a player's figure with the sum of those of all others."""
    _, _, most = page.play.players.rpartition("-")
    sums = [side for side in sides if isinstance(side, Name) and side.owner == "others" and not side.pick]
    for each in sums if most.isdecimal() and int(most) > 2 else ():
        if Name("", each.word) in sides or Name("me", each.word) in sides:
            yield (
                place,
                phrase(
                    "{sum} is the sum of all others. To compare with each of them, write “most of {figure}”, or “rank "
                    "of {word} = 1” for whoever has the most.",
                    sum=in_quotes(str(each)),
                    figure=str(each),
                    word=each.word,
                ),
            )
