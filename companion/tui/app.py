"""The app: the order of its screens, from the first paint to the exit, the user's own keys, and the signals that end
it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import select
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from companion.archive.errors import ArchiveError
from companion.archive.storage.waiting import waits
from companion.tui import frame
from companion.tui.archives import Archives, CannotServe, Serve
from companion.tui.frame import ERROR_SECONDS, BaseApp
from companion.tui.messages import (
    ArchiveAwaited,
    CeremonyRequested,
    DesignerRequested,
    RematchRequested,
    SampleRequested,
    TableRequested,
)
from companion.tui.terminal.input_queue import BEFORE_MORE_KEYS
from companion.tui.terminal.terminal import keep_order
from companion.tui.terminal.textual_private import BaseScreen, put_beneath
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from textual.screen import Screen

    from companion.archive import Archive, Entry
    from companion.forms.health import AreaChecks
    from companion.session.table.shared_session import SharedSessions
    from companion.tui.keymap import Together
    from companion.tui.screens.archive import ArchiveScreen
    from companion.tui.screens.home.home import Home
    from companion.tui.tables import TableOpener


_GRACE: Final = 5.0
"""Seconds that an orderly exit may take."""

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
    with suppress(RuntimeError):  # the loop is closed: the program has ended but for its last steps
        loop.call_soon_threadsafe(end)


def read_own_keys(app: type[DOMNode]) -> tuple[Mapping[str, str], Text]:
    """Return the user's keys by binding id, and a text on what is wrong with them ("" for nothing)."""
    from companion.tui import keymap

    def find_scopes() -> tuple[Together, ...]:
        from companion.tui.key_scopes import key_scopes

        return key_scopes(app)

    place = keymap.keymap_file()
    try:
        own = keymap.read_keymap(place, find_scopes)
    except keymap.KeymapError as error:
        return {}, str(error)
    if not own.skipped:
        return own.keys, ""
    # Translators: {reasons} are sentences on the keys that are skipped.
    skipped = phrase("{file}: {reasons} The other keys hold.", file=str(place), reasons=joined(" ", own.skipped))
    return own.keys, skipped


class CompanionApp(BaseApp):
    """The companion on a terminal, with the `archives` that it shows.

    It begins at home or at a `session`, which is painted from its `entries` while the archive opens.
    """

    DEFAULT_MODE = "home"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+q", "quit", "Quit", id="app.quit", show=False, tooltip="Quit; everything is saved", priority=True
        ),
        Binding(
            "ctrl+b",
            "home",
            "Home",
            id="app.home",
            show=False,
            tooltip="Go home from anywhere; everything is saved",
            priority=True,
        ),
        Binding(
            "ctrl+g", "phones", "Phones", id="app.phones", show=False, tooltip="Show the table on everybody's phone"
        ),
    ]

    def __init__(
        self,
        archive_url: str | None = None,
        session: str | None = None,
        entries: Sequence[Entry] = (),
        serve: Serve | None = None,
        check_network: AreaChecks = tuple,
    ) -> None:
        super().__init__()
        self.check_network = check_network
        """Reports the doctor's checks of the network for phones."""
        self.add_mode("home", self._make_first_screen)
        self.archives = Archives(archive_url, serve)
        self.archives.on_shared = self._show_shared
        self._session = session
        self._entries = entries
        self._made_home: Home | None = None
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
        if self._entries and (table := self._table_opener.paint(self._entries)) is not None:
            self._session = None
            return table
        return self._make_home(is_early=not self._session)

    @cached_property
    def _table_opener(self) -> TableOpener:
        # Home is painted before a table is loaded.
        from companion.tui.tables import TableOpener

        return TableOpener(self, self.archives, self.tell_home, self._end_evening)

    def _make_home(self, *, is_early: bool = False) -> Home:
        """Return home; with `is_early`, it begins with the lists that the archive's file has."""
        # A table is painted before home is loaded.
        from companion.tui.screens.home import home, home_lists

        self._made_home = home.Home(home_lists.read_early_lists(self.archives.url) if is_early else None)
        return self._made_home

    def _open(self) -> None:
        self.run_worker(self._open_archive(), name="open the archive", group=BEFORE_MORE_KEYS)
        self.start_keys()

    async def _open_archive(self) -> None:
        """Open the archive in a thread: importing the database library alone takes as long as loading the screen."""
        home = await self._ensure_home()
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
        self.run_worker(self.archives.begin_sharing(), name="share the archive")
        painted: Any = self.screen  # a table may have been painted before
        if (sitting := getattr(painted, "sitting", None)) is not None:
            await self._table_opener.follow_settings(sitting)
            await painted.redraw()
        if self._session is not None:
            await self._table_opener.open(self._session)
        self._load_ahead()

    async def _ensure_home(self) -> Home:
        """Return home; put it beneath the table if that was painted first."""
        if self._made_home is None:
            first: Any = self.screen_stack[0]
            await put_beneath(self, self._make_home(), first, lambda _: self._table_opener.leave(first.sitting))
        return self._home

    async def _take_own_keys(self, home: Home) -> None:
        """Apply the user's own keys to the bindings, and report errors in them."""

        keys, wrong = await asyncio.to_thread(read_own_keys, CompanionApp)
        self.set_keymap(keys)
        home.show_keys()
        if wrong:
            title = str(phrase("Your keys"))
            self.notify(str(wrong), title=title, severity="warning", timeout=ERROR_SECONDS, markup=False)

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
        assert self._made_home is not None
        return self._made_home

    def tell_home(self, text: Text, *, wrong: bool = True) -> None:
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
        own, current = self.archives.own, self.archives.current
        assert own is not None
        assert current is not None
        try:
            if not self.archives.is_sample:
                self.tell_home(phrase("Laying out the sample campaign …"), wrong=False)
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

    async def _open_anew(self, change: Callable[[], Awaitable[Text]]) -> None:
        """Replace the user's own archive and reopen it; then go home and report the result."""
        if not self.archives.can_go_back:
            self.add_note(phrase("Only your own archive can go back to a backup."))
            return
        sentence: Text
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
        self.run_worker(
            self._table_opener.open(message.session), name="open a table", group=BEFORE_MORE_KEYS, exclusive=True
        )

    @on(CeremonyRequested)
    def ceremony_requested(self, message: CeremonyRequested) -> None:
        """Lead through the steps after a game; once it is sealed, show its labels and chores."""
        self._table_opener.start_ceremony(message.sitting)

    @on(RematchRequested)
    def rematch_requested(self, message: RematchRequested) -> None:
        """Open the same table again; keys typed meanwhile apply to the new one."""
        self._table_opener.start_rematch(message.session)

    def _end_evening(self) -> None:
        """Back up in a worker after a table was left or sealed."""
        self.run_worker(asyncio.to_thread(self._back_up), name="back up")
        self.call_after_refresh(self._load_ahead)

    # Phones

    def action_phones(self) -> None:
        """Serve the tables to phones from now on, and show the phones that are connected."""
        self.run_worker(self._show_phones(), name="open the pages", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _show_phones(self) -> None:
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

    @on(DesignerRequested)
    def designer_requested(self, message: DesignerRequested) -> None:
        """Open the designer of labels in the browser of this machine."""
        self.run_worker(self._open_designer(message.design), name="open the designer", exclusive=True)

    async def _open_designer(self, design: str) -> None:
        try:
            page = await self.archives.open_designer(design)
        except (CannotServe, ArchiveError) as error:
            self.add_note(str(error))
            return
        self.add_note(
            str(
                phrase("The designer opens in your browser; what you save there is in the list of designs here.")
                if page.is_open
                else phrase("Open {link} in a browser on this machine within two minutes.", link=page.link)
            )
        )

    # Home

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 – Textual's
        """Return False for the home key at home, and at a table, which has its own key for it."""
        screen = self.screen
        return action != "home" or not (isinstance(screen, BaseScreen) and (screen.is_home or screen.has_home_key))

    def action_home(self) -> None:
        """Leave one screen after another. A form offers its draft again later; a table stays as it is."""
        self.run_worker(self._leave_for_home(), name="home", group=BEFORE_MORE_KEYS, exclusive=True)

    async def _leave_for_home(self) -> None:
        while (screen := self.screen) is not self._home:
            self._table_opener.end_tally(screen)
            await screen.dismiss()

    # The exit

    def exit(self, *result: Any, **more: Any) -> None:
        """Exit. Stop waiting for a locked archive, and note if a game is over and not sealed."""
        self.unsealed = self._table_opener.describe_unsealed(self.screen_stack)
        waits.end(for_good=True)
        super().exit(*result, **more)

    def on_unmount(self) -> None:
        """Close the pages, back up, and close the archives."""
        self.archives.close_pages()
        waits.settle()
        waits.listen(None)
        self._back_up()
        self.archives.close()

    def _show_shared(self, entries: int) -> None:
        """Show at home what came in from other devices, and the state of the shared folder; called in a thread."""
        if self.is_running:
            self.call_later(self._home.show_shared, entries)

    def _back_up(self) -> None:
        try:
            self.archives.back_up()
        except (ArchiveError, OSError) as error:
            self.no_backup = str(phrase("No backup could be made: {reason}", reason=str(error)))
            if self.is_running:
                self.call_later(self.tell_home, self.no_backup)
        else:
            self.no_backup = ""
            if self.is_running:
                self.call_later(self._home.refresh_backup_state)


def run(
    archive_url: str | None,
    session: str | None = None,
    entries: Sequence[Entry] = (),
    serve: Serve | None = None,
    check_network: AreaChecks = tuple,
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
    with keep_order():
        app.run()
    for sentence in filter(None, (app.unsealed, app.no_backup)):
        print(sentence, file=sys.stderr)
    if app.fatal_error is not None:
        raise app.fatal_error
