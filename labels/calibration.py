"""What a printer needs to hit the paper, and how to find it from four distances measured on its test page.

Separate because it is arithmetic: the test page draws it, the PDF applies it, the archive remembers it.
"""

import msgspec

from labels.errors import LabelError

A = (20.0, 20.0)
"""Where the test page has its cross A: mm from the left and from the top edge."""
B = (170.0, 240.0)
"""Where it has its cross B: mm to the right of A and below it. Both fit on Letter and on A4."""

_EDGE = 15.0
"""So many mm the cross B keeps from the right edge and from the foot of a page that is too small for it there."""
_NEAREST = 20.0
_STEP = 10.0

_FARTHEST = 15.0
_LARGEST = 0.1


class CalibrationError(LabelError):
    """Distances or factors that no printer can have."""


class Calibration(msgspec.Struct, frozen=True):
    """What makes a printer hit the paper: shifts right and down in mm, scales from the top left corner."""

    dx: float = 0.0
    dy: float = 0.0
    sx: float = 1.0
    sy: float = 1.0


IDENTITY = Calibration()


def span(page: tuple[float, float]) -> tuple[float, float]:
    """How far B lies to the right of A and below it on a page, given and told in mm: nearer on a small one.

    Raises CalibrationError for a page on which there is nothing to measure.
    """
    right, down = (
        min(most, (length - start - _EDGE) // _STEP * _STEP) for length, start, most in zip(page, A, B, strict=True)
    )
    if min(right, down) < _NEAREST:
        width, height = page
        raise CalibrationError(f"Paper of {width:.0f} × {height:.0f} mm is too small to measure a printer by.")
    return right, down


def distances(b: tuple[float, float] = B) -> tuple[tuple[str, float], ...]:
    """What is measured on a test page, in the order in which `measured` takes it, each with what it should be in mm."""
    return (
        ("from the left edge of the paper to A", A[0]),
        ("from the top edge of the paper to A", A[1]),
        ("from A to the right, as far as B", b[0]),
        ("from A down, as far as B", b[1]),
    )


def millimetres(text: str) -> float:
    """A length as people type it: `20.5`, `20,5` or `20.5 mm`. Raises CalibrationError."""
    try:
        return float(text.strip().lower().removesuffix("mm").strip().replace(",", "."))
    except ValueError:
        raise CalibrationError(f"“{text}” is not a length; type millimetres, as 20.5.") from None


def measured(left: float, top: float, right: float, down: float, b: tuple[float, float] = B) -> Calibration:
    """The calibration for a printer on whose test page cross A lies `left` and `top` mm from the paper's edges, and
    cross B `right` and `down` mm from A, where it should be `b`.

    Raises CalibrationError where that cannot have been measured in mm.
    """
    dx, sx = _axis(A[0], b[0], left, right)
    dy, sy = _axis(A[1], b[1], top, down)
    return checked(Calibration(dx, dy, sx, sy))


def added(known: Calibration, rest: Calibration) -> Calibration:
    """The calibration for a printer on whose page, printed with the `known` one, a `rest` was still measured.

    Raises CalibrationError where both together are more than a printer can need.
    """
    return checked(
        Calibration(
            round(known.dx + known.sx * rest.dx, 3) + 0.0,
            round(known.dy + known.sy * rest.dy, 3) + 0.0,
            round(known.sx * rest.sx, 5),
            round(known.sy * rest.sy, 5),
        )
    )


def _axis(start: float, length: float, found: float, span: float) -> tuple[float, float]:
    """Shift and scale that undo what a printer does along one axis: it prints p where it should print s·p + o."""
    if span <= 0:
        raise CalibrationError(f"B cannot lie {span:g} mm from A; measure from cross to cross, in mm.")
    scale = span / length
    offset = found - scale * start
    # A shift of nothing is written without a sign.
    return round(-offset / scale, 3) + 0.0, round(1 / scale, 5)


def checked(calibration: Calibration) -> Calibration:
    """The calibration, if a printer can need it. Raises CalibrationError."""
    for shift, axis in ((calibration.dx, "across"), (calibration.dy, "down")):
        if not abs(shift) <= _FARTHEST:
            raise CalibrationError(
                f"A shift of {shift:g} mm {axis} is more than the {_FARTHEST:g} mm that printers miss by; measure "
                "again, in mm, on a test page printed at 100 % without --printer."
            )
    for scale, axis in ((calibration.sx, "across"), (calibration.sy, "down")):
        if not abs(scale - 1) <= _LARGEST:
            raise CalibrationError(
                f"A scale of {scale:g} {axis} is more than the {_LARGEST:.0%} that printers miss by; print the test "
                "page at 100 %, without fitting to the page, and measure again, in mm."
            )
    return calibration
