"""Gauges: the definitions of a game's counters. One definition serves the view, `set`, `add` and `expect`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import MAX_DIGITS
from companion.tabletop.table.common_actions import Add, Set
from companion.tabletop.table.state import Resolution, Table
from companion.tabletop.table.table import Counter, Full, Value
from templates.languages.messages import Text, listed, phrase

S = TypeVar("S")
T = TypeVar("T")

Keeps = Literal["number", "yes-no", "word", "list", "order"]

_YES: Final = {"yes": True, "no": False}


class Gauge(msgspec.Struct, Generic[S, T], frozen=True):
    """One counter of a kind of thing: how it is read, and how players may overwrite it.

    `read(state, thing)` returns the value. `write(state, target, value)` returns the state in which the target has the
    value; it is None if the figure follows from others. `why(state, thing)` is the calculation behind it.
    `words(state)` are the possible values of a word.
    `full` says if a full one is good or harmful. `life`: it is the counter that a name and a number mean (`wolf 3`),
    health or damage taken. `least` is the smallest possible figure; None: no minimum. `short` is the title if space is
    scarce, `steps` are the increments of keys and buttons. `rare`: it is shown only if it is not 0. `is_minor`: if it
    is not visible, it is shown on request. `is_lasting`: it does not change as long as the thing lies there, so a
    correction applies from its arrival. `is_position`: it says where the table is or whose turn it is, and setting it
    corrects nothing. `titles` are those of words as values, as far as not all games have these
    (`companion.tabletop.words`). `is_shared`: it is a figure of something else, such as a team, under whose name its
    changes are reported. `is_extra`: players added it, and no rule changes it, so setting it is play and no correction.
    """

    name: str
    title: Text
    read: Callable[[S, T], Value]
    write: Callable[[S, str, Any], S] | None = None
    keeps: Keeps = "number"
    top: Callable[[S, T], int] | None = None
    why: Callable[[S, T], Text] | None = None
    big: bool = False
    is_visible: bool = True
    words: Callable[[S], tuple[str, ...]] | None = None
    full: Full = ""
    life: bool = False
    least: int | None = 0
    short: Text = ""
    steps: tuple[int, ...] = (1,)
    rare: bool = False
    is_lasting: bool = False
    is_position: bool = False
    titles: Mapping[str, Text] = MappingProxyType({})
    is_shared: bool = False
    is_minor: bool = False
    is_extra: bool = False

    def counter(self, state: S, thing: T) -> Counter:
        """Return the counter as shown on a screen."""
        # Positional, in the order of the fields of Counter: a view makes hundreds of these.
        value = self.read(state, thing)
        return Counter(
            self.name,
            value,
            self.title,
            self.top(state, thing) if self.top else None,
            self.why(state, thing) if self.why else "",
            self.write is not None,
            self.big,
            self.is_visible and not (self.rare and not value),
            self.keeps == "order",
            self.words(state) if self.words else (),
            self.full,
            self.life,
            self.short,
            self.steps,
            self.rare,
            self.titles.get(value, "") if self.titles and isinstance(value, str) else "",
            self.is_shared,
            self.is_minor,
        )


def writes(
    resolution: Callable[[Table], Resolution[Table]], update: Callable[..., object]
) -> Callable[[str], Callable[[Table, str, Any], Table]]:
    """Return a factory of `write` functions for fields of one thing.

    `update` is the method of a game's `resolution` that changes fields of a thing by its name in lines. The factory
    takes the name of the field, and its function writes a value unchanged.
    """

    def writes_field(field: str) -> Callable[[Table, str, Any], Table]:
        def write(state: Table, target: str, value: Any) -> Table:
            changed = resolution(state)
            update(changed, target, **{field: value})
            return changed.state

        return write

    return writes_field


def writes_table(field: str) -> Callable[[Any, str, Any], Any]:
    """Return a `write` function for a field of the table itself."""
    return lambda state, _, value: msgspec.structs.replace(state, **{field: value})


def overwritten(gauges: Sequence[Gauge[S, Any]], state: S, thing: Any, action: Set | Add) -> S:
    """Return the state after `set` or `add` on one thing. Raises RuleError if there is no such counter or value."""
    gauge = next((gauge for gauge in gauges if gauge.name == action.counter), None)
    if gauge is None:
        names = listed(gauge.name for gauge in gauges)
        raise RuleError(
            phrase(
                "{target} has no counter “{counter}”; it has {names}. `track {counter} {target}` adds one.",
                target=action.target,
                counter=action.counter,
                names=names,
            )
        )
    if gauge.write is None:
        raise RuleError(
            phrase(
                "{counter} is computed from the rest of the table and cannot be set; change what it is computed from.",
                counter=gauge.name,
            )
        )
    value = _sum(gauge, gauge.read(state, thing), action) if isinstance(action, Add) else _value(gauge, action.value)
    return gauge.write(state, action.target, value)


def _sum(gauge: Gauge[Any, Any], present: Value, action: Add) -> int:
    if gauge.keeps != "number":
        raise RuleError(
            phrase(
                "{counter} is not a number; write: set {target} {counter} VALUE.",
                counter=gauge.name,
                target=action.target,
            )
        )
    if present is None:
        raise RuleError(
            phrase(
                "Nobody has entered {target}'s {counter} yet; `set {target} {counter} N` does.",
                target=action.target,
                counter=gauge.name,
            )
        )
    assert isinstance(present, int)
    total = present + action.amount
    return total if gauge.least is None else max(gauge.least, total)


def _value(gauge: Gauge[Any, Any], word: str) -> Value:
    if gauge.keeps == "number":
        digits = word.replace("−", "-")
        plain = digits.removeprefix("-")
        if plain.isascii() and plain.isdecimal() and len(plain) <= MAX_DIGITS:
            number = int(digits)
            if gauge.least is None or number >= gauge.least:
                return number
        if gauge.least is None:
            raise RuleError(phrase("{counter} is a whole number, not “{word}”.", counter=gauge.name, word=word))
        raise RuleError(
            phrase(
                "{counter} is a whole number of at least {least}, not “{word}”.",
                counter=gauge.name,
                least=str(gauge.least),
                word=word,
            )
        )
    if gauge.keeps == "yes-no":
        if word.lower() in _YES:
            return _YES[word.lower()]
        raise RuleError(phrase("{name} must be yes or no, not “{word}”.", name=gauge.name, word=word))
    return None if word.lower() == "none" else word.lower()
