"""What lists on screen need of each session, deck and wizard: rows that the entries add up to.

They can be thrown away and made again from the entries at any time.
"""

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from companion.archive.entries import Coppers, Entry, Opened, StoredLine
from companion.archive.errors import ArchiveError
from companion.archive.sheets import PrinterRow, SheetRow, printer_row, sheet_row
from companion.games import registry
from companion.games.records import GENERAL, Mark, Record


class SessionRow(msgspec.Struct, frozen=True):
    """A session in a list. `length` is how many entries its stream has, `lines` how many of them are lines."""

    session: str
    game: str
    title: str
    started: datetime
    changed: datetime
    length: int
    lines: int
    standing: str
    sealed: bool


class DeckRow(msgspec.Struct, frozen=True):
    """A deck in a list. `length` is how many entries its stream has: one more than the marks made on it."""

    deck: str
    game: str
    name: str
    glory: int
    dungeons: int
    holder: str
    retired: bool
    updated: datetime
    length: int


class WizardRow(msgspec.Struct, frozen=True):
    """A wizard in a list; `wizard` is the name as `fold` gives it, `purse` in Coppers."""

    wizard: str
    name: str
    purse: int
    length: int


Row = SessionRow | DeckRow | WizardRow | SheetRow | PrinterRow


def fold(name: str) -> str:
    """The form in which two names are the same name: without case, and with one kind of space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def session_stream(session: str) -> str:
    """The stream of a session, by its id."""
    return f"session:{session}"


def deck_stream(deck: str) -> str:
    """The stream of a deck, by its id."""
    return f"deck:{deck}"


def wizard_stream(name: str) -> str:
    """The stream of a wizard, by the name in any case."""
    return f"wizard:{fold(name)}"


def row_of(stream: str, entries: Sequence[Entry], before: Row | None = None) -> Row:
    """The row that a stream adds up to.

    `entries` are all of the stream's, or, for a session or a wizard, those that came after the row `before`.
    Raises ArchiveError where they make no sense.
    """
    kind, _, key = stream.partition(":")
    if kind == "session" and (before is None or isinstance(before, SessionRow)):
        return _session_row(key, entries, before)
    if kind == "wizard" and (before is None or isinstance(before, WizardRow)):
        return _wizard_row(key, entries, before)
    if kind == "deck":
        return _deck_row(key, entries)
    if kind == "sheet":
        return sheet_row(key, entries)
    if kind == "printer":
        return printer_row(key, entries)
    raise ArchiveError(f"The archive keeps no stream called {stream}.")


def _session_row(session: str, entries: Sequence[Entry], before: SessionRow | None) -> SessionRow:
    row = before or _begun(session, opened(entries), entries[0].at)
    lines = [entry.read(StoredLine) for entry in entries if entry.holds(StoredLine)]
    return msgspec.structs.replace(
        row,
        changed=entries[-1].at,
        length=row.length + len(entries),
        lines=row.lines + len(lines),
        standing=next((line.standing for line in reversed(lines) if line.standing), row.standing),
        sealed=row.sealed or any(line.seals is not None for line in lines),
    )


def _begun(session: str, opening: Opened, at: datetime) -> SessionRow:
    return SessionRow(session, opening.game, opening.title, at, at, length=0, lines=0, standing="", sealed=False)


def _wizard_row(wizard: str, entries: Sequence[Entry], before: WizardRow | None) -> WizardRow:
    changes = [entry.read(Coppers) for entry in entries]
    row = before or WizardRow(wizard, changes[0].wizard, purse=0, length=0)
    purse = row.purse + sum(change.change for change in changes)
    return msgspec.structs.replace(row, purse=purse, length=row.length + len(changes))


def _deck_row(deck: str, entries: Sequence[Entry]) -> DeckRow:
    record = record_of(entries)
    return DeckRow(
        deck=deck,
        game=opened(entries).game,
        name=record.name,
        glory=record.glory,
        dungeons=record.dungeons,
        holder=record.holder,
        retired=record.retired,
        updated=entries[-1].at,
        length=len(entries),
    )


def opened(entries: Sequence[Entry]) -> Opened:
    """How a session or a deck began. Raises ArchiveError where its stream begins with something else."""
    if not entries or not entries[0].holds(Opened):
        raise ArchiveError(f"{entries[0].stream if entries else 'A stream'} does not begin as a session or deck does.")
    return entries[0].read(Opened)


def marks_of(entries: Sequence[Entry]) -> tuple[Mark, ...]:
    """The marks in a deck's stream, as its game's own structs, oldest first."""
    own = registry.game(opened(entries).game).mark_types
    tags = {kind.__struct_config__.tag for kind in own}
    kinds: Any = reduce(or_, (*own, *(kind for kind in GENERAL if kind.__struct_config__.tag not in tags)))
    return tuple(entry.read(kinds) for entry in entries[1:])


def record_of(entries: Sequence[Entry]) -> Record:
    """The deck as it is today, from its stream."""
    return registry.game(opened(entries).game).record(marks_of(entries))
