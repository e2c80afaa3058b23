"""The command palette, and the commands of a table that have no key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any, Final

import msgspec
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider, SearchIcon
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider
from textual.theme import ThemeProvider
from textual.widget import Widget
from textual.widgets import LoadingIndicator

from companion.session.reading.table_questions import COUNT_ELSE, can_count_else
from companion.session.reports.clock_reading import has_clock
from companion.session.table.coaching import coach_prompt
from companion.session.table.table_client import TableClient
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.word_search import rank_word, search_words
from companion.tabletop.table.common_actions import Concede, DrawAgreed, SetClock
from companion.tui.messages import ActionsSubmitted, LineBegun
from companion.tui.terminal.textual_texts import TranslatedIndicator, TranslatedRows
from companion.tui.themes import THEME_TITLES
from companion.tui.widgets.panel import ChoosingList
from templates.languages.messages import Text, phrase

_ARROWS: Final = frozenset({"up", "down", "left", "right"})
"""Keys that only move about on a screen; the palette leaves them out."""


class _CommandRows(TranslatedRows, ChoosingList, can_focus=False):
    """The list of commands, with the chosen row as in any list."""


class Palette(CommandPalette):
    """Textual's palette with the app's list, and without an icon that few terminals can show."""

    CSS = """
    Palette { background: $background; }
    Palette > Vertical { background: $surface; margin-top: 1; &:dark { background: $surface; } }
    Palette #--input { border: none; &.--list-visible { border: none; } }
    Palette CommandList { border: none; &.--populating { border: none; } }
    Palette > .command-palette--help-text { color: $text-muted; text-style: none; }
    Palette > .command-palette--highlight { color: $text-accent; text-style: bold; }
    Palette CommandList > .option-list--option { padding: 0 2; color: $text-strong; text-style: none; }
    Palette SearchIcon { color: $text-accent; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(placeholder=str(phrase("Search for commands…")), id=id)

    def compose(self) -> ComposeResult:
        """See `textual.command.CommandPalette.compose`."""
        for widget in super().compose():
            if isinstance(widget, SearchIcon):
                widget.icon = "›"
            yield _CommandRows() if isinstance(widget, CommandList) else _translate_indicator(widget)


class _Themes(ThemeProvider):
    """Textual's provider of themes, with the titles of the program's own themes, which come first."""

    @property
    def commands(self) -> list[tuple[str, Callable[[], None]]]:
        """The titles of the themes, each with what applies it."""
        commands = dict(super().commands)
        own = [(str(title), commands.pop(name)) for name, title in THEME_TITLES.items() if name in commands]
        return [*own, *commands.items()]


class ThemePalette(CommandPalette):
    """Textual's palette of themes."""

    def __init__(self) -> None:
        super().__init__([_Themes], placeholder=str(phrase("Search for themes…")))

    def compose(self) -> ComposeResult:
        """See `textual.command.CommandPalette.compose`."""
        for widget in super().compose():
            yield TranslatedRows() if isinstance(widget, CommandList) else _translate_indicator(widget)


def _translate_indicator(widget: Widget) -> Widget:
    return TranslatedIndicator() if isinstance(widget, LoadingIndicator) else widget


class Commands(SystemCommandsProvider):
    """See `textual.command.Provider`. Searches as Textual does."""

    async def discover(self) -> Hits:
        """Yield the commands in the app's order: first the keys of the screen, the most common ones before
        the others.
        """
        for name, about, run, is_shown in self.app.get_system_commands(self.screen):
            if is_shown:
                yield DiscoveryHit(name, run, help=about)


def key_bindings(screen: Screen[Any], app: App[Any]) -> Iterator[tuple[Binding, DOMNode]]:
    """Yield each binding of a screen, except the exit key, with the node that it belongs to."""
    ids = {"app.quit", *(() if app.check_action("home", ()) else ("app.home",))}
    # By class and not by key: this includes keys that a widget takes first, and those that were remapped.
    for node in (screen, *screen.query("CommandBar"), app):
        for binding in (b for kind in type(node).__mro__ for b in kind.__dict__.get("BINDINGS", ())):
            if not isinstance(binding, Binding) or binding.key in _ARROWS:
                continue
            if binding.id and binding.id not in ids:
                ids.add(binding.id)
                yield binding, node


_LAST = -1.0
"""The score of these commands: keys are at 0, and Textual asks both providers in no certain order."""

_BY_EFFECT: Final = 0.01
"""The score of a command that matches by its effect only: behind every match of a title."""


class TableCommand(msgspec.Struct, frozen=True):
    """A command that answers no question: its title, its effect, and its actions."""

    title: Text
    about: Text
    actions: tuple[Action, ...]


def rule_changes(sitting: TableClient) -> Iterator[TableCommand]:
    """Yield the agreed rules that may change during the game."""
    for prompt in sitting.view.later:
        yield TableCommand(
            prompt.text, phrase("This applies from now on; Undo takes it back"), (prompt.answer.build(),)
        )


def leaves(sitting: TableClient) -> Iterator[TableCommand]:
    """Yield a command for each player who can leave the game now, as far as its rules accept that, and one for all
    together.
    """
    here = [(seat.name or seat.seat, Concede(seat.seat)) for seat in sitting.view.seats]
    able = [(name, concede) for name, concede in here if _is_accepted(sitting, concede)]
    for name, concede in able:
        title = phrase("{player} leaves the game", player=name)
        yield TableCommand(title, phrase("This player does not come back; Undo takes it back"), (concede,))
    everybody = tuple(concede for _, concede in able)
    if len(everybody) > 1 and _is_accepted(sitting, *everybody):
        about = phrase("Everybody leaves, and what follows the game comes next")
        yield TableCommand(phrase("Stop the game here"), about, everybody)
    if _is_accepted(sitting, DrawAgreed()):
        about = phrase("The game is over without a winner; asks for confirmation")
        yield TableCommand(phrase("Agree on a draw"), about, (DrawAgreed(),))


def clock_commands(sitting: TableClient) -> Iterator[TableCommand]:
    """Yield the commands for the clock of the table, as far as they do something now."""
    titles = {
        "up": phrase("Start a clock for everybody's turns"),
        "pause": phrase("Pause the clock"),
        "go": phrase("Let the clock go on"),
        "off": phrase("End the clock"),
    }
    about = phrase("It counts the time of the table and of each player's turns")
    for what, title in titles.items() if has_clock(sitting.session) else ():
        if _is_accepted(sitting, SetClock(what)):
            yield TableCommand(title, about, (SetClock(what),))


def questions_to_coach(sitting: TableClient) -> Iterator[tuple[Text, str]]:
    """Yield the questions for the coach, if the game has one: each with its title and the beginning of its line."""
    for seat in sitting.view.seats:
        prompt = coach_prompt(sitting.session.game, sitting.session.state, seat.seat, seat.name or seat.seat)
        if prompt is not None:
            yield prompt.text, f"{prompt.line} "


def _is_accepted(sitting: TableClient, *actions: Action) -> bool:
    if not {type(action) for action in actions} <= {*sitting.session.game.actions}:
        return False
    try:
        sitting.session.preview(*actions)
    except RuleError:
        return False
    return True


class TableCommands(Provider):
    """The commands of a table that have no key; see `textual.command.Provider`."""

    def _commands(self) -> Iterator[tuple[TableCommand, Callable[[], object]]]:
        sitting = getattr(self.screen, "sitting", None)
        if isinstance(sitting, TableClient):
            about = phrase("By the codes on their labels: what was revealed")
            photograph = TableCommand(phrase("Photograph the cards"), about, ())
            yield photograph, partial(self.screen.post_message, LineBegun("photo "))
            for command in chain(rule_changes(sitting), leaves(sitting)):
                yield command, partial(self.screen.post_message, ActionsSubmitted(command.actions))
            if can_count_else(sitting.session.game, sitting.view):
                about = phrase("A counter that the game does not have, for a player, a card or the table")
                count = TableCommand(phrase("Count something else"), about, ())
                yield count, partial(self.screen.post_message, LineBegun(f"{COUNT_ELSE.line} "))
            for command in clock_commands(sitting):
                yield command, partial(self.screen.post_message, ActionsSubmitted(command.actions))
            for title, line in questions_to_coach(sitting):
                about = phrase("Enter the cards of the hand; nobody else sees them, and they are not in the log")
                yield TableCommand(title, about, ()), partial(self.screen.post_message, LineBegun(line))

    async def discover(self) -> Hits:
        """Yield all commands while nothing is typed, below the more common ones."""
        for command, run in self._commands():
            title = str(command.title)
            yield Hit(_LAST, Content(title), run, title, str(command.about))

    async def search(self, query: str) -> Hits:
        """Yield the commands that match the typed words: by the letters of their title or by words of their effect."""
        matcher = self.matcher(query)
        words = search_words(query)
        for command, run in self._commands():
            title, about = str(command.title), str(command.about)
            # Letters in this order are in almost any sentence, so the effect counts by whole words or their beginnings.
            has_words = bool(words) and all(rank_word(word, about) in (0, 1) for word in words)
            score = matcher.match(title) or (_BY_EFFECT if has_words else 0)
            if score > 0:
                yield Hit(score, matcher.highlight(title), run, help=about)
