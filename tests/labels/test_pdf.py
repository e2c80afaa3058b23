"""The PDF: labels where the die cuts are, nothing that a viewer could rescale or a printer could lack."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from itertools import islice
from multiprocessing import active_children

import pypdfium2
import pypdfium2.raw as raw
import pytest

from labels.drawing.ink import BLACK, Ink
from labels.geometry import MM, Box
from labels.output import pdf, proof, testpage
from labels.output.pdf import PagePool
from labels.output.pdffile import FileState, PdfWriter
from labels.paper import sheet, stocks
from labels.paper.calibration import IDENTITY, Calibration
from labels.paper.sheet import SAFE_MARGIN, Sheet
from labels.paper.stocks import Stock
from labels.typesetting import fonts
from labels.typesetting.fonts import GlyphError
from tests.labels.paper import SHEETS, Paper, aloud, text_in
from tests.labels.samples import ECHO, SWIFT, box_label

STOCK = stocks.find("18294")
ALL = [pytest.param(stock, id=stock.name) for stock in SHEETS]

REACH = 0.7 * MM
EXACT = 0.05 * MM


def _outlined(stock: Stock, calibration: Calibration = IDENTITY) -> Paper:
    return Paper(pdf.render_sheets([{}], stock, pdf.Setup("Outlines", outlines=True, calibration=calibration)), 1200)


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
    document = testpage.render_test_page(stock)
    for position in {1, 2, stock.count // 2, stock.count - 1}:
        assert str(position) in text_in(document, stock.box(position).inset(SAFE_MARGIN)).split()
    assert stock.title in text_in(document, Box(0, 0, *stock.page_size))


def test_the_test_page_has_its_crosses_where_it_says() -> None:
    document = testpage.render_test_page(STOCK)
    text = text_in(document, Box(0, 0, *STOCK.page_size))
    match = re.search(r"A lies ([\d.]+) mm from the left and ([\d.]+) mm from the top", text)
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
    document = pdf.render_sheets(sheet.place_labels(labels, STOCK, [(16, 60)]), STOCK, pdf.Setup("Boxes"))
    assert text_in(document, STOCK.box(16)).startswith("Band 0")
    assert text_in(document, STOCK.box(60)).startswith("Band 1")
    assert text_in(document, STOCK.box(1), page=1).startswith("Band 2")
    assert [picture.size for picture in proof.page_pictures(document, dpi=72)] == [(612, 792)] * 2


def test_viewers_and_printers_leave_size_and_back_alone() -> None:
    for document in (
        pdf.render_sheets([{1: SWIFT}], STOCK, pdf.Setup("Grave Choir")),
        testpage.render_test_page(STOCK),
    ):
        assert document.startswith(b"%PDF-1.7\n")
        with pypdfium2.PdfDocument(document) as opened:
            assert not raw.FPDF_VIEWERREF_GetPrintScaling(opened.raw)
            assert raw.FPDF_VIEWERREF_GetDuplex(opened.raw) == raw.Simplex
        assert re.search(rb"/DisplayDocTitle true", document)


def test_a_file_says_what_it_is_and_in_which_language() -> None:
    document = pdf.render_sheets([{1: SWIFT}], STOCK, pdf.Setup("Grüße ♠", subject="CC BY"))
    with pypdfium2.PdfDocument(document) as opened:
        assert opened.get_metadata_value("Title") == "Grüße ♠"
        assert opened.get_metadata_value("Subject") == "CC BY"
        assert raw.FPDFCatalog_IsTagged(opened.raw)
    assert re.search(rb"/Lang \(en\)", document)


def test_a_screen_reader_reads_the_labels_one_after_the_other() -> None:
    box = box_label("First", 1)
    run: Sheet = {4: SWIFT, 3: box_label("Third", 3), 1: box, 2: SWIFT}
    document = pdf.render_sheets([run], STOCK, pdf.Setup("x", outlines=True))
    elements = aloud(document)
    assert [tag for tag, _ in elements] == ["P"] * 4
    first, swift, third, again = (text for _, text in elements)
    assert first == f"First {box.notes[0]} {box.shown_id} QR code: {box.payload}"
    assert third.startswith("Third ")
    assert swift == again
    assert swift.endswith(f" {SWIFT.effect}")
    assert {"Swift", SWIFT.tier.mark, SWIFT.tier.title.upper()} <= set(swift.split())


@pytest.mark.parametrize("name", ["♠ Ace of ★", "שלום (א) world", "Łódź", "שָׁלוֹם", "หนี้ Q̃", "हिन्दी"])
def test_a_name_is_read_aloud_as_people_write_it(name: str) -> None:
    ((_, text),) = aloud(pdf.render_sheets([{1: box_label(name)}], STOCK, pdf.Setup("x")))
    assert text.startswith(f"{name} Glory")


def test_every_font_is_embedded() -> None:
    document = pdf.render_sheets([{1: SWIFT, 2: ECHO, 3: box_label("♠ Ace of Łódź ★")}], STOCK, pdf.Setup("x"))
    fonts = re.findall(rb"<<[^<>]*/Type /Font\b[^<>]*>>", document)
    assert len(fonts) >= 2
    assert all(b"/FontDescriptor" in font and b"FiraGO" in font for font in fonts)
    assert len(re.findall(rb"/FontFile2", document)) == len(fonts)


def test_the_same_labels_are_the_same_bytes() -> None:
    run = sheet.place_labels([SWIFT, ECHO, SWIFT, box_label()], STOCK)
    assert pdf.render_sheets(run, STOCK, pdf.Setup("x")) == pdf.render_sheets(run, STOCK, pdf.Setup("x"))


_ON_CORES = """
import sys, threading
from labels.output import pdf
from labels.paper import sheet, stocks
from tests.labels.samples import ECHO, box_label
stock = stocks.find("18294")
odd = {9: "क्षत्रिय", 130: "Żółw", 200: "หนี้", 430: "Ωmega", 431: "♠ Ace", 611: "Быт"}
labels = [ECHO if number % 50 == 7 else box_label(odd.get(number, f"Band {number}"), number) for number in range(640)]
run = sheet.place_labels(labels, stock)
if "threads" in sys.argv:
    # A process with a second thread cannot be copied, as none can on Windows: others begin afresh.
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    pdf._WORTHWHILE_LABELS["spawn"] = 0
one = pdf.render_sheets(run, stock, pdf.Setup("PagePool"))
assert "concurrent.futures.process" not in sys.modules
two = pdf.render_sheets(run, stock, pdf.Setup("PagePool"), cores=2)
print("concurrent.futures.process" in sys.modules, one == two)
"""


@pytest.mark.parametrize(
    "begins",
    [
        # Elsewhere processes begin afresh, which pays for thousands of labels only.
        pytest.param("copies", marks=pytest.mark.linux),
        pytest.param("threads", marks=pytest.mark.slow),
    ],
)
def test_on_several_cores_it_is_the_same_file(begins: str) -> None:
    """In a process of its own, which has one thread or two."""
    result = subprocess.run(
        [sys.executable, "-c", _ON_CORES, begins], capture_output=True, encoding="utf-8", check=True
    )
    assert result.stdout.split() == ["True", "True"]


def test_pages_with_fonts_unknown_elsewhere_are_left_to_the_file() -> None:
    pages = [partial(_words, text) for text in ("abc", "abd", "cab", "bca")]
    out = BytesIO()
    file = PdfWriter(out, STOCK.page_size, "x", "")
    file.draw_page(pages[0])
    with PagePool(2) as pool:
        rendered = list(pool.draw_pages(pages[1:], STOCK.page_size, IDENTITY, file.state))
    assert [page is not None for page in rendered] == [False, False, True]


def _words(text: str, ink: Ink) -> None:
    with ink.element():
        ink.text(50, 50, text, "regular", 8, BLACK)


def test_where_processes_die_the_file_draws_its_pages_itself() -> None:
    with PagePool(2) as pool:
        rendered = pool.draw_pages([_gone] * 5, STOCK.page_size, IDENTITY, FileState)
        assert list(islice(rendered, 5)) == [None] * 5


def test_processes_end_if_ctrl_c_comes_before_the_thread_that_ends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are there by then, and the program would wait for them at its own end."""
    start = threading.Thread.start

    def start_or_interrupt(thread: threading.Thread) -> None:
        if type(thread).__module__ == "concurrent.futures.process":
            raise KeyboardInterrupt
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_interrupt)
    before = set(active_children())
    with pytest.raises(KeyboardInterrupt), PagePool(2) as pool:
        list(pool.draw_pages([partial(_words, "one")] * 5, STOCK.page_size, IDENTITY, FileState))
    processes = set(active_children()) - before
    for process in processes:
        process.join(20)
    assert not processes & set(active_children())


def _gone(_: Ink) -> None:
    os._exit(1)


def test_a_label_too_large_stops_the_run_on_several_cores_too() -> None:
    with PagePool(2) as pool, pytest.raises(GlyphError, match="😀"):
        list(pool.draw_pages([partial(_checked, "😀")], STOCK.page_size, IDENTITY, FileState))


def _checked(text: str, _: Ink) -> None:
    fonts.check(text, "The name")


def test_a_run_without_end_is_written_as_it_comes() -> None:
    out, written = BytesIO(), []

    def run() -> Iterator[Sheet]:
        for number in range(500):
            written.append(out.tell())
            yield {1 + number % 60: SWIFT}

    pdf.write_sheets(out, run(), STOCK, pdf.Setup("x"))
    assert written[480] > 100_000
    assert written[480] - written[240] > 100_000
    with pypdfium2.PdfDocument(out.getvalue()) as opened:
        assert len(opened) == 500


def test_a_hundred_equal_sheets_weigh_little_more_than_one() -> None:
    one = pdf.render_sheets(sheet.place_labels([SWIFT] * 60, STOCK), STOCK, pdf.Setup("x"))
    hundred = pdf.render_sheets(sheet.place_labels([SWIFT] * 6000, STOCK), STOCK, pdf.Setup("x"))
    assert len(hundred) - len(one) < 99 * 2500


def test_tiers_can_be_told_in_black_and_white() -> None:
    """Two labels that differ in their tier's mark alone are different pictures without colour."""
    plain = ECHO.tier
    other = type(plain)(plain.title, "◆", plain.colour)
    pictures = {
        Paper(pdf.render_sheets([{1: type(ECHO)("Echo", ECHO.effect, tier)}], STOCK, pdf.Setup("x")), 300)
        .part(STOCK.box(1))
        .tobytes()
        for tier in (plain, other)
    }
    assert len(pictures) == 2
