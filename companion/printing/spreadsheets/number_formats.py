"""Numbers as a spreadsheet displays them: converts a value and the format of its cell to the text of the cell.

A format that names a locale, such as `[$€-407]`, gets that locale's separators and names of days and months. All others
are in English.
"""

import locale
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from functools import cache, lru_cache
from importlib import resources
from math import floor, isfinite
from typing import Any, Final, NamedTuple

from companion.printing.spreadsheets.format_codes import FormatError, FormatSection, parse_format

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
    # Formats 14 and 22 depend on the displaying system's settings. ISO 8601 is unambiguous for everyone.
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
"""The formats that Excel does not write into a file, by their numbers. Any other is General."""

_WINDOWS_LOCALE: Final = re.compile(r"[0-9A-F]{3,8}", re.IGNORECASE)
_PADDING: Final[Mapping[str, str]] = {"0": "0", "?": " ", "#": ""}
"""The padding for a placeholder without a digit."""
_SLASH: Final = re.compile(r"( ?/ ?)")
_EXACT: Final = 1e-13
"""Difference below which a fraction equals a number."""
_NOT_ZERO: Final = re.compile(r"[1-9]")
_DAY: Final = 24 * 60 * 60
_SECONDS: Final[Mapping[str, int]] = {"h": 60 * 60, "m": 60, "s": 1}
_LEAP_DAY: Final = 60
"""29 February 1900, which Excel counts although there was none."""
_DAYS_UNTIL_1904: Final = 1462
_SYNONYMS: Final[Mapping[str, str]] = {"no": "nb", "iw": "he", "in": "id"}
"""Language codes that are synonyms of another one."""
_HARD_SPACE: Final = "\u00a0"
_CONTEXT: Final = Context(prec=1_000)
"""Enough digits for any number in the longest format of Excel."""


class UnknownLanguageError(ValueError):
    """A language whose names of months and days are unknown."""


@lru_cache(maxsize=10_000)
def apply_number_format(number: float, code: str, *, from_1904: bool = False) -> str:
    """Return the text of a cell, without the spaces at its ends that align it with others.

    A number is displayed as General if its format cannot be parsed, or if Excel displays a row of #, as for a day
    before the epoch.

    Args:
        number: The value; for a date, the days since the workbook's epoch.
        code: The number format as stored in xlsx files, in Excel's English notation.
        from_1904: True if the workbook counts days from 1904.
    """
    if code == GENERAL or not isfinite(number):
        return format_general(number)
    try:
        number_format = parse_format(code)
        section = number_format.section(number)
        words = _load_locale(_language_tag(number_format.locale))
        pieces = _format_pieces(section, number, words, from_1904)
    except (ArithmeticError, FormatError):
        return format_general(number)
    text = section.render(pieces).strip()
    is_absolute = section.condition is not None and section.condition.is_negative_only
    is_zero = bool(pieces) and not _has_digits(pieces)
    return text if number >= 0 or is_absolute or is_zero else f"-{text}"


def format_general(number: float) -> str:
    """Return a number with all its digits, up to the 15 that a spreadsheet keeps; 0 has no sign."""
    number += 0.0
    return f"{number:.0f}" if 1e15 <= abs(number) < 1e21 else f"{number:.15G}"


def apply_text_format(text: str, code: str) -> str:
    """Return the displayed text of a text cell. Formats may add words around it, or hide it."""
    try:
        section = parse_format(code).text
    except FormatError:
        return text
    if section is None:
        return text
    display = section.render({"text": [text] * len(section.texts("text"))}).strip()
    return text if display == text.strip() else display


def format_datetime(moment: datetime, code: str, language: str = "") -> str:
    """Format a date or a time in a number format.

    Args:
        moment: Any date of the calendar; a spreadsheet counts from 1900 only.
        code: A number format with a date or a time.
        language: The language of the names of months and days, such as "de" or "fr-CA"; English for "". Months without
        a day are in the nominative: „červen 2026“, but „1. června 2026“.

    Raises:
        FormatError: If the format cannot be parsed.
        UnknownLanguageError: If the format needs a name, and those of the language are unknown.
    """
    section = parse_format(code).numbers[0]
    fields = section.texts("date")
    tag = _locale_tag(language)
    if any(field[0] in "md" and len(field) > 2 for field in fields) and tag.partition("_")[0] not in _read_locales():
        raise UnknownLanguageError(language)
    words = dict(_load_locale(tag))
    for kind, needs_day in (("months", {"d", "dd"}), ("days", {"d", "dd", "m", "mm", "mmm", "mmmm"})):
        if not needs_day.intersection(fields):
            words[kind] = words.get(f"alone_{kind}", words[kind])
    clock = moment.hour * 3600 + moment.minute * 60 + moment.second
    is_twelve_hour = any(field.startswith("a") for field in fields)
    day = (moment.year, moment.month, moment.day, moment.isoweekday() % 7)
    parts = _Moment(*day, clock, clock, "", is_twelve_hour)
    return section.render({"date": [_format_field(field, parts, words) for field in fields]}).strip()


def format_quantity(number: Decimal, code: str, language: str = "") -> str:
    """Format a number in a number format, with the decimal sign and the groups of a language; English for "".

    Without decimals it has no decimal sign, unlike in a spreadsheet. Its spaces do not break, so that a number stays on
    one line with its unit. Raises FormatError if the format cannot be parsed.
    """
    words = _load_locale(_locale_tag(language))
    section = parse_format(code).numbers[0]
    words = {**words, "group": words["group"].replace("\u202f", _HARD_SPACE)}
    pieces = _format_pieces(section, float(number), words, from_1904=False)
    if not any(pieces.get("decimal", ())):
        pieces["point"] = [""]
    text = section.render(pieces).strip().replace(" ", _HARD_SPACE)
    return f"-{text}" if number < 0 and _has_digits(pieces) else text


def decimal_sign(language: str) -> str:
    """Return the decimal sign of a language, such as "de" or "fr-CA"; that of English for ""."""
    return str(_load_locale(_locale_tag(language))["decimal"])


def month_names(language: str) -> Sequence[Sequence[str]]:
    """Return the names of each month in a language, from January on, including the English ones."""
    kinds = ("months", "short_months", "alone_months")
    words = [_load_locale(tag) for tag in ("en", _locale_tag(language))]
    return [[each[kind][month] for each in words for kind in kinds if kind in each] for month in range(12)]


def has_time(code: str) -> bool:
    """Return True for a number format that displays hours, minutes or seconds."""
    return any(field[0] in "hnsa[" for field in parse_format(code).numbers[0].texts("date"))


def has_day(code: str) -> bool:
    """Return True for a number format that displays a day, a month or a year."""
    return any(field[0] in "ymd" for field in parse_format(code).numbers[0].texts("date"))


_Pieces = dict[str, Sequence[str]]


def _format_pieces(section: FormatSection, number: float, words: Mapping[str, Any], from_1904: bool) -> _Pieces:
    """Return the texts that replace the tokens of a section, by kind. The sign is left out."""
    if fields := section.texts("date"):
        if number < 0 and not from_1904:
            raise FormatError(number)
        moment = _read_moment(_to_decimal(number), fields, from_1904)
        return {"date": [_format_field(field, moment, words) for field in fields]}
    value = _to_decimal(number).scaleb(section.scale)
    point = {"point": [words["decimal"]]}
    if fractions := section.texts("fraction"):
        return _fraction_pieces(section, value, fractions[0])
    if section.texts("exponent"):
        return point | _exponent_pieces(section, value)
    if section.texts("integer"):
        return point | _digit_pieces(section, value, words["group"] if section.has_groups else "")
    general = format_general(abs(number)).replace(".", words["decimal"])
    return {kind: [general] * len(section.texts(kind)) for kind in ("general", "text") if section.texts(kind)}


def _has_digits(pieces: _Pieces) -> bool:
    """Return True unless all digits of a number are 0."""
    return any(_NOT_ZERO.search(piece) for texts in pieces.values() for piece in texts)


def _to_decimal(number: float) -> Decimal:
    """Return the 15 digits that a spreadsheet keeps of a number, without its sign."""
    return Decimal(f"{abs(number):.14e}")


def _round_decimal(value: Decimal, decimals: int, rounding: str = ROUND_HALF_UP) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), rounding, _CONTEXT)


def _digit_pieces(section: FormatSection, value: Decimal, separator: str = "") -> _Pieces:
    decimals = section.texts("decimal")
    integer, _, rest = f"{_round_decimal(value, len(decimals)):f}".partition(".")
    return {
        "integer": _fill_integer(integer.lstrip("0"), section.texts("integer"), separator),
        "decimal": _fill_decimals(rest, decimals),
    }


def _fill_integer(digits: str, placeholders: Sequence[str], separator: str = "") -> list[str]:
    """Distribute digits among placeholders from the right; the first placeholder gets all that are left."""
    surplus = max(len(digits) - len(placeholders), 0)
    pieces = []
    for index, digit in enumerate(digits.rjust(len(placeholders))):
        piece = digit if digit != " " else _PADDING[placeholders[index]]
        place = len(placeholders) + surplus - index - 1
        pieces.append(piece + separator if piece.strip() and place and place % 3 == 0 else piece)
    return ["".join(pieces[: surplus + 1]), *pieces[surplus + 1 :]]


def _fill_decimals(digits: str, placeholders: Sequence[str]) -> list[str]:
    """Distribute digits among placeholders from the left; zeros at the end give way to padding."""
    length = len(digits.rstrip("0"))
    return [
        digit if index < length else _PADDING[placeholder]
        for index, (digit, placeholder) in enumerate(zip(digits, placeholders, strict=True))
    ]


def _exponent_pieces(section: FormatSection, value: Decimal) -> _Pieces:
    """Format a number with an exponent, which is a multiple of the number of digits before the point."""
    step, decimals = len(section.texts("integer")) or 1, len(section.texts("decimal"))
    exponent = value.adjusted() // step * step if value else 0
    if _round_decimal(value.scaleb(-exponent), decimals) >= 10**step:
        exponent += step
    sign = section.texts("exponent")[0]
    powers = _fill_integer(str(abs(exponent)), section.texts("power"))
    return {
        **_digit_pieces(section, value.scaleb(-exponent)),
        "exponent": ["E-" if exponent < 0 else sign.upper().rstrip("-")],
        "power": powers,
    }


def _fraction_pieces(section: FormatSection, value: Decimal, code: str) -> _Pieces:
    """Format a number as a fraction, with the integer before it if a placeholder stands there."""
    top, slash, bottom = _SLASH.split(code)
    placeholders = section.texts("integer")
    integer = int(value) if placeholders else 0
    if bottom.isdigit() and int(bottom):
        denominator = int(bottom)
        numerator = int(_round_decimal((value - integer) * denominator, 0))
    else:
        numerator, denominator = _approximate(float(value) - integer, 10 ** len(bottom) - 1)
    if placeholders and numerator == denominator:
        integer, numerator = integer + 1, 0
    if placeholders and numerator == 0 and "0" not in top:
        return {"integer": _fill_integer(str(integer), placeholders), "fraction": [" " * len(code)]}
    numerator_text = "".join(_fill_integer(str(numerator), top))
    denominator_text = (
        str(denominator).ljust(len(bottom)) if "?" in bottom else "".join(_fill_integer(str(denominator), bottom))
    )
    return {
        "integer": _fill_integer(str(integer).lstrip("0"), placeholders) if placeholders else [],
        "fraction": [f"{numerator_text}{slash}{denominator_text}"],
    }


def _approximate(value: float, max_denominator: int) -> tuple[int, int]:
    """Return the last convergent of a continued fraction up to a denominator: its numerator and denominator.

    Excel picks this fraction, although another may be closer, and calculates it in binary.
    """
    whole = floor(value)
    rest = value - whole
    previous, current = (1, 0), (whole, 1)
    while rest and abs(value - current[0] / current[1]) > _EXACT:
        whole = floor(1 / rest)
        rest = 1 / rest - whole
        numerator, denominator = (whole * current[index] + previous[index] for index in (0, 1))
        if denominator > max_denominator:
            break
        previous, current = current, (numerator, denominator)
    return current


class _Moment(NamedTuple):
    """A date and a time of day.

    Attributes:
        weekday: The day of the week, 0 for Sunday.
        clock: Seconds since midnight.
        elapsed: Seconds since the epoch.
        fraction: The digits of the fraction of a second.
        is_twelve_hour: True if hours are counted from 1 to 12.
    """

    year: int
    month: int
    day: int
    weekday: int
    clock: int
    elapsed: int
    fraction: str
    is_twelve_hour: bool


def _read_moment(value: Decimal, fields: Sequence[str], from_1904: bool) -> _Moment:
    """Split a number of days, rounded to the smallest unit that the fields display."""
    decimals = max(len(field.partition(".")[2]) for field in fields)
    if any(field[0] not in "ymd" for field in fields):
        seconds = _round_decimal(value * _DAY, decimals)
    else:
        seconds = _round_decimal(value, 0, ROUND_FLOOR) * _DAY
    elapsed = int(seconds)
    days, clock = divmod(elapsed, _DAY)
    serial = days + _DAYS_UNTIL_1904 if from_1904 else days
    fraction = f"{seconds:f}".partition(".")[2]
    is_twelve_hour = any(field.startswith("a") for field in fields)
    return _Moment(*_calendar_day(serial), (serial - 1) % 7, clock, elapsed, fraction, is_twelve_hour)


def _calendar_day(serial: int) -> tuple[int, int, int]:
    """Return year, month and day of a day that is counted from 1 January 1900, with the leap day of that year."""
    if serial == 0:
        return 1900, 1, 0
    if serial == _LEAP_DAY:
        return 1900, 2, 29
    day = date(1899, 12, 31 if serial < _LEAP_DAY else 30) + timedelta(serial)
    return day.year, day.month, day.day


def _format_field(field: str, moment: _Moment, words: Mapping[str, Any]) -> str:
    """Format one field of a date or a time, such as `mmm` or `[hh]`. Minutes are an n."""
    field, _, decimals = field.partition(".")
    fraction = f"{words['decimal']}{moment.fraction[: len(decimals)]}" if decimals else ""
    hour, width = moment.clock // 3600, len(field)
    digits = min(width, 2)
    match field[0]:
        case "y":
            return f"{moment.year % 100:02}" if width <= 2 else str(moment.year)
        case "m" if width > 2:
            name = str(words["short_months" if width == 3 else "months"][moment.month - 1])
            return name[0].upper() if width == 5 else name
        case "m":
            return f"{moment.month:0{width}}"
        case "d" if width > 2:
            return str(words["short_days" if width == 3 else "days"][moment.weekday])
        case "d":
            return f"{moment.day:0{width}}"
        case "h":
            return f"{(hour - 1) % 12 + 1 if moment.is_twelve_hour else hour:0{digits}}"
        case "n":
            return f"{moment.clock // 60 % 60:0{digits}}"
        case "s":
            return f"{moment.clock % 60:0{digits}}{fraction}"
        case "a":
            return field.upper().split("/")[hour >= 12]
        case _:
            return f"{moment.elapsed // _SECONDS[field[1]]:0{width - 2}}{fraction}"


def _language_tag(tag: str) -> str:
    """Return the tag of a locale, such as `de_DE`, from its Windows number or from a tag; "" for none."""
    if _WINDOWS_LOCALE.fullmatch(tag):
        return locale.windows_locale.get(int(tag, 16) & 0xFFFF, "")
    return tag.replace("-", "_")


def _locale_tag(language: str) -> str:
    """Return the tag of a locale, such as `fr_CA` or `sr_Latn`, for a language's code; that of English for ""."""
    primary, *others = language.split("-")
    primary = primary.lower() or "en"
    return "_".join(
        (_SYNONYMS.get(primary, primary), *(part.title() if len(part) == 4 else part.upper() for part in others))
    )


@cache
def _read_locales() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((resources.files("templates") / "locales.toml").read_text(encoding="utf-8"))


@cache
def _load_locale(tag: str) -> Mapping[str, Any]:
    """Return the separators and names of a locale, or those of English for an unknown locale."""
    content = _read_locales()
    return {**content["en"], **content.get(tag.partition("_")[0], {}), **content.get(tag, {})}
