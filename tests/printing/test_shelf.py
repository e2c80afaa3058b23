"""The shelf of designs: each fits on its labels with what people write on them, is legible, and its codes are read."""

from collections.abc import Iterator, Mapping
from typing import Final

import pypdfium2
import pytest
from PIL import ImageStat

from companion.printing import custom, designs, shelf
from companion.printing.run import find_stock
from companion.printing.shelf import SampleTable
from companion.printing.spreadsheets.tables import TypedRows
from labels.designs.own import Design, Specimen
from labels.designs.parts import CodePart
from labels.geometry import Box
from labels.output import pdf
from labels.paper import sheet
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from tests.labels.paper import Paper, one_bit, read_all, smallest, strays

BUNDLED: Final = tuple(entry for entry in designs.list_designs() if not entry.own)
DESIGNS: Final = {entry.name: entry.design for entry in BUNDLED if entry.design is not None and entry.design.stock}
USES: Final = sorted(name for name in DESIGNS if f"{name}-round" in DESIGNS)
LONG: Final = "Grandmother’s slow-cooked orchard plums with cinnamon, 1st jar"
SIZES: Final = {
    **dict.fromkeys(("name", "text", "ingredients", "contents", "contains", "street", "care", "menu"), 60),
    **dict.fromkeys(("role", "detail", "place"), 40),
    "latin": 32,
}
"""How long the texts of a column plausibly are, in letters."""
SHORT_NAMES: Final = ("cable", "inscription")
"""Small labels whose names are short."""
SHEET_DPI: Final = 300
LEAST_SIZE: Final = 5.0
OPEN_LETTERS: Final = frozenset("abcdeghkmnopqrsuvwxyzABCDEGHKMNOPQRSUVWXYZ02345689")
"""Letters whose boxes have ink and paper in any typeface."""
LEAST_SHARE: Final = 0.05
LEAST_WIDTH: Final = 1.0
"""Letters narrower than this, in points, are the words over a bar code that can be selected but are not seen."""


def sample_of(design: Design) -> SampleTable:
    sample = shelf.find_sample(design)
    assert sample is not None, f"{design.name} has no sample"
    return sample


def label_of(design: Design, row: Mapping[str, str], stock: Stock) -> Label:
    sample = sample_of(design)
    return custom.own_labels(TypedRows([row], sample.columns), sample.folder, design=design, stock=stock)[0]


def shapes_of(use: str) -> Iterator[tuple[Design, Stock]]:
    for name in (use, f"{use}-round", f"{use}-roll"):
        yield DESIGNS[name], find_stock(DESIGNS[name].stock)


def long_rows(use: str, design: Design, sample: SampleTable) -> Iterator[Mapping[str, str]]:
    for column, size in SIZES.items():
        if column in design.columns:
            letters = 24 if (use in SHORT_NAMES and column == "name") or use == "cable" else size
            yield {**sample.rows[0], column: LONG[:letters].strip()}


def test_the_shelf_has_every_design_once() -> None:
    names = [entry.name for group in shelf.list_shelf() for entry in group.entries if not entry.own]
    assert sorted(names) == sorted(entry.name for entry in BUNDLED)
    assert len(USES) >= 12


@pytest.mark.parametrize("use", USES)
def test_each_use_has_a_design_for_every_shape(use: str) -> None:
    assert [shelf.find_shape(design) for design, _ in shapes_of(use)] == list(shelf.SHAPE_TITLES)


@pytest.mark.parametrize("name", DESIGNS)
def test_a_design_fits_with_its_sample_with_gaps_and_with_long_texts(name: str) -> None:
    design, stock = DESIGNS[name], find_stock(DESIGNS[name].stock)
    Specimen(design).check(stock)
    sample = sample_of(design)
    gaps = [{**sample.rows[0], column: ""} for column in sample.columns if column != "name"]
    use = name.removesuffix("-round").removesuffix("-roll")
    for row in (*sample.rows, *gaps, {"name": "Ana"}, *long_rows(use, design, sample)):
        label_of(design, row, stock)


@pytest.mark.parametrize("use", USES)
def test_a_design_is_legible_and_read_in_one_bit(use: str) -> None:
    for design, stock in shapes_of(use):
        rows = sample_of(design).rows
        for row in rows[:2]:
            document = render(design, row, stock)
            paper = Paper(document, stock.dpi or SHEET_DPI)
            assert smallest(document) >= LEAST_SIZE
            codes = [part.fill(row) for part in design.parts if isinstance(part, CodePart)]
            if codes != [""] * len(codes):
                assert [text for _, text, _ in read_all(one_bit(paper.part(stock.box(1))))] == codes


@pytest.mark.parametrize("name", DESIGNS)
def test_no_letter_vanishes_in_black(name: str) -> None:
    design, stock = DESIGNS[name], find_stock(DESIGNS[name].stock)
    for row in sample_of(design).rows[:2]:
        document = render(design, row, stock)
        paper = Paper(document, stock.dpi or SHEET_DPI)
        letters = list(letter_boxes(document))
        assert letters
        assert [letter for letter, box in letters if ink_share(paper, box) < LEAST_SHARE] == []
        assert [letter for letter, box in letters if ink_share(paper, box) > 1 - LEAST_SHARE] == []


def letter_boxes(document: bytes) -> Iterator[tuple[str, Box]]:
    """The letters of the first page that have ink and paper, with the boxes of their outlines."""
    with pypdfium2.PdfDocument(document) as opened:
        words = opened[0].get_textpage()
        for number in range(words.count_chars()):
            left, bottom, right, top = words.get_charbox(number)
            letter = words.get_text_range(number, 1)
            if letter in OPEN_LETTERS and right - left >= LEAST_WIDTH:
                yield letter, Box(left, bottom, right - left, top - bottom)


def ink_share(paper: Paper, box: Box) -> float:
    """The share of a box that is black on paper of one bit."""
    return 1 - ImageStat.Stat(one_bit(paper.part(box)).convert("L")).mean[0] / 255


@pytest.mark.parametrize("use", USES)
def test_a_design_stays_on_its_label(use: str) -> None:
    for design, stock in shapes_of(use):
        if not stock.roll:
            assert strays(Paper(render(design, sample_of(design).rows[1], stock), 100), stock, 0) is None


def render(design: Design, row: Mapping[str, str], stock: Stock) -> bytes:
    """Print a label in one bit at the first position."""
    label = label_of(design, row, stock)
    return pdf.render_sheets(sheet.place_labels([label], stock), stock, pdf.Setup("Shelf", ink="black"))


def test_a_new_text_stands_in_the_middle_of_a_round_label() -> None:
    for stock, aligned in (("22807", True), ("5160", False)):
        text = shelf.new_design_text("Jam", find_stock(stock))
        assert ('align = "centre"' in text) is aligned
