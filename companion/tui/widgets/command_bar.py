"""The line in which everything can be typed: every letter and every digit goes into it, whatever the table does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from companion.tui.textual_private import FaultTolerant

if TYPE_CHECKING:
    from companion.session.table_client import TableClient

# Its keys are looked at before anything of a session is loaded: hence the imports inside functions.


class _FirstWord(Suggester):
    """Shows the rest of the first completion behind the cursor."""

    def __init__(self, sitting: TableClient) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._sitting = sitting

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed."""
        options = self._sitting.complete(value)
        return completed(value, options[0].word) if options and not value[-1].isspace() else None


def completed(value: str, word: str) -> str:
    """A text with its last word, as far as it is typed, replaced by the whole word."""
    part = "" if not value or value[-1].isspace() else value.split()[-1]
    return value[: len(value) - len(part)] + part + word[len(part) :]


class CommandBar(FaultTolerant, Input):
    """The input of a table. It remembers what was entered, completes words, and tells its screen of the keys that lead
    elsewhere: into the list of answers, along the log, to another seat.
    """

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

    @dataclass(eq=False, repr=False)
    class RowMoved(Message):
        """Up (−1) or down (1) was pressed. Where that means nothing else, another line is to be recalled."""

        by: int

    @dataclass(eq=False, repr=False)
    class ColumnMoved(Message):
        """Left (−1) or right (1) was pressed. Where that means nothing else, the cursor is to be moved in the text."""

        by: int
        select: bool

    @dataclass(eq=False, repr=False)
    class CompletionRequested(Message):
        """Tab (1) or Shift+Tab (−1) was pressed. Where no row of the list is chosen, the word is to be completed."""

        by: int

    class Escaped(Message):
        """Escape was pressed."""

    def __init__(self, sitting: TableClient) -> None:
        super().__init__(select_on_focus=False, suggester=_FirstWord(sitting))
        self.cursor_blink = False
        self.symbols: Mapping[str, str] | None = None
        """The symbols that are keys of the table, with their actions; None until the table has named them, for all."""
        self._sitting = sitting
        self._history: list[str] = []
        self._at = 0
        self._completion: tuple[str, tuple[str, ...], int] = ("", (), 0)
        """The text that was completed last, all texts that would have fitted, and which of them it is."""

    def remember(self, text: str) -> None:
        """Keep an entered line for `recall`."""
        if text and self._history[-1:] != [text]:
            self._history.append(text)
        self._at = len(self._history)

    def show_text(self, text: str) -> None:
        """Show a text with the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)

    def _is_table_key(self, key: str) -> bool:
        """Whether a symbol is the table's and types nothing now: on the empty line, none of these begins a word."""
        if self.value or self.symbols is None:
            return not self.value
        from companion.session.selection import NOTHING

        action, selection = self.symbols.get(key, ""), self._sitting.selection
        if action == "reason":
            return selection.tally is not None
        return bool(action) and selection.chosen != NOTHING

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Symbols type, but for those that are left to the table."""
        return super().check_consume_key(key, character) and not self._is_table_key(key)

    def on_key(self, event: events.Key) -> None:
        """Before it is typed: a symbol that is the table's goes on to it."""
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
        """Move the cursor by a symbol to the left (−1) or right (1); right at the end takes what is suggested."""
        (super().action_cursor_left if by < 0 else super().action_cursor_right)(select)

    @property
    def is_at_newest(self) -> bool:
        """Whether there is no later line to recall."""
        return self._at >= len(self._history)

    def recall(self, by: int) -> None:
        """Show the line that was entered before (−1) or after (1) the one recalled last; behind the last, none."""
        if by < 0 and self._at == 0:
            return
        self._at = min(self._at + by, len(self._history))
        self.show_text("" if self.is_at_newest else self._history[self._at])

    def complete_word(self, by: int) -> None:
        """Complete the last word, and again with the next word that fits; on an empty line, with the answers to the
        first prompt.
        """
        text, texts, at = self._completion
        if not texts or self.value != text:
            lines = self._answers() if not self.value else ()
            lines = lines or [completed(self.value, each.word) for each in self._sitting.complete(self.value)]
            texts = tuple(f"{line} " for line in lines)
            at = -1 if by > 0 else 0
        if texts:
            at = (at + by) % len(texts)
            self.show_text(texts[at])
            self._completion = (texts[at], texts, at)

    def _answers(self) -> Sequence[str]:
        """The answers to the first prompt, the suggested one last: Enter alone takes it."""
        from companion.session.table_questions import due_prompts

        prompts = due_prompts(self._sitting.view)[:1]
        lines = [line for prompt in prompts for line in self._sitting.accepted_lines(prompt)]
        return (*lines[1:], *lines[:1])
