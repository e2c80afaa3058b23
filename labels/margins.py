"""Where a print-out comes nearer to the paper's edge than printers print, or leaves the paper.

Separate because neither stock nor calibration knows it alone.
"""

from collections.abc import Iterable, Iterator, Sequence

from labels.calibration import Calibration
from labels.geometry import MM, Box
from labels.label import SAFE_MARGIN
from labels.stocks import Stock

UNPRINTED = 4.0
"""Millimetres at each edge of the paper that most printers leave white."""

_TOLERANCE = 0.05


def warnings(stock: Stock, positions: Iterable[int], calibration: Calibration) -> Iterator[str]:
    """A sentence for each edge that the labels at these positions come too near to, once they are calibrated."""
    # A roll's printer prints up to the margin that its stock has.
    unprinted = 0.0 if stock.roll else UNPRINTED
    inked = [stock.box(position).inset(SAFE_MARGIN) for position in positions]
    return _near(inked, stock.page_size, calibration, unprinted, "choose other positions, or measure the printer again")


def of_page(inked: Box, size: tuple[float, float], calibration: Calibration) -> Iterator[str]:
    """The same of a page of plain paper, which is printed on within a box."""
    return _near([inked], size, calibration, UNPRINTED, "measure the printer again")


def _near(
    boxes: Sequence[Box], size: tuple[float, float], calibration: Calibration, unprinted: float, way: str
) -> Iterator[str]:
    inked = [_moved(size[1], box, calibration) for box in boxes]
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


def _moved(page_height: float, box: Box, calibration: Calibration) -> Box:
    """A box as the calibrated page has it, in millimetres; it is scaled from the paper's top left corner."""
    height = page_height / MM
    left, top = box.x / MM * calibration.sx + calibration.dx, (height - box.top / MM) * calibration.sy + calibration.dy
    wide, high = box.width / MM * calibration.sx, box.height / MM * calibration.sy
    return Box(left, height - top - high, wide, high)
