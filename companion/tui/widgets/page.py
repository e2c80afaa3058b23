"""A page of text to scroll through: wrapped once per size, and drawn only as far as it is visible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from companion.tui import drawing
from companion.tui.widgets.panel import RowView


class _ParagraphRow(NamedTuple):
    """A row, and where it begins in the text: the number of its line, and the characters of that line before it."""

    content: Content
    line: int
    before: int


class Page(RowView):
    """Paragraphs below each other.

    Text selected with the mouse is copied as it was written, without the line breaks of the display.
    """

    DEFAULT_CSS = """
    Page { scrollbar-gutter: auto; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id)
        self._lines: Sequence[Content] = ()
        self._rows: list[_ParagraphRow] = []
        self._broken_for = Size(0, 0)
        self._width = 0

    @property
    def text(self) -> str:
        """The whole page as plain text."""
        return "\n".join(line.plain for line in self._lines)

    def show(self, paragraphs: Iterable[Content]) -> None:
        """Show these paragraphs, scrolled to the first one."""
        signed = map(drawing.card_signs, paragraphs)
        self._lines = [line for each in signed for line in each.split("\n", allow_blank=True)]
        self._broken_for = Size(0, 0)
        self._break()
        self.scroll_home(animate=False)

    def on_resize(self) -> None:
        """Wrap the text again if the size has changed."""
        self._break()

    def _break(self) -> None:
        size = self.content_size
        if size.width <= 0 or size == self._broken_for:
            return
        self._broken_for = size
        self._width = size.width
        self._rows = list(_wrap_lines(self._lines, self._width)) if len(self._lines) <= size.height else []
        if not 0 < len(self._rows) <= size.height:
            # The scrollbar takes its column only if not everything is visible.
            self._width = max(1, size.width - self.styles.scrollbar_size_vertical)
            self._rows = list(_wrap_lines(self._lines, self._width))
        self.make_room(len(self._rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a row of the visible part."""
        at = y + self.scroll_offset.y
        style = self.visual_style
        strip = Strip.blank(0)
        if at < len(self._rows):
            row = self._rows[at]
            strips = Visual.to_strips(
                self, self._highlight_selection(row), self._width, 1, style, apply_selection=False
            )
            strip = strips[0].apply_offsets(row.before, row.line) if strips else strip
        return strip.extend_cell_length(self._width, style.rich_style)

    def _highlight_selection(self, row: _ParagraphRow) -> Content:
        """Return a row with its selected part highlighted."""
        span = self.text_selection.get_span(row.line) if self.text_selection else None
        if span is None:
            return row.content
        begin, end = span[0] - row.before, len(row.content) if span[1] == -1 else span[1] - row.before
        if end <= 0 or begin >= len(row.content):
            return row.content
        style = Style.from_styles(self.screen.get_component_styles("screen--selection"))
        return row.content.stylize(style, max(begin, 0), end)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the text that the mouse selected, and its line ending."""
        return selection.extract(self.text), "\n"


_HEAD: Final = re.compile(r" *(?:\S.{0,17}? {2,}(?=\S))?")
"""The head of a line before its text: blanks, and a word or a date set apart by blanks."""


def _wrap_lines(lines: Iterable[Content], width: int) -> Iterator[_ParagraphRow]:
    """Yield rows of at most a width; the further rows of a line are aligned with its text."""
    for number, line in enumerate(lines):
        head = _HEAD.match(line.plain)
        indent = head.end() if head and width > 2 * head.end() else 0
        before = 0
        for at, piece in enumerate(drawing.wrap_with_indent(line, width, indent)):
            margin = indent if at else 0
            text = piece.plain[margin:]
            before = max(line.plain.find(text, before), before)
            yield _ParagraphRow(piece, number, before - margin)
            before += len(text)
