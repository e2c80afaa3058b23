"""Cells of worksheets as Excel and LibreOffice show them; errors, hidden rows and titles are noticed."""

import zipfile
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from companion.printing.spreadsheets import tables
from companion.printing.spreadsheets.displayed_cells import column_letters
from companion.printing.spreadsheets.tables import CellErrors, FileError, HiddenRows, WorksheetOptions
from tests.printing.workbooks import Cell, ErrorValue, Formatted, Formula, write_ods, write_xlsx

WORKSHEETS = Path(__file__).parent / "worksheets"
WRITERS: dict[str, Callable[..., Path]] = {"xlsx": write_xlsx, "ods": write_ods}


def values(path: Path, **options: object) -> list[dict[str, str]]:
    """The texts of a workbook's rows."""
    with tables.open_table(path, worksheet=WorksheetOptions(**options)) as table:  # type: ignore[arg-type]
        return [dict(row.values) for row in table.rows()]


def remarks(path: Path) -> str:
    """The remarks on how a workbook is read."""
    with tables.open_table(path) as table:
        return " ".join(map(str, table.remarks))


def write(path: Path, *rows: Sequence[Cell], **options: object) -> Path:
    """A workbook with these rows, of the kind that its name says."""
    return WRITERS[path.suffix[1:]](path, {"A": rows}, **options)


def test_cells_print_what_excel_shows() -> None:
    assert values(WORKSHEETS / "price.xlsx") == [{"name": "Öl", "price": "12.50", "zip": "01067"}]
    first, second = values(WORKSHEETS / "formats.xlsx", empty_errors=True)
    assert first == {
        "name": "Ana",
        "zip": "01000",
        "price": "12.50 €",
        "share": "15%",
        "day": "2026-03-01",
        "time": "9:05:00",
        "ok": "TRUE",
        "calc": "",
        "dur": "26:00:00",
    }
    assert (second["day"], second["time"]) == ("2026-03-01 14:30:00", "0:00:00")


def test_cells_print_what_libreoffice_shows(tmp_path: Path) -> None:
    price = Formatted(12.5, "", "12,50 €")
    path = write(tmp_path / "a.ods", ["name", "price", "count"], ["Öl", price, Formatted(2, "", "2,00")])
    assert values(path) == [{"name": "Öl", "price": "12,50 €", "count": "2"}]


def test_counts_are_numbers_whatever_their_format(tmp_path: Path) -> None:
    ana: Sequence[Cell] = ["Ana", Formatted(1000, "#,##0.00"), Formatted(3, '0". place"')]
    assert values(write(tmp_path / "a.xlsx", ["name", "Count", "position"], ana)) == [
        {"name": "Ana", "count": "1000", "position": "3"}
    ]


def test_days_may_be_counted_from_1904(tmp_path: Path) -> None:
    days = (datetime(2026, 3, 1) - datetime(1904, 1, 1)).days
    path = write(tmp_path / "a.xlsx", ["name"], [Formatted(days, "[$-407]d. mmmm yyyy")], from_1904=True)
    assert values(path) == [{"name": "1. März 2026"}]


def test_a_format_may_put_words_around_a_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["name", "price"], ["Ana", Formatted(2, '"at "0;;;"Dr. "@')])
    assert values(path) == [{"name": "Ana", "price": "at 2"}]


@pytest.mark.parametrize(
    ("file", "cells"),
    [
        ("errors", ["B2 of .* has #N/A", "B3 of .* has #DIV/0!"]),
        ("formula", [f"{cell} of .* has a formula without a value" for cell in ("B2", "A3", "B3", "C4")]),
        ("formats", [f"{cell} of .* has a formula without a value" for cell in ("H2", "H3")]),
    ],
)
def test_an_error_is_named_by_its_cell(file: str, cells: Sequence[str]) -> None:
    path = WORKSHEETS / f"{file}.xlsx"
    pattern = r"\n".join(f"Cell {cell}." for cell in cells)
    with pytest.raises(CellErrors, match=f"^{pattern}\\nOpen the file in its program, .*: --empty-errors.$"):
        values(path)
    assert values(path, empty_errors=True)


@pytest.mark.parametrize("kind", WRITERS)
def test_errors_may_be_left_empty(tmp_path: Path, kind: str) -> None:
    errors: Sequence[Cell] = [ErrorValue("#REF!"), Formula("B2"), Formula("A1", "")]
    rows = ([name, error] for name, error in zip(["Ana", "Ben", "Cy"], errors, strict=True))
    path = write(tmp_path / f"a.{kind}", ["name", "text"], *rows)
    with pytest.raises(CellErrors, match=r"Cell B2 .*#REF!\.\nCell B3 .*formula without a value\.\n[^\n]*$"):
        values(path)
    assert [row["name"] for row in values(path, empty_errors=True)] == ["Ana", "Ben", "Cy"]


def test_of_many_errors_the_first_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["name"], *([ErrorValue("#N/A")] for _ in range(30)))
    with pytest.raises(CellErrors, match=r"Cell A21 .*\n… and 10 more\."):
        values(path)


def test_a_formula_with_its_value_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["name", "price"], [Formula('"A"&1', "A1"), Formula("1+1.5", 2.5)])
    assert values(path) == [{"name": "A1", "price": "2.5"}]


@pytest.mark.parametrize("kind", WRITERS)
def test_hidden_rows_are_asked_about(tmp_path: Path, kind: str) -> None:
    rows = ["name"], ["Ana"], ["Ben"], ["Cy"], [None]
    path = write(tmp_path / f"a.{kind}", *rows, hidden_rows=[2, 4, 5])
    with pytest.raises(
        HiddenRows, match=r"In the sheet “A” of .* 2 rows are hidden, .* --hidden-rows skip or"
    ) as refused:
        values(path)
    assert refused.value.count == 2
    assert values(path, hidden_rows="skip") == [{"name": "Ben"}]
    assert values(path, hidden_rows="print") == [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cy"}]


def test_errors_in_rows_that_are_skipped_do_not_matter(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["name"], [ErrorValue("#N/A")], ["Ben"], hidden_rows=[2])
    assert values(path, hidden_rows="skip") == [{"name": "Ben"}]
    with pytest.raises(CellErrors):
        values(path, hidden_rows="print")


def test_rows_keep_their_numbers_where_some_are_skipped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["name"], ["Ana"], [], ["Ben"], ["Cy"], hidden_rows=[2])
    with tables.open_table(path, worksheet=WorksheetOptions(hidden_rows="skip")) as table:
        assert [row.line for row in table.rows()] == [4, 5]


def test_a_carriage_return_is_a_line_break(tmp_path: Path) -> None:
    assert values(WORKSHEETS / "line_break.xlsx") == [{"name": "cr", "text": "a\nc"}]
    path = write(
        tmp_path / "a.xlsx", ["name", "text"], ["a_x000D_\nb", "c_x005F_x000D_d"], [Formula("A", "e\r\nf"), "g"]
    )
    assert values(path) == [{"name": "a\nb", "text": "c_x000D_d"}, {"name": "e\nf", "text": "g"}]


def test_a_title_above_the_table_is_none_of_its_columns(tmp_path: Path) -> None:
    path = WORKSHEETS / "title.xlsx"
    assert values(path) == [{"name": "Ann", "street": "A 1", "city": "X"}]
    assert "“Customer list 2026” is taken for a title, and row 3 for the names of the columns" in remarks(path)
    two = write(
        tmp_path / "a.xlsx", ["Guests"], [None, "of 2026\nand 2027"], [], [None, "name", "text"], [None, "Ana", "x"]
    )
    assert values(two) == [{"name": "Ana", "text": "x"}]
    one = write(tmp_path / "b.xlsx", ["Guests"], ["name"], ["Ana"])
    assert values(one) == [{"name": "Ana"}]


def test_a_table_of_one_column_has_no_title(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["guest"], ["Ana"], ["Ben"], ["Cy"], ["Di"], ["Ed", "x"])
    with tables.open_table(path) as table:
        assert [row.values.get("guest") for row in table.rows()] == ["Ana", "Ben", "Cy", "Di", None]
    assert remarks(path) == ""


def test_too_many_cells_are_told_in_the_words_of_worksheets(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", ["Customers", "2026"], ["name", "street", "city"])
    with tables.open_table(path) as table:
        (row,) = table.rows()
    assert row.wrong == " has 3 cells for 2 columns; name each column of the worksheet in the first row of its table."


def test_a_sheet_without_any_cell_names_no_columns(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must name the columns, each once; it is empty"):
        values(write(tmp_path / "a.xlsx"))


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("_rels/.rels", "officeDocument", "coreProperties"),
        ("xl/workbook.xml", "r:id", "r:no"),
        ("xl/worksheets/sheet1.xml", 's="2"', 's="two"'),
        ("xl/worksheets/sheet1.xml", "</row>", "</rows>"),
    ],
)
def test_a_damaged_worksheet_is_refused(tmp_path: Path, part: str, old: str, new: str) -> None:
    path = write(tmp_path / "a.xlsx", ["name"], [Formatted(1, "0")])
    with zipfile.ZipFile(path) as whole:
        parts = {name: whole.read(name).decode() for name in whole.namelist()}
    with zipfile.ZipFile(path, "w") as damaged:
        for name, content in parts.items():
            text = content if name != part else content[::-1].replace(old[::-1], new[::-1], 1)[::-1]
            damaged.writestr(name, text)
    with pytest.raises(FileError, match=r"is no workbook, or a damaged one|has no sheet with cells"):
        values(path)


def test_columns_are_named_as_in_a_worksheet() -> None:
    assert [column_letters(column) for column in (0, 1, 25, 26, 701, 702)] == ["A", "B", "Z", "AA", "ZZ", "AAA"]
