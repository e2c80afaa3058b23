"""Proofs and previews: the pages of a PDF as pictures and as SVG."""

import base64
import ctypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pypdfium2
import pypdfium2.raw as raw

from labels.errors import LabelError
from labels.geometry import INCH
from labels.output.drawing_lock import DRAWING_LOCK
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument


_MM = 25.4 / INCH
_MAX_NESTING = 8
_Matrix = tuple[float, float, float, float, float, float]


def page_as_svg(pdf: bytes | Path, number: int, title: str = "", description: str = "") -> str:
    """Return one page as SVG, counted from 1. `title` and `description` are for screen readers."""
    with DRAWING_LOCK, pypdfium2.PdfDocument(pdf) as document:
        page: Any = document[number - 1]
        width, height = page.get_size()
        elements = [
            element
            for at in range(raw.FPDFPage_CountObjects(page))
            for element in _object(raw.FPDFPage_GetObject(page, at), _MAX_NESTING)
        ]
        outlines, letters = _letters(page.get_textpage())
    role = ' role="img"' if title else ""
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{width * _MM:.2f}mm" height="{height * _MM:.2f}mm" '
            f'viewBox="0 0 {width:g} {height:g}"{role}>',
            *(
                f"<{tag}>{escape(text, quote=False)}</{tag}>"
                for tag, text in (("title", title), ("desc", description))
                if text
            ),
            f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
            f"<defs>{''.join(outlines)}</defs>",
            f'<g transform="matrix(1 0 0 -1 0 {height:g})">',
            *elements,
            *letters,
            "</g>",
            "</svg>\n",
        ]
    )


def _object(handle: Any, deep: int) -> Iterator[str]:
    """Yield a shape, a picture, or the transformed content of a form."""
    kind = raw.FPDFPageObj_GetType(handle)
    if kind == raw.FPDF_PAGEOBJ_FORM and deep:
        yield f'<g transform="{_transform(_read_matrix(handle))}">'
        for at in range(raw.FPDFFormObj_CountObjects(handle)):
            yield from _object(raw.FPDFFormObj_GetObject(handle, at), deep - 1)
        yield "</g>"
    elif kind == raw.FPDF_PAGEOBJ_PATH:
        segments = [raw.FPDFPath_GetPathSegment(handle, at) for at in range(raw.FPDFPath_CountSegments(handle))]
        transform = _transform(_read_matrix(handle))
        yield f'<path d="{_path(segments)}" transform="{transform}" {_paint_attributes(handle)}/>'
    elif kind == raw.FPDF_PAGEOBJ_IMAGE:
        yield _image(handle)


def _read_matrix(handle: Any) -> _Matrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(handle, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _transform(matrix: _Matrix) -> str:
    return f"matrix({' '.join(f'{part:.6g}' for part in matrix)})"


def _path(segments: list[Any]) -> str:
    """Return the path of an outline's segments. A curve has three segments, its two handles and its end."""
    commands, handles = [], []
    x, y = ctypes.c_float(), ctypes.c_float()
    for segment in segments:
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = f"{x.value:.6g} {y.value:.6g}"
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_BEZIERTO:
            handles.append(point)
            if len(handles) == len("xyz"):
                commands.append(f"C{' '.join(handles)}")
                handles = []
        else:
            commands.append(f"{'M' if kind == raw.FPDF_SEGMENT_MOVETO else 'L'}{point}")
        if raw.FPDFPathSegment_GetClose(segment):
            commands.append("Z")
    return "".join(commands)


def _paint_attributes(handle: Any) -> str:
    """Return the attributes for the fill and stroke of a shape."""
    mode, stroked, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    raw.FPDFPath_GetDrawMode(handle, mode, stroked)
    raw.FPDFPageObj_GetStrokeWidth(handle, width)
    fill = _read_colour(raw.FPDFPageObj_GetFillColor, handle) if mode.value else "none"
    rule = ' fill-rule="evenodd"' if mode.value == raw.FPDF_FILLMODE_ALTERNATE else ""
    stroke = f' stroke="{_read_colour(raw.FPDFPageObj_GetStrokeColor, handle)}" stroke-width="{width.value:.4g}"'
    return f'fill="{fill}"{rule}{stroke + _dashes(handle) if stroked.value else ""}'


def _dashes(handle: Any) -> str:
    """Return the attribute for a dashed line, or "" for a solid one."""
    lengths = (ctypes.c_float * raw.FPDFPageObj_GetDashCount(handle))()
    raw.FPDFPageObj_GetDashArray(handle, lengths, len(lengths))
    return f' stroke-dasharray="{" ".join(f"{length:.4g}" for length in lengths)}"' if lengths else ""


def _read_colour(ask: Any, *of: Any) -> str:
    parts = [ctypes.c_uint() for _ in "rgba"]
    ask(*of, *parts)
    return "#" + "".join(f"{part.value:02x}" for part in parts[:3])


def _image(handle: Any) -> str:
    """Return a picture in a unit square, which its matrix stretches. Its rows run downwards."""
    file = BytesIO()
    # As an object of its own it would be freed twice: by itself, and with its page.
    bitmap = pypdfium2.PdfBitmap.from_raw(raw.FPDFImageObj_GetBitmap(handle))
    bitmap.to_pil().save(file, format="PNG")
    data = base64.b64encode(file.getvalue()).decode()
    inner = '<image width="1" height="1" preserveAspectRatio="none" transform="matrix(1 0 0 -1 0 1)"'
    return f'<g transform="{_transform(_read_matrix(handle))}">{inner} href="data:image/png;base64,{data}"/></g>'


def _letters(text: Any) -> tuple[list[str], list[str]]:
    """Return the named outlines of the page's letters, including those in forms, and the uses of these outlines."""
    names: dict[tuple[int, int], str] = {}
    outlines, uses = [], []
    for at in range(raw.FPDFText_CountChars(text)):
        symbol = raw.FPDFText_GetUnicode(text, at)
        of = raw.FPDFText_GetTextObject(text, at)
        if raw.FPDFText_IsGenerated(text, at) or not of:
            continue
        font = raw.FPDFTextObj_GetFont(of)
        key = (ctypes.addressof(font.contents), symbol)
        if key not in names:
            outline = _outline(font, symbol)
            names[key] = f"letter{len(names)}" if outline else ""
            outlines += [f'<path id="{names[key]}" d="{outline}"/>'] if outline else []
        if name := names[key]:
            fill = _read_colour(raw.FPDFText_GetFillColor, text, at)
            uses.append(
                f'<use xlink:href="#{name}" transform="{_transform(_letter_matrix(of, text, at))}" fill="{fill}"/>'
            )
    return outlines, uses


def _outline(font: Any, symbol: int) -> str:
    """Return the outline of a letter at a size of one point."""
    glyph = raw.FPDFFont_GetGlyphPath(font, symbol, 1)
    count = raw.FPDFGlyphPath_CountGlyphSegments(glyph) if glyph else 0
    return _path([raw.FPDFGlyphPath_GetGlyphPathSegment(glyph, part) for part in range(count)])


def _letter_matrix(of: Any, text: Any, at: int) -> _Matrix:
    """Return the position and scale of a letter whose outline has a size of one point."""
    matrix, x, y, size = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double(), ctypes.c_float()
    raw.FPDFText_GetMatrix(text, at, matrix)
    raw.FPDFText_GetCharOrigin(text, at, x, y)
    raw.FPDFTextObj_GetFontSize(of, size)
    a, b, c, d = (part * size.value for part in (matrix.a, matrix.b, matrix.c, matrix.d))
    return a, b, c, d, x.value, y.value


PREVIEW_DPI = 150

# The renderer rounds sizes up. A floating-point excess would cost a row of pixels and stretch the page.
_ROUNDING_GUARD = 1 - 1e-9


class Proof:
    """An open PDF."""

    def __init__(self, document: "PdfDocument") -> None:
        self._document = document

    def __len__(self) -> int:
        return len(self._document)

    def size(self, number: int) -> tuple[float, float]:
        """Return the width and height of a page as displayed, in points. Pages are counted from 1."""
        width, height = self._document[number - 1].get_size()
        return width, height

    def picture(self, number: int, dpi: float = PREVIEW_DPI) -> "Image":
        """Return a page, counted from 1, as a colour picture."""
        bitmap = self._document[number - 1].render(scale=_ROUNDING_GUARD * dpi / INCH)
        picture: Image = bitmap.to_pil().convert("RGB")
        return picture


@contextmanager
def open_pdf(pdf: bytes | Path) -> Iterator[Proof]:
    """Open a PDF once for several queries."""
    with pypdfium2.PdfDocument(pdf) as document:
        yield Proof(document)


def page_count(pdf: bytes | Path) -> int:
    """Return the number of pages of a PDF."""
    with DRAWING_LOCK, open_pdf(pdf) as proof:
        return len(proof)


def page_as_picture(pdf: bytes | Path, number: int, dpi: float = PREVIEW_DPI) -> "Image":
    """Return one page, counted from 1, as a colour picture."""
    with DRAWING_LOCK, open_pdf(pdf) as proof:
        return proof.picture(number, dpi)


def page_pictures(pdf: bytes | Path, dpi: float = PREVIEW_DPI) -> Iterator["Image"]:
    """Yield each page as a colour picture."""
    with open_pdf(pdf) as proof:
        for number in range(1, len(proof) + 1):
            yield proof.picture(number, dpi)


class PreviewError(LabelError):
    """A file name whose ending is no known picture format."""


PageWriter = Callable[[bytes | Path, int, Path], None]
"""A function that draws one page of a PDF, counted from 1, into a file."""
_PageWriter = Callable[[bytes | Path, int, Path, int], None]


def _write_png(pdf: bytes | Path, number: int, path: Path, dpi: int) -> None:
    page_as_picture(pdf, number, dpi).save(path, format="PNG", dpi=(dpi, dpi))


def _write_jpeg(pdf: bytes | Path, number: int, path: Path, dpi: int) -> None:
    page_as_picture(pdf, number, dpi).save(path, format="JPEG", quality=90, dpi=(dpi, dpi))


def _write_svg(pdf: bytes | Path, number: int, path: Path, dpi: int) -> None:  # noqa: ARG001
    path.write_text(page_as_svg(pdf, number), encoding="utf-8", newline="\n")


_KINDS: Final[Mapping[str, _PageWriter]] = {
    "": _write_png,
    ".png": _write_png,
    ".jpg": _write_jpeg,
    ".jpeg": _write_jpeg,
    ".svg": _write_svg,
}


def preview_writer(path: Path, dpi: int = PREVIEW_DPI) -> PageWriter:
    """Return the writer for a preview with this name, at `dpi` if it consists of pixels. Raises PreviewError."""
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise PreviewError(
            phrase("A preview ends in .png, .jpg or .svg; “{file}” ends in none of these.", file=path.name)
        )
    return lambda pdf, number, into: kind(pdf, number, into, dpi)
