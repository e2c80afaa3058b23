"""The designs of labels that are open at the host's browser, each with a table beside it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from companion.printing import custom, designs, shelf
from companion.printing.run import find_stock
from companion.printing.spreadsheets.encodings import UTF_8, EncodingUnclear
from companion.printing.spreadsheets.tables import (
    KINDS,
    CellErrors,
    FileError,
    HiddenRows,
    RowTable,
    TypedRows,
    WorksheetOptions,
    open_table,
)
from labels.designs.own import Specimen, specimen_page
from labels.designs.parts import PicturePart
from labels.editing.editor import Editor
from labels.errors import LabelError
from labels.geometry import INCH
from labels.output import proof
from labels.output.drawing_lock import DRAWING_LOCK
from labels.paper.sheet import Label
from labels.paper.stocks import Stock, StockError, UnknownStock
from templates.languages.messages import Text, phrase

_MAX_OPEN: Final = 12
"""The most designs that are open; the one that was used longest ago without unsaved changes makes room."""
_MAX_ROWS: Final = 300
"""The most rows of a table that are read."""
_MAX_COLUMNS: Final = 60
_PICTURE_WIDTH: Final = 900
"""About how many pixels wide a label is drawn."""
_FINE_WIDTH: Final = 2400
"""The same for a label that is looked at larger than it is."""
_MAX_DPI: Final = 600
_LIST_WIDTH: Final = 400
_MAX_PICTURES: Final = 200
"""The most small pictures that are kept."""


class DesignTable(NamedTuple):
    """The first rows of a table, its columns, remarks on how it was read, and the folder of its pictures.

    The folder is that of the user's designs if there is none. `file_name` and `content` are those of the whole file; a
    table that was pasted has a name of its ending alone.
    """

    rows: tuple[Mapping[str, str], ...]
    columns: tuple[str, ...]
    remarks: tuple[Text, ...] = ()
    folder: Path | None = None
    file_name: str = ""
    content: bytes = b""

    @property
    def pictures_folder(self) -> Path:
        """The folder of the pictures that its rows name."""
        return self.folder or designs.designs_folder()


class RowFault(NamedTuple):
    """A sentence on what is wrong with a table: with the row of this number from 1, or with all of it if that is 0."""

    row: int
    text: Text


class OpenDesign:
    """A design that is open.

    `stored_text` is the text of the file that it was opened from, None if there is none yet, and `own` means that this
    is a file of the user.
    """

    def __init__(self, name: str, editor: Editor, stored_text: str | None, *, own: bool) -> None:
        self.name = name
        self.editor = editor
        self.stored_text = stored_text
        self.own = own
        self.table: DesignTable | None = None

    @property
    def is_stored(self) -> bool:
        """Return True if its file has the design as it is, so that nothing would be lost with it."""
        return self.editor.text == self.stored_text

    def take_sample(self) -> None:
        """Lay the sample table of the design beside it, if it has one and no other table lies there."""
        sample = shelf.find_sample(self.editor.design) if self.table is None else None
        if sample is not None:
            file = sample.file
            self.table = DesignTable(sample.rows, sample.columns, (), sample.folder, file.name, file.read_bytes())

    def version(self, row: int) -> str:
        """Return a text that differs if the picture of a row may differ."""
        values = self._row_values(row)
        content = f"{self.editor.text}\0{self.editor.design.stock}\0{sorted(values.items()) if values else ''}"
        return sha256(content.encode(errors="replace")).hexdigest()[:16]

    def find_fault(self, row: int) -> Text:
        """Return what is wrong with the design on its stock, or with a row in it, or ""."""
        try:
            self.editor.check()
            self._row_label(row, self.editor.stock)
        except FileError as error:
            fault = next(iter(error.by_line.values()), error.message)
            return fault.of_row(phrase("Row {row}", row=str(row))) if isinstance(fault, custom.ColumnProblem) else fault
        except LabelError as error:
            return error.message
        return ""

    def draw(self, row: int, *, fine: bool = False) -> bytes:
        """Return a picture of the label of a row, or of the design with its fields. Raises LabelError."""
        stock = self.editor.stock
        try:
            pdf = specimen_page(self._row_label(row, None), stock)
        except LabelError:
            pdf = specimen_page(Specimen(self.editor.design), stock)
        return _draw_picture(pdf, stock, _FINE_WIDTH if fine else _PICTURE_WIDTH)

    def list_pictures(self) -> list[str]:
        """Return the files of pictures that the rows of the table name, without duplicates."""
        parts = [part for part in self.editor.design.parts if isinstance(part, PicturePart) and part.template.fields]
        rows = self.table.rows if self.table is not None else ()
        return list(dict.fromkeys(filter(None, (part.fill(row) for row in rows for part in parts))))

    def list_faults(self) -> list[RowFault]:
        """Try out all rows of the table, and return what is wrong."""
        if self.table is None:
            return []
        rows = TypedRows(self.table.rows, self.table.columns)
        try:
            custom.own_labels(rows, self.table.pictures_folder, design=self.editor.design, stock=self.editor.stock)
        except FileError as error:
            return list(_split_faults(error))
        except LabelError as error:
            return [RowFault(0, error.message)]
        return []

    def _row_values(self, row: int) -> Mapping[str, str] | None:
        return self.table.rows[row - 1] if self.table is not None and 0 < row <= len(self.table.rows) else None

    def _row_label(self, row: int, stock: Stock | None) -> Label:
        values = self._row_values(row)
        if values is None or self.table is None:
            return Specimen(self.editor.design)
        rows = TypedRows([values], self.table.columns)
        return custom.own_labels(rows, self.table.pictures_folder, design=self.editor.design, stock=stock)[0]


class UnknownDesign(LookupError):
    """There is no design of this name."""


class DesignDesk:
    """All open designs, by name. Its methods are called from several threads, one at a time.

    Every change of a design sets its texts, so the lock is that of everything that draws.
    """

    def __init__(self) -> None:
        self._lock = DRAWING_LOCK
        self._open: dict[str, OpenDesign] = {}
        self._pictures: dict[tuple[str, str, Stock], bytes] = {}
        """The small pictures of designs, by their names, texts and stocks."""

    @contextmanager
    def open(self, name: str) -> Iterator[OpenDesign]:
        """Open a design, and keep others from changing it. Raises UnknownDesign or DesignError."""
        with self._lock:
            opened = self._open.pop(name, None)
            if opened is None:
                fresh = _open_design(name)
                opened = self._open.pop(fresh.name, fresh)
            self._open[opened.name] = opened
            self._make_room()
            yield opened

    def create(self, name: str, text: str) -> None:
        """Open a new design, which has no file yet. Raises DesignError."""
        designs.check_name(name)
        with self._lock:
            if name in self._open or designs.read_design_file(name) is not None:
                raise LabelError(phrase("There is a design “{design}” already; choose another name.", design=name))
            editor = Editor(text, name, f"{name}.toml", find_shown_stock, str(designs.designs_folder().resolve()))
            self._open[name] = OpenDesign(name, editor, None, own=False)
            self._make_room()

    def close(self, name: str) -> None:
        """Forget what was changed in a design since it was saved."""
        with self._lock:
            self._open.pop(name, None)

    def save(self, name: str, new_name: str) -> str:
        """Write a design into the user's folder, and go on with it there. Return its name. Raises DesignError."""
        with self._lock, self.open(name) as opened:
            is_same = opened.own and opened.name.casefold() == new_name.casefold()
            file = designs.save_design(new_name, opened.editor.text, opened.stored_text if is_same else None)
            self._open.pop(opened.name)
            fresh = _open_design(file.stem)
            if opened.name.casefold() == new_name.casefold():
                opened.stored_text, opened.own, fresh = fresh.stored_text, True, opened
            fresh.table = opened.table
            self._open[fresh.name] = fresh
            return fresh.name

    def draw_file(self, name: str) -> bytes:
        """Return a small picture of a design as its file has it, filled from its sample if there is one.

        Raises UnknownDesign or LabelError.
        """
        with self._lock:
            editor = _open_design(name).editor
            key = editor.design.name, editor.text, editor.stock
            if key not in self._pictures:
                label = shelf.draw_sample(editor.design, editor.stock)
                picture = _draw_picture(specimen_page(label, editor.stock), editor.stock, _LIST_WIDTH)
                self._pictures[key] = picture
                if len(self._pictures) > _MAX_PICTURES:
                    del self._pictures[next(iter(self._pictures))]
            return self._pictures[key]

    def list_unsaved(self) -> list[str]:
        """Return the names of the open designs that are not saved."""
        with self._lock:
            return [name for name, opened in self._open.items() if not opened.is_stored]

    def _make_room(self) -> None:
        *others, _ = self._open.items()
        unchanged = [name for name, opened in others if opened.is_stored]
        for name in unchanged[: max(0, len(self._open) - _MAX_OPEN)]:
            del self._open[name]


def _draw_picture(pdf: bytes, stock: Stock, width: int) -> bytes:
    """Return the only page of a PDF as a PNG picture about `width` pixels wide, with the label of a stock on it."""
    dpi = min(_MAX_DPI, width / max(stock.box(1).width, stock.box(1).height) * INCH)
    picture = BytesIO()
    proof.page_as_picture(pdf, 1, dpi).save(picture, "PNG", compress_level=1)
    return picture.getvalue()


def read_table(file_name: str, content: bytes) -> DesignTable:
    """Read the first rows of a table. Its kind is that of the ending of its name. Raises LabelError."""
    ending = Path(file_name).suffix.lower().removeprefix(".")
    return _read_rows(ending, content, file_name)._replace(file_name=file_name, content=content)


def read_pasted_table(text: str) -> DesignTable:
    """Read the first rows of a table that was pasted from a spreadsheet or typed. Raises LabelError."""
    kind = "tsv" if "\t" in text else "csv"
    content = text.encode(errors="replace")
    return _read_rows(kind, content, "", encoding=UTF_8)._replace(file_name=f".{kind}", content=content)


def _read_rows(kind: str, content: bytes, file_name: str, encoding: str | None = None) -> DesignTable:
    if kind not in KINDS:
        raise LabelError(
            phrase(
                "“{file}” is no table; save it as .xlsx, .ods or .csv, and choose it again.",
                file=file_name,
            )
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"table.{kind}")
        path.write_bytes(content)

        def read(table: RowTable) -> DesignTable:
            return _keep_rows(table, lambda text: str(text).replace(str(path), file_name or "…"))

        try:
            with open_table(path, kind, encoding=encoding) as table:
                return read(table)
        except EncodingUnclear as error:
            raise LabelError(
                phrase("The letters of “{file}” cannot be read; save it as UTF-8, or as .xlsx.", file=file_name)
            ) from error
        except (HiddenRows, CellErrors):
            with open_table(path, kind, worksheet=WorksheetOptions("", "skip", empty_errors=True)) as table:
                remark = phrase(
                    "Hidden rows are left out here, and cells with errors are empty; printing asks for both."
                )
                kept = read(table)
                return kept._replace(remarks=(*kept.remarks, remark))
        except LabelError as error:
            raise LabelError(str(error).replace(str(path), file_name or "…")) from error


def _keep_rows(table: RowTable, rename: Callable[[Text], str]) -> DesignTable:
    remarks, rows = [], []
    read = list(islice(table.rows(), _MAX_ROWS + 1))
    for row in read[:_MAX_ROWS]:
        if row.wrong is not None:
            remarks.append(rename(row.wrong.of_row(table.title_of(row.line))))
        elif any(value.strip() for value in row.values.values()):
            rows.append(row.values)
    if not rows:
        raise LabelError(next(iter(remarks), phrase("The table has no rows below its first, which names the columns.")))
    if len(read) > _MAX_ROWS:
        remarks.append(str(phrase("Only the first {rows} rows are here.", rows=str(_MAX_ROWS))))
    remarks += map(rename, table.remarks)
    return DesignTable(tuple(rows), tuple(islice(table.columns, _MAX_COLUMNS)), tuple(remarks[:_MAX_COLUMNS]))


def _split_faults(error: FileError) -> Iterator[RowFault]:
    """Yield the faults of a table, those of all rows first."""
    of_rows = {str(text): row for row, text in error.by_line.items()}
    for sentence in str(error).splitlines():
        if not any(sentence.endswith(text) for text in of_rows):
            yield RowFault(0, sentence)
    for row, text in error.by_line.items():
        yield RowFault(row, text)


def _open_design(name: str) -> OpenDesign:
    file = designs.read_design_file(name)
    if file is None:
        raise UnknownDesign(name)
    beside = file.beside or str(designs.designs_folder().resolve())
    editor = Editor(file.text, file.name, f"{file.name}.toml", find_shown_stock, beside)
    return OpenDesign(file.name, editor, file.text, own=file.own)


def find_shown_stock(name: str) -> Stock:
    """Return a stock by its name, the usual one for "". Raises StockError with a way out that a page has."""
    try:
        return find_stock(name or None)
    except UnknownStock as error:
        raise StockError(error.brief) from error
