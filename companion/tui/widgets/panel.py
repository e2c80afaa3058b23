"""A widget that draws rows of text from one value, and draws again only when that value has changed."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual.content import Content
from textual.widget import Widget

P = TypeVar("P")


class Panel(Widget, Generic[P]):
    """Rows of text made from a `part`: whatever the panel shows. None shows nothing."""

    DEFAULT_CSS = """
    Panel { height: auto; }
    """

    part: P | None = None

    def show(self, part: P) -> None:
        """Show this from now on."""
        if part != self.part:
            self.part = part
            self.changed(part)
            self.refresh()

    def changed(self, part: P) -> None:
        """What else follows from a new part; titles, for example."""

    def draw(self, part: P, width: int) -> list[Content]:
        """The rows that show a part in so many columns."""
        raise NotImplementedError

    def needs(self, width: int) -> int:
        """How many rows it takes to show the part in so many columns."""
        return 0 if self.part is None else len(self.draw(self.part, width))

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 – Textual's
        """The rows needed, for `height: auto`."""
        return self.needs(width)

    def render(self) -> Content:
        """The rows, or as many as there is room for and a word on those that are missing."""
        width, height = self.content_size
        rows = self.draw(self.part, width) if self.part is not None and width > 0 else []
        if len(rows) > height > 0:
            rows = [*rows[: height - 1], Content.styled(f"… {len(rows) - height + 1} more", "$text-warning")]
        return Content("\n").join(rows)
