"""The test page of a stock: every die cut with its number, and rulers that show what a printer makes of a millimetre.

Separate because it goes on plain paper and says how well the others will come out.
"""

from labels import pdf
from labels.geometry import INCH, MM, Box
from labels.ink import BLACK, GREY, Ink, line, path
from labels.label import SAFE_MARGIN
from labels.stocks import Stock
from labels.text import SMALLEST, fit

_HAIR = 0.3
_NUMBER = 9.0
_HEAD = 6.5
_HEAD_TOP = 13.0
_SIDE = 0.5 * INCH
_ARM = 4 * MM


def page(stock: Stock, calibration: pdf.Calibration = pdf.TRUE) -> bytes:
    """A PDF of one page: the position map, and two crosses A and B with rulers between them."""
    return pdf.pages([lambda ink: _draw(ink, stock)], stock.page_size, f"Test page for {stock.title}", calibration)


def _draw(ink: Ink, stock: Stock) -> None:
    dies = [stock.box(position) for position in range(1, stock.count + 1)]
    ink.outline((path(die, stock.corner) for die in dies), GREY, pdf.OUTLINE)
    for position, die in enumerate(dies, start=1):
        _number(ink, die, position)
    first, last = _centre(dies[0]), _centre(dies[-1])
    _cross(ink, first, "A")
    _cross(ink, last, "B")
    _ruler(ink, first, (last[0] - first[0]) / MM, across=True)
    _ruler(ink, first, (first[1] - last[1]) / MM, across=False)
    _head(ink, stock, first, last)


def _centre(die: Box) -> tuple[float, float]:
    return die.x + die.width / 2, die.y + die.height / 2


def _number(ink: Ink, die: Box, position: int) -> None:
    safe = die.inset(SAFE_MARGIN)
    setting = fit(str(position), f"Position {position}", safe.width, safe.height, _NUMBER, weight="bold")
    ink.lines(safe.x, safe.top, setting)


def _cross(ink: Ink, centre: tuple[float, float], name: str) -> None:
    x, y = centre
    ink.outline([line(x - _ARM, y, x + _ARM, y), line(x, y - _ARM, x, y + _ARM)], BLACK, _HAIR * 2)
    ink.text(x - _ARM, y + 1.2, name, "bold", _NUMBER, BLACK)


def _ruler(ink: Ink, start: tuple[float, float], length: float, *, across: bool) -> None:
    """Ticks at every millimetre, from `start` to the right or downwards, and a figure at every tenth."""
    x, y = start
    ticks = []
    for step in range(1, int(length) + 1):
        tick = (3.0 if step % 10 == 0 else 2.0 if step % 5 == 0 else 1.0) * MM / 2
        at_x, at_y = (x + step * MM, y) if across else (x, y - step * MM)
        ticks.append(line(at_x, at_y, at_x, at_y - tick) if across else line(at_x, at_y, at_x + tick, at_y))
        if step % 10 == 0:
            over, up = (-1.4, -tick - SMALLEST) if across else (tick + 1, -SMALLEST * 0.34)
            ink.text(at_x + over, at_y + up, str(step // 10), "regular", SMALLEST, BLACK)
    if ticks:
        ink.outline(ticks, BLACK, _HAIR)


def _head(ink: Ink, stock: Stock, first: tuple[float, float], last: tuple[float, float]) -> None:
    width, height = stock.page_size
    order = "down the columns" if stock.order == "down" else "across the rows"
    right, down = (last[0] - first[0]) / MM, (first[1] - last[1]) / MM
    sentences = (
        f"{stock.title} ({stock.size}), numbered {order}. Print on plain paper at 100 %, without fitting to the page, "
        "and hold it against a sheet of labels.",
        f"If it prints true, A lies {first[0] / MM:.1f} mm from the left and {(height - first[1]) / MM:.1f} mm from "
        f"the top edge, and B lies {right:.1f} mm right of A and {down:.1f} mm "
        "below it. Ruler figures are centimetres.",
    )
    top = height - _HEAD_TOP
    for sentence in sentences:
        setting = fit(sentence, "The test page's head", width - 2 * _SIDE, 3 * _HEAD, _HEAD, prefer="one line")
        ink.lines(_SIDE, top, setting)
        top -= setting.height + 1
