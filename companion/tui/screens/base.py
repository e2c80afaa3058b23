"""The base of the screens: typed text goes into the one field of a screen; names of keys."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from textual import events, getters
from textual.screen import Screen
from textual.widgets import Input

from companion.archive.storage import files
from companion.tui.terminal.input_queue import InputQueueApp, event_time
from companion.tui.terminal.textual_private import BaseScreen
from companion.tui.widgets.bars import Status, StatusLine
from templates.languages.messages import Text, phrase

R = TypeVar("R")

STYLES: Final = Path(__file__).parent
"""The folder of the style sheets of all screens."""


class StatusScreen(Protocol):
    """A screen that can show a message."""

    app: Any

    def say(self, text: Text, *, wrong: bool = False) -> None:
        """Show a message."""
        ...


def key_name(screen: Screen[Any], name: str) -> str:
    """Return the name of a binding's key after remapping; "" if it has none."""
    active = (active.binding for active in screen.active_bindings.values())
    return next((screen.app.get_key_display(binding) for binding in active if binding.id == name), "")


PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".heif")
"""The file suffixes of pictures."""


def find_photograph(text: str) -> Path | None:
    """Return the photograph named after the word `photo`, or dropped as a path; None for any other text."""
    with contextlib.suppress(OSError, ValueError):
        word, _, rest = text.strip().partition(" ")
        if word.lower() == "photo" and rest.strip():
            return files.read_path(rest)
        path = files.read_path(text)
        return path if path.suffix.lower() in PICTURES and path.is_file() else None
    return None


_LIST_SUFFIXES: Final = frozenset({".txt", ".cod", ".dck", ".dec", ".csv", ".tsv"})


def find_list_file(text: str) -> Path | None:
    """Return the file of a deck list that was dropped as a path, or typed; None for any other text."""
    with contextlib.suppress(OSError, ValueError):
        if "\n" not in text.strip():
            path = files.read_path(text)
            return path if path.suffix.lower() in _LIST_SUFFIXES and path.is_file() else None
    return None


async def is_key_held(screen: StatusScreen) -> bool:
    """Return True while the current key is held down: the caller then does nothing lasting, and the screen shows a
    message.
    """
    held = isinstance(screen.app, InputQueueApp) and await screen.app.is_key_held()
    if held:
        # Translators: {key} is the name of a key, such as “Enter”.
        held_down = phrase(
            "{key} was held down, so nothing was sealed; release it, then press it once.", key=screen.app.pressed_key
        )
        screen.say(held_down, wrong=True)
    return held


class StatusLineScreen(BaseScreen[R]):
    """A screen that shows its messages in its status line."""

    status_line = getters.query_one(StatusLine)

    def say(self, text: Text, *, wrong: bool = False) -> None:
        """Show a message in the language of the screens."""
        self.status_line.show(Status(str(text), "wrong" if wrong else "told"))


class TypingScreen(BaseScreen[R]):
    """A screen on which everything can be typed, pasted or scanned at once: letters and digits are not keys."""

    _offers_since = -math.inf

    def mark_new_offers(self) -> None:
        """Note that Enter and a click have a new meaning from now on."""
        self._offers_since = event_time()

    @property
    def offers_precede_press(self) -> bool:
        """True if the current offers were visible when the key or button that is being processed was pressed."""
        return not isinstance(self.app, InputQueueApp) or self.app.pressed_at >= self._offers_since

    def leave_out(self) -> None:
        """Drop the current key or click, and report it."""
        if isinstance(self.app, InputQueueApp):
            self.app.leave_out()

    @property
    def field(self) -> Input:
        """The field for text that is typed while no field has the cursor."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Put text that no field has taken into the screen's own field."""
        if event.is_printable and event.character and not self._is_key(event.key):
            event.stop()
            event.prevent_default()
            self._into_field(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Put pasted text into the screen's own field."""
        event.stop()
        self._into_field(event.text)

    async def action_enter(self) -> None:
        """Submit the field, for a click on Enter in the key bar."""
        await self.field.action_submit()

    def _is_key(self, key: str) -> bool:
        """Return True if this is the space bar and it has a binding here: no text begins with a space."""
        return key == "space" and not self.field.value and key in self.active_bindings

    def _into_field(self, text: str) -> None:
        # At once: `focus` would wait behind the next key.
        self.set_focus(self.field)
        if self.field.selection.is_empty:
            self.field.insert_text_at_cursor(text)
        else:
            self.field.replace(text, *sorted(self.field.selection))

    def select_refused(self, text: str) -> None:
        """Select a refused text that is still in the field, so that typing replaces it."""
        if text.strip() and self.is_current and self.field.value.strip() == text.strip():
            self.field.select_all()
