"""A page of a PDF as a picture in half blocks, and a map of a sheet of labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip

from companion.tui import drawing
from companion.tui.widgets.panel import CHOSEN, Panel, RowView
from labels import output
from labels.geometry import INCH
from labels.output.drawing_lock import DRAWING_LOCK
from labels.paper import sheet
from templates.languages.messages import Message, phrase_in

if TYPE_CHECKING:
    from companion.printing.order import SheetMap


_SHARP = 4
"""The factor by which a page is drawn finer than shown, so that thin lines turn grey instead of vanishing."""

_SHADES = 52
"""Shades of each colour: the eye distinguishes no more in half blocks, and equal dots are drawn together."""

_STEP = 255 // (_SHADES - 1)
_IN_SHADES = [(value + _STEP // 2) // _STEP * _STEP for value in range(256)] * 3

_Dot = tuple[int, int, int]


class PageRows(NamedTuple):
    """A page as rows for the terminal, its number, and the number of pages."""

    rows: Sequence[Strip]
    page: int
    pages: int


def draw(document: bytes, page: int, width: int, height: int) -> PageRows:
    """Draw a page of a PDF, or its last one, in at most `width` columns and `height` rows (0 for any number
    of rows).
    """
    from PIL import Image

    with DRAWING_LOCK, output.proof.open_pdf(document) as pdf:
        pages = len(pdf)
        at = max(1, min(page, pages))
        size = pdf.size(at)
        scale = min(width / size[0], 2 * height / size[1] if height else width / size[0])
        fine = pdf.picture(at, INCH * scale * _SHARP)
    across, down = max(1, int(size[0] * scale)), max(2, int(size[1] * scale) // 2 * 2)
    small = fine.resize((across, down), Image.Resampling.BOX).point(_IN_SHADES)
    return PageRows(list(half_blocks(small.tobytes(), across)), at, pages)


def half_blocks(colours: bytes, across: int) -> Iterator[Strip]:
    """Yield two rows of dots per row of text. A page is mostly white: equal neighbours are drawn together."""
    dots = list(zip(colours[::3], colours[1::3], colours[2::3], strict=True))
    for at in range(0, len(dots), 2 * across):
        cells = zip(dots[at : at + across], dots[at + across : at + 2 * across], strict=True)
        runs = ((pair, sum(1 for _ in alike)) for pair, alike in groupby(cells))
        yield Strip([Segment("▄" * length, _two_dots(*pair)) for pair, length in runs], across)


@lru_cache(maxsize=4096)
def _two_dots(upper: _Dot, lower: _Dot) -> Style:
    return Style(color=Color.from_rgb(*lower), bgcolor=Color.from_rgb(*upper))


class PagePicture(RowView, can_focus=False):
    """The picture, to scroll through if it is higher than its room; empty at first."""

    _rows: Sequence[Strip] = ()

    def show(self, rows: Sequence[Strip]) -> None:
        """Show these rows from now on."""
        self._rows = rows
        self.make_room(len(rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a row of the visible part."""
        at = y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else Strip.blank(0)
        return row.extend_cell_length(self.content_size.width, self.visual_style.rich_style)


_LOOKS = {"■": f"bold {CHOSEN}", "×": drawing.DIM, "?": "bold $text-warning"}
# Translators: The messages from here on explain the signs on a map of a sheet of labels.
_MEANINGS: Final[Mapping[str, Message]] = {
    "■": phrase_in("label", "printed now"),
    "·": phrase_in("label", "free"),
    "×": phrase_in("label", "used"),
    "?": phrase_in("label", "result not reported yet"),
}


class SheetMapPanel(Panel["tuple[SheetMap, ...]"]):
    """The maps of all sheets, below each other; with numbers if there is room for them."""

    grows = True

    @staticmethod
    def draw(part: tuple[SheetMap, ...], width: int) -> list[Content]:
        """Draw a heading and a map for each sheet, then the meanings of the signs."""
        return [row for each in part for row in _draw_sheet(each, width)] + list(_draw_key(part, width))


def _draw_sheet(each: SheetMap, width: int) -> Iterator[Content]:
    yield Content.styled(str(each.title), drawing.BOLD).truncate(width, ellipsis=True)
    numbered = list(sheet.draw_map(each.stock, each.signs))
    fits = len(numbered[0]) <= width
    for row in numbered if fits else sheet.draw_map(each.stock, each.signs, numbered=False):
        yield Content.assemble(*((part, _LOOKS.get(part[-1], "")) for part in _POSITION.findall(row)))


_POSITION = re.compile(r"\d*■|[×?]|[^■×?\d]+|\d+")
"""A position that is printed now is highlighted with its number; of the others, the sign shows the state."""


def _draw_key(part: tuple[SheetMap, ...], width: int) -> list[Content]:
    signs = {sign for each in part for sign in each.signs.values()}
    meanings = [Content(f"{sign} {meaning}") for sign, meaning in _MEANINGS.items() if sign in signs or sign == "×"]
    return drawing.lay_out_rows(meanings, width, "  ") if part else []
