"""Workbooks as spreadsheets save them, written part by part: so much of the two formats as tables need."""

import zipfile
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr


class Formatted(NamedTuple):
    """A number with its format in xlsx, and the text that ods has beside it."""

    number: float
    code: str
    text: str = ""


class Formula(NamedTuple):
    """A formula, with the number or the text that was calculated, or without."""

    formula: str
    value: float | str | None = None


class ErrorValue(NamedTuple):
    """A cell in which a formula came to an error."""

    name: str


Cell = str | float | date | None | Formatted | Formula | ErrorValue

_OOXML = "http://schemas.openxmlformats.org"
_MAIN = f"{_OOXML}/spreadsheetml/2006/main"
_RELATIONS = f"{_OOXML}/officeDocument/2006/relationships"
_PACKAGE = f"{_OOXML}/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_EPOCH = date(1899, 12, 30)


def write_xlsx(
    path: Path,
    sheets: Mapping[str, Sequence[Sequence[Cell]]],
    hidden: Sequence[str] = (),
    *,
    hidden_rows: Collection[int] = (),
    from_1904: bool = False,
) -> Path:
    """A workbook of Excel with these sheets, in each of which the same rows are hidden."""
    names = list(sheets)
    cells = [cell for rows in sheets.values() for row in rows for cell in row]
    codes = list(dict.fromkeys(cell.code for cell in cells if isinstance(cell, Formatted)))
    code_entries = "".join(
        f'<numFmt numFmtId="{number}" formatCode={quoteattr(code)}/>' for number, code in enumerate(codes, 164)
    )
    styles = "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, *range(164, 164 + len(codes))))
    entries = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="r{number}" state="{_state(name in hidden)}"/>'
        for number, name in enumerate(names, 1)
    )
    relations = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, len(names) + 1)
    )
    relations += f'<Relationship Id="s" Type="{_RELATIONS}/styles" Target="styles.xml"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="{_TYPE}'
        '.sheet.main+xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
        '+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="b" Type="{_RELATIONS}'
        '/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><workbookPr date1904="{from_1904:d}"/>'
        f"<sheets>{entries}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{relations}</Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><numFmts>{code_entries}</numFmts><cellXfs>{styles}</cellXfs>'
        "</styleSheet>",
    }
    for number, rows in enumerate(sheets.values(), 1):
        body = "".join(
            f'<row r="{line}" hidden="{line in hidden_rows:d}">'
            f"{''.join(_xlsx_cell(at, line, cell, codes) for at, cell in enumerate(row))}</row>"
            for line, row in enumerate(rows, 1)
        )
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    return _write(path, parts)


def _state(is_hidden: bool) -> str:
    return "hidden" if is_hidden else "visible"


def _xlsx_cell(at: int, line: int, cell: Cell, codes: Sequence[str]) -> str:
    place = f"{chr(ord('A') + at)}{line}"
    if cell is None:
        return f'<c r="{place}"/>'
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    if isinstance(cell, date):
        return f'<c r="{place}" s="1"><v>{(cell - _EPOCH).days}</v></c>'
    if isinstance(cell, Formatted):
        return f'<c r="{place}" s="{2 + codes.index(cell.code)}"><v>{cell.number}</v></c>'
    if isinstance(cell, Formula):
        kind = ' t="str"' if isinstance(cell.value, str) else ""
        value = "" if cell.value is None else escape(str(cell.value))
        return f'<c r="{place}"{kind}><f>{escape(cell.formula)}</f><v>{value}</v></c>'
    if isinstance(cell, ErrorValue):
        return f'<c r="{place}" t="e"><v>{cell.name}</v></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def write_ods(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]], *, hidden_rows: Collection[int] = ()) -> Path:
    """A workbook of LibreOffice with these sheets, in each of which the same rows are filtered out."""
    tables = "".join(
        f"<table:table table:name={quoteattr(name)}>"
        + "".join(
            f'<table:table-row table:visibility="{"filter" if line in hidden_rows else "visible"}">'
            f"{''.join(map(_ods_cell, row)) or _ods_cell(None)}</table:table-row>"
            for line, row in enumerate(rows, 1)
        )
        + "</table:table>"
        for name, rows in sheets.items()
    )
    content = (
        f'<office:document-content xmlns:office="{_ODF}:office:1.0" xmlns:table="{_ODF}:table:1.0" '
        f'xmlns:text="{_ODF}:text:1.0"><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    manifest = f'<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0"/>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return _write(path, {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest})


def _ods_cell(cell: Cell) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, str):
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in cell.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
    if isinstance(cell, Formatted):
        return (
            f'<table:table-cell office:value-type="float" office:value="{cell.number}"><text:p>{escape(cell.text)}'
            "</text:p></table:table-cell>"
        )
    if isinstance(cell, Formula):
        kind = "" if cell.value is None else ' office:value-type="string"'
        text = "" if cell.value is None else f"<text:p>{escape(str(cell.value))}</text:p>"
        return f"<table:table-cell table:formula={quoteattr(f'of:={cell.formula}')}{kind}>{text}</table:table-cell>"
    if isinstance(cell, ErrorValue):
        return (
            f'<table:table-cell table:formula="of:=X" office:value-type="string"><text:p>{cell.name}</text:p>'
            "</table:table-cell>"
        )
    kind, key = ("date", "date-value") if isinstance(cell, date) else ("float", "value")
    return (
        f'<table:table-cell office:value-type="{kind}" office:{key}="{cell}"><text:p>{_ods_text(cell)}</text:p>'
        "</table:table-cell>"
    )


def _ods_text(cell: float | date) -> str:
    return str(cell) if isinstance(cell, date) else f"{cell:.15g}"


def _write(path: Path, parts: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return path
