"""The PDF: labels where the die cuts are, nothing that a viewer could rescale or a printer could lack."""

import re

import pytest

from labels import pdf, proof, sheet, stocks, testpage
from labels.calibration import IDENTITY, Calibration
from labels.geometry import MM, Box
from labels.label import SAFE_MARGIN
from labels.stocks import Stock
from tests.labels.paper import SHEETS, Paper, text_in
from tests.labels.samples import ECHO, SWIFT, box_label

STOCK = stocks.find("18294")
ALL = [pytest.param(stock, id=stock.name) for stock in SHEETS]

REACH = 0.7 * MM
EXACT = 0.05 * MM


def _outlined(stock: Stock, calibration: Calibration = IDENTITY) -> Paper:
    return Paper(pdf.sheets([{}], stock, title="Outlines", outlines=True, calibration=calibration), 1200)


@pytest.mark.parametrize("stock", ALL)
def test_die_cuts_of_every_stock_are_exact(stock: Stock) -> None:
    paper = _outlined(stock)
    for position in range(1, stock.count + 1):
        die = stock.box(position)
        middle_x, middle_y = die.x + die.width / 2, die.y + die.height / 2
        assert paper.upright(die.x, middle_y, REACH) == pytest.approx(die.x, abs=EXACT)
        assert paper.upright(die.right, middle_y, REACH) == pytest.approx(die.right, abs=EXACT)
        assert paper.level(middle_x, die.top, REACH) == pytest.approx(die.top, abs=EXACT)
        assert paper.level(middle_x, die.y, REACH) == pytest.approx(die.y, abs=EXACT)


@pytest.mark.parametrize("stock", ALL)
def test_the_test_page_numbers_every_position(stock: Stock) -> None:
    document = testpage.page(stock)
    for position in {1, 2, stock.count // 2, stock.count - 1}:
        assert str(position) in text_in(document, stock.box(position).inset(SAFE_MARGIN)).split()
    assert stock.title in text_in(document, Box(0, 0, *stock.page_size))


def test_the_test_page_has_its_crosses_where_it_says() -> None:
    document = testpage.page(STOCK)
    told = text_in(document, Box(0, 0, *STOCK.page_size))
    match = re.search(r"A lies ([\d.]+) mm from the left and ([\d.]+) mm from the top", told)
    assert match is not None
    paper = Paper(document, 1200)
    x, y = float(match[1]) * MM, STOCK.page_size[1] - float(match[2]) * MM
    # Where the cross has neither its letter nor a ruler's tick beside it.
    assert paper.upright(x, y + 2 * MM, 0.8 * MM) == pytest.approx(x, abs=EXACT)
    assert paper.level(x - 1 * MM, y, 0.8 * MM) == pytest.approx(y, abs=EXACT)


def test_a_calibration_moves_and_scales_from_the_top_left_corner() -> None:
    paper = _outlined(STOCK, Calibration(dx=1.5, dy=-2, sx=0.99, sy=1.01))
    height = STOCK.page_size[1]
    for position in (1, 60):
        die = STOCK.box(position)
        left = die.x * 0.99 + 1.5 * MM
        top = height - ((height - die.top) * 1.01 - 2 * MM)
        assert paper.upright(left, top - 20, REACH) == pytest.approx(left, abs=EXACT)
        assert paper.level(left + 50, top, REACH) == pytest.approx(top, abs=EXACT)


def test_labels_lie_on_their_positions_of_their_sheets() -> None:
    labels = [box_label(f"Band {number}", number) for number in range(3)]
    document = pdf.sheets(sheet.place(labels, STOCK, [(16, 60)]), STOCK, title="Boxes")
    assert text_in(document, STOCK.box(16)).startswith("Band 0")
    assert text_in(document, STOCK.box(60)).startswith("Band 1")
    assert text_in(document, STOCK.box(1), page=1).startswith("Band 2")
    assert [picture.size for picture in proof.pages(document, dpi=72)] == [(612, 792)] * 2


def test_viewers_are_told_to_leave_the_size_alone() -> None:
    for document in (pdf.sheets([{1: SWIFT}], STOCK, title="x"), testpage.page(STOCK)):
        match = re.search(rb"/Type /Catalog /ViewerPreferences (\d+) 0 R", document)
        assert match is not None
        assert re.search(rb"\n%s 0 obj\s*<<\s*/PrintScaling /None\s*>>" % match[1], document)


def test_every_font_is_embedded() -> None:
    document = pdf.sheets([{1: SWIFT, 2: ECHO, 3: box_label("♠ Ace of Łódź ★")}], STOCK, title="x")
    fonts = re.findall(rb"<<[^<>]*/Type /Font\b[^<>]*>>", document)
    assert len(fonts) >= 2
    assert all(b"/FontDescriptor" in font and b"FiraGO" in font for font in fonts)
    assert len(re.findall(rb"/FontFile2", document)) == len(fonts)


def test_the_same_labels_are_the_same_bytes() -> None:
    run = sheet.place([SWIFT, ECHO, SWIFT, box_label()], STOCK)
    assert pdf.sheets(run, STOCK, title="x") == pdf.sheets(run, STOCK, title="x")


def test_a_hundred_equal_sheets_weigh_little_more_than_one() -> None:
    one = pdf.sheets(sheet.place([SWIFT] * 60, STOCK), STOCK, title="x")
    hundred = pdf.sheets(sheet.place([SWIFT] * 6000, STOCK), STOCK, title="x")
    assert len(hundred) - len(one) < 99 * 2500


def test_tiers_can_be_told_in_black_and_white() -> None:
    """Two labels that differ in their tier's mark alone are different pictures without colour."""
    plain = ECHO.tier
    other = type(plain)(plain.title, "◆", plain.colour)
    pictures = {
        Paper(pdf.sheets([{1: type(ECHO)("Echo", ECHO.effect, tier)}], STOCK, title="x"), 300)
        .part(STOCK.box(1))
        .tobytes()
        for tier in (plain, other)
    }
    assert len(pictures) == 2
