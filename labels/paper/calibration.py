"""Calibration of printers, and warnings for print near the edges of the paper."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from labels.errors import LabelError
from labels.geometry import MM, Box
from labels.paper.sheet import SAFE_MARGIN
from labels.paper.stocks import Stock
from templates.languages.messages import Message, phrase

A = (20.0, 20.0)
"""Position of the cross A on the test page, in mm from the left and from the top edge."""
B = (170.0, 240.0)
"""Position of the cross B, in mm to the right of A and below it. Both crosses fit on Letter and on A4."""

_EDGE = 15.0
"""Distance in mm of the cross B from the right and bottom edges of a page that is too small for its usual position."""
_MIN_DISTANCE = 20.0
_STEP = 10.0

_MAX_SHIFT = 15.0
_MAX_SCALE_ERROR = 0.1


class CalibrationError(LabelError):
    """Distances or factors that no printer can have."""


class Calibration(msgspec.Struct, frozen=True):
    """The correction for a printer: shifts right and down in mm, and scales from the top left corner."""

    dx: float = 0.0
    dy: float = 0.0
    sx: float = 1.0
    sy: float = 1.0


IDENTITY = Calibration()


def cross_distance(page: tuple[float, float]) -> tuple[float, float]:
    """Return the distances from A to B on a page, to the right and down. All lengths are in mm.

    They are shorter on a small page. Raises CalibrationError for a page that is too small to measure.
    """
    right, down = (
        min(most, (length - start - _EDGE) // _STEP * _STEP) for length, start, most in zip(page, A, B, strict=True)
    )
    if min(right, down) < _MIN_DISTANCE:
        width, height = page
        raise CalibrationError(
            phrase("Paper of {size} mm is too small to measure a printer by.", size=f"{width:.0f} × {height:.0f}")
        )
    return right, down


def distances(b: tuple[float, float] = B) -> tuple[tuple[Message, float], ...]:
    """Return the distances to measure on a test page, each with its nominal value in mm.

    They are in the order in which `from_measurements` takes them.
    """
    return (
        (phrase("from the left edge of the paper to A"), A[0]),
        (phrase("from the top edge of the paper to A"), A[1]),
        (phrase("from A to the right, as far as B"), b[0]),
        (phrase("from A down, as far as B"), b[1]),
    )


def parse_millimetres(text: str) -> float:
    """Parse a length as people type it: `20.5`, `20,5` or `20.5 mm`. Raises CalibrationError."""
    try:
        return float(text.strip().lower().removesuffix("mm").strip().replace(",", "."))
    except ValueError:
        raise CalibrationError(phrase("“{text}” is not a length; type millimetres, as 20.5.", text=text)) from None


def from_measurements(left: float, top: float, right: float, down: float, b: tuple[float, float] = B) -> Calibration:
    """Return the calibration for a printer from distances measured on its test page.

    The cross A was measured `left` and `top` mm from the paper's edges, and the cross B `right` and `down` mm from A.
    The nominal distance of B from A is `b`. Raises CalibrationError if these cannot be measurements in mm.
    """
    dx, sx = _axis(A[0], b[0], left, right)
    dy, sy = _axis(A[1], b[1], top, down)
    return validate(Calibration(dx, dy, sx, sy))


def combine(current: Calibration, rest: Calibration) -> Calibration:
    """Return the calibration that adds what was measured on a page already printed with the `current` one.

    Raises CalibrationError if both together are more than a printer can need.
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
    """Return the shift and scale that correct one axis: the printer prints p in place of s·p + o."""
    if span <= 0:
        raise CalibrationError(
            phrase("B cannot lie {distance} mm from A; measure from cross to cross, in mm.", distance=f"{span:g}")
        )
    scale = span / length
    offset = offset_of_a - scale * start
    # Adding 0.0 turns -0.0 into 0.0.
    return round(-offset / scale, 3) + 0.0, round(1 / scale, 5)


def validate(calibration: Calibration) -> Calibration:
    """Return the calibration if a printer can need it. Raises CalibrationError."""
    for shift, is_across in ((calibration.dx, True), (calibration.dy, False)):
        if not abs(shift) <= _MAX_SHIFT:
            raise CalibrationError(_shift_error(f"{shift:g}", f"{_MAX_SHIFT:g}", is_across=is_across))
    for scale, is_across in ((calibration.sx, True), (calibration.sy, False)):
        if not abs(scale - 1) <= _MAX_SCALE_ERROR:
            raise CalibrationError(_scale_error(f"{scale:g}", f"{_MAX_SCALE_ERROR:.0%}", is_across=is_across))
    return calibration


def _shift_error(shift: str, most: str, *, is_across: bool) -> Message:
    if is_across:
        return phrase(
            "A shift of {shift} mm across is more than the {most} mm that printers miss by; measure again, in mm, on a "
            "test page printed at 100 % without --printer.",
            shift=shift,
            most=most,
        )
    return phrase(
        "A shift of {shift} mm down is more than the {most} mm that printers miss by; measure again, in mm, on a test "
        "page printed at 100 % without --printer.",
        shift=shift,
        most=most,
    )


def _scale_error(scale: str, most: str, *, is_across: bool) -> Message:
    if is_across:
        return phrase(
            "A scale of {scale} across is more than the {most} that printers miss by; print the test page at 100 %, "
            "without fitting to the page, and measure again, in mm.",
            scale=scale,
            most=most,
        )
    return phrase(
        "A scale of {scale} down is more than the {most} that printers miss by; print the test page at 100 %, without "
        "fitting to the page, and measure again, in mm.",
        scale=scale,
        most=most,
    )


UNPRINTED = 4.0
"""Width in millimetres of the margin that most printers leave white."""

_TOLERANCE = 0.05


class _Edge(NamedTuple):
    """The warnings for what is printed beyond an edge of the paper, and for what is near to it, in mm."""

    beyond: Callable[[str], Message]
    near: Callable[[str, str], Message]


def _near_left(left: str, white: str) -> Message:
    return phrase(
        "What is printed comes within {left} mm of the paper's left edge, where most printers leave {white} mm white: "
        "print a test page first and look.",
        left=left,
        white=white,
    )


def _near_right(left: str, white: str) -> Message:
    return phrase(
        "What is printed comes within {left} mm of the paper's right edge, where most printers leave {white} mm white: "
        "print a test page first and look.",
        left=left,
        white=white,
    )


def _near_top(left: str, white: str) -> Message:
    return phrase(
        "What is printed comes within {left} mm of the paper's top edge, where most printers leave {white} mm white: "
        "print a test page first and look.",
        left=left,
        white=white,
    )


def _near_bottom(left: str, white: str) -> Message:
    return phrase(
        "What is printed comes within {left} mm of the paper's bottom edge, where most printers leave {white} mm "
        "white: print a test page first and look.",
        left=left,
        white=white,
    )


_LABEL_EDGES: Final = (
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its left edge by {over} mm: choose other positions, or measure the "
            "printer again.",
            over=over,
        ),
        _near_left,
    ),
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its right edge by {over} mm: choose other positions, or measure the "
            "printer again.",
            over=over,
        ),
        _near_right,
    ),
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its top edge by {over} mm: choose other positions, or measure the "
            "printer again.",
            over=over,
        ),
        _near_top,
    ),
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its bottom edge by {over} mm: choose other positions, or measure the "
            "printer again.",
            over=over,
        ),
        _near_bottom,
    ),
)
_PAGE_EDGES: Final = (
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its left edge by {over} mm: measure the printer again.", over=over
        ),
        _near_left,
    ),
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its right edge by {over} mm: measure the printer again.", over=over
        ),
        _near_right,
    ),
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its top edge by {over} mm: measure the printer again.", over=over
        ),
        _near_top,
    ),
    _Edge(
        lambda over: phrase(
            "What is printed leaves the paper at its bottom edge by {over} mm: measure the printer again.", over=over
        ),
        _near_bottom,
    ),
)


def label_warnings(stock: Stock, positions: Iterable[int], calibration: Calibration) -> Iterator[Message]:
    """Yield a warning for each edge of the paper that the calibrated labels at these positions come too near to."""
    # Printers of rolls print up to the margin of the stock.
    unprinted = 0.0 if stock.roll else UNPRINTED
    inked = [stock.room(position).inset(SAFE_MARGIN) for position in positions]
    return _edge_warnings(inked, stock.page_size, calibration, unprinted, _LABEL_EDGES)


def page_warnings(inked: Box, size: tuple[float, float], calibration: Calibration) -> Iterator[Message]:
    """Yield such warnings for a page of plain paper that is printed within a box."""
    return _edge_warnings([inked], size, calibration, UNPRINTED, _PAGE_EDGES)


def _edge_warnings(
    boxes: Sequence[Box], size: tuple[float, float], calibration: Calibration, unprinted: float, edges: Sequence[_Edge]
) -> Iterator[Message]:
    inked = [_calibrated_box(size[1], box, calibration) for box in boxes]
    if not inked:
        return
    width, height = (length / MM for length in size)
    margins = (
        min(box.x for box in inked),
        width - max(box.right for box in inked),
        height - max(box.top for box in inked),
        min(box.y for box in inked),
    )
    for edge, left in zip(edges, margins, strict=True):
        if left < -_TOLERANCE:
            yield edge.beyond(f"{-left:.1f}")
        elif left < unprinted - _TOLERANCE:
            yield edge.near(f"{left:.1f}", f"{UNPRINTED:g}")


def _calibrated_box(page_height: float, box: Box, calibration: Calibration) -> Box:
    """Return a box in millimetres on the calibrated page. Scaling starts at the paper's top left corner."""
    height = page_height / MM
    left, top = box.x / MM * calibration.sx + calibration.dx, (height - box.top / MM) * calibration.sy + calibration.dy
    wide, high = box.width / MM * calibration.sx, box.height / MM * calibration.sy
    return Box(left, height - top - high, wide, high)
