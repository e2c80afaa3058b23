"""The command bar of a table: every letter and every digit goes into it, whatever the table does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from companion.session.reading.selection import NOTHING
from companion.session.reading.table_questions import due_prompts
from companion.tui.terminal.textual_private import FaultTolerant

if TYPE_CHECKING:
    from companion.session.table.table_client import TableClient

# Its keys are read before any part of a session is loaded: hence the imports inside functions.


class _FirstWord(Suggester):
    """Suggests the rest of the first completion."""

    def __init__(self, sitting: TableClient) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._sitting = sitting

    async def get_suggestion(self, value: str) -> str | None:
        """Return the text with its last word completed."""
        options = self._sitting.complete(value)
        return replace_last_word(value, options[0].word) if options and not value[-1].isspace() else None


def replace_last_word(value: str, word: str) -> str:
    """Return a text with its last, partly typed word replaced by the whole word."""
    part = "" if not value or value[-1].isspace() else value.split()[-1]
    return value[: len(value) - len(part)] + part + word[len(part) :]


class CommandBar(FaultTolerant, Input):
    """The input of a table.

    It has a history, completes words, and posts messages for the keys that lead elsewhere: into the list of answers,
    along the log, to another seat.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "up",
            "older",
            "Earlier line",
            id="bar.older",
            show=False,
            tooltip="Up in the list; without a list, an earlier line",
        ),
        Binding(
            "down",
            "newer",
            "Later line",
            id="bar.newer",
            show=False,
            tooltip="Into the list of answers; without a list, a later line",
        ),
        Binding(
            "tab",
            "next_word",
            "Complete",
            id="bar.complete",
            show=False,
            tooltip="Complete the word; again: the next completion",
        ),
        Binding("shift+tab", "next_word(-1)", "Complete", id="bar.back", show=False, tooltip="The previous completion"),
        Binding("pageup", "screen.page(-1)", "Log up", id="bar.up", show=False, tooltip="Earlier in the log"),
        Binding("pagedown", "screen.page(1)", "Log down", id="bar.down", show=False, tooltip="Later in the log"),
        Binding("escape", "clear_line", "Clear", id="bar.clear", show=False, tooltip="Clear the line"),
    ]

    @dataclass(eq=False, repr=False)
    class RowMoved(Message):
        """Sent for up (−1) or down (1). If it has no other meaning, the screen recalls another line."""

        by: int

    @dataclass(eq=False, repr=False)
    class ColumnMoved(Message):
        """Sent for left (−1) or right (1). If it has no other meaning, the screen moves the cursor in the text."""

        by: int
        select: bool

    @dataclass(eq=False, repr=False)
    class CompletionRequested(Message):
        """Sent for Tab (1) or Shift+Tab (−1). If no row of the list is chosen, the screen completes the word."""

        by: int

    class Escaped(Message):
        """Sent for Escape."""

    def __init__(self, sitting: TableClient) -> None:
        super().__init__(select_on_focus=False, suggester=_FirstWord(sitting))
        self.cursor_blink = False
        self.symbols: Mapping[str, str] | None = None
        """The symbols that are keys of the table, with their actions; None, which means all, until the table has set
        them.
        """
        self._sitting = sitting
        self._history: list[str] = []
        self._at = 0
        self._begun = ""
        """The text that was typed before an earlier line was recalled."""
        self._completion: tuple[str, tuple[str, ...], int] = ("", (), 0)
        """The text that was completed last, all texts that matched, and the index of the current one."""

    def remember(self, text: str) -> None:
        """Store an entered line for `recall`."""
        if text and self._history[-1:] != [text]:
            self._history.append(text)
        self._at, self._begun = len(self._history), ""

    def show_text(self, text: str) -> None:
        """Show a text with the cursor at its end."""
        self.value = text
        self.cursor_position = len(text)

    def _is_table_key(self, key: str) -> bool:
        """Return True if a symbol is a key of the table now: only on the empty line, where it begins no word."""
        if self.value or self.symbols is None:
            return not self.value

        action, selection = self.symbols.get(key, ""), self._sitting.selection
        if action == "reason":
            return selection.tally is not None
        return bool(action) and selection.chosen != NOTHING

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return True if a key types: all symbols do, except those that are left to the table."""
        return super().check_consume_key(key, character) and not self._is_table_key(key)

    def on_key(self, event: events.Key) -> None:
        """Keep a symbol that is a key of the table from being typed."""
        if self._is_table_key(event.key):
            event.prevent_default()

    def action_clear_line(self) -> None:
        """See `Escaped`."""
        self.post_message(self.Escaped())

    def action_older(self) -> None:
        """See `RowMoved`."""
        self.post_message(self.RowMoved(-1))

    def action_newer(self) -> None:
        """See `RowMoved`."""
        self.post_message(self.RowMoved(1))

    def action_next_word(self, by: int = 1) -> None:
        """See `CompletionRequested`."""
        self.post_message(self.CompletionRequested(by))

    def action_cursor_left(self, select: bool = False) -> None:
        """See `ColumnMoved`."""
        self.post_message(self.ColumnMoved(-1, select))

    def action_cursor_right(self, select: bool = False) -> None:
        """See `ColumnMoved`."""
        self.post_message(self.ColumnMoved(1, select))

    def move_cursor(self, by: int, *, select: bool) -> None:
        """Move the cursor by a symbol to the left (−1) or right (1); at the end, right takes the suggestion."""
        (super().action_cursor_left if by < 0 else super().action_cursor_right)(select)

    @property
    def is_at_newest(self) -> bool:
        """True if there is no later line to recall."""
        return self._at >= len(self._history)

    def recall(self, by: int) -> None:
        """Show the line before (−1) or after (1) the one recalled last; after the newest, what was typed before."""
        if (self._at == 0) if by < 0 else self.is_at_newest:
            return
        if self.is_at_newest:
            self._begun = self.value
        self._at = min(self._at + by, len(self._history))
        self.show_text(self._begun if self.is_at_newest else self._history[self._at])

    def complete_word(self, by: int) -> None:
        """Complete the last word, and on repetition with the next match; on an empty line, with the answers to the
        first prompt.
        """
        text, texts, at = self._completion
        if not texts or self.value != text:
            lines = self._answers() if not self.value else ()
            lines = lines or [replace_last_word(self.value, each.word) for each in self._sitting.complete(self.value)]
            texts = tuple(f"{line} " for line in lines)
            at = -1 if by > 0 else 0
        if texts:
            at = (at + by) % len(texts)
            self.show_text(texts[at])
            self._completion = (texts[at], texts, at)

    def _answers(self) -> Sequence[str]:
        """Return the answers to the first prompt, the suggested one last, as Enter alone takes it."""
        prompts = due_prompts(self._sitting.view)[:1]
        lines = [line for prompt in prompts for line in self._sitting.accepted_lines(prompt)]
        return (*lines[1:], *lines[:1])
