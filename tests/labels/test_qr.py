"""QR codes: small, with their quiet zone, the very code that the package writes, and readable after the worst print."""

from typing import Any

import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFilter, ImageOps
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from labels.drawing import qr
from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.output import pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import SAFE_MARGIN
from tests.examples import examples
from tests.labels.paper import QR_ONLY, Paper, printed, read, strays
from tests.labels.samples import box_label

STOCK = stocks.find("18294")
SHEET = [box_label(f"Band {number}", number) for number in range(STOCK.count)]


def test_a_deck_id_fits_the_smallest_code() -> None:
    assert qr.symbol("DECK:7K3M9QPX2B4TC").side == 21


def _by_the_package(text: str) -> list[bytes]:
    """The code that `qrcode` writes by itself, when it compares all eight masks."""
    code: QRCode[Any] = QRCode(error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    code.make()
    return [bytes(0 if dark else 255 for dark in row) for row in code.modules]


@settings(max_examples=examples(40))
@given(st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=13, max_size=13))
def test_a_decks_code_is_what_the_package_writes_by_itself(symbols: str) -> None:
    assert list(qr.rows(f"DECK:{symbols}")) == _by_the_package(f"DECK:{symbols}")


@pytest.mark.parametrize(
    "text", ["7", "7" * 34, "Zwölf Raben", "https://example.com/?id=Ω", "7" * 90 + "ABC", "x" * 331]
)
def test_any_other_code_is_what_the_package_writes_by_itself(text: str) -> None:
    assert list(qr.rows(text)) == _by_the_package(text)
    picture = Image.frombytes("L", (len(qr.rows(text)),) * 2, b"".join(qr.rows(text)))
    assert read(ImageOps.expand(picture.resize((4 * picture.width,) * 2), 16, 255)) == [text]


@pytest.mark.parametrize("text", ["0" * 200, "0" * 600 + "1"])
def test_a_code_of_zeros_alone_is_read_back(text: str) -> None:
    rows = qr.rows(text)
    picture = Image.frombytes("L", (len(rows),) * 2, b"".join(rows))
    assert read(ImageOps.expand(picture.resize((4 * picture.width,) * 2), 16, 255)) == [text]


def test_a_text_that_no_code_can_hold_is_refused() -> None:
    with pytest.raises(LabelError, match="too long for a QR code"):
        qr.symbol("x" * 3000)


@given(st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ:-", min_size=1, max_size=40))
def test_the_rectangles_are_the_modules_and_no_two_overlap(text: str) -> None:
    symbol, rows = qr.symbol(text), qr.rows(text)
    covered = [[255] * symbol.side for _ in range(symbol.side)]
    for rectangle in symbol.path.removesuffix(" re").split(" re "):
        left, bottom, width, height = map(int, rectangle.split())
        for row in range(symbol.side - bottom - height, symbol.side - bottom):
            for column in range(left, left + width):
                assert covered[row][column] == 255
                covered[row][column] = 0
    assert [bytes(row) for row in covered] == list(rows)


@pytest.mark.parametrize("dpi", [150, 300, 600])
def test_every_code_of_a_sheet_reads_back(dpi: int) -> None:
    paper = Paper(pdf.render_sheets(sheet.place_labels(SHEET, STOCK), STOCK, pdf.Setup("Boxes")), dpi)
    read_back = [paper.codes(STOCK.box(position)) for position in range(1, STOCK.count + 1)]
    assert read_back == [[label.payload] for label in SHEET]


def test_every_code_reads_back_after_the_worst_print() -> None:
    """Ink that spreads, a printer that shrinks to 96 %, and a page that lies askew."""
    paper = Paper(pdf.render_sheets(sheet.place_labels(SHEET, STOCK), STOCK, pdf.Setup("Boxes")), 300)
    for position, label in enumerate(SHEET, start=1):
        clean = paper.part(STOCK.box(position)).filter(ImageFilter.MinFilter(3))
        shrunk = clean.resize((round(clean.width * 0.96), round(clean.height * 0.96)), Image.Resampling.BILINEAR)
        assert read(shrunk.rotate(1, Image.Resampling.BILINEAR, fillcolor=255)) == [label.payload]


@pytest.mark.parametrize("name", ["18294", "5160", "5163", "5167", "22805", "22806", "L7160", "L7651"])
def test_codes_keep_their_quiet_zone_and_readable_modules(name: str) -> None:
    stock = stocks.find(name)
    die = stock.box(1)
    paper = printed(box_label(), stock, dpi=600)
    assert paper.codes(die) == [box_label().payload]
    # The code begins with a dark module at its top left, seven modules long: that row tells size and place.
    code = _code(paper, die)
    module = code.width / 21
    assert module >= 0.396 * MM
    quiet = code.inset(-4 * module)
    assert quiet.x >= die.x - 0.2
    assert quiet.top <= die.top + 0.2
    for side in (
        Box(code.x - 3.9 * module, code.y, 3.8 * module, code.height),
        Box(code.right + 0.1 * module, code.y, 3.8 * module, code.height),
        Box(code.x, code.top + 0.1 * module, code.width, 3.8 * module),
        Box(code.x, code.y - 3.9 * module, code.width, 3.8 * module),
    ):
        assert paper.ink(side) is None


def _code(paper: Paper, die: Box) -> Box:
    """The square of a code on its label, from the three finder patterns that the reader found."""
    (code,) = zxingcpp.read_barcodes(paper.part(die), formats=QR_ONLY)
    corners = (code.position.top_left, code.position.top_right, code.position.bottom_left)
    (left, top), (right, _), (_, bottom) = ((corner.x / paper.across, corner.y / paper.down) for corner in corners)
    box = paper.ink(Box(die.x + left, die.top - bottom, right - left, bottom - top).inset(-1.0))
    assert box is not None
    return box


@pytest.mark.parametrize("name", ["L4731REV"])
def test_a_label_too_small_for_a_code_and_its_text_is_refused(name: str) -> None:
    with pytest.raises(LabelError, match=r"The Ashen Court.*choose a larger stock"):
        printed(box_label(), stocks.find(name))


def test_a_code_stays_inside_the_safe_margin() -> None:
    assert strays(printed(box_label(), STOCK, dpi=600), STOCK, SAFE_MARGIN) is None
