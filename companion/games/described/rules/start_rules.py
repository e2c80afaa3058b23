"""House rules for the start values of a page's counters, which every page has without saying so: `rule life 50`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace

from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
    TEAM,
    CounterDefinition,
    Description,
    HouseRuleDefinition,
    title_of,
)
from companion.games.described.page.texts import as_written
from templates.languages.messages import phrase

_START: Final = re.compile(r"counters\.([^.]+)\.start")


def started_counters(page: Description) -> Mapping[str, str]:
    """Return the keys of the house rules that take a number as a start value, each with the word of its counter.

    These are the page's own rules that change nothing but the start of one counter, and a further rule for each other
    counter that does not start at 0.
    """
    words = {key: word for key, rule in page.house.items() if (word := _counter_of(rule))}
    for word, counter in page.counters.items():
        key = word if word not in (*page.house, "draws") else f"start-{word}"
        if _has_start(counter) and word not in words.values() and key not in page.house:
            words[key] = word
    return words


def started_counter(page: Description, key: str) -> str:
    """Return the counter whose start a house rule with this key sets by a number; "" if it sets none."""
    if rule := page.house.get(key):
        return _counter_of(rule)
    return next((word for word in (key, key.removeprefix("start-")) if word in page.counters), "")


def _counter_of(rule: HouseRuleDefinition) -> str:
    """Return the counter whose start is all that a rule changes; "" if it changes anything else."""
    changes = [change for value in rule.values.values() for change in value.items()]
    match = _START.fullmatch(changes[0][0]) if changes else None
    is_start = match is not None and all(path == match[0] and type(value) is int for path, value in changes)
    return match[1] if match and is_start else ""


def _has_start(counter: CounterDefinition) -> bool:
    is_kept = counter.of in (SEAT, TEAM, TABLE, RIVAL) and not (counter.words or counter.sum)
    return is_kept and bool(counter.start or counter.start_by_players)


def house_fields(page: Description) -> Iterator[tuple[str, Any, Any]]:
    """Yield the fields of the rules that the page does not have itself, for the class of its house rules."""
    for key, word in started_counters(page).items():
        if key not in page.house:
            counter = page.counters[word]
            text = phrase("What {figure} starts at.", figure=title_of(word, counter.title))
            meta = msgspec.Meta(description=as_written(text), extra={"text": text})
            is_number = type(counter.start) is int and not counter.start_by_players
            hint: Any = Annotated[int, meta] if is_number else Annotated[int | None, meta]
            yield key.replace("-", "_"), hint, counter.start if is_number else None


def with_starts(page: Description, agreed: Mapping[str, str]) -> Description:
    """Return the page with the start values that players agreed on; `agreed` has the value of each changed rule."""
    numbers = {key: int(value) for key, value in agreed.items() if value.isdecimal()}
    for key, start in numbers.items():
        rule = page.house.get(key)
        if rule is None or str(start) not in rule.values:
            word = started_counter(page, key)
            counter = replace(page.counters[word], start=start, start_by_players={})
            page = replace(page, counters={**page.counters, word: counter})
    return page
