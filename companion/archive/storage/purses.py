"""Purses and their owners in a transaction: people by id, or by a name if that is unambiguous."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from companion.archive import deck_id
from companion.archive.errors import Ambiguous
from companion.archive.storage.entries import KeepsakeChange, NewEntry, PersonIntroduced, PurseChange, draft
from companion.archive.storage.lists import fold, search_text
from companion.archive.storage.rows import DeckRow, ListPage, NamedPurseRow, PersonRow
from companion.tabletop.records import Keepsake, Payment
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, joined, listed, phrase, phrases

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

PERSON_SYMBOLS = 6


class Person(NamedTuple):
    """A known person. `person` is "" for one who only ever held a deck, and has no id yet.

    `kept` are the keepsakes of each game. `language` is the code of the person's language, "" if it is unknown.
    """

    person: str
    name: str
    purse: int
    called: tuple[str, ...]
    kept: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    language: str = ""

    def answers_to(self, name: str) -> bool:
        """Return True if the person has or had this name."""
        return fold(name) in map(fold, self.called)


def people_with_ids(transaction: Transaction) -> tuple[Person, ...]:
    """Return everyone who has an id, in order of seniority."""
    rows = {row.person: row for row in transaction.rows(PersonRow)}
    named_purses = {row.kept_as: row.purse for row in transaction.rows(NamedPurseRow)}
    together: dict[str, list[PersonRow]] = {}
    for row in sorted(rows.values(), key=_seniority):
        head = row
        while head.merged in rows:
            head = rows[head.merged]
        together.setdefault(head.person, []).append(row)
    heads = (row for row in sorted(rows.values(), key=_seniority) if not row.merged)
    return tuple(_merge_rows(together[row.person], named_purses) for row in heads)


def page_of_people_with_ids(transaction: Transaction, text: str, at: int, count: int) -> ListPage[Person]:
    """Return a page of people with ids, by name, whose names or id contain every word of `text`; merged people are one.

    No other people are read.
    """
    words = fold(text).split()
    merged = transaction.merged_people()
    fitting = (row for row in merged if words and all(word in search_text(row) for word in words))
    besides = tuple(dict.fromkeys(head_of(transaction, row.person) for row in fitting))
    heads = transaction.page_of_heads(text, besides, at, count)
    others = {row.merged for row in merged}
    whole = [merged_rows(transaction, row.person) if row.person in others else (row,) for row in heads.rows]
    return ListPage(tuple(_merge_rows(rows, _purses_by_name(transaction, rows)) for rows in whole), at, heads.total)


def merged_rows(transaction: Transaction, person: str) -> tuple[PersonRow, ...]:
    """Return the rows of a person and of everyone merged into that one, the person's own first."""
    first = transaction.row(PersonRow, person)
    rows = [first] if first else []
    for row in rows:
        rows += transaction.people_merged_into(row.person)
    return tuple(sorted(rows, key=_seniority))


def current_person(transaction: Transaction, person: str) -> Person | None:
    """Return the present person of an id, merges followed; None if the id is unknown."""
    return next(iter(_heads(transaction, [person])), None)


def purses_named(transaction: Transaction, name: str) -> tuple[Person, ...]:
    """Return those with an id who have this name now, in order of seniority; if no one has, those who once had it."""
    return people_called(ever_named(transaction, [name]), name)


def ever_named(transaction: Transaction, names: Iterable[str]) -> tuple[Person, ...]:
    """Return everyone with an id who has or had one of these names, in order of seniority."""
    return _heads(transaction, [row.person for name in names for row in transaction.people_named(name)])


def _heads(transaction: Transaction, some: Iterable[str]) -> tuple[Person, ...]:
    """Return the present people of some ids, each once, in order of seniority."""
    heads = dict.fromkeys(head_of(transaction, person) for person in some)
    whole = [rows for head in heads if (rows := merged_rows(transaction, head))]
    return tuple(
        _merge_rows(rows, _purses_by_name(transaction, rows))
        for rows in sorted(whole, key=lambda rows: _seniority(rows[0]))
    )


def head_of(transaction: Transaction, person: str) -> str:
    """Return the id that an id was merged into, or the same id."""
    while (row := transaction.row(PersonRow, person)) is not None and row.merged:
        person = row.merged
    return person


def _purses_by_name(transaction: Transaction, rows: Iterable[PersonRow]) -> Mapping[str, int]:
    """Return the purses that were kept under people's names, before these had ids."""
    purses = (transaction.row(NamedPurseRow, row.kept_as) for row in rows if row.kept_as)
    return {row.kept_as: row.purse for row in purses if row}


def _seniority(row: PersonRow) -> tuple[bool, datetime, str]:
    """Return a sort key: merged people come last, and of the others the one known longest first."""
    return row.merged != "", row.since, row.person


def _merge_rows(parts: Sequence[PersonRow], named_purses: Mapping[str, int]) -> Person:
    """Combine the rows of everyone merged into one person."""
    purse = sum(part.purse + named_purses.get(part.kept_as, 0) for part in parts)
    names = tuple(dict.fromkeys(name for part in parts for name in part.called))
    kept = _sum_keepsakes(part.kept for part in parts)
    return Person(parts[0].person, parts[0].name, purse, names, kept, parts[0].language)


def _sum_keepsakes(kept: Iterable[Mapping[str, Mapping[str, int]]]) -> Mapping[str, Mapping[str, int]]:
    """Add up the keepsakes of several people who are one."""
    sums: dict[str, Counter[str]] = {}
    for one in kept:
        for game, things in one.items():
            sums.setdefault(game, Counter()).update(things)
    return {game: dict(counted) for game, counted in sums.items()}


def people_called(people: Iterable[Person], name: str) -> tuple[Person, ...]:
    """Return those of `people` who have this name now; if no one has, those who once had it."""
    candidates = tuple(people)
    now = tuple(person for person in candidates if fold(person.name) == fold(name))
    return now or tuple(person for person in candidates if person.answers_to(name))


def payment_entries(
    transaction: Transaction, payments: Iterable[Payment | Keepsake], game: str
) -> Mapping[str, tuple[NewEntry, ...]]:
    """Return the entries that payments and keepsakes write, by the person's id; new people are added first.

    Raises Ambiguous if a name does not identify the payee.
    """
    new: dict[str, str] = {}
    entries: dict[str, list[NewEntry]] = {}
    for payment in payments:
        person = head_of(transaction, payment.person) or new.get(fold(payment.name))
        if not person:
            namesakes = purses_named(transaction, payment.name)
            if len(namesakes) > 1:
                raise Ambiguous(ask_which(transaction, payment.name, namesakes))
            person = new[fold(payment.name)] = namesakes[0].person if namesakes else new_person_id(transaction)
        if person not in entries:
            entries[person] = [] if transaction.row(PersonRow, person) else [draft(PersonIntroduced(payment.name))]
        if isinstance(payment, Payment):
            change: PurseChange | KeepsakeChange = PurseChange(payment.name, payment.amount, payment.reason, game)
        else:
            change = KeepsakeChange(payment.name, payment.what, payment.change, game)
        entries[person].append(draft(change))
    return {person: tuple(drafts) for person, drafts in entries.items()}


def new_person_id(transaction: Transaction) -> str:
    """Draw a random id of `PERSON_SYMBOLS` symbols that is not in use."""
    person = deck_id.draw(PERSON_SYMBOLS)
    while transaction.row(PersonRow, person) is not None:
        person = deck_id.draw(PERSON_SYMBOLS)
    return person


def holders_of(people: Sequence[Person], decks: Iterable[DeckRow]) -> Mapping[str, str]:
    """Return the holder of each deck by its id: the person in its record, else the most senior one of that name."""
    first: dict[str, str] = {}
    for person in people:
        for name in person.called:
            first.setdefault(fold(name), person.person)
    return {row.deck: row.person or first.get(fold(row.holder), "") for row in decks if row.holder}


def ask_which(transaction: Transaction, name: str, people: Sequence[Person]) -> Message:
    """Return the question which person is meant, with what distinguishes people of one name."""
    listing = joined(
        "; ",
        [phrase("{person} ({marks})", person=person, marks=marks) for person, marks in namesakes(transaction, people)],
    )
    return phrases(
        "{n} person is called {name}: {listing}. Say which by the id: person {person}.",
        "{n} people are called {name}: {listing}. Say which by the id: person {person}.",
        n=len(people),
        name=in_quotes(name),
        listing=listing,
        person=people[0].person,
    )


def namesakes(transaction: Transaction, some: Sequence[Person]) -> tuple[tuple[str, Message], ...]:
    """Return the ids of people of one name, each with what distinguishes the person: purse and decks."""
    names = dict.fromkeys(name for person in some for name in person.called)
    decks = transaction.decks_of_holders([person.person for person in some], names)
    holders = holders_of(some, decks)
    return tuple((person.person, _describe_namesake(person, decks, holders)) for person in some)


def _describe_namesake(person: Person, decks: Sequence[DeckRow], holders: Mapping[str, str]) -> Message:
    names = [row.name for row in decks if holders.get(row.deck) == person.person and not row.retired]
    if not names:
        return phrase("purse {purse}, holds no deck", purse=str(person.purse))
    return phrase("purse {purse}, holds {decks}", purse=str(person.purse), decks=listed(names[:3]))
