"""Checks of the amounts on a page: their words exist, mean figures, and belong to somebody."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Final, NamedTuple

from companion.games.described.page.amounts import (
    HAND_WORD,
    PLAYERS_WORD,
    ROUND_WORDS,
    SEVERAL,
    TABLE_WORDS,
    Amount,
    Extreme,
    Name,
    Negative,
    Number,
    Standing,
    Sum,
    ValueTable,
    all_parts,
    names_in,
    parse_amount,
    parts_of_amount,
)
from companion.games.described.page.checks.names import COUNTER, NO_TAKES, PageNames, Wrong, no_such_name, speaks_of
from companion.games.described.page.conditions import POOL_COUNTERS
from companion.games.described.page.description import SEAT, TABLE, TEAM, CounterDefinition
from companion.games.described.page.takes import TAKEN_WORD, Taken
from companion.games.described.page.toml_lines import Path
from companion.tabletop.action import NotationError
from companion.tabletop.notation.arguments import MAX_VALUE
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, phrase

NOBODY: Final = ""
"""The owner of words alone if nobody in particular is concerned."""


class AmountPlace(NamedTuple):
    """The place of an amount on a page, and what it can name there.

    `of` is the owner of the counters that are meant by words alone: `seat`, `table`, a kind of thing, None for a thing
    of an unknown kind, or NOBODY. `has_actor` is True if somebody acts, who is called `me`.
    """

    path: Path
    takes: Mapping[str, Taken] = NO_TAKES
    of: str | None = NOBODY
    has_actor: bool = False


def check_amount(page: PageNames, text: str, place: AmountPlace) -> Wrong:
    """Check an amount as it is written on a page."""
    try:
        amount = parse_amount(text)
    except NotationError as error:
        yield place.path, error.message
        return
    yield from check_names(page, amount, text, place)


def check_names(page: PageNames, amount: Amount, text: str, place: AmountPlace) -> Wrong:
    """Check the names in an amount; `text` is what it stands in. Only the first problem is reported."""
    yield from islice(_check_part(page, amount, text, place), 1)


def _check_part(page: PageNames, amount: Amount, text: str, place: AmountPlace) -> Wrong:
    if isinstance(amount, Name):
        yield from _check_name(page, amount, text, place)
    elif isinstance(amount, Standing):
        yield from _check_standing(page, amount, text, place)
    else:
        for part in parts_of_amount(amount):
            yield from _check_part(page, part, text, place)


def _check_standing(page: PageNames, standing: Standing, text: str, place: AmountPlace) -> Wrong:
    """Check whose standing it is, and by what."""
    owner, word = standing.owner, str(standing)
    if owner in (*SEVERAL, "any"):
        rest = str(standing.amount)
        yield (
            place.path,
            phrase(
                "{text}: each player has a place of their own; write “{word} of {rest}”, or name one player before the "
                "dot.",
                text=in_quotes(word),
                word=standing.word,
                rest=rest,
            ),
        )
        return
    if owner and (wrong := [*_check_owner(page, Name(owner, ""), text, place)]):
        yield from wrong
        return
    of = page.owner_of(owner, place.takes) if owner else place.of
    if of == NOBODY:
        values = {"text": word, "word": standing.word, "rest": str(standing.amount)}
        text_of = phrase("{text} does not say whose; write “{word} of me.{rest}” or “any {text}”.", **values)
        yield place.path, text_of
    elif of not in (SEAT, TEAM):
        yield place.path, phrase("{text} compares players; nothing else has a place.", text=in_quotes(word))
    elif not any(_is_of_each(page, name, place) for name in names_in(standing.amount)):
        text_of = phrase("{text} compares nothing; name a counter that every player has.", text=in_quotes(word))
        yield place.path, text_of
    else:
        yield from _check_part(page, standing.amount, text, place._replace(of=of))


def _is_of_each(page: PageNames, name: Name, place: AmountPlace) -> bool:
    """Return True if a name can mean a counter of each player: it stands alone and is no number of line or table."""
    return not name.owner and name.word not in place.takes and name.word not in page.table_numbers


def _check_name(page: PageNames, name: Name, text: str, place: AmountPlace) -> Wrong:
    owner, word, takes = name.owner, name.word, place.takes
    for taken in (owner, *([] if owner else [word]), word.rpartition("-")[2]):
        if TAKEN_WORD.fullmatch(taken) and taken not in takes:
            yield place.path, speaks_of(text if " " in text else "", taken, takes)
            return
    if owner:
        yield from _check_owned(page, name, text, place)
    elif word in takes:
        if takes[word].kind != "N":
            yield place.path, _no_figure(word)
    elif word not in page.table_words or word in page.page.counters:
        yield from _check_alone(page, word, place)


def _check_alone(page: PageNames, word: str, place: AmountPlace) -> Wrong:
    """Check a counter without an owner."""
    counter = None if place.of == NOBODY else page.figure_named(word, place.of)
    if isinstance(counter, CounterDefinition) and not counter.words:
        return
    first, dash, _ = word.partition("-")
    if counter is not None:
        yield place.path, phrase("{word} is not a figure.", word=in_quotes(word))
    elif word in page.page.counters:
        if place.of == NOBODY:
            text = phrase("{text} does not say whose; write “me.{text}” or “table.{text}”.", text=word)
            yield place.path, text
        else:
            yield place.path, page.no_counter(word, place.of)
    elif dash and (first in page.page.counters or TAKEN_WORD.fullmatch(first.upper())):
        yield place.path, phrase("{word} is one word; to subtract, write spaces around the -.", word=in_quotes(word))
    elif get_close_matches(word, [*page.page.counters], n=1, cutoff=0.6):
        yield place.path, no_such_name(word, page.page.counters, COUNTER)
    elif word in page.page.things or word in page.page.zones:
        if place.of == NOBODY:
            text = phrase("{text} does not say whose; write “me.{text}” or “table.{text}”.", text=word)
        else:
            text = phrase("{text}: only players and the table have things; write “table.{text}”.", text=word)
        yield place.path, text
    else:
        yield place.path, _no_figure(word)


def _no_figure(word: str) -> Message:
    return phrase('{word} is not a figure; write 3, or N and takes = "N".', word=in_quotes(word))


def _check_owned(page: PageNames, name: Name, text: str, place: AmountPlace) -> Wrong:
    """Check the counter of an owner."""
    owner, word = name.owner, name.word
    if (word in POOL_COUNTERS and owner in page.page.pools) or (owner == TABLE and word in page.table_numbers):
        return
    if wrong := [*_check_owner(page, name, text, place)]:
        yield from wrong
        return
    of = page.owner_of(owner, place.takes)
    counter = page.figure_named(word, of)
    if counter is None:
        yield place.path, page.no_counter(word, of, counts_things=True)
    elif not isinstance(counter, CounterDefinition) or counter.words:
        yield place.path, phrase("{word} is not a figure.", word=in_quotes(str(name)))


def _check_owner(page: PageNames, name: Name, text: str, place: AmountPlace) -> Wrong:
    """Check that the owner of a name is somebody or something here."""
    owner = name.owner
    if TAKEN_WORD.fullmatch(owner) and owner not in place.takes:
        yield place.path, speaks_of(text if " " in text else "", owner, place.takes)
        return
    if owner in ("me", "others", "left", "right") and not place.has_actor:
        text_of = phrase("There is no acting player for “{owner}” here; write each, any or table.", owner=owner)
        yield place.path, text_of
        return
    people = ("me", "left", "right", "each", "others", TABLE, *page.listed, *page.team_words)
    if owner not in people and (owner not in place.takes or place.takes[owner].kind not in ("SEAT", "THING")):
        yield place.path, phrase("{owner} in {word} is nobody here.", owner=in_quotes(owner), word=in_quotes(text))


def check_table_words(text: str, path: Path, words: Sequence[str] = TABLE_WORDS) -> Wrong:
    """Check an amount that can name only numbers of the table: the `words` for them."""
    try:
        amount = parse_amount(text)
    except NotationError as error:
        yield path, error.message
        return
    for name in all_parts(amount):
        if isinstance(name, Standing) or (isinstance(name, Name) and (name.owner or name.word not in words)):
            values = {"word": in_quotes(str(name))}
            if HAND_WORD in words:
                yield path, phrase("{word} cannot stand here; only round, players and hand can.", **values)
            else:
                yield path, phrase("{word} cannot stand here; only round and players can.", **values)
            return


# Bounds

Bounds = tuple[int, int]
"""The smallest and the largest value that an amount can have."""

_NEVER: Final[Mapping[str, Callable[[Bounds, Bounds], bool]]] = {
    "<": lambda left, right: left[0] >= right[1],
    "<=": lambda left, right: left[0] > right[1],
    "=": lambda left, right: left[0] > right[1] or left[1] < right[0],
    "!=": lambda left, right: left == right and left[0] == left[1],
    ">=": lambda left, right: left[1] < right[0],
    ">": lambda left, right: left[1] <= right[0],
}


def check_comparison_bounds(page: PageNames, left: Amount, op: str, right: Amount, place: AmountPlace) -> Wrong:
    """Check that two amounts can compare as their sign requires."""
    if _NEVER[op](bounds_of(page, left, place), bounds_of(page, right, place)):
        yield place.path, phrase("This never holds: the bounds of its counters forbid it.")


def bounds_of(page: PageNames, amount: Amount, place: AmountPlace) -> Bounds:
    """Return the bounds of an amount, from those of the counters that it names."""
    match amount:
        case Number(value):
            return value, value
        case Name():
            return _bounds_of_name(page, amount, place)
        case ValueTable():
            return min(amount.all_values), max(amount.all_values)
        case Standing():
            return 1, page.players[1]
    inner = [bounds_of(page, part, place) for part in parts_of_amount(amount)]
    match amount:
        case Negative():
            return -inner[0][1], -inner[0][0]
        case Sum():
            return sum(least for least, _ in inner), sum(most for _, most in inner)
        case Extreme(is_largest, _):
            pick = max if is_largest else min
            return pick(least for least, _ in inner), pick(most for _, most in inner)
    corners = [1]
    for ends in inner:
        corners = [corner * end for corner in corners for end in ends]
        corners = [min(corners), max(corners)]
    return min(corners), max(corners)


def _bounds_of_name(page: PageNames, name: Name, place: AmountPlace) -> Bounds:
    owner, word = name.owner, name.word
    if owner in ("", TABLE) and word in page.table_numbers:
        return page.players if word == PLAYERS_WORD else (1 if word in ROUND_WORDS else 0, MAX_VALUE)
    if owner in page.page.pools or (not owner and word in place.takes):
        return 0, MAX_VALUE
    counter = page.figure_named(word, page.owner_of(owner, place.takes) if owner else place.of)
    if not isinstance(counter, CounterDefinition) or counter.sum:
        return -MAX_VALUE, MAX_VALUE
    least = -MAX_VALUE if counter.least == "none" else counter.least
    most = MAX_VALUE if counter.most_figure is None else counter.most_figure
    if name.pick:
        return min(0, least), max(0, most)  # 0 if there is nobody else
    if owner in SEVERAL or (page.has_teams and not owner):
        number = page.players[1]  # a sum over seats
        return min(0, least * number), max(0, most * number)
    return least, most
