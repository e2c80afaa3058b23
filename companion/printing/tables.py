"""Files of rows, as people and other programs write them: CSV, TSV, JSON lines and TOML.

A file of a hundred thousand rows is read as a stream; later any row can be read again by its number.
"""

import csv
import json
import os
import re
import stat
import tempfile
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from labels import handwritten
from labels.errors import LabelError
from labels.template import normalize_field

KINDS: Final = ("toml", "csv", "tsv", "jsonl")

_MAX_LINE_BYTES: Final = 2**20
_MAX_COLUMNS: Final = 1_000
_BLOCK: Final = 2**16
_SEPARATOR_LINE: Final = re.compile(r'"?sep=([^\w"\r\n])"?\s*', re.IGNORECASE)
"""What Excel is told in a first line of its own: what stands between cells."""


class FileError(LabelError):
    """A file of labels that cannot be read as one; the sentence names the file and the line."""


class Row(NamedTuple):
    """What stands from a line on, by the names of the columns as fields name them; `wrong` is why it cannot be read."""

    line: int
    values: Mapping[str, str]
    wrong: str = ""


class Table(ABC):
    """The rows of a file: read once in their order, after which any can be had again by its number.

    `head` is the line that names the columns; 0 where each row does.
    """

    head = 0

    def __init__(self, source: str) -> None:
        self.source = source
        self.columns: dict[str, None] = {}
        """The columns that rows had so far, in their order."""

    @abstractmethod
    def rows(self) -> Iterator[Row]:
        """Every row in its order. Raises FileError where the file cannot be read on."""

    @abstractmethod
    def row(self, number: int) -> Row:
        """A row that was read before, counted from 0."""

    @property
    def fraction_read(self) -> float:
        """How much of the file is read, from 0 to 1."""
        return 1.0

    @property
    def title(self) -> str:
        """The file in a sentence."""
        return f"“{self.source}”"


@contextmanager
def open_table(path: Path, kind: str | None = None) -> Iterator[Table]:
    """A file as a table, of the kind that its name says or that is told; `-` is what comes through a pipe.

    Raises FileError, OSError.
    """
    piped = str(path) == "-"
    source = "what comes in" if piped else str(path)
    ending = kind or path.suffix.lower().removeprefix(".")
    with open(0 if piped else path, "rb", closefd=not piped) as source_file:
        if ending not in KINDS and piped:
            raise FileError("What comes through a pipe has no ending; say what it is, as in --format csv.")
        if ending not in KINDS:
            raise FileError(
                f"“{source}” ends in none of .toml, .csv, .tsv and .jsonl; save it as one of these, or say what it is: "
                "--format csv."
            )
        with _reopenable(source_file) as file:
            yield _TABLES[ending](source, file)


@contextmanager
def _reopenable(source_file: BinaryIO) -> Iterator[BinaryIO]:
    """The given file where it can be read twice, else a copy; line ends of an old kind become those of today."""
    begin = source_file.read(_BLOCK)
    old = b"\r" in begin and b"\n" not in begin
    if stat.S_ISREG(os.fstat(source_file.fileno()).st_mode) and not old:
        yield source_file
        return
    with tempfile.TemporaryFile() as copy:
        while begin:
            copy.write(begin.replace(b"\r", b"\n") if old else begin)
            begin = source_file.read(_BLOCK)
        yield copy


class _Lines:
    """The lines of a file as text, and where the next one begins."""

    def __init__(self, file: BinaryIO, source: str, at: int = 0) -> None:
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
            raise FileError(f"“{self._source}” has a line of more than 1 MB; that is no table.")
        text = _decode(line, self._source, first=not self.at)
        self.at += len(line)
        return text


def _decode(line: bytes, source: str, *, first: bool) -> str:
    try:
        return line.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"“{source}” is not text in UTF-8; save it as that, with the ending .csv, .tsv, .jsonl or .toml."
        ) from error


class _Streamed(Table):
    """A file of which only the places of its rows are kept."""

    def __init__(self, source: str, file: BinaryIO) -> None:
        super().__init__(source)
        self._file = file
        self._size = max(1, file.seek(0, os.SEEK_END))
        self._places = array("Q")
        self._numbers = array("L")

    @property
    def fraction_read(self) -> float:
        return self._places[-1] / self._size if self._places else 0.0

    def _at(self, place: int) -> _Lines:
        return _Lines(self._file, self.source, place)

    def _noted(self, place: int, row: Row) -> Row:
        self._places.append(place)
        self._numbers.append(row.line)
        return row


class _Csv(_Streamed):
    """Cells with something between them: the first line names the columns, or that behind one for Excel."""

    delimiters = ",;\t"
    head = 1

    def rows(self) -> Iterator[Row]:
        lines = self._begun()
        reader, line = self._reader(lines), self.head
        try:
            self._heads = [normalize_field(head) for head in next(reader, [])]
            self._check()
            self.columns = dict.fromkeys(self._heads)
            line, place = self.head + reader.line_num, lines.at
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield self._noted(place, self._row(line, cells))
                line, place = self.head + reader.line_num, lines.at
        except csv.Error as error:
            long = "more text in a cell than any label holds, or " if "field limit" in str(error) else ""
            raise FileError(
                f"Line {line} of {self.title} has {long}a quotation mark that is never closed, or one inside a "
                'cell; close it, and write "" for one that is printed.'
            ) from error

    def row(self, number: int) -> Row:
        return self._row(self._numbers[number], next(self._reader(self._at(self._places[number]))))

    def _reader(self, lines: _Lines) -> Any:
        return csv.reader(lines, delimiter=self._delimiter, strict=True)

    def _begun(self) -> _Lines:
        """The lines from that on which names the columns, once it is known what stands between cells."""
        lines = self._at(0)
        first = next(lines, "")
        if match := _SEPARATOR_LINE.fullmatch(first):
            self.head, self._delimiter = 2, match[1]
            return lines
        self._delimiter = max(self.delimiters, key=first.count)
        return self._at(0)

    def _check(self) -> None:
        if len(self._heads) > _MAX_COLUMNS:
            raise FileError(f"Line {self.head} of {self.title} has more than {_MAX_COLUMNS:,} columns.")
        twice = next((head for head in self._heads if self._heads.count(head) > 1), None)
        if not any(self._heads) or twice is not None:
            has = f"it has “{twice}” twice" if twice is not None else "it is empty"
            raise FileError(f"Line {self.head} of {self.title} must name the columns, each once; {has}.")

    def _row(self, line: int, cells: Sequence[str]) -> Row:
        if len(cells) > len(self._heads):
            problem = (
                f" has {len(cells)} cells for {len(self._heads)} columns; put a text with commas in quotation marks."
            )
            return Row(line, {}, problem)
        return Row(line, dict(zip(self._heads, cells, strict=False)))


class _Tsv(_Csv):
    """The same with tabs, whatever else stands in a line."""

    delimiters = "\t"


class _Jsonl(_Streamed):
    """An object a line."""

    def rows(self) -> Iterator[Row]:
        lines, place = self._at(0), 0
        for number, text in enumerate(lines, 1):
            if text.strip():
                row = self._row(number, text)
                self.columns.update(dict.fromkeys(row.values))
                if len(self.columns) > _MAX_COLUMNS:
                    raise FileError(
                        f"Up to line {number}, {self.title} has more than {_MAX_COLUMNS:,} columns; that is no table."
                    )
                yield self._noted(place, row)
            place = lines.at

    def row(self, number: int) -> Row:
        return self._row(self._numbers[number], next(self._at(self._places[number])))

    def _row(self, line: int, text: str) -> Row:
        try:
            # Figures stay as they were written: 1.50 is a price, not a number.
            pairs = json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=_Pairs)
        except (ValueError, RecursionError):
            return Row(line, {}, ' is not JSON; write an object on each line, as in {"name": "Glow"}.')
        if not isinstance(pairs, _Pairs):
            return Row(line, {}, ' is no object; write one on each line, as in {"name": "Glow"}.')
        wrong_key = next((key for key, value in pairs if not isinstance(value, str | None)), None)
        if wrong_key is not None:
            return Row(line, {}, f": {wrong_key} is neither a text nor a number.")
        return _unique_fields(line, [(key, value) for key, value in pairs if value is not None])


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, with keys that it has twice."""


def _unique_fields(line: int, pairs: Iterable[tuple[str, str]]) -> Row:
    """A row of fields and what they say; a field that is there twice, whatever its capitals, is told."""
    values: dict[str, str] = {}
    for key, value in pairs:
        if normalize_field(key) in values:
            return Row(line, {}, f" has “{normalize_field(key)}” twice; leave one of them out.")
        values[normalize_field(key)] = value
    return Row(line, values)


class _Toml(Table):
    """[[label]] tables. The whole file is read at once, which is how its parser reads."""

    def __init__(self, source: str, file: BinaryIO) -> None:
        super().__init__(source)
        file.seek(0)
        content = file.read(handwritten.MAX_SYMBOLS + 1)
        if len(content) > handwritten.MAX_SYMBOLS:
            raise FileError(f"“{source}” is too large for TOML; write a table of that size as CSV.")
        self._rows = tuple(self._read(_decode(content, source, first=True)))

    def rows(self) -> Iterator[Row]:
        for row in self._rows:
            self.columns.update(dict.fromkeys(row.values))
            yield row

    def row(self, number: int) -> Row:
        return self._rows[number]

    def _read(self, text: str) -> Iterator[Row]:
        try:
            content = handwritten.load(text, "count = 2", 'name = "Glow"')
        except handwritten.BrokenLine as error:
            raise FileError(f"{self.title} is not TOML: {error}") from error
        other_keys = [key for key in content if key != "label"]
        tables = content.get("label", [])
        if other_keys or not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            what = f"“{other_keys[0]}”" if other_keys else "“label”"
            raise FileError(f"{self.title} has {what} where [[label]] tables are expected, one for each label.")
        # The parser keeps no lines, so they are where the tables' heads are.
        heads = [at for at, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*label\s*\]\]", line)]
        lines = heads if len(heads) == len(tables) else [1] * len(tables)
        return map(_toml_row, lines, tables)


def _toml_row(line: int, table: Mapping[str, Any]) -> Row:
    wrong_key = next(
        (key for key, value in table.items() if not isinstance(value, str) and key not in _NUMBER_KEYS), None
    )
    if wrong_key is not None:
        return Row(line, {}, f": {wrong_key} is a text in quotation marks, not {table[wrong_key]}.")
    return _unique_fields(line, [(key, str(value)) for key, value in table.items()])


_NUMBER_KEYS: Final = ("count", "position")
_TABLES: Final[Mapping[str, Callable[[str, BinaryIO], Table]]] = {
    "toml": _Toml,
    "csv": _Csv,
    "tsv": _Tsv,
    "jsonl": _Jsonl,
}
