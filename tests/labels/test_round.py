"""Round and oval labels: lines as wide as the shape, fields that end at its edge, rings, and codes inside."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageChops

from labels import designfile, equal_sizes
from labels.designs.own import Design, OwnLabel
from labels.designs.plain import Plain
from labels.drawing.null_ink import NullInk
from labels.geometry import MM, SAFE_MARGIN, Box
from labels.output import pdf
from labels.paper import stocks
from labels.paper.die import Die, InnerBox
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting
from tests.labels.paper import Paper
from tests.labels.test_die import clearance

ROUND = ("L7780", "4358", "8983", "C2244", "DK-11218")
"""Circles and ovals of several sizes, and one whose printer does not reach the edge."""
ROW = {
    "name": "Erdbeer-Rhabarber",
    "ingredients": "Erdbeeren, Rhabarber, Gelierzucker, Zitronensaft",
    "date": "12.06.2026",
}
JAM = """
[[part]]
text = "{name}"
role = "title"
size = [6, 40]
align = "centre bottom"
box = [0, 0, "100 %", "45 %"]

[[part]]
text = "{ingredients}"
align = "centre top"
box = [0, "50 %", "100 %", "50 %"]
"""


def design(content: str) -> Design:
    return designfile.parse_design(content, "lid", "lid.toml")


def own_label(content: str) -> OwnLabel:
    parsed = design(content)
    return OwnLabel(parsed, tuple(part.fill(ROW) for part in parsed.parts))


class LineRecorder(NullInk):
    """Notes where lines of text are drawn, and how large."""

    def __init__(self) -> None:
        self.corners: list[tuple[float, float]] = []
        self.sizes: list[float] = []

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = "", centred: float = 0.0) -> None:  # noqa: ARG002
        (line,) = setting.lines
        width = fonts.measure(line, setting.weight, setting.size)
        left = x + (centred - width) / 2 if centred else x
        self.sizes.append(setting.size)
        for y in (top, top - setting.ascent - setting.descent):
            self.corners += [(left, y), (left + width, y)]

    def text(self, *arguments: object) -> None:
        raise AssertionError(f"no text of these labels is drawn so: {arguments}")


def record_lines(label: Label, stock: Stock) -> LineRecorder:
    ink, cut, room = LineRecorder(), stock.box(1), stock.room(1)
    label.draw(ink, room.translate(-cut.x, -cut.y))
    return ink


LABELS: tuple[Label, ...] = (
    own_label(JAM),
    Plain("Basil", "dried, from the balcony"),
    Plain("Küsten-Nebelkrähen-Bruderschaft", "Nobody can Foil it."),
    Plain("Salt"),
)


@pytest.mark.parametrize("name", ROUND)
def test_text_keeps_its_distance_to_a_round_edge(name: str) -> None:
    stock = stocks.find(name)
    for label in LABELS:
        corners = record_lines(label, stock).corners
        assert corners
        assert min(clearance(stock.die, x, y) for x, y in corners) >= SAFE_MARGIN - 0.02 * MM
        assert min(min(x - stock.margin_x * MM, y - stock.margin_y * MM) for x, y in corners) >= -0.02 * MM


def largest_inside(label: Label, stock: Stock) -> float:
    """The size of the smallest text in the square inside a round label, as `equal_sizes` sees it; 0 where none fits."""
    room = stock.room(1)
    return min(equal_sizes._sizes(label, Box(0, 0, room.width, room.height)).values(), default=0.0)


@pytest.mark.parametrize("label", [label for label in LABELS if isinstance(label, Plain) and label.text])
def test_text_is_larger_than_in_the_square_inside(label: Label) -> None:
    stock = stocks.find("L7780")
    assert min(record_lines(label, stock).sizes) > largest_inside(label, stock)


def test_a_lid_of_40_mm_has_readable_type() -> None:
    label = Plain("Strawberry and rhubarb", "Strawberries, rhubarb, sugar, lemon juice, vanilla. Cooked in June 2026.")
    assert min(record_lines(label, stocks.find("L7780")).sizes) >= 8


@given(st.floats(15, 120), st.floats(15, 120), st.floats(0.05, 0.95), st.floats(1, 4))
def test_a_span_ends_where_the_margin_begins(width: float, height: float, share: float, margin: float) -> None:
    die = Die("ellipse", width * MM, height * MM, 0)
    room = die.room(0, 0)
    assert isinstance(room, InnerBox)
    y = share * die.height
    left, right = room.span(margin * MM, y, y)
    if right > left:
        assert left + right == pytest.approx(die.width)
        nearest = clearance(die, right, y)
        assert nearest >= margin * MM - 0.02 * MM


def around(die: Die, margin: float) -> list[tuple[float, float]]:
    """Points so far inside the edge of an ellipse, from its bottom left."""
    a, b = die.width / 2, die.height / 2
    turns = (math.tau * step / 60 for step in range(60))
    return [(a + (a - margin) * math.cos(turn), b + (b - margin) * math.sin(turn)) for turn in turns]


def darkness(label: Label, stock: Stock, margin: float) -> list[int]:
    """Return how dark a printed label is along a line so far inside its edge, from 0 for white."""
    page = pdf.render_sheets([{1: label}], stock, pdf.Setup("Lids"))
    paper, cut = Paper(page, 600), stock.box(1)
    image = paper.image.convert("L").load()
    assert image is not None
    points = ((cut.x + x, paper.height - cut.y - y) for x, y in around(stock.die, margin))
    return [255 - int(image[int(x * paper.across), int(down * paper.down)]) for x, down in points]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["L7780", "4358", "C2244"])
def test_a_field_with_bleed_ends_at_the_edge(name: str) -> None:
    label, stock = own_label('[[part]]\nfill = "#000000"\nbleed = true\n'), stocks.find(name)
    assert min(darkness(label, stock, 0.1 * MM)) > 200
    assert max(darkness(label, stock, -0.15 * MM)) < 50


def test_a_field_without_bleed_keeps_the_margin() -> None:
    label, stock = own_label('[[part]]\nfill = "#000000"\n'), stocks.find("L7780")
    assert max(darkness(label, stock, 1.4 * MM)) < 50
    assert min(darkness(label, stock, 1.6 * MM)) > 200


def test_a_stripe_with_bleed_is_cut_by_the_shape() -> None:
    label = own_label('[[part]]\nfill = "#000000"\nbleed = true\nbox = [0, 0, "100 %", "50 %"]\n')
    dark = darkness(label, stocks.find("L7780"), 0.1 * MM)
    assert (min(dark[1:29]), max(dark[32:58])) > (200, 0)
    assert max(dark[32:58]) < 50


@pytest.mark.parametrize("name", ["L7780", "4358", "C2244"])
def test_a_frame_around_all_is_a_ring(name: str) -> None:
    label, stock = own_label('[[part]]\nframe = "#000000"\nline = 0.6\n'), stocks.find(name)
    assert min(darkness(label, stock, SAFE_MARGIN + 0.3 * MM)) > 200
    assert max(darkness(label, stock, SAFE_MARGIN + 0.9 * MM)) < 50
    assert max(darkness(label, stock, SAFE_MARGIN - 0.3 * MM)) < 50


def test_text_stays_clear_of_a_ring() -> None:
    ring = '[[part]]\nframe = "#000000"\nline = 0.6\n'
    stock = stocks.find("L7780")
    corners = record_lines(own_label(ring + JAM), stock).corners
    assert min(clearance(stock.die, x, y) for x, y in corners) >= SAFE_MARGIN + 0.9 * MM


def test_a_code_keeps_to_the_square_inside() -> None:
    label, stock = (
        own_label('area = "label"\n[[part]]\ncode = "JAR 7"\n[[part]]\nframe = "#000000"\n'),
        stocks.find("L7780"),
    )
    (code, ring) = label.design.rooms(stock.room(1))
    inside = stock.room(1).inset(SAFE_MARGIN)
    assert (code.x, code.right, code.y) == pytest.approx((inside.x, inside.right, inside.y))
    assert ring.width > code.width
    assert Paper(pdf.render_sheets([{1: label}], stock, pdf.Setup("Lids")), 300).codes(stock.box(1)) == ["JAR 7"]


@pytest.mark.parametrize(
    ("content", "spans"),
    [
        ('[[part]]\ntext = "{name}"\n', True),
        ('[[part]]\ntext = "{name}"\nbox = [0, 0, 20, "50 %"]\n', False),
        ('[[part]]\ncode = "7"\nbox = [0, "60 %", "100 %", "40 %"]\n', False),
        ('area = "label"\n[[part]]\ntext = "{name}"\nbox = [10, 10, 20, 20]\n', True),
        ('area = "inside"\n[[part]]\ntext = "{name}"\n', False),
    ],
)
def test_designs_with_lengths_stay_in_the_square_they_were_made_for(content: str, spans: bool) -> None:
    assert design(content).spans_round is spans


def test_a_label_that_occurs_again_is_the_same() -> None:
    label, stock = own_label('[[part]]\nfill = "#FFEE99"\nbleed = true\n' + JAM), stocks.find("L7780")
    once = Paper(pdf.render_sheets([{1: label}], stock, pdf.Setup("Lids")), 150)
    twice = Paper(pdf.render_sheets([{1: label, 6: label}], stock, pdf.Setup("Lids")), 150)
    difference = ImageChops.difference(once.part(stock.box(1)), twice.part(stock.box(1)))
    assert difference.getextrema()[1] < 40  # type: ignore[operator]
