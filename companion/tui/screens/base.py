"""What screens share: typed text goes into the one field of a screen, and what keys are called."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from textual import events
from textual.screen import Screen
from textual.widgets import Input

from companion.tui.input_queue import InputQueueApp, event_time
from companion.tui.textual_private import BaseScreen

R = TypeVar("R")


class StatusScreen(Protocol):
    """A screen that can say something."""

    app: Any

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something."""
        ...


def key_name(screen: Screen[Any], name: str) -> str:
    """What the key of a binding of the screen is called, as it is after remapping; "" where it has none."""
    active = (active.binding for active in screen.active_bindings.values())
    return next((screen.app.get_key_display(binding) for binding in active if binding.id == name), "")


PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".heif")
"""How the names of pictures end."""


def read_path(text: str) -> Path:
    """The path that is typed, or that a terminal types where a file is dropped onto it."""
    # No screen is painted with it.
    from companion.archive import files

    return files.expand_user(text.strip().strip("'\"").replace("\\ ", " "))


def find_photograph(text: str) -> Path | None:
    """The photograph that is named behind the word `photo`, or whose path is dropped; None for any other text."""
    with contextlib.suppress(OSError, ValueError):
        word, _, rest = text.strip().partition(" ")
        if word.lower() == "photo" and rest.strip():
            return read_path(rest)
        path = read_path(text)
        return path if path.suffix.lower() in PICTURES and path.is_file() else None
    return None


HELD: Final = "{} was held down, and nothing was sealed; let go of it, then press it once."


async def is_key_held(screen: StatusScreen) -> bool:
    """Return True while the present key is held down: then nothing lasting is done, and the screen says so."""
    held = isinstance(screen.app, InputQueueApp) and await screen.app.is_key_held()
    if held:
        screen.say(HELD.format(screen.app.pressed_key), wrong=True)
    return held


class TypingScreen(BaseScreen[R]):
    """A screen on which everything can be typed, pasted or scanned at once: no letter and no digit is a key."""

    _offers_since = -math.inf

    def mark_new_offers(self) -> None:
        """What Enter and a click take here is something else from now on."""
        self._offers_since = event_time()

    @property
    def offers_precede_press(self) -> bool:
        """Whether what stands here was there already when the key or the button was pressed that is dealt with now."""
        return not isinstance(self.app, InputQueueApp) or self.app.pressed_at >= self._offers_since

    def leave_out(self) -> None:
        """Let what was pressed do nothing, and say so."""
        if isinstance(self.app, InputQueueApp):
            self.app.leave_out()

    @property
    def field(self) -> Input:
        """The field for what is typed while the cursor is in none."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Text that no field has taken goes into the screen's own."""
        if event.is_printable and event.character and not self._is_key(event.key):
            event.stop()
            event.prevent_default()
            self._into_field(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """The same for what is pasted."""
        event.stop()
        self._into_field(event.text)

    async def action_enter(self) -> None:
        """What Enter does, for a click on it."""
        await self.field.action_submit()

    def _is_key(self, key: str) -> bool:
        """Whether this is the space bar and does something here: no text begins with a space."""
        return key == "space" and not self.field.value and key in self.active_bindings

    def _into_field(self, text: str) -> None:
        # At once: `focus` would wait its turn behind the next key.
        self.set_focus(self.field)
        if self.field.selection.is_empty:
            self.field.insert_text_at_cursor(text)
        else:
            self.field.replace(text, *sorted(self.field.selection))

    def select_refused(self, text: str) -> None:
        """Have what is typed next take the place of a text that was entered and still stands in the field."""
        if text.strip() and self.is_current and self.field.value.strip() == text.strip():
            self.field.select_all()
