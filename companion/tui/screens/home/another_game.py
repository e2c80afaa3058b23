"""The screen for another game: a ready one, a copy of it, or the user's own, with a preview of its table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Self

from textual import getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.types import CSSPathType

from companion.archive import Archive
from companion.forms import game_form
from companion.forms.game_form import GameForm
from companion.session.reading.selection import Selection
from companion.session.table.form_filling import GAME, FormResult
from companion.tabletop.table.choices import Choice
from companion.tui.screens.base import STYLES, key_name
from companion.tui.screens.form import FormScreen
from companion.tui.widgets.bars import Head, HeadPart
from companion.tui.widgets.board import Board, BoardSpace
from templates.languages.messages import phrase


class AnotherGameScreen(FormScreen):
    """Asks for a game, then for the changes to it; the table beside the form changes with each answer."""

    CSS_PATH: ClassVar[CSSPathType | None] = [STYLES / "form.tcss", STYLES / "another_game.tcss"]

    board = getters.query_one(Board)
    head = getters.query_one(Head)

    @classmethod
    async def of(cls, archive: Archive, leads: Callable[[FormResult], Awaitable[Screen[Any] | None]]) -> Self:
        """Return the screen with the games of an archive. Raises ArchiveError."""
        listed = await asyncio.to_thread(game_form.origins, archive)
        names = [each.name for each in listed]
        return cls(names, game_form.opener(archive, listed), {}, leads=leads, offered=game_form.choices(listed))

    def beside(self) -> ComposeResult:
        """Yield the preview of the table."""
        with Vertical(id="sample"):
            yield Head()
            yield Board()

    def on_mount(self) -> None:
        """Set up the form, and the title of the preview's frame."""
        super().on_mount()
        self.query_one("#sample").border_title = str(phrase("The table"))

    def on_resize(self) -> None:
        """Draw the table again at its new size."""
        super().on_resize()
        self.call_after_refresh(self._show_table)

    def show_form(self) -> None:
        """Show the answers, and preview the table."""
        super().show_form()
        self._draw_table()

    async def take_choice(self, choice: Choice) -> None:
        """Take the choice; for a game that exists already, show how to play it unchanged."""
        is_game = self.cursor.at == GAME
        await super().take_choice(choice)
        if is_game and choice.value:
            plays = key_name(self, "form.done")
            # Translators: {key} is the name of a key.
            self.say(
                phrase(
                    "{key} plays it as it is. To change it, give it a title of its own and go on from answer to "
                    "answer.",
                    key=plays,
                )
            )

    @work(exclusive=True, group="sample")
    async def _draw_table(self) -> None:
        await self._show_table()

    async def _show_table(self) -> None:
        form = self.cursor.form
        view = form.view if isinstance(form, GameForm) else None
        sample = self.query("#sample")
        if view is None or not sample:
            return
        size = sample.first().content_size
        self.head.show(HeadPart(str(view.title), view.counters_in_head, view.steps, view.step))
        await self.board.show(
            view, Selection(lambda: view), BoardSpace(size.width, max(size.height - 2, 1), is_alone=True)
        )
