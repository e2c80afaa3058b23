"""What may be lost at the paper's edges is said before it is printed."""

import msgspec
import pytest

from companion.printing import run
from labels.designs import Plain
from labels.geometry import MM
from labels.output import page
from labels.output.pdf import Setup
from labels.paper import calibration as margins
from labels.paper import stocks
from labels.paper.calibration import IDENTITY, Calibration
from labels.paper.stocks import Stock

STOCK = stocks.find("18294")
# Two columns and five rows that fill a sheet to its edges.
BLEED = msgspec.structs.replace(
    stocks.find("5163"), name="bleed", left=0, top=0.5, width=4.25, pitch_x=4.25, height=2, pitch_y=2
)


def _warnings(stock: Stock, calibration: Calibration = IDENTITY, positions: tuple[int, ...] | None = None) -> list[str]:
    warnings = margins.label_warnings(stock, positions or tuple(range(1, stock.count + 1)), calibration)
    return list(map(str, warnings))


@pytest.mark.parametrize("stock", stocks.valid_stocks(), ids=lambda stock: stock.name)
def test_stocks_as_they_are_sold_warn_only_of_edges_that_they_touch(stock: Stock) -> None:
    blank = 0 if stock.roll else 2.5 * MM
    first, last = stock.box(1), stock.box(stock.count)
    near = min(first.x, last.y, stock.page_size[0] - last.right, stock.page_size[1] - first.top) < blank - 0.1
    round_edge = stock.shape == "ellipse"
    assert bool(_warnings(stock)) == (near and not round_edge)


def test_a_stock_that_fills_its_sheet_is_too_near_two_edges() -> None:
    left, right = _warnings(BLEED)
    assert left.startswith(
        "What is printed comes within 1.5 mm of the paper's left edge, where most printers leave 4 mm"
    )
    assert "1.5 mm of the paper's right edge" in right


@pytest.mark.parametrize(
    ("calibration", "says"),
    [
        (Calibration(dx=-6), "within 3.1 mm of the paper's left edge"),
        (Calibration(dx=-12), "leaves the paper at its left edge by 2.9 mm"),
        (Calibration(dx=8), "within 1.1 mm of the paper's right edge"),
        (Calibration(dy=-13), "within 2.5 mm of the paper's top edge"),
        (Calibration(sy=1.06), "leaves the paper at its bottom edge"),
    ],
)
def test_a_calibration_that_pushes_ink_to_an_edge_is_told(calibration: Calibration, says: str) -> None:
    assert [says in warning for warning in _warnings(STOCK, calibration)] == [True]


def test_only_what_is_printed_counts_and_a_run_tells_it() -> None:
    far_left = Calibration(dx=-6)
    assert _warnings(STOCK, far_left, positions=(31,)) == []
    for setup, count in ((Setup("x"), 0), (Setup("x", calibration=far_left), 1)):
        assert len(run.impose([Plain("Ana")], STOCK, setup).warnings) == count


@pytest.mark.parametrize(
    ("calibration", "says"),
    [
        (Calibration(dx=-11), ["within 3.0 mm of the paper's left edge"]),
        (Calibration(dx=-15), ["leaves the paper at its left edge by 1.0 mm: measure the printer again."]),
        (Calibration(dx=-6, dy=4), []),
    ],
)
def test_a_page_that_a_calibration_pushes_to_an_edge_is_told_too(calibration: Calibration, says: list[str]) -> None:
    size = page.paper("a4")
    warnings = list(margins.page_warnings(page.printed_area(size), size, calibration))
    assert [each in sentence for each, sentence in zip(says, warnings, strict=True)] == [True] * len(says)
