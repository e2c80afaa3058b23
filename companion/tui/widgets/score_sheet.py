"""A score sheet: a row per round, a column per seat, and the totals below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from textual.content import Content

from companion.tabletop.table.table import ScoreRow, ScoreSheet
from companion.tui import drawing
from companion.tui.drawing import Detail
from companion.tui.widgets.panel import Panel
from templates.languages.messages import phrase_in

_ROWS: Final[Mapping[Detail, int]] = {
    Detail.FIGURES: 10,
    Detail.PANELS: 6,
    Detail.ROWS: 4,
    Detail.NAMES: 2,
    Detail.FIRST: 1,
    Detail.HEADS: 0,
}
"""The number of newest rounds that fit at each level of detail; at the full one, all of them."""
_APART: Final = 2
_AROUND: Final = 9
"""Columns of the frame and of the signs around its title."""
# Translators: The heading of the last row of a score sheet.
_TOTAL: Final = phrase_in("score", "Total")
# Translators: Points that are in the totals of a score sheet, but in none of its rows.
_BESIDES: Final = phrase_in("score", "Besides")
_SHORTEST: Final = 3
"""The minimum of letters for a name."""


class ScoreSheetPart(NamedTuple):
    """The view model of a score sheet."""

    sheet: ScoreSheet
    detail: Detail

    @property
    def is_framed(self) -> bool:
        """True if it has a frame; if rows are scarce it is a few rows of text."""
        return self.detail > Detail.ROWS


class ScoreSheetPanel(Panel[ScoreSheetPart]):
    """Names above, then as many of the newest rounds as fit, then the totals."""

    def apply_part(self, part: ScoreSheetPart) -> None:
        """Set the frame, whose title explains the cells."""
        sheet = part.sheet
        room = self.app.size.width - len(str(sheet.title)) - _AROUND
        words = sheet.briefly if sheet.briefly and len(str(sheet.written)) > room else sheet.written
        written = f"{drawing.BULLET}{words}" if words else ""
        self.border_title = Content.assemble((str(sheet.title), drawing.BOLD), (written, drawing.DIM))
        self.set_class(not part.is_framed, "-flat")

    def on_resize(self) -> None:
        """Explain the cells in the words that fit now."""
        if self.part is not None:
            self.apply_part(self.part)

    @staticmethod
    def draw(part: ScoreSheetPart, width: int) -> list[Content]:
        """Draw the grid with the newest rounds; the totals count all of them."""
        rows = part.sheet.rows
        most = _ROWS.get(part.detail, len(rows))
        return list(_draw_grid(part, rows[len(rows) - min(most, len(rows)) :], width))

    @staticmethod
    def briefer(part: ScoreSheetPart, width: int) -> Iterator[list[Content]]:
        """Yield fewer and fewer rounds, keeping the newest."""
        rows = part.sheet.rows
        for most in range(len(rows), -1, -1):
            yield list(_draw_grid(part, rows[len(rows) - most :], width))


def _draw_grid(part: ScoreSheetPart, rows: Sequence[ScoreRow], width: int) -> Iterator[Content]:
    """Yield the rows of the grid; if its columns do not fit side by side, some seats come below the others.

    Without a frame, whose title would explain the cells, their explanation is in the corner if it fits there.
    """
    sheet = part.sheet
    texts = [_cells(row) for row in rows]
    besides = [_BESIDES] if sheet.besides else []
    heading = max(len(str(title)) for title in (_TOTAL, *besides, *(row.title for row in rows)))
    needed = [
        max([_SHORTEST, *(len(written) + len(came) for written, came in column)]) for column in zip(*texts, strict=True)
    ] or [_SHORTEST for _ in sheet.seats]
    below = zip(sheet.totals, sheet.besides or sheet.totals, strict=True)
    needed = [max(need, *map(len, figures)) for need, figures in zip(needed, below, strict=True)]
    words = () if part.is_framed else filter(None, (str(sheet.written), str(sheet.briefly)))
    left = width - sum(needed) - _APART * len(needed)
    corner = next((each for each in words if len(each) <= left), "")
    heading = max(heading, len(corner))
    for first, end in _divide_columns(needed, width - heading):
        names = [str(name) for name in sheet.seats[first:end]]
        spare = width - heading - sum(needed[first:end]) - _APART * len(names)
        widths = _widen_columns(needed[first:end], [len(name) for name in names], spare)
        titles = [Content.styled(name[:wide], drawing.BOLD) for name, wide in zip(names, widths, strict=True)]
        yield _draw_row(corner, titles, heading, widths)
        for row, cells in zip(rows, texts, strict=True):
            pieces = [Content.assemble(written, (came, drawing.FIGURE)) for written, came in cells[first:end]]
            yield _draw_row(str(row.title), pieces, heading, widths)
        if sheet.besides:
            yield _draw_row(str(_BESIDES), [Content(besides) for besides in sheet.besides[first:end]], heading, widths)
        totals = [Content.styled(total, drawing.FIGURE) for total in sheet.totals[first:end]]
        yield _draw_row(str(_TOTAL), totals, heading, widths)


def _divide_columns(needed: Sequence[int], width: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of columns that fit side by side, in as few ranges of about one size as possible."""
    count = len(needed)
    for ranges in range(1, count + 1):
        size = -(-count // ranges)
        divided = [(first, min(first + size, count)) for first in range(0, count, size)]
        if size == 1 or all(sum(needed[at:end]) + _APART * (end - at) <= width for at, end in divided):
            yield from divided
            return


def _cells(row: ScoreRow) -> list[tuple[str, str]]:
    """Return the texts of a row's cells: each cell and its points."""
    return [(cell, f" {points}" if points else "") for cell, points in zip(row.cells, row.points, strict=True)]


def _widen_columns(needed: Sequence[int], wanted: Sequence[int], spare: int) -> list[int]:
    """Widen columns for their names as far as there is room."""
    widths = []
    for need, want in zip(needed, wanted, strict=True):
        more = max(0, min(want - need, spare))
        spare -= more
        widths.append(need + more)
    return widths


def _draw_row(title: str, cells: Sequence[Content], heading: int, widths: Sequence[int]) -> Content:
    row = Content.styled(title.ljust(heading), drawing.DIM)
    for cell, wide in zip(cells, widths, strict=True):
        row = row + " " * _APART + cell.pad_left(max(0, wide - cell.cell_length))
    return row
