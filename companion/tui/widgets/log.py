"""The log in sentences, newest visible. It draws only the rows on screen, so its length costs nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Region
from textual.markup import escape
from textual.strip import Strip

from companion.session.core.moments import Moment
from companion.tabletop.action import Tell
from companion.tabletop.notation.line_texts import LineText, lines_in_words
from companion.tui import drawing
from companion.tui.messages import AmendRequested
from companion.tui.terminal.textual_private import BaseScreen
from companion.tui.widgets.panel import RowView, with_bar
from templates.languages.messages import Finished, Text, current_language, phrase

_MARGIN = 6
_UNBROKEN = 10_000
"""A width at which no sentence is wrapped."""


class _LogRow(msgspec.Struct, frozen=True):
    margin: str
    text: str
    group: int


class LogView(RowView, can_focus=False):
    """The history of the table, one sentence per row, with the number by which `amend` refers to the line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"log--number", "log--text", "log--newest", "log--chosen"}
    DEFAULT_CSS = """
    LogView .log--number { color: $text-muted; }
    LogView .log--newest { color: $text-strong; text-style: bold; }
    LogView .log--chosen { color: $text-strong; background: $chosen; }
    """

    def __init__(self, describe: Callable[[Moment], Sequence[Tell]]) -> None:
        super().__init__()
        # Translators: The heading of the list of all that has happened in a game.
        self.border_title = str(phrase("Log"))
        self._describe = describe
        """Returns the sentences of a moment."""
        self._moments: tuple[Moment, ...] = ()
        self._starts: list[int] = []
        self._rows: list[_LogRow] = []
        self._drawn_at = 0
        self._drawn_in = current_language()
        self._ground = Style.null()
        self._selected: Moment | None = None
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(512)
        self.writers: Mapping[int, str] = {}
        """The author of each line by its number, if that matters: shown below the log for the chosen line."""

    @property
    def text(self) -> str:
        """The whole log as plain text; while it is hidden, no sentence is wrapped."""
        rows = self._rows or [row for each in self._moments for row in _rows_of(each, self._describe(each), _UNBROKEN)]
        return "\n".join(row.margin + row.text for row in rows)

    def show(self, moments: tuple[Moment, ...]) -> None:
        """Show these moments, oldest first; rows of unchanged moments are kept.

        While the log is hidden there are no rows: they are made once there is a width to wrap them to.
        """
        width = self.scrollable_content_region.width
        language = current_language()
        old = self._moments if (width, language) == (self._drawn_at, self._drawn_in) else ()
        same = _common(old, moments)
        if same == len(old) == len(moments) and width == self._drawn_at:
            return
        del self._rows[self._starts[same] if same < len(self._starts) else len(self._rows) :]
        if same == 0:
            self._rows.clear()
        del self._starts[same:]
        for moment in moments[same:] if width else ():
            self._starts.append(len(self._rows))
            self._rows += _rows_of(moment, self._describe(moment), max(width - _MARGIN, 10))
        if self._selected is not None and self._selected not in moments:
            self._selected = None
        self._moments, self._drawn_at, self._drawn_in = moments, width, language
        # Estimate a row per moment, so that the scrollbar is there from the start if there will be one.
        self.make_room(len(self._rows) if width else len(moments))
        # Even before the scrollbar comes: the newest line is visible at once.
        self.scroll_end(animate=False, immediate=True, force=True)
        self.refresh()

    @property
    def chosen(self) -> Moment | None:
        """The line that keys would amend."""
        return self._selected

    def choose(self, by: int) -> None:
        """Choose the line that is `by` places after the chosen one; 0 clears the choice."""
        at = self._moments.index(self._selected) if self._selected in self._moments else len(self._moments)
        at = min(max(at + by, 0), len(self._moments) - 1)
        # Moments without a sentence have no row.
        while 0 <= at + by < len(self._starts) and self._end(at) == self._starts[at]:
            at += by
        self._selected = self._moments[at] if by and self._moments else None
        who = self.writers.get(self._selected.number, "") if self._selected else ""
        if self._selected and who:
            number = str(self._selected.number)
            self.border_subtitle = escape(str(phrase("line {number} by {player}", number=number, player=who)))
        else:
            self.border_subtitle = ""
        if self._selected is not None and self._starts:
            row = self._starts[at]
            self.scroll_to_region(Region(0, row, 1, max(1, self._end(at) - row)), animate=False, immediate=True)
        self.refresh()

    def _is_of(self, moment: int, row: int) -> bool:
        """Return True if a row belongs to a moment."""
        return self._starts[moment] <= row < self._end(moment)

    def _end(self, at: int) -> int:
        """Return the number of the row after those of a moment."""
        return self._starts[at + 1] if at + 1 < len(self._starts) else len(self._rows)

    def on_click(self, event: events.Click) -> None:
        """Offer to amend a line on a click."""
        row = event.get_content_offset_capture(self).y + self.scroll_offset.y
        at = bisect_right(self._starts, row) - 1
        if 0 <= row < len(self._rows) and at >= 0:
            self.post_message(AmendRequested(self._moments[at].number, self._moments[at].text))

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the sentences to the new width; at first only the visible ones, as a long log has thousands of them."""
        del event
        screen, moments = self.screen, self._moments
        if self._drawn_at or not isinstance(screen, BaseScreen):
            self._show_end(moments)
            return
        newest = moments[-max(1, self.size.height) :]
        self._show_end(newest)
        if newest is not moments:
            screen.call_once_painted(lambda: self._show_end(moments if self._moments is newest else self._moments))

    def _show_end(self, moments: tuple[Moment, ...]) -> None:
        self.show(moments)
        self.scroll_end(animate=False, force=True)

    def render_lines(self, crop: Region) -> list[Strip]:
        """See `textual.widget.Widget.render_lines`. Looks up the background once for all rows, since that is slow."""
        self._ground = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Return a row of the visible part."""
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        ground = self._ground
        if at >= len(self._rows):
            return Strip.blank(width, ground)
        row = self._rows[at]
        newest = row.group == self._rows[-1].group
        is_chosen = self._selected is not None and self._is_of(self._moments.index(self._selected), at)
        key = (row, newest, is_chosen, width, ground)
        strip = self._strips.get(key)
        if strip is None:
            text = self.get_component_rich_style("log--newest" if newest else "log--text")
            number = self.get_component_rich_style("log--number")
            if is_chosen:
                text = number = ground = self.get_component_rich_style("log--chosen")
            strip = Strip([Segment(row.margin, number), Segment(row.text, text)]).adjust_cell_length(width, ground)
            strip = self._strips[key] = with_bar(strip, ground) if is_chosen else strip
        return strip


def _common(old: Sequence[Moment], new: Sequence[Moment]) -> int:
    """Return the number of leading moments that are the same in both."""
    shorter = min(len(old), len(new))
    # Most changes are at the end, which a look at the last common moment proves.
    if shorter and old[shorter - 1] is new[shorter - 1]:
        return shorter
    return next((at for at in range(shorter) if old[at] is not new[at]), shorter)


def _rows_of(moment: Moment, tells: Sequence[Tell], width: int) -> Iterator[_LogRow]:
    sentences = [drawing.with_signs(f"{'» ' if tell.by_hand else ''}{_say(tell.text)}") for tell in tells]
    margin = f"{moment.number:>{_MARGIN - 2}}  "
    for sentence in sentences:
        for piece in _wrap(sentence, width):
            yield _LogRow(margin, piece, moment.group)
            margin = " " * _MARGIN


def _say(text: Text) -> str:
    """Return a sentence of the log; a line of which the rules tell nothing is in words, as on phones.

    English readers see it as it is typed: its words are English, and it says a little more.
    """
    if not isinstance(text, LineText) or current_language().catalogue is None:
        return str(text)
    with lines_in_words():
        return str(Finished(text))


def _wrap(sentence: str, width: int) -> Iterator[str]:
    sentence = sentence.replace("\n", " ")
    sentence = drawing.narrow_glyphs(sentence)
    # Most fit, and a long log has thousands of them. No letter takes more than two columns.
    if 2 * len(sentence) <= width or cell_len(sentence) <= width:
        yield sentence
    else:
        yield from (piece.plain for piece in Content(sentence).wrap(width))
