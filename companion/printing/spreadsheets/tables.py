"""Files of rows, as people and other programs write them: workbooks of spreadsheets, CSV, TSV, JSON lines and TOML.

A file of a hundred thousand rows is read as a stream. Afterwards any row can be read again by its number.
"""

import csv
import json
import os
import re
import shutil
import stat
import tempfile
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from companion.printing.spreadsheets import encodings
from companion.printing.spreadsheets.refusals import MAX_COLUMNS, MAX_ROWS, NO_VALUE, Refusal
from labels import handwritten, sandbox
from labels.errors import LabelError, excerpt
from labels.sandbox import BadFile, ChildFailed, Sandbox
from labels.template import normalize_field
from templates.languages.messages import Language, Message, Text, all_of, joined, listed, phrase, phrases, render_value

WORKBOOKS: Final = ("xlsx", "xlsm", "xlsb", "xls", "ods")
"""The native formats of spreadsheets."""
KINDS: Final = ("toml", "csv", "tsv", "jsonl", *WORKBOOKS)

_SANDBOX: Final = Sandbox("companion.printing.spreadsheets.workbook_decoding")
_MAX_WORKBOOK_BYTES: Final = 100 * 2**20
_WORKBOOK_SECONDS: Final = 120.0
_MAX_TITLE_ROWS: Final = 3
_ALWAYS_THERE: Final = "name"
"""The column that every table has, unless a design names others."""

_MAX_LINE_BYTES: Final = 2**20
_BLOCK: Final = 2**16
_SEPARATOR_LINE: Final = re.compile(r'"?sep=([^\w"\r\n])"?\s*', re.IGNORECASE)
"""A first line for Excel that names the separator between cells."""


class FileError(LabelError):
    """A file of labels that cannot be read. The message names the file and the line.

    `by_line` has the errors of single rows, by line, if known.
    """

    by_line: Mapping[int, Text] = {}


class HiddenRows(FileError):
    """A worksheet with `count` hidden rows and no option that says if they are printed."""

    count = 0


class CellErrors(FileError):
    """A worksheet with errors in its cells, or with formulas that have no value. `sentences` name the cells."""

    sentences: Sequence[Text] = ()


class RowProblem(Message):
    """A problem of a row, as a function of the row's title. By itself it is `alone`, or what follows that title.

    The templates begin with the row, which is left out beside a row that the user sees.
    """

    __slots__ = ("alone", "of_row")

    def __init__(self, of_row: Callable[[Text], Message], alone: Text = "") -> None:
        self.of_row = of_row
        self.alone = alone

    def render(self, language: Language) -> str:
        """Return the problem without the row."""
        return render_value(self.alone or self.of_row(""), language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.of_row(""),)


HIDDEN_ROWS: Final = ("skip", "print")
"""The ways to treat rows of a worksheet that are hidden, by hand or by a filter."""


class WorksheetOptions(NamedTuple):
    """The options of reading a workbook.

    Attributes:
        name: The sheet to read; the first for "".
        hidden_rows: One of `HIDDEN_ROWS`; a sheet with hidden rows is refused for "".
        empty_errors: True to read a cell with an error, or with a formula that has no value, as an empty one.
    """

    name: str = ""
    hidden_rows: str = ""
    empty_errors: bool = False


class TableRow(NamedTuple):
    """A row that begins at a line: its values by normalized column name, or in `wrong` the reason it cannot be read."""

    line: int
    values: Mapping[str, str]
    wrong: RowProblem | None = None


class RowTable(ABC):
    """The rows of a file. They are read once in order, and then any can be read again by its number.

    `head` is the line that names the columns, or 0 if each row does. `unit` is the word for a line. `remarks` are
    sentences about choices made in reading it.
    """

    head = 0
    unit = "Line"

    def __init__(self, source: Text) -> None:
        self.source = source
        self.columns: dict[str, None] = {}
        """The columns of the rows read so far, in order."""
        self.remarks: list[Text] = []

    @abstractmethod
    def rows(self) -> Iterator[TableRow]:
        """Yield every row in order. Raises FileError if the file cannot be read further."""

    @abstractmethod
    def row(self, number: int) -> TableRow:
        """Return a row that was read before, counted from 0."""

    @property
    def fraction_read(self) -> float:
        """The share of the file that has been read, from 0 to 1."""
        return 1.0

    @property
    def title(self) -> Text:
        """The file in a sentence."""
        return phrase("“{file}”", file=self.source)

    def title_of(self, line: int) -> Message:
        """Return a line's title at the beginning of a sentence."""
        if self.unit == "Row":
            return phrase("Row {line} of {file}", line=str(line), file=self.title)
        return phrase("Line {line} of {file}", line=str(line), file=self.title)


def problem_after(problem: Text) -> RowProblem:
    """Return the problem of a row that is a sentence of its own after the row's title and a colon."""
    return RowProblem(lambda row: phrase("{row}: {problem}", row=row, problem=problem), problem)


@contextmanager
def open_table(
    path: Path,
    kind: str | None = None,
    *,
    encoding: str | None = None,
    worksheet: WorksheetOptions | None = None,
    choose: encodings.Choose | None = None,
) -> Iterator[RowTable]:
    """Open a file as a table, of the given kind or that of its ending; `-` is standard input.

    Text is in the given `encoding`, else in the detected one; `choose` is called if that is unclear. Raises FileError,
    LabelError or OSError.
    """
    worksheet = worksheet or WorksheetOptions()
    piped = str(path) == "-"
    # Translators: standard input, as the name of a file in a sentence
    source: Text = phrase("what comes in") if piped else str(path)
    ending = kind or path.suffix.lower().removeprefix(".")
    with open(0 if piped else path, "rb", closefd=not piped) as source_file:
        if ending not in KINDS and piped:
            raise FileError(phrase("What comes through a pipe has no ending; say what it is, as in --format csv."))
        if ending not in KINDS:
            raise FileError(
                phrase(
                    "“{file}” ends in none of {endings}; save it as one of these, or say what it is: --format csv.",
                    file=source,
                    endings=all_of(f".{each}" for each in KINDS),
                )
            )
        if worksheet.name and ending not in WORKBOOKS:
            raise FileError(
                phrase(
                    "“{file}” is no workbook, so it has no sheet “{sheet}”; leave --worksheet out.",
                    file=source,
                    sheet=worksheet.name,
                )
            )
        if ending in WORKBOOKS:
            with _decode_workbook(source_file, path, source, worksheet) as table:
                yield table
            return
        with _seekable(source_file) as seekable:
            title = phrase("“{file}”", file=source)
            if encoding is None:
                guess = encodings.guess_encoding(seekable, title, choose)
            else:
                guess = encodings.EncodingGuess(encodings.check_encoding(encoding))
            with _in_utf_8(seekable, guess.encoding, title) as file:
                table = _TABLES[ending](source, file)
                if guess.remark:
                    table.remarks.append(guess.remark)
                yield table


class ReadingChoices(NamedTuple):
    """The choices in reading a file.

    `readings` has its first non-ASCII word by possible encoding, and is empty if the text shows its own. `guess` is the
    default encoding, "" if that is unclear. `worksheets` are those of a workbook; the first is the default. Of the
    worksheet that is read, `hidden_rows` is the number of hidden rows, and `has_errors` means that cells have errors.
    """

    readings: Mapping[str, str] = {}
    guess: str = ""
    worksheets: tuple[str, ...] = ()
    hidden_rows: int = 0
    has_errors: bool = False


def reading_choices(path: Path, worksheet: str = "") -> ReadingChoices:
    """Return the choices in reading a file, or none for an unreadable file. Raises OSError."""
    ending = path.suffix.lower().removeprefix(".")
    try:
        if ending in WORKBOOKS:
            sheets = _ask_child(path, str(path), None).sheets
            if worksheet and not any(worksheet.strip().casefold() == name.strip().casefold() for name in sheets):
                return ReadingChoices(worksheets=sheets)
            reply = _ask_child(path, str(path), WorksheetOptions(worksheet))
            return ReadingChoices(worksheets=sheets, hidden_rows=reply.hidden, has_errors=bool(reply.errors))
        if ending in KINDS:
            with path.open("rb") as source_file, _seekable(source_file) as seekable:
                guess = encodings.guess_encoding(seekable, str(path))
                return ReadingChoices(guess.readings, guess.encoding)
    except encodings.EncodingUnclear as unclear:
        return ReadingChoices(unclear.readings)
    except LabelError:
        pass
    return ReadingChoices()


@contextmanager
def _seekable(source_file: BinaryIO) -> Iterator[BinaryIO]:
    """Yield the given file if it is seekable, else a copy."""
    if stat.S_ISREG(os.fstat(source_file.fileno()).st_mode):
        yield source_file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(source_file, copy)
        yield copy


@contextmanager
def _in_utf_8(file: BinaryIO, encoding: str, title: Text) -> Iterator[BinaryIO]:
    """Yield the given file if it is in UTF-8, else a converted copy. Old line ends are converted, too."""
    file.seek(0)
    begin = file.read(_BLOCK)
    old = b"\r" in begin and b"\n" not in begin
    if encoding == encodings.UTF_8 and not old:
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        for text in encodings.decode_all(file, encoding, title):
            copy.write((text.replace("\r", "\n") if old and "utf-16" not in encoding else text).encode())
        yield copy


@contextmanager
def _decode_workbook(
    source_file: BinaryIO, path: Path, source: Text, worksheet: WorksheetOptions
) -> Iterator["RowTable"]:
    """Open a sheet of a workbook, which a child process reads. Piped input is first saved to a temporary folder."""
    with tempfile.TemporaryFile() as file:
        if stat.S_ISREG(os.fstat(source_file.fileno()).st_mode):
            reply = _ask_child(path, source, worksheet, file)
        else:
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder, "workbook")
                copy.write_bytes(source_file.read(_MAX_WORKBOOK_BYTES + 1))
                reply = _ask_child(copy, source, worksheet, file)
        table = _WorkbookTable(source, file)
        if reply.hidden and not worksheet.hidden_rows:
            raise _hidden_rows(table, reply)
        if reply.errors and not worksheet.empty_errors:
            raise _cell_errors(table, reply)
        if len(reply.sheets) > 1 and not worksheet.name:
            table.remarks.append(
                phrase(
                    "Of {file} this is the sheet “{sheet}”; --worksheet NAME takes another: {others}.",
                    file=table.title,
                    sheet=reply.sheet,
                    others=listed(f"“{name}”" for name in reply.sheets if name != reply.sheet),
                )
            )
        yield table


class _WorkbookReply(msgspec.Struct, frozen=True):
    """The child's answer about a workbook.

    It has the names of its sheets, that of the sheet it has read, the number of hidden rows, and the cells with an
    error, each with that error.
    """

    sheets: tuple[str, ...]
    sheet: str
    hidden: int = 0
    errors: tuple[tuple[str, str], ...] = ()
    more_errors: int = 0


def _hidden_rows(table: RowTable, reply: _WorkbookReply) -> HiddenRows:
    error = HiddenRows(
        phrases(
            "In the sheet “{sheet}” of {file} {n} row is hidden, by hand or by a filter; say --hidden-rows skip or "
            "--hidden-rows print.",
            "In the sheet “{sheet}” of {file} {n} rows are hidden, by hand or by a filter; say --hidden-rows skip or "
            "--hidden-rows print.",
            n=reply.hidden,
            sheet=reply.sheet,
            file=table.title,
        )
    )
    error.count = reply.hidden
    return error


def _cell_errors(table: RowTable, reply: _WorkbookReply) -> CellErrors:
    """Return the error for cells with errors: one line for each, and the remedy."""
    sentences = [_cell_error(table, cell, problem) for cell, problem in reply.errors]
    if reply.more_errors:
        sentences.append(phrase("… and {count} more.", count=reply.more_errors))
    way_out = phrase(
        "Open the file in its program, which calculates formulas, correct it there and save it; or leave these cells "
        "empty: --empty-errors."
    )
    error = CellErrors(joined("\n", (*sentences, way_out)))
    error.sentences = sentences
    return error


def _cell_error(table: RowTable, cell: str, problem: str) -> Message:
    if problem == NO_VALUE:
        return phrase("Cell {cell} of {file} has a formula without a value.", cell=cell, file=table.title)
    return phrase("Cell {cell} of {file} has {error}.", cell=cell, file=table.title, error=problem)


def _ask_child(
    path: Path, source: Text, worksheet: WorksheetOptions | None, out: BinaryIO | None = None
) -> _WorkbookReply:
    """Write the rows of a sheet as CSV, or with None only return the names of the sheets.

    Raises FileError, naming the file.
    """
    if path.stat().st_size > _MAX_WORKBOOK_BYTES:
        raise FileError(
            phrase(
                "“{file}” has more than {megabytes} MB; save its table alone, as CSV UTF-8.",
                file=source,
                megabytes=_MAX_WORKBOOK_BYTES >> 20,
            )
        )
    job: sandbox.Message = {
        "path": os.path.abspath(path),  # noqa: PTH100
        "sheet": None if worksheet is None else worksheet.name,
        "skip_hidden": worksheet is not None and worksheet.hidden_rows == "skip",
    }
    reply: sandbox.Message = {}
    try:
        for answer in _SANDBOX.ask(job, time.monotonic() + _WORKBOOK_SECONDS):
            if out is not None:
                out.write(answer.enclosed)
            reply = answer.reply
        return msgspec.convert(reply, _WorkbookReply)
    except BadFile as error:
        raise FileError(_refusal(source, error)) from error
    except (ChildFailed, ValueError) as error:
        raise FileError(
            phrase(
                "“{file}” takes more room or time than a table may; save its table alone, as CSV UTF-8.", file=source
            )
        ) from error


def _refusal(source: Text, error: BadFile) -> Text:
    """Return the sentence for the reason that the child gave."""
    match error.refusal, error.about:
        case Refusal.LOCKED, ():
            return phrase("“{file}” is locked with a password; save it without one.", file=source)
        case Refusal.DAMAGED, ():
            return phrase(
                "“{file}” is no workbook, or a damaged one; open it and save it anew, or as CSV UTF-8.", file=source
            )
        case Refusal.EMPTY, ():
            return phrase("“{file}” has no sheet with cells.", file=source)
        case Refusal.NO_SUCH_SHEET, (wanted, *names):
            return phrase(
                "“{file}” has no sheet “{sheet}”; its sheets are {sheets}.",
                file=source,
                sheet=wanted,
                sheets=listed(f"“{name}”" for name in names),
            )
        case Refusal.COLUMNS, (sheet,):
            return phrase(
                "“{file}” has more than {most} columns in the sheet “{sheet}”; that is no table.",
                file=source,
                most=MAX_COLUMNS,
                sheet=sheet,
            )
        case Refusal.ROWS, (sheet,):
            return phrase(
                "“{file}” has more than {most} rows in the sheet “{sheet}”; that is no table.",
                file=source,
                most=MAX_ROWS,
                sheet=sheet,
            )
    return f"“{source}” {error}"


class _Lines:
    """The lines of a file as text, and the position of the next one."""

    def __init__(self, file: BinaryIO, source: Text, at: int = 0) -> None:
        file.seek(at)
        self._file = file
        self._source = source
        self.at = at

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._file.readline(_MAX_LINE_BYTES)
        if not line:
            raise StopIteration
        if len(line) == _MAX_LINE_BYTES:
            raise FileError(phrase("“{file}” has a line of more than 1 MB; that is no table.", file=self._source))
        text = _decode(line, self._source, first=not self.at)
        self.at += len(line)
        return text


def _decode(line: bytes, source: Text, *, first: bool) -> str:
    try:
        return line.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            phrase("“{file}” is not text in UTF-8; save it as that, or say by --encoding what it is.", file=source)
        ) from error


class TypedRows(RowTable):
    """Rows that the user types, with the names of the fields. Their lines count from 1 and include empty rows."""

    unit = "Row"

    def __init__(self, rows: Sequence[Mapping[str, str]], fields: Iterable[str]) -> None:
        super().__init__("")
        self.columns = dict.fromkeys(fields)
        self._rows = tuple(
            TableRow(line, {normalize_field(name): text for name, text in values.items()})
            for line, values in enumerate(rows, 1)
            if any(text.strip() for text in values.values())
        )

    @property
    def title(self) -> Text:
        # Translators: as the name of a file in a sentence: `Row 3 of what you typed: …`
        return phrase("what you typed")

    def rows(self) -> Iterator[TableRow]:
        return iter(self._rows)

    def row(self, number: int) -> TableRow:
        return self._rows[number]


class _Streamed(RowTable):
    """A file of which only the positions of its rows are kept in memory."""

    def __init__(self, source: Text, file: BinaryIO) -> None:
        super().__init__(source)
        self._file = file
        self._size = max(1, file.seek(0, os.SEEK_END))
        self._places = array("Q")
        self._numbers = array("I")

    @property
    def fraction_read(self) -> float:
        return self._places[-1] / self._size if self._places else 0.0

    def _lines_at(self, place: int) -> _Lines:
        return _Lines(self._file, self.source, place)

    def _index_row(self, place: int, row: TableRow) -> TableRow:
        self._places.append(place)
        self._numbers.append(row.line)
        return row


class _Csv(_Streamed):
    """Separated cells. The first line names the columns, or the second, after a separator line for Excel."""

    delimiters = ",;\t"
    head = 1

    def rows(self) -> Iterator[TableRow]:
        lines = self._begin()
        reader, line = self._reader(lines), self.head
        try:
            self._read_heads(next(reader, []))
            line, place = self._line_after(reader), lines.at
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield self._index_row(place, self._row(line, cells))
                line, place = self._line_after(reader), lines.at
        except csv.Error as error:
            raise FileError(
                phrase(
                    "Line {line} of {file} has more text in a cell than any label holds, or a quotation mark that is "
                    'never closed, or one inside a cell; close it, and write "" for one that is printed.',
                    line=str(line),
                    file=self.title,
                )
                if "field limit" in str(error)
                else phrase(
                    "Line {line} of {file} has a quotation mark that is never closed, or one inside a cell; close it, "
                    'and write "" for one that is printed.',
                    line=str(line),
                    file=self.title,
                )
            ) from error

    def row(self, number: int) -> TableRow:
        return self._row(self._numbers[number], next(self._reader(self._lines_at(self._places[number]))))

    def _reader(self, lines: _Lines) -> Any:
        return csv.reader(lines, delimiter=self._delimiter, strict=True)

    def _line_after(self, reader: Any) -> int:
        """Return the number of the line after those read so far."""
        return self.head + int(reader.line_num)

    def _begin(self) -> _Lines:
        """Detect the separator, and return the lines from the head on."""
        lines = self._lines_at(0)
        first = next(lines, "")
        if match := _SEPARATOR_LINE.fullmatch(first):
            self.head, self._delimiter = 2, match[1]
            return lines
        self._delimiter = max(self.delimiters, key=first.count)
        return self._lines_at(0)

    def _read_heads(self, cells: Sequence[str]) -> None:
        """Read the names of the columns. A column without a name must be empty in every row."""
        self._heads = [normalize_field(cell) for cell in _without_empty_end(cells)]
        if len(self._heads) > MAX_COLUMNS:
            raise FileError(
                phrase("{row} has more than {most} columns.", row=self.title_of(self.head), most=MAX_COLUMNS)
            )
        twice = next((head for head in self._heads if head and self._heads.count(head) > 1), None)
        if twice is not None:
            raise FileError(
                phrase(
                    "{row} must name the columns, each once; it has “{column}” twice.",
                    row=self.title_of(self.head),
                    column=twice,
                )
            )
        if not any(self._heads):
            raise FileError(
                phrase("{row} must name the columns, each once; it is empty.", row=self.title_of(self.head))
            )
        self.columns = dict.fromkeys(filter(None, self._heads))

    def _row(self, line: int, cells: Sequence[str]) -> TableRow:
        cells = _without_empty_end(cells)
        if len(cells) > len(self._heads):
            return TableRow(line, {}, RowProblem(partial(self._excess_cells, len(cells), len(self._heads))))
        values = dict(zip(self._heads, cells, strict=False))
        if nameless := values.pop("", "").strip():
            return TableRow(line, {}, RowProblem(partial(self._nameless_column, nameless[:40])))
        return TableRow(line, values)

    def _excess_cells(self, cells: int, columns: int, row: Text) -> Message:
        # Translators: {row} comes first, because it is left out beside a row that people see.
        return phrase(
            "{row} has {cells} cells for {columns} columns; put a text with commas in quotation marks.",
            row=row,
            cells=str(cells),
            columns=str(columns),
        )

    def _nameless_column(self, content: str, row: Text) -> Message:
        if self.unit == "Row":
            return phrase(
                "{row} has “{content}” in a column without a name; name it in row {line}.",
                row=row,
                content=content,
                line=str(self.head),
            )
        return phrase(
            "{row} has “{content}” in a column without a name; name it in line {line}.",
            row=row,
            content=content,
            line=str(self.head),
        )


def _without_empty_end(cells: Sequence[str]) -> Sequence[str]:
    """Return the cells up to the last non-empty one: spreadsheets save columns that are no longer used."""
    end = next((number for number in range(len(cells), 0, -1) if cells[number - 1].strip()), 0)
    return cells[:end]


class _WorkbookTable(_Csv):
    """A sheet of a workbook: its first non-empty row names the columns, or the one below a title."""

    delimiters = ","
    unit = "Row"

    def _excess_cells(self, cells: int, columns: int, row: Text) -> Message:
        return phrase(
            "{row} has {cells} cells for {columns} columns; name each column of the worksheet in the first row of its "
            "table.",
            row=row,
            cells=str(cells),
            columns=str(columns),
        )

    def __init__(self, source: Text, file: BinaryIO) -> None:
        super().__init__(source, file)
        self._delimiter = ","
        self.head, self._head_place = self._find_head()

    def _find_head(self) -> tuple[int, int]:
        """Return the number of the row that names the columns, and its position."""
        lines = self._lines_at(0)
        place, titles = 0, list[tuple[int, int, str]]()
        for number, cells in enumerate(self._reader(lines), 1):
            filled = [cell for cell in cells if cell.strip()]
            if len(filled) > 1 or (filled and normalize_field(filled[0]) == _ALWAYS_THERE):
                if titles:
                    self.remarks.append(
                        phrase(
                            "In {file} “{title}” is taken for a title, and row {line} for the names of the columns.",
                            file=self.title,
                            title=titles[0][2],
                            line=str(number),
                        )
                    )
                return number, place
            if filled:
                titles.append((number, place, filled[0]))
            if len(titles) > _MAX_TITLE_ROWS:
                break
            place = lines.at
        # In a table of a single column a title cannot be distinguished.
        return titles[0][:2] if titles else (1, 0)

    def _begin(self) -> _Lines:
        self._counted = 0
        return self._lines_at(self._head_place)

    def _line_after(self, reader: Any) -> int:  # noqa: ARG002
        # A cell may have several lines, so rows are counted and not lines.
        self._counted += 1
        return self.head + self._counted


class _Tsv(_Csv):
    """Cells separated by tabs, whatever else stands in a line."""

    delimiters = "\t"


class _Jsonl(_Streamed):
    """One JSON object on each line."""

    def rows(self) -> Iterator[TableRow]:
        lines, place = self._lines_at(0), 0
        for number, text in enumerate(lines, 1):
            if text.strip():
                row = self._row(number, text)
                self.columns.update(dict.fromkeys(row.values))
                if len(self.columns) > MAX_COLUMNS:
                    raise FileError(
                        phrase(
                            "Up to line {line}, {file} has more than {most} columns; that is no table.",
                            line=str(number),
                            file=self.title,
                            most=MAX_COLUMNS,
                        )
                    )
                yield self._index_row(place, row)
            place = lines.at

    def row(self, number: int) -> TableRow:
        return self._row(self._numbers[number], next(self._lines_at(self._places[number])))

    def _row(self, line: int, text: str) -> TableRow:
        try:
            # Numbers stay as they were written: 1.50 is a price.
            pairs = json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=_Pairs)
        except (ValueError, RecursionError):
            return TableRow(line, {}, RowProblem(_no_json))
        if not isinstance(pairs, _Pairs):
            return TableRow(line, {}, RowProblem(_no_object))
        wrong_key = next((key for key, value in pairs if not isinstance(value, str | None)), None)
        if wrong_key is not None:
            return TableRow(line, {}, problem_after(phrase("{key} is neither a text nor a number.", key=wrong_key)))
        return _unique_fields(line, [(key, value) for key, value in pairs if value is not None])


def _no_json(row: Text) -> Message:
    return phrase('{row} is not JSON; write an object on each line, as in {{"name": "Glow"}}.', row=row)


def _no_object(row: Text) -> Message:
    return phrase('{row} is no object; write one on each line, as in {{"name": "Glow"}}.', row=row)


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, including duplicate keys."""


def _unique_fields(line: int, pairs: Iterable[tuple[str, str]]) -> TableRow:
    """Return a row of fields and values. A duplicate field, ignoring case, is an error."""
    values: dict[str, str] = {}
    for key, value in pairs:
        if normalize_field(key) in values:
            return TableRow(line, {}, RowProblem(partial(_duplicate_field, normalize_field(key))))
        values[normalize_field(key)] = value
    return TableRow(line, values)


def _duplicate_field(field: str, row: Text) -> Message:
    return phrase("{row} has “{field}” twice; leave one of them out.", row=row, field=field)


class _Toml(RowTable):
    """TOML with [[label]] tables. The whole file is read at once, as its parser requires."""

    def __init__(self, source: Text, file: BinaryIO) -> None:
        super().__init__(source)
        file.seek(0)
        content = file.read(handwritten.MAX_SYMBOLS + 1)
        if len(content) > handwritten.MAX_SYMBOLS:
            raise FileError(phrase("“{file}” is too large for TOML; write a table of that size as CSV.", file=source))
        self._rows = tuple(self._read(_decode(content, source, first=True)))

    def rows(self) -> Iterator[TableRow]:
        for row in self._rows:
            self.columns.update(dict.fromkeys(row.values))
            yield row

    def row(self, number: int) -> TableRow:
        return self._rows[number]

    def _read(self, text: str) -> Iterator[TableRow]:
        try:
            content = handwritten.load(text, "count = 2", 'name = "Glow"')
        except handwritten.BrokenLine as error:
            raise FileError(phrase("{file} is not TOML: {problem}", file=self.title, problem=error.message)) from error
        other_keys = [key for key in content if key != "label"]
        tables = content.get("label", [])
        if other_keys or not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise FileError(
                phrase(
                    "{file} has “{key}” where [[label]] tables are expected, one for each label.",
                    file=self.title,
                    key=other_keys[0] if other_keys else "label",
                )
            )
        # The parser keeps no line numbers, so they are those of the tables' headers.
        heads = [at for at, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*label\s*\]\]", line)]
        lines = heads if len(heads) == len(tables) else [1] * len(tables)
        return map(_toml_row, lines, tables)


def _toml_row(line: int, table: Mapping[str, Any]) -> TableRow:
    wrong_key = next(
        (key for key, value in table.items() if not isinstance(value, str) and key not in _NUMBER_KEYS), None
    )
    if wrong_key is not None:
        problem = phrase(
            "{key} is a text in quotation marks, not {value}.",
            key=excerpt(wrong_key),
            value=excerpt(str(table[wrong_key])),
        )
        return TableRow(line, {}, problem_after(problem))
    return _unique_fields(line, [(key, str(value)) for key, value in table.items()])


_NUMBER_KEYS: Final = ("count", "position")
_TABLES: Final[Mapping[str, Callable[[Text, BinaryIO], RowTable]]] = {
    "toml": _Toml,
    "csv": _Csv,
    "tsv": _Tsv,
    "jsonl": _Jsonl,
}
