"""Numbers in fields: printed in the format of the field and as the language of the design writes them."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.printing import custom
from companion.printing.date_fields import format_cell_number
from companion.printing.format_examples import list_formats
from companion.printing.spreadsheets import number_formats, tables
from companion.printing.spreadsheets.tables import FileError
from labels.designs.own import OwnLabel
from labels.numbers import parse_cell_number


def _words(folder: Path, parts: str, rows: str) -> list[str]:
    """Return the words of the first part on the labels of a table."""
    (folder / "design.toml").write_text(parts, encoding="utf-8")
    (folder / "rows.csv").write_text(rows, encoding="utf-8")
    with tables.open_table(folder / "rows.csv") as table:
        design = custom.optional_design(str(folder / "design.toml"))
        labels = custom.own_labels(table, folder, design=design)
        return [label.words[0] for label in labels if isinstance(label, OwnLabel)]


@pytest.mark.parametrize(
    ("text", "spelling", "language", "number"),
    [
        ("12.5", '0.00 "€"', "", "12.50 €"),
        ("12.5", '0.00 "€"', "de", "12,50 €"),
        ("1234.5", "#,##0.00 €", "de", "1.234,50 €"),
        ("1234.5", "#,##0.00 €", "fr", "1 234,50 €"),
        ("1234.5", "#,##0.00", "de-CH", "1'234.50"),
        ("1.234,5", "0", "en", "1235"),
        ("0.155", "0.00", "en", "0.16"),
        ("-0.001", "0.00", "en", "0.00"),
        ("-3", "€0.00", "en", "-€3.00"),
        ("12", "0.##", "en", "12"),
        ("7", "00000", "en", "00007"),
        ("0.155", "0.0 %", "en", "15.5 %"),
        ("15%", "0%", "en", "15%"),
    ],
)
def test_a_number_is_printed_in_its_format(text: str, spelling: str, language: str, number: str) -> None:
    assert format_cell_number(text, spelling, language).replace("\u00a0", " ") == number


@given(
    st.decimals(-(10**9), 10**9, places=2),
    st.sampled_from(["", "de", "fr", "de-CH", "ja", "pl", "xx"]),
    st.sampled_from(["0.00", "#,##0.00", "0.00 €", "$0.00"]),
)
def test_what_is_printed_is_the_number_and_stays_on_one_line(number: Decimal, language: str, spelling: str) -> None:
    text = format_cell_number(str(number), spelling, language)
    assert " " not in text
    assert parse_cell_number(text, number_formats.decimal_sign(language)) == number


def test_a_table_prints_numbers_and_leaves_empty_cells_out(tmp_path: Path) -> None:
    parts = 'language = "de"\n[[part]]\ntext = \'{name}, {price:0.00 "€"}\'\n'
    rows = 'name,price\nJam,12.5\nHoney,"1.234,5"\nBread,\n'
    assert _words(tmp_path, parts, rows) == ["Jam, 12,50\u00a0€", "Honey, 1234,50\u00a0€", "Bread"]


def test_what_is_no_number_is_told_by_its_row(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"Line 3 .*\{price:0\.00\} cannot be filled: “dear” is no number that can be"):
        _words(tmp_path, '[[part]]\ntext = "{price:0.00}"\n', "price\n1\ndear\n")


def test_a_column_with_a_format_in_its_name_comes_first(tmp_path: Path) -> None:
    assert _words(tmp_path, '[[part]]\ntext = "{price:0.00}"\n', "price:0.00,price\ndear,1\n") == ["dear"]


def test_formats_are_offered_for_dates_and_numbers_only() -> None:
    prices = {example.field: example.text for example in list_formats("price", ["", "12.5", "3"], "de")}
    assert prices["{price:0.00 €}"].replace("\u00a0", " ") == "12,50 €"
    days = {example.field: example.text for example in list_formats("best before", ["2027-03-01"], "")}
    assert days["{best before:D MMMM YYYY}"] == "1 March 2027"
    assert "{best before:h:mm}" not in days
    assert list_formats("price", ["12.5", "dear"]) == list_formats("price", ["", " "]) == ()


@pytest.mark.parametrize("cell", ["1234.5", "2027-03-01", "18:30", "2027-03-01 18:30"])
def test_every_format_that_is_offered_can_be_printed(cell: str, tmp_path: Path) -> None:
    for example in list_formats("cell", [cell], "fr"):
        parts = f"language = \"fr\"\n[[part]]\ntext = '{example.field}'\n"
        assert _words(tmp_path, parts, f"cell\n{cell}\n") == [example.text]
