"""Dies of every shape: nothing is drawn nearer to an edge or a hole than may be, whatever the label."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from labels.designs import BlankLabel, Plain
from labels.errors import LabelError
from labels.geometry import MM, SAFE_MARGIN, Box
from labels.output import pdf, testpage
from labels.paper import sheet, stocks
from labels.paper.die import Die
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from tests.labels.paper import DARK, Paper, text_in
from tests.labels.samples import ECHO, LONGEST, LONGEST_CODED, SWIFT

_TOLERANCE = 0.02 * MM
_SLIGHT = (2 + math.sqrt(2)) * SAFE_MARGIN
"""The largest radius whose corner holds that of a box inside the safe margin: 5.12 mm."""

DIES = {(stock.die, stock.room(1)): stock for stock in reversed(stocks.valid_stocks())}
"""A stock for each die that comes along."""


def clearance(die: Die, x: float, y: float) -> float:
    """How far a point, from the die's bottom left, lies inside its edge and outside its hole; negative beyond them."""
    right, up = abs(x - die.width / 2), abs(y - die.height / 2)
    a, b = die.width / 2, die.height / 2
    if die.shape == "ellipse":
        turns = [math.pi / 2 * step / 720 for step in range(721)]
        edge = min(math.dist((right, up), (a * math.cos(turn), b * math.sin(turn))) for turn in turns)
        if (right / a) ** 2 + (up / b) ** 2 > 1:
            edge = -edge
    else:
        edge = min(a - right, b - up)
        into = (right - (a - die.radius), up - (b - die.radius))
        if min(into) > 0:
            edge = min(edge, die.radius - math.hypot(*into))
    return min(edge, math.hypot(right, up) - die.hole / 2) if die.hole else edge


def least_clearance(die: Die) -> float:
    """What ink keeps at least: where corners are slightly round, it only stays inside them."""
    slight = die.shape == "rectangle" and SAFE_MARGIN < die.radius <= _SLIGHT
    return 0.0 if slight else SAFE_MARGIN


def edge_points(box: Box) -> list[tuple[float, float]]:
    shares = [step / 8 for step in range(9)]
    return [(box.x + u * box.width, box.y + v * box.height) for u in shares for v in shares if {u, v} & {0, 1}]


lengths = st.floats(8, 200).map(lambda length: length * MM)


@given(st.sampled_from(["rectangle", "ellipse"]), lengths, lengths, st.floats(0, 0.5), st.floats(0, 0.5))
def test_what_is_drawn_keeps_its_distance_in_any_die(
    shape: Any, width: float, height: float, rounding: float, holed: float
) -> None:
    least = min(width, height)
    die = Die(shape, width, height, rounding * least if shape == "rectangle" else 0.0, holed * least)
    ink = die.room(0, 0).inset(SAFE_MARGIN)
    if min(ink.width, ink.height) <= 0:
        return
    assert min(clearance(die, x, y) for x, y in edge_points(ink)) >= least_clearance(die) - _TOLERANCE
    # The edges are as far away as ever.
    assert min(ink.x, ink.y, width - ink.right, height - ink.top) >= SAFE_MARGIN - _TOLERANCE


@given(lengths, lengths, st.floats(0, 5.1))
def test_a_slight_corner_takes_no_room(width: float, height: float, radius: float) -> None:
    die = Die("rectangle", width, height, min(radius * MM, width / 2, height / 2))
    assert die.room(0, 0) == Box(0, 0, width, height)


@given(st.floats(11, 200).map(lambda length: length * MM))
def test_a_circle_is_the_same_as_an_ellipse_or_by_its_radius(side: float) -> None:
    one, other = (die.room(0, 0) for die in (Die("ellipse", side, side, 0), Die("rectangle", side, side, side / 2)))
    for part in ("x", "y", "width", "height"):
        assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-6)
    # The largest square in a circle.
    assert one.width - 2 * SAFE_MARGIN == pytest.approx((side - 2 * SAFE_MARGIN) / math.sqrt(2), abs=1e-6)


def test_the_usual_stocks_lose_nothing_to_their_corners() -> None:
    for name in ("18294", "5160", "5163", "5167", "22805", "22806", "94102", "L7160", "L7651", "L4731REV"):
        stock = stocks.find(name)
        assert stock.room(stock.count) == stock.box(stock.count)


def test_below_a_hole_or_beside_it_lies_the_larger_room() -> None:
    disc = Die("ellipse", 117 * MM, 117 * MM, 0, 41 * MM).room(0, 0)
    assert disc.inset(SAFE_MARGIN).top <= (117 - 41) / 2 * MM - SAFE_MARGIN + 1e-6
    assert disc.width > disc.height
    tag = Die("rectangle", 60 * MM, 20 * MM, 2 * MM, 8 * MM).room(0, 0)
    assert tag.inset(SAFE_MARGIN).x >= (60 + 8) / 2 * MM + SAFE_MARGIN - 1e-6


def allowed_area(die: Die, paper: Paper) -> Image.Image:
    """Where ink may be on a page that is the die, with a pixel's grace: white on black."""
    margin = least_clearance(die) - 1.5 / paper.across
    corner = max(0.0, die.radius - margin)
    area = Image.new("L", paper.image.size)
    drawing = ImageDraw.Draw(area)
    if die.shape == "ellipse":
        a, b = die.width / 2, die.height / 2
        turns = [(math.cos(turn), math.sin(turn)) for turn in (math.tau * step / 720 for step in range(720))]
        normals = [margin / math.hypot(b * x, a * y) for x, y in turns]
        edge = [(a + (a - b * n) * x, b + (b - a * n) * y) for (x, y), n in zip(turns, normals, strict=True)]
        drawing.polygon([(x * paper.across, y * paper.down) for x, y in edge], fill=255)
    else:
        left, top, right, foot = paper.pixels(Box(0, 0, die.width, die.height).inset(margin))
        drawing.rounded_rectangle((left, top, right - 1, foot - 1), corner * paper.across, fill=255)
    if die.hole:
        reach = die.hole / 2 + margin
        hole = Box(die.width / 2 - reach, die.height / 2 - reach, 2 * reach, 2 * reach)
        drawing.ellipse(paper.pixels(hole), fill=0)
    return area


def ink_outside(label: Label, stock: Stock) -> tuple[int, int, int, int] | None:
    """Where a label's ink is that may not be there, in pixels; None where there is none, or the label is refused."""
    cut, room = stock.box(1), stock.room(1)
    inside = Box(room.x - cut.x, room.y - cut.y, room.width, room.height)
    try:
        document = pdf.render_pages([lambda ink: label.draw(ink, inside)], (cut.width, cut.height), "x")
    except LabelError:
        return None
    paper = Paper(document, 200)
    ink = paper.image.point(lambda grey: 255 if grey < DARK else 0)
    return ImageChops.darker(ink, ImageChops.invert(allowed_area(stock.die, paper))).getbbox()


LABELS: list[Any] = [SWIFT, ECHO, *LONGEST, *LONGEST_CODED]
SOME = ("22807", "4358", "4471", "L6043", "5395", "5163", "DK-11219", "C2244", "8983", "30253", "4x6in", "L4785")


@pytest.mark.parametrize("name", SOME)
def test_no_design_leaves_a_die_of_any_shape(name: str) -> None:
    stock = stocks.find(name)
    assert [(label.title, ink_outside(label, stock)) for label in LABELS if ink_outside(label, stock)] == []


@pytest.mark.sample(8)
@pytest.mark.slow
@pytest.mark.parametrize("stock", DIES.values(), ids=lambda stock: stock.name)
def test_no_design_leaves_the_die_of_any_stock(stock: Stock) -> None:
    assert [(label.title, ink_outside(label, stock)) for label in LABELS if ink_outside(label, stock)] == []


def test_something_fits_every_stock() -> None:
    for stock in DIES.values():
        pdf.render_sheets([{1: Plain("Ana")}], stock, pdf.Setup("x"))


def test_an_outline_is_the_true_shape_with_its_hole() -> None:
    stock = stocks.find("4471")
    paper = Paper(pdf.render_sheets([{1: BlankLabel()}], stock, pdf.Setup("x", outlines=True)), 150)
    cut = stock.box(1)
    hole = 41 * MM
    for reach in (cut.width / 2, hole / 2):
        # The line is there level with the middle, and nothing is at the corner of the box around it.
        x = cut.x + cut.width / 2 + reach
        assert paper.upright(x, cut.y + cut.height / 2, 1.5) == pytest.approx(x, abs=0.3)
    assert paper.ink(Box(cut.x, cut.top - 10, 10, 10)) is None


def test_a_number_of_the_test_page_stands_on_its_label() -> None:
    stock = stocks.find("22807")
    document = testpage.render_test_page(stock)
    for position in (1, 6, 12):
        assert str(position) in text_in(document, stock.room(position)).split()


def test_labels_side_by_side_on_a_roll_share_a_page() -> None:
    stock = stocks.find("30253")
    labels = [Plain("Ana"), Plain("Ben"), Plain("Cleo")]
    run = sheet.impose(labels, stock)
    document = pdf.render_sheets(run.pages, stock, pdf.Setup("x"))
    assert [text_in(document, stock.box(at)) for at in (1, 2)] == ["Ana", "Ben"]
    assert text_in(document, stock.box(1), page=1) == "Cleo"
    assert stock.page_size == pytest.approx((88.9 * MM, 58.67 * MM))
    assert [line.split()[-1] for line in sheet.describe_plan(run)][1:] == ["Ana", "Ben", "Cleo"]
