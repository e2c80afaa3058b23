"""Widgets that draw only what is seen: rows of text from one value, long lists a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Final, Generic, Self, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.containers import Container
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.tui import drawing
from companion.tui.textual_private import FaultTolerant, PlainGround


class PlainContainer(PlainGround, Container):
    """A container with nothing of its own."""


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


def same_rows(rows: Sequence[Option], others: Sequence[Option]) -> bool:
    """Whether rows say the same in the same looks, and can be chosen alike."""
    return len(rows) == len(others) and all(map(_same, rows, others))


def _same(one: Option, other: Option) -> bool:
    if (one.id, one.disabled) != (other.id, other.disabled):
        return False
    if isinstance(one.prompt, Content) and isinstance(other.prompt, Content):
        return drawing.card_signs(one.prompt).is_same(drawing.card_signs(other.prompt))
    return one.prompt == other.prompt


CHOSEN: Final = "$text-strong on $chosen"
"""The look of what is chosen, wherever it stands."""
_BAR: Final = "▌"


def chosen_row(content: Content, width: int = 0) -> Content:
    """A row, or a cell, as it looks while it is chosen: a bar in its first column, and all of it on one ground."""
    row = content.pad_right(max(0, width - content.cell_length))
    return Content.styled(_BAR, "$chosen-bar on $chosen") + row[1:].stylize_before(CHOSEN)


def with_bar(strip: Strip, style: Style) -> Strip:
    """A drawn row with the bar in its first column, on the ground of a style."""
    return Strip.join([Strip([Segment(_BAR, style + _bar_style())], 1), strip.crop(1)])


def _bar_style() -> Style:
    return VisualStyle.parse("$chosen-bar on $chosen").rich_style


def _with_signs(option: VisualType | Option | None) -> VisualType | Option | None:
    """An option with cards as they look."""
    if type(option) is not Option or not isinstance(option.prompt, Content):
        return option
    prompt = drawing.card_signs(option.prompt)
    return option if prompt is option.prompt else Option(prompt, option.id, option.disabled)


class ChoosingList(FaultTolerant, OptionList):
    """Rows to choose from; a bar stands before the chosen one, at the left edge.

    A stylesheet that gives that row another ground than `$chosen`, in a list that has to wait, leaves out the bar, too.
    """

    is_active = True
    """Whether Enter takes the chosen row; of several lists only one is so, and no row of the others looks chosen."""

    def add_options(self, new_options: Iterable[VisualType | Option | None]) -> Self:
        """See `textual.widgets.OptionList.add_options`; cards get their signs."""
        return super().add_options(map(_with_signs, new_options))

    def render_line(self, y: int) -> Strip:
        """See `textual.widgets.OptionList.render_line`."""
        strip = super().render_line(y)
        first = next(iter(strip), None)
        if not self.is_active or self.highlighted is None or first is None or first.style is None:
            return strip
        if first.style.meta.get("option") != self.highlighted or first.style.bgcolor != _bar_style().bgcolor:
            return strip
        return with_bar(strip, first.style)


P = TypeVar("P")


class Panel(FaultTolerant, Widget, Generic[P]):
    """Rows of text made from a `part`: whatever the panel shows. None shows nothing."""

    DEFAULT_CSS = """
    Panel { height: auto; text-wrap: nowrap; text-overflow: clip; }
    """

    grows: ClassVar[bool] = False
    """Whether the panel's own height follows from what it shows; otherwise who holds it gives it one."""

    @property
    def link_style(self) -> Style:
        """See `textual.widget.Widget.link_style`: what can be clicked looks as it would without that."""
        return Style.null()

    @property
    def link_style_hover(self) -> Style:
        """What the mouse is on is underlined."""
        return Style(underline=True)

    part: P | None = None
    _rows_before: int = 0
    _cache: tuple[object, list[Content]] = (None, [])

    def show(self, part: P) -> None:
        """Show this from now on."""
        if part == self.part:
            return
        self.part = part
        self.changed(part)
        self.refresh(layout=self.grows and self._has_grown())

    def _has_grown(self) -> bool:
        width = self.content_size.width
        before, self._rows_before = self._rows_before, self.needs(width) if width else -1
        return before != self._rows_before

    def changed(self, part: P) -> None:
        """What else follows from a new part; titles, for example."""

    @staticmethod
    def draw(part: P, width: int) -> list[Content]:
        """The rows that show a part in so many columns."""
        raise NotImplementedError

    @staticmethod
    def briefer(part: P, width: int) -> Iterator[list[Content]]:
        """The same in fewer and fewer rows, for where there is not room for all of them."""
        del part, width
        yield from ()

    @classmethod
    def fitted(cls, part: P, rows: list[Content], width: int, height: int) -> list[Content]:
        """The rows of a part as they are drawn where there is room for so many; a panel may use what is left of it."""
        if len(rows) <= height:
            return rows
        return next((brief for brief in cls.briefer(part, width) if len(brief) <= height), rows)

    def needs(self, width: int) -> int:
        """How many rows it takes to show the part in so many columns."""
        return len(self._rows(width))

    def _rows(self, width: int) -> list[Content]:
        """The rows as drawn last, where neither the part nor the width has changed since."""
        if self.part is None or width <= 0:
            return []
        key, rows = self._cache
        if key != (self.part, width):
            rows = self._draw_safely(self.part, width)
            self._cache = ((self.part, width), rows)
        return rows

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 – Textual's
        """The rows needed, for `height: auto`."""
        return self.needs(width)

    def _draw_safely(self, part: P, width: int) -> list[Content]:
        """The rows, or a word on why they cannot be drawn: one faulty panel must not end the evening."""
        return _draw_or_explain(lambda: self.draw(part, width), width)

    def _fit_safely(self, part: P, rows: list[Content], width: int, height: int) -> list[Content]:
        return _draw_or_explain(lambda: self.fitted(part, rows, width, height), width)

    def render(self) -> Content:
        """The rows, or as many as there is room for and a word on those that are missing."""
        width, height = self.content_size
        rows = self._rows(width)
        if height > 0 and self.part is not None:
            rows = self._fit_safely(self.part, rows, width, height)
        if len(rows) > height > 0:
            rows = drawing.cut(rows, height, width)
        return drawing.card_signs(Content("\n").join(rows))


def _draw_or_explain(draw: Callable[[], list[Content]], width: int) -> list[Content]:
    try:
        return draw()
    except Exception as error:
        text = f"✗ This cannot be drawn ({type(error).__name__}: {error})."
        return drawing.wrapped(Content.styled(text, drawing.BOLD), width)


class PagedList(ChoosingList, can_focus=False):
    """The rows from number `at` (from 0) on, of `total`."""

    at = 0
    total = 0
    nothing = ""
    """What stands there as long as there is no row."""

    def show(self, options: Sequence[Option], at: int, total: int, highlighted: int = 0) -> None:
        """Show these rows from now on; `highlighted` counts from the first of them."""
        self.at, self.total = at, total
        rows = options or [Option(text, disabled=True) for text in (self.nothing,) if text]
        if not same_rows(self.options, rows):
            self.set_options(rows)
        self.highlighted = max(0, min(highlighted, len(options) - 1)) if options else None
        range_text = f"{at + 1:,}–{at + len(options):,} of {total:,}" if len(options) < total else ""
        self.border_subtitle = range_text

    def move(self, by: int) -> int | None:
        """Move the highlight by so many rows, within the list; gives the row wanted where that is on another page."""
        if not self.total:
            return None
        row = max(0, min(self.at + (self.highlighted or 0) + by, self.total - 1))
        if self.at <= row < self.at + self.option_count:
            self.highlighted = row - self.at
            return None
        return row

    @property
    def chosen(self) -> str:
        """The id of the highlighted row; "" where there is none."""
        return "" if self.highlighted is None else str(self.get_option_at_index(self.highlighted).id)
