"""Nothing is read, kept or painted that nobody sees: styles are read once, and a screen is painted when it can be seen.

Textual decides that in its own classes, a screen paints between its messages only, and a wait is told in one.
"""

from __future__ import annotations

from typing import TypeVar

from textual import strip
from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen
from textual.widget import Widget

from companion.tui.textual_private.faults import FaultTellingApp

R = TypeVar("R")

_SOURCES = 512
"""More files and classes with styles than there are."""

_MOST_KEPT = 8
"""Strips that are kept of those made alike of another one."""

_MOST_UPDATES = 4
"""Updates of a screen that it may be kept back for."""


class StylesReadOnce(Stylesheet):
    """Styles of which each source is read once: Textual reads all of them anew for every screen that brings its own."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(_SOURCES)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Other colours are another reading; the same ones are not."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Take in what has come; what was read before is still known."""
        self.parse()


# For each widget that comes, every rule is looked up among those that may be about it: Python's own way is quickest.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]


class _FewKept(dict[object, object]):
    """What a strip keeps of what was made of it, instead of seven caches that count what they are asked for: thousands
    of strips are made for a screen, and most are asked for nothing.
    """

    __slots__ = ()

    def __init__(self, most: int) -> None:
        del most

    def __setitem__(self, key: object, value: object) -> None:
        if len(self) >= _MOST_KEPT:
            self.clear()
        super().__setitem__(key, value)


strip.FIFOCache = _FewKept  # type: ignore[assignment,attr-defined]


def read_styles(kind: type[Widget], stylesheet: Stylesheet) -> None:
    """Read the styles that a kind of widget brings, before its first one comes."""
    # Textual asks a widget, of which it looks at nothing but its class.
    for read_from, css, tie_breaker, scope in kind._get_default_css(kind.__new__(kind)):
        stylesheet.add_source(css, read_from, is_default_css=True, tie_breaker=tie_breaker, scope=scope)


class PaintsWhenSeen(Screen[R]):
    """A screen that is painted when it can be seen: not while the app keeps it back (what Textual draws then is
    thrown away), and when it comes not before everything on it has its place and its text.
    """

    _waits_for = 0

    def keep_back(self) -> None:
        """Paint nothing until what stands on the screen has dealt with its size, but not for long."""
        self._waits_for = _MOST_UPDATES
        self.call_after_refresh(self._paint_at_rest)

    @property
    def is_kept_back(self) -> bool:
        """Whether it is painted later."""
        return bool(self._waits_for)

    @property
    def is_at_rest(self) -> bool:
        """Whether everything on it has its place and its text."""
        return not self._layout_required and not any(each.message_queue_size for each in self.walk_children())

    def _paint_at_rest(self) -> None:
        self._waits_for = 0 if self.is_at_rest else self._waits_for - 1
        if self._waits_for:
            self.call_after_refresh(self._paint_at_rest)
        else:
            self.refresh()

    def catch_up(self) -> None:
        """Paint now what has changed and was not painted while the app painted later."""
        self._on_timer_update()
        if self.is_current and self._compositor._dirty_regions:
            self._compositor_refresh()

    def _compositor_refresh(self) -> None:
        paints_later = isinstance(self.app, FaultTellingApp) and self.app.paints_later
        if not (self.is_kept_back or paints_later or self.app._batch_count):
            super()._compositor_refresh()


def paint(widget: Widget) -> None:
    """Paints a widget at once, also while its screen waits for something to be done and paints nothing by itself."""
    widget.screen._dirty_widgets.add(widget)
    widget.screen._on_timer_update()
