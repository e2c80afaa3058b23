"""A game that is over: how it ended, its turning points, what everybody has. It stands where the board was."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from companion.session.falls import Ending, Point
from companion.tui import drawing
from companion.tui.widgets.panel import Panel

_LINE = 5
"""Columns for the number of a line."""


class EndingPanel(Panel[Ending]):
    """The end of a game, told once; the questions below go on with what comes next."""

    grows = True

    @staticmethod
    def draw(part: Ending, width: int) -> list[Content]:
        """How it ended across the width, then who felled what and the biggest hits, then everybody's figures."""
        rows = [Content(""), Content.styled(part.title.upper().center(width), "bold reverse"), Content("")]
        for point in part.points:
            rows += _point(point, width)
        return [*rows, Content(""), *_people(part, width)]

    @staticmethod
    def briefer(part: Ending, width: int) -> Iterator[list[Content]]:
        """No empty rows; a row each; then fewer turning points: the last ones, and what fell before what was hit."""
        title = Content.styled(part.title.upper().center(width), "bold reverse")
        people = [row.truncate(width, ellipsis=True) for row in _people(part, width)]
        whole = [row for point in part.points for row in drawing.wrapped(_brief(point), width)]
        yield [title, *whole, *people]
        points = [_brief(point).truncate(width, ellipsis=True) for point in part.points]
        for first in range(len(points) + 1):
            yield [title, *points[first:], *people]


def _point(point: Point, width: int) -> list[Content]:
    head = _brief(point)
    if not point.fell:
        return [head.truncate(width, ellipsis=True)]
    return drawing.wrapped(head, width)


def _brief(point: Point) -> Content:
    number = (f"{point.line:>{_LINE}}  ", drawing.DIM)
    fell, told = drawing.single(", ".join(point.fell)), drawing.single(point.told)
    if point.decided:
        return Content.assemble(number, (told, "bold"), f"  {fell}")
    return Content.assemble(number, (f"{fell}: " if fell else "", "bold"), told)


def _people(part: Ending, width: int) -> list[Content]:
    names = max((len(name) for name, _ in part.people), default=0)
    rows = (Content.assemble((f"  {name:<{names}}  ", "bold"), figures) for name, figures in part.people)
    return [row.truncate(width, ellipsis=True) for row in rows]
