"""Numbers as a spreadsheet shows them: a value and the format of its cell become the text that stands in the cell.

`xlfmt` applies the formats, in English. A format that names a locale, as `[$€-407]` does, gets the separators of that
locale and its names of days and months.
"""

import locale
import re
import tomllib
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

import xlfmt

GENERAL: Final = "General"
BUILT_IN: Final[Mapping[int, str]] = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    # The next one, and 22, follow the settings of the system that shows them: ISO 8601 means the same day to everybody.
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0 ;(#,##0)",
    38: "#,##0 ;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
"""The formats that Excel does not write into a file, by their numbers; any other is General."""

_TEXT_SECTION: Final = 3
"""Semicolons that stand before the part of a format that is for texts."""
_SYSTEM_FORMATS: Final[Mapping[str, str]] = {"F800": "yyyy-mm-dd", "F400": "h:mm:ss"}
"""The long date and the time of the system that shows them."""
_LITERAL: Final = re.compile(r'"[^"]*"?|\\.|[_*].|\[[^\]]*\]?')
_LOCALE: Final = re.compile(r"\[\$[^\]]*?-(?!x-)([\w-]+)[^\]]*\]")
_FIXED: Final = re.compile(r'(#,##)?0(?:\.(0+))?(?:((?:\\ | )?)"([^"]*)")?')
"""Zero or more decimals, perhaps in groups of thousands, perhaps with a word behind."""
_LANGUAGE_ONLY: Final = re.compile(r"\[\$-[^\]]*\]")
_WINDOWS_LOCALE: Final = re.compile(r"[0-9A-F]{3,8}", re.IGNORECASE)
_DATE: Final = re.compile(r"[ymdhs]|AM/PM", re.IGNORECASE)
_POINT: Final = re.compile(r"\.(?!0)")
"""In a date: one that does not stand before fractions of a second."""
_NAME: Final = re.compile(r"m{3,}|d{3,}", re.IGNORECASE)
_MARKS: Final = {".": "\ue000", ",": "\ue001"}
"""Stand for points and commas in the words of a format while separators are translated."""


@lru_cache(maxsize=10_000)
def apply_number_format(number: float, code: str, *, from_1904: bool = False) -> str:
    """The text of a cell, without the spaces that align it with others.

    Args:
        number: the value; of a date, the days since the workbook's epoch.
        code: the number format as stored in xlsx files, in Excel's English notation.
        from_1904: whether the workbook counts days from 1904.
    """
    if code == GENERAL:
        return format_general(number)
    if fixed := _FIXED.fullmatch(code):
        return _format_fixed(number, fixed)
    match = _LOCALE.search(code)
    tag = match[1] if match else ""
    code = _LANGUAGE_ONLY.sub("", _SYSTEM_FORMATS.get(tag.upper(), code))
    if code.strip().lower() == GENERAL.lower():
        return format_general(number)
    try:
        text = _format_in(_load_locale(_language_tag(tag)), number, code, from_1904).strip()
    except (ArithmeticError, ValueError, LookupError):
        # A number that is too large for the format, as a day after the year 9999 is.
        return format_general(number)
    # A day before the epoch is a row of # on the screen, which tells nobody anything on paper.
    return text if text.strip("#") or not text else format_general(number)


def format_general(number: float) -> str:
    """A number without a format: all its digits, up to the 15 that a spreadsheet keeps."""
    return f"{number:.0f}" if 1e15 <= abs(number) < 1e21 else f"{number:.15G}"


def apply_text_format(text: str, code: str) -> str:
    """A text in its cell: formats may put words around it, or hide it."""
    if "@" not in code and code.count(";") < _TEXT_SECTION:
        return text
    return str(xlfmt.format_value(text, code))


def _format_fixed(number: float, match: re.Match[str]) -> str:
    """The usual formats, for tables of a hundred thousand prices: `xlfmt` takes 0.1 ms for a number, this a tenth."""
    groups, decimals, space, word = match.groups(default="")
    rounded = Decimal(str(number)).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP) + 0
    return f"{rounded:{',' if groups else ''}f}{space[-1:]}{word}".strip()


def _format_in(words: Mapping[str, Any], number: float, code: str, from_1904: bool) -> str:
    parts = _split_literals(code)
    if _DATE.search("".join(part for part in parts if not _is_literal(part)).replace(GENERAL, "")):
        day = _epoch(from_1904) + timedelta(days=number)
        code = "".join(part if _is_literal(part) else _name_days(part, day, words) for part in parts)
        return str(xlfmt.format_value(number, code, date1904=from_1904))
    if not words:
        return str(xlfmt.format_value(number, code))
    text = str(xlfmt.format_value(number, "".join(_hide_marks(part) if _is_literal(part) else part for part in parts)))
    signs = {".": words["decimal"], ",": words["group"], **{mark: sign for sign, mark in _MARKS.items()}}
    return "".join(signs.get(char, char) for char in text)


def _epoch(from_1904: bool) -> datetime:
    return datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)


def _is_literal(part: str) -> bool:
    return _LITERAL.fullmatch(part) is not None


def _split_literals(code: str) -> list[str]:
    """A format in parts, each either a literal or free of any."""
    return re.split(f"({_LITERAL.pattern})", code)


def _hide_marks(literal: str) -> str:
    """Keep points and commas of a word or a currency as they are; those of a condition, as in `[<1.5]`, are read."""
    if literal.startswith("[") and not literal.startswith("[$"):
        return literal
    return "".join(_MARKS.get(char, char) for char in literal)


def _name_days(part: str, day: datetime, words: Mapping[str, Any]) -> str:
    """Put the names of a day and its month where a format asks for them, in the words of a locale."""
    # xlfmt drops the points between days and months, but for those that it reads as literals.
    part = _POINT.sub(r"\\.", part)
    return _NAME.sub(lambda match: f'"{_day_name(match[0].lower(), day, words)}"', part) if words else part


def _day_name(field: str, day: datetime, words: Mapping[str, Any]) -> str:
    length = "short_" if len(field) == 3 else ""
    if field[0] == "d":
        return str(words[f"{length}days"][day.isoweekday() % 7])
    name = str(words[f"{length}months"][day.month - 1])
    return name[0].upper() if len(field) == 5 else name


def _language_tag(tag: str) -> str:
    """The tag of a locale, as `de_DE`, from its number at Windows or from a tag; "" for none."""
    if _WINDOWS_LOCALE.fullmatch(tag):
        return locale.windows_locale.get(int(tag, 16) & 0xFFFF, "")
    return tag.replace("-", "_")


@cache
def _load_locale(tag: str) -> Mapping[str, Any]:
    """Separators and names of a locale; nothing for English and for one that is not known."""
    content = tomllib.loads((resources.files("templates") / "locales.toml").read_text(encoding="utf-8"))
    language = content.get(tag.partition("_")[0], {})
    country = content.get(tag, {})
    return {**language, **country} if language else {}
