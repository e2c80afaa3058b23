"""Codes on rolls: each module and each bar is a whole number of the printer's dots."""

import math
from itertools import groupby
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw
import pytest
from PIL import Image, ImageStat

from labels import designfile
from labels.designs.boxes import BoxLabel
from labels.designs.own import OwnLabel
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from tests.labels.paper import HALF, read, read_all


def code(symbology: str, text: str, more: str = "") -> OwnLabel:
    design = designfile.parse_design(
        f'[[part]]\ncode = "{text}"\nsymbology = "{symbology}"\n{more}', "code", "code.toml"
    )
    return OwnLabel(design, (text,))


CODES: list[Label] = [
    code("qr", "https://example.org/jar/7"),
    code("datamatrix", "JAR 7"),
    code("code128", "JAR-0042", "figures = true\n"),
    code("ean13", "4006381333931", "figures = true\n"),
    code("code128", "JAR-0042", "rotate = 90\n"),
    BoxLabel("Küsten-Nebelkrähen", "7K3M-9QPX-2B4T-C", "DECK:7K3M9QPX2B4TC"),
]
ROLLS = ("DK-11209", "DK-11202", "30252", "4x6in", "50x30mm")


def dots_of(document: bytes, stock: Stock, page: int = 0) -> Image.Image:
    """A page as its printer makes it, a pixel a dot from its foot and its left edge on, without stretching it."""
    with pypdfium2.PdfDocument(document) as opened:
        width, height = (math.ceil(length / stock.dot - 0.01) for length in stock.page_size)
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_Gray)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        scale, down = 1 / stock.dot, height - stock.page_size[1] / stock.dot
        raw.FPDF_RenderPageBitmapWithMatrix(
            bitmap,
            opened[page],
            raw.FS_MATRIX(scale, 0, 0, scale, 0, down),
            raw.FS_RECTF(0, 0, width, height),
            raw.FPDF_GRAYSCALE,
        )
        image: Image.Image = bitmap.to_pil()
        return image.convert("L")


def runs_of(image: Image.Image, *, down: bool) -> list[int]:
    """Return how long the runs of black or white are inside a code, in dots, along its middle."""
    image = image.transpose(Image.Transpose.ROTATE_90) if down else image
    middle = image.height // 2
    row = image.crop((0, middle, image.width, middle + 1)).tobytes()
    # What arithmetic leaves of an edge is lighter or darker than anybody sees.
    assert all(grey < 8 or grey > 247 for grey in row), "an edge lies between two dots"
    lengths = [len(list(group)) for _, group in groupby(grey < HALF for grey in row)]
    return lengths[1:-1]


@pytest.mark.parametrize("name", ROLLS)
@pytest.mark.parametrize("label", CODES[:2], ids=["qr", "datamatrix"])
def test_modules_of_a_square_code_are_whole_dots(name: str, label: Label) -> None:
    stock = stocks.find(name)
    image = dots_of(pdf.render_sheets([{1: label}], stock, pdf.Setup("Codes")), stock)
    assert sum(image.histogram()[8:248]) == 0
    assert len(read_all(image)) == 1


@pytest.mark.parametrize("name", ROLLS)
@pytest.mark.parametrize("label", CODES[2:4], ids=["code128", "ean13"])
def test_bars_are_whole_dots(name: str, label: Label) -> None:
    stock = stocks.find(name)
    runs = runs_of(dots_of(pdf.render_sheets([{1: label}], stock, pdf.Setup("Codes")), stock), down=False)
    module = min(runs)
    assert all(run % module == 0 for run in runs)
    assert max(runs) == 4 * module


def test_bars_that_are_turned_are_whole_dots() -> None:
    stock = stocks.find("DK-11202")
    runs = runs_of(dots_of(pdf.render_sheets([{1: CODES[4]}], stock, pdf.Setup("Codes")), stock), down=True)
    assert all(run % min(runs) == 0 for run in runs)


@pytest.mark.parametrize("name", ROLLS)
def test_the_code_of_a_box_label_is_whole_dots_and_read(name: str) -> None:
    stock = stocks.find(name)
    document = pdf.render_sheets([{1: CODES[5]}] * 2, stock, pdf.Setup("Boxes"))
    for page in range(2):
        assert read(dots_of(document, stock, page)) == ["DECK:7K3M9QPX2B4TC"]


def test_a_sheet_has_no_dots() -> None:
    assert stocks.find("L7160").dot == 0
    assert {stocks.find("DK-11209").dpi, stocks.find("30252").dpi, stocks.find("4x6in").dpi} == {300, 203}


@pytest.mark.parametrize("left", ["3", "3.3", "4.05"])
@pytest.mark.parametrize("name", ["2x2in", "50x30mm", "4x6in"])
def test_a_pale_picture_is_equally_grey_all_over(name: str, left: str, tmp_path: Path) -> None:
    file = tmp_path / "pale.png"
    Image.new("L", (400, 400), 211).save(file)
    stock = stocks.find(name)
    design = designfile.parse_design(f'[[part]]\npicture = "{{photo}}"\nbox = [{left}, 3, 21.7, 21.7]\n', "p", "p.toml")
    label = OwnLabel(design, (str(file),))
    page = pdf.render_sheets(sheet.place_labels([label], stock), stock, pdf.Setup("p"))
    dots = dots_of(page, stock).point(lambda grey: 0 if grey < HALF else 255)
    bounds = dots.point(lambda grey: 255 - grey).getbbox()
    assert bounds is not None
    side = (bounds[2] - bounds[0]) // 4
    assert side >= 40
    shares = [
        1 - ImageStat.Stat(dots.crop((x, y, x + side, y + side))).mean[0] / 255
        for x in range(bounds[0], bounds[0] + 4 * side, side)
        for y in range(bounds[1], bounds[1] + 4 * side, side)
    ]
    assert max(shares) < 1.3 * min(shares)
