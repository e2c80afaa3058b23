"""A page of text to scroll through: broken into rows once for a width, and drawn only as far as it is seen."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual

from companion.tui.widgets.row_view import RowView


class Page(RowView):
    """Paragraphs one below the other."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id)
        self._whole = Content("")
        self._rows: list[Content] = []
        self._width = 0

    @property
    def text(self) -> str:
        """All of it as plain text."""
        return self._whole.plain

    def show(self, paragraphs: Iterable[Content]) -> None:
        """Show these from now on, from the first one."""
        self._whole = Content("\n").join(paragraphs)
        self._width = 0
        self._break()
        self.scroll_home(animate=False)

    def on_resize(self) -> None:
        """Break it anew where the width has changed."""
        self._break()

    def _break(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0 or width == self._width:
            return
        self._width = width
        self._rows = self._whole.wrap(width)
        self.make_room(len(self._rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of what is seen."""
        at = y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else Content("")
        drawn = Visual.to_strips(self, row, self._width, 1, self.visual_style, pad=True)
        return drawn[0] if drawn else Strip.blank(self._width, self.rich_style)
