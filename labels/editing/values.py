"""Values of a design as TOML, written as the file writes them."""

import re
from collections.abc import Sequence
from typing import Final

from labels.editing.scanner import array_items

Value = str | bool | int | float | Sequence[int | float]
"""A value that can be written: a text, true or false, a number, or numbers."""

_MULTI_LINE: Final = '"""'
_ESCAPES: Final = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_SPECIAL: Final = re.compile(r'[\x00-\x1f\x7f"\\]')
_SPECIAL_IN_LINES: Final = re.compile(r'[\x00-\x09\x0b-\x1f\x7f\\]|"(?="")|"$')
_MOST_DECIMALS: Final = 4


def write_value(value: Value, old: str | None, newline: str) -> str:
    """Write a value in the style of the one that it replaces, if there is one."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _write_text(value, old or "", newline)
    if isinstance(value, int | float):
        return write_number(value, kept_decimals(old or ""))
    items = array_items(old) if old and old.startswith("[") else []
    if old is None or len(items) != len(value):
        return f"[{', '.join(write_number(each) for each in value)}]"
    return write_items(
        old, [write_number(each, kept_decimals(span.read(old))) for each, span in zip(value, items, strict=True)]
    )


def write_items(array: str, items: Sequence[str]) -> str:
    """Replace the items of an array, and keep its spaces and comments."""
    for span, item in reversed(list(zip(array_items(array), items, strict=True))):
        array = span.replace(array, item)
    return array


def write_number(value: float, least: int = 0, most: int = _MOST_DECIMALS) -> str:
    """Write a number with at least `least` decimals, and no more than `most` unless it must have more."""
    if isinstance(value, int):
        return f"{value}.{'0' * least}" if least else str(value)
    whole, _, fraction = f"{value:.{max(most, least)}f}".partition(".")
    fraction = fraction.rstrip("0").ljust(least, "0")
    number = f"{whole}.{fraction}" if fraction else whole
    return number if number.strip("-0.") else number.removeprefix("-")


def decimals(number: str) -> int:
    """Return how many decimals a number is written with."""
    return len(number.partition(".")[2])


def kept_decimals(number: str) -> int:
    """Return how many decimals a number keeps when it changes: all if it ends in a zero, as 3.0 does, and else none."""
    return decimals(number) if number.endswith("0") else 0


def _write_text(value: str, old: str, newline: str) -> str:
    if old.startswith(_MULTI_LINE) and "\n" in value:
        content = _SPECIAL_IN_LINES.sub(_escape, value).replace("\n", newline)
        begins = old[3:4] in ("\r", "\n") or value.startswith("\n")
        return f"{_MULTI_LINE}{newline if begins else ''}{content}{_MULTI_LINE}"
    if old.startswith("'") and not old.startswith("'''") and not re.search(r"[\x00-\x08\x0a-\x1f\x7f']", value):
        return f"'{value}'"
    return f'"{_SPECIAL.sub(_escape, value)}"'


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0], f"\\u{ord(match[0]):04x}")
