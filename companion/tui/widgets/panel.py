"""Widgets that draw only their visible part: rows of text from one value, and long lists page by page."""

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
from companion.tui.terminal.textual_private import FaultTolerant, PlainGround
from templates.languages.messages import current_language, phrase


class PlainContainer(PlainGround, Container):
    """A container that draws nothing of its own."""


class RowView(FaultTolerant, ScrollView):
    """A scrollable view of any number of rows; only the visible ones cost anything.

    Subclasses draw a row in `render_line`.
    """

    DEFAULT_CSS = """
    RowView { scrollbar-size-vertical: 1; scrollbar-gutter: stable; overflow-x: hidden; }
    """

    def make_room(self, rows: int) -> None:
        """Set the number of rows to scroll through.

        The screen is laid out again only if the scrollbar comes or goes.
        """
        size = Size(self.scrollable_content_region.width, rows)
        if self.show_vertical_scrollbar == (rows > self.scrollable_content_region.height):
            self.set_reactive(RowView.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = rows
        else:
            self.virtual_size = size

    def watch_show_vertical_scrollbar(self, is_shown: bool) -> None:
        """Set a new scrollbar to the position of the rows."""
        if is_shown:
            self.vertical_scrollbar.position = self.scroll_y


def same_rows(rows: Sequence[Option], others: Sequence[Option]) -> bool:
    """Return True if rows have the same text, styles, ids and states."""
    return len(rows) == len(others) and all(map(_is_same_option, rows, others))


def _is_same_option(one: Option, other: Option) -> bool:
    if (one.id, one.disabled) != (other.id, other.disabled):
        return False
    if isinstance(one.prompt, Content) and isinstance(other.prompt, Content):
        return drawing.card_signs(one.prompt).is_same(drawing.card_signs(other.prompt))
    return one.prompt == other.prompt


CHOSEN: Final = "$text-strong on $chosen"
"""The style of the chosen row or cell, in every widget."""
_BAR: Final = "▌"


def chosen_row(content: Content, width: int = 0) -> Content:
    """Return a row or cell in its chosen style: a bar in the first column, and one background for all of it."""
    row = content.pad_right(max(0, width - content.cell_length))
    return Content.styled(_BAR, "$chosen-bar on $chosen") + row[1:].stylize_before(CHOSEN)


def with_bar(strip: Strip, style: Style) -> Strip:
    """Return a drawn row with the bar in its first column, on the background of a style."""
    return Strip.join([Strip([Segment(_BAR, style + _bar_style())], 1), strip.crop(1)])


def _bar_style() -> Style:
    return VisualStyle.parse("$chosen-bar on $chosen").rich_style


def _with_signs(option: VisualType | Option | None) -> VisualType | Option | None:
    """Return an option with the signs of cards."""
    if type(option) is not Option or not isinstance(option.prompt, Content):
        return option
    prompt = drawing.card_signs(option.prompt)
    return option if prompt is option.prompt else Option(prompt, option.id, option.disabled)


class ChoosingList(FaultTolerant, OptionList):
    """Rows to choose from; a bar at the left edge marks the chosen one.

    If a stylesheet gives that row another background than `$chosen`, as in an inactive list, there is no bar.
    """

    is_active = True
    """True if Enter takes the chosen row; of several lists only one is active, and no row of the others is marked."""

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
    """Rows of text drawn from a `part`, the panel's view model. None shows nothing."""

    DEFAULT_CSS = """
    Panel { height: auto; text-wrap: nowrap; text-overflow: clip; }
    """

    grows: ClassVar[bool] = False
    """True if the height follows from the content; otherwise the parent sets it."""

    @property
    def link_style(self) -> Style:
        """See `textual.widget.Widget.link_style`: links look like the text around them."""
        return Style.null()

    @property
    def link_style_hover(self) -> Style:
        """See `textual.widget.Widget.link_style_hover`: a link under the mouse is underlined."""
        return Style(underline=True)

    part: P | None = None
    _rows_before: int = 0
    _cache: tuple[object, list[Content]] = (None, [])

    def show(self, part: P) -> None:
        """Show this part from now on."""
        if part == self.part:
            return
        self.part = part
        self.apply_part(part)
        self.refresh(layout=self.grows and self._has_grown())

    def _has_grown(self) -> bool:
        width = self.content_size.width
        before, self._rows_before = self._rows_before, self.needs(width) if width else -1
        return before != self._rows_before

    def apply_part(self, part: P) -> None:
        """Apply the other consequences of a new part, such as titles."""

    @staticmethod
    def draw(part: P, width: int) -> list[Content]:
        """Return the rows of a part at a width."""
        raise NotImplementedError

    @staticmethod
    def briefer(part: P, width: int) -> Iterator[list[Content]]:
        """Yield the part in fewer and fewer rows, for when there is no room for all of them."""
        del part, width
        yield from ()

    @classmethod
    def fit_rows(cls, part: P, rows: list[Content], width: int, height: int) -> list[Content]:
        """Return the rows of a part for a height; a panel may override this to use the rows that are left."""
        if len(rows) <= height:
            return rows
        return next((brief for brief in cls.briefer(part, width) if len(brief) <= height), rows)

    def needs(self, width: int) -> int:
        """Return the number of rows that the part takes at a width."""
        return len(self._rows(width))

    def _rows(self, width: int) -> list[Content]:
        """Return the rows, from the cache if neither the part nor the width nor the language has changed."""
        if self.part is None or width <= 0:
            return []
        key, rows = self._cache
        new_key = (self.part, width, current_language())
        if key != new_key:
            rows = self._draw_safely(self.part, width)
            self._cache = (new_key, rows)
        return rows

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 – Textual's
        """Return the rows needed, for `height: auto`."""
        return self.needs(width)

    def _draw_safely(self, part: P, width: int) -> list[Content]:
        """Draw the rows, or the reason why they cannot be drawn: one faulty panel must not end the evening."""
        return _draw_or_explain(lambda: self.draw(part, width), width)

    def _fit_safely(self, part: P, rows: list[Content], width: int, height: int) -> list[Content]:
        return _draw_or_explain(lambda: self.fit_rows(part, rows, width, height), width)

    def render(self) -> Content:
        """Draw the rows, or as many as fit, with the number of missing ones."""
        width, height = self.content_size
        rows = self._rows(width)
        if height > 0 and self.part is not None:
            rows = self._fit_safely(self.part, rows, width, height)
        if len(rows) > height > 0:
            rows = drawing.cut_rows(rows, height, width)
        return drawing.card_signs(Content("\n").join(rows))


def _draw_or_explain(draw: Callable[[], list[Content]], width: int) -> list[Content]:
    try:
        return draw()
    except Exception as error:
        text = phrase("This cannot be drawn ({fault}).", fault=f"{type(error).__name__}: {error}")
        return drawing.wrap_content(Content.styled(f"✗ {text}", drawing.BOLD), width)


class PagedList(ChoosingList, can_focus=False):
    """A page of a list: the rows from number `at` (from 0) on, of `total`."""

    at = 0
    total = 0
    nothing = ""
    """The text while there is no row."""

    def show(self, options: Sequence[Option], at: int, total: int, highlighted: int = 0) -> None:
        """Show these rows from now on; `highlighted` counts from the first of them."""
        self.at, self.total = at, total
        rows = options or [Option(text, disabled=True) for text in (self.nothing,) if text]
        if not same_rows(self.options, rows):
            self.set_options(rows)
        self.highlighted = max(0, min(highlighted, len(options) - 1)) if options else None
        # Translators: The rows that are visible, and how many there are.
        visible = phrase("{first}–{last} of {all}", first=at + 1, last=at + len(options), all=total)
        self.border_subtitle = str(visible) if len(options) < total else ""

    def move(self, by: int) -> int | None:
        """Move the highlight by some rows; if the target is on another page, return its number instead."""
        if not self.total:
            return None
        row = max(0, min(self.at + (self.highlighted or 0) + by, self.total - 1))
        if self.at <= row < self.at + self.option_count:
            self.highlighted = row - self.at
            return None
        return row

    @property
    def chosen(self) -> str:
        """The id of the highlighted row; "" if there is none."""
        return "" if self.highlighted is None else str(self.get_option_at_index(self.highlighted).id)
