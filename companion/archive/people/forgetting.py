"""Forgetting a person: the sums stay, and the name is removed wherever that does not change what happened.

A person's own stream, the list of people and the index of people's names are rewritten with a placeholder that names no
person. Nowhere else are entries rewritten: number, time, author and sums stay, and each gets a new checksum. Logs of
sessions and records of decks are not changed: a log is replayed by the names in it, and a deck's entries are chained by
hashes that other archives and printed passports have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, list_some
from companion.archive.people import people
from companion.archive.recovery import backups
from companion.archive.storage import purses
from companion.archive.storage.entries import (
    Entry,
    KeepsakeChange,
    PersonAlias,
    PersonIntroduced,
    PersonLanguage,
    PersonMerged,
    PersonRenamed,
    PurseChange,
    draft,
)
from companion.archive.storage.lists import fold, named_purse_stream, person_stream, row_of
from companion.archive.storage.rows import DeckRow, SessionRow
from templates.languages.messages import Message, phrase, phrases

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

_OWN: Final = (
    PersonIntroduced,
    PersonRenamed,
    PersonMerged,
    PersonAlias,
    PersonLanguage,
    PurseChange,
    KeepsakeChange,
)


class Traces(NamedTuple):
    """The remaining occurrences of a name: titles of sessions, names of decks, and the numbers of earlier backups and
    of plays from other programs.
    """

    sessions: tuple[str, ...]
    decks: tuple[str, ...]
    backups: int
    plays: int = 0

    def sentences(self) -> list[Message]:
        """Return what to report to the user, one sentence each."""
        sentences = []
        if self.sessions:
            sentences.append(
                phrases(
                    "The log of {n} session ({names}) still names them; it is never rewritten.",
                    "The logs of {n} sessions ({names}) still name them; they are never rewritten.",
                    n=len(self.sessions),
                    names=list_some(self.sessions, 3),
                )
            )
        if self.decks:
            sentences.append(
                phrases(
                    "The record of {n} deck ({names}) still names them; it is never rewritten.",
                    "The records of {n} decks ({names}) still name them; they are never rewritten.",
                    n=len(self.decks),
                    names=list_some(self.decks, 3),
                )
            )
        if self.plays:
            sentences.append(
                phrases(
                    "{n} play from another program still names them; it is never rewritten.",
                    "{n} plays from other programs still name them; they are never rewritten.",
                    n=self.plays,
                )
            )
        if self.backups:
            sentences.append(
                phrases(
                    "{n} earlier backup still holds the name; delete it if it must not.",
                    "{n} earlier backups still hold the name; delete those that must not.",
                    n=self.backups,
                )
            )
        sentences.append(phrase("Exports, copies and printed sheets that exist elsewhere still hold the name."))
        return sentences


class Forgotten(NamedTuple):
    """A person who was forgotten, under the new name, and the remaining occurrences of the old ones."""

    person: purses.Person
    traces: Traces


def find_traces(archive: Archive, text: str) -> tuple[purses.Person, Traces]:
    """Find a person and the remaining occurrences of all names. Raises Unknown, Ambiguous, ArchiveError."""
    with archive.store.reading() as transaction:
        person = _find(transaction, text)
        return person, _traces(archive, transaction, person.called)


def forget_person(archive: Archive, text: str) -> Forgotten:
    """Remove all present and past names of a person and keep the sums, in one transaction.

    Raises Unknown, Ambiguous, and ArchiveError for a person who appears only in records of decks.
    """
    # Code that only reads people does not load the database library.
    from companion.archive.storage import results

    with archive.store.writing() as transaction:
        person = _find(transaction, text)
        traces = _traces(archive, transaction, person.called)
        transaction.overwrite_deleted()
        for row in purses.merged_rows(transaction, person.person):
            _forget_stream(transaction, row.person, row.kept_as)
        ids = [row.person for row in purses.merged_rows(transaction, person.person)]
        alone = [name for name in person.called if not transaction.people_named(name)]
        results.forget_people(transaction, ids, alone)
        transaction.forget_phones({fold(name) for name in person.called})
        after = purses.current_person(transaction, person.person)
        assert after is not None
    archive.store.settle()
    return Forgotten(after, traces)


def _find(transaction: Transaction, text: str) -> purses.Person:
    person = people.find(transaction, text)
    if not person.person:
        raise ArchiveError(
            phrase(
                "{person} appears only in records of decks, which are never rewritten; hand the decks on instead.",
                person=person.name,
            )
        )
    return person


def _forget_stream(transaction: Transaction, person: str, kept_as: str) -> None:
    """Rewrite a person's stream, including what was stored under the name before people had ids."""
    stream, name = person_stream(person), people.nameless(person)
    entries = list(transaction.read(stream))
    if kept_as:
        # That stream is called by the person's name: its entries move to the stream that only the id identifies.
        entries += transaction.read(named_purse_stream(kept_as))
        transaction.truncate(named_purse_stream(kept_as), 0)
        transaction.remove_named_purse(kept_as)
    again = [without_name(entry, stream, seq, name) for seq, entry in enumerate(entries)]
    transaction.truncate(stream, 0)
    transaction.write(again)
    transaction.forget_names(person)
    transaction.put(row_of(stream, again))


def is_forgotten(person: str, entries: Sequence[Entry]) -> bool:
    """Return True if a person's stream is that of a person who was forgotten."""
    return entries[0].holds(PersonIntroduced) and entries[0].read(PersonIntroduced).name == people.nameless(person)


def without_name(entry: Entry, stream: str, seq: int, name: str) -> Entry:
    """Return an entry of a person under another number, with `name` in the place of the person's names.

    Raises ArchiveError if it is not about a person.
    """
    kind = next((kind for kind in _OWN if entry.holds(kind)), None)
    if kind is None:
        raise ArchiveError(
            phrase("Entry {seq} of {stream} is not about a person.", seq=str(entry.seq), stream=entry.stream)
        )
    body: Any = entry.read(kind)
    if kind is PersonIntroduced:
        body = PersonIntroduced(name)
    elif kind is PersonAlias:
        body = PersonAlias(hidden=body.hidden)
    elif kind is PersonLanguage:
        body = PersonLanguage()
    elif kind is not PersonMerged:
        body = msgspec.structs.replace(body, name=name)
    return msgspec.structs.replace(entry, stream=stream, seq=seq, body=draft(body).body)


def _traces(archive: Archive, transaction: Transaction, names: Sequence[str]) -> Traces:
    """Find what names a person apart from the person's own stream."""
    looked_for = [re.compile(rf"(?<!\w){re.escape(fold(name))}(?!\w)") for name in names if fold(name)]

    def names_them(entries: Iterable[Entry]) -> bool:
        whole = " ".join(fold(entry.body) for entry in entries)
        return any(pattern.search(whole) for pattern in looked_for)

    sessions = {row.session: row.title or row.session for row in transaction.rows(SessionRow)}
    decks = {row.deck: row.name for row in transaction.rows(DeckRow)}
    in_sessions = [
        sessions.get(stream.partition(":")[2], stream)
        for stream, entries in transaction.whole_streams("session")
        if names_them(entries)
    ]
    in_decks = [
        decks.get(stream.partition(":")[2], stream)
        for stream, entries in transaction.whole_streams("deck")
        if names_them(entries)
    ]
    file = archive.store.file
    count = len(backups.list_backups(file)) if file is not None else 0
    in_plays = sum(names_them(entries) for _, entries in transaction.whole_streams("play"))
    return Traces(tuple(in_sessions), tuple(in_decks), count, in_plays)
