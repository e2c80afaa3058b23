"""A page of a PDF as a picture, in half blocks, which every terminal can show.

Separate because only here pictures are drawn; the libraries for it are loaded with the first one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.widgets import Static

from companion.tui.textual_private import FaultTolerant

if TYPE_CHECKING:
    from rich_pixels import Pixels

_SHARP = 4
"""How many times finer a page is drawn than shown, so that thin lines become grey instead of vanishing."""

_ONE_AT_A_TIME = threading.Lock()
"""The library that draws PDFs bears no second thread."""


class Drawn(NamedTuple):
    """A page as the terminal can show it, and how many pages there are."""

    picture: Pixels
    page: int
    pages: int


def draw(document: bytes, page: int, width: int, height: int) -> Drawn:
    """A page of a PDF, the last one where there are fewer, in at most so many columns and rows; 0 rows: any number."""
    from PIL import Image
    from rich_pixels import Pixels

    from labels import proof

    with _ONE_AT_A_TIME:
        pages = proof.count(document)
        at = max(1, min(page, pages))
        size = proof.page(document, at, 18).size
        scale = min(width / size[0], 2 * height / size[1] if height else width / size[0])
        across, down = max(1, int(size[0] * scale)), max(2, int(size[1] * scale) // 2 * 2)
        fine = proof.page(document, at, 18 * scale * _SHARP)
    colours = fine.resize((across, down), Image.Resampling.BOX).tobytes()
    dots = list(zip(colours[::3], colours[1::3], colours[2::3], strict=True))
    return Drawn(Pixels.from_segments(list(_half_blocks(dots, across))), at, pages)


def _half_blocks(dots: Sequence[tuple[int, int, int]], across: int) -> Iterator[Segment]:
    """Two rows of dots in each row of text. A page is mostly white: what is alike side by side is drawn in one."""
    for at in range(0, len(dots), 2 * across):
        cells = zip(dots[at : at + across], dots[at + across : at + 2 * across], strict=True)
        for (upper, lower), alike in groupby(cells):
            yield Segment("▄" * len(list(alike)), Style(color=Color.from_rgb(*lower), bgcolor=Color.from_rgb(*upper)))
        yield Segment("\n")


class PagePicture(FaultTolerant, Static):
    """The picture; what is not drawn yet is empty."""
