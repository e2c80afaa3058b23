"""A sitting in the archive: lines are kept as they are entered, and with the one that seals the game its decks' marks.

Separate from `session.py`, which knows no archive. Loads no database: the archive does, once it is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.archive import Archive, Coppers, StoredLine, Unknown, deck_id
from companion.games import registry
from companion.games.action import DeckId, RuleError
from companion.games.records import Mark, Record
from companion.games.table import TableView
from companion.session.log import Line
from companion.session.session import Marks, Sealing, Session


class ArchiveJournal:
    """Keeps one session's lines in an archive, each intention in one durable transaction."""

    def __init__(self, archive: Archive, session: str, by: str = "", sealed: bool = False) -> None:
        self.archive = archive
        self.session = session
        self._by = by
        self._sealed = sealed

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> None:
        """Appends the lines, and the marks of all decks where they seal the game: all of it or nothing.

        Raises Conflict where somebody else wrote in between, Unknown where a deck is not in this archive.
        """
        where = standing(view)
        kept = [StoredLine(line.text, line.group, where) for line in lines]
        if sealing.marks and not self._sealed:
            marks = _by_id(self.archive, sealing.marks)
            coppers = [Coppers(payment.name, payment.coppers, payment.why) for payment in sealing.payments]
            self.archive.seal(self.session, lines[0].number, kept, marks, coppers, self._by)
            self._sealed = True
        else:
            self.archive.append_lines(self.session, lines[0].number, kept, self._by)


def start(archive: Archive, game: str, by: str = "", title: str = "") -> Session:
    """A new session of a game, kept from its first line on; its `id` leads back to it.

    `by` is who plays here, by default who opened the archive. Raises NotationError for an unknown game.
    """
    journal = ArchiveJournal(archive, archive.new_session(game, title), by)
    return Session.new(registry.game(game), journal, ArchiveShelf(archive), by or archive.by)


def resume(archive: Archive, session: str, by: str = "") -> Session:
    """A stored session exactly where it was, undo history included; `session` is its id in any spelling.

    Raises Unknown, or RuleError where a line does not fit the rules of this program.
    """
    row = archive.find_session(session)
    journal = ArchiveJournal(archive, row.session, by, row.sealed)
    lines = [
        Line(line.number, line.line, line.group, line.at.isoformat(timespec="seconds"), line.by)
        for line in archive.lines(row.session)
    ]
    if not lines:
        return Session.new(registry.game(row.game), journal, ArchiveShelf(archive), by or archive.by)
    return Session.resume(lines, journal, ArchiveShelf(archive), by or archive.by)


def keep(archive: Archive, session: Session, title: str = "") -> str:
    """Stores a session that was played outside the archive and returns its id.

    Raises Unknown where it seals a deck that is not in this archive; nothing is kept then.
    """
    sealing = session.sealing()
    _by_id(archive, sealing.marks)
    journal = ArchiveJournal(archive, archive.new_session(session.game.name, title))
    journal.keep(session.log.lines, sealing, session.view())
    return journal.session


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

    def purse(self, name: str) -> int:
        """The Coppers in somebody's purse; 0 for somebody new."""
        return self._archive.purse(name)


def standing(view: TableView) -> str:
    """Where a table stands, in a few words for a list: who sits there, and how far they are or how it ended."""
    seats = ", ".join(seat.name for seat in view.seats)
    if view.outcome:
        return " · ".join(part for part in (seats, view.outcome) if part)
    things = (thing for zone in view.zones for thing in zone.things)
    facing = next((thing.title for thing in things if any(counter.big for counter in thing.counters)), "")
    first = next((counter for counter in view.counters if type(counter.value) is int), None)
    count = f"{first.title} {first.text}" if first and first.value else ""
    step = next((step.title for step in view.steps if step.name == view.step), "")
    return " · ".join(part for part in (seats, facing, count, step) if part)


def _by_id(archive: Archive, marks: Marks) -> Mapping[DeckId, Sequence[Mark]]:
    """Marks by the canonical ids of their decks, which a file may have spelled otherwise. Raises Unknown."""
    return {archive.find_deck(deck).deck: made for deck, made in marks.items()}
