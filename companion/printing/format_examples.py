"""Examples of formats for a column of a table: what its first date or number would look like on a label."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from companion.printing.date_fields import format_cell_number, format_moment, parse_moment
from companion.printing.spreadsheets import number_formats
from labels.errors import LabelError
from labels.numbers import parse_cell_number

_NUMBERS: Final = ("0", "0.00", "#,##0.00", "0.00 €", "€0.00", "$0.00", "0.0 kg")
_MOMENTS: Final = ("D MMMM YYYY", "DD.MM.YYYY", "YYYY-MM-DD", "D MMM YY", "MM/YYYY", "DDDD", "h:mm", "h:mm AM/PM")
_MOST_CELLS: Final = 50
"""The cells that are read to find out what a column contains."""


class FormatExample(NamedTuple):
    """A format for a column: the field with it, such as `{price:0.00 €}`, and its text, such as `12.50 €`."""

    field: str
    text: str


def list_formats(column: str, cells: Iterable[str], language: str = "") -> Sequence[FormatExample]:
    """Return formats for a column with an example each, or none if its cells are not all dates or all numbers.

    The examples show the first cell that is not empty, in the language of a design.
    """
    filled = list(islice((cell.strip() for cell in cells if cell.strip()), _MOST_CELLS))
    if not filled:
        return ()
    if all(
        _is_readable(lambda cell: parse_cell_number(cell, number_formats.decimal_sign(language)), cell)
        for cell in filled
    ):
        return _make_examples(column, _NUMBERS, lambda spelling: format_cell_number(filled[0], spelling, language))
    if all(_is_readable(lambda cell: parse_moment(cell, language), cell) for cell in filled):
        moment = parse_moment(filled[0], language)
        return _make_examples(column, _MOMENTS, lambda spelling: format_moment(moment, spelling, language))
    return ()


def _make_examples(column: str, spellings: Iterable[str], write: Callable[[str], str]) -> Sequence[FormatExample]:
    """Return the formats that can be written: a day has no time, and not all languages have names of months here."""
    examples = []
    for spelling in spellings:
        try:
            text = write(spelling)
        except LabelError:
            continue
        examples.append(FormatExample(f"{{{' '.join(column.split())}:{spelling}}}", text))
    return examples


def _is_readable(parse: Callable[[str], object], cell: str) -> bool:
    try:
        parse(cell)
    except LabelError:
        return False
    return True
