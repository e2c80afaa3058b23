"""The child process that reads workbooks: one sheet of an Excel or OpenDocument file as CSV, one line for each row.

It runs under `labels.sandbox`: a file that takes too much memory or time ends only this process.
"""

import csv
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from io import StringIO
from typing import Any, Final
from xml.etree.ElementTree import ParseError

import python_calamine
from python_calamine import SheetTypeEnum, SheetVisibleEnum

from companion.printing.spreadsheets import number_formats
from companion.printing.spreadsheets.displayed_cells import WorksheetRow, column_letters, ods_rows, unescape, xlsx_rows
from companion.printing.spreadsheets.refusals import MAX_COLUMNS, MAX_ROWS, Refusal
from labels import sandbox
from labels.sandbox import BadFile, ChildReply, serve

_MAX_NAMES: Final = 1_000
_MAX_ERRORS: Final = 20
_ROWS_PER_ANSWER: Final = 2_000
"""Rows in each answer, which may take as long as a whole picture."""
_COUNTED: Final = ("count", "position")
"""Numeric columns that are read, not printed, so that their format is irrelevant."""


def work(job: sandbox.Message) -> Iterator[ChildReply]:
    """Yield the rows of a sheet: of the named one, of the first visible one for "", or of none for None.

    Answers enclose CSV in UTF-8, with one line for each row of the sheet. The last one encloses nothing. It has the
    names of the sheets and of the one that was read, the number of its hidden rows, and its cells with errors.
    """
    try:
        with python_calamine.load_workbook(str(job["path"])) as book:
            names = _visible_sheets(book)
            if job["sheet"] is None:
                yield ChildReply({"sheets": names[:_MAX_NAMES], "sheet": ""})
                return
            name = _choose_sheet(names, str(job["sheet"]))
            writer = _CsvWriter(name, skips_hidden=bool(job["skip_hidden"]))
            for row in _sheet_rows(book, str(job["path"]), name):
                writer.write(row)
                if row.number % _ROWS_PER_ANSWER == 0:
                    yield ChildReply({}, writer.take())
            yield ChildReply({}, writer.take())
            yield ChildReply({"sheets": names[:_MAX_NAMES], "sheet": name, **writer.summary()})
    except BadFile:
        raise
    except python_calamine.PasswordError as error:
        raise BadFile(Refusal.LOCKED) from error
    except (
        *(python_calamine.CalamineError, UnicodeError, ValueError, LookupError),
        *(ParseError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError),
    ) as error:
        raise BadFile(Refusal.DAMAGED) from error


def _visible_sheets(book: Any) -> list[str]:
    """Return the names of the visible sheets with cells."""
    seen = [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]
    if not seen:
        raise BadFile(Refusal.EMPTY)
    return seen


def _choose_sheet(names: Sequence[str], wanted: str) -> str:
    if not wanted:
        return names[0]
    same = [name for name in names if name.strip().casefold() == wanted.strip().casefold()]
    if not same:
        raise BadFile(Refusal.NO_SUCH_SHEET, wanted, *names)
    return same[0]


def _sheet_rows(book: Any, path: str, name: str) -> Iterator[WorksheetRow]:
    """Return the rows of a sheet as displayed.

    Cells of xls and xlsb files, whose formats are unknown, are unformatted.
    """
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            parts = {part.lower() for part in file.namelist()}
        if "content.xml" in parts:
            return ods_rows(path, name)
        if not any(part.endswith("workbook.bin") for part in parts):
            return xlsx_rows(path, name)
    return _unformatted_rows(book.get_sheet_by_name(name))


def _unformatted_rows(sheet: Any) -> Iterator[WorksheetRow]:
    first = sheet.start[1] if sheet.start else 0
    for number, row in enumerate(sheet.iter_rows(), 1):
        cells = {column: text for column, cell in enumerate(row, first) if (text := _format_cell(cell))}
        yield WorksheetRow(number, cells)


class _CsvWriter:
    """A writer of a sheet's rows as CSV, which also counts hidden rows and errors."""

    def __init__(self, sheet: str, *, skips_hidden: bool) -> None:
        self._sheet = sheet
        self._skips_hidden = skips_hidden
        self._out = StringIO()
        # Only quoted cells contain this line terminator, so that a record is a row of the sheet.
        self._csv = csv.writer(self._out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        self._next = 1
        self._hidden = 0
        self._errors: list[tuple[str, str]] = []
        self._more_errors = 0
        self._counted: frozenset[int] | None = None

    def write(self, row: WorksheetRow) -> None:
        """Write a row if it is not empty. Raises BadFile for a row beyond the limits of a table."""
        if not row.cells and not row.errors:
            return
        last = row.number + row.repeat - 1
        if max((*row.cells, *row.errors)) >= MAX_COLUMNS:
            raise BadFile(Refusal.COLUMNS, self._sheet)
        if last > MAX_ROWS:
            raise BadFile(Refusal.ROWS, self._sheet)
        if row.is_hidden:
            self._hidden += row.repeat
            if self._skips_hidden:
                return
        self._out.write("\n" * (row.number - self._next))
        cells = {**row.cells, **{column: row.plain[column] for column in self._counted_columns(row) & row.plain.keys()}}
        record = [cells.get(column, "") for column in range(max((*cells, *row.errors)) + 1)]
        for number in range(row.number, last + 1):
            self._csv.writerow(record)
            for column, error in sorted(row.errors.items()):
                self._add_error(f"{column_letters(column)}{number}", error)
        self._next = last + 1

    def _counted_columns(self, row: WorksheetRow) -> frozenset[int]:
        """Return the columns of counts, once the row that names the columns has been read."""
        if self._counted is None:
            named = frozenset(column for column, text in row.cells.items() if text.strip().lower() in _COUNTED)
            self._counted = named or None
            return named
        return self._counted

    def _add_error(self, cell: str, error: str) -> None:
        if len(self._errors) < _MAX_ERRORS:
            self._errors.append((cell, error))
        else:
            self._more_errors += 1

    def take(self) -> bytes:
        """Return the rows that were written since the last call."""
        content = self._out.getvalue().encode()
        self._out.seek(0)
        self._out.truncate()
        return content

    def summary(self) -> Mapping[str, object]:
        """Return the facts found beside the cells."""
        return {"hidden": self._hidden, "errors": self._errors, "more_errors": self._more_errors}


def _format_cell(cell: Any) -> str:
    """Format a cell of unknown format as people write it: 3 for 3.0, a day as 2026-11-26."""
    match cell:
        case bool():
            return str(cell).upper()
        case float():
            return number_formats.format_general(cell)
        case datetime():
            return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "minutes")
        case date():
            return cell.isoformat()
        case time():
            return cell.isoformat("minutes")
        case timedelta():
            minutes = round(cell.total_seconds() / 60)
            return f"{minutes // 60}:{minutes % 60:02d}"
    return unescape(str(cell))


if __name__ == "__main__":
    serve(work)
