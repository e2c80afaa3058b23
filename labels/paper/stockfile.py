"""The TOML file of a stock: its keys, their requirements, and the derived values of a roll."""

import math
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from labels import handwritten
from labels.drawing.dots import DOTS
from labels.errors import LabelError
from labels.geometry import INK_NAMES, PaperError, is_paper, parse_paper
from templates.languages.messages import Message, phrase

_MAX_PER_ROW = 100
"""Labels in a row or column."""
_MAX_DPI = 1200


class StockError(LabelError):
    """A stock that is unknown, cannot be read, or is impossible."""


class _StockKey(NamedTuple):
    """A key of the file: its validator, its requirement in words, and an example."""

    may_be: Callable[[object], bool]
    requirement: Message
    example: str


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_count(value: object) -> bool:
    return type(value) is int and 1 <= value <= _MAX_PER_ROW


def _is_margin(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(number := float(str(value))) and number >= 0


def _is_length(value: object) -> bool:
    return _is_margin(value) and value != 0


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_KEYS: Mapping[str, _StockKey] = {
    "name": _StockKey(_is_text, phrase("what it is called, in quotation marks"), '"L7160"'),
    "title": _StockKey(
        _is_text, phrase("what stands beside its name in lists, in quotation marks"), '"Avery L7160, 21 labels"'
    ),
    "aliases": _StockKey(_are_names, phrase("other names, each in quotation marks, between brackets"), '["5195"]'),
    "roll": _StockKey(_is_flag, phrase("true for labels on a roll, else false"), "true"),
    "page": _StockKey(
        lambda value: isinstance(value, str) and is_paper(value),
        phrase("letter, a4, or a width and a height, in quotation marks"),
        '"148 x 210 mm"',
    ),
    "order": _StockKey(
        lambda value: value in ("down", "across"), phrase('"down" or "across": how positions count'), '"across"'
    ),
    "columns": _StockKey(_is_count, phrase("a whole number from 1 to {most}", most=str(_MAX_PER_ROW)), "3"),
    "rows": _StockKey(_is_count, phrase("a whole number from 1 to {most}", most=str(_MAX_PER_ROW)), "7"),
    "unit": _StockKey(lambda value: value in ("in", "mm"), phrase('"mm" or "in", for all lengths'), '"mm"'),
    "width": _StockKey(_is_length, phrase("a label's width, more than 0"), "63.5"),
    "height": _StockKey(_is_length, phrase("a label's height, more than 0"), "38.1"),
    "left": _StockKey(_is_margin, phrase("from the page's left edge to the first label"), "7.2"),
    "top": _StockKey(_is_margin, phrase("from the page's top edge to the first label"), "15.1"),
    "pitch_x": _StockKey(_is_length, phrase("from a label's left edge to that of the next"), "66"),
    "pitch_y": _StockKey(_is_length, phrase("from a label's top edge to that of the next"), "38.1"),
    "radius": _StockKey(_is_margin, phrase("the radius of a label's corners, 0 or more"), "1.5"),
    "margin_x": _StockKey(_is_margin, phrase("what a roll's printer leaves blank at the sides"), "1.5"),
    "margin_y": _StockKey(_is_margin, phrase("what a roll's printer leaves blank at top and foot"), "3"),
    "ink": _StockKey(
        lambda value: value in INK_NAMES,
        phrase('"black" or "colour": what its printer knows; black for a roll'),
        '"colour"',
    ),
    "turned": _StockKey(_is_flag, phrase("true where a roll's labels come out on their side, else false"), "true"),
    "shape": _StockKey(
        lambda value: value in ("rectangle", "ellipse"),
        phrase('"rectangle" or "ellipse"; round is an ellipse'),
        '"ellipse"',
    ),
    "hole": _StockKey(_is_margin, phrase("how wide the round hole in a label's middle is, 0 for none"), "41"),
    "dpi": _StockKey(
        lambda value: type(value) is int and 100 <= value <= _MAX_DPI,
        phrase("how many dots to an inch a roll's printer has, 100 to {most}", most=str(_MAX_DPI)),
        "300",
    ),
    "backing": _StockKey(_is_length, phrase("how wide the backing paper of a roll is"), "108"),
    "continuous": _StockKey(
        _is_flag, phrase("true for an endless roll, which is cut where a label ends, else false"), "true"
    ),
    "makers": _StockKey(
        _are_names, phrase("who may be named before its name, each in quotation marks, in brackets"), '["Avery"]'
    ),
    "source": _StockKey(_is_text, phrase("where its figures come from, in quotation marks"), '"measured with a ruler"'),
    "confirmed": _StockKey(_is_flag, phrase("false where nothing else agrees with these figures, else true"), "false"),
}
_OPTIONAL = frozenset(
    {
        *(
            "aliases",
            "roll",
            "margin_x",
            "margin_y",
            "ink",
            "turned",
            "shape",
            "hole",
            "dpi",
            "backing",
            "continuous",
            "makers",
        ),
        *("makers", "source", "confirmed"),
    }
)
_ROLL_KEYS = frozenset({"name", "title", "unit", "width", "height", "radius"})
"""The required keys of a roll's file. The others are derived, since its page is a row of labels."""


def parse_values(text: str, source: str) -> dict[str, Any]:
    """Return the validated values of a stock's file, with the derived values of a roll.

    Raises StockError, which names the source, the line and the remedy.
    """
    try:
        values = handwritten.load(text, "rows = 7", 'unit = "mm"')
    except handwritten.BrokenLine as error:
        raise StockError(
            phrase("The stock {file} cannot be read: {problem}", file=source, problem=error.message)
        ) from error
    for key, value in values.items():
        _check_value(key, value, text, source)
    is_roll = values.get("roll") is True
    if values.get("shape") == "ellipse":
        values.setdefault("radius", 0)
    for key, part in _KEYS.items():
        needed = key in _ROLL_KEYS if is_roll else key not in _OPTIONAL
        if needed and key not in values:
            raise StockError(
                phrase(
                    "The stock {file} cannot be read: it lacks “{key}”; write {example}.",
                    file=source,
                    key=key,
                    example=_example_line(key, part),
                )
            )
    return fill_roll(values, source) if is_roll else values


def _check_value(key: str, value: object, text: str, source: str) -> None:
    part = _KEYS.get(key)
    if part is None:
        candidates = get_close_matches(key, _KEYS, 1)
        line = str(_line_number(key, text))
        raise StockError(
            phrase(
                "The stock {file} cannot be read: line {line} has “{key}”; write {example}.",
                file=source,
                line=line,
                key=key,
                example=_example_line(candidates[0], _KEYS[candidates[0]]),
            )
            if candidates
            else phrase(
                "The stock {file} cannot be read: line {line} has “{key}”; leave it out.",
                file=source,
                line=line,
                key=key,
            )
        )
    if not part.may_be(value):
        raise StockError(
            phrase(
                "The stock {file} cannot be read: line {line}: write {example}.",
                file=source,
                line=str(_line_number(key, text)),
                example=_example_line(key, part),
            )
        )


def _example_line(key: str, part: _StockKey) -> Message:
    # Translators: a line of a file, with what it is in brackets
    return phrase("{line} ({meaning})", line=f"{key} = {part.example}", meaning=part.requirement)


def _line_number(key: str, text: str) -> int:
    begins = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}\b""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if begins.match(line)), 1)


def fill_roll(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return a roll's values with those derived from them: its page is one row of labels, in the middle of its backing.

    Labels that are `turned` lie in rows as they are read, since they are side by side as they are printed. Raises
    StockError if no printer takes such a page.
    """
    usual = {"ink": "black", "dpi": DOTS, "order": "across", "columns": 1, "rows": 1, "left": 0, "top": 0}
    filled: dict[str, Any] = usual | dict(values)
    width, height = filled["width"], filled["height"]
    filled = {"pitch_x": width, "pitch_y": height} | filled
    across = {
        "left": (filled["columns"] - 1) * filled["pitch_x"] + width,
        "top": (filled["rows"] - 1) * filled["pitch_y"] + height,
    }
    if "backing" in filled:
        side = "top" if filled.get("turned") else "left"
        backing = filled.pop("backing")
        filled[side] = values.get(side, (backing - across[side]) / 2)
        across[side] = backing
        if filled[side] < 0:
            raise StockError(
                phrase(
                    "The stock {file} cannot be used: its labels are wider than their backing of {width}; write "
                    "backing = the width of the paper they stick on.",
                    file=source,
                    width=f"{backing:g} {values['unit']}",
                )
            )
    page = f"{across['left']:.6g} x {across['top']:.6g} {values['unit']}"
    try:
        parse_paper(page)
    except PaperError as error:
        raise StockError(
            phrase("The stock {file} cannot be used: {problem}", file=source, problem=error.message)
        ) from error
    return {"page": page} | filled
