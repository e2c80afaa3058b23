"""The archive: sessions, decks and people, kept after the evening.

Everything is appended to streams; the lists are written in the same transaction. The database is loaded only when an
archive is opened, so that a screen can be drawn before.
"""

from __future__ import annotations

import contextlib
import getpass
import platform
import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Final, Self

import msgspec

from companion.archive import deck_id, page_texts
from companion.archive.errors import Ambiguous, ArchiveError, NoArchive
from companion.archive.storage import lookup, purses
from companion.archive.storage.deck_readings import check_readings
from companion.archive.storage.entries import (
    Entry,
    LogLine,
    NewEntry,
    StoredLine,
    StreamOpened,
    draft,
    drafts,
    log_lines,
)
from companion.archive.storage.lists import (
    deck_stream,
    game_of,
    marks_of,
    new_marks,
    page_stream,
    person_stream,
    record_of,
    session_stream,
)
from companion.archive.storage.location import locate
from companion.archive.storage.lookup import StoryLine
from companion.archive.storage.rows import PAGE, DeckRow, ListPage, SessionRow, StoredChoice
from companion.games import registry
from companion.tabletop.evening import NameOf, own_name
from companion.tabletop.records import DeckReading, EditionTaken, Keepsake, Mark, Payment, Record
from companion.tabletop.text import LONGEST_NAME, sanitize
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from pathlib import Path

    from companion.archive.chapters import Chapter
    from companion.archive.storage.transaction import Transaction
    from companion.archive.store import Store

Clock = Callable[[], datetime]
"""A function that returns the current time, in UTC."""


def _now() -> datetime:
    return datetime.now(UTC)


# Every program with an archive can name a game by the file of its page.
_PAGE_FILES: Final = page_texts.PageFiles()
registry.add_source(_PAGE_FILES)


class Archive:
    """An open archive. Every method that writes is one durable transaction, committed when it returns.

    `opening` opens the store on first use. Its argument is True if a missing archive may be created.
    """

    def __init__(self, opening: Callable[[bool], Store], by: str | None = None, clock: Clock = _now) -> None:
        self._open_store = opening
        self._store: Store | None = None
        self._opening_lock = threading.RLock()
        self._is_opening = False
        self._by = by
        self.now = clock
        self._pages = page_texts.KeptPages(weakref.WeakMethod(self.store_if_there))
        registry.add_source(self._pages)

    @classmethod
    def open(
        cls, url: str | None = None, by: str | None = None, clock: Clock = _now, *, create: bool = True
    ) -> Archive:
        """Open the archive at `url` (a URL or a file; None: COMPANION_ARCHIVE, else the user's own archive).

        A missing archive is created, or raises NoArchive if `create` is False. `by` is the author of what is written,
        by default login and machine; `clock` dates what is written. Raises Unreadable.
        """
        archive = cls.open_lazily(url, by, clock, create=create)
        archive.ensure_open()
        return archive

    @classmethod
    def open_lazily(
        cls, url: str | None = None, by: str | None = None, clock: Clock = _now, *, create: bool = True
    ) -> Archive:
        """Return an archive that opens on first use; what `open` raises is raised then."""

        def opening(may_begin: bool) -> Store:
            # Code that opens no archive does not load the database library.
            from companion.archive.store import Store

            return Store(locate(url), create=create and may_begin)

        return cls(opening, by, clock)

    @cached_property
    def by(self) -> str:
        """The author of what is written; looked up on first use."""
        return self._by or _writer()

    @property
    def store(self) -> Store:
        """The database, opened on first use. Raises Unreadable if it cannot be opened."""
        with self._opening_lock:
            return self._open_once(create=True)

    def store_if_there(self) -> Store | None:
        """Return the database, or None if there is no archive yet; never create one.

        Raises Unreadable if it cannot be opened. Also returns None while this thread is opening it: migrating an old
        archive may look up games.
        """
        with self._opening_lock:
            try:
                return None if self._is_opening else self._open_once(create=False)
            except NoArchive:
                return None

    def _open_once(self, *, create: bool) -> Store:
        if self._store is None:
            self._is_opening = True
            try:
                self._store = self._open_store(create)
            finally:
                self._is_opening = False
        return self._store

    def ensure_open(self) -> None:
        """Open the archive if it is not open yet. Raises Unreadable."""
        _ = self.store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database if it was opened."""
        registry.remove_source(self._pages)
        if self._store is not None:
            self._store.close()

    @contextlib.contextmanager
    def suspend(self) -> Iterator[Path]:
        """Yield the archive's file while it is closed, so that a backup can replace it; open it again at the end.

        Other threads that open it meanwhile wait. Connections of their own, as a `ChangeListener` has, must be closed
        before. Raises ArchiveError for an archive on a server.
        """
        with self._opening_lock:
            store = self.store
            if store.file is None:
                raise ArchiveError(phrase("This archive is on a server; the server's own tools keep its backups."))
            store.close()
            try:
                yield store.file
            finally:
                self._store = None
                self._open_once(create=False)

    @property
    def name(self) -> str:
        """The name of the archive: its file, or its URL without the password."""
        return self.store.name

    # Streams

    def entries(self, stream: str, first: int = 0) -> tuple[Entry, ...]:
        """Return a stream's entries in order, from number `first` on; none if there is no such stream."""
        with self.store.reading() as transaction:
            return transaction.read(stream, first)

    def append(self, stream: str, expected_seq: int, entries: Sequence[NewEntry], by: str = "") -> int:
        """Append `entries`, the first as number `expected_seq`, and return the seq after the last.

        `by` is the author, if it is not the one given when the archive was opened. Raises Conflict if another writer's
        entry has that number already.
        """
        with self.store.writing() as transaction:
            self._append(transaction, stream, expected_seq, entries, by)
        return expected_seq + len(entries)

    def _append(
        self,
        transaction: Transaction,
        stream: str,
        expected_seq: int,
        entries: Sequence[NewEntry],
        by: str = "",
        session: str = "",
    ) -> None:
        added = transaction.append(stream, expected_seq, entries, by or self.by, self.now(), session)
        if added:
            # Code that only reads does not load the database library.
            from companion.archive.storage.results import list_result

            transaction.update_list(stream, added)
            list_result(transaction, stream, added)

    # Sessions

    def _keep_page(self, transaction: Transaction, opening: StreamOpened) -> None:
        """Store the page that something is opened by, so that it can be reopened even if the page's file is gone."""
        if new := page_texts.entries_to_keep(transaction, opening.game, opening.page):
            self._append(transaction, page_stream(opening.page), 0, new)

    def new_session(self, game: str, title: str = "", page: str = "") -> str:
        """Begin a session of `game` and return its id: eight symbols to read aloud. Raises NotationError.

        `page` is the digest of the page that describes the game; without it the current edition is played.
        """
        session, opening = lookup.new_session_id(), _opening(game, title, page)
        with self.store.writing() as transaction:
            self._keep_page(transaction, opening)
            self._append(transaction, session_stream(session), 0, [draft(opening)])
        return session

    def add_session(
        self,
        game: str,
        title: str,
        lines: Sequence[StoredLine],
        marks: Mapping[str, Sequence[Mark]],
        payments: Sequence[Payment | Keepsake] = (),
        by: str = "",
        page: str = "",
    ) -> str:
        """Store a whole session that was played elsewhere, from its opening to its seal, and return its id.

        Raises as `new_session` and `seal` do; nothing is stored then.
        """
        session, opening = lookup.new_session_id(), _opening(game, title, page)
        last = msgspec.structs.replace(lines[-1], seals=tuple(marks)) if marks or payments else lines[-1]
        with self.store.writing() as transaction:
            self._keep_page(transaction, opening)
            self._append(transaction, session_stream(session), 0, [draft(opening), *drafts((*lines[:-1], last))], by)
            self._seal(transaction, session, marks, payments, opening.game, by)
        return session

    def append_lines(
        self, session: str, number: int, lines: Sequence[StoredLine], by: str = "", writers: Sequence[str] = ()
    ) -> int:
        """Append lines to a session's log, the first as `number` (counted from 1); return the next number.

        `writers` are the authors of the lines if not all are by the same. Raises Conflict if the log has a line of that
        number already.
        """
        return self.append(session_stream(session), number, drafts(lines, writers), by)

    def lines(self, session: str, after: int = 0) -> tuple[LogLine, ...]:
        """Return a session's log in order, or only the lines after number `after`.

        Undone lines and their `undo` are included. Raises Unknown.
        """
        entries = self.entries(session_stream(session), after + 1 if after else 0)
        if not entries and not after:
            raise lookup.no_session(session)
        return log_lines(entries)

    def secret_choices(self, sessions: Collection[str]) -> dict[tuple[str, str], StoredChoice]:
        """Return the secret choices at these sessions by session and seat, also outdated ones.

        `companion.archive.secret_choices` saves them.
        """
        with self.store.reading() as transaction:
            return transaction.secret_choices(sessions)

    def sessions(self) -> tuple[SessionRow, ...]:
        """Return all sessions, the most recently changed first."""
        with self.store.reading() as transaction:
            return transaction.rows(SessionRow)

    def page_of_sessions(self, text: str = "", at: int = 0, count: int = PAGE) -> ListPage[SessionRow]:
        """Return a page of sessions from number `at` on, the most recently changed first.

        `text` selects sessions whose title, game and people contain every word of it, or whose ids begin with it.
        """
        with self.store.reading() as transaction:
            return transaction.page(SessionRow, text, at, count)

    def last_game(self) -> str:
        """Return the game of the table that changed last, else of the first deck; "" if there is neither."""
        tables = [row.game for row in self.page_of_sessions(count=1).rows]
        return next(iter(tables or [row.game for row in self.page_of_decks(count=1).rows]), "")

    def open_sessions_naming(self, text: str) -> tuple[SessionRow, ...]:
        """Return the unsealed sessions with a line that contains this text, the most recently changed first.

        If there are very many sessions, only the newest are searched.
        """
        with self.store.reading() as transaction:
            return transaction.open_sessions_naming(text)

    def titles(self, sessions: Iterable[str]) -> Mapping[str, str]:
        """Return the titles of sessions by id; unknown sessions are left out."""
        with self.store.reading() as transaction:
            return {key: title for key, (title, _) in transaction.titles(sessions).items()}

    def has_sealed(self, game: str) -> bool:
        """Return True if any game of this kind is sealed here."""
        with self.store.reading() as transaction:
            return transaction.has_sealed(game)

    def find_session(self, text: str) -> SessionRow:
        """Return the session with the id `text`, or with the only id that begins so, in any spelling.

        Raises Unknown.
        """
        with self.store.reading() as transaction:
            return lookup.find_session(transaction, text)

    def seal(
        self,
        session: str,
        number: int,
        lines: Sequence[StoredLine],
        marks: Mapping[str, Sequence[Mark]],
        payments: Sequence[Payment | Keepsake] = (),
        by: str = "",
        readings: Collection[DeckReading] = (),
    ) -> None:
        """End a session: append its last lines and the marks of its decks, and pay its people.

        `lines` are appended as `append_lines` does, and `payments` are what people earned and keep. All of it is
        written, or nothing. `readings` are those of the decks' records when the marks were made. Raises Conflict if the
        session grew meanwhile, DeckMoved if one of these records changed, ArchiveError if the session is sealed,
        Unknown if a deck is not here, Ambiguous if a payment's name fits several people.
        """
        last = msgspec.structs.replace(lines[-1], seals=tuple(marks))
        with self.store.writing() as transaction:
            row = transaction.row(SessionRow, session)
            # Appended before the check: a seal that is repeated after a broken connection may be this one.
            self._append(transaction, session_stream(session), number, drafts((*lines[:-1], last)), by)
            if row is not None and row.sealed:
                raise ArchiveError(
                    phrase("Session {session} is sealed already; it is in the records of its decks.", session=session)
                )
            if readings:
                check_readings(transaction, readings)
            self._seal(transaction, session, marks, payments, row.game if row else "", by)

    def _seal(
        self,
        transaction: Transaction,
        session: str,
        marks: Mapping[str, Sequence[Mark]],
        payments: Sequence[Payment | Keepsake],
        game: str,
        by: str,
    ) -> None:
        for deck, own in marks.items():
            length = lookup.deck_length(transaction, deck)
            takes_edition = any(isinstance(mark, EditionTaken) for mark in own)
            new = new_marks(transaction.read(deck_stream(deck)), own) if takes_edition else own
            self._append(transaction, deck_stream(deck), length, drafts(new), by, session)
        self._pay(transaction, payments, game, by, session)

    # Decks

    def new_deck_id(self) -> str:
        """Return a fresh id for a deck. While a tag is free, it differs from those of all other decks here."""
        with self.store.reading() as transaction:
            return deck_id.new(transaction.deck_ids())

    def decks_marked(self, kind: type[Mark]) -> frozenset[str]:
        """Return the ids of the decks that have a mark of this kind."""
        with self.store.reading() as transaction:
            streams = transaction.streams("deck", str(kind.__struct_config__.tag))
        return frozenset(stream.removeprefix(deck_stream("")) for stream in streams)

    def found_deck(
        self,
        game: str,
        marks: Sequence[Mark],
        payments: Sequence[Payment] = (),
        others: Mapping[str, Sequence[Mark]] = MappingProxyType({}),
        deck: str = "",
        page: str = "",
        session: str = "",
    ) -> str:
        """Found a deck from its first marks, make payments to purses, and return the deck's id.

        `others` are marks that the founding makes on decks that are here already. A deck that comes from elsewhere
        keeps its id, `deck`; any other gets one as `new_deck_id` draws it. `page` is as for `new_session`, and
        `session` the session at which it begins, if any.

        Raises NameTaken (V1.15), NotationError for an unknown game, Unknown, Ambiguous, and ArchiveError if the deck is
        here already.
        """
        rules = registry.game(game, page)
        opening = StreamOpened(rules.name, page=rules.page)
        with self.store.writing() as transaction:
            deck = deck or deck_id.new(transaction.deck_ids())
            if transaction.length(deck_stream(deck)):
                raise ArchiveError(phrase("Deck {deck} is here already.", deck=deck_id.show(deck)), "decks")
            lookup.check_name(transaction, rules.name, rules.record(tuple(marks)).name)
            self._keep_page(transaction, opening)
            self._append(transaction, deck_stream(deck), 0, drafts((opening, *marks)), session=session)
            for other, own in others.items():
                self._append(transaction, deck_stream(other), lookup.deck_length(transaction, other), drafts(own))
            self._pay(transaction, payments, rules.name)
        return deck

    def mark(self, deck: str, expected_seq: int, marks: Sequence[Mark]) -> int:
        """Append marks to a deck, the first as number `expected_seq` (its row's `length`); return the next seq.

        Raises Conflict, Unknown, and NameTaken if they give it a name that another deck has.
        """
        with self.store.writing() as transaction:
            lookup.deck_length(transaction, deck)
            entries = transaction.read(deck_stream(deck))
            rules = game_of(entries)
            lookup.check_name(transaction, rules.name, rules.record((*marks_of(entries), *marks)).name, but=deck)
            self._append(transaction, deck_stream(deck), expected_seq, drafts(marks))
        return expected_seq + len(marks)

    def marks(self, deck: str) -> tuple[Mark, ...]:
        """Return the marks made on a deck, oldest first. Raises Unknown."""
        return marks_of(self._deck_entries(deck))

    def record(self, deck: str) -> Record:
        """Return the deck as it is today, as its game's own record. Raises Unknown."""
        return record_of(self._deck_entries(deck))

    def story(self, deck: str) -> tuple[StoryLine, ...]:
        """Return a deck's story, one sentence per mark, oldest first, as `lookup.tell_story` does. Raises Unknown."""
        return lookup.tell_story(self._deck_entries(deck))

    def chapters(self, deck: str, name_of: NameOf = own_name) -> tuple[Chapter, ...]:
        """Return a deck's story as chapters, oldest first, as `chapters.tell_chapters` does. Raises Unknown."""
        # A table is painted without it.
        from companion.archive import chapters

        return chapters.tell_chapters(self._deck_entries(deck), name_of)

    def decks(self) -> tuple[DeckRow, ...]:
        """Return all decks by name, retired ones included."""
        with self.store.reading() as transaction:
            return transaction.rows(DeckRow)

    def page_of_decks(
        self,
        text: str = "",
        at: int = 0,
        count: int | None = PAGE,
        game: str = "",
        tags: Sequence[str] = (),
        *,
        page: str = "",
        due: bool = False,
    ) -> ListPage[DeckRow]:
        """Return a page of decks by name, from number `at` on.

        Args:
            text: Selects decks whose name contains every word.
            count: The number of decks; None for all that follow.
            game: Selects decks of this game that have not retired.
            tags: Selects decks that have all of these tags.
            page: Selects decks that follow any edition of the game on this page, and of no other game of that name. It
                is ignored for a game that is a program, because a homebrew of it accepts any deck.
            due: Selects decks with work by hand that is still due.
        """
        with self.store.reading() as transaction:
            editions = page_texts.editions_of(transaction, page) if page and not registry.is_program(game) else ()
            return transaction.page_of_decks(text, at, count, game, tags, pages=editions, due=due)

    def decks_named(self, game: str, name: str) -> tuple[DeckRow, ...]:
        """Return the decks of a game, retired ones included, that have this name in any case: at most one."""
        with self.store.reading() as transaction:
            return lookup.decks_named(transaction, game, name)

    def find_deck(self, text: str) -> DeckRow:
        """Return the deck that `text` means: an id in any spelling, a name, or the beginning of only one deck's name.

        Raises Unknown, or DeckIdError if it is a mistyped id.
        """
        with self.store.reading() as transaction:
            return lookup.find_deck(transaction, text)

    def _deck_entries(self, deck: str) -> tuple[Entry, ...]:
        entries = self.entries(deck_stream(deck))
        if not entries:
            raise lookup.no_deck(deck)
        return entries

    # People

    def purse(self, name: str, person: str = "") -> int:
        """Return a person's balance; 0 for a new person. Raises Ambiguous if several people have that name."""
        with self.store.reading() as transaction:
            if person:
                owner = purses.current_person(transaction, person)
                return owner.purse if owner else 0
            people = purses.purses_named(transaction, name)
            if len(people) > 1:
                raise Ambiguous(purses.ask_which(transaction, name, people))
        return people[0].purse if people else 0

    def _pay(
        self,
        transaction: Transaction,
        payments: Sequence[Payment | Keepsake],
        game: str,
        by: str = "",
        session: str = "",
    ) -> None:
        for person, entries in purses.payment_entries(transaction, payments, game).items():
            stream = person_stream(person)
            self._append(transaction, stream, transaction.length(stream), entries, by, session)


def _opening(game: str, title: str, page: str) -> StreamOpened:
    """Return the first entry of a session. Raises NotationError for an unknown game."""
    rules = registry.game(game, page)
    return StreamOpened(rules.name, sanitize(title[:LONGEST_NAME]), rules.edition, rules.page)


def _writer() -> str:
    try:
        return sanitize(f"{getpass.getuser()}@{platform.node()}")
    except (OSError, KeyError, ImportError):
        return f"somebody@{platform.node()}"
