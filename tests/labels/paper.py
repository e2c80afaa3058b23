"""A printed page to measure on: rasters of a PDF, asked in points from the page's bottom left, as labels are drawn."""

import copy
import ctypes
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pypdfium2
import pypdfium2.raw as raw
import zxingcpp
from PIL import Image

from labels.geometry import INCH, Box
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from labels.paper.stocks import Stock

QR_ONLY = zxingcpp.barcode_formats_from_str("QRCode")

SHEETS = tuple(
    stocks.find(name)
    for name in ("18294", "22805", "22806", "5160", "5163", "5167", "94102", "L4731REV", "L7160", "L7651")
)
"""Sheets of every size, with which all is tried; `test_die.py` tries every design on the dies of all stocks."""
ROLLS = tuple(
    stocks.find(name)
    for name in (
        *("30252", "30321", "30323", "30330", "30334", "30336"),
        *("DK-11201", "DK-11202", "DK-11203", "DK-11204", "DK-11208", "DK-11209", "DK-11221", "DK-11240"),
    )
)
"""Rolls of every size likewise; a page of theirs is its label."""

HALF = 128
"""Greys below this are a dot where there are no greys."""

DARK = 210
"""Greys below this are ink; outlines are drawn lighter than text but darker than this."""


class Paper:
    """One page of a PDF at a resolution."""

    def __init__(self, document: bytes, dpi: float, page: int = 0) -> None:
        with pypdfium2.PdfDocument(document) as opened:
            sheet = opened[page]
            width, height = sheet.get_size()
            self.image: Image.Image = sheet.render(scale=(1 - 1e-9) * dpi / INCH, grayscale=True).to_pil()
        # The raster has whole pixels, and the page is stretched to fill them.
        self.height = float(height)
        self.across: float = self.image.width / float(width)
        self.down: float = self.image.height / self.height

    def part(self, box: Box) -> Image.Image:
        """The pixels of a box."""
        return self.image.crop(self.pixels(box))

    def pixels(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of a box in whole pixels."""
        left, right = box.x * self.across, box.right * self.across
        top, bottom = (self.height - box.top) * self.down, (self.height - box.y) * self.down
        return round(left), round(top), round(right), round(bottom)

    def ink(self, box: Box) -> Box | None:
        """The box that the ink inside a box fills, to a pixel; None if there is none."""
        bounds = self.part(box).point(lambda grey: 255 if grey < DARK else 0).getbbox()
        if bounds is None:
            return None
        left, right = bounds[0] / self.across, bounds[2] / self.across
        top, bottom = bounds[1] / self.down, bounds[3] / self.down
        return Box(box.x + left, box.top - bottom, right - left, bottom - top)

    def upright(self, x: float, y: float, reach: float) -> float:
        """The x of the upright line that crosses y within `reach` of x: its middle, to a fraction of a pixel."""
        first = round((x - reach) * self.across)
        row = round((self.height - y) * self.down)
        strip = self.image.crop((first, row, round((x + reach) * self.across), row + 1))
        return (first + _middle(strip)) / self.across

    def level(self, x: float, y: float, reach: float) -> float:
        """The y of the level line that crosses x within `reach` of y."""
        first = round((self.height - y - reach) * self.down)
        column = round(x * self.across)
        strip = self.image.crop((column, first, column + 1, round((self.height - y + reach) * self.down)))
        return self.height - (first + _middle(strip)) / self.down

    def codes(self, box: Box) -> list[str]:
        """The QR codes that a reader finds in a box."""
        return read(self.part(box))


def one_bit(image: Image.Image) -> Image.Image:
    """A picture as a printer makes it that has a dot or none."""
    return image.convert("L").point(lambda grey: 255 if grey >= HALF else 0).convert("1")


def _middle(strip: Image.Image) -> float:
    darkness = [255 - grey for grey in strip.tobytes()]
    assert sum(darkness) > 0, "there is no line here"
    return sum((index + 0.5) * dark for index, dark in enumerate(darkness)) / sum(darkness)


def read_all(image: Image.Image) -> list[tuple[str, str, int]]:
    """What a reader reads in a picture: each code's kind, its text, and by how many degrees it is turned."""
    return [(str(code.format), code.text, code.orientation % 360) for code in zxingcpp.read_barcodes(image)]


def read(image: Image.Image) -> list[str]:
    """The texts of the QR codes in a picture."""
    return [code.text for code in zxingcpp.read_barcodes(image, formats=QR_ONLY)]


def text_in(document: bytes, box: Box, page: int = 0) -> str:
    """The text that a person can select inside a box of a page."""
    with pypdfium2.PdfDocument(document) as opened:
        words: Any = opened[page].get_textpage()
        return " ".join(str(words.get_text_bounded(box.x, box.y, box.right, box.top)).split())


def aloud(document: bytes, page: int = 0) -> list[tuple[str, str]]:
    """What a screen reader is told of a page: in its order, what each element is and what it says."""
    with pypdfium2.PdfDocument(document) as opened:
        sheet = opened[page]
        marked = _text_by_mark(sheet)
        tree = raw.FPDF_StructTree_GetForPage(sheet.raw)
        try:
            (whole,) = (
                raw.FPDF_StructTree_GetChildAtIndex(tree, at) for at in range(raw.FPDF_StructTree_CountChildren(tree))
            )
            return [
                (_read_utf16(raw.FPDF_StructElement_GetType, each), _element_text(each, marked))
                for each in _leaves(whole)
            ]
        finally:
            raw.FPDF_StructTree_Close(tree)


def _leaves(element: Any) -> Iterator[Any]:
    """The elements that have marks of their own, or nothing in them at all."""
    kids = [raw.FPDF_StructElement_GetChildAtIndex(element, at) for at in _kids(element)]
    if not all(kids) or not kids:
        yield element
    else:
        for kid in kids:
            yield from _leaves(kid)


def _kids(element: Any) -> range:
    return range(raw.FPDF_StructElement_CountChildren(element))


def _element_text(element: Any, marked: Mapping[int, str]) -> str:
    spoken = _read_utf16(raw.FPDF_StructElement_GetActualText, element)
    spoken = spoken or _read_utf16(raw.FPDF_StructElement_GetAltText, element)
    return spoken or " ".join(" ".join(_kid_text(element, at, marked) for at in _kids(element)).split())


def _kid_text(element: Any, at: int, marked: Mapping[int, str]) -> str:
    kid = raw.FPDF_StructElement_GetChildAtIndex(element, at)
    return (
        _element_text(kid, marked)
        if kid
        else marked.get(raw.FPDF_StructElement_GetChildMarkedContentID(element, at), "")
    )


def _text_by_mark(sheet: Any) -> Mapping[int, str]:
    """The text of each marked part of a page."""
    words = sheet.get_textpage()
    text_by_mark: dict[int, str] = {}
    for each in sheet.get_objects(max_depth=3):
        if each.type == raw.FPDF_PAGEOBJ_TEXT:
            holder = each.container or each
            mark = raw.FPDFPageObj_GetMarkedContentID(holder.raw)
            text_by_mark[mark] = text_by_mark.get(mark, "") + _read_utf16(raw.FPDFTextObj_GetText, each.raw, words.raw)
    return text_by_mark


def _read_utf16(ask: Callable[..., int], *what: Any) -> str:
    """What a function of the library answers that fills a buffer with UTF-16."""
    size = ask(*what, None, 0)
    buffer = ctypes.create_string_buffer(size)
    ask(*what, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)) if ask is raw.FPDFTextObj_GetText else buffer, size)
    return buffer.raw.decode("utf-16-le").rstrip("\0")


def sized(document: bytes, page: int = 0) -> Iterator[tuple[str, float]]:
    """Each line of a page with its size of type in points; on a label that enlarges everything, what it was before."""
    with pypdfium2.PdfDocument(document) as opened:
        words: Any = opened[page].get_textpage()
        start = 0
        for line in words.get_text_range().splitlines(keepends=True):
            yield line.strip(), float(raw.FPDFText_GetFontSize(words.raw, start))
            start += len(line)


def smallest(document: bytes, page: int = 0) -> float:
    """The smallest size of type on a page, in points; on a label that enlarges everything, what it was before."""
    with pypdfium2.PdfDocument(document) as opened:
        words: Any = opened[page].get_textpage()
        characters = enumerate(words.get_text_range())
        return min(float(raw.FPDFText_GetFontSize(words.raw, at)) for at, char in characters if not char.isspace())


def printed(label: Label, stock: Stock, dpi: float = 300) -> Paper:
    """A label on the first position of a sheet."""
    return Paper(pdf.render_sheets(sheet.place_labels([label], stock), stock, pdf.Setup("A label")), dpi)


def strays(paper: Paper, stock: Stock, margin: float) -> Box | None:
    """Ink outside the die cuts less `margin` points, with a pixel's grace; None if all is where it may be."""
    rest = copy.copy(paper)
    rest.image = paper.image.copy()
    grace = 1 / paper.across
    for position in range(1, stock.count + 1):
        rest.image.paste(255, paper.pixels(stock.box(position).inset(margin - grace)))
    return rest.ink(Box(0, 0, *stock.page_size))
