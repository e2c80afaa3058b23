"""People: the list, a person's purse with the reason of each change, the decks held; adding and merging people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from companion.archive import deck_id
from companion.archive.archive import Archive
from companion.archive.errors import Ambiguous, ArchiveError, PersonExists, Unknown
from companion.archive.storage import purses
from companion.archive.storage.entries import (
    PersonAlias,
    PersonIntroduced,
    PersonMerged,
    PersonRenamed,
    PurseChange,
    draft,
)
from companion.archive.storage.lists import fold, named_purse_stream, person_stream
from companion.archive.storage.purses import Person
from companion.archive.storage.rows import PAGE, DeckRow, ListPage, PersonRow, reason_text
from companion.tabletop.action import NEW_PERSON
from companion.tabletop.text import as_name, in_quotes
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Message, phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction


NAMELESS: Final = "Player"
"""The name of people whose real name is not shown, before a number."""


class PurseLine(NamedTuple):
    """One change of a purse: the amount, the new balance, the reason, and the session ("" for none)."""

    at: datetime
    change: int
    purse: int
    why: str
    session: str


class HeldDeck(NamedTuple):
    """A deck that a person held: `now` if they hold it today, `retired` if it has retired."""

    deck: str
    game: str
    name: str
    now: bool
    retired: bool


class PersonRecord(msgspec.Struct, frozen=True):
    """A person's record today. The ledger is oldest first; `called` are all past and present names.

    `language` is the code of the person's language, "" if it is unknown.
    """

    person: str
    name: str
    called: tuple[str, ...]
    purse: int
    ledger: tuple[PurseLine, ...]
    held: tuple[HeldDeck, ...]
    language: str = ""


def all_people(archive: Archive) -> tuple[Person, ...]:
    """Return everyone who has a purse or holds a deck, by name."""
    with archive.store.reading() as transaction:
        people = list(_everybody(transaction))
    return tuple(sorted(people, key=lambda person: (alphabetical_key(person.name), person.person)))


def page_of_people(archive: Archive, text: str = "", at: int = 0, count: int = PAGE) -> ListPage[Person]:
    """Return a page of people from number `at` on, by name; people who appear only in decks come last.

    They are those with past or present names, or ids, that contain every word of `text`.
    """
    with archive.store.reading() as transaction:
        registered = purses.page_of_people_with_ids(transaction, text, at, count)
        left = max(0, at - registered.total), count - len(registered.rows)
        holders = transaction.page_of_holders(text, *left)
    others = tuple(Person("", name, 0, (name,)) for name in holders.rows)
    return ListPage((*registered.rows, *others), at, registered.total + holders.total)


def _everybody(transaction: Transaction) -> Iterator[Person]:
    """Yield the people who have an id, then those who appear only in decks."""
    registered = purses.people_with_ids(transaction)
    yield from registered
    names = {fold(name) for person in registered for name in person.called}
    for holder in transaction.unregistered_holders():
        if fold(holder) not in names:
            names.add(fold(holder))
            yield Person("", holder, 0, (holder,))


def find(transaction: Transaction, text: str) -> Person:
    """Return the person that a name or an id means. Raises Unknown, Ambiguous."""
    namesakes = purses.purses_named(transaction, text)
    if len(namesakes) > 1:
        raise Ambiguous(purses.ask_which(transaction, text, namesakes))
    spelled, strange = deck_id.read_symbols(text)
    holder, former_holder = _unregistered_person(transaction, text)
    person = (
        (namesakes[0] if namesakes else None)
        or holder
        or (purses.current_person(transaction, spelled) if spelled and not strange else None)
        or former_holder
    )
    if person is None:
        raise Unknown(phrase("Nobody is called {text} here.", text=in_quotes(text)), "people")
    return person


def _unregistered_person(transaction: Transaction, text: str) -> tuple[Person | None, Person | None]:
    """Return a person who appears only in decks, under the name written there: a present holder, and a past one."""
    rows = transaction.decks_of_holders((), [text]) if fold(text) else ()
    now = (row.holder for row in rows if not row.person)
    once = (name for row in rows for name in row.holders)
    return _nameless(now, text), _nameless(once, text)


def _nameless(names: Iterable[str], text: str) -> Person | None:
    """Return the first of these names that equals `text`, as a person without an id."""
    return next((Person("", name, 0, (name,)) for name in names if fold(name) == fold(text)), None)


def with_ids(archive: Archive) -> tuple[Person, ...]:
    """Return everyone who has an id, in order of seniority; no deck is read."""
    with archive.store.reading() as transaction:
        return purses.people_with_ids(transaction)


def decks_of_holder(archive: Archive, name: str) -> tuple[DeckRow, ...]:
    """Return the decks of every game that a person of this name holds now."""
    with archive.store.reading() as transaction:
        rows = transaction.decks_of_holders((), [name]) if fold(name) else ()
    return tuple(row for row in rows if fold(row.holder) == fold(name))


def find_people(archive: Archive, name: str) -> tuple[Person, ...]:
    """Return everyone with an id who has this name now; if no one has, those who once had it."""
    with archive.store.reading() as transaction:
        return purses.purses_named(transaction, name)


def find_person(archive: Archive, person: str) -> tuple[Person]:
    """Return the person of an id, in any spelling, as a tuple. Raises Unknown."""
    spelled, strange = deck_id.read_symbols(person)
    with archive.store.reading() as transaction:
        match = purses.current_person(transaction, spelled) if not strange else None
    if match is None:
        raise Unknown(phrase("Nobody has the id {person} here.", person=in_quotes(person)), "people")
    return (match,)


def resolve_person(archive: Archive, text: str) -> str:
    """Return the id for what the user typed: "" for nothing, a fresh one for `new`, else a person's. Raises Unknown."""
    if not text:
        return ""
    return new_id(archive) if text.lower() == NEW_PERSON else find_person(archive, text)[0].person


def describe_namesakes(archive: Archive, some: Sequence[Person]) -> tuple[tuple[str, Message], ...]:
    """Return the ids of people of one name, each with what distinguishes the person."""
    with archive.store.reading() as transaction:
        return purses.namesakes(transaction, some)


def new_id(archive: Archive) -> str:
    """Draw an unused id; the person is added with the first payment."""
    with archive.store.reading() as transaction:
        return purses.new_person_id(transaction)


def find_record(archive: Archive, text: str) -> PersonRecord:
    """Return the record of a person, by name or id. Raises Unknown, Ambiguous."""
    with archive.store.reading() as transaction:
        return _record(transaction, find(transaction, text))


def find_row(archive: Archive, person: str) -> PersonRow | None:
    """Return the row of a person by id, merges followed, with what they are called in public; None for "" or nobody."""
    with archive.store.reading() as transaction:
        return transaction.row(PersonRow, purses.head_of(transaction, person)) if person else None


def record_of_person(archive: Archive, person: Person) -> PersonRecord:
    """Return the record of a person that was looked up already."""
    with archive.store.reading() as transaction:
        return _record(transaction, person)


def _record(transaction: Transaction, person: Person) -> PersonRecord:
    parts = purses.merged_rows(transaction, person.person) if person.person else ()
    ledger = tuple(_ledger(transaction, parts))
    decks = tuple(_decks_held(transaction, person, parts))
    return PersonRecord(person.person, person.name, person.called, person.purse, ledger, decks, person.language)


def _ledger(transaction: Transaction, parts: Sequence[PersonRow]) -> Iterator[PurseLine]:
    """Yield every change of a person's purse, those of merged people included."""
    streams = [person_stream(part.person) for part in parts]
    streams += [named_purse_stream(part.kept_as) for part in parts if part.kept_as]
    entries = [entry for stream in streams for entry in transaction.read(stream) if entry.holds(PurseChange)]
    games = {key: game for key, (_, game) in transaction.titles(entry.session for entry in entries).items()}
    purse = 0
    for entry in sorted(entries, key=lambda entry: entry.at):
        change = entry.read(PurseChange)
        purse += change.change
        why = reason_text(change.game or games.get(entry.session, ""), change.why)
        yield PurseLine(entry.at, change.change, purse, why, entry.session)


def _decks_held(transaction: Transaction, person: Person, parts: Sequence[PersonRow]) -> Iterator[HeldDeck]:
    """Yield the decks that a person holds or held, by name."""
    ids = {part.person for part in parts}
    decks = transaction.decks_of_holders(ids, person.called)
    now = purses.holders_of(purses.ever_named(transaction, person.called), decks)
    for row in decks:
        mine = now.get(row.deck) in ids if ids else person.answers_to(row.holder)
        if mine or any(map(person.answers_to, row.holders)):
            yield HeldDeck(row.deck, row.game, row.name, mine, row.retired)


def add_person(archive: Archive, name: str) -> Person:
    """Add a person, even if others have the same name, and return the person with the new id.

    Raises ArchiveError for an empty name.
    """
    name = _check_name(name)
    with archive.store.writing() as transaction:
        person = purses.new_person_id(transaction)
        archive._append(transaction, person_stream(person), 0, [draft(PersonIntroduced(name))])
    return Person(person, name, 0, (name,))


def rename_person(archive: Archive, text: str, name: str) -> Person:
    """Rename a person; existing entries keep the old name.

    Decks and games are attributed by present and former names, so a name of somebody else would mix two people. Raises
    PersonExists for such a name, Unknown, Ambiguous, ArchiveError.
    """
    name = _check_name(name)
    with archive.store.writing() as transaction:
        before = find(transaction, text)
        if before.name != name:
            _refuse_name_of_another(transaction, before, name)
        person = ensure_id(transaction, archive, before.person or text)
        stream = person_stream(person)
        archive._append(transaction, stream, transaction.length(stream), [draft(PersonRenamed(name))])
        return find(transaction, person)


def _refuse_name_of_another(transaction: Transaction, person: Person, name: str) -> None:
    """Raise PersonExists if somebody else has or had this name."""
    others = [one for one in purses.ever_named(transaction, [name]) if one.person != person.person]
    if not others and not person.answers_to(name):
        # Whoever only appears in decks has no other name.
        others = [one for one in _unregistered_person(transaction, name) if one is not None]
    if not others:
        return
    other = next((one for one in others if fold(one.name) == fold(name)), others[0])
    if fold(other.name) == fold(name):
        text = phrase(
            "Somebody else is called {name}. Are they one person? Then merge them; otherwise choose another name.",
            name=other.name,
        )
    else:
        text = phrase(
            "{other} was called {name} once. Are they one person? Then merge them; otherwise choose another name.",
            other=other.name,
            name=name,
        )
    raise PersonExists(text, other.person or other.name)


def add_name(archive: Archive, text: str, name: str) -> Person:
    """Store a further name of a person, as if they had had it once; what is known by that name is theirs.

    Raises Unknown, Ambiguous, ArchiveError.
    """
    name = _check_name(name)
    with archive.store.writing() as transaction:
        person = ensure_id(transaction, archive, text)
        stream, now = person_stream(person), find(transaction, person)
        if fold(name) not in map(fold, now.called):
            entries = [draft(PersonRenamed(name)), draft(PersonRenamed(now.name))]
            archive._append(transaction, stream, transaction.length(stream), entries)
        return find(transaction, person)


def set_alias(archive: Archive, text: str, nickname: str = "", *, hidden: bool = False) -> PersonRow:
    """Set a person's name on everything that leaves the house: a nickname, none at all, or (neither) the real name.

    Raises Unknown, Ambiguous, NotationError for an invalid nickname.
    """
    alias = PersonAlias(as_name(nickname) if nickname.strip() else "", hidden)
    with archive.store.writing() as transaction:
        person = purses.head_of(transaction, ensure_id(transaction, archive, text))
        stream = person_stream(person)
        archive._append(transaction, stream, transaction.length(stream), [draft(alias)])
        row = transaction.row(PersonRow, person)
        assert row is not None
        return row


def nameless(person: str) -> str:
    """Return the name of a forgotten person: it identifies no one, and is unique."""
    return f"{NAMELESS} {person}"


def name_by_number(number: int) -> str:
    """Return what someone without a name is called, in the current language."""
    return str(phrase("Player {number}", number=str(number)))


def home_name(row: PersonRow, number: int) -> str:
    """Return a person's name at home; `number` distinguishes forgotten people."""
    return name_by_number(number) if row.name == nameless(row.person) else row.name


def public_name(row: PersonRow, number: int) -> str:
    """Return a person's public name; `number` distinguishes people whose name is hidden."""
    return name_by_number(number) if row.hidden else row.nickname or home_name(row, number)


def names_outside(archive: Archive) -> Callable[[str, str], str]:
    """Return a function that maps a name at the table and an id ("" for none) to the public name.

    Hidden people are numbered in the order of their first use. Of namesakes without an id, one hidden person hides all.
    """
    with archive.store.reading() as transaction:
        called = [*_with_aliases(transaction)]
    by_id = {each: row for row, ids in called for each in ids}
    by_name: dict[str, PersonRow | None] = {}
    for row, _ in called:
        for name in dict.fromkeys(map(fold, row.called)):
            before = by_name.get(name)
            is_hidden = row.hidden or (before is not None and before.hidden)
            by_name[name] = (row if row.hidden else before) if is_hidden else None if name in by_name else row
    numbers: dict[str, int] = {}

    def name_outside(name: str, person: str) -> str:
        row = by_id.get(person) if person else by_name.get(fold(name))
        if row is None:
            return name
        return public_name(row, numbers.setdefault(row.person, len(numbers) + 1)) if row.hidden else row.nickname

    return name_outside


def _with_aliases(transaction: Transaction) -> Iterator[tuple[PersonRow, tuple[str, ...]]]:
    """Yield everyone with a name of their own for outside, each with all ids merged into them."""
    for row in transaction.people_with_aliases():
        yield row, tuple(part.person for part in purses.merged_rows(transaction, row.person))


def merge_people(archive: Archive, text: str, into: str) -> Person:
    """Merge two people who are the same: purse and decks of the first are the second's from now on.

    Raises Unknown, Ambiguous, ArchiveError if they are merged already.
    """
    with archive.store.writing() as transaction:
        person, other = ensure_id(transaction, archive, text), ensure_id(transaction, archive, into)
        if person == other:
            raise ArchiveError(
                phrase(
                    "{text} and {into} are one person already, {person}.",
                    text=in_quotes(text),
                    into=in_quotes(into),
                    person=person,
                )
            )
        stream = person_stream(person)
        archive._append(transaction, stream, transaction.length(stream), [draft(PersonMerged(other))])
        return find(transaction, other)


def ensure_id(transaction: Transaction, archive: Archive, text: str) -> str:
    """Return the id of a person, after adding one to a person without. Raises Unknown, Ambiguous."""
    match = find(transaction, text)
    if match.person:
        return match.person
    person = purses.new_person_id(transaction)
    archive._append(transaction, person_stream(person), 0, [draft(PersonIntroduced(match.name))])
    return person


def _check_name(name: str) -> str:
    if not name.strip():
        raise ArchiveError(phrase("A person needs a name."))
    return as_name(name)
