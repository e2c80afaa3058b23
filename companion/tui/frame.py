"""The app's base, shared by all screens: themes, drawing, and the messages that appear over any screen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual import events, on
from textual.app import SystemCommand
from textual.binding import Binding
from textual.color import Color
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import WorkerFailed

from companion import tui
from companion.archive.storage.waiting import describe_wait, waits
from companion.tabletop.text import sanitize
from companion.tui import drawing
from companion.tui.legible import LegibleFilter, legible_filter
from companion.tui.messages import ArchiveAwaited
from companion.tui.terminal.input_queue import InputQueueApp
from companion.tui.terminal.terminal import RIGHT_TO_LEFT, orders_by_itself
from companion.tui.terminal.textual_private import paint
from companion.tui.themes import Themes, complete_variables, looks_of
from companion.tui.widgets.bars import StatusLine
from templates.languages.messages import Message, Text, declared, joined, listed, phrase, phrases

if TYPE_CHECKING:
    from textual.command import Provider

    from companion.archive.errors import Look


class SanitizeFilter(LineFilter):
    """Replaces symbols that would control the terminal in everything that is drawn; every cell stays in its place.

    Text from right to left is put into reading order, unless the terminal does so by itself.

    It wraps the other filters as a single filter: each separate filter would rebuild every line.
    """

    def __init__(self, others: Sequence[LineFilter]) -> None:
        super().__init__()
        self._others = others
        self._orders = not orders_by_itself(os.environ)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Apply the other filters to the segments, then clean those that hold such a symbol."""
        for each in self._others:
            segments = each.apply(segments, background)
        if self._orders and any(RIGHT_TO_LEFT.search(text) for text, _, _ in segments if not text.isascii()):
            segments = tui.reading_order.order_segments(segments)
        if all(text.isprintable() and _AS_EMOJI not in text for text, _, control in segments if not control):
            return segments
        return [
            Segment(_in_cells(text), style) if not control else Segment(text, style, control)
            for text, style, control in segments
        ]


@cache
def sanitize_filter(others: tuple[LineFilter, ...]) -> SanitizeFilter:
    """Return the filter around the others, the same object each time: Textual caches drawn lines by it."""
    return SanitizeFilter(others)


def _in_cells(text: str) -> str:
    """Sanitize a text and keep its width: a symbol of no width is removed, and a sign that terminals may widen stays
    narrow.
    """
    narrow = set_cell_size(_EMOJI.sub(_as_text, text), cell_len(text)) if _AS_EMOJI in text else text
    clean = sanitize(narrow)
    return "".join(new for old, new in zip(narrow, clean, strict=True) if new == old or cell_len(old))


_AS_EMOJI: Final = "\ufe0f"
"""Selects the emoji form of the sign before it. Terminals, tmux among them, disagree on its width."""

_EMOJI: Final = re.compile("(?:.[\U0001f3fb-\U0001f3ff]?\u200d)*.?\ufe0f(?:\u200d.\ufe0f?)*\u20e3?")
"""A sign in its emoji form, with the signs that are joined to it."""


def _as_text(emoji: re.Match[str]) -> str:
    """Return the first sign of an emoji as text, in as many cells."""
    return set_cell_size(emoji[0][0].replace(_AS_EMOJI, ""), cell_len(emoji[0]))


def describe_error(error: Exception) -> str:
    """Return the sentence of an error, with the key to press if there is one."""
    return add_hint(str(error), getattr(error, "look", None))


def add_hint(sentence: Text, look: Look | None) -> str:
    """Return a sentence with the key that leads to `look`, if there is one.

    Other places than these are in lists that the user opens anyway.
    """
    text = str(sentence)
    # Translators: {problem} is a sentence without its full stop; “it” is the archive, and ^O is Ctrl+O.
    match look:
        case "damage":
            hint = phrase(
                "{problem}; Archive (^O at home) checks it and lists its backups.", problem=text.rstrip(_FULL_STOPS)
            )
        case "loss":
            hint = phrase(
                "{problem}; Archive (^O at home) goes back to a backup, and “Take it as it is” there goes on with it.",
                problem=text.rstrip(_FULL_STOPS),
            )
        case _:
            return text
    return str(hint)


_FULL_STOPS: Final = ".。"


def _describe_way_out(binding: str, key: str) -> Message:
    """Return what a key of `_WAYS_OUT` does."""
    if binding == "app.quit":
        return phrase("{key} ends the program", key=key)
    return phrase("{key} leads home", key=key)


_WAYS_OUT: Final = ("app.quit", "table.leave", "app.home")
"""The ids of the keys that leave a screen or the program."""

ERROR_SECONDS = 20.0
"""Seconds for which an error is shown; it may be a long sentence."""


def _commands() -> type[Provider]:
    """Return the provider of the command palette; it is loaded when the palette opens."""
    return tui.palette.Commands


class BaseApp(InputQueueApp):
    """An app with the same look and the same messages on every screen, in the `themes` that it offers.

    Once it `has_begun`, there is a screen that can report errors.
    """

    TITLE = "Table Companion"
    # A list counts the lines of its rows by its width. If the width shrank when a scrollbar appears, rows would lose
    # their ends whenever both happen in one update.
    #
    # Notifications appear at the top right, below the head row: the user types at the bottom, and reads the result
    # there.
    #
    # The chosen row looks the same in every list, with or without the cursor: see `ChoosingList`.
    CSS = """
    Screen { background: $background; color: $text; }
    OptionList {
        scrollbar-gutter: stable;
        scrollbar-size: 0 1;
        padding: 0;
        background-tint: transparent;
        &:focus { background-tint: transparent; }
        & > .option-list--option { padding: 0 1; color: $text; }
        & > .option-list--option-disabled { color: $text-muted; }
        & > .option-list--option-highlighted { background: $chosen; color: $text-strong; text-style: none; }
        &:focus > .option-list--option-highlighted { background: $chosen; color: $text-strong; text-style: none; }
        & > .option-list--separator { color: $line; }
    }
    BaseScreen Input { height: 1; border: none; border-left: heavy $accent; padding: 0 1; background: $surface; }
    StatusLine { height: auto; min-height: 1; padding: 0 1; }
    KeyBar { height: 1; background: $panel; }
    Input, TextArea {
        color: $text-strong;
        background-tint: transparent;
        &:focus { background-tint: transparent; }
        & > .input--placeholder { color: $text-accent; }
        & > .input--suggestion { color: $text-muted; }
    }
    OptionList, Panel, RowView { border-title-color: $text-strong; border-subtitle-color: $text; }
    ToastRack { dock: top; align: right top; margin: 1 0 0 0; }
    Toast { max-width: 75%; padding: 0 1; color: $text; background: $panel; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-ample")]  # noqa: RUF012 – so it is declared there
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-high")]  # noqa: RUF012 – so it is declared there
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}

    # Textual asks for the variables before `__init__` has run.
    _has_theme = False
    _theme_of_variables: Theme | None = None
    _legible: LegibleFilter | None = None

    def __init__(self) -> None:
        super().__init__()
        # Nothing flickers over ssh, and no animation makes the user wait.
        self.animation_level = "none"
        self.themes = Themes(self)
        self._has_theme = True
        self.has_begun = False

    # Keys and drawing

    def get_key_display(self, binding: Binding) -> str:
        """Return the name of a key as keyboards show it: `F1`, `^N`, `Esc`."""
        return drawing.key_title(super().get_key_display(binding))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield everything that a key other than the arrows does here, for the command palette, then Textual's own
        commands.
        """
        for binding, node in tui.palette.key_bindings(screen, self):
            run = partial(self.call_later, self.run_action, binding.action, node)
            yield SystemCommand(str(declared(binding.description)), str(declared(binding.tooltip)), run)
        suspend, about = phrase("Suspend"), phrase("Back to the shell; fg goes on here")
        yield SystemCommand(str(suspend), str(about), self.action_suspend_process)
        for command in super().get_system_commands(screen):
            yield command._replace(title=str(declared(command.title)), help=str(declared(command.help)))

    def action_command_palette(self) -> None:
        """See `textual.app.App.action_command_palette`."""
        if not isinstance(self.screen, tui.palette.Palette):
            self.push_screen(tui.palette.Palette(id="--command-palette"))

    def search_themes(self) -> None:
        """See `textual.app.App.search_themes`."""
        self.push_screen(tui.palette.ThemePalette())

    def action_show_help_panel(self) -> None:
        """See `textual.app.App.action_show_help_panel`."""
        if not self.screen.query("HelpPanel"):
            self.screen.mount(tui.key_panel.KeysPanel())

    @on(events.DeliveryComplete)
    def report_screenshot(self, event: events.DeliveryComplete) -> None:
        """Report where a screenshot was saved, in place of Textual."""
        event.prevent_default()
        if event.name == "screenshot":
            # A text in markup: the path has a colour of its own.
            file = "" if event.path is None else f"[$text-success]{str(event.path)!r}"
            saved = phrase("Saved screenshot to {file}", file=file) if file else phrase("Saved screenshot")
            self.notify(str(saved), title=str(phrase("Screenshot")))

    @on(events.DeliveryFailed)
    def report_lost_screenshot(self, event: events.DeliveryFailed) -> None:
        """Report that a screenshot could not be saved, in place of Textual."""
        event.prevent_default()
        if event.name == "screenshot":
            failed = phrase("Failed to save screenshot")
            self.notify(str(failed), title=str(phrase("Screenshot")), severity="error")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filter for everything that is drawn: it makes text legible, and keeps control symbols from the
        terminal.
        """
        if self._legible is None:
            self._legible = legible_filter(looks_of(self.current_theme, self.theme_variables))
        return [sanitize_filter((self._legible, *super().get_line_filters()))]

    def get_css_variables(self) -> dict[str, str]:
        """See `textual.app.App.get_css_variables`; completes the colours of every theme.

        The result is cached: Textual asks several times while it starts, which would take 2 % of the time until the
        first paint; the first time it asks for a theme that is never shown.
        """
        if not self._has_theme:
            return {}
        theme = self.current_theme
        if theme is not self._theme_of_variables:
            self._theme_of_variables, self._legible = theme, None
            self.theme_variables = complete_variables(theme, super().get_css_variables())
        return self.theme_variables

    # Messages

    @on(ArchiveAwaited)
    def show_wait(self, message: ArchiveAwaited) -> None:
        """Show how long the app has been waiting for the archive, on every screen of the stack."""
        if not self.screen_stack:
            return  # the program is about to exit
        self.set_waiting(is_shown=message.seconds > 0)
        text = str(describe_wait(message.seconds))
        if text and self.has_keys_left:
            text = str(joined(" · ", (text, phrase("Esc ends the wait"))))
        for screen in self.screen_stack:
            for line in screen.query(StatusLine):
                line.wait(text)
                paint(line)
        # It may just have come to the front again, as the help was closed meanwhile.
        paint(self.screen)

    def end_waits(self) -> None:
        """See `InputQueueApp.end_waits`."""
        waits.end()

    def notify_skipped_lines(self, lines: int) -> None:
        """Report that pasted lines were skipped after one that was refused."""
        self.add_note(
            phrases(
                "This line was refused, so the pasted line after it was not entered.",
                "This line was refused, so the {n} pasted lines after it were not entered.",
                n=lines,
            )
        )

    def add_note(self, text: Text) -> None:
        """Show a note below the current message, so that it covers no part of the screen.

        If the screen has no status line, the note is a notification over it.
        """
        lines = list(self.screen.query(StatusLine))
        for line in lines:
            line.add_note(str(text))
        if not lines:
            self.notify(str(text), markup=False)

    def copy_to_clipboard(self, text: str) -> None:
        """See `textual.app.App.copy_to_clipboard`; for users who meant to exit, also show how."""
        super().copy_to_clipboard(text)
        self.action_help_quit()

    def action_help_quit(self) -> None:
        """Answer Ctrl+C, by which most programs exit, with the keys that do so here."""
        active = {active.binding.id: active.binding for active in self.active_bindings.values()}
        names = [name for name in _WAYS_OUT if name in active]
        ways = listed(_describe_way_out(name, self.get_key_display(active[name])) for name in names)
        # Translators: {ways} is such as “^Q ends the program, ^B leads home”.
        self.add_note(phrase("Ctrl+C only copies what is marked. {ways}; everything is kept.", ways=ways))

    def notify_fault(self, error: Exception) -> None:
        """Report an error of this program in words; the evening goes on with the stored state."""
        from companion.archive.fault_log import describe_fault

        cause = error.error if isinstance(error, WorkerFailed) else error
        self.notify(
            str(joined(" ", (describe_fault(cause), phrase("You can go on.")))),
            title=str(phrase("That failed")),
            severity="error",
            timeout=ERROR_SECONDS,
            markup=False,
        )

    def handle_fault(self, error: Exception) -> bool:
        """Report an error and return True. Before there is a screen, return False, which ends the program."""
        if self.has_begun:
            self.notify_fault(error)
        return self.has_begun
