"""What a printer needs to hit the paper, and where a print-out leaves the printable area."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.sheet import SAFE_MARGIN
from labels.stocks import Stock

A = (20.0, 20.0)
"""Where the test page has its cross A: mm from the left and from the top edge."""
B = (170.0, 240.0)
"""Where it has its cross B: mm to the right of A and below it. Both fit on Letter and on A4."""

_EDGE = 15.0
"""So many mm the cross B keeps from the right edge and from the foot of a page that is too small for it there."""
_MIN_DISTANCE = 20.0
_STEP = 10.0

_MAX_SHIFT = 15.0
_MAX_SCALE_ERROR = 0.1


class CalibrationError(LabelError):
    """Distances or factors that no printer can have."""


class Calibration(msgspec.Struct, frozen=True):
    """What makes a printer hit the paper: shifts right and down in mm, scales from the top left corner."""

    dx: float = 0.0
    dy: float = 0.0
    sx: float = 1.0
    sy: float = 1.0


IDENTITY = Calibration()


def cross_distance(page: tuple[float, float]) -> tuple[float, float]:
    """How far B lies to the right of A and below it on a page, given and told in mm: nearer on a small one.

    Raises CalibrationError for a page on which there is nothing to measure.
    """
    right, down = (
        min(most, (length - start - _EDGE) // _STEP * _STEP) for length, start, most in zip(page, A, B, strict=True)
    )
    if min(right, down) < _MIN_DISTANCE:
        width, height = page
        raise CalibrationError(f"Paper of {width:.0f} × {height:.0f} mm is too small to measure a printer by.")
    return right, down


def distances(b: tuple[float, float] = B) -> tuple[tuple[str, float], ...]:
    """What is measured on a test page, as `from_measurements` takes it, each with what it should be in mm."""
    return (
        ("from the left edge of the paper to A", A[0]),
        ("from the top edge of the paper to A", A[1]),
        ("from A to the right, as far as B", b[0]),
        ("from A down, as far as B", b[1]),
    )


def parse_millimetres(text: str) -> float:
    """A length as people type it: `20.5`, `20,5` or `20.5 mm`. Raises CalibrationError."""
    try:
        return float(text.strip().lower().removesuffix("mm").strip().replace(",", "."))
    except ValueError:
        raise CalibrationError(f"“{text}” is not a length; type millimetres, as 20.5.") from None


def from_measurements(left: float, top: float, right: float, down: float, b: tuple[float, float] = B) -> Calibration:
    """The calibration for a printer on whose test page cross A lies `left` and `top` mm from the paper's edges, and
    cross B `right` and `down` mm from A, where it should be `b`.

    Raises CalibrationError where that cannot have been measured in mm.
    """
    dx, sx = _axis(A[0], b[0], left, right)
    dy, sy = _axis(A[1], b[1], top, down)
    return validate(Calibration(dx, dy, sx, sy))


def combine(current: Calibration, rest: Calibration) -> Calibration:
    """The calibration for a printer on whose page, printed with the `current` one, a `rest` was still measured.

    Raises CalibrationError where both together are more than a printer can need.
    """
    return validate(
        Calibration(
            round(current.dx + current.sx * rest.dx, 3) + 0.0,
            round(current.dy + current.sy * rest.dy, 3) + 0.0,
            round(current.sx * rest.sx, 5),
            round(current.sy * rest.sy, 5),
        )
    )


def _axis(start: float, length: float, offset_of_a: float, span: float) -> tuple[float, float]:
    """Shift and scale that undo what a printer does along one axis: it prints p where it should print s·p + o."""
    if span <= 0:
        raise CalibrationError(f"B cannot lie {span:g} mm from A; measure from cross to cross, in mm.")
    scale = span / length
    offset = offset_of_a - scale * start
    # A shift of nothing is written without a sign.
    return round(-offset / scale, 3) + 0.0, round(1 / scale, 5)


def validate(calibration: Calibration) -> Calibration:
    """The calibration, if a printer can need it. Raises CalibrationError."""
    for shift, axis in ((calibration.dx, "across"), (calibration.dy, "down")):
        if not abs(shift) <= _MAX_SHIFT:
            raise CalibrationError(
                f"A shift of {shift:g} mm {axis} is more than the {_MAX_SHIFT:g} mm that printers miss by; measure "
                "again, in mm, on a test page printed at 100 % without --printer."
            )
    for scale, axis in ((calibration.sx, "across"), (calibration.sy, "down")):
        if not abs(scale - 1) <= _MAX_SCALE_ERROR:
            raise CalibrationError(
                f"A scale of {scale:g} {axis} is more than the {_MAX_SCALE_ERROR:.0%} that printers miss by; print the "
                "test page at 100 %, without fitting to the page, and measure again, in mm."
            )
    return calibration


UNPRINTED = 4.0
"""Millimetres at each edge of the paper that most printers leave white."""

_TOLERANCE = 0.05


def label_warnings(stock: Stock, positions: Iterable[int], calibration: Calibration) -> Iterator[str]:
    """A sentence for each edge that the labels at these positions come too near to, once they are calibrated."""
    # A roll's printer prints up to the margin that its stock has.
    unprinted = 0.0 if stock.roll else UNPRINTED
    inked = [stock.room(position).inset(SAFE_MARGIN) for position in positions]
    return _edge_warnings(
        inked, stock.page_size, calibration, unprinted, "choose other positions, or measure the printer again"
    )


def page_warnings(inked: Box, size: tuple[float, float], calibration: Calibration) -> Iterator[str]:
    """The same of a page of plain paper, which is printed on within a box."""
    return _edge_warnings([inked], size, calibration, UNPRINTED, "measure the printer again")


def _edge_warnings(
    boxes: Sequence[Box], size: tuple[float, float], calibration: Calibration, unprinted: float, way: str
) -> Iterator[str]:
    inked = [_calibrated_box(size[1], box, calibration) for box in boxes]
    if not inked:
        return
    width, height = (length / MM for length in size)
    for edge, left in (
        ("left", min(box.x for box in inked)),
        ("right", width - max(box.right for box in inked)),
        ("top", height - max(box.top for box in inked)),
        ("bottom", min(box.y for box in inked)),
    ):
        if left < -_TOLERANCE:
            yield f"What is printed leaves the paper at its {edge} edge by {-left:.1f} mm: {way}."
        elif left < unprinted - _TOLERANCE:
            yield (
                f"What is printed comes within {left:.1f} mm of the paper's {edge} edge, where most printers leave "
                f"{UNPRINTED:g} mm white: print a test page first and look."
            )


def _calibrated_box(page_height: float, box: Box, calibration: Calibration) -> Box:
    """A box as the calibrated page has it, in millimetres; it is scaled from the paper's top left corner."""
    height = page_height / MM
    left, top = box.x / MM * calibration.sx + calibration.dx, (height - box.top / MM) * calibration.sy + calibration.dy
    wide, high = box.width / MM * calibration.sx, box.height / MM * calibration.sy
    return Box(left, height - top - high, wide, high)
