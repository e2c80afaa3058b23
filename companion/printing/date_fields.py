"""Computed values of fields: label numbers, the day of printing, and formatted dates and numbers.

Dates and numbers are in the format of their field and the language of their design.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final

from companion.printing.spreadsheets import number_formats
from labels import template
from labels.designs.own import Design
from labels.errors import LabelError, excerpt
from labels.numbers import parse_cell_number
from templates.languages.messages import phrase

_MOMENT: Final = re.compile(
    r"(?P<day>.*?)"
    r"(?:(?:^|,? +|T)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"(?: ?(?P<half>[ap])\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?)?",
    re.IGNORECASE | re.ASCII,
)
_YEAR_FIRST: Final = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})", re.ASCII)
_YEAR_LAST: Final = re.compile(
    r"(?P<first>\d{1,2})(?P<sign>[-/.]) ?(?P<second>\d{1,2})(?P=sign) ?(?P<year>\d{4}|\d\d)", re.ASCII
)
_DAY_AND_NAME: Final = re.compile(
    r"(?:[^\W\d]+\.?,? +)?(?P<day>\d{1,2})(?:\.|er|º|ª)?(?: +de)?[- ]+(?P<month>[^\W\d]+)\.?(?: +de)?[-, ]+"
    r"(?P<year>\d{4}|\d\d)"
)
_NAME_AND_DAY: Final = re.compile(r"(?:[^\W\d]+\.?,? +)?(?P<month>[^\W\d]+)\.? +(?P<day>\d{1,2}),? +(?P<year>\d{4})")
_CENTURY: Final = 30
"""Two-digit years from this one on are in the 20th century, as in Excel."""


class FieldValues:
    """The values of a design's fields that are not a column's own text.

    Args:
        design: The design with its fields, and the language of names of months and days.
        columns: The columns of the table, which may grow as it is read. A column takes precedence over a field.
        today: The day of printing.
        language: A language to use instead of the design's.
    """

    def __init__(self, design: Design, columns: Collection[str], today: date, language: str = "") -> None:
        self._columns = columns
        self._today = today
        self._language = language or design.language
        self._generated = {
            field: generated for field in design.fields if (generated := template.parse_generated(field)) is not None
        }
        self._formatted = {
            field: format_field
            for field in design.fields
            if field not in self._generated
            and (format_field := template.parse_date_field(field) or template.parse_number_field(field)) is not None
        }

    @property
    def decimal_sign(self) -> str:
        """The decimal sign of the language."""
        return number_formats.decimal_sign(self._language)

    @property
    def count_labels(self) -> bool:
        """Return True if each label gets a number of its own."""
        return any(field.first and field_name not in self._columns for field_name, field in self._generated.items())

    def fill(self, row: Mapping[str, str], number: int) -> Mapping[str, str]:
        """Return a row with the values of these fields on the label of a number, from 1.

        Raises LabelError for a cell that is no date or no number, and for a language whose names of months and days are
        unknown.
        """
        return {**row, **dict(self._values(row, number))} if self._generated or self._formatted else row

    def _values(self, row: Mapping[str, str], number: int) -> Iterator[tuple[str, str]]:
        for name, generated in self._generated.items():
            key = template.normalize_field(name)
            if key in self._columns:
                yield name, row.get(key, "")
            elif generated.first:
                yield name, f"{int(generated.first) + number - 1:0{len(generated.first)}d}"
            else:
                yield name, format_moment(self._today + timedelta(generated.days), generated.format, self._language)
        for name, field in self._formatted.items():
            key = template.normalize_field(name)
            if key in self._columns:
                yield name, row.get(key, "")
            elif text := row.get(field.column, "").strip():
                try:
                    yield name, self._format_cell(text, field)
                except LabelError as error:
                    raise LabelError(
                        phrase(
                            "{field} cannot be filled: {problem}", field=f"{{{excerpt(name)}}}", problem=error.message
                        )
                    ) from error

    def _format_cell(self, text: str, field: template.DateField | template.NumberField) -> str:
        if isinstance(field, template.NumberField):
            return format_cell_number(text, field.format, self._language)
        return format_moment(parse_moment(text, self._language), field.format, self._language)


def format_cell_number(text: str, spelling: str, language: str) -> str:
    """Format the number in a cell in a format as people type it. Raises LabelError for a text that is no number."""
    code = template.number_code(spelling)
    assert code is not None
    number = parse_cell_number(text, number_formats.decimal_sign(language))
    return number_formats.format_quantity(number, code, language)


def format_moment(moment: date | time, spelling: str, language: str) -> str:
    """Format a date, with or without a time, or a time, in a format as people type it.

    Raises LabelError if the format needs a part that the moment lacks, or names in an unknown language.
    """
    code = template.date_code(spelling)
    assert code is not None
    if isinstance(moment, time):
        if number_formats.has_day(code):
            raise LabelError(
                phrase(
                    "“{time}” is a time without a day; write a day as well, as 2026-05-12 {time}.",
                    time=f"{moment:%H:%M}",
                )
            )
        moment = datetime.combine(date.min, moment)
    elif not isinstance(moment, datetime):
        if number_formats.has_time(code):
            raise LabelError(
                phrase("“{day}” is a day without a time; write a time as well, as {day} 18:30.", day=str(moment))
            )
        moment = datetime.combine(moment, time())
    try:
        return number_formats.format_datetime(moment, code, language)
    except number_formats.UnknownLanguageError as error:
        raise LabelError(
            phrase(
                "the names of months and days in “{language}” are not known; write MM for the number of the month, or "
                "another language.",
                language=excerpt(language),
            )
        ) from error


@lru_cache(maxsize=1_000)
def parse_moment(text: str, language: str) -> date | time:
    """Parse a date, a date with a time, or a time as people write them.

    Names of months are in the language or in English. Raises LabelError for any other text, and for an ambiguous day.
    """
    match = _MOMENT.fullmatch(text.strip())
    assert match is not None
    try:
        day = _parse_day(match["day"].strip(), language) if match["day"] else None
        if match["hour"] is None:
            if day is not None:
                return day
            raise ValueError(text)
        hour = int(match["hour"])
        if match["half"]:
            hour = hour % 12 + (12 if match["half"] in "Pp" else 0) if 1 <= hour <= 12 else 24
        clock = time(hour, int(match["minute"]), int(match["second"] or 0))
    except LabelError:
        raise
    except ValueError as error:
        raise LabelError(
            phrase("“{text}” is no date that can be read; write it as 2026-05-12.", text=excerpt(text))
        ) from error
    return clock if day is None else datetime.combine(day, clock)


def _parse_day(text: str, language: str) -> date:
    """Parse a day. Raises ValueError for a text that is no day, LabelError for an ambiguous one."""
    if match := _YEAR_FIRST.fullmatch(text):
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    if match := _YEAR_LAST.fullmatch(text):
        first, second, year = int(match["first"]), int(match["second"]), _parse_year(match["year"])
        if match["sign"] == "." or first > 12:
            return date(year, second, first)
        if first != second and second <= 12:
            days = sorted((date(year, second, first), date(year, first, second)))
            raise LabelError(
                phrase(
                    "“{text}” may be {first} or {second}; write it in that way.",
                    text=excerpt(text),
                    first=str(days[0]),
                    second=str(days[1]),
                )
            )
        return date(year, first, second)
    match = _DAY_AND_NAME.fullmatch(text) or _NAME_AND_DAY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    name = match["month"].casefold()
    months = enumerate(number_formats.month_names(language), 1)
    month = next((month for month, names in months if name in map(str.casefold, names)), 0)
    return date(_parse_year(match["year"]), month, int(match["day"]))


def _parse_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < _CENTURY else 1900)
