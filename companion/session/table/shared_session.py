"""A session that is open in this process: one log, shared by any number of screens, and its listeners."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import msgspec

from companion.archive import Archive, ArchiveError
from companion.session.core import archive_journal
from companion.session.core.moments import describe_moment, join_sentences
from companion.session.core.session import Session
from companion.session.table.countdown import Countdown
from companion.session.table.table_lock import TableLock
from companion.tabletop.action import RuleError
from companion.tabletop.notation.line_texts import LineText
from companion.tabletop.table.common_actions import Coach
from templates.languages.messages import Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.tabletop.rehearsal import Advice


class News(msgspec.Struct, frozen=True):
    """A change of the table: its log now has `length` lines, and `sentence` reports what happened.

    With a `line`, nothing has changed: the line is a suggestion to the host. `happened` is the sentence without where
    it happened, for readers who have no window.
    """

    length: int
    sentence: Text
    line: str = ""
    happened: Text = ""


Listener = Callable[[News], object]


class SharedSession:
    """A session shared by any number of sittings of this process.

    A writer holds `lock` from reading the table until the last line is on disk. The log only grows, and a state never
    changes, so reading needs no lock.
    """

    def __init__(self, session: Session, countdown: Countdown | None = None) -> None:
        self.session = session
        self.countdown = countdown or Countdown()
        self.coach_questions: dict[tuple[str, str, str], Coach] = {}
        """The last question to the coach, by who asked it, the viewer of the screen, and the seat; in memory only."""
        self.coach_advice: dict[int, Advice] = {}
        """The advice of the coach by position and hand; in memory only."""
        self.lock = TableLock()
        # A separate lock: screens come and go while another thread holds the table's lock and waits for the archive.
        self._listening = threading.Lock()
        self._listeners: dict[object, Listener] = {}

    @property
    def length(self) -> int:
        """The number of lines in the log. It only grows, so an equal length means the same table."""
        return len(self.session.log.lines)

    def reload(self) -> None:
        """Load what other processes have written. Raises RuleError or ArchiveError."""
        with self.lock:
            self.session.follow()

    def catch_up(self) -> None:
        """Load what other processes have written and notify all listeners. Raises RuleError or ArchiveError."""
        # Check without the lock first, so that a slow archive does not block a writer.
        if self.session.is_behind():
            with self.lock:
                before = self.length
                self.reload()
                news = self.news_from_elsewhere(before) if self.length != before else None
            if news is not None:
                self.tell(news)
        self.look_at_decks()

    def look_at_decks(self) -> None:
        """Notify all listeners if the record of a deck has moved on since this table read it. Raises ArchiveError."""
        # Without the lock, as above: a result is shown only while it concerns lines that count.
        before = self.session.moved_decks
        new = [each for each in self.session.look_at_decks() if each not in before]
        if new:
            self.tell(News(self.length, joined(" ", (each.text for each in new))))

    def news_from_elsewhere(self, before: int) -> News:
        """Return the news of what others have written after line `before`."""
        return News(self.length, self.elsewhere(before), happened=self.since(before))

    def elsewhere(self, before: int) -> Message:
        """Return what others have written after line `before`, in sentences."""
        return phrase("In another window: {sentences}", sentences=self.since(before))

    def since(self, before: int) -> Text:
        """Return what was written after line `before`, in sentences, or as lines if none of it counts now."""
        later = (moment for moment in self.session.moments() if moment.number > before)
        tells = (tell for moment in later for tell in describe_moment(moment, self.session.game))
        return join_sentences(tells) or self._corrections_since(before)

    def _corrections_since(self, before: int) -> Text:
        lines = self.session.seen_by("").lines()[before:]
        if not lines:
            return ""
        return LineText(", ".join(lines), lambda: phrase("Something was taken back or corrected."))

    def subscribe(self, who: object, listener: Listener) -> None:
        """Call `listener` with the changes made by others than `who`, in the thread that makes them."""
        with self._listening:
            self._listeners[who] = listener

    def unsubscribe(self, who: object) -> None:
        """Stop calling the listener of `who`."""
        with self._listening:
            self._listeners.pop(who, None)

    def suggest(self, line: str, sentence: Text) -> None:
        """Suggest a line to the host of this table; `sentence` names its origin."""
        self.tell(News(self.length, sentence, line))

    def tell(self, news: News, by: object = None) -> None:
        """Notify all listeners but `by`. A listener that raises is gone, and is unsubscribed."""
        with self._listening:
            listeners = [(who, listener) for who, listener in self._listeners.items() if who is not by]
        for who, listener in listeners:
            try:
                listener(news)
            except Exception:
                self.unsubscribe(who)


class SharedSessions:
    """The sessions of an archive that are open in this process, one object each while a sitting holds it."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._open: WeakValueDictionary[str, SharedSession] = WeakValueDictionary()
        # The countdown of a table outlasts its session object, so that it is still there when someone returns.
        self._countdowns: dict[str, Countdown] = {}
        self._lock = threading.Lock()

    def open(self, session: str) -> SharedSession:
        """Return a stored session in its current state, by its id in any spelling.

        Raises ArchiveError, NotationError or RuleError.
        """
        # Without the lock, so that a slow archive reports its timeout to each of the waiting threads.
        row = self._archive.find_session(session)
        with self._lock:
            live = self._open.get(row.session)
            if live is None:
                session_here = archive_journal.resume(self._archive, row.session)
                with contextlib.suppress(ArchiveError):  # reported when the game begins or is sealed
                    session_here.look_at_decks()
                live = self._open[row.session] = SharedSession(session_here, self._countdown(row.session))
                return live
        # Screens that already show the session also get the news from this check.
        live.catch_up()
        return live

    def hold(self, session: Session) -> SharedSession:
        """Share a stored session that is already loaded."""
        with self._lock:
            live = self._open[session.id] = SharedSession(session, self._countdown(session.id))
            return live

    def _countdown(self, session: str) -> Countdown:
        return self._countdowns.setdefault(session, Countdown())

    def forget(self) -> None:
        """Forget the open sessions and countdowns, after another archive has taken the place of this one."""
        with self._lock:
            self._open.clear()
            self._countdowns.clear()

    def catch_up(self) -> None:
        """Load what other processes have written at the open tables, and notify their listeners.

        Raises ArchiveError. A table that cannot be read stays as it is; its next writer gets the error.
        """
        with self._lock:
            open_here = dict(self._open)
        for live in open_here.values():
            with contextlib.suppress(RuleError):
                live.catch_up()
