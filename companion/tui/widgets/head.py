"""The top of the table: the game, the table's own figures, and the steps of the round with the present one."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from companion.games.table import Counter, RoundStep
from companion.tui import drawing, table_drawing
from companion.tui.widgets.panel import Panel

_GAP = 3
"""Cells at least between the figures and the time."""


class HeadPart(NamedTuple):
    """The game, the table's own counters, the steps with the present one, and the time in a few words or fewer."""

    title: str
    counters: tuple[Counter, ...]
    steps: tuple[RoundStep, ...]
    step: str
    time: tuple[str, ...] = ()


class Head(Panel[HeadPart]):
    """Two rows that tell where the game stands."""

    @staticmethod
    def draw(part: HeadPart, width: int) -> list[Content]:
        """The game with its figures, then the steps."""
        told = [c for c in part.counters if c.shown and c.name != "step" and table_drawing.says_something(c)]
        row = Content.styled(part.title, "bold $text-accent")
        for counter in told:
            longer = row + drawing.BULLET + table_drawing.short(counter)
            row = longer if longer.cell_length <= width else row
        row = with_time(row.truncate(width, ellipsis=True), part.time, width)
        return [row, steps_in(part.steps, part.step, width)]


def with_time(row: Content, time: tuple[str, ...], width: int) -> Content:
    """A row with the time at its end: as many words of it as there is room for."""
    for words in time:
        gap = width - row.cell_length - len(words)
        if gap >= _GAP:
            return row + " " * gap + Content.styled(words, drawing.DIM)
    return row


def steps_in(steps: tuple[RoundStep, ...], present: str, width: int) -> Content:
    """The steps in one row, by their titles or, where they are too long, by those around the present one."""
    at = next((index for index, step in enumerate(steps) if step.name == present), None)
    full = _row(steps, at, 0, len(steps))
    if full.cell_length <= width or at is None:
        return full.truncate(width, ellipsis=True)
    first, last = at, at + 1
    row = _row(steps, at, first, last)
    while first > 0 or last < len(steps):
        wider = (max(0, first - 1), min(len(steps), last + 1))
        content = _row(steps, at, *wider)
        if content.cell_length > width:
            break
        (first, last), row = wider, content
    return row.truncate(width, ellipsis=True)


def _row(steps: tuple[RoundStep, ...], at: int | None, first: int, last: int) -> Content:
    pieces = ["… "] if first > 0 else []
    content = Content("".join(pieces))
    for index in range(first, last):
        gap = "" if index == first else " "
        content = content + gap + _step(steps[index].title, index, at)
    return content + ("" if last >= len(steps) else " …")


def _step(title: str, index: int, at: int | None) -> Content:
    if index == at:
        return Content.styled(f"▶{title}◀", "bold reverse")
    return Content.styled(f" {title} ", drawing.DIM if at is None or index < at else "")
