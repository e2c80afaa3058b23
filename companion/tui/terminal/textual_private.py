"""All private names of Textual that this program uses, in one place: test a new Textual here first.

They concern errors, and the painting of screens; `terminal_input` has those for input, `class_reading` those for a
start. No other module may use such a name.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from textual import events, on, strip
from textual._styles_cache import StylesCache
from textual.app import App, ScreenStackError
from textual.await_complete import AwaitComplete
from textual.color import Color
from textual.css.query import NoMatches
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widget import AwaitMount, Widget
from textual.worker import WorkerFailed, get_current_worker

R = TypeVar("R")


def _is_leaving(node: MessagePump, error: BaseException) -> bool:
    """Return True if a widget or screen is missing only because its screen, or the app, is closing.

    Widgets go one after another, then the screens, and messages that are still being processed come too late for some.
    """
    if not node.app.is_running:
        return isinstance(error, NoMatches | ScreenStackError)
    return isinstance(error, NoMatches) and isinstance(node, DOMNode) and node._pruning


class FaultTolerant(MessagePump):
    """A screen or widget that goes on processing messages after an error, which it passes to the app."""

    messages_in_progress = 0
    """The number of messages in progress."""

    async def _dispatch_message(self, message: Message) -> None:
        self.messages_in_progress += 1
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if not _is_leaving(self, error):
                self.app._handle_exception(error)
        finally:
            self.messages_in_progress -= 1

    async def _flush_next_callbacks(self) -> None:
        # Callbacks for right after a message are part of processing it, such as the screen that a closed form leads to.
        self.messages_in_progress += 1
        try:
            await super()._flush_next_callbacks()
        finally:
            self.messages_in_progress -= 1


class _Stylesheet(Stylesheet):
    """A stylesheet that parses each source once, and not again for each new screen: 9 % of the calls until a table is
    painted.
    """

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        self.parse()


class FaultHandlingApp(FaultTolerant, App[None]):
    """An app that handles every error, whether of a widget, a worker or a key."""

    paints_later = False
    """True while screens leave changes unpainted, as more are about to come."""

    runs_tasks_eagerly = False
    """Use asyncio's eager task factory (Python 3.12 and newer), as `App.run` does and `App.run_test` does not.

    With eager tasks Textual 8.2.8 mounts the first screen of a mode before its stack holds that screen, so that an
    `Input` with a value ends the app (Textualize/textual#6444). They gain nothing measurable here, so they are off,
    and every Python, `run_test` included, runs tasks alike.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stylesheet = _Stylesheet(variables=self.stylesheet._variables)

    async def _process_messages(self, *args: Any, **kwargs: Any) -> None:
        eager = getattr(asyncio, "eager_task_factory", None) if self.runs_tasks_eagerly else None
        asyncio.get_running_loop().set_task_factory(eager)
        await super()._process_messages(*args, **kwargs)

    def clear_selection(self) -> None:
        """See `textual.app.App.clear_selection`; does nothing before there is a screen."""
        with contextlib.suppress(ScreenStackError):
            super().clear_selection()

    def _get_screen(self, screen: Screen[Any] | str) -> tuple[Screen[Any], AwaitMount]:
        # A screen that an eager task mounts is styled at once: its sheet must be loaded by then.
        self._load_screen_css(self.get_screen(screen))
        return super()._get_screen(screen)

    def handle_fault(self, error: Exception) -> bool:
        """Report an error. Return False if the program cannot go on."""
        raise NotImplementedError

    def report_fault(self, error: Exception) -> None:
        """Handle an error that no message has caused."""
        self._handle_exception(error)

    @property
    def fatal_error(self) -> Exception | None:
        """The error that ended the app; None if the user closed it."""
        return self._exception if self.return_code else None

    def _fatal_error(self) -> None:
        # Textual would print a page of traceback: `companion.tui.app.run` raises the error instead.
        self._close_messages_no_wait()

    def panic(self, *renderables: object) -> None:
        """See `textual.app.App.panic`; errors that can print themselves are raised like all others."""
        if self._exception is None:  # The thread that reads the terminal has ended: its traceback is all there is.
            faults = [each.trace.stacks[0] for each in renderables if hasattr(each, "trace")]
            self._return_code = 1
            self._exception = RuntimeError(*(f"{fault.exc_type}: {fault.exc_value}" for fault in faults))
        self._fatal_error()

    def _handle_exception(self, error: Exception) -> None:
        node, cause = (get_current_worker().node, error.error) if isinstance(error, WorkerFailed) else (self, error)
        if _is_leaving(node, cause):
            return
        if not self.handle_fault(error):
            super()._handle_exception(error)


_MAX_STRIPS = 8
"""Derived strips that are kept for a strip."""

_MAX_UPDATES = 4
"""Updates of a screen for which its painting may be delayed."""


class _SmallCache(dict[object, object]):
    """A small cache of the strips derived from a strip, in place of Textual's seven that count their hits.

    Thousands of strips are made for a screen, and most caches are never read. This saves 11 % of the time of the keys
    that open a screen.
    """

    __slots__ = ()

    def __setitem__(self, key: object, value: object) -> None:
        if len(self) >= _MAX_STRIPS:
            self.clear()
        super().__setitem__(key, value)


class _NoCache(dict[object, object]):
    """A cache that keeps nothing."""

    __slots__ = ()

    def __setitem__(self, key: object, value: object) -> None:
        pass


_NO_CACHE = _NoCache()


def _strip_cache(size: int) -> dict[object, object]:
    """Return a cache for a strip.

    The large caches are for crops and styles, which are almost never read here: 3 times in 8,800 strips. All strips
    share one that keeps nothing, which saves half a MiB.
    """
    return _NO_CACHE if size > _MAX_STRIPS else _SmallCache()


strip.FIFOCache = _strip_cache  # type: ignore[assignment,attr-defined]


@lru_cache(1024)
def _inner_outer(base_background: Color, background: Color) -> tuple[Style, Style]:
    """Return the styles within and around a border.

    Textual's own (`StylesCache.get_inner_outer`) keeps the strips of each widget that asked until the program ends:
    27 MiB after 75 rounds of two screens (Textualize/textual#6665).
    """
    return Style(background=base_background + background), Style(background=base_background)


StylesCache.get_inner_outer = staticmethod(_inner_outer)  # type: ignore[assignment]


class PlainGround(Widget):
    """A container that only draws its background: one line is drawn for all rows, as they are equal.

    Most of it lies behind its children. This saves 2 % of the time until the first paint.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """See `textual.widget.Widget.render_lines`."""
        if self.gutter.height:
            return super().render_lines(crop)
        return super().render_lines(Region(crop.x, crop.y, crop.width, min(1, crop.height))) * crop.height


class BaseScreen(FaultTolerant, PlainGround, Screen[R]):
    """A screen that goes on after errors, and that is styled, laid out and painted once when it opens.

    It begins with the classes of the app's breakpoints, such as `-wide`: drawing during the mount depends on them, and
    keys that open a screen take 6 % less time. Its widgets keep the styles of the mount, which saves 10 % of that time;
    and it is painted when everything on it has its place and its text, which saves 8 %.
    """

    has_home_key: ClassVar[bool] = False
    """True if the screen has its own key that leads home."""

    is_home: ClassVar[bool] = False
    """True for home itself."""

    _is_new = True
    _updates_to_wait = 0
    _owes_paint = False
    _result_to_leave_with: tuple[R | None] | None = None

    def __init__(self) -> None:
        super().__init__()
        self._once_painted: list[Callable[[], object]] = []
        width, height = self.app.size
        for size, breakpoints in ((width, self.app.HORIZONTAL_BREAKPOINTS), (height, self.app.VERTICAL_BREAKPOINTS)):
            self.add_class(*[name for least, name in sorted(breakpoints or ()) if size >= least][-1:])

    async def take_pasted_cells(self, text: str) -> bool:  # noqa: ARG002 – what a screen may need
        """Take cells copied from a spreadsheet, separated by tabs. Return False to have them typed."""
        return False

    def dismiss(self, result: R | None = None) -> AwaitComplete:
        """Leave the screen with a result, as soon as nothing covers it. A screen that was left stays left.

        Textual removes whatever is on top: two reasons to leave at once, such as a seal and its notification, removed
        the next screen, too.
        """
        if self.is_active:
            return super().dismiss(result)
        self._result_to_leave_with = (result,)
        return AwaitComplete()

    @on(events.ScreenResume)
    def leave_late(self) -> None:
        """Leave a screen whose `dismiss` was called while another one covered it."""
        if self._result_to_leave_with is not None:
            (result,), self._result_to_leave_with = self._result_to_leave_with, None
            self.dismiss(result)

    @on(events.ScreenResume)
    def keep_styles(self, event: events.ScreenResume) -> None:
        """Skip the styling of a new screen, whose widgets have their styles already."""
        if self._is_new:
            self._is_new = False
            event.refresh_styles = False
            # The screen itself was made before its stylesheet was read.
            self.app.stylesheet.apply(self)
            self.keep_back()

    def keep_back(self) -> None:
        """Delay painting until all widgets have processed their size, but not for long."""
        self._updates_to_wait = _MAX_UPDATES
        self.call_after_refresh(self._paint_at_rest)

    def call_once_painted(self, callback: Callable[[], object]) -> None:
        """Call this once, right after the next paint of the screen."""
        self._once_painted.append(callback)

    @property
    def is_kept_back(self) -> bool:
        """True while painting is delayed."""
        return bool(self._updates_to_wait)

    @property
    def is_at_rest(self) -> bool:
        """True if every widget has its place and its text."""
        return not self._layout_required and not any(each.message_queue_size for each in self.walk_children())

    def _paint_at_rest(self) -> None:
        self._updates_to_wait = 0 if self.is_at_rest else self._updates_to_wait - 1
        if self._updates_to_wait:
            self.call_after_refresh(self._paint_at_rest)
        elif self._owes_paint:
            self.refresh()

    def catch_up(self) -> None:
        """Paint the changes that were left unpainted meanwhile."""
        self._on_timer_update()
        if self.is_current and self._compositor._dirty_regions:
            self._compositor_refresh()

    def _compositor_refresh(self) -> None:
        paints_later = isinstance(self.app, FaultHandlingApp) and self.app.paints_later
        self._owes_paint = self.is_kept_back or paints_later
        if not self._owes_paint:
            super()._compositor_refresh()
            # Yield to the thread that writes to the terminal, before this one processes the next message.
            time.sleep(0)
            callbacks, self._once_painted = self._once_painted, []
            for each in callbacks:
                self.call_later(each)


async def put_beneath(app: App[Any], screen: Screen[Any], first: Screen[R], close: Callable[[R | None], None]) -> None:
    """Make a screen and put it beneath the app's first one, which can then be closed: `close` receives its result."""
    _, mounted = app._get_screen(screen)
    app._load_screen_css(screen)
    await mounted
    screen._screen_resized(app.size)
    app._screen_stack.insert(0, screen)
    first._push_result_callback(app, close)


def paint(widget: Widget) -> None:
    """Paint a widget at once, even while its screen is busy and paints nothing by itself."""
    widget.screen._dirty_widgets.add(widget)
    widget.screen._on_timer_update()
