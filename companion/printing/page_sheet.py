"""The page of a game as QR codes on plain paper, several on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from companion.archive.exchange import page_codes
from companion.games.described import load
from labels.drawing import qr, style
from labels.drawing.ink import Ink
from labels.drawing.symbols import Symbol
from labels.geometry import MM, Box, InkName
from labels.output import pdf
from labels.output.page import printed_area
from labels.typesetting.text import TextSetting, fit_truncated
from templates.languages.messages import phrase, phrases

_NARROWEST: Final = 70 * MM
"""The least width of a code with its quiet zone on large paper, so that its modules are at least 0.8 mm wide."""
_WIDEST: Final = 95 * MM
_TITLE_TYPE: Final = 16.0
_NOTE_TYPE: Final = 8.5
_CAPTION_TYPE: Final = 9.0
_AFTER_TITLE: Final = 4.0
_AFTER_HEAD: Final = 10.0
_CAPTION: Final = 16.0
"""The height of the line below a code, in points."""


class CodeSheet(NamedTuple):
    """A PDF with the QR codes of a page, and their number."""

    content: bytes
    codes: int


def draw_codes(text: str, size: tuple[float, float], ink: InkName = "colour") -> CodeSheet:
    """Draw the codes of the page `text` on paper of `size`, in points.

    Raises ArchiveError if the page needs too many codes.
    """
    symbols = tuple(map(qr.symbol, page_codes.write_codes(text)))
    headline = load.headline(text)
    area = printed_area(size)
    title = fit_truncated(headline.title, area.width, _TITLE_TYPE, "bold", 2)
    note = fit_truncated(str(_describe_codes(len(symbols))), area.width, _NOTE_TYPE, most_lines=5)
    grid = _Grid.of_area(area, title.height + _AFTER_TITLE + note.height + _AFTER_HEAD)
    pages = [
        partial(_draw_page, title, note, grid, symbols, start) for start in range(0, len(symbols), grid.codes_a_page)
    ]
    return CodeSheet(pdf.render_pages(pages, size, headline.title, ink=ink), len(symbols))


class _Grid(NamedTuple):
    """The places of the codes on a page: below its head, in columns and rows of squares."""

    area: Box
    head: float
    columns: int
    rows: int
    side: float

    @classmethod
    def of_area(cls, area: Box, head: float) -> _Grid:
        height = area.height - head
        columns, rows = max(1, int(area.width / _NARROWEST)), max(1, int(height / (_NARROWEST + _CAPTION)))
        return cls(area, head, columns, rows, min(area.width / columns, height / rows - _CAPTION, _WIDEST))

    @property
    def codes_a_page(self) -> int:
        return self.columns * self.rows

    def place(self, number: int) -> Box:
        """Return the square of a page's code, counted from 0 along the rows."""
        row, column = divmod(number, self.columns)
        width = self.area.width / self.columns
        x = self.area.x + column * width + (width - self.side) / 2
        return Box(x, self.area.top - self.head - (row + 1) * (self.side + _CAPTION) + _CAPTION, self.side, self.side)


def _describe_codes(codes: int) -> str:
    return str(
        phrases(
            "{n} code has the page of this game. companion scan reads it, and so does “Scan a box” on the phone pages.",
            "{n} codes have the page of this game. companion scan reads them in any order, and so does “Scan a box” on "
            "the phone pages; several fit into one photograph.",
            n=codes,
        )
    )


def _draw_page(
    title: TextSetting, note: TextSetting, grid: _Grid, symbols: Sequence[Symbol], start: int, ink: Ink
) -> None:
    area = grid.area
    with ink.element("H1"):
        ink.lines(area.x, area.top, title)
    with ink.element():
        ink.lines(area.x, area.top - title.height - _AFTER_TITLE, note, style.SOFT)
    for number, symbol in enumerate(symbols[start : start + grid.codes_a_page]):
        square = grid.place(number)
        place = phrase("{number} of {count}", number=str(start + number + 1), count=str(len(symbols)))
        caption = fit_truncated(str(place), square.width, _CAPTION_TYPE, most_lines=1)
        with ink.element():
            ink.symbol(square, symbol)
            ink.lines(square.x, square.y, caption, style.SOFT, centred=square.width)
