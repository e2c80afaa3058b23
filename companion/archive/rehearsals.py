"""Storage of rehearsals: their designs, and the sums of their games until now.

The format of designs and sums is defined in `companion.rehearsal`; here they are opaque.
"""

from __future__ import annotations

from typing import Final

from companion.archive import deck_id
from companion.archive.archive import Archive
from companion.archive.errors import NameTaken, Unknown, list_some
from companion.archive.storage.entries import RehearsalBegun, RehearsalCounted, draft
from companion.archive.storage.lists import fold, rehearsal_events, rehearsal_stream
from companion.archive.storage.rows import RehearsalRow
from companion.tabletop.text import as_name, in_quotes, visible_form
from templates.languages.messages import phrase

REHEARSAL_SYMBOLS: Final = 6


def rehearsals(archive: Archive) -> tuple[RehearsalRow, ...]:
    """Return all rehearsals, the most recently counted first."""
    with archive.store.reading() as transaction:
        rows = transaction.rows(RehearsalRow)
    return tuple(sorted(rows, key=lambda row: row.updated, reverse=True))


def find_rehearsal(archive: Archive, text: str) -> RehearsalRow:
    """Return the rehearsal with this name or id, or the only one that begins with `text`. Raises Unknown."""
    rows = rehearsals(archive)
    symbols, strange = deck_id.read_symbols(text)
    spelled, wanted = "" if strange else symbols, fold(text)
    exact = [row for row in rows if row.rehearsal == spelled or (row.name and fold(row.name) == wanted)]
    fitting = exact or [
        row
        for row in rows
        if (spelled and row.rehearsal.startswith(spelled)) or (wanted and fold(row.name).startswith(wanted))
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        several = list_some(row.name or row.rehearsal for row in fitting)
        raise Unknown(
            phrase("{text} could be {several}; type more of the name.", text=in_quotes(text), several=several),
            "rehearsals",
        )
    raise Unknown(phrase("No rehearsal here is called {text}.", text=in_quotes(text)), "rehearsals")


def begin_rehearsal(archive: Archive, begun: RehearsalBegun) -> RehearsalRow:
    """Store a new rehearsal. Raises NameTaken if another has the name, NotationError for an invalid name."""
    name = as_name(begun.name) if begun.name else ""
    with archive.store.writing() as transaction:
        rows = transaction.rows(RehearsalRow) if name else ()
        if any(visible_form(row.name) == visible_form(name) for row in rows):
            raise NameTaken(
                phrase("There is a rehearsal called {name} already; choose another name.", name=in_quotes(name)),
                "rehearsals",
            )
        rehearsal = deck_id.draw(REHEARSAL_SYMBOLS)
        while transaction.row(RehearsalRow, rehearsal) is not None:
            rehearsal = deck_id.draw(REHEARSAL_SYMBOLS)
        archive._append(transaction, rehearsal_stream(rehearsal), 0, [draft(begun)])
        row = transaction.row(RehearsalRow, rehearsal)
        assert row is not None
        return row


def count_rehearsal(archive: Archive, rehearsal: str, counted: RehearsalCounted) -> None:
    """Store the sums until now, unless they are stored already.

    Two processes that continue a rehearsal compute the same sums. Raises Unknown.
    """
    with archive.store.writing() as transaction:
        row = transaction.row(RehearsalRow, rehearsal)
        if row is None:
            raise Unknown(phrase("Rehearsal {rehearsal} is not in this archive.", rehearsal=rehearsal), "rehearsals")
        if (row.units, row.games) < (counted.units, counted.games):
            archive._append(transaction, rehearsal_stream(rehearsal), row.length, [draft(counted)])


def last_count(archive: Archive, rehearsal: str) -> RehearsalCounted | None:
    """Return the last stored sums; None if there are none. Raises ArchiveError."""
    events = rehearsal_events(archive.entries(rehearsal_stream(rehearsal)))
    return next((event for event in reversed(events) if isinstance(event, RehearsalCounted)), None)
