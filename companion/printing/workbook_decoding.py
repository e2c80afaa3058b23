"""The child that reads workbooks: one sheet of an Excel or OpenDocument file as CSV, a line of it a row of the sheet.

It stands alone in its process, as `labels.sandbox` has it: a file that takes too much room or time ends only that.
"""

import csv
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from io import StringIO
from typing import Any, Final

from labels.sandbox import Answer, BadFile, Message, serve

_MAX_COLUMNS: Final = 1_000
_MAX_ROWS: Final = 1_048_576
_MAX_NAMES: Final = 1_000


def work(job: Message) -> Iterator[Answer]:
    """The rows of a sheet: of the one with the wanted name, of the first that people see for "", of none for None.

    The answer names the sheets, says which was read, and encloses CSV in UTF-8.
    """
    import python_calamine

    try:
        with python_calamine.load_workbook(str(job["path"])) as book:
            names = _visible(book)
            if job["sheet"] is None:
                yield Answer({"sheets": names[:_MAX_NAMES], "sheet": ""})
                return
            name = _choose(names, str(job["sheet"]))
            sheet = book.get_sheet_by_name(name)
            if sheet.width > _MAX_COLUMNS:
                raise BadFile(f"has more than {_MAX_COLUMNS:,} columns in the sheet “{name}”; that is no table.")
            if sheet.height > _MAX_ROWS:
                raise BadFile(f"has more than {_MAX_ROWS:,} rows in the sheet “{name}”; that is no table.")
            yield Answer({"sheets": names[:_MAX_NAMES], "sheet": name}, _csv(sheet).encode())
    except BadFile:
        raise
    except python_calamine.PasswordError as error:
        raise BadFile("is locked with a password; save it without one.") from error
    except (python_calamine.CalamineError, UnicodeError, ValueError) as error:
        raise BadFile("is no workbook, or a damaged one; open it and save it anew, or as CSV UTF-8.") from error


def _visible(book: Any) -> list[str]:
    """The names of the sheets with cells that people see."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    seen = [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]
    if not seen:
        raise BadFile("has no sheet with cells.")
    return seen


def _choose(names: Sequence[str], wanted: str) -> str:
    if not wanted:
        return names[0]
    same = [name for name in names if name.strip().casefold() == wanted.strip().casefold()]
    if not same:
        raise BadFile(f"has no sheet “{wanted}”; its sheets are {', '.join(f'“{name}”' for name in names)}.")
    return same[0]


def _csv(sheet: Any) -> str:
    out = StringIO()
    # No cell holds what ends a line here but those in quotation marks, so that a record is a row of the sheet.
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    for row in sheet.iter_rows():
        writer.writerow([_text(cell) for cell in row])
    return out.getvalue()


def _text(cell: Any) -> str:
    """A cell as people write it: 3 for 3.0, a day as 2026-11-26. How it is formatted there, as with a currency, is not
    known.
    """
    match cell:
        case bool():
            return str(cell).upper()
        case float():
            return f"{cell:.15g}" if abs(cell) < 1e15 else f"{cell:.0f}"
        case datetime():
            return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "minutes")
        case date():
            return cell.isoformat()
        case time():
            return cell.isoformat("minutes")
        case timedelta():
            minutes = round(cell.total_seconds() / 60)
            return f"{minutes // 60}:{minutes % 60:02d}"
    return str(cell)


if __name__ == "__main__":
    serve(work)
