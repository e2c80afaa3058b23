"""Texts with fields, `{name}, table {table}`, filled from a row. A field is a name of a column, without attributes.

Two fields need no column: `{#}` counts labels, and `{today}` is the day on which they are printed.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from typing import Final

import msgspec

from labels.errors import LabelError, excerpt

_TOKEN: Final = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
_SEPARATOR: Final = re.compile(r"\s*[,;·•|/]\s*|\s+[-–—]\s+|[ \t]*\n\s*")
"""What stands between what two fields say, and belongs to neither."""
_GENERATED: Final = re.compile(
    r"\#(?:\ ?:\ ?(?P<first>\d{1,9}))?|today(?:\ ?\+\ ?(?P<days>\d{1,5}))?(?:\ ?:\ ?(?P<format>[^:]*\b[dmy][^:]*))?",
    re.VERBOSE,
)
_DATE_TOKEN: Final = re.compile("y{4}|yy|m{1,4}|dd?")
_ISO: Final = "yyyy-mm-dd"
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


class TemplateError(LabelError):
    """A text with fields that cannot be read."""


class Template(msgspec.Struct, frozen=True):
    """A text whose pieces are by turns words and the name of a field: `pieces[1]` is the first field."""

    pieces: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields in their order."""
        return self.pieces[1::2]

    @property
    def source(self) -> str:
        """The text as it was written."""
        words = (piece.replace("{", "{{").replace("}", "}}") for piece in self.pieces[::2])
        fields = (f"{{{field}}}" for field in self.fields)
        return "".join(f"{word}{next(fields, '')}" for word in words)

    def filled(self, row: Mapping[str, str]) -> str:
        """The text with what the row has in its fields. What is empty is left out, and with it the words before it, or
        behind it where it is the last, up to a comma or what else separates.
        """
        if len(self.pieces) == 1:
            return self.pieces[0]
        text, skipped = "", ""
        for separator, before, field, behind in self._phrases():
            value = row.get(field, "")
            if not value.strip():
                skipped = skipped or separator
                continue
            # A line that is left out ends nothing; what comes next begins where it would have begun.
            words = f"{skipped}{before.lstrip()}" if skipped else f"{separator}{before}"
            text += f"{words if text else before}{value}{behind}"
            skipped = ""
        return text.strip()

    def joined(self, row: Mapping[str, str]) -> str:
        """The text with what the row has in its fields and all other words, as a code holds it; nothing where all its
        fields are empty.
        """
        if len(self.pieces) > 1 and not any(row.get(field, "").strip() for field in self.fields):
            return ""
        return "".join(row.get(piece, "") if number % 2 else piece for number, piece in enumerate(self.pieces)).strip()

    def _phrases(self) -> Iterator[tuple[str, str, str, str]]:
        """Of each field what separates it from the one before, the words before it, its name, and those behind it."""
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


def parse_template(text: str) -> Template:
    """A text as somebody wrote it. Raises TemplateError for a brace that opens or closes nothing."""
    pieces, end = [""], 0
    for token in _TOKEN.finditer(text):
        pieces[-1] += text[end : token.start()]
        end = token.end()
        if token[0] in ("{{", "}}"):
            pieces[-1] += token[0][0]
        elif not token[0].strip("{} "):
            raise TemplateError(f"“{text}” has a brace without a field; write {{name}}, or {{{{ for a brace to print.")
        else:
            pieces += [_read_field(token[0][1:-1]), ""]
    pieces[-1] += text[end:]
    return Template(tuple(pieces))


def _read_field(field: str) -> str:
    """A field's name as it is compared. Raises TemplateError for a number or a date that is neither."""
    name = normalize_field(field)
    if name.startswith(("#", "today")) and set(name) & set(":+") and not is_generated(name):
        raise TemplateError(
            f"{{{excerpt(field)}}} is neither a number nor a date; write {{#}}, {{#:001}} with the first number, "
            "{today}, {today:DD.MM.YYYY}, or {today+14} for a day two weeks from now."
        )
    return name


def is_generated(field: str) -> bool:
    """Whether a field needs no column: a number that counts labels, or a date."""
    return _GENERATED.fullmatch(field) is not None


def generate(field: str, number: int, today: date) -> str:
    """What such a field says on a label, the first of which has the number 1."""
    match = _GENERATED.fullmatch(field)
    assert match is not None
    if field.startswith("#"):
        first = match["first"] or "1"
        return f"{int(first) + number - 1:0{len(first)}d}"
    day = today + timedelta(days=int(match["days"] or 0))
    return _DATE_TOKEN.sub(lambda token: _date_part(token[0], day), match["format"] or _ISO)


def _date_part(token: str, day: date) -> str:
    """What a piece of a date's format stands for: d or dd, m, mm, mmm or mmmm, yy or yyyy."""
    if token[0] == "y":
        return f"{day.year:04d}"[-len(token) :]
    if token[0] == "m" and len(token) > 2:
        return _MONTHS[day.month - 1][: None if len(token) == 4 else 3]
    return f"{day.month if token[0] == 'm' else day.day:0{len(token)}d}"


def normalize_field(field: str) -> str:
    """A field's or column's name as it is compared: in small letters, without spaces around it."""
    return " ".join(field.split()).casefold()


def nearest(field: str, columns: Collection[str]) -> str:
    """What to write for a field that is no column: the column that is nearest to it, else all there are."""
    matches = difflib.get_close_matches(field, columns, 1, 0.6)
    return f"write {{{matches[0]}}}" if matches else f"the columns are {', '.join(map(excerpt, columns)) or 'none'}"
