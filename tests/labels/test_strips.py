"""Labels to count on: every box on every stock large enough to be read and marked, or the label refused by name."""

import pytest

from labels.designs import StripLabel
from labels.errors import LabelError
from labels.geometry import Box
from labels.output import pdf
from labels.paper import stocks
from labels.paper.stocks import Stock
from tests.labels.paper import SHEETS, Paper, printed, smallest, text_in
from tests.labels.samples import DAMAGE, TENS_AND_ONES

STOCK = stocks.find("18294")
ALL = [pytest.param(stock, id=stock.name) for stock in SHEETS]
TOO_SMALL = {("L4731REV", "Damage"), ("L4731REV", "Life"), ("94102", "Life")}
STRIPS = [pytest.param(strip, id=strip.title) for strip in (DAMAGE, TENS_AND_ONES)]


@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("strip", STRIPS)
def test_all_boxes_stand_in_order_at_five_and_a_half_points(stock: Stock, strip: StripLabel) -> None:
    if (stock.name, strip.title) in TOO_SMALL:
        with pytest.raises(LabelError, match=f"The boxes of “{strip.title}” are too many for this label; choose"):
            pdf.render_sheets([{1: strip}], stock, pdf.Setup("x"))
        return
    document = pdf.render_sheets([{1: strip}], stock, pdf.Setup("x"))
    figures = [word.rstrip("*") for _, figures_in_run in strip.runs for word in figures_in_run.split()]
    printed_figures = [word for word in text_in(document, stock.box(1)).split() if word.isdecimal()]
    assert [word for word in printed_figures if word in figures][-len(figures) :] == figures
    assert smallest(document) >= 5.5


def test_a_box_with_a_star_is_dark_and_the_star_is_not_printed() -> None:
    paper = printed(DAMAGE, STOCK, 300)
    die = STOCK.box(1)
    corner = Box(die.right - 5, die.y + 5, 0.5, 0.5)
    assert max(paper.part(corner).tobytes()) < 80
    assert "*" not in text_in(pdf.render_sheets([{1: DAMAGE}], STOCK, pdf.Setup("x")), die)


def test_lines_are_as_even_as_can_be() -> None:
    """Thirty boxes are three lines of ten, never thirteen, thirteen and four."""
    document = pdf.render_sheets([{1: DAMAGE}], STOCK, pdf.Setup("x"))
    die = STOCK.box(1)
    lines = [text_in(document, Box(die.x, die.y + die.height * at / 24, die.width, 0.5)) for at in range(24)]
    assert {len(line.split()) for line in lines if line and line[0].isdecimal()} == {10}


def test_boxes_to_mark_leave_paper_around_their_figures() -> None:
    """A third of a box at least is white, so that a stroke through it is seen."""
    paper: Paper = printed(StripLabel("Level", (("", "1 2 3 4 5 6 7 8 9 10"),)), STOCK, 600)
    die = STOCK.box(1)
    room = paper.part(Box(die.x + 5, die.y + 5, die.width - 10, die.height * 0.6)).tobytes()
    assert sum(grey > 200 for grey in room) > 0.6 * len(room)
