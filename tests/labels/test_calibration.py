"""Calibration: four measured distances give what makes a printer hit the paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.geometry import MM
from labels.output import pdf
from labels.paper import calibration, stocks
from labels.paper.calibration import IDENTITY, Calibration, CalibrationError
from tests.labels.paper import Paper

STOCK = stocks.find("18294")

scales = st.floats(0.95, 1.05)
shifts = st.floats(-8, 8)


@given(scales, scales, shifts, shifts)
def test_a_measured_printer_prints_each_point_where_it_belongs(
    wide: float, high: float, right: float, down: float
) -> None:
    """The printer puts what is at p mm at `scale · p + shift`; with its calibration all of the page is true again."""
    (ax, ay), (bx, by) = calibration.A, calibration.B
    measured = calibration.from_measurements(wide * ax + right, high * ay + down, wide * bx, high * by)
    for at in (0.0, 100.0, 297.0):
        assert wide * (at * measured.sx + measured.dx) + right == pytest.approx(at, abs=0.01)
        assert high * (at * measured.sy + measured.dy) + down == pytest.approx(at, abs=0.01)


def test_a_printer_that_hits_needs_nothing() -> None:
    assert calibration.from_measurements(*calibration.A, *calibration.B) == IDENTITY


def test_a_printed_sheet_is_moved_and_scaled_as_measured() -> None:
    """A printer that shifts by 1 mm and prints 1 % too large: what it gets is 1 % smaller and lies further left."""
    measured = calibration.from_measurements(1.01 * 20 + 1, 1.01 * 20 + 1, 1.01 * 170, 1.01 * 240)
    paper = Paper(pdf.render_sheets([{}], STOCK, pdf.Setup("x", outlines=True, calibration=measured)), 1200)
    for position in (1, 60):
        die = STOCK.box(position)
        left = (die.x - 1 * MM) / 1.01
        assert paper.upright(left, die.y * 0.99 + 20, 1.2 * MM) == pytest.approx(left, abs=0.05 * MM)


@pytest.mark.parametrize(
    ("distances", "says"),
    [
        ((2.0, 2.0, 17.0, 24.0), "A scale of 10 across is more than the 10% that printers miss by"),
        ((20.0, 20.0, 170.0, 0.0), "B cannot lie 0 mm from A"),
        ((20.0, 20.0, -170.0, 240.0), "B cannot lie -170 mm from A"),
        ((60.0, 20.0, 170.0, 240.0), "A shift of -40 mm across"),
        ((20.0, 20.0, 170.0, 200.0), "A scale of 1.2 down"),
        ((float("nan"), 20.0, 170.0, 240.0), "A shift of nan mm"),
    ],
)
def test_distances_that_no_printer_makes_are_refused(distances: tuple[float, float, float, float], says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        calibration.from_measurements(*distances)


def test_a_calibration_typed_by_hand_is_checked_too() -> None:
    assert calibration.validate(Calibration(1, -2, 0.99, 1.01)) == Calibration(1, -2, 0.99, 1.01)
    with pytest.raises(CalibrationError, match="A scale of 0 across"):
        calibration.validate(Calibration(sx=0))


@given(
    *(st.floats(-0.004, 0.004).map(lambda x: 1 + x),) * 2,
    *(st.floats(-3, 3),) * 2,
    *(st.floats(-0.2, 0.2),) * 2,
)
def test_what_a_calibrated_page_still_misses_adds_up(
    sx: float, sy: float, ox: float, oy: float, ex: float, ey: float
) -> None:
    """A printer is measured badly, a page is printed with that, and what is left is measured: then it hits."""
    (left, top), (right, down) = calibration.A, calibration.B
    first = calibration.from_measurements(left * sx + ox + ex, top * sy + oy + ey, right * sx, down * sy)

    def printed(x: float, y: float, with_: Calibration) -> tuple[float, float]:
        return sx * (with_.sx * x + with_.dx) + ox, sy * (with_.sy * y + with_.dy) + oy

    a, b = printed(left, top, first), printed(left + right, top + down, first)
    both = calibration.combine(first, calibration.from_measurements(*a, b[0] - a[0], b[1] - a[1]))
    for x, y in ((0, 0), (100, 50), (200, 270)):
        assert printed(x, y, both) == pytest.approx((x, y), abs=0.01)


def test_on_small_paper_the_crosses_lie_nearer() -> None:
    assert calibration.cross_distance((215.9, 279.4)) == calibration.cross_distance((210, 297)) == calibration.B
    assert calibration.cross_distance((148, 210)) == (110, 170)
    with pytest.raises(CalibrationError, match=r"Paper of 62 × 29 mm is too small to measure a printer by."):
        calibration.cross_distance((62, 29))
