"""The app: which screen follows on which, from the first paint to the end; keys of one's own; signals that end it."""

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
from companion.tui.input_queue import BEFORE_MORE_KEYS
from companion.tui.messages import (
    ArchiveAwaited,
    CeremonyRequested,
    RematchRequested,
    SampleRequested,
    TableRequested,
)
from companion.tui.textual_private import BaseScreen, put_beneath

if TYPE_CHECKING:
    from textual.screen import Screen

    from companion.archive import Archive, Entry
    from companion.archive.fast_read import Lists
    from companion.session.shared_session import SharedSession, SharedSessions
    from companion.session.table_client import TableClient
    from companion.tui.health import NetworkChecks
    from companion.tui.keymap import Together
    from companion.tui.screens.archive import ArchiveScreen
    from companion.tui.screens.asking import Leads
    from companion.tui.screens.home import Home


_GRACE: Final = 5.0
"""Seconds that an end in order may take once it is asked for."""

_EARLY: Final = 0.2
"""Seconds that the first paint may wait for the disk."""

_ENDS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_with(end: Callable[[], object]) -> None:
    """From now on a signal that ends programs calls `end` in the loop that runs now."""
    loop = asyncio.get_running_loop()
    for number in _ENDS:
        # Not the loop's own handlers: a loop that waits for a terminal that is gone would never call them.
        signal.signal(number, lambda *_: _end(loop, end))


def end_with_terminal(end: Callable[[], object]) -> None:
    """From now on `end` is called in the loop that runs now when the terminal goes, also where no signal says so.

    Nothing could be typed any more, and Textual would ask again and again, which takes a whole core.
    """
    stdin = sys.__stdin__
    if stdin is None or not stdin.isatty() or not hasattr(select, "poll"):
        return
    gone = select.poll()
    gone.register(stdin.fileno(), 0)  # 0: only that it is gone
    loop = asyncio.get_running_loop()

    def wait() -> None:
        gone.poll()
        _end(loop, end)

    threading.Thread(target=wait, name="wait for the terminal's end", daemon=True).start()


def _end(loop: asyncio.AbstractEventLoop, end: Callable[[], object]) -> None:
    # Where the terminal is gone, the thread that writes to it is too, and who waits for it would wait for ever.
    last = threading.Timer(_GRACE, os._exit, (0,))
    last.daemon = True
    last.start()
    loop.call_soon_threadsafe(end)


def read_own_keys(app: type[DOMNode]) -> tuple[Mapping[str, str], str]:
    """The keys that somebody wants, by the ids they are for, and a text on what is wrong with them, "" for nothing."""
    from companion.tui import keymap

    place = keymap.keymap_file()
    try:
        own = keymap.read_keymap(place, partial(key_scopes, app))
    except keymap.KeymapError as error:
        return {}, str(error)
    return own.keys, f"{place}: {' '.join(own.skipped)} The other keys hold." if own.skipped else ""


def key_scopes(app: type[DOMNode]) -> tuple[Together, ...]:
    """Whose keys count at the same time: each screen's, with the app's and those of what stands on it."""
    from companion.tui.screens.asking import AskingScreen
    from companion.tui.screens.ceremony import TonightScreen
    from companion.tui.screens.deck import DeckScreen
    from companion.tui.screens.evening import EveningScreen
    from companion.tui.screens.form import FormScreen
    from companion.tui.screens.help import Help
    from companion.tui.screens.home import Home
    from companion.tui.screens.leagues import LeagueScreen, LeaguesScreen
    from companion.tui.screens.listing import ListScreen
    from companion.tui.screens.people import PeopleScreen
    from companion.tui.screens.phones import PhonesScreen
    from companion.tui.screens.print import PrintScreen
    from companion.tui.screens.scan import ScanScreen
    from companion.tui.screens.settings import SettingsScreen
    from companion.tui.screens.table import TableScreen
    from companion.tui.screens.versions import VersionsScreen
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
    # The ceremony has no keys besides those of everything that asks.
    asking = (app, AskingScreen, TonightScreen)
    return ((app, TableScreen, CommandBar), asking, *alone, *of_two)


# Nothing is loaded before the first screen that it does not show, which is home or a table: hence the imports inside
# functions.


def _follow(sitting: TableClient, now: settings.Settings, teaches: bool) -> None:
    """Let a table ask, count down and tell as chosen."""
    from companion.session.countdown import CountdownWish, read_wish

    sitting.teaches, sitting.warns = teaches, now.warns
    sitting.countdown.wish = read_wish(now.clock) or CountdownWish()


class CompanionApp(BaseApp):
    """The companion on a terminal, with the `archives` that it shows.

    It begins at home or at a `session`; what `seen` says of that one is painted while the archive is being opened.
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
        """What the doctor says of the network for phones."""
        self.add_mode("home", self._make_first_screen)
        self.archives = Archives(archive_url, serve)
        self._session = session
        self._entries = entries
        self.no_backup = ""
        self.unsealed = ""
        """Why the last backup could not be made, which is also told on the terminal once the program has ended."""

    @property
    def archive(self) -> Archive | None:
        """The archive that is shown; None until it is open."""
        return self.archives.current

    @property
    def live(self) -> SharedSessions | None:
        """The sessions of it that are open in this process, for whatever else shows them."""
        return self.archives.live

    async def on_mount(self) -> None:
        """End in order when the terminal or the machine goes; open the archive once something is on screen."""
        self.has_begun = True
        self.themes.keep_choices()
        # All that was shown is on disk already.
        end_with(self.exit)
        end_with_terminal(self.exit)
        # Whoever comes back from the shell sees what was there: the terminal has forgotten it, and nothing has changed.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())
        self.call_after_refresh(self._open)

    def _make_first_screen(self) -> Screen[Any]:
        """Home, or the table of a session that is read already. What is wrong with that one is told once the archive is
        open.
        """
        if self._entries:
            from companion.session.table_client import TableClient
            from companion.tabletop.action import NotationError, RuleError
            from companion.tui.screens.table import TableScreen

            with contextlib.suppress(RuleError, NotationError):
                sitting = TableClient(self.archives.see(self._entries))
                # Before the first paint there is nothing that a thread would keep from waiting.
                _follow(sitting, *self._read_settings(sitting.view.game))
                self._session = None
                return TableScreen(sitting)

        from companion.tui.screens.home import Home

        return Home(None if self._session else self._read_early_lists())

    def _read_early_lists(self) -> Lists | None:
        """What home lists, read from the archive's file; None where that cannot be seen, or the disk takes its time."""
        from companion.archive import fast_read
        from companion.tui.screens.home_lists import PAGE_ROWS

        lists: list[Lists | None] = []
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
        """Everything in it is read in a thread: the database's library alone takes as long to load as the screen."""
        from companion.archive import ArchiveError
        from companion.archive.waiting import waits

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
            return  # Somebody left while it was being opened.
        self.run_worker(self.archives.follow_others(), name="follow other windows")
        painted: Any = self.screen  # a table may have been painted before
        if (sitting := getattr(painted, "sitting", None)) is not None:
            await self._follow_settings(sitting)
            await painted.redraw()
        if self._session is not None:
            await self.resume(self._session)
        self._load_ahead()

    async def _make_home(self) -> Home:
        """Home; beneath the table that was painted first, where there is one."""
        from companion.tui.screens.home import Home

        first = self.screen_stack[0]
        if isinstance(first, Home):
            return first
        home = Home()
        await put_beneath(self, home, first, lambda _: self._leave_table(getattr(first, "sitting", None)))
        return home

    async def _take_own_keys(self, home: Home) -> None:
        """Give the bindings the keys that somebody wants them to have; what is wrong with these is told."""

        keys, wrong = await asyncio.to_thread(read_own_keys, CompanionApp)
        self.set_keymap(keys)
        home.show_keys()
        if wrong:
            self.notify(wrong, title="Your keys", severity="warning", timeout=ERROR_SECONDS, markup=False)

    @staticmethod
    def _collect() -> None:
        """Collect garbage from now on, but not among what is loaded: that would be 10 % of the slow keys' time.

        What loading itself left behind goes first, which is half a MiB.
        """
        if not gc.isenabled():
            gc.collect()
            gc.freeze()
            gc.enable()

    def _load_ahead(self) -> None:
        """Load what is behind the next keys, before they are pressed."""
        from companion.tui import preload

        going = preload.from_home(self) if self.screen is self._home else preload.from_a_table(self)
        self.run_worker(going, name="load ahead", group="load ahead", exclusive=True)

    def _cannot_open(self, home: Home, why: str) -> None:
        home.cannot_open(why)
        if self.screen is not home:
            self.notify(why, severity="error", timeout=ERROR_SECONDS, markup=False)

    # Which archive is shown

    async def _turn_to(self, archive: Archive) -> None:
        """Show this archive at home, and open its tables from now on."""
        await self.archives.show(archive)
        await self._home.show_archive(archive, is_sample=self.archives.is_sample)

    @property
    def _home(self) -> Home:
        from companion.tui.screens.home import Home

        home = self.screen_stack[0]
        assert isinstance(home, Home)
        return home

    def tell_home(self, text: str, *, wrong: bool = True) -> None:
        """Say something at home, for the most part what is wrong."""
        if self.screen_stack:
            self._home.say(text, wrong=wrong)

    @on(SampleRequested)
    def sample_requested(self, message: SampleRequested) -> None:
        """To the sample campaign, or back from it; what is typed meanwhile is meant for what is shown then."""
        going = self._to_sample_and_back(discard=message.discard)
        self.run_worker(going, name="sample", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _to_sample_and_back(self, *, discard: bool) -> None:
        """One's own archive stays open behind the sample."""
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
        """Back to a backup; what is typed meanwhile is meant for what is shown then."""
        going = self._open_anew(partial(self.archives.go_back, message.backup))
        self.run_worker(going, name="restore", group=BEFORE_MORE_KEYS, exclusive=True)

    def on_archive_screen_acceptance_requested(self) -> None:
        """Go on with an archive that is older than this computer last saw it."""
        going = self._open_anew(self.archives.accept)
        self.run_worker(going, name="accept", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _open_anew(self, change: Callable[[], Awaitable[str]]) -> None:
        """Change what one's own archive is, which opens it anew; then home, which says what was done."""
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

    # Tables, and what follows a game

    @on(TableRequested)
    def table_requested(self, message: TableRequested) -> None:
        """Go to a table, beside what else there is to do; what is typed meanwhile is meant for that table."""
        self.run_worker(self.resume(message.session), name="open a table", group=BEFORE_MORE_KEYS, exclusive=True)

    async def resume(self, session: str) -> None:
        """Go to a stored session's table; what stands in the way is told at home."""
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
        from companion.session.table_client import TableClient
        from companion.tui.screens.table import TableScreen

        sitting = TableClient(live)
        await self._follow_settings(sitting)
        await self.push_screen(TableScreen(sitting), lambda _: self._leave_table(sitting))

    async def _follow_settings(self, sitting: TableClient) -> None:
        _follow(sitting, *await asyncio.to_thread(self._read_settings, sitting.view.game))

    def _read_settings(self, game: str) -> tuple[settings.Settings, bool]:
        """What is chosen, and whether a table tells what to do with the real cards: until a game of that kind was
        sealed, where nothing else was chosen. It waits for the disk.
        """
        now = settings.read_settings()
        return now, now.teaches(is_first=not now.cards and self._is_first(game))

    def _is_first(self, game: str) -> bool:
        """Whether no game of this kind was sealed yet; False where that cannot be seen. It waits for the disk."""
        from companion.archive import ArchiveError, fast_read

        archive = self.archives.own
        if archive is None:
            # A table that is painted first waits for no library.
            return not fast_read.has_sealed(self.archives.url, game)
        with contextlib.suppress(ArchiveError):
            return not (self.archive or archive).has_sealed(game)
        return False

    @on(CeremonyRequested)
    def ceremony_requested(self, message: CeremonyRequested) -> None:
        """Lead through what follows a game; once it is sealed, to its labels and chores."""
        self.run_worker(self._lead(message.sitting), name="after the game", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _lead(self, sitting: TableClient) -> None:
        from companion.tui.screens.ceremony import CeremonyScreen, TonightScreen

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
        from companion.tui.screens.table import TableScreen

        if leads == "on":
            self.ceremony_requested(CeremonyRequested(sitting))
        elif leads == "home" and isinstance(self.screen, TableScreen):
            self.screen.action_leave()
        elif leads == "again":
            self.rematch_requested(RematchRequested(sitting.session.id))

    @on(RematchRequested)
    def rematch_requested(self, message: RematchRequested) -> None:
        """Open the same table again; what is typed meanwhile is meant for that one."""
        going = self._play_again(message.session)
        self.run_worker(going, name="the same table again", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _play_again(self, session: str) -> None:
        """From home, or from the table whose game is over; what stands in the way is told there."""
        from companion.archive import ArchiveError
        from companion.session import rematch
        from companion.tabletop.action import NotationError, RuleError
        from companion.tui.screens.table import TableScreen

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
        """A table was left; where its game is over and not sealed, home says so."""
        if sitting is not None and _is_unsealed(sitting):
            self.tell_home(f"{_UNSEALED} Enter leads to its seal.")
        self._end_evening()

    def _end_evening(self) -> None:
        """A table was left or sealed: a backup, beside whatever is done next."""
        self.run_worker(asyncio.to_thread(self._back_up), name="back up")
        self.call_after_refresh(self._load_ahead)

    # Phones

    def action_phones(self) -> None:
        """Serve the tables to phones from now on, and show who is there."""
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
        """Home leads nowhere, and a table has a key of its own for it."""
        screen = self.screen
        return action != "home" or not (isinstance(screen, BaseScreen) and (screen.is_home or screen.has_home_key))

    def action_home(self) -> None:
        """Leave one screen after the other; what is typed in a form is offered again, a table stands as it stood."""
        self.run_worker(self._leave_for_home(), name="home", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _leave_for_home(self) -> None:
        from companion.tui.screens.table import TableScreen

        while (screen := self.screen) is not self._home:
            if isinstance(screen, TableScreen):
                screen.end_tally()
            await screen.dismiss()

    # The end

    def exit(self, *result: Any, **more: Any) -> None:
        """End. Nobody waits any more for an archive that lets them wait; a game without its seal is told then."""
        from companion.archive.waiting import waits
        from companion.tui.screens.table import TableScreen

        for screen in self.screen_stack:
            if isinstance(screen, TableScreen) and _is_unsealed(screen.sitting):
                self.unsealed = f"{_UNSEALED} companion play leads to its seal."
        waits.end(for_good=True)
        super().exit(*result, **more)

    def on_unmount(self) -> None:
        """No more pages; a backup of the evening; let go of the archives."""
        from companion.archive.waiting import waits

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
    """Return True where the game is over and waits for its seal."""
    from companion.session.table_questions import is_over

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
        entries: What the stream of that session holds, if that is read already.
        serve: Opens pages for phones beside the screen.
        check_network: Says where those pages would be found.

    Raises:
        Exception: The fault that ended the screen, if it was one.
    """
    # What is loaded now stays. To look through it again and again for garbage takes an eighth of the start.
    gc.disable()
    app = CompanionApp(archive_url, session, entries, serve, check_network)
    app.run()
    for sentence in filter(None, (app.unsealed, app.no_backup)):
        print(sentence, file=sys.stderr)
    if app.fatal_error is not None:
        raise app.fatal_error
