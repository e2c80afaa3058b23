"""The app: the order of its screens, from the first paint to the exit, the user's own keys, and the signals that end
it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import select
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from companion.tui import frame, settings
from companion.tui.archives import Archives, CannotServe, Serve
from companion.tui.frame import ERROR_SECONDS, BaseApp
from companion.tui.messages import (
    ArchiveAwaited,
    CeremonyRequested,
    RematchRequested,
    SampleRequested,
    TableRequested,
)
from companion.tui.terminal.input_queue import BEFORE_MORE_KEYS
from companion.tui.terminal.textual_private import BaseScreen, put_beneath

if TYPE_CHECKING:
    from textual.screen import Screen

    from companion.archive import Archive, Entry
    from companion.archive.fast_read import HomeLists
    from companion.session.table.shared_session import SharedSession, SharedSessions
    from companion.session.table.table_client import TableClient
    from companion.tui.health import NetworkChecks
    from companion.tui.keymap import Together
    from companion.tui.screens.archive import ArchiveScreen
    from companion.tui.screens.asking import Leads
    from companion.tui.screens.home.home import Home


_GRACE: Final = 5.0
"""Seconds that an orderly exit may take."""

_EARLY: Final = 0.2
"""Seconds that the first paint may wait for the disk."""

_ENDS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_with(end: Callable[[], object]) -> None:
    """Call `end` in the running loop when a signal that ends programs arrives."""
    loop = asyncio.get_running_loop()
    for number in _ENDS:
        # Not the loop's own handlers: a loop that waits for a terminal that is gone would never call them.
        signal.signal(number, lambda *_: _end(loop, end))


def end_with_terminal(end: Callable[[], object]) -> None:
    """Call `end` in the running loop when the terminal goes away, even if no signal reports it.

    No input could arrive any more, and Textual would poll without end, which takes a whole core.
    """
    stdin = sys.__stdin__
    if stdin is None or not stdin.isatty() or not hasattr(select, "poll"):
        return
    gone = select.poll()
    gone.register(stdin.fileno(), 0)  # 0: report only that it is gone
    loop = asyncio.get_running_loop()

    def wait() -> None:
        gone.poll()
        _end(loop, end)

    threading.Thread(target=wait, name="wait for the terminal's end", daemon=True).start()


def _end(loop: asyncio.AbstractEventLoop, end: Callable[[], object]) -> None:
    # If the terminal is gone, so is the thread that writes to it, and waiting for that thread would never end.
    last = threading.Timer(_GRACE, os._exit, (0,))
    last.daemon = True
    last.start()
    loop.call_soon_threadsafe(end)


def read_own_keys(app: type[DOMNode]) -> tuple[Mapping[str, str], str]:
    """Return the user's keys by binding id, and a text on what is wrong with them ("" for nothing)."""
    from companion.tui import keymap

    place = keymap.keymap_file()
    try:
        own = keymap.read_keymap(place, partial(key_scopes, app))
    except keymap.KeymapError as error:
        return {}, str(error)
    return own.keys, f"{place}: {' '.join(own.skipped)} The other keys hold." if own.skipped else ""


def key_scopes(app: type[DOMNode]) -> tuple[Together, ...]:
    """Return the classes whose keys are active together: each screen with the app and its own widgets."""
    from companion.tui.screens.asking import AskingScreen
    from companion.tui.screens.decks.deck import DeckScreen
    from companion.tui.screens.decks.scan import ScanScreen
    from companion.tui.screens.decks.versions import VersionsScreen
    from companion.tui.screens.form import FormScreen
    from companion.tui.screens.help import Help
    from companion.tui.screens.home.home import Home
    from companion.tui.screens.home.settings import SettingsScreen
    from companion.tui.screens.leagues import LeagueScreen, LeaguesScreen
    from companion.tui.screens.listing import ListScreen
    from companion.tui.screens.people import PeopleScreen
    from companion.tui.screens.phones import PhonesScreen
    from companion.tui.screens.print import PrintScreen
    from companion.tui.screens.table.ceremony import TonightScreen
    from companion.tui.screens.table.evening import EveningScreen
    from companion.tui.screens.table.table import TableScreen
    from companion.tui.widgets.command_bar import CommandBar

    alone = ((app, screen) for screen in (Home, DeckScreen, VersionsScreen, EveningScreen, Help))
    of_two = (
        (app, FormScreen, PrintScreen),
        (app, FormScreen, SettingsScreen),
        (app, ListScreen, ScanScreen),
        (app, ListScreen, PhonesScreen),
        (app, ListScreen, PeopleScreen),
        (app, ListScreen, LeaguesScreen),
        (app, ListScreen, LeagueScreen),
    )
    # The ceremony has no keys beyond those of every screen that asks questions.
    asking = (app, AskingScreen, TonightScreen)
    return ((app, TableScreen, CommandBar), asking, *alone, *of_two)


# Nothing is imported before the first screen, home or a table, unless that screen shows it: hence the imports inside
# functions.


def _follow(sitting: TableClient, now: settings.ScreenSettings, teaches: bool) -> None:
    """Apply the settings for hints, warnings and the countdown to a table."""
    from companion.session.table.countdown import CountdownWish, read_wish

    sitting.teaches, sitting.warns = teaches, now.warns
    sitting.countdown.wish = read_wish(now.clock) or CountdownWish()


class CompanionApp(BaseApp):
    """The companion on a terminal, with the `archives` that it shows.

    It begins at home or at a `session`, which is painted from its `entries` while the archive opens.
    """

    DEFAULT_MODE = "home"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="app.quit", show=False, tooltip="End; everything is kept", priority=True),
        Binding(
            "ctrl+b",
            "home",
            "Home",
            id="app.home",
            show=False,
            tooltip="Home, from wherever you are; all is kept",
            priority=True,
        ),
        Binding("ctrl+g", "phones", "Phones", id="app.phones", show=False, tooltip="The table on everybody's phone"),
    ]

    def __init__(
        self,
        archive_url: str | None = None,
        session: str | None = None,
        entries: Sequence[Entry] = (),
        serve: Serve | None = None,
        check_network: NetworkChecks = tuple,
    ) -> None:
        super().__init__()
        self.check_network = check_network
        """Reports the doctor's checks of the network for phones."""
        self.add_mode("home", self._make_first_screen)
        self.archives = Archives(archive_url, serve)
        self._session = session
        self._entries = entries
        self.no_backup = ""
        self.unsealed = ""
        """The reason why the last backup failed; it is also printed on the terminal after the program has ended."""

    @property
    def archive(self) -> Archive | None:
        """The current archive; None until it is open."""
        return self.archives.current

    @property
    def live(self) -> SharedSessions | None:
        """The sessions of the current archive that are open in this process, shared with everything else that shows
        them.
        """
        return self.archives.live

    async def on_mount(self) -> None:
        """Exit in order when the terminal or the machine goes away; open the archive once something is on screen."""
        self.has_begun = True
        self.themes.keep_choices()
        # Everything on the screen is on disk already.
        end_with(self.exit)
        end_with_terminal(self.exit)
        # After a return from the shell, paint again: the terminal has forgotten the screen, and nothing has changed.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())
        self.call_after_refresh(self._open)

    def _make_first_screen(self) -> Screen[Any]:
        """Return home, or the table of a session that has been read already.

        Errors in that session are reported once the archive is open.
        """
        if self._entries:
            from companion.session.table.table_client import TableClient
            from companion.tabletop.action import NotationError, RuleError
            from companion.tui.screens.table.table import TableScreen

            with contextlib.suppress(RuleError, NotationError):
                sitting = TableClient(self.archives.see(self._entries))
                # Before the first paint, a thread would save no waiting.
                _follow(sitting, *self._read_settings(sitting.view.game))
                self._session = None
                return TableScreen(sitting)

        from companion.tui.screens.home.home import Home

        return Home(None if self._session else self._read_early_lists())

    def _read_early_lists(self) -> HomeLists | None:
        """Read the lists of home from the archive's file; None if it cannot be read, or the disk is too slow."""
        from companion.archive import fast_read
        from companion.tui.screens.home.home_lists import PAGE_ROWS

        lists: list[HomeLists | None] = []
        reading = threading.Thread(
            target=lambda: lists.append(fast_read.read_lists(self.archives.url, PAGE_ROWS)), daemon=True
        )
        reading.start()
        reading.join(_EARLY)
        return lists[0] if lists else None

    def _open(self) -> None:
        self.run_worker(self._open_archive(), name="open the archive", group=BEFORE_MORE_KEYS)
        self.start_keys()

    async def _open_archive(self) -> None:
        """Open the archive in a thread: importing the database library alone takes as long as loading the screen."""
        from companion.archive import ArchiveError
        from companion.archive.storage.waiting import waits

        home = await self._make_home()
        waits.listen(lambda seconds: self.post_message(ArchiveAwaited(seconds)))
        try:
            own = await self.archives.open()
        except ArchiveError as error:
            self._cannot_open(home, str(error))
            return
        finally:
            self._collect()
        await self._take_own_keys(home)
        await self._turn_to(own)
        if own.store.read_only_reason:
            self.tell_home(frame.describe_error(own.store.refusal))
        if not self.screen_stack:
            return  # The user left while it was opening.
        self.run_worker(self.archives.follow_others(), name="follow other windows")
        painted: Any = self.screen  # a table may have been painted before
        if (sitting := getattr(painted, "sitting", None)) is not None:
            await self._follow_settings(sitting)
            await painted.redraw()
        if self._session is not None:
            await self.resume(self._session)
        self._load_ahead()

    async def _make_home(self) -> Home:
        """Return home; put it beneath the table if that was painted first."""
        from companion.tui.screens.home.home import Home

        first = self.screen_stack[0]
        if isinstance(first, Home):
            return first
        home = Home()
        await put_beneath(self, home, first, lambda _: self._leave_table(getattr(first, "sitting", None)))
        return home

    async def _take_own_keys(self, home: Home) -> None:
        """Apply the user's own keys to the bindings, and report errors in them."""

        keys, wrong = await asyncio.to_thread(read_own_keys, CompanionApp)
        self.set_keymap(keys)
        home.show_keys()
        if wrong:
            self.notify(wrong, title="Your keys", severity="warning", timeout=ERROR_SECONDS, markup=False)

    @staticmethod
    def _collect() -> None:
        """Collect garbage from now on, but exclude what is loaded: scanning that would take 10 % of the slow keys'
        time.

        First collect what loading itself left behind, which is half a MiB.
        """
        if not gc.isenabled():
            gc.collect()
            gc.freeze()
            gc.enable()

    def _load_ahead(self) -> None:
        """Preload the modules that the next keys need."""
        from companion.tui import preload

        going = preload.from_home(self) if self.screen is self._home else preload.from_a_table(self)
        self.run_worker(going, name="load ahead", group="load ahead", exclusive=True)

    def _cannot_open(self, home: Home, why: str) -> None:
        home.cannot_open(why)
        if self.screen is not home:
            self.notify(why, severity="error", timeout=ERROR_SECONDS, markup=False)

    # The current archive

    async def _turn_to(self, archive: Archive) -> None:
        """Show this archive at home, and open its tables from now on."""
        await self.archives.show(archive)
        await self._home.show_archive(archive, is_sample=self.archives.is_sample)

    @property
    def _home(self) -> Home:
        from companion.tui.screens.home.home import Home

        home = self.screen_stack[0]
        assert isinstance(home, Home)
        return home

    def tell_home(self, text: str, *, wrong: bool = True) -> None:
        """Show a message at home, usually an error."""
        if self.screen_stack:
            self._home.say(text, wrong=wrong)

    @on(SampleRequested)
    def sample_requested(self, message: SampleRequested) -> None:
        """Switch to the sample campaign or back; hold keys until the switch is done, since they are meant for what it
        shows.
        """
        going = self._to_sample_and_back(discard=message.discard)
        self.run_worker(going, name="sample", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _to_sample_and_back(self, *, discard: bool) -> None:
        """Switch archives; the user's own archive stays open behind the sample."""
        from companion.archive import ArchiveError

        own, current = self.archives.own, self.archives.current
        assert own is not None
        assert current is not None
        try:
            if not self.archives.is_sample:
                self.tell_home("Laying out the sample campaign …", wrong=False)
                await self._turn_to(await self.archives.sample())
                return
            await self._turn_to(own)
            await self.archives.leave(current, discard=discard)
        except ArchiveError as error:
            self.tell_home(frame.describe_error(error))

    def on_archive_screen_restore_requested(self, message: ArchiveScreen.RestoreRequested) -> None:
        """Restore a backup; keys typed meanwhile apply to the screen that follows."""
        going = self._open_anew(partial(self.archives.go_back, message.backup))
        self.run_worker(going, name="restore", group=BEFORE_MORE_KEYS, exclusive=True)

    def on_archive_screen_acceptance_requested(self) -> None:
        """Accept an archive that is older than the state this computer last saw."""
        going = self._open_anew(self.archives.accept)
        self.run_worker(going, name="accept", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _open_anew(self, change: Callable[[], Awaitable[str]]) -> None:
        """Replace the user's own archive and reopen it; then go home and report the result."""
        from companion.archive import ArchiveError

        if not self.archives.can_go_back:
            self.add_note("Only your own archive can go back to a backup.")
            return
        try:
            sentence, wrong = await change(), False
        except (ArchiveError, OSError) as error:
            sentence, wrong = str(error), True
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        assert self.archives.own is not None
        await self._turn_to(self.archives.own)
        self.tell_home(sentence, wrong=wrong)

    # Tables, and the steps after a game

    @on(TableRequested)
    def table_requested(self, message: TableRequested) -> None:
        """Go to a table in a worker; keys typed meanwhile apply to that table."""
        self.run_worker(self.resume(message.session), name="open a table", group=BEFORE_MORE_KEYS, exclusive=True)

    async def resume(self, session: str) -> None:
        """Go to the table of a stored session; report errors at home."""
        from companion.archive import ArchiveError
        from companion.tabletop.action import NotationError, RuleError

        assert self.live is not None
        try:
            live = await asyncio.to_thread(self.live.open, session)
        except (ArchiveError, RuleError, NotationError) as error:
            self.tell_home(frame.describe_error(error))
            return
        await self._show_table(live)

    async def _show_table(self, live: SharedSession) -> None:
        from companion.session.table.table_client import TableClient
        from companion.tui.screens.table.table import TableScreen

        sitting = TableClient(live)
        await self._follow_settings(sitting)
        await self.push_screen(TableScreen(sitting), lambda _: self._leave_table(sitting))

    async def _follow_settings(self, sitting: TableClient) -> None:
        _follow(sitting, *await asyncio.to_thread(self._read_settings, sitting.view.game))

    def _read_settings(self, game: str) -> tuple[settings.ScreenSettings, bool]:
        """Return the settings, and whether a table gives hints for the real cards.

        Unless the settings decide, it does until a game of that kind has been sealed. Blocks on the disk.
        """
        now = settings.read_settings()
        return now, now.teaches(is_first=not now.cards and self._is_first(game))

    def _is_first(self, game: str) -> bool:
        """Return True if no game of this kind has been sealed yet; False if that cannot be read. Blocks on the disk."""
        from companion.archive import ArchiveError, fast_read

        archive = self.archives.own
        if archive is None:
            # A table that is painted first does not wait for the database library.
            return not fast_read.has_sealed(self.archives.url, game)
        with contextlib.suppress(ArchiveError):
            return not (self.archive or archive).has_sealed(game)
        return False

    @on(CeremonyRequested)
    def ceremony_requested(self, message: CeremonyRequested) -> None:
        """Lead through the steps after a game; once it is sealed, show its labels and chores."""
        self.run_worker(self._lead(message.sitting), name="after the game", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _lead(self, sitting: TableClient) -> None:
        from companion.tui.screens.table.ceremony import CeremonyScreen, TonightScreen

        assert self.archive is not None
        is_sealed = sitting.is_sealed
        if is_sealed:
            self._end_evening()
        step = (
            TonightScreen(self.archive, sitting.another())
            if is_sealed
            else CeremonyScreen(sitting.another(), self.archive)
        )
        await self.push_screen(step, partial(self._leave_ceremony, sitting))

    def _leave_ceremony(self, sitting: TableClient, leads: Leads | None) -> None:
        from companion.tui.screens.table.table import TableScreen

        if leads == "on":
            self.ceremony_requested(CeremonyRequested(sitting))
        elif leads == "home" and isinstance(self.screen, TableScreen):
            self.screen.action_leave()
        elif leads == "again":
            self.rematch_requested(RematchRequested(sitting.session.id))

    @on(RematchRequested)
    def rematch_requested(self, message: RematchRequested) -> None:
        """Open the same table again; keys typed meanwhile apply to the new one."""
        going = self._play_again(message.session)
        self.run_worker(going, name="the same table again", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _play_again(self, session: str) -> None:
        """Start again from home, or from the table whose game is over; report errors there."""
        from companion.archive import ArchiveError
        from companion.session.table import rematch
        from companion.tabletop.action import NotationError, RuleError
        from companion.tui.screens.table.table import TableScreen

        assert self.archive is not None
        before = self.screen if isinstance(self.screen, TableScreen) else None
        say = before.say if before else self.tell_home
        try:
            again = await asyncio.to_thread(rematch.open_rematch, self.archive, session)
        except (ArchiveError, RuleError, NotationError) as error:
            say(frame.describe_error(error), wrong=True)
            return
        if before is not None:
            await before.dismiss()
        await self.resume(again.session)
        if again.notes and isinstance(self.screen, TableScreen):
            self.screen.say(" ".join(again.notes))

    def _leave_table(self, sitting: TableClient | None) -> None:
        """Report at home if the game of the table that was left is over and not sealed."""
        if sitting is not None and _is_unsealed(sitting):
            self.tell_home(f"{_UNSEALED} Enter leads to its seal.")
        self._end_evening()

    def _end_evening(self) -> None:
        """Back up in a worker after a table was left or sealed."""
        self.run_worker(asyncio.to_thread(self._back_up), name="back up")
        self.call_after_refresh(self._load_ahead)

    # Phones

    def action_phones(self) -> None:
        """Serve the tables to phones from now on, and show the phones that are connected."""
        self.run_worker(self._show_phones(), name="open the pages", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _show_phones(self) -> None:
        from companion.archive import ArchiveError
        from companion.tui.screens.phones import PhonesScreen

        archive = self.archive
        if archive is None or self.live is None or isinstance(self.screen, PhonesScreen):
            return
        try:
            pages = await self.archives.serve()
        except (CannotServe, ArchiveError) as error:
            self.add_note(str(error))
            return
        await self.push_screen(PhonesScreen(archive, self.archives.pages, pages))

    # Home

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 – Textual's
        """Return False for the home key at home, and at a table, which has its own key for it."""
        screen = self.screen
        return action != "home" or not (isinstance(screen, BaseScreen) and (screen.is_home or screen.has_home_key))

    def action_home(self) -> None:
        """Leave one screen after another. A form offers its draft again later; a table stays as it is."""
        self.run_worker(self._leave_for_home(), name="home", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _leave_for_home(self) -> None:
        from companion.tui.screens.table.table import TableScreen

        while (screen := self.screen) is not self._home:
            if isinstance(screen, TableScreen):
                screen.end_tally()
            await screen.dismiss()

    # The exit

    def exit(self, *result: Any, **more: Any) -> None:
        """Exit. Stop waiting for a locked archive, and note if a game is over and not sealed."""
        from companion.archive.storage.waiting import waits
        from companion.tui.screens.table.table import TableScreen

        for screen in self.screen_stack:
            if isinstance(screen, TableScreen) and _is_unsealed(screen.sitting):
                self.unsealed = f"{_UNSEALED} companion play leads to its seal."
        waits.end(for_good=True)
        super().exit(*result, **more)

    def on_unmount(self) -> None:
        """Close the pages, back up, and close the archives."""
        from companion.archive.storage.waiting import waits

        self.archives.pages.close()
        waits.settle()
        waits.listen(None)
        self._back_up()
        self.archives.close()

    def _back_up(self) -> None:
        from companion.archive import ArchiveError

        try:
            self.archives.back_up()
        except (ArchiveError, OSError) as error:
            self.no_backup = f"No backup could be made: {error}"
            if self.is_running:
                self.call_later(self.tell_home, self.no_backup)
        else:
            self.no_backup = ""
            if self.is_running:
                self.call_later(self._home.refresh_backup_state)


_UNSEALED: Final = "This game is over and not sealed: no deck's record has it yet."


def _is_unsealed(sitting: TableClient) -> bool:
    """Return True if the game is over and waits for its seal."""
    from companion.session.reading.table_questions import is_over

    return is_over(sitting.view) and not sitting.is_sealed


def run(
    archive_url: str | None,
    session: str | None = None,
    entries: Sequence[Entry] = (),
    serve: Serve | None = None,
    check_network: NetworkChecks = tuple,
) -> None:
    """Open the companion on this terminal, at home or at a session's table, and return when it is closed.

    Args:
        archive_url: The archive to open; None for the one of the environment or of this computer.
        session: The session whose table is shown first; None for home.
        entries: The entries of that session's stream, if they have been read already.
        serve: Opens pages for phones beside the screen.
        check_network: Reports the addresses at which phones would find those pages.

    Raises:
        Exception: The error that ended the screen, if there was one.
    """
    # Everything loaded now stays. Scanning it again and again for garbage would take an eighth of the start.
    gc.disable()
    app = CompanionApp(archive_url, session, entries, serve, check_network)
    app.run()
    for sentence in filter(None, (app.unsealed, app.no_backup)):
        print(sentence, file=sys.stderr)
    if app.fatal_error is not None:
        raise app.fatal_error
