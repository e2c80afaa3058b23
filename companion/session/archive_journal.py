"""A session in the archive: its lines are kept as they are entered, with the marks of its decks when it is sealed."""

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
    Standing,
    StoredLine,
    Unknown,
    deck_id,
    lists,
)
from companion.archive.entries import log_lines
from companion.archive.lists import deck_stream
from companion.games import registry
from companion.session.decks_in_play import DeckInPlay, MovedDeck
from companion.session.log import Line, notation_of
from companion.session.session import Belongings, Sealing, Session, UnclearPerson
from companion.tabletop.action import NEW_PERSON, DeckId, NotationError, RuleError
from companion.tabletop.common_actions import Begin, Seat
from companion.tabletop.game import Game
from companion.tabletop.match_result import MatchResult
from companion.tabletop.notation import Notation
from companion.tabletop.records import DeckReading, Mark, Reason, Record
from companion.tabletop.table import TableView


class ArchiveJournal:
    """Keeps one session's lines in an archive, each intention in one durable transaction."""

    def __init__(self, archive: Archive, session: str, sealed: bool = False) -> None:
        self.archive = archive
        self.session = session
        self.sealed = sealed
        # That of the rules in force, where the archive knows another of this session; else 0.
        self._edition = 0

    @classmethod
    def of(cls, archive: Archive, row: SessionRow) -> ArchiveJournal:
        """The journal of a session that is kept already. Raises NotationError where its game is not here."""
        journal = cls(archive, row.session)
        journal._know(row)
        return journal

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> tuple[str, ...]:
        """Appends the lines, and the marks of all decks where they seal the game: all of it or nothing. Gives what is
        left out of the records as it is not true any more.

        Raises Conflict where somebody else wrote in between, also into the record of a deck; Unknown where a deck is
        not in this archive.
        """
        by, left_out = lines[0].by, tuple[str, ...]()
        kept = _stored(lines, view, sealing.result, self._edition)
        if sealing.writes and not self.sealed:
            # A table that is gone on with writes into no records.
            from companion.session import moved_decks

            row = self.archive.find_session(self.session)
            moved_decks.check_unmoved(self.archive, sealing)
            due = moved_decks.due_records(self.archive, registry.game(row.game, row.page), sealing)
            self.archive.seal(
                self.session, lines[0].number, kept, due.marks, sealing.payments, by, readings=due.readings
            )
            self.sealed, left_out = True, due.left_out
        else:
            self.archive.append_lines(self.session, lines[0].number, kept, by)
        self._edition = 0
        return left_out

    def later(self, number: int) -> tuple[Line, ...]:
        """The lines that others have kept after that of this number."""
        lines = self.archive.lines(self.session, number)
        if lines:
            self._know(self.archive.find_session(self.session))
        return tuple(map(_line, lines))

    def _know(self, row: SessionRow) -> None:
        edition = registry.game(row.game, row.page).edition
        self.sealed, self._edition = row.sealed, edition if edition != row.edition else 0


def _line(line: LogLine) -> Line:
    return Line(line.number, line.line, line.group, line.at.isoformat(timespec="seconds"), line.by, line.read)


def lines_for_everybody(archive: Archive, row: SessionRow) -> Sequence[LogLine]:
    """A stored session's lines without the names of what lies face down, as long as its game goes on."""
    lines = archive.lines(row.session)
    try:
        notation = notation_of(registry.game(row.game, row.page))
        # It is played only where something in it is secret, and perhaps no more.
        if row.sealed or all(notation.conceal(line.line) == line.line for line in lines):
            return lines
        session = _resumed(archive, row, lines)
    except NotationError:
        return lines
    texts = session.seen_by("").lines()
    return tuple(line._replace(line=text) for line, text in zip(lines, texts, strict=True))


def start(archive: Archive, game: str, by: str = "", title: str = "", page: str = "") -> Session:
    """A new session of a game, kept from its first line on; its `id` leads back to it.

    `by` is who plays here, by default who opened the archive; `page` is the digest of the page that the game is
    described on, without which its present edition is played. Raises NotationError for an unknown game.
    """
    rules = registry.game(game, page)
    journal = ArchiveJournal(archive, archive.new_session(rules.name, title, rules.page))
    return Session.new(rules, journal, ArchiveShelf(archive), by or archive.by)


def resume(archive: Archive, session: str, by: str = "") -> Session:
    """A stored session exactly where it was, undo history included; `session` is its id in any spelling.

    Where the rules of today refuse a line of it, it is where it was before that line, and its `stopped` says so.
    Raises Unknown, or NotationError where its game is not here.
    """
    row = archive.find_session(session)
    return _resumed(archive, row, archive.lines(row.session), by)


def resume_from_entries(archive: Archive, entries: Sequence[Entry]) -> Session:
    """The same, from what its stream was seen to hold: the archive itself need not be open yet. Raises as `resume`."""
    row = lists.row_of(entries[0].stream, entries)
    assert isinstance(row, SessionRow)
    return _resumed(archive, row, log_lines(entries))


def _resumed(archive: Archive, row: SessionRow, kept: Sequence[LogLine], by: str = "") -> Session:
    rules, journal, shelf = registry.game(row.game, row.page), ArchiveJournal.of(archive, row), ArchiveShelf(archive)
    if not kept:
        return Session.new(rules, journal, shelf, by or archive.by)
    return Session.resume(map(_line, kept), journal, shelf, by or archive.by, rules)


def keep(archive: Archive, session: Session, title: str = "") -> str:
    """Stores a session that was played outside the archive, in one transaction, and returns its id.

    Raises Unknown where it seals a deck that is not in this archive; nothing is kept then.
    """
    sealing, lines, game = session.sealing(), session.log.lines, session.game
    stored, marks = _stored(lines, session.view(), sealing.result), dict[DeckId, Sequence[Mark]]()
    session.remarks = ()
    if sealing.marks:
        from companion.session import moved_decks

        due = moved_decks.due_records(archive, game, sealing)
        marks, session.remarks = dict(due.marks), due.left_out
    return archive.add_session(game.name, title, stored, marks, sealing.payments, lines[0].by, game.page)


def _stored(lines: Sequence[Line], view: TableView, result: MatchResult | None, edition: int = 0) -> list[StoredLine]:
    """Lines as an archive keeps them, with where the table stands after the last, and how it ended."""
    where = standing(view)
    *before, last = (StoredLine(line.text, line.group, where, edition=edition, read=line.read) for line in lines)
    return [*before, msgspec.structs.replace(last, result=result)]


_DECKS = 30
"""Decks that are listed at once; a letter more makes them fewer."""


class ArchiveShelf:
    """An archive's decks and purses, for a table that is set up."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def deck(self, text: str) -> tuple[DeckId, Record]:
        """A stored deck by its id or its name. Raises RuleError where there is none."""
        try:
            deck = self._archive.find_deck(text).deck
        except (Unknown, deck_id.DeckIdError) as error:
            raise RuleError(str(error)) from None
        return deck, self._archive.record(deck)

    def reading(self, text: str) -> DeckReading:
        """Return how far the record of a deck has come. Raises RuleError where there is none."""
        # A table that is gone on with brings no deck.
        from companion.archive import deck_changes

        try:
            return deck_changes.read_record(self._archive, self._archive.find_deck(text).deck)[1]
        except (Unknown, deck_id.DeckIdError) as error:
            raise RuleError(str(error)) from None

    def changes(self, decks: Mapping[str, DeckInPlay]) -> tuple[MovedDeck, ...]:
        """The decks of a table whose records have moved on. Raises ArchiveError."""
        from companion.session import moved_decks

        return moved_decks.find_moved(self._archive, decks)

    def other_tables(self, deck: DeckId, session: str) -> tuple[str, ...]:
        """The tables besides a session at which a deck sits; none where that cannot be seen now."""
        from companion.session import moved_decks

        # It is said of a seat that is taken and kept already, so it cannot be refused any more.
        with contextlib.suppress(ArchiveError):
            return moved_decks.find_other_tables(self._archive, deck, session, partial(resume, self._archive))
        return ()

    def decks(self, text: str, game: Game) -> tuple[tuple[str, str], ...]:
        """Some decks of a game whose name has these letters, by name, each with who holds it."""
        page = self._archive.page_of_decks(text, count=_DECKS, game=game.name, page=game.page)
        return tuple((row.name, row.holder) for row in page.rows)

    def purse(self, name: str, person: str = "") -> Belongings:
        """What somebody brings, by their id or their name. Raises UnclearPerson, RuleError."""
        # A table that is gone on with asks nobody who they are.
        from companion.archive import people

        try:
            if person.lower() == NEW_PERSON:
                return Belongings(0, people.new_id(self._archive))
            matches = people.find_person(self._archive, person) if person else people.find_people(self._archive, name)
        except Unknown as error:
            raise RuleError(str(error)) from None
        if len(matches) > 1:
            raise UnclearPerson(name, people.describe_namesakes(self._archive, matches))
        return Belongings(matches[0].purse, matches[0].person, matches[0].kept) if matches else Belongings()


def standing(view: TableView) -> Standing:
    """Where a table stands, for a list: who sits there, and how far they are or how it ended."""
    return Standing(tuple(seat.name for seat in view.seats), view.standing or tuple(_facts(view)))


def _facts(view: TableView) -> Iterator[Reason]:
    """What any table says of itself: who won, or the game's own word for its end; else its first count and step."""
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
    """What makes two games the same one: which decks lay before which seats, and every line since it began."""

    decks: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]


def kept_as(archive: Archive, session: Session) -> str:
    """The id under which the archive has this sealed game; "" where it has not, or nothing was sealed.

    What stood on the decks before is not compared: the first time has changed it. Nor is the seed, which a file may
    leave to chance; what chance decided stands in the lines. Raises Unknown where a deck is not here.
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
