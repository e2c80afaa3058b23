"""The tables that the app opens, and the screens that follow their games."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from textual.screen import Screen

from companion.archive import Archive, fast_read
from companion.archive.errors import ArchiveError
from companion.forms import settings
from companion.session.core import archive_journal
from companion.session.reading.table_questions import is_over
from companion.session.table import rematch
from companion.session.table.countdown import CountdownWish, read_wish
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tui import frame
from companion.tui.archives import Archives
from companion.tui.screens.table.table import TableScreen
from companion.tui.terminal.input_queue import BEFORE_MORE_KEYS
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from companion.archive import Entry
    from companion.tui.screens.asking import Leads

_UNSEALED: Final = phrase("This game is over and not sealed: no deck's record has it yet.")


class TableOpener:
    """The opener of the app's tables and of the screens that follow a game.

    Args:
        app: The app on whose stack the screens are.
        archives: The archives whose tables are opened.
        tell_home: Shows a message at home, usually an error.
        end_evening: Called after a table was left or sealed.
    """

    def __init__(
        self,
        app: frame.BaseApp,
        archives: Archives,
        tell_home: Callable[[Text], object],
        end_evening: Callable[[], object],
    ) -> None:
        self._app = app
        self._archives = archives
        self._tell_home = tell_home
        self._end_evening = end_evening

    def paint(self, entries: Sequence[Entry]) -> TableScreen | None:
        """Return the table of a session that has been read already, before the archive is open.

        None if the entries have errors, which are reported once the archive is open.
        """
        with contextlib.suppress(RuleError, NotationError):
            archive = Archive.open_lazily(self._archives.url)
            live = SharedSessions(archive)
            sitting = TableClient(live.hold(archive_journal.resume_from_entries(archive, entries)))
            self._archives.begin(archive, live)
            # Before the first paint, a thread would save no waiting.
            _apply_settings(sitting, *self._read_settings(sitting.view.game))
            return TableScreen(sitting)
        return None

    async def open(self, session: str) -> None:
        """Go to the table of a stored session; report errors at home."""
        assert self._archives.live is not None
        try:
            live = await asyncio.to_thread(self._archives.live.open, session)
        except (ArchiveError, RuleError, NotationError) as error:
            self._tell_home(frame.describe_error(error))
            return
        sitting = TableClient(live)
        await self.follow_settings(sitting)
        await self._app.push_screen(TableScreen(sitting), lambda _: self.leave(sitting))

    async def follow_settings(self, sitting: TableClient) -> None:
        """Apply the settings for hints, warnings and the countdown to a table."""
        _apply_settings(sitting, *await asyncio.to_thread(self._read_settings, sitting.view.game))

    def _read_settings(self, game: str) -> tuple[settings.ScreenSettings, bool]:
        """Return the settings, and whether a table gives hints for the real cards.

        Unless the settings decide, it does until a game of that kind has been sealed. Blocks on the disk.
        """
        now = settings.read_settings()
        return now, now.teaches(is_first=not now.cards and self._is_first(game))

    def _is_first(self, game: str) -> bool:
        """Return True if no game of this kind has been sealed yet; False if that cannot be read. Blocks on the disk."""
        own = self._archives.own
        if own is None:
            # A table that is painted first does not wait for the database library.
            return not fast_read.has_sealed(self._archives.url, game)
        with contextlib.suppress(ArchiveError):
            return not (self._archives.current or own).has_sealed(game)
        return False

    def start_ceremony(self, sitting: TableClient) -> None:
        """Lead through the steps after a game in a worker; once it is sealed, show its labels and chores."""
        going = self._show_ceremony(sitting)
        self._app.run_worker(going, name="after the game", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _show_ceremony(self, sitting: TableClient) -> None:
        # A table is painted before the screens that follow its game are loaded.
        from companion.tui.screens.table.ceremony import CeremonyScreen, TonightScreen

        archive = self._archives.current
        assert archive is not None
        is_sealed = sitting.is_sealed
        if is_sealed:
            self._end_evening()
        step = TonightScreen(archive, sitting.another()) if is_sealed else CeremonyScreen(sitting.another(), archive)
        await self._app.push_screen(step, partial(self._leave_ceremony, sitting))

    def _leave_ceremony(self, sitting: TableClient, leads: Leads | None) -> None:
        screen = self._app.screen
        if leads == "on":
            self.start_ceremony(sitting)
        elif leads == "home" and isinstance(screen, TableScreen):
            screen.action_leave()
        elif leads == "again":
            self.start_rematch(sitting.session.id)

    def start_rematch(self, session: str) -> None:
        """Open the same table again in a worker; keys typed meanwhile apply to the new one."""
        going = self._play_again(session)
        self._app.run_worker(going, name="the same table again", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _play_again(self, session: str) -> None:
        """Start again from home, or from the table whose game is over; report errors there."""
        assert self._archives.current is not None
        before = self._app.screen if isinstance(self._app.screen, TableScreen) else None
        try:
            again = await asyncio.to_thread(rematch.open_rematch, self._archives.current, session)
        except (ArchiveError, RuleError, NotationError) as error:
            if before is not None:
                before.say(frame.describe_error(error), wrong=True)
            else:
                self._tell_home(frame.describe_error(error))
            return
        if before is not None:
            await before.dismiss()
        await self.open(again.session)
        if again.notes and isinstance(self._app.screen, TableScreen):
            self._app.screen.say(joined(" ", again.notes))

    def leave(self, sitting: TableClient) -> None:
        """Report at home if the game of the table that was left is over and not sealed."""
        if _is_unsealed(sitting):
            self._tell_home(joined(" ", (_UNSEALED, phrase("Enter leads to its seal."))))
        self._end_evening()

    @staticmethod
    def end_tally(screen: Screen[Any]) -> None:
        """End the tally on a screen that is about to be left, if it is a table."""
        if isinstance(screen, TableScreen):
            screen.end_tally()

    @staticmethod
    def describe_unsealed(screens: Sequence[Screen[Any]]) -> str:
        """Return a sentence for an exit from a table whose game is over and not sealed; "" if there is none."""
        tables = (screen for screen in screens if isinstance(screen, TableScreen))
        is_any = any(_is_unsealed(table.sitting) for table in tables)
        # Translators: “companion play” is a command.
        leads = phrase("companion play leads to its seal.")
        return str(joined(" ", (_UNSEALED, leads))) if is_any else ""


def _apply_settings(sitting: TableClient, now: settings.ScreenSettings, teaches: bool) -> None:
    sitting.teaches, sitting.warns = teaches, now.warns
    sitting.countdown.wish = read_wish(now.clock) or CountdownWish()


def _is_unsealed(sitting: TableClient) -> bool:
    """Return True if the game is over and waits for its seal."""
    return is_over(sitting.view) and not sitting.is_sealed
