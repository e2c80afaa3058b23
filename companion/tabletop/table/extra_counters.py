"""Counters that players add to a table with `track`, because its game does not count such a thing.

They are part of the state, so `set`, `add`, `expect`, undo and the log treat them like the counters of the game. No
rule changes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from companion.tabletop.action import RuleError
from companion.tabletop.table.counters import Gauge
from companion.tabletop.table.state import ExtraCounter, State
from templates.languages.messages import phrase


def title_of(name: str) -> str:
    """Return the display name of a counter, from the word that players gave it: `Spell counters`."""
    return name[:1].upper() + name[1:].replace("-", " ")


def counters_on(state: State, target: str) -> Iterator[ExtraCounter]:
    """Return an iterator over the counters that players added to a target, whose case is ignored."""
    word = target.lower()
    return (counter for counter in state.extra_counters if counter.target.lower() == word)


def gauges_of(state: State, target: str) -> tuple[Gauge[Any, Any], ...]:
    """Return the gauges of the counters that players added to a target."""
    return tuple(_gauge(counter.target, counter.name) for counter in counters_on(state, target))


@lru_cache(256)
def _gauge(of: str, name: str) -> Gauge[Any, Any]:
    def read(state: State, _: Any) -> int:
        return next(each.value for each in state.extra_counters if (each.target, each.name) == (of, name))

    def write(state: State, _: str, value: int) -> State:
        counters = (
            replace(each, value=value) if (each.target, each.name) == (of, name) else each
            for each in state.extra_counters
        )
        return replace(state, extra_counters=tuple(counters))

    return Gauge(name, title_of(name), read, write, least=None, is_extra=True)


def check_name(name: str, line: str, taken: Collection[str], seats: Sequence[str]) -> None:
    """Raise RuleError if a name cannot be that of a new counter.

    Args:
        name: The name.
        line: The line that enters the figure if the target has such a counter already.
        taken: The names of the counters that the target has already.
        seats: The words of all seats, which lines would confuse with it.
    """
    if name in taken:
        raise RuleError(
            phrase("There is a counter “{name}” already; `{line}` enters its figure.", name=name, line=line)
        )
    if name in seats:
        raise RuleError(phrase("“{word}” is somebody's seat; give this one a word of its own.", word=name))
