"""Rolls: a label is a page, ink stays where a label printer reaches, and what only sheets have is not there."""

import pypdfium2
import pytest

from labels.designs import EffectLabel
from labels.errors import LabelError
from labels.geometry import MM, SAFE_MARGIN
from labels.output import pdf, testpage
from labels.paper import sheet, stocks
from labels.paper.stocks import Stock
from tests.labels.paper import ROLLS, Paper
from tests.labels.samples import ECHO, SWIFT, box_label

# What Dymo's driver and Brother's raster reference say: a label as it is read and the area that is printed, in mm.
REACHED = {
    "30252": (88.90, 27.86, 77.2, 24.8),
    "30321": (88.56, 35.73, 77.2, 32.7),
    "30323": (100.84, 54.02, 90.0, 50.9),
    "30330": (50.80, 19.05, 39.2, 16.0),
    "30334": (57.15, 31.75, 55.1, 28.7),
    "30336": (54.02, 25.40, 49.4, 22.3),
    "DK-11201": (89.83, 28.96, 83.9, 25.9),
    "DK-11202": (99.82, 61.98, 93.9, 58.9),
    "DK-11203": (86.87, 17.02, 80.9, 14.0),
    "DK-11204": (53.85, 17.02, 47.9, 14.0),
    "DK-11208": (89.83, 38.02, 83.9, 35.0),
    "DK-11209": (61.98, 28.87, 58.9, 22.9),
    "DK-11221": (23.03, 23.03, 17.1, 17.1),
    "DK-11240": (101.60, 50.46, 98.6, 44.5),
}


@pytest.mark.parametrize("stock", ROLLS, ids=lambda stock: stock.name)
def test_a_label_is_a_page_and_its_ink_is_within_reach(stock: Stock) -> None:
    width, height, across, down = REACHED[stock.name]
    document = pdf.render_sheets(sheet.place_labels([SWIFT, ECHO, box_label()], stock), stock, pdf.Setup("x"))
    with pypdfium2.PdfDocument(document) as opened:
        sizes = [page.get_size() for page in opened]
    assert len(sizes) == 3
    for size in sizes:
        assert size == pytest.approx((width * MM, height * MM), abs=0.06 * MM)
    reached = stock.box(1)
    for number in range(3):
        paper = Paper(document, 300, number)
        ink = paper.ink(reached)
        assert ink is not None
        grace = 1.5 / paper.across
        for near, blank in (
            (min(ink.x, reached.width - ink.right), (width - across) / 2),
            (min(ink.y, reached.height - ink.top), (height - down) / 2),
        ):
            assert near >= max(SAFE_MARGIN, blank * MM) - 0.05 * MM - grace
    assert Paper(document, 300, 2).codes(reached)


def test_an_outline_is_the_cut_and_not_what_is_printed() -> None:
    stock = stocks.find("99012")
    paper = Paper(pdf.render_sheets(sheet.place_labels([SWIFT], stock), stock, pdf.Setup("x", outlines=True)), 300)
    ink = paper.ink(stock.box(1))
    assert ink is not None
    assert ink.width == pytest.approx(stock.box(1).width, abs=0.3 * MM)


def test_product_codes_find_their_roll() -> None:
    assert {stocks.find(name).name for name in ("11209", "dk-1209", "DK-11209")} == {"DK-11209"}
    assert stocks.find("99010").name == stocks.find("s0722370").name == "30252"


def test_a_roll_has_no_test_page() -> None:
    with pytest.raises(
        LabelError, match=r"Dymo 30252 .* is a roll: its page is the label, so there is nothing to meas"
    ):
        testpage.render_test_page(stocks.find("30252"))


def test_a_label_that_does_not_fit_the_room_is_refused_by_name() -> None:
    long = EffectLabel(SWIFT.title, "Every word counts. " * 40, SWIFT.tier)
    with pytest.raises(LabelError, match=f"The effect of “{SWIFT.title}” is too long"):
        pdf.render_sheets(sheet.place_labels([long], stocks.find("DK-11204")), stocks.find("DK-11204"), pdf.Setup("x"))
