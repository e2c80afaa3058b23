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
_FRAME: Final = 4
"""Columns of the frame around the grid."""
_FEWEST_LETTERS: Final = 2
"""The minimum of letters for the title of a column."""
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
        words = _explain_cells(sheet, self.app.size.width - len(str(sheet.title)) - _AROUND)
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

    Without a frame, whose title would explain the cells, their explanation is in the corner if it fits there. One that
    fits neither in the title nor in the corner has rows of its own.
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
    left = width - sum(needed) - _APART * len(needed)
    corner = "" if part.is_framed else _explain_cells(sheet, left)
    heading = max(heading, len(corner))
    in_title = part.is_framed and _explain_cells(sheet, width - len(str(sheet.title)) - _AROUND + _FRAME)
    if rows and sheet.written and not (corner or in_title):
        words = _explain_cells(sheet, width) or str(sheet.written).replace("/", "/ ")
        yield from drawing.wrap_content(Content.styled(words, drawing.DIM), width)
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


def _explain_cells(sheet: ScoreSheet, room: int) -> str:
    """Return the explanation of the cells in at most `room` columns of the screen, in short words if need be.

    Return "" if there is none, or if even short words do not fit.
    """
    several = (str(sheet.written), str(sheet.briefly), shorten_titles(str(sheet.written), room))
    return next((each for each in several if each and len(each) <= room), "")


def shorten_titles(titles: str, room: int) -> str:
    """Return titles with `/` between them in at most `room` columns, no two of which read alike; "" if none fit.

    Each keeps as many of its first letters as possible, at least two. Titles with the same first letters end with the
    letter in which they differ: `Rd1/Rd2`.
    """
    whole = titles.split("/")
    for most in range(max(map(len, whole)) - 1, _FEWEST_LETTERS - 1, -1):
        alike = [_shorten_title(title, whole, most) for title in whole]
        longer = (_shorten_title(title, whole, most + 1) for title in whole)
        short = [more if alike.count(each) > 1 else each for each, more in zip(alike, longer, strict=True)]
        fits = sum(map(len, short)) + len(short) - 1 <= room
        if fits and len(set(short)) == len(set(whole)):
            return "/".join(short)
    return ""


def _shorten_title(title: str, others: Sequence[str], most: int) -> str:
    """Return the first letters of a title, at most `most`; the last one may be what tells it from the others."""
    begun = title[:most].rstrip()
    alike = {other for other in others if other != title and other[:most].rstrip() == begun}
    if not alike:
        return begun
    for at in range(most, len(title)):
        if title[at].strip() and all(other[at : at + 1] != title[at] for other in alike):
            return title[: most - 1].rstrip() + title[at]
    return begun


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
