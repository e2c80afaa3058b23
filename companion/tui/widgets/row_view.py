"""A widget that is scrolled through and draws only the rows on screen. Shared by the log and by whole pages of text."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView

from companion.tui.textual_private.faults import FaultTolerant


class RowView(FaultTolerant, ScrollView):
    """As many rows as there are, of which only what is seen costs anything. Who is one draws a row in `render_line`."""

    DEFAULT_CSS = """
    RowView { scrollbar-size-vertical: 1; scrollbar-gutter: stable; overflow-x: hidden; }
    """

    def make_room(self, rows: int) -> None:
        """Let so many rows be scrolled through. The screen is laid out anew only where the scrollbar comes or goes."""
        size = Size(self.scrollable_content_region.width, rows)
        if self.show_vertical_scrollbar == (rows > self.scrollable_content_region.height):
            self.set_reactive(RowView.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = rows
        else:
            self.virtual_size = size

    def watch_show_vertical_scrollbar(self, is_shown: bool) -> None:
        """A scrollbar that comes stands where the rows already are."""
        if is_shown:
            self.vertical_scrollbar.position = self.scroll_y
