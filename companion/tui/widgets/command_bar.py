"""The line in which everything can be typed: every letter and every digit goes into it, whatever the table does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from companion.tui.textual_private.faults import FaultTolerant

Completer = Callable[[str], Sequence[str]]


class _FirstWord(Suggester):
    """Shows the rest of the first completion behind the cursor."""

    def __init__(self, complete: Completer) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed."""
        words = self._complete(value)
        return completed(value, words[0]) if words and not value[-1].isspace() else None


def completed(value: str, word: str) -> str:
    """A text with its last word, as far as it is typed, replaced by the whole word."""
    part = "" if not value or value[-1].isspace() else value.split()[-1]
    return value[: len(value) - len(part)] + part + word[len(part) :]


class CommandBar(FaultTolerant, Input):
    """An input that remembers what was entered and, as long as it is empty, leaves to the table what begins no word."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "up",
            "older",
            "Earlier line",
            id="bar.older",
            show=False,
            tooltip="Up in the list; else an earlier line again",
        ),
        Binding(
            "down",
            "newer",
            "Later line",
            id="bar.newer",
            show=False,
            tooltip="Into the list of answers; else a later line again",
        ),
        Binding("tab", "next_word", "Complete", id="bar.complete", show=False, tooltip="Complete the word, or another"),
        Binding("shift+tab", "next_word(-1)", "Complete", id="bar.back", show=False, tooltip="The completion before"),
        Binding("pageup", "screen.page(-1)", "Log up", id="bar.up", show=False, tooltip="Earlier in the log"),
        Binding("pagedown", "screen.page(1)", "Log down", id="bar.down", show=False, tooltip="Later in the log"),
        Binding("escape", "clear_line", "Clear", id="bar.clear", show=False, tooltip="Clear the line"),
    ]

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id, compact=True, select_on_focus=False)
        self.cursor_blink = False
        self.is_key: Callable[[str], bool] = lambda _: False
        self.complete: Completer = lambda _: ()
        self.answers: Callable[[], Sequence[str]] = tuple
        self.browse: Callable[[int], bool] = lambda _: False
        self.choose: Callable[[int], bool] = lambda _: False
        self.choose_beside: Callable[[int], bool] = lambda _: False
        self.take: Callable[[], bool] = lambda: False
        self.step_back: Callable[[], bool] = lambda: False
        self.suggester = _FirstWord(lambda value: self.complete(value))
        self._history: list[str] = []
        self._at = 0
        self._round: tuple[str, tuple[str, ...], int] = ("", (), 0)

    def remember(self, text: str) -> None:
        """Keep an entered line for `up`."""
        if text and self._history[-1:] != [text]:
            self._history.append(text)
        self._at = len(self._history)

    def put(self, text: str) -> None:
        """Show a text with the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)

    def leaves(self, key: str) -> bool:
        """Whether a symbol is the table's and types nothing now."""
        return not self.value and self.is_key(key)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Symbols type, but for those that are left to the table."""
        return super().check_consume_key(key, character) and not self.leaves(key)

    def on_key(self, event: events.Key) -> None:
        """Before it is typed: a symbol that is the table's goes on to it."""
        if self.leaves(event.key):
            event.prevent_default()

    def action_clear_line(self) -> None:
        """Out of the list, back to before the last choice; else empty the line; an empty one hands `escape` on."""
        if self.step_back():
            return
        if self.value:
            self.put("")
        else:
            self.screen.call_later(self.screen.run_action, "screen.let_go")

    def action_older(self) -> None:
        """Up in the list; else the line entered before, or on an empty line, in the log where that is being browsed."""
        if self.choose(-1):
            return
        if not self.value and self.browse(-1):
            return
        if self._at > 0:
            self._at -= 1
            self.put(self._history[self._at])

    def action_newer(self) -> None:
        """The line entered after; behind the last one, into the list of answers."""
        if not self.value and self.browse(1):
            return
        if self._at >= len(self._history) and self.choose(1):
            return
        self._at = min(self._at + 1, len(self._history))
        self.put(self._history[self._at] if self._at < len(self._history) else "")

    def action_next_word(self, by: int = 1) -> None:
        """Take the row of the list that is chosen, to go on with it; else complete the last word, and again with the
        next that fits. On an empty line, the answers to the first prompt.
        """
        if self.take():
            return
        text, texts, at = self._round
        if not texts or self.value != text:
            answers = [answer + " " for answer in self.answers()] if not self.value else []
            texts = tuple(answers or (completed(self.value, word) + " " for word in self.complete(self.value)))
            at = -1 if by > 0 else 0
        if texts:
            at = (at + by) % len(texts)
            self.put(texts[at])
            self._round = (texts[at], texts, at)

    def action_cursor_left(self, select: bool = False) -> None:
        """Beside in the list; else the cursor; on an empty line, the seat before."""
        if not (self.choose_beside(-1) or self._choose_seat(-1)):
            super().action_cursor_left(select)

    def action_cursor_right(self, select: bool = False) -> None:
        """Beside in the list; else the cursor; on an empty line, the next seat."""
        if not (self.choose_beside(1) or self._choose_seat(1)):
            super().action_cursor_right(select)

    def _choose_seat(self, by: int) -> bool:
        if not self.value:
            self.screen.call_later(self.screen.run_action, f"screen.choose_next({by})")
        return not self.value
