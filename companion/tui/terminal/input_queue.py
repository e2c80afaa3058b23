"""A queue that applies keys and clicks in order.

Textual passes each on at once, to the widget that has the cursor then.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from textual import events
from textual.actions import ActionParseResult
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from companion.tui.terminal.terminal_input import install_parser, types
from companion.tui.terminal.textual_private import BaseScreen, FaultHandlingApp, FaultTolerant
from templates.languages.messages import Text, phrase

BEFORE_MORE_KEYS = "before more keys"
"""The group of the workers that must finish before the next key takes effect: they lead to another screen."""

_ENTER = ("enter", "\r")

_TOGETHER = 0.1
"""Seconds for which the changes of a key are painted together: too short to notice."""

_LONG = 0.5
"""Seconds after which the app stops waiting for the effect of a key, such as a wait for the archive; the next keys
still wait.
"""

_HELD = 0.45
"""Seconds within which a key that is held down repeats: keyboards repeat one 2 to 30 times a second."""

_LOOK_OFTEN = 0.02
"""Seconds between two checks whether a key has repeated."""

_LOOK_AGAIN = 0.002
"""Seconds between two checks whether the effects of a key are complete."""

_Pressed = events.Key | events.Paste | events.MouseEvent
_BUTTON = (events.MouseDown, events.MouseUp)


def event_time() -> float:
    """Return the current time on the clock of key and mouse events."""
    return events.Event().time


class InputQueueApp(FaultHandlingApp):
    """An app in which everything that is typed, pasted, scanned or clicked takes effect in order, at any speed.

    A key that is not text, or a click, is processed once everything before it is complete, and everything after it
    waits in turn: until the line is stored, the other screen is there, the cursor is in the next field. Text goes
    straight to the field that has the cursor. A click that was meant for the previous screen is dropped. Keys from
    before `start_keys` wait for it.
    """

    def __init__(self) -> None:
        super().__init__()
        install_parser(self.driver_class)
        self._events: deque[_Pressed] = deque()
        self._has_typed = asyncio.Event()
        self._screen_since = -math.inf
        self._is_press_aimed = True
        self._current_screen: Screen[object] | None = None
        self._waits_on: Screen[object] | None = None
        self._held = ("", -math.inf)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """See `textual.app.App.run_action`.

        A long action goes on in a worker, so that the app keeps processing messages.
        """
        running = asyncio.ensure_future(super().run_action(action, default_namespace, namespaces))
        done, _ = await asyncio.wait([running], timeout=_LONG)
        if done:
            return running.result()
        self.run_worker(self._go_on(running), name=f"go on: {action}", group=BEFORE_MORE_KEYS)
        return True

    async def _go_on(self, running: Awaitable[bool]) -> None:
        try:
            await running
        except Exception as error:
            self.report_fault(error)

    def start_keys(self) -> None:
        """Begin to process keys: there is a screen for them."""
        self.run_worker(self._process_events(), name="keys")

    async def on_event(self, event: events.Event) -> None:
        """Queue keys, pasted text and clicks. A second press of the exit key skips the queue."""
        if not isinstance(event, _Pressed) or event.is_forwarded or not self._is_queued(event):
            await super().on_event(event)
            return
        if isinstance(event, events.Key) and event.key == "ctrl+j":
            # Scanners send a line feed, and terminals make one of Enter before the program receives it.
            pressed, event = event, events.Key(*_ENTER)
            event.time = pressed.time
        if await self._skips_queue(event):
            return
        self._events.append(event)
        self._has_typed.set()

    async def _skips_queue(self, event: _Pressed) -> bool:
        """Let a key skip the queue if the user needs it during a wait for the archive; return True if it did.

        These are the exit key, F1, Esc, which ends the wait, and all keys of a screen that was opened meanwhile. A
        second Enter is dropped: the first entry is still being processed. All others wait their turn.
        """
        if self._waits_on is None or not isinstance(event, events.Key) or not (self._events or self._is_busy_now()):
            return False
        waits_on = self._current_screen if self._events else self._waits_on
        if self._ends(event) or self.screen is not waits_on:
            await super().on_event(event)
            return True
        if event.key == "escape":
            self.end_waits()
            return True
        active = self.active_bindings.get(event.key)
        if active is not None and active.binding.action == "help":
            # Not through the screen: it processes nothing before its line is stored.
            await self.run_action(active.binding.action, active.node)
            return True
        last = self._events[-1] if self._events else None
        if event.key != "enter" or not isinstance(last, events.Key) or last.key != "enter":
            return False
        self.tell_left_out(phrase("The second Enter"))
        return True

    def set_waiting(self, *, is_shown: bool) -> None:
        """Note whether a wait for the archive is shown: some keys then skip the queue."""
        self._waits_on = (self._waits_on or self.screen) if is_shown else None

    def end_waits(self) -> None:
        """End all waits for the archive: the pending action fails with an error message."""
        raise NotImplementedError

    def _is_queued(self, event: _Pressed) -> bool:
        """Return True if this event waits for the ones before it; of the mouse: its buttons, and the moves between
        them.
        """
        if isinstance(event, events.Key | events.Paste):
            return not self._ends_again(event)
        return isinstance(event, _BUTTON) or (isinstance(event, events.MouseMove) and bool(self._events))

    def notify_skipped_lines(self, lines: int) -> None:
        """Report that `lines` pasted lines were skipped, as the one before them was refused."""
        raise NotImplementedError

    def add_note(self, text: Text) -> None:
        """Show a note beside the screen's current message."""
        raise NotImplementedError

    def tell_left_out(self, what: Text) -> None:
        """Report that a key did nothing, as it came before its effect was visible."""
        # Translators: {key} is the name of a key, such as “Enter”, or “That click”.
        self.add_note(
            phrase(
                "{key} came too soon and was ignored, because its meaning had just changed. Press it again.", key=what
            )
        )

    def leave_out(self) -> None:
        """Drop the event that is being processed, and report it: it was meant for the previous state."""
        self.tell_left_out(self.pressed_key)

    @property
    def pressed_key(self) -> Text:
        """The name of the key that is being processed, as keyboards show it, or a phrase for a click."""
        pressed = self._events[0] if self._events else None
        return self._key_display(pressed.key) if isinstance(pressed, events.Key) else phrase("That click")

    def _key_display(self, key: str) -> str:
        """Return the name of a key as keyboards show it."""
        active = self.active_bindings.get(key) if key != "enter" else None
        return self.get_key_display(active.binding) if active is not None else key.capitalize()

    @property
    def has_keys_left(self) -> bool:
        """True while a key or a click is being processed or waits."""
        return bool(self._events)

    @property
    def is_busy(self) -> bool:
        """True while a key is being processed or waits, or a message or a worker before the next key is pending."""
        return bool(self._events) or self._is_busy_now()

    @property
    def pressed_at(self) -> float:
        """The time of the event that is being processed, on the clock of `event_time`; infinite if there is none."""
        return self._events[0].time if self._events else math.inf

    async def is_key_held(self) -> bool:
        """Return True while the current key is held down: it repeats within a moment, or was found to repeat just
        before.

        Return False if there is no current key.
        """
        pressed = self._events[0] if self._events else None
        if not isinstance(pressed, events.Key):
            return False
        key, last = self._held
        if pressed.key == key and pressed.time - last < _HELD:
            self._held = (key, pressed.time)
            return True
        deadline = event_time() + _HELD
        while event_time() < deadline:
            if any(isinstance(each, events.Key) and each.key == pressed.key for each in tuple(self._events)[1:]):
                self._held = (pressed.key, pressed.time)
                return True
            await asyncio.sleep(_LOOK_OFTEN)
        return False

    def _ends_again(self, event: _Pressed) -> bool:
        return bool(self._events) and self._ends(event) and any(map(self._ends, self._events))

    def _ends(self, event: _Pressed) -> bool:
        """Return True if this is the key that exits."""
        if not isinstance(event, events.Key) or types(event.key):
            return False
        active = self.active_bindings.get(event.key)
        return active is not None and active.binding.action == "quit"

    async def _process_events(self) -> None:
        while True:
            await self._has_typed.wait()
            event = self._events[0]
            try:
                before = self._current_screen = self.screen
                with self._painting_once():
                    await self._process_event(event)
                if self.screen is not before:
                    self._screen_since = event_time()
            except Exception as error:
                if not self.is_running:
                    return  # the program is about to exit
                self.report_fault(error)
            self._events.popleft()
            if not self._events:
                self._has_typed.clear()

    async def _process_event(self, event: events.Event) -> None:
        if self._is_text(event) or isinstance(event, events.MouseMove):
            await super().on_event(event)
            return
        await self._wait_until_idle()
        if isinstance(event, events.MouseDown):
            self._is_press_aimed = event.time >= self._screen_since
        if isinstance(event, _BUTTON) and not self._is_press_aimed:
            if isinstance(event, events.MouseDown):
                self.leave_out()
            return
        if isinstance(event, events.Paste) and "\t" in event.text and await self._paste_cells(event.text):
            await self._wait_until_idle()
            return
        lines = event.text.splitlines(keepends=True) if isinstance(event, events.Paste) else []
        if lines and lines[0] != lines[0].rstrip("\r\n") and not self._is_in_a_text():
            await self._enter([line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")])
            return
        await super().on_event(event)
        await self._wait_until_idle()

    async def _paste_cells(self, text: str) -> bool:
        return isinstance(self.screen, BaseScreen) and await self.screen.take_pasted_cells(text)

    @contextmanager
    def _painting_once(self) -> Iterator[None]:
        """Paint the changes of this block together at its end, but not too late.

        This saves 6 % of the time of all keys.
        """
        self.paints_later = True
        paint = asyncio.get_running_loop().call_later(_TOGETHER, self._catch_up)
        try:
            yield
        finally:
            paint.cancel()
            self._catch_up()

    def _catch_up(self) -> None:
        self.paints_later = False
        if self.is_running and isinstance(self.screen, BaseScreen):
            self.screen.catch_up()

    def _is_in_a_text(self) -> bool:
        """Return True if the cursor is in a text of several lines, to which Enter adds one."""
        field = self.focused
        return field is not None and not isinstance(field, Input) and field.check_consume_key("a", "a")

    async def _enter(self, lines: Sequence[str]) -> None:
        """Enter pasted lines one after another; a line that stays in its field was refused."""
        for at, line in enumerate(lines, 1):
            if self._is_in_a_text():  # the lines before led here: the rest belongs into this text unchanged
                await super().on_event(events.Paste("\n".join(lines[at - 1 :])))
                return
            await super().on_event(events.Paste(line))
            await self._wait_until_idle()
            before = self._in_field()
            await super().on_event(events.Key(*_ENTER))
            await self._wait_until_idle()
            if before == self._in_field():
                if at < len(lines):
                    self.notify_skipped_lines(len(lines) - at)
                return

    def _in_field(self) -> tuple[Widget | None, str]:
        """Return the field that has the cursor, and its text."""
        return self.focused, self.focused.value if isinstance(self.focused, Input) else ""

    def _is_text(self, event: events.Event) -> bool:
        """Return True if the field that has the cursor takes this event as text."""
        field = self.focused
        return (
            isinstance(event, events.Key)
            and field is not None
            and not self._is_leaving_screen()
            and field.check_consume_key(event.key, event.character)
        )

    async def _wait_until_idle(self) -> None:
        """Wait until no message and no worker is pending."""
        while self._is_busy_now():
            await asyncio.sleep(_LOOK_AGAIN)

    def _is_busy_now(self) -> bool:
        return self._is_leaving_screen() or any(
            pump.message_queue_size or (isinstance(pump, FaultTolerant) and bool(pump.messages_in_progress))
            for pump in self._message_pumps()
        )

    def _message_pumps(self) -> Iterator[MessagePump]:
        yield self
        yield from self.screen_stack
        yield from self.screen.walk_children()

    def _is_leaving_screen(self) -> bool:
        """Return True while another screen is about to replace this one."""
        return not self.screen.is_mounted or any(
            worker.group == BEFORE_MORE_KEYS and not worker.is_finished for worker in self.workers
        )
