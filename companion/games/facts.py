"""A record as rows that people read, whatever fields a game gives it: screens and pages draw the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from companion.games.records import Record

_IN_THE_TITLE: Final = ("game", "name", "person")
_BETWEEN: Final = " · "


class Fact(NamedTuple):
    """A row, so many steps within others: `name` alone heads those that follow, `told` alone is one of several."""

    level: int
    name: str
    told: str


def facts(record: Record) -> Iterator[Fact]:
    """What a record holds, without what its title says and without what holds nothing."""
    return _fields(record, 0, _IN_THE_TITLE)


def _fields(value: msgspec.Struct, level: int, but: tuple[str, ...] = ()) -> Iterator[Fact]:
    for field in value.__struct_fields__:
        held = getattr(value, field)
        if field in but or held in (None, "", (), False) or (isinstance(held, dict) and not held):
            continue
        yield from _field(field.replace("_", " ").capitalize(), held, level)


def _field(name: str, held: Any, level: int) -> Iterator[Fact]:
    if isinstance(held, msgspec.Struct):
        yield Fact(level, name, "")
        yield from _fields(held, level + 1)
    elif isinstance(held, tuple | list) and any(isinstance(item, msgspec.Struct) for item in held):
        yield Fact(level, name, "")
        yield from (Fact(level + 1, "", _in_a_row(item)) for item in held)
    elif isinstance(held, dict):
        yield Fact(level, name, "")
        yield from (Fact(level + 1, str(key), _in_a_row(item)) for key, item in held.items())
    else:
        yield Fact(level, name, _in_a_row(held))


def _in_a_row(held: Any) -> str:
    """A value in one row: a struct by what its fields hold, a list by its items."""
    if isinstance(held, msgspec.Struct):
        parts = {field: getattr(held, field) for field in held.__struct_fields__}
        told = [_part(field, part) for field, part in parts.items() if part not in (None, "", (), False)]
        return _BETWEEN.join(told)
    if isinstance(held, tuple | list | frozenset):
        return ", ".join(_in_a_row(item) for item in held)
    return "yes" if held is True else str(held)


def _part(field: str, part: Any) -> str:
    name = field.replace("_", " ")
    return name if part is True else f"{name} {part}" if isinstance(part, int) else _in_a_row(part)
