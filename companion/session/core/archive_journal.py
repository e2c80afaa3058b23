"""A session in the archive: its lines are stored as they are entered, and its decks' marks when it is sealed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from companion.archive import (
    Archive,
    ArchiveError,
    Entry,
    LogLine,
    SessionRow,
    SessionStanding,
    StoredLine,
    Unknown,
    deck_changes,
    deck_id,
)
from companion.archive.storage import lists
from companion.archive.storage.entries import log_lines
from companion.archive.storage.lists import deck_stream
from companion.games import registry
from companion.session.core import moved_decks
from companion.session.core.decks_in_play import DeckInPlay, MovedDeck
from companion.session.core.log import notation_of
from companion.session.core.moments import Line
from companion.session.core.sealing import Sealing
from companion.session.core.session import SecretChoice, Session
from companion.session.core.shelf import Belongings, UnclearPerson
from companion.tabletop.action import NEW_PERSON, DeckId, NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.notation import Notation
from companion.tabletop.records import DeckReading, Mark, Reason, Record
from companion.tabletop.table.common_actions import Begin, Seat
from companion.tabletop.table.table import TableView
from templates.languages.messages import Text


class ArchiveJournal:
    """A journal that stores a session's lines in an archive, each intention in one durable transaction."""

    def __init__(self, archive: Archive, session: str, sealed: bool = False) -> None:
        self.archive = archive
        self.session = session
        self.sealed = sealed
        # The edition of the rules in force if the archive has recorded another one for this session; else 0.
        self._edition = 0

    @classmethod
    def of(cls, archive: Archive, row: SessionRow) -> ArchiveJournal:
        """Return the journal of a stored session. Raises NotationError if its game is not installed."""
        journal = cls(archive, row.session)
        journal._know(row)
        return journal

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> tuple[Text, ...]:
        """Append the lines, and all decks' marks if they seal the game: all of it or nothing.

        Returns a sentence for each mark that is left out because it is stale. Raises Conflict if another process wrote
        in between, also into the record of a deck, and Unknown if a deck is not in this archive.
        """
        by, left_out = lines[0].by, tuple[Text, ...]()
        kept = _stored_lines(lines, view, sealing, self._edition)
        if sealing.writes and not self.sealed:
            row = self.archive.find_session(self.session)
            # The records are read first: what is written into them meanwhile is found by the check, or by the seal.
            due = moved_decks.due_records(self.archive, registry.game(row.game, row.page), sealing)
            moved_decks.check_unmoved(self.archive, sealing)
            self.archive.seal(
                self.session, lines[0].number, kept, due.marks, sealing.payments, by, readings=due.readings
            )
            self.sealed, left_out = True, due.left_out
        else:
            self.archive.append_lines(self.session, lines[0].number, kept, by, [line.by for line in lines])
        self._edition = 0
        return left_out

    def later(self, number: int) -> tuple[Line, ...]:
        """Return the lines that others have stored after this line number."""
        lines = self.archive.lines(self.session, number)
        if lines:
            self._know(self.archive.find_session(self.session))
        return tuple(map(_line, lines))

    def secret_choices(self) -> dict[str, SecretChoice]:
        """Return the choices that were made face down on phones, by seat. Raises ArchiveError."""
        stored = self.archive.secret_choices((self.session,))
        return {seat: SecretChoice(each.line, each.length, each.by) for (_, seat), each in stored.items()}

    def _know(self, row: SessionRow) -> None:
        edition = registry.game(row.game, row.page).edition
        self.sealed, self._edition = row.sealed, edition if edition != row.edition else 0


def _line(line: LogLine) -> Line:
    return Line(line.number, line.line, line.group, line.at.isoformat(timespec="seconds"), line.by, line.read)


def lines_for_everybody(archive: Archive, row: SessionRow) -> Sequence[LogLine]:
    """Return a stored session's lines without the names of cards that lie face down, as long as its game goes on."""
    lines = archive.lines(row.session)
    try:
        notation = notation_of(registry.game(row.game, row.page))
        # The session is replayed only if it contains secrets, which may be revealed by now.
        if row.sealed or all(notation.conceal(line.line) == line.line for line in lines):
            return lines
        session = _resume_session(archive, row, lines)
    except NotationError:
        return lines
    texts = session.seen_by("").lines()
    return tuple(line._replace(line=text) for line, text in zip(lines, texts, strict=True))


def start(archive: Archive, game: str, by: str = "", title: str = "", page: str = "") -> Session:
    """Start a new session of a game, stored from its first line on; return it.

    `by` is the player, by default the user of the archive. `page` is the digest of the page that describes the game; by
    default its current edition is played. Raises NotationError for an unknown game.
    """
    rules = registry.game(game, page)
    journal = ArchiveJournal(archive, archive.new_session(rules.name, title, rules.page))
    return Session.new(rules, journal, ArchiveShelf(archive), by or archive.by)


def resume(archive: Archive, session: str, by: str = "") -> Session:
    """Resume a stored session exactly as it was, including its undo history; `session` is its id in any spelling.

    If today's rules refuse a line, the session stands before that line, and its `stopping_point` reports it. Raises
    Unknown, or NotationError if its game is not installed.
    """
    row = archive.find_session(session)
    return _resume_session(archive, row, archive.lines(row.session), by)


def resume_from_entries(archive: Archive, entries: Sequence[Entry]) -> Session:
    """Resume a session from entries that were read from its stream, without an open archive. Raises as `resume`."""
    row = lists.row_of(entries[0].stream, entries)
    assert isinstance(row, SessionRow)
    return _resume_session(archive, row, log_lines(entries))


def _resume_session(archive: Archive, row: SessionRow, kept: Sequence[LogLine], by: str = "") -> Session:
    rules, journal, shelf = registry.game(row.game, row.page), ArchiveJournal.of(archive, row), ArchiveShelf(archive)
    if not kept:
        return Session.new(rules, journal, shelf, by or archive.by)
    return Session.resume(map(_line, kept), journal, shelf, by or archive.by, rules)


def keep(archive: Archive, session: Session, title: str = "") -> str:
    """Store a session that was played outside the archive, in one transaction, and return its id.

    Raises Unknown if it seals a deck that is not in this archive; then nothing is stored.
    """
    sealing, lines, game = session.sealing(), session.log.lines, session.game
    stored, marks = _stored_lines(lines, session.view(), sealing), dict[DeckId, Sequence[Mark]]()
    session.remarks = ()
    if sealing.marks:
        due = moved_decks.due_records(archive, game, sealing)
        marks, session.remarks = dict(due.marks), due.left_out
    return archive.add_session(game.name, title, stored, marks, sealing.payments, lines[0].by, game.page)


def _stored_lines(lines: Sequence[Line], view: TableView, sealing: Sealing, edition: int = 0) -> list[StoredLine]:
    """Return lines as an archive stores them, with the standing of the table, and the result at the last one."""
    where = standing(view)
    if sealing.is_sealed and not sealing.writes:
        where = msgspec.structs.replace(where, sealed=True)
    *before, last = (StoredLine(line.text, line.group, where, edition=edition, read=line.read) for line in lines)
    return [*before, msgspec.structs.replace(last, result=sealing.result)]


_DECKS = 30
"""Maximum number of decks listed at once; another letter narrows the list."""


class ArchiveShelf:
    """The decks and purses of an archive, for a table that is being set up."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def deck(self, text: str) -> tuple[DeckId, Record]:
        """Return a stored deck by its id or its name. Raises RuleError if there is none."""
        try:
            deck = self._archive.find_deck(text).deck
        except (Unknown, deck_id.DeckIdError) as error:
            raise RuleError(error.message) from None
        return deck, self._archive.record(deck)

    def reading(self, text: str) -> DeckReading:
        """Return how far the record of a deck has come. Raises RuleError if there is no such deck."""
        try:
            return deck_changes.read_record(self._archive, self._archive.find_deck(text).deck)[1]
        except (Unknown, deck_id.DeckIdError) as error:
            raise RuleError(error.message) from None

    def changes(self, decks: Mapping[str, DeckInPlay]) -> tuple[MovedDeck, ...]:
        """Return the decks of a table whose records have moved on. Raises ArchiveError."""
        return moved_decks.find_moved(self._archive, decks)

    def other_tables(self, deck: DeckId, session: str) -> tuple[Text, ...]:
        """Return the tables besides a session at which a deck sits; empty if the archive cannot be read."""
        # The seat is already taken and stored, so it cannot be refused any more.
        with contextlib.suppress(ArchiveError):
            return moved_decks.find_other_tables(self._archive, deck, session, partial(resume, self._archive))
        return ()

    def decks(self, text: str, game: Game, seat: str = "") -> tuple[tuple[str, str], ...]:
        """Return decks of a game that a seat can bring and whose names contain this text, each with its holder."""
        page = self._archive.page_of_decks(text, count=_DECKS, game=game.name, page=game.page)
        is_of_table = bool(seat) and seat == game.decks.table_seat
        rows = (row for row in page.rows if game.decks.is_of_table(row.figures) is is_of_table)
        return tuple((row.name, row.holder) for row in rows)

    def purse(self, name: str, person: str = "") -> Belongings:
        """Return a person's belongings, by id or name. Raises UnclearPerson or RuleError."""
        # Resuming a table identifies no person.
        from companion.archive.people import people

        try:
            if person.lower() == NEW_PERSON:
                return Belongings(0, people.new_id(self._archive))
            matches = people.find_person(self._archive, person) if person else people.find_people(self._archive, name)
        except Unknown as error:
            raise RuleError(error.message) from None
        if len(matches) > 1:
            raise UnclearPerson(name, people.describe_namesakes(self._archive, matches))
        return Belongings(matches[0].purse, matches[0].person, matches[0].kept) if matches else Belongings()


def standing(view: TableView) -> SessionStanding:
    """Return the standing of a table for a list: the names of its players, and its progress or outcome."""
    return SessionStanding(tuple(seat.name for seat in view.seats), view.standing or tuple(_facts(view)))


def _facts(view: TableView) -> Iterator[Reason]:
    """Yield the facts of a table: its winners or outcome, else its first count and its step."""
    if view.outcome:
        other = Reason("draw") if view.outcome == "draw" else Reason("outcome", (view.outcome,))
        yield Reason("won", (" and ".join(view.winners),)) if view.winners else other
        return
    first = view.count
    if first and first.value:
        yield Reason("counter", (first.name, first.text))
    if any(step.name == view.step for step in view.steps):
        yield Reason("step", (view.step,))


class _Fingerprint(msgspec.Struct, frozen=True):
    """The identity of a game: the decks by seat, and every line since it began."""

    decks: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]


def kept_as(archive: Archive, session: Session) -> str:
    """Return the id under which the archive has this sealed game; "" if it does not, or if nothing was sealed.

    The earlier state of the decks is not compared, because the first seal changed it. The seed is not compared either:
    a file may leave it open, and the lines record what chance decided. Raises Unknown if a deck is not here.
    """
    decks = [archive.find_deck(deck).deck for deck in session.sealing().marks]
    sources = [{entry.session for entry in archive.entries(deck_stream(deck)) if entry.session} for deck in decks]
    if not sources:
        return ""
    fingerprint = _fingerprint_of(archive, session.notation, (line.text for line in session.log.lines))
    for source in sorted(set.intersection(*sources)):
        if _fingerprint_of(archive, session.notation, (line.line for line in archive.lines(source))) == fingerprint:
            return source
    return ""


def _fingerprint_of(archive: Archive, notation: Notation, lines: Iterable[str]) -> _Fingerprint:
    decks, rest = [], iter(lines)
    for line in rest:
        action = notation.parse(line)
        if isinstance(action, Seat) and action.deck:
            decks.append((action.seat, archive.find_deck(action.deck).deck))
        if isinstance(action, Begin):
            return _Fingerprint(tuple(decks), (notation.format(msgspec.structs.replace(action, seed=None)), *rest))
    return _Fingerprint(tuple(decks), ())
