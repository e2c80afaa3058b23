"""The cells of a worksheet as Excel or LibreOffice shows them, read row by row from an xlsx or an ods file.

An ods file holds the displayed text. An xlsx file holds a value and a number format, which `number_formats` converts to
that text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import normpath
from typing import IO, Final, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from companion.printing.spreadsheets import number_formats
from companion.printing.spreadsheets.refusals import NO_VALUE

_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ODS_ERROR: Final = re.compile(r"#(N/A|DIV/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)|Err:\d+")
_MAX_REPEAT: Final = 1_001
"""The most repetitions of a cell or a space; a table has fewer columns."""


class WorksheetRow(NamedTuple):
    """A row of a worksheet.

    Attributes:
        number: The number of the row in the worksheet, from 1.
        cells: The displayed texts, by column from 0; empty cells are left out.
        plain: The numbers without their formats, by column.
        errors: The errors of cells, by column: `#N/A` and the like, or `NO_VALUE`.
        is_hidden: True if the row is hidden, by hand or by a filter.
        repeat: The number of equal rows.
    """

    number: int
    cells: Mapping[int, str]
    plain: Mapping[int, str] = {}
    errors: Mapping[int, str] = {}
    is_hidden: bool = False
    repeat: int = 1


def column_letters(column: int) -> str:
    """Return the name of a column counted from 0: A to Z, then AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


class _Package:
    """The parts of an xlsx file by name, ignoring case."""

    def __init__(self, file: ZipFile) -> None:
        self._file = file
        self._names = {self._key(name): name for name in file.namelist()}

    @staticmethod
    def _key(name: str) -> str:
        return name.replace("\\", "/").strip("/").lower()

    def open(self, name: str) -> IO[bytes]:
        """Open a part as a stream. Raises KeyError if there is none of this name."""
        return self._file.open(self._names[self._key(name)])

    def parse(self, name: str) -> Element:
        """Parse a part as a tree."""
        with self.open(name) as stream:
            return ElementTree.parse(stream).getroot()

    def relations(self, name: str = "") -> Iterator[tuple[str, str, str]]:
        """Yield the id, the kind and the target of each relation of a part, or of the whole package for ""."""
        folder, _, file = name.rpartition("/")
        for entry in self.parse(f"{folder}/_rels/{file}.rels"):
            target = entry.get("Target", "")
            place = target if target.startswith("/") else normpath(f"{folder}/{target}")
            yield entry.get("Id", ""), entry.get("Type", "").rpartition("/")[2], place


class _WorkbookParts(NamedTuple):
    """The parts that cells of an xlsx file refer to: texts, number formats of styles, and the epoch of dates."""

    texts: Sequence[str]
    formats: Sequence[str]
    from_1904: bool

    def format_of(self, cell: Element) -> str:
        style = int(cell.get("s", 0))
        return self.formats[style] if style < len(self.formats) else number_formats.GENERAL


def xlsx_rows(path: str, sheet: str) -> Iterator[WorksheetRow]:
    """Yield the rows of a worksheet in an xlsx file.

    Raises BadZipFile, ParseError, KeyError or ValueError for a damaged file.
    """
    with ZipFile(path) as file:
        package = _Package(file)
        (main,) = (place for _, kind, place in package.relations() if kind == "officeDocument")
        book = package.parse(main)
        places = {key: place for key, _, place in package.relations(main)}
        kinds = {kind: place for _, kind, place in package.relations(main)}
        (entry,) = (entry for entry in _descendants(book, "sheet") if entry.get("name") == sheet)
        (key,) = (value for name, value in entry.items() if _local(name) == "id")
        workbook = _WorkbookParts(
            tuple(_shared_texts(package, kinds["sharedStrings"])) if "sharedStrings" in kinds else (),
            tuple(_style_formats(package.parse(kinds["styles"]))) if "styles" in kinds else (),
            any(entry.get("date1904") in ("1", "true") for entry in _descendants(book, "workbookPr")),
        )
        with package.open(places[key]) as stream:
            yield from _xlsx_sheet_rows(stream, workbook)


def _local(tag: str) -> str:
    """Return a name without its namespace, of which there are several for one format."""
    return tag.rpartition("}")[2]


def _descendants(tree: Element, name: str) -> Iterator[Element]:
    return (element for element in tree.iter() if _local(element.tag) == name)


def _shared_texts(package: _Package, name: str) -> Iterator[str]:
    with package.open(name) as stream:
        for _, element in ElementTree.iterparse(stream):
            if _local(element.tag) == "si":
                yield _rich_text(element)
                element.clear()


def _rich_text(element: Element) -> str:
    """Return the text of a string item or an inline string, without the phonetic guides of Japanese."""
    runs = [element, *(child for child in element if _local(child.tag) == "r")]
    return unescape("".join(text.text or "" for run in runs for text in run if _local(text.tag) == "t"))


def unescape(text: str) -> str:
    """Decode the characters that xlsx escapes in a cell's text, and make every line break a line feed."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _style_formats(styles: Element) -> Iterator[str]:
    """Yield the number format of each cell style."""
    named = {entry.get("numFmtId", ""): entry.get("formatCode", "") for entry in _descendants(styles, "numFmt")}
    for cell_styles in _descendants(styles, "cellXfs"):
        for style in cell_styles:
            number = style.get("numFmtId", "0")
            yield named.get(number) or number_formats.BUILT_IN.get(int(number), number_formats.GENERAL)


def _xlsx_sheet_rows(stream: IO[bytes], workbook: _WorkbookParts) -> Iterator[WorksheetRow]:
    number = 0
    parents: list[Element] = []
    for event, element in ElementTree.iterparse(stream, ("start", "end")):
        name = _local(element.tag)
        if event == "start" and name == "sheetData":
            parents.append(element)
        elif event == "end" and name == "row":
            number = int(element.get("r", number + 1))
            yield _xlsx_row(number, element, workbook)
            parents[-1].clear()


def _xlsx_row(number: int, element: Element, workbook: _WorkbookParts) -> WorksheetRow:
    cells: dict[int, str] = {}
    plain: dict[int, str] = {}
    errors: dict[int, str] = {}
    column = -1
    for cell in element:
        column = _column_number(cell.get("r", "")) if cell.get("r") else column + 1
        parts = {_local(child.tag): child for child in cell}
        value = parts["v"].text or "" if "v" in parts else ""
        match cell.get("t", "n"):
            case "e":
                errors[column] = value
            case "inlineStr":
                cells[column] = number_formats.apply_text_format(_rich_text(parts["is"]), workbook.format_of(cell))
            case "s":
                cells[column] = number_formats.apply_text_format(workbook.texts[int(value)], workbook.format_of(cell))
            case "str" if "v" in parts or "f" not in parts:
                cells[column] = number_formats.apply_text_format(unescape(value), workbook.format_of(cell))
            case "b" if value:
                cells[column] = "TRUE" if value == "1" else "FALSE"
            case "d":
                cells[column] = value
            case _ if value:
                plain[column] = number_formats.format_general(float(value))
                cells[column] = number_formats.apply_number_format(
                    float(value), workbook.format_of(cell), from_1904=workbook.from_1904
                )
            case _ if "f" in parts:
                errors[column] = NO_VALUE
    return WorksheetRow(number, cells, plain, errors, element.get("hidden") in ("1", "true"))


def _column_number(reference: str) -> int:
    column = 0
    for letter in reference.rstrip("0123456789"):
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


def ods_rows(path: str, sheet: str) -> Iterator[WorksheetRow]:
    """Yield the rows of a worksheet in an ods file.

    Raises BadZipFile, ParseError, KeyError or ValueError for a damaged file.
    """
    with ZipFile(path) as file, file.open("content.xml") as stream:
        number, is_wanted = 1, False
        for event, element in ElementTree.iterparse(stream, ("start", "end")):
            name = _local(element.tag)
            if event == "start" and name == "table":
                is_wanted = _ods_attribute(element, "name") == sheet
            elif event == "end" and name == "table" and is_wanted:
                return
            elif event == "end" and name == "table-row":
                if is_wanted:
                    row = _ods_row(number, element)
                    yield row
                    number += row.repeat
                element.clear()


def _ods_attribute(element: Element, name: str, default: str = "") -> str:
    return next((value for key, value in element.items() if _local(key) == name), default)


def _ods_row(number: int, element: Element) -> WorksheetRow:
    cells: dict[int, str] = {}
    plain: dict[int, str] = {}
    errors: dict[int, str] = {}
    column = 0
    for cell in element:
        repeat = int(_ods_attribute(cell, "number-columns-repeated", "1"))
        text = "\n".join(_ods_text(child) for child in cell if _local(child.tag) == "p")
        kind, value = _ods_attribute(cell, "value-type"), _ods_attribute(cell, "value")
        error = ""
        if _ods_attribute(cell, "formula"):
            error = text if _ODS_ERROR.fullmatch(text) else "" if kind or text else NO_VALUE
        if text or error:
            for at in range(column, column + min(repeat, _MAX_REPEAT)):
                if error:
                    errors[at] = error
                else:
                    cells[at] = text
                    if value:
                        plain[at] = number_formats.format_general(float(value))
        column += repeat
    is_hidden = _ods_attribute(element, "visibility", "visible") != "visible"
    repeat = int(_ods_attribute(element, "number-rows-repeated", "1"))
    return WorksheetRow(number, cells, plain, errors, is_hidden, repeat)


def _ods_text(element: Element) -> str:
    """Return the text of a paragraph, in which repeated spaces, tabs and line breaks are elements."""
    pieces = [element.text or ""]
    for child in element:
        match _local(child.tag):
            case "s":
                pieces.append(" " * min(int(_ods_attribute(child, "c", "1")), _MAX_REPEAT))
            case "tab":
                pieces.append("\t")
            case "line-break":
                pieces.append("\n")
            case "annotation" | "note":
                pass
            case _:
                pieces.append(_ods_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
