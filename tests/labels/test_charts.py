"""Charts: whatever the figures and names are, all texts are there, in the box, and none lies on another."""

import math
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import TypeVar

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.graphics.shapes import Drawing, String

from labels.drawing.chart_sketch import SHADES
from labels.drawing.ink import Ink
from labels.geometry import Box
from labels.output import chart_drawing, pdf
from labels.output.charts import (
    Axis,
    Bar,
    BarChart,
    Chart,
    ChartSection,
    Interval,
    IntervalChart,
    IntervalRow,
    LineChart,
    LinePoint,
    describe,
    number_text,
)
from labels.typesetting import fonts
from tests.examples import examples
from tests.labels.paper import Paper, aloud

T = TypeVar("T")
WIDTH = 400.0
SHARE = Axis("of all dungeons", is_share=True, low=0.0, high=1.0)
LONG = "Grave Choir of the Seventeen Sunken Bells and the Unpaid Tithe, in its third age"

WINS = IntervalChart(
    "Wins",
    SHARE,
    (
        IntervalRow("Dungeons won", (Interval(0.412, 0.402, 0.422), Interval(0.489, 0.479, 0.499)), "41.2 / 48.9 %"),
        IntervalRow(LONG, (Interval(0.0, 0.0, 0.01), None), "0.0 %"),
    ),
    ("pressure=3", "as printed"),
)


class Text:
    """A text of a drawing, and the box that its capitals fill."""

    def __init__(self, shape: String) -> None:
        weight: fonts.Weight = "bold" if shape.fontName.endswith("bold") else "regular"
        self.text: str = shape.text
        self.left: float = shape.x
        self.right: float = shape.x + fonts.measure(shape.text, weight, shape.fontSize)
        self.low: float = shape.y
        self.high: float = shape.y + 0.69 * shape.fontSize

    def lies_on(self, other: "Text") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0.01 and min(self.high, other.high) - max(self.low, other.low) > 0.01


def texts(drawing: Drawing) -> list[Text]:
    return [Text(shape) for shape in drawing.contents if isinstance(shape, String)]


def corners(drawing: Drawing) -> Iterator[tuple[float, float]]:
    for shape in drawing.contents:
        if not isinstance(shape, String):
            left, low, right, high = shape.getBounds()
            yield from ((left, low), (right, high))


def check(chart: Chart, width: float = WIDTH) -> Drawing:
    """Everything lies inside of the drawing, and no text on another."""
    drawing = chart_drawing.draw(chart, width)
    written = texts(drawing)
    assert drawing.width == width
    for text in written:
        assert text.left >= -0.01, text.text
        assert text.right <= width + 0.01, text.text
        assert text.low >= -2.5, text.text
        assert text.high <= drawing.height + 0.01, text.text
    for one, other in combinations(written, 2):
        assert not one.lies_on(other), (one.text, other.text)
    for x, y in corners(drawing):
        assert math.isfinite(x), "a place is no number"
        assert math.isfinite(y), "a place is no number"
        assert -1.5 <= x <= width + 1.5
        assert -1.5 <= y <= drawing.height + 1.5
    return drawing


def words(chart: Chart) -> list[str]:
    return [text.text for text in texts(check(chart))]


def page(chart: Chart, width: float = WIDTH) -> bytes:
    """The chart on a page of its own, with a margin of 20 points."""
    height = chart_drawing.draw(chart, width).height + 40

    def draw(ink: Ink) -> None:
        chart_drawing.place(ink, Box(20, 20, width, height - 40), chart)

    return pdf.render_pages([draw], (width + 40, height), "A chart")


def text_of(document: bytes) -> str:
    with pypdfium2.PdfDocument(document) as opened:
        return " ".join(opened[0].get_textpage().get_text_range().split())


def test_a_page_has_the_names_figures_and_key_of_a_chart() -> None:
    text = text_of(page(WINS))
    for expected in ("Dungeons won", "41.2 / 48.9 %", "pressure=3", "as printed", "0 %", "100 %", "of all dungeons"):
        assert expected in text
    for word in LONG.split():
        assert word in text


def test_a_chart_is_read_aloud_as_a_figure_with_all_it_shows() -> None:
    ((tag, spoken),) = aloud(page(WINS))
    assert tag == "Figure"
    assert spoken == f"Wins. Dungeons won: 41.2 / 48.9 %. {LONG}: 0.0 %."


def test_only_our_own_type_is_in_the_file() -> None:
    document = page(WINS)
    assert b"FiraGO" in document
    for foreign in (b"Times", b"Helvetica"):
        assert foreign not in document


def test_a_dot_stands_where_its_figure_is_on_the_scale() -> None:
    rows = tuple(IntervalRow(str(number), (Interval(number / 4, number / 4, number / 4),)) for number in range(5))
    chart = IntervalChart("", Axis("", is_share=True, low=0.0, high=1.0), rows)
    drawing = check(chart)
    paper = Paper(page(chart), 300)
    ticks = {text.text: (text.left + text.right) / 2 for text in texts(drawing)}
    for number in range(5):
        y = 20 + drawing.height - 13 * (number + 0.5)
        mark = paper.ink(Box(20 + ticks[f"{25 * number} %"] - 4 if number % 4 == 0 else 40, y - 2.8, 9999, 5.6))
        assert mark is not None
    left, right = ticks["0 %"], ticks["100 %"]
    half = paper.ink(Box(20 + left + (right - left) / 2 - 6, 20 + drawing.height - 13 * 2.5 - 3.6, 12, 7.2))
    assert half is not None
    assert half.x + half.width / 2 == pytest.approx(20 + (left + right) / 2, abs=0.4)


def test_the_parts_of_a_bar_differ_in_grey() -> None:
    greys = [sum(w * int(c[at : at + 2], 16) for w, at in ((0.3, 1), (0.59, 3), (0.11, 5))) for c in SHADES]
    assert all(lighter - darker > 20 for darker, lighter in pairwise(greys))


def test_lines_differ_in_their_marks() -> None:
    drawing = check(LineChart("", Axis(), Axis(), ("a", "b", "c"), (LinePoint(0, (1, 2, 3)), LinePoint(1, (2, 3, 4)))))
    shapes = [shape for shape in drawing.contents if type(shape).__name__ in ("Circle", "Polygon")]
    # Without their colours: the shape, its corners, and whether it is hollow.
    marks = {(len(getattr(shape, "points", ())), shape.fillColor.hexval() == "0xffffff") for shape in shapes}
    assert len(marks) == len("abc")


def test_an_end_that_is_not_known_reaches_to_the_edge_without_a_cap() -> None:
    row = IntervalRow("x", (Interval(1.0, -math.inf, math.inf),))
    drawing = check(IntervalChart("", Axis(low=0.0, high=2.0), (row,)))
    level = [line for line in drawing.contents if type(line).__name__ == "Line" and line.y1 == line.y2]
    assert len(level) == 1
    ticks = {text.text: (text.left + text.right) / 2 for text in texts(drawing)}
    assert (level[0].x1, level[0].x2) == (pytest.approx(ticks["0"]), pytest.approx(ticks["2"]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (-0.25, "−0.250"),
        (12.5, "12.5"),
        (3.2e12, "3.20 × 10¹²"),
        (3e-7, "3.00 × 10⁻⁷"),
        (-0.0, "0"),
    ],
)
def test_figures_are_written_as_everywhere(value: float, text: str) -> None:
    assert number_text(value) == text


def test_shares_are_written_in_per_cent() -> None:
    assert number_text(0.412, 1, is_share=True) == "41.2 %"


def test_there_is_a_chart_of_nothing_of_one_and_of_what_is_all_the_same() -> None:
    assert words(IntervalChart("", SHARE, ())) == ["No figures yet."]
    assert words(LineChart("", Axis(), Axis(), ("a",), (LinePoint(1, (None,)),))) == ["No figures yet."]
    assert "5 Ana" in words(LineChart("", Axis("turn"), Axis(), ("Ana",), (LinePoint(1, (5,)),)))
    same = tuple(LinePoint(at, (7, 7)) for at in range(3))
    assert {"7 Ana", "7 Ben"} < set(words(LineChart("", Axis(), Axis(), ("Ana", "Ben"), same)))
    assert {"Ana", "Ben"} < set(words(BarChart("", (Bar("Ana", (0,)), Bar("Ben", (0,))), axis=Axis("c"))))


def test_whole_numbers_have_whole_ticks() -> None:
    chart = LineChart("", Axis("round"), Axis("HP"), ("Boss",), tuple(LinePoint(at, (at,)) for at in range(3)))
    assert [word for word in words(chart) if word.replace(".", "").isdigit()] == ["0", "1", "2", "0", "1", "2"]


def test_a_gap_in_a_line_stays_a_gap() -> None:
    values = (3, 2, None, 5, 4)
    points = tuple(LinePoint(at, (value,)) for at, value in enumerate(values))
    drawing = check(
        LineChart("", Axis(), Axis(), ("Boss",), points, (ChartSection(0, "First"), ChartSection(3, "Second")))
    )
    lines = [shape for shape in drawing.contents if type(shape).__name__ == "PolyLine"]
    assert [len(line.points) // 2 for line in lines] == [2, 2]
    assert {"First", "Second"} < {text.text for text in texts(drawing)}


def test_many_rows_are_split_and_keep_one_scale() -> None:
    rows = tuple(IntervalRow(f"row {number}", (Interval(number, number - 1, number + 1),)) for number in range(100))
    parts = chart_drawing.split(IntervalChart("", Axis("c"), rows), WIDTH, 300)
    assert tuple(row for part in parts for row in part.rows) == rows
    assert all(check(part).height <= 300 for part in parts)
    assert len({(part.axis.low, part.axis.high) for part in parts}) == 1


def test_svg_has_its_title_and_every_chart_in_words() -> None:
    svg = chart_drawing.as_svg([WINS, WINS], "Rehearsed <once>", "Seed 0")
    assert svg.count("<title>Rehearsed &lt;once&gt;</title>") == 1
    assert svg.count("Dungeons won: 41.2 / 48.9 %") == 2
    assert "font-family" not in svg


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60) | st.just(LONG)
values = st.floats(-1e12, 1e12) | st.integers(-50, 50).map(float) | st.floats(-1e-6, 1e-6) | st.sampled_from([0.0, 1e9])
widths = st.floats(160, 560)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    value = draw(values)
    ends = draw(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)) | st.just((math.inf, math.inf)))
    return Interval(value, value - ends[0], value + ends[1])


def _one_each(of: st.SearchStrategy[T], keys: tuple[str, ...]) -> st.SearchStrategy[list[T]]:
    return st.lists(of, min_size=len(keys), max_size=len(keys))


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    keys = tuple(draw(st.lists(names, min_size=1, max_size=9)))
    kind = draw(st.sampled_from(("intervals", "bars", "lines")))
    axis = Axis(draw(names), is_share=draw(st.booleans()))
    if kind == "intervals":
        some = st.tuples(names, _one_each(st.none() | intervals(), keys), names)
        rows = tuple(IntervalRow(name, tuple(of), note) for name, of, note in draw(st.lists(some, max_size=12)))
        return IntervalChart("", axis, rows, keys, draw(st.none() | values))
    if kind == "bars":
        parts = st.tuples(names, _one_each(values, keys), names)
        bars = tuple(Bar(name, tuple(of), note) for name, of, note in draw(st.lists(parts, max_size=12)))
        return BarChart("", bars, keys, draw(st.none() | st.just(axis)), draw(st.booleans()))
    at = st.tuples(st.integers(0, 30), _one_each(st.none() | values, keys))
    points = tuple(LinePoint(place, tuple(of)) for place, of in draw(st.lists(at, max_size=30)))
    sections = tuple(
        ChartSection(place, name) for place, name in draw(st.lists(st.tuples(st.integers(0, 30), names), max_size=5))
    )
    return LineChart("", Axis(draw(names)), axis, keys, points, sections)


@settings(max_examples=examples(200))
@given(charts(), widths)
def test_nothing_leaves_its_box_or_lies_on_another_text(chart: Chart, width: float) -> None:
    check(chart, width)
    assert describe(chart)


@settings(max_examples=examples(20))
@given(charts())
def test_ink_stays_in_the_box(chart: Chart) -> None:
    paper = Paper(page(chart), 60)
    height = paper.height
    ink = paper.ink(Box(0, 0, WIDTH + 40, height))
    if ink is not None:
        assert ink.x >= 18
        assert ink.right <= WIDTH + 22
        assert ink.y >= 16
        assert ink.top <= height - 18
