"""The records of the decks at a table: changes since it read them, the marks of a seal, and other tables of a deck."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError, SessionRow, Unknown, deck_changes
from companion.archive.deck_changes import DeckChange
from companion.archive.deck_id import DeckIdError
from companion.archive.storage import deck_readings
from companion.archive.storage.deck_readings import DeckMoved
from companion.archive.storage.lists import deck_stream, marks_of
from companion.archive.storage.lookup import StoryLine
from companion.archive.storage.rows import SessionStanding, reason_text
from companion.session.core.decks_in_play import DeckInPlay, MovedDeck, Revision
from companion.session.core.sealing import Sealing
from companion.session.core.session import Session
from companion.tabletop.action import DeckId, NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.records import DeckReading, Mark
from templates.languages.dates import short_date
from templates.languages.messages import Message, Text, WithinSentence, joined, listed, phrase, phrases

_MOST_SENTENCES: Final = 5
"""Maximum number of sentences from a deck's story if its record has moved on; the deck's page has all."""
_MOST_TABLES: Final = 3
"""Maximum number of other tables that are named."""
_MOST_LOOKED_AT: Final = 12
"""Maximum number of tables replayed, newest first, to see whether a deck still sits there."""


def find_moved(archive: Archive, decks: Mapping[str, DeckInPlay]) -> tuple[MovedDeck, ...]:
    """Return the decks of a table whose records have moved on since it read them. Raises ArchiveError."""
    changes = ((seat, deck, _change(archive, deck.deck, deck.revision)) for seat, deck in decks.items())
    return tuple(
        MovedDeck(seat, change.name, deck.line, tuple(_sentences(archive, change)), change.holder)
        for seat, deck, change in changes
        if change is not None
    )


def _change(archive: Archive, deck: DeckId, revision: Revision) -> DeckChange | None:
    """Return the change of a deck since a table read it, or None if there is none.

    Also None if the time of the reading is unknown, the deck is not in the archive, or its game is not installed.
    """
    if not revision:
        return None
    since = revision if isinstance(revision, DeckReading) else datetime.fromisoformat(revision)
    try:
        return deck_changes.find_change(archive, archive.find_deck(deck).deck, since)
    except (Unknown, DeckIdError, NotationError, RuleError):
        return None


def _sentences(archive: Archive, change: DeckChange) -> Iterator[Text]:
    """Yield sentences on what was written since, with the table or date of each."""
    if change.is_rewritten:
        yield phrase("An import or a forgotten name has changed earlier entries.")
    newest = change.lines[:_MOST_SENTENCES]
    titles = archive.titles({line.session for line in newest if line.session})
    for session, lines in groupby(newest, lambda line: line.session):
        yield _paragraph(session, titles.get(session, ""), list(lines))
    if change.holder and not any(change.holder in line.text for line in newest):
        # Translators: “it” is a deck.
        yield phrase("{person} holds it now.", person=change.holder)
    if more := len(change.lines) - len(newest):
        # Translators: Sentences of the story of a deck that are not shown.
        yield phrases("{n} more are in its history.", "{n} more are in its history.", n=more)


def _paragraph(session: str, title: str, lines: Sequence[StoryLine]) -> Message:
    sentences = joined(" ", (line.text for line in lines))
    when = short_date(lines[-1].at)
    if not session:
        return phrase("Written away from a table, {date}: {sentences}", date=when, sentences=sentences)
    if not title:
        return phrase("Sealed at table {session}, {date}: {sentences}", session=session, date=when, sentences=sentences)
    return phrase(
        "Sealed at table “{title}” ({session}), {date}: {sentences}",
        title=title,
        session=session,
        date=when,
        sentences=sentences,
    )


class DueRecords(NamedTuple):
    """The marks that a seal writes into the current records of its decks, and sentences on what it leaves out."""

    marks: Mapping[DeckId, Sequence[Mark]]
    left_out: tuple[Text, ...]
    readings: tuple[DeckReading, ...]


def due_records(archive: Archive, game: Game, sealing: Sealing) -> DueRecords:
    """Return the part of a seal that is still true of the decks' current records. Raises Unknown."""
    ids = {deck: archive.find_deck(deck).deck for deck in sealing.marks}
    entries = {deck: archive.entries(deck_stream(deck)) for deck in ids.values()}
    records = {deck: marks_of(own) for deck, own in entries.items()}
    stale = game.decks.stale_marks({deck: records[ids[deck]] for deck in ids}, sealing.marks)
    marks = {ids[deck]: own for deck, own in sealing.without(game, stale).marks.items()}
    left_out = tuple(phrase("Left out of the record: {what}", what=each.why) for each in stale)
    readings = tuple(deck_readings.reading_of(deck, own) for deck, own in entries.items())
    return DueRecords(marks, left_out, readings)


def check_unmoved(archive: Archive, sealing: Sealing) -> None:
    """Raise DeckMoved if the record of a deck to be sealed has moved on since the table read it."""
    for deck, revision in sealing.decks.items():
        if (change := _change(archive, deck, revision)) is not None:
            raise DeckMoved(
                phrase("{deck}'s record has changed since this table read it; nothing was sealed.", deck=change.name)
            )


def find_other_tables(
    archive: Archive, deck: DeckId, session: str, resume: Callable[[str], Session]
) -> tuple[Text, ...]:
    """Return the names of tables besides a session at which a deck sits and whose games are not sealed.

    `resume` opens a stored session.
    """
    tables: list[Text] = []
    rows = (row for row in archive.open_sessions_naming(deck) if row.session != session)
    for row in islice(rows, _MOST_LOOKED_AT):
        if len(tables) == _MOST_TABLES:
            break
        with contextlib.suppress(ArchiveError, NotationError, RuleError):
            there = resume(row.session)
            if any(each.deck == deck for each in there.game.stored_decks(there.log.state).values()):
                tables.append(_describe_table(row))
    return tuple(tables)


def _describe_table(row: SessionRow) -> Text:
    """Return the name of a table with how far its game is, for the middle of a sentence."""
    # Translators: The names of tables stand in “Grimtooth sits at {table}, too.”
    if row.has_ended and row.title:
        return phrase(
            "table “{title}” ({session}), where the game waits for its seal", title=row.title, session=row.session
        )
    if row.has_ended:
        return phrase("table {session}, where the game waits for its seal", session=row.session)
    table = (
        phrase("table “{title}” ({session})", title=row.title, session=row.session)
        if row.title
        else phrase("table {session}", session=row.session)
    )
    facts = row.standing.facts if isinstance(row.standing, SessionStanding) else ()
    counts = (reason_text(row.game, fact, row.page) for fact in facts if fact.code in _COUNTS)
    return listed((table, *map(WithinSentence, counts)))


_COUNTS: Final = frozenset({"round", "counter"})
"""Kinds of facts on the progress of a game, regardless of its other facts."""
