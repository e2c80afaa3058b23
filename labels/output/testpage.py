"""The test page of a stock: every die cut with its number, and crosses and rulers to measure a printer.

The explanations stand above and below the labels, never on them, or on a second page if there is no room.
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from labels.drawing import style
from labels.drawing.ink import BLACK, GREY, WHITE, Ink, line, path
from labels.errors import LabelError
from labels.geometry import INCH, MM, Box, InkName
from labels.output import pdf
from labels.paper import calibration
from labels.paper.calibration import IDENTITY, Calibration
from labels.paper.sheet import SAFE_MARGIN
from labels.paper.stocks import Stock
from labels.typesetting import fonts
from labels.typesetting.text import SMALLEST, TextSetting, fit
from templates.languages.messages import phrase

_HAIR = 0.3
_NUMBER = 9.0
_HEAD = 6.5
_HEAD_TOP = 13.0
_HEAD_GAP = 0.6
_SIDE = 0.5 * INCH
_ARM = 4 * MM


def render_test_page(
    stock: Stock,
    calibrated: Calibration = IDENTITY,
    used: Collection[int] = (),
    printer: str = "",
    ink: InkName | None = None,
) -> bytes:
    """Return a PDF of the position map, with `used` positions struck out, and crosses A and B with rulers between.

    A second page has the explanations if the labels leave no room for them. Raises LabelError for a roll, and for paper
    that is too small to measure.
    """
    check_stock(stock)
    title = str(phrase("Test page for {stock}", stock=stock.caption))
    head = _set_head(stock, printer)
    places = _place_head(stock, head)
    pages = [lambda ink: _draw(ink, stock, used, head if places else [], places or [])]
    if places is None:
        pages.append(lambda ink: _draw_head(ink, head, _stack(head, stock.page_size[1] - _HEAD_TOP)))
    return pdf.render_pages(pages, stock.page_size, title, calibrated, ink=ink or stock.ink)


def _draw(ink: Ink, stock: Stock, used: Collection[int], head: Sequence[TextSetting], places: Sequence[float]) -> None:
    dies = {position: stock.box(position) for position in range(1, stock.count + 1)}
    rooms = {position: stock.room(position).inset(SAFE_MARGIN) for position in dies}
    with ink.artifact():
        _draw_marks(ink, stock, dies, rooms, used)
    _draw_head(ink, head, places)


def _draw_marks(
    ink: Ink, stock: Stock, dies: Mapping[int, Box], rooms: Mapping[int, Box], used: Collection[int]
) -> None:
    """Draw the marks to measure, which screen readers skip."""
    ink.outline((path(*cut) for die in dies.values() for cut in stock.outlines(die)), GREY, pdf.OUTLINE)
    if used:
        ink.outline((_strike_through(rooms[position]) for position in used), GREY, _HAIR)
    a = calibration.A[0] * MM, stock.page_size[1] - calibration.A[1] * MM
    right, down = stock_cross_distance(stock)
    b = a[0] + right * MM, a[1] - down * MM
    _draw_ruler(ink, a, right, across=True)
    _draw_ruler(ink, a, down, across=False)
    _draw_cross(ink, a, "A")
    _draw_cross(ink, b, "B")
    for position, room in rooms.items():
        _draw_number(ink, room, position)


def check_stock(stock: Stock) -> None:
    """Raise LabelError for a stock that has no test page."""
    if stock.roll:
        raise LabelError(
            phrase(
                "{stock}, is a roll: its page is the label, so there is nothing to measure on it.", stock=stock.caption
            )
        )
    stock_cross_distance(stock)


def stock_cross_distance(stock: Stock) -> tuple[float, float]:
    """Return the distances from A to B on a stock's test page, to the right and down, in mm.

    Raises CalibrationError.
    """
    width, height = stock.page_size
    return calibration.cross_distance((width / MM, height / MM))


def _strike_through(safe: Box) -> str:
    return line(safe.x, safe.y, safe.right, safe.top)


def _draw_number(ink: Ink, safe: Box, position: int) -> None:
    setting = fit(
        str(position),
        phrase("Position {position}", position=str(position)),
        safe.width,
        safe.height,
        _NUMBER,
        weight="bold",
    )
    # The number has paper around it if a ruler runs below it.
    width = fonts.measure(setting.lines[0], "bold", setting.size)
    ink.fill(Box(safe.x, safe.top - setting.height, width, setting.height), WHITE)
    ink.lines(safe.x, safe.top, setting)


def _draw_cross(ink: Ink, centre: tuple[float, float], name: str) -> None:
    x, y = centre
    ink.outline([line(x - _ARM, y, x + _ARM, y), line(x, y - _ARM, x, y + _ARM)], BLACK, _HAIR * 2)
    ink.text(x - _ARM, y + 1.2, name, "bold", _NUMBER, BLACK)


def _draw_ruler(ink: Ink, start: tuple[float, float], length: float, *, across: bool) -> None:
    """Draw ticks at every millimetre, from `start` to the right or downwards, and a figure at every tenth."""
    x, y = start
    ticks = []
    for step in range(1, int(length)):
        tick = (3.0 if step % 10 == 0 else 2.0 if step % 5 == 0 else 1.0) * MM / 2
        at_x, at_y = (x + step * MM, y) if across else (x, y - step * MM)
        ticks.append(line(at_x, at_y, at_x, at_y - tick) if across else line(at_x, at_y, at_x + tick, at_y))
        if step % 10 == 0:
            over, up = (-1.4, -tick - SMALLEST) if across else (tick + 1, -SMALLEST * 0.34)
            ink.text(at_x + over, at_y + up, str(step // 10), "regular", SMALLEST, BLACK)
    if ticks:
        ink.outline(ticks, BLACK, _HAIR)


def _set_head(stock: Stock, printer: str) -> list[TextSetting]:
    """Set the sentences that explain the page."""
    (left, top), (right, down) = calibration.A, stock_cross_distance(stock)
    sentences = (
        phrase(
            "{stock} ({size}), numbered down the columns. Print on plain paper at 100 %, without fitting to the page, "
            "and hold it against a sheet of labels.",
            stock=stock.caption,
            size=stock.size,
        )
        if stock.order == "down"
        else phrase(
            "{stock} ({size}), numbered across the rows. Print on plain paper at 100 %, without fitting to the page, "
            "and hold it against a sheet of labels.",
            stock=stock.caption,
            size=stock.size,
        ),
        phrase(
            "A lies {left} mm from the left and {top} mm from the top edge, B lies {right} mm right of A and {down} mm "
            "below it; ruler figures are centimetres.",
            left=f"{left:g}",
            top=f"{top:g}",
            right=f"{right:g}",
            down=f"{down:g}",
        ),
        phrase(
            "Printed with the calibration of {printer}: if you still measure something else, {command}.",
            printer=printer,
            command=f"companion labels calibrate {shlex.quote(printer)} --again",
        )
        if printer
        else phrase("If you measure something else: {command}.", command="companion labels calibrate"),
    )
    width, what = stock.page_size[0] - 2 * _SIDE, phrase("The test page's head")
    return [fit(str(sentence), what, width, 3 * _HEAD, _HEAD, prefer="one line") for sentence in sentences]


def _place_head(stock: Stock, head: Sequence[TextSetting]) -> list[float] | None:
    """Return the tops of the sentences, or None if they do not fit.

    They stand above the labels and the cross A. The rest stands below the labels and the cross B.
    """
    height, dies = stock.page_size[1], [stock.box(position) for position in range(1, stock.count + 1)]
    a = height - calibration.A[1] * MM
    b = a - stock_cross_distance(stock)[1] * MM
    above = max(*(die.top for die in dies), a + _ARM + _NUMBER)
    below = min(*(die.y for die in dies), b - _ARM)
    for count in range(len(head), -1, -1):
        # At the bottom they end at the distance from the edge at which they begin at the top.
        first, last = head[:count], head[count:]
        foot = _HEAD_TOP + sum(setting.height for setting in last) + _HEAD_GAP * (len(last) - 1)
        tops = [*_stack(first, height - _HEAD_TOP), *_stack(last, foot)]
        is_above = not first or tops[count - 1] - first[-1].height >= above + _HEAD_GAP
        if is_above and (not last or foot <= below - _HEAD_GAP):
            return tops
    return None


def _stack(settings: Sequence[TextSetting], top: float) -> list[float]:
    """Return the tops of settings below one another."""
    steps = (setting.height + _HEAD_GAP for setting in settings)
    return [top - drop for drop in accumulate(steps, initial=0.0)][: len(settings)]


def _draw_head(ink: Ink, head: Sequence[TextSetting], tops: Sequence[float]) -> None:
    if not head:
        return
    with ink.element():
        for setting, top in zip(head, tops, strict=True):
            ink.lines(_SIDE, top, setting, style.INK)
