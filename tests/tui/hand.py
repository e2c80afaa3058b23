"""A hand that plays: presses keys and waits until the screen shows what it should, with a deadline."""

import asyncio
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress

from textual import events
from textual.app import ScreenStackError
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from companion.tui.app import CompanionApp
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.table import TableScreen
from companion.tui.terminal.terminal_input import key_of
from companion.tui.widgets.bars import KeyBar, StatusLine
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.form_sheet import FormSheet
from companion.tui.widgets.page import Page
from companion.tui.widgets.welcome import Welcome

PATIENCE = 30.0
"""Seconds after which what should be on the screen is missing; a machine that does eight things at once takes long."""

LONG = 5.0
"""Seconds after which the effect of a key is left to go on by itself."""

RESTS = 2
"""Looks in a row that find nothing under way: a message may cause another one once the screen is drawn."""

STILL = 3
"""Looks in a row that must see the same."""


def _character_of(key: str) -> str | None:
    """Return the character of a key that has a name, such as "space", None for "f1" and the like."""
    try:
        return unicodedata.lookup(key.replace("_", " "))
    except KeyError:
        return None


class Hand:
    """One person at the keyboard."""

    def __init__(self, app: CompanionApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; fail, with what is on the screen, where it does not in time."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, f"not in time; the screen says: {self.status}"
            await asyncio.sleep(0.01)

    async def at_table(self) -> TableScreen:
        """Wait for the table to be on the screen; its keys count at once, and a change ends with Enter only."""
        await self.until(lambda: isinstance(self.app.screen, TableScreen) and self.app.screen.is_running)
        self.table.settle = 0.0
        self.table.tally_delay = PATIENCE
        await self.until(lambda: bool(self.table.query(KeyBar)) and self.table.keys.part is not None)
        await self.settle()
        return self.table

    async def settle(self) -> None:
        """Wait until everything on the screen has its place and its text, and keeps them: a busy machine draws late."""
        deadline = time.monotonic() + PATIENCE
        looks: list[object] = []
        while len(looks) < STILL or any(look != looks[-1] for look in looks[-STILL:]):
            assert time.monotonic() < deadline, "the screen does not come to rest"
            await self.pilot.pause(0.01)
            # What is still under way, such as a list that is filled in turns, may stand still for a while.
            looks = [] if self._is_under_way else [*looks, self._look()]

    @property
    def _is_under_way(self) -> bool:
        """Whether something is made for the screen beside it."""
        screen = self.app.screen
        return any(screen in work.node.ancestors_with_self for work in self.app.workers if not work.is_finished)

    def _look(self) -> object:
        """Where everything is, and what is drawn there."""
        widgets = [widget for widget in self.app.screen.walk_children(Widget) if widget.region.area]
        return [(widget, widget.region, widget.render_lines(widget.size.region)) for widget in widgets]

    @property
    def table(self) -> TableScreen:
        """The table on the screen."""
        assert isinstance(self.app.screen, TableScreen)
        return self.app.screen

    @property
    def bar(self) -> str:
        """What stands in the command bar."""
        return self.field("")

    def field(self, name: str) -> str:
        """What stands in a field of the screen, by its id; "" is the command bar."""
        fields = self.app.screen.query(f"#{name}" if name else CommandBar)
        return fields.first(Input).value if fields else ""

    @property
    def home(self) -> Home:
        """Home, wherever we are."""
        home = self.app.screen_stack[0]
        assert isinstance(home, Home)
        return home

    async def until_welcomed(self) -> Welcome:
        """Waits until home offers ways to begin, as there is nothing to list."""
        await self.until(lambda: self.home.welcome is not None and self.home.welcome.option_count > 0)
        welcome = self.home.welcome
        assert welcome is not None
        return welcome

    @property
    def status(self) -> str:
        """The sentence below the command bar."""
        parts = [line.part for line in self.app.screen.query(StatusLine)]
        return "".join(part.text for part in parts if part)

    def reads(self, text: str) -> bool:
        """Whether the answers of a form say this, wherever their rows end: a long one goes on in the next."""
        rows = "".join(str(option.prompt) for option in self.app.screen.query_one(FormSheet).options)
        return "".join(text.split()) in "".join(rows.split())

    def text_of(self, widget: Widget | str) -> str:
        """A widget's rows as plain text."""
        node = self.app.screen.query_one(widget) if isinstance(widget, str) else widget
        return node.text if isinstance(node, Page) else str(node.render())

    async def click(self, widget: Widget | type[Widget], offset: tuple[int, int] = (0, 0)) -> None:
        """Click on a place of a widget, once that is where it stays."""
        await self.settle()
        # Without a place, the pilot clicks in the middle.
        await (self.pilot.click(widget, offset=offset) if offset != (0, 0) else self.pilot.click(widget))

    async def shows(self, text: str, widget: Widget | str) -> None:
        """Wait until a widget shows a text; a screen that has only just come may not have the widget yet."""
        await self.until(lambda: self._holds(widget) and text in self.text_of(widget))

    def _holds(self, widget: Widget | str) -> bool:
        """Whether the screen has this widget by now."""
        return not isinstance(widget, str) or bool(self.app.screen.query(widget))

    async def bar_holds(self, text: str) -> None:
        """Wait until the command bar holds exactly this."""
        await self.until(lambda: isinstance(self.app.screen, TableScreen) and self.bar == text)

    async def press(self, *keys: str) -> None:
        """Press keys, each once what the one before it caused is done and drawn.

        The pilot would wait after each key until the whole process has done nothing for 40 ms.
        """
        for key in keys:
            character = key if len(key) == 1 else _character_of(key)
            self.app.post_message(events.Key(key_of(key) if len(key) == 1 else key, character))
            await self._until_done()

    async def _until_done(self) -> None:
        """Wait until keys, messages, animations and what is made for the screen are done, and their effect is drawn."""
        deadline = time.monotonic() + LONG
        rests = 0
        with suppress(ScreenStackError):  # the key ended the program
            while rests < RESTS and self.app.is_running and time.monotonic() < deadline:
                await self.app.animator.wait_until_complete()
                await self.pilot.pause(0)
                rests = 0 if self.app.is_busy or self._is_under_way else rests + 1

    async def enter(self, text: str) -> None:
        """Type a line into the command bar and press Enter."""
        self.type(text)
        await self.press("enter")

    def type(self, *keys: str) -> None:
        """Type texts and press keys (in <>) quicker than anything can follow, as a scanner does.

        The pilot waits after each key until nothing moves.
        """
        for text in keys:
            if text.startswith("<"):
                self.app.post_message(events.Key(text.strip("<>"), None))
                continue
            for character in text:
                self.app.post_message(events.Key(key_of(character), character))

    def click_ahead(self, widget: Widget, offset: tuple[int, int] = (0, 0)) -> None:
        """Click on a place of a widget as it is now, quicker than anything can follow."""
        x, y = widget.content_region.offset + offset
        for kind in (events.MouseDown, events.MouseUp):
            self.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))

    def paste(self, text: str) -> None:
        """Paste a text, as terminals do."""
        self.app.post_message(events.Paste(text))

    async def press_for(self, binding: str) -> None:
        """Press the key that a binding of the screen has, whichever that is."""
        active = self.app.screen.active_bindings
        await self.press(next(key for key, bound in active.items() if bound.binding.id == binding))

    async def counter(self, target: str, name: str, value: object) -> None:
        """Wait until a counter on the table has this value."""
        await self.until(lambda: self.value(target, name) == value)

    def has_played_on(self) -> Callable[[], bool]:
        """Something that holds once the table is further than it is now."""
        # Not what the log says: it is broken into rows only where there is room for it.
        view = self.table.view
        return lambda: self.table.view is not view

    def value(self, target: str, name: str) -> object:
        """A counter of the view that the table shows."""
        counters = self.table.view.counters_of(target) or ()
        return next((counter.value for counter in counters if counter.name == name), None)
