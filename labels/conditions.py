"""Conditions of parts: a part is printed only if a column of its row is not empty, or compares with a value.

A condition is one of `{price}`, `{price} is empty`, `{kind} = vegan`, `{kind} != vegan`, and `{stock} < 5` with any of
<, <=, > and >=.
"""

import operator
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Final

import msgspec

from labels.errors import LabelError, excerpt
from labels.numbers import parse_cell_number
from labels.template import parse_template
from templates.languages.messages import phrase

_PATTERN: Final = re.compile(
    r"(?P<field>\{[^{}]*\})\s*(?:(?P<empty>is\s+empty)|(?P<filled>is\s+not\s+empty)"
    r"|(?P<sign><=|>=|!=|[=<>≤≥≠])(?P<value>[^{}]*))?",
    re.IGNORECASE,
)
_SYNONYMS: Final[Mapping[str, str]] = {"≤": "<=", "≥": ">=", "≠": "!="}
_ORDERS: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EMPTY: Final = "is empty"
_FILLED: Final = "is not empty"


class Condition(msgspec.Struct, frozen=True):
    """A condition on the value of a field. `value` is what a comparison compares it with."""

    source: str
    field: str
    comparison: str
    value: str = ""

    def holds(self, row: Mapping[str, str], decimal_sign: str = ".") -> bool:
        """Return True if the condition holds for a row.

        Two numbers are equal in any spelling, and two texts whatever their capitals and spaces. An empty cell is
        neither less nor greater than a number. Raises LabelError for a cell that has to be a number and is none.
        """
        cell = row.get(self.field, "").strip()
        if self.comparison in (_EMPTY, _FILLED):
            return bool(cell) is (self.comparison == _FILLED)
        if self.comparison in _ORDERS:
            return bool(cell) and _ORDERS[self.comparison](
                parse_cell_number(cell, decimal_sign), parse_cell_number(self.value)
            )
        return _is_equal(cell, self.value, decimal_sign) is (self.comparison == "=")


def parse_condition(text: str) -> Condition:
    """Parse a condition. Raises LabelError, with what to write."""
    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise LabelError(
            phrase(
                "“{condition}” is no condition; write {filled}, {empty}, {equal}, {unequal} or {less}.",
                condition=excerpt(text),
                filled='"{column}"',
                empty='"{column} is empty"',
                equal='"{column} = vegan"',
                unequal='"{column} != vegan"',
                less='"{column} < 5"',
            )
        )
    (field,) = parse_template(match["field"]).fields
    sign, value = match["sign"], (match["value"] or "").strip()
    if sign is None:
        return Condition(text, field, _EMPTY if match["empty"] else _FILLED)
    if not value:
        raise LabelError(
            phrase(
                "“{condition}” compares with nothing; write {empty} or {filled}, or a value behind the sign.",
                condition=excerpt(text),
                empty=f'"{match["field"]} {_EMPTY}"',
                filled=f'"{match["field"]} {_FILLED}"',
            )
        )
    sign = _SYNONYMS.get(sign, sign)
    if sign in _ORDERS:
        parse_cell_number(value)
    return Condition(text, field, sign, value)


def _is_equal(cell: str, value: str, decimal_sign: str) -> bool:
    with suppress(LabelError):
        return parse_cell_number(cell, decimal_sign) == parse_cell_number(value)
    return _plain(cell) == _plain(value)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
