"""Sheets as a PDF that printers and viewers leave alone: true to size, fonts embedded, the same bytes every time.

Separate because only here reportlab is asked for pages; it is imported when something is printed, not before.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING

from labels import fonts
from labels.calibration import IDENTITY, Calibration
from labels.geometry import MM
from labels.ink import GREY, Ink, path
from labels.label import Label
from labels.sheet import Sheet
from labels.stocks import Stock

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

OUTLINE = 0.25
"""How thick a die cut is drawn, in points."""


Page = Callable[[Ink], None]
"""Draws one page."""

Watch = Callable[[Sequence[Page]], Iterable[Page]]
"""Hands on the pages one by one, so that somebody can see how far it is."""


def unwatched(drawn: Sequence[Page]) -> Iterable[Page]:
    """Nobody looks on."""
    return drawn


def sheets(
    run: Sequence[Sheet],
    stock: Stock,
    *,
    title: str,
    outlines: bool = False,
    calibration: Calibration = IDENTITY,
    watch: Watch = unwatched,
    subject: str = "",
) -> bytes:
    """A PDF with one page a sheet, in which a label that occurs again is stored once.

    `subject` is what the file tells of its content besides the title: nothing but labels is printed on a sheet.

    Raises LabelError, naming the label, if one does not fit or cannot be printed.
    """
    press = _Press(stock, Counter(label for sheet in run for label in sheet.values()), outlines)
    drawn = [partial(press.page, sheet) for sheet in run]
    return pages(drawn, stock.page_size, title, calibration, watch, subject)


def pages(
    drawn: Sequence[Page],
    size: tuple[float, float],
    title: str,
    calibration: Calibration = IDENTITY,
    watch: Watch = unwatched,
    subject: str = "",
) -> bytes:
    """A PDF with a page of `size`, width and height in points, for each function that draws one."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    # Text armour of binary streams costs a quarter of the file and most of the time to write it.
    rl_config.useA85 = 0
    first, *_ = fonts.names()
    file = BytesIO()
    canvas = Canvas(file, pagesize=size, invariant=1, pageCompression=1, initialFontName=first)
    canvas.setTitle(title)
    canvas.setAuthor("")
    canvas.setSubject(subject)
    canvas.setCreator("Table companion")
    canvas.setViewerPreference("PrintScaling", "None")
    for draw in watch(drawn):
        _calibrate(canvas, size[1], calibration)
        draw(Ink(canvas))
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _calibrate(canvas: "Canvas", height: float, calibration: Calibration) -> None:
    if calibration != IDENTITY:
        drop = height * (1 - calibration.sy) - calibration.dy * MM
        canvas.transform(calibration.sx, 0, 0, calibration.sy, calibration.dx * MM, drop)


class _Press:
    """Draws the pages of one file and remembers what is stored in it already."""

    def __init__(self, stock: Stock, uses: Counter[Label], outlines: bool) -> None:
        self._stock = stock
        self._uses = uses
        self._outlines = outlines
        self._stored: dict[Label, str] = {}
        self._dies = {position: stock.room(position) for position in range(1, stock.count + 1)}

    def page(self, sheet: Sheet, ink: Ink) -> None:
        if self._outlines:
            corner = self._stock.corner
            ink.outline((path(self._stock.box(position), corner) for position in self._dies), GREY, OUTLINE)
        for position, label in sheet.items():
            if self._uses[label] == 1:
                label.draw(ink, self._dies[position])
            else:
                ink.stamp(self._dies[position], self._name(label, ink))

    def _name(self, label: Label, ink: Ink) -> str:
        """What the file calls a label that occurs again; it is drawn and kept when it is asked for first."""
        name = self._stored.get(label)
        if name is None:
            name = self._stored[label] = f"L{len(self._stored) + 1}"
            with ink.stored(name, self._dies[1].width, self._dies[1].height) as die:
                label.draw(ink, die)
        return name
