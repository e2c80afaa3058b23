"""Texts with fields, such as `{name}, table {table}`, filled from a row. A field is a column's name without attributes.

Two fields need no column: `{#}` counts labels, and `{today}` is the day of printing. A field may give a date or a
number a format: `{today:D MMMM YYYY}`, `{since:DD.MM.YYYY}`, `{price:0.00 "€"}`.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from labels.errors import LabelError, excerpt
from labels.typesetting import emphasis
from templates.languages.messages import Message, listed, phrase

_TOKEN: Final = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
_MARKS: Final = f"[{emphasis.MARKS}]?"
_SEPARATOR: Final = re.compile(rf"\s*{_MARKS}[,;·•|/]{_MARKS}\s*|\s+{_MARKS}[-–—]{_MARKS}\s+|[ \t]*\n\s*")
"""A separator between the texts of two fields, which belongs to neither. It may be emphasized."""
_NUMBER: Final = re.compile(r"\#(?: ?: ?(?P<first>\d{1,9}))?")
_TODAY: Final = re.compile(r"today(?: ?\+ ?(?P<days>\d{1,5}))?")
_DATE_TOKEN: Final = re.compile(r'"[^"]*"|am/pm|[a-z]+|[^a-z"]', re.IGNORECASE)
_QUOTED: Final = re.compile('"[^"]*"')
_RUN: Final = re.compile(r"([a-z])\1*", re.IGNORECASE)
_DATE_RUNS: Final = frozenset({"d", "dd", "ddd", "dddd", "m", "mm", "mmm", "mmmm", "yy", "yyyy", "h", "hh", "s", "ss"})
_FOREIGN_RUN: Final = re.compile(r"([a-z])\1+", re.IGNORECASE)
_FOREIGN_DATE: Final = re.compile(r"(?:([a-z])\1{0,4}[-./ ,:]+)+([a-z])\2{1,4}", re.IGNORECASE)
"""A date format with letters of another language, such as TT.MM.JJJJ."""
_ISO: Final = "YYYY-MM-DD"
_NUMBER_TOKEN: Final = re.compile(r'"[^"]*"|[#0][#0.,]*[#0]|[#0]|.', re.DOTALL)
_NOT_IN_NUMBERS: Final = frozenset(';?@*_\\[]123456789"')
"""Characters that spreadsheets give a meaning of their own, and digits, which would look like those of the number."""
_COMMA_BEFORE_DECIMALS: Final = re.compile(r"[^#0]*[#0]+(?:[.'\s][#0]+)*,(?:0+|[#0]{1,2})[^#0]*")
"""A number format with a decimal comma, such as 0,00 or #.##0,00."""
_MAX_PLACES: Final = 15
"""The most digits of a number that a format writes: spreadsheets keep no more."""
_HARD_SPACE: Final = "\u00a0"


class GeneratedField(NamedTuple):
    """A field that needs no column.

    Attributes:
        first: The number of the first label, with leading zeros; "" for the day of printing.
        days: The number of days after the day of printing.
        format: The format of the day.
    """

    first: str
    days: int = 0
    format: str = _ISO


class DateField(NamedTuple):
    """A column and the format of its dates."""

    column: str
    format: str


class NumberField(NamedTuple):
    """A column and the format of its numbers."""

    column: str
    format: str


class TemplateError(LabelError):
    """A text with fields that cannot be parsed."""


class Template(msgspec.Struct, frozen=True):
    """A text of alternating words and field names: `pieces[1]` is the first field."""

    pieces: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields, in order."""
        return self.pieces[1::2]

    @property
    def source(self) -> str:
        """The text as it was written."""
        words = (piece.replace("{", "{{").replace("}", "}}") for piece in self.pieces[::2])
        fields = (f"{{{field}}}" for field in self.fields)
        return "".join(f"{word}{next(fields, '')}" for word in words)

    def fill_fields(self, row: Mapping[str, str]) -> str:
        """Return the text with its fields filled from a row.

        An empty field is left out with the words before it, or after it for the last field, up to a comma or another
        separator.
        """
        if len(self.pieces) == 1:
            return self.pieces[0]
        text, skipped = "", ""
        for separator, before, field, behind in self._phrases():
            value = row.get(field, "")
            if not value.strip():
                skipped = skipped or separator
                continue
            # A line that is left out ends nothing; the next one begins in its place.
            words = f"{skipped}{before.lstrip()}" if skipped else f"{separator}{before}"
            text += f"{words if text else before}{value}{behind}"
            skipped = ""
        return text.strip()

    def fill_code_text(self, row: Mapping[str, str]) -> str:
        """Return the text for a code: all words, with the fields filled from a row, or "" if all fields are empty."""
        if len(self.pieces) > 1 and not any(row.get(field, "").strip() for field in self.fields):
            return ""
        return "".join(
            _code_value(row.get(piece, ""), piece) if number % 2 else piece for number, piece in enumerate(self.pieces)
        ).strip()

    def _phrases(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield for each field the separator before it, the words before it, its name, and the words after it."""
        between = [_SEPARATOR.search(piece) for piece in self.pieces[:-1:2]]
        separator, before = "", self.pieces[0]
        for number, field in enumerate(self.fields, 1):
            words = self.pieces[2 * number]
            cut = between[number] if number < len(between) else None
            if number == len(self.fields):
                yield separator, before, field, words
            elif cut is None:
                yield separator, before, field, ""
                separator, before = "", words
            else:
                yield separator, before, field, words[: cut.start()]
                separator, before = cut[0], words[cut.end() :]


def _code_value(value: str, field: str) -> str:
    """Return the value of a field in a code: formatted numbers have plain spaces, which all codes can hold."""
    return value.replace(_HARD_SPACE, " ") if parse_number_field(field) is not None else value


def parse_template(text: str) -> Template:
    """Parse a text with fields. Raises TemplateError for an unbalanced brace."""
    pieces, end = [""], 0
    for token in _TOKEN.finditer(text):
        pieces[-1] += text[end : token.start()]
        end = token.end()
        if token[0] in ("{{", "}}"):
            pieces[-1] += token[0][0]
        elif not token[0].strip("{} "):
            raise TemplateError(
                phrase("“{text}” has a brace without a field; write {{name}}, or {{{{ for a brace to print.", text=text)
            )
        else:
            pieces += [_read_field(token[0][1:-1]), ""]
    pieces[-1] += text[end:]
    return Template(tuple(pieces))


def _read_field(field: str) -> str:
    """Return a field's normalized name, with a format as it was typed.

    Raises TemplateError for an invalid number or date.
    """
    name, colon, spelling = field.partition(":")
    has_format = bool(colon and name.strip() and (date_code(spelling) or number_code(spelling)))
    key = f"{normalize_field(name)}:{' '.join(spelling.split())}" if has_format else normalize_field(field)
    if key.startswith(("#", "today")) and set(key) & set(":+") and not is_generated(key):
        raise TemplateError(
            phrase(
                "{field} is neither a number nor a date; write {{#}}, {{#:001}} with the first number, {{today}}, "
                "{{today:DD.MM.YYYY}}, or {{today+14}} for a day two weeks from now.",
                field=f"{{{excerpt(field)}}}",
            )
        )
    if not has_format and name.strip() and _FOREIGN_DATE.fullmatch(spelling.strip()):
        raise TemplateError(
            phrase(
                "{field} is no format of a date; write {example}.",
                field=f"{{{excerpt(field)}}}",
                example=spell_date_field(name),
            )
        )
    if not has_format and name.strip() and _COMMA_BEFORE_DECIMALS.fullmatch(spelling.strip()):
        raise TemplateError(
            phrase(
                "{field} is no format of a number; write {example}. Formats have a decimal point, and numbers are "
                "printed as the language of the design writes them.",
                field=f"{{{excerpt(field)}}}",
                example=spell_number_field(name),
            )
        )
    return key


def spell_number_field(column: str) -> str:
    """Return an example of a number's format."""
    return f"{{{excerpt(' '.join(column.split()))}:#,##0.00}}"


def spell_date_field(column: str) -> Message:
    """Return an example of a date's format, with its letters."""
    return phrase(
        "{field}, with D for days, M for months, Y for years, h:mm for times, and MMMM or DDDD for names",
        field=f"{{{excerpt(' '.join(column.split()))}:DD.MM.YYYY}}",
    )


@lru_cache(maxsize=512)
def date_code(spelling: str) -> str | None:
    """Return a spreadsheet's number format for a typed date format such as DD.MM.YYYY or D. MMMM YYYY, or None.

    Words without D, M, Y, h and s, other signs, and quoted text are printed.
    """
    pieces, has_date = [], False
    if spelling.count('"') % 2:
        return None
    for token in _DATE_TOKEN.findall(spelling.strip()):
        runs = [run[0].casefold() for run in _RUN.finditer(token)]
        if token.startswith('"'):
            pieces.append(token)
        elif token.casefold() == "am/pm" or (runs and _DATE_RUNS.issuperset(runs)):
            has_date = True
            pieces.append(token.casefold())
        elif re.search("[dmyhs]", token, re.IGNORECASE) or _FOREIGN_RUN.fullmatch(token):
            return None
        else:
            pieces.append(f'"{token}"')
    return "".join(pieces) if has_date else None


@lru_cache(maxsize=512)
def number_code(spelling: str) -> str | None:
    """Return a spreadsheet's number format for a typed number format such as 0.00 "€" or #,##0, or None.

    Everything but the digits and % is printed as it is. A format that could be one of a date is none of a number.
    """
    pieces, digits = [], 0
    if spelling.count('"') % 2 or date_code(spelling):
        return None
    for token in _NUMBER_TOKEN.findall(spelling.strip()):
        if token.startswith('"'):
            pieces.append(token)
        elif token[0] in "#0":
            if not _is_number_pattern(token):
                return None
            digits += 1
            pieces.append(token)
        elif token == "%":
            pieces.append(token)
        elif token in _NOT_IN_NUMBERS:
            return None
        else:
            pieces.append(f'"{token}"')
    return "".join(pieces) if digits == 1 else None


def _is_number_pattern(digits: str) -> bool:
    """Return True for the digits of a format: thousands have commas or none, and zeros are not before a #."""
    whole, _, decimals = digits.partition(".")
    head, *groups = whole.split(",")
    is_grouped = all(len(group) == 3 for group in groups) and (not groups or len(head) <= 3)
    plain = "".join((head, *groups))
    return (
        is_grouped
        and "#" not in plain.lstrip("#")
        and "0" not in decimals.lstrip("0")
        and set(decimals) <= {"#", "0"}
        and bool(plain)
        and (bool(decimals) or "." not in digits)
        and len(plain) + len(decimals) <= _MAX_PLACES
    )


def parse_number_field(field: str) -> NumberField | None:
    """Return the column and the format of a field with a number's format, or None for any other."""
    column, _, spelling = field.partition(":")
    return NumberField(column, spelling) if column.strip(" #") and number_code(spelling) else None


def parse_date_field(field: str) -> DateField | None:
    """Return the column and the format of a field with a date's format, or None for any other."""
    column, _, spelling = field.partition(":")
    return DateField(column, spelling) if column and date_code(spelling) else None


def parse_generated(field: str) -> GeneratedField | None:
    """Return a field that needs no column, a label counter or the day of printing, or None for any other."""
    number = _NUMBER.fullmatch(field)
    if number is not None:
        return GeneratedField(number["first"] or "1")
    name, colon, spelling = field.partition(":")
    today = _TODAY.fullmatch(name.strip())
    code = date_code(spelling) if colon else ""
    # The day of printing has no time.
    if today is None or code is None or set("hsa") & set(_QUOTED.sub("", code)):
        return None
    return GeneratedField("", int(today["days"] or 0), spelling if colon else _ISO)


def is_generated(field: str) -> bool:
    """Return True if a field needs no column: a number that counts labels, or a date."""
    return parse_generated(field) is not None


def column_of(field: str) -> str:
    """Return the column that fills a field, or "" if it needs none."""
    if is_generated(field):
        return ""
    format_field = parse_date_field(field) or parse_number_field(field)
    return format_field.column if format_field else field


def normalize_field(field: str) -> str:
    """Normalize the name of a field or column for comparison: lower case, single spaces."""
    return " ".join(field.split()).casefold()


def nearest(field: str, columns: Collection[str]) -> Message:
    """Return the spelling to suggest for a field without a column.

    It is the field's column with a date's format and a number's if the text after a colon is no valid format, else the
    nearest column, else all columns.
    """
    column, colon, spelling = field.partition(":")
    has_format = (date_code(spelling) or number_code(spelling)) is not None
    if colon and column in columns and not has_format:
        return phrase(
            "“{format}” is no format of a date: write {example}; nor is it one of a number, such as {number}",
            format=excerpt(spelling),
            example=spell_date_field(column),
            number=spell_number_field(column),
        )
    matches = difflib.get_close_matches(column if has_format else field, columns, 1, 0.6)
    ending = f":{spelling}" if has_format else ""
    if matches:
        return phrase("write {field}", field=f"{{{matches[0]}{ending}}}")
    if columns:
        return phrase("the columns are {columns}", columns=listed(map(excerpt, columns)))
    return phrase("the columns are none")
