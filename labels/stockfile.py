"""A stock's TOML file: what must stand in it, and what to write where something else does.

Separate because people write these files by hand, and are owed the line and the way out, in no library's words.
"""

import math
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from labels import handwritten
from labels.errors import LabelError
from labels.paper import PaperError, paper, usable

_MOST = 100
"""Labels in a row or column."""


class StockError(LabelError):
    """A stock that is not known, cannot be read, or cannot exist."""


class _Part(NamedTuple):
    """One line of the file: what it may be, in words, and an example."""

    may_be: Callable[[object], bool]
    told: str
    example: str


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_page(value: object) -> bool:
    return isinstance(value, str) and usable(value)


def _is_count(value: object) -> bool:
    return type(value) is int and 1 <= value <= _MOST


def _is_margin(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(number := float(str(value))) and number >= 0


def _is_length(value: object) -> bool:
    return _is_margin(value) and value != 0


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_PARTS: Mapping[str, _Part] = {
    "name": _Part(_is_text, "what it is called, in quotation marks", '"L7160"'),
    "title": _Part(_is_text, "what stands beside its name in lists, in quotation marks", '"Avery L7160, 21 labels"'),
    "aliases": _Part(_are_names, "other names, each in quotation marks, between brackets", '["5195"]'),
    "roll": _Part(_is_flag, "true for labels on a roll, else false", "true"),
    "page": _Part(_is_page, "letter, a4, or a width and a height, in quotation marks", '"148 x 210 mm"'),
    "order": _Part(lambda value: value in ("down", "across"), '"down" or "across": how positions count', '"across"'),
    "columns": _Part(_is_count, f"a whole number from 1 to {_MOST}", "3"),
    "rows": _Part(_is_count, f"a whole number from 1 to {_MOST}", "7"),
    "unit": _Part(lambda value: value in ("in", "mm"), '"mm" or "in", for all lengths', '"mm"'),
    "width": _Part(_is_length, "a label's width, more than 0", "63.5"),
    "height": _Part(_is_length, "a label's height, more than 0", "38.1"),
    "left": _Part(_is_margin, "from the page's left edge to the first label", "7.2"),
    "top": _Part(_is_margin, "from the page's top edge to the first label", "15.1"),
    "pitch_x": _Part(_is_length, "from a label's left edge to that of the next", "66"),
    "pitch_y": _Part(_is_length, "from a label's top edge to that of the next", "38.1"),
    "radius": _Part(_is_margin, "the radius of a label's corners, 0 or more", "1.5"),
    "margin_x": _Part(_is_margin, "what a roll's printer leaves blank at the sides", "1.5"),
    "margin_y": _Part(_is_margin, "what a roll's printer leaves blank at top and foot", "3"),
    "turned": _Part(_is_flag, "true where a roll's labels come out on their side, else false", "true"),
}
_MAY_LACK = frozenset({"aliases", "roll", "margin_x", "margin_y", "turned"})
_OF_ROLLS = frozenset({"name", "title", "unit", "width", "height", "radius"})
"""What a roll's file must say; the rest follows, since its page is the label."""


def checked(text: str, source: str) -> dict[str, Any]:
    """What a stock's file says, each part as it must be; what follows of a roll is filled in.

    Raises StockError, which names the source, the line, and what to write there.
    """
    told = _loaded(text, source)
    for key, value in told.items():
        _check(key, value, text, source)
    is_roll = told.get("roll") is True
    for key, part in _PARTS.items():
        needed = key in _OF_ROLLS if is_roll else key not in _MAY_LACK
        if needed and key not in told:
            raise StockError(f"The stock {source} cannot be read: it lacks “{key}”; write {_told(key, part)}.")
    return {**_as_roll(told, source), **told} if is_roll else told


def _loaded(text: str, source: str) -> dict[str, Any]:
    try:
        return handwritten.loaded(text, "rows = 7", 'unit = "mm"')
    except handwritten.BrokenLine as error:
        raise StockError(f"The stock {source} cannot be read: {error}") from error


def _check(key: str, value: object, text: str, source: str) -> None:
    part = _PARTS.get(key)
    if part is None:
        meant = get_close_matches(key, _PARTS, 1)
        way = f"write {_told(meant[0], _PARTS[meant[0]])}" if meant else "leave it out"
        raise StockError(f"The stock {source} cannot be read: line {_line(key, text)} has “{key}”; {way}.")
    if not part.may_be(value):
        raise StockError(f"The stock {source} cannot be read: line {_line(key, text)}: write {_told(key, part)}.")


def _told(key: str, part: _Part) -> str:
    return f"{key} = {part.example} ({part.told})"


def _line(key: str, text: str) -> int:
    begins = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}\b""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if begins.match(line)), 1)


def _as_roll(told: Mapping[str, Any], source: str) -> dict[str, Any]:
    width, height = told["width"], told["height"]
    page = f"{width:.6g} x {height:.6g} {told['unit']}"
    try:
        paper(page)
    except PaperError as error:
        raise StockError(f"The stock {source} cannot be used: {error}") from error
    once = {"columns": 1, "rows": 1, "left": 0, "top": 0, "pitch_x": width, "pitch_y": height}
    return {"page": page, "order": "across", **once}
