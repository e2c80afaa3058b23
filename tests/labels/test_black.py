"""Black is black: read back from pages that have a dot or none, as label printers make them."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as raw
import pytest
from PIL import Image, ImageStat

from labels import designfile
from labels.designs import EffectLabel, HeadedLabel, TierMark
from labels.designs.own import OwnLabel
from labels.drawing.black import parse_ink
from labels.drawing.dots import DOT
from labels.drawing.ink import Ink
from labels.errors import LabelError
from labels.geometry import MM, Box, InkName
from labels.output import page, pdf, proof, testpage
from labels.output.charts import Axis, Bar, BarChart, LineChart, LinePoint
from labels.output.page import Document, PageChart, PageTable, TableColumn
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from tests.labels.paper import Paper, one_bit, read
from tests.labels.samples import ECHO, LONGEST, LONGEST_CODED, SWIFT, UNCOMMON, box_label

ALL = stocks.valid_stocks()
STOCK, ROLL = stocks.find("18294"), stocks.find("DK-11209")
DPIS = (203, 300)
SAMPLES = (SWIFT, ECHO, *LONGEST, *LONGEST_CODED)
YELLOW, RED = TierMark("Easy", "●", "#FFE08A"), TierMark("Hard", "◆", "#7A1020")
_HALF, _LEAST_INK = 128, 0.12


def _printable(labels: tuple[Label, ...], stock: Stock) -> list[Label]:
    """Those that have room on a stock."""
    return [label for label in labels if _is_printable(label, stock)]


def _is_printable(label: Label, stock: Stock) -> bool:
    try:
        document([label], stock)
    except LabelError:
        return False
    return True


def document(labels: list[Label], stock: Stock, ink: InkName | None = "black", *, outlines: bool = False) -> bytes:
    """A run of labels."""
    return pdf.render_sheets(sheet.place_labels(labels, stock), stock, pdf.Setup("x", outlines=outlines, ink=ink))


def objects(document: bytes) -> Iterator[Any]:
    """Whatever is drawn on the pages, forms included."""
    with pypdfium2.PdfDocument(document) as opened:
        for each in opened:
            yield from each.get_objects(max_depth=15)


def colours(of: Any) -> Iterator[tuple[int, ...]]:
    """The colours with which something is drawn."""
    mode, stroked = raw.ctypes.c_int(), raw.ctypes.c_int()
    is_path = of.type == raw.FPDF_PAGEOBJ_PATH
    if is_path:
        raw.FPDFPath_GetDrawMode(of.raw, mode, stroked)
    for ask, is_painted in (
        (raw.FPDFPageObj_GetFillColor, mode.value or not is_path),
        (raw.FPDFPageObj_GetStrokeColor, stroked.value),
    ):
        parts = [raw.ctypes.c_uint() for _ in "rgba"]
        if is_painted:
            ask(of.raw, *parts)
            yield tuple(part.value for part in parts[:3])


def strokes(of: Any) -> float:
    """How thick a line is on paper, in points; nothing drawn by lines is as thick as can be."""
    stroked, width = raw.ctypes.c_int(), raw.ctypes.c_float()
    raw.FPDFPath_GetDrawMode(of.raw, raw.ctypes.c_int(), stroked)
    raw.FPDFPageObj_GetStrokeWidth(of.raw, width)
    matrices = [of.get_matrix()]
    while of.container is not None:
        of = of.container
        matrices.append(of.get_matrix())
    scale = math.prod(math.sqrt(abs(each.a * each.d - each.b * each.c)) for each in matrices)
    return width.value * scale if stroked.value else math.inf


def check_black(document: bytes) -> None:
    """Nothing is drawn in a grey or a colour, or by a line that is thinner than two dots."""
    count = 0
    for each in objects(document):
        count += each.type != raw.FPDF_PAGEOBJ_FORM
        if each.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_TEXT):
            assert set(colours(each)) <= {(0, 0, 0), (255, 255, 255)}
        if each.type == raw.FPDF_PAGEOBJ_PATH:
            assert strokes(each) >= 2 * DOT - 0.01
        if each.type == raw.FPDF_PAGEOBJ_IMAGE:
            assert each.get_metadata().bits_per_pixel == 1
    assert count


def letters(document: bytes, number: int) -> Iterator[tuple[str, Box]]:
    """Each letter that can be selected on a page, and the box of its outline."""
    with pypdfium2.PdfDocument(document) as opened:
        words: Any = opened[number].get_textpage()
        for at, char in enumerate(words.get_text_range()):
            if not char.isspace():
                left, bottom, right, top = words.get_charbox(at)
                yield char, Box(left, bottom, right - left, top - bottom)


def blurred_letters(document: bytes, dpi: float) -> list[str]:
    """The letters of a document that do not stand out from what is around them where there is a dot or none."""
    blurred = []
    with pypdfium2.PdfDocument(document) as opened:
        count = len(opened)
    for number in range(count):
        paper = Paper(document, dpi, number)
        paper.image = one_bit(paper.image).convert("L")
        blurred += [char for char, box in letters(document, number) if not _stands_out(paper, box)]
    return blurred


def _stands_out(paper: Paper, box: Box) -> bool:
    """Whether what fills the box differs from what the rim around it has most of.

    A letter may stand up to a dot beside its place, where its stem fills a column of dots.
    """
    outer, inner = (paper.part(box.inset(-dots * DOT)) for dots in (2, 1))
    inside, whole = ImageStat.Stat(inner), ImageStat.Stat(outer)
    rim = (whole.sum[0] - inside.sum[0]) / (whole.count[0] - inside.count[0])
    ground = 0 if rim < _HALF else 255
    return abs(inside.mean[0] - ground) / 255 > _LEAST_INK


@pytest.mark.sample(8)
@pytest.mark.slow
@pytest.mark.parametrize("stock", ALL, ids=lambda stock: stock.name)
def test_every_design_is_black_and_read_back_on_every_stock(stock: Stock) -> None:
    labels = _printable(SAMPLES, stock)
    printed = document(labels, stock)
    check_black(printed)
    payloads = {label.payload for label in labels if hasattr(label, "payload")}
    for dpi in DPIS:
        assert blurred_letters(printed, dpi) == []
        pages = [one_bit(picture) for picture in proof.page_pictures(printed, dpi)]
        assert {text for each in pages for text in read(each.convert("L"))} == payloads


@pytest.mark.parametrize("stock", [STOCK, ROLL], ids=lambda stock: stock.name)
def test_a_page_in_black_is_legible_dot_by_dot(stock: Stock) -> None:
    printed = document([SWIFT, ECHO, LONGEST[3], LONGEST[4], box_label()], stock)
    check_black(printed)
    assert blurred_letters(printed, DPIS[0]) == []


def test_a_proof_that_cannot_fail_is_none() -> None:
    printed = document([SWIFT, ECHO], STOCK, "colour")
    with pytest.raises(AssertionError):
        check_black(printed)
    assert blurred_letters(
        pdf.render_pages([lambda ink: ink.text(9, 9, "Lost", "regular", 2, "#FFFFFF")], (90, 30), "x"), 203
    )


def test_a_roll_is_printed_in_black_unless_colour_is_wanted() -> None:
    check_black(document([SWIFT], ROLL, None))
    for printed in (document([SWIFT], ROLL, "colour"), document([SWIFT], STOCK, None)):
        with pytest.raises(AssertionError):
            check_black(printed)


def test_a_stock_says_what_it_is_printed_with() -> None:
    text = 'name = "r"\ntitle = "R"\nroll = true\nunit = "mm"\nwidth = 50\nheight = 30\nradius = 0\n'
    assert stocks.parse_stock(text, "r.toml").ink == "black"
    assert stocks.parse_stock(f'{text}ink = "colour"\n', "r.toml").ink == "colour"
    with pytest.raises(LabelError, match=r'line 8: write ink = "colour" \("black" or "colour"'):
        stocks.parse_stock(f'{text}ink = "grey"\n', "r.toml")


def test_an_ink_is_black_or_colour() -> None:
    assert (parse_ink(" Black "), parse_ink("colour"), parse_ink("")) == ("black", "colour", None)
    with pytest.raises(LabelError, match="Ink is black or colour, not “grey”"):
        parse_ink("grey")


@pytest.mark.parametrize("design", [EffectLabel, HeadedLabel])
def test_a_light_stripe_is_paper_with_a_frame(design: type[EffectLabel | HeadedLabel]) -> None:
    light = document([design("Swift", "ATK +1.", YELLOW)], STOCK)
    dark = document([design("Swift", "ATK +1.", RED)], STOCK)
    check_black(light)
    assert blurred_letters(light, 203) == []
    ink = [ImageStat.Stat(one_bit(proof.page_as_picture(each, 1, 203)).convert("L")).mean[0] for each in (light, dark)]
    assert ink[0] > ink[1]


def test_tiers_differ_where_all_is_black() -> None:
    pictures = [
        one_bit(proof.page_as_picture(document([EffectLabel("Echo", "Twice.", tier)], STOCK), 1, 203)).tobytes()
        for tier in (YELLOW, RED, UNCOMMON)
    ]
    assert len(set(pictures)) == len(pictures)


def _own(parts: str, *words: str) -> OwnLabel:
    return OwnLabel(designfile.parse_design(parts, "jar", "jar.toml"), words)


@pytest.mark.parametrize("field", ["#FFE08A", "#7A1020", "#FFFFFF", "#8A8F98"])
@pytest.mark.parametrize("letters", ["#FFFFFF", "#000000", "#FFE08A"])
def test_letters_stand_out_from_their_field_whatever_the_colours(field: str, letters: str) -> None:
    parts = f'[[part]]\nfill = "{field}"\nbox = [3, 3, 50, 9]\n[[part]]\ntext = "{{a}}"\ncolour = "{letters}"\n'
    printed = document([_own(f"{parts}box = [5, 4, 40, 7]\n", "", "Plum jam")], stocks.find("5163"))
    check_black(printed)
    assert blurred_letters(printed, 203) == []


def test_letters_half_on_a_field_are_read() -> None:
    parts = '[[part]]\nfill = "#7A1020"\nbox = [3, 3, 15, 9]\n[[part]]\ntext = "{a}"\nbox = [5, 4, 60, 7]\n'
    assert blurred_letters(document([_own(parts, "", "Plum jam of the garden")], stocks.find("5163")), 203) == []


def test_hairlines_have_two_dots_and_a_light_one_is_dotted() -> None:
    stock = stocks.find("5163")
    boxes = "box = [3, 3, 60, 0.05]", "box = [3, 10, 60, 20]\nline = 0.05"
    parts = f'[[part]]\nfill = "#B9BEC6"\n{boxes[0]}\n[[part]]\nframe = "#B9BEC6"\n{boxes[1]}\n'
    printed = document([_own(parts, "", "")], stock)
    check_black(printed)
    die = stock.box(1)
    paper = Paper(printed, 1016)

    def share(top: float) -> float:
        across = paper.part(Box(die.x + 5 * MM, die.top - top * MM - 0.02 * MM, 55 * MM, 0.04 * MM))
        return 1 - ImageStat.Stat(across).mean[0] / 255

    rule = paper.ink(Box(die.x + 20 * MM, die.top - 5 * MM, 2 * MM, 4 * MM))
    assert rule is not None
    assert rule.height >= 2 * DOT - 0.1
    assert share(3.025) == pytest.approx(1, abs=0.02)
    assert 0.2 < share(10.03) < 0.5


def test_a_picture_is_dots_that_keep_its_greys(tmp_path: Path) -> None:
    file = tmp_path / "grey.png"
    Image.linear_gradient("L").save(file)
    printed = document([_own(f'[[part]]\npicture = "{file.as_posix()}"\nbox = [3, 3, 30, 20]\n', str(file))], ROLL)
    check_black(printed)
    paper = Paper(printed, 406)
    paper.image = one_bit(paper.image).convert("L")
    ink = paper.ink(ROLL.box(1))
    assert ink is not None
    side = ink.height / 6
    parts = [Box(ink.x, ink.y + at * side, ink.width, side) for at in (0, 2.5, 5)]
    light, middle, dark = (ImageStat.Stat(paper.part(part)).mean[0] for part in parts)
    assert light > 215 > 160 > middle > 70 > 40 > dark


def test_whole_pages_and_their_charts_are_black() -> None:
    points = tuple(LinePoint(at, (at % 5, 7 - at % 3)) for at in range(12))
    bars = tuple(Bar(name, tuple(range(1, 9))) for name in ("Ada", "Bo"))
    parts = (
        PageTable("Cards", (TableColumn("Card", 1, bold=True), TableColumn("Mark", 3)), (("7♠", "Swift"),), blanks=2),
        PageChart(LineChart("Glory", Axis("fight"), Axis("glory"), ("Ada", "Bo"), points)),
        PageChart(BarChart("Parts", bars)),
        PageChart(BarChart("Groups", bars, tuple("abcdefgh"), is_grouped=True)),
    )
    code = ("DECK:0000000000000", "0000-0000-0000-0")
    printed = page.render_document(
        Document("Grave Choir", "A band", parts, (("Glory", "12"),), code), page.paper("a4"), ink="black"
    )
    check_black(printed)
    assert blurred_letters(printed, 300) == []
    assert read(one_bit(proof.page_as_picture(printed, 1, 203)).convert("L")) == [code[0]]


def test_test_pages_and_die_cuts_are_black() -> None:
    check_black(testpage.render_test_page(STOCK, used=[3], ink="black"))
    check_black(document([SWIFT], STOCK, outlines=True))


@pytest.mark.slow
def test_several_processes_print_the_same_in_black() -> None:
    run = [{position: box_label("Grave", 60 * number + position) for position in range(1, 61)} for number in range(30)]
    setup = pdf.Setup("x", ink="black")
    one = pdf.render_sheets(run, STOCK, setup)
    assert pdf.render_sheets(run, STOCK, setup, cores=2) == one


def test_what_is_enlarged_or_moved_knows_what_lies_below() -> None:
    def draw(ink: Ink) -> None:
        ink.fill(Box(10, 10, 100, 40), "#7A1020")
        with ink.enlarge(Box(12, 12, 60, 30), 2) as inner, ink.move(1, 1):
            ink.text(inner.x, inner.y + 2, "Plum", "bold", 8, "#7A1020")

    printed = pdf.render_pages([draw], (120, 60), "x", ink="black")
    check_black(printed)
    assert blurred_letters(printed, 203) == []
