"""A sheet of labels as it lies before you: which positions are free, used, waiting, and taken by this print-out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from companion.tui import drawing
from companion.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from companion.press.order import SheetMap

_LOOKS = {"■": "bold $text-accent", "×": drawing.DIM, "?": "bold $text-warning"}
_MEANING = "■ printed now", "· free", "× used", "? nobody said how it came out"


class SheetMapPanel(Panel["tuple[SheetMap, ...]"]):
    """The maps of all sheets, one below the other; with numbers where there is room for them."""

    grows = True

    @staticmethod
    def draw(part: tuple[SheetMap, ...], width: int) -> list[Content]:
        """A heading and a map for each sheet, then what the signs mean."""
        return [row for each in part for row in _sheet(each, width)] + list(_key(part, width))


def _sheet(each: SheetMap, width: int) -> Iterator[Content]:
    from labels import plan

    yield Content.styled(each.title, drawing.BOLD).truncate(width, ellipsis=True)
    numbered = list(plan.chart(each.stock, each.signs))
    fits = len(numbered[0]) <= width
    for row in numbered if fits else plan.chart(each.stock, each.signs, numbered=False):
        yield _coloured(row)


def _coloured(row: str) -> Content:
    return Content.assemble(*((symbol, _LOOKS.get(symbol, "")) for symbol in row))


def _key(part: tuple[SheetMap, ...], width: int) -> list[Content]:
    signs = {sign for each in part for sign in each.signs.values()}
    meant = [Content(told) for told in _MEANING if told[0] in signs or told[0] == "×"]
    return drawing.flow(meant, width, "  ") if part else []
