"""A session while it is open in this process: one log, however many screens show it, and who hears of its changes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from companion.archive import Archive, ArchiveError
from companion.session import archive_journal, log
from companion.session.countdown import Countdown
from companion.session.session import Session
from companion.session.table_lock import TableLock
from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import Coach


class News(msgspec.Struct, frozen=True):
    """The table has changed: its log is now so many lines long, and `sentence` tells what happened. With a `line`,
    nothing has: somebody suggests that line to the host.
    """

    length: int
    sentence: str
    line: str = ""


Listener = Callable[[News], object]

ELSEWHERE: Final = "In another window: "
"""What stands before the sentence of something that another program has written."""


class SharedSession:
    """A session that any number of sittings of this process share.

    Who writes holds `lock` from the look at the table to the last line on disk; a log only grows, and a state never
    changes, so that reading needs no lock.
    """

    def __init__(self, session: Session, countdown: Countdown | None = None) -> None:
        self.session = session
        self.countdown = countdown or Countdown()
        self.coach_questions: dict[tuple[str, str, str], Coach] = {}
        """What was said to the coach last, by who said it, at whose screen, and for which seat: in memory alone."""
        self.lock = TableLock()
        # Of its own: a screen comes and goes while another thread waits with the table's lock for the archive.
        self._listening = threading.Lock()
        self._listeners: dict[object, Listener] = {}

    @property
    def length(self) -> int:
        """How many lines the log has: it only ever grows, so the same length is the same table."""
        return len(self.session.log.lines)

    def reload(self) -> None:
        """Take in what other processes have written. Raises RuleError or ArchiveError."""
        with self.lock:
            self.session.follow()

    def catch_up(self) -> None:
        """The same, and tell everybody what that says. Raises as `reload` does."""
        # Asked first without the lock: who writes does not wait for an archive that lets this wait.
        if self.session.is_behind():
            with self.lock:
                before = self.length
                self.reload()
                news = News(self.length, self.elsewhere(before)) if self.length != before else None
            if news is not None:
                self.tell(news)
        self.look_at_decks()

    def look_at_decks(self) -> None:
        """Tell everybody where the record of a deck has moved on since this table read it. Raises ArchiveError."""
        # Without the lock, as above: what is found is shown only as long as it is about the lines that count.
        before = self.session.moved_decks
        new = [each for each in self.session.look_at_decks() if each not in before]
        if new:
            self.tell(News(self.length, " ".join(each.text for each in new)))

    def elsewhere(self, before: int) -> str:
        """What others have written behind so many lines, in sentences."""
        return f"{ELSEWHERE}{self.since(before)}"

    def since(self, before: int) -> str:
        """What was written behind so many lines, in sentences; by its lines where none of it counts now."""
        later = (moment for moment in self.session.moments() if moment.number > before)
        tells = (tell for moment in later for tell in log.describe_moment(moment, self.session.game))
        return log.join_sentences(tells) or ", ".join(self.session.seen_by("").lines()[before:])

    def subscribe(self, who: object, listener: Listener) -> None:
        """Call `listener` from now on with what others than `who` do, in the thread in which they do it."""
        with self._listening:
            self._listeners[who] = listener

    def unsubscribe(self, who: object) -> None:
        """Call it no more."""
        with self._listening:
            self._listeners.pop(who, None)

    def suggest(self, line: str, sentence: str) -> None:
        """Suggest a line to whoever hosts the table here; `sentence` says where it comes from."""
        self.tell(News(self.length, sentence, line))

    def tell(self, news: News, by: object = None) -> None:
        """Let everybody but `by` know. Who cannot be told any more has gone, and is left out from now on."""
        with self._listening:
            listeners = [(who, listener) for who, listener in self._listeners.items() if who is not by]
        for who, listener in listeners:
            try:
                listener(news)
            except Exception:
                self.unsubscribe(who)


class SharedSessions:
    """The sessions of an archive that are open in this process, each once, for as long as a sitting holds it."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._open: WeakValueDictionary[str, SharedSession] = WeakValueDictionary()
        # Who comes back to a table finds its countdown where it stood.
        self._countdowns: dict[str, Countdown] = {}
        self._lock = threading.Lock()

    def open(self, session: str) -> SharedSession:
        """A stored session as it is kept now, by its id in any spelling. Raises ArchiveError, NotationError or
        RuleError.
        """
        # Without the lock: of an archive that lets many wait, each is told in time.
        row = self._archive.find_session(session)
        with self._lock:
            live = self._open.get(row.session)
            if live is None:
                session_here = archive_journal.resume(self._archive, row.session)
                with contextlib.suppress(ArchiveError):  # whoever begins or seals it is told
                    session_here.look_at_decks()
                live = self._open[row.session] = SharedSession(session_here, self._countdown(row.session))
                return live
        # Whoever shows it already is told, too, what this look has found.
        live.catch_up()
        return live

    def hold(self, session: Session) -> SharedSession:
        """A stored session that was read already."""
        with self._lock:
            live = self._open[session.id] = SharedSession(session, self._countdown(session.id))
            return live

    def _countdown(self, session: str) -> Countdown:
        return self._countdowns.setdefault(session, Countdown())

    def catch_up(self) -> None:
        """Take in what other processes have written at the open tables, and tell whoever shows them.

        Raises ArchiveError. What cannot be read stays as it is: whoever writes there next is told.
        """
        with self._lock:
            open_here = dict(self._open)
        for live in open_here.values():
            with contextlib.suppress(RuleError):
                live.catch_up()
