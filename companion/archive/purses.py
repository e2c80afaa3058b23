"""Who is paid, and what is in a purse: people by their ids, found by a name where that is enough; in a transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from companion.archive import deck_id
from companion.archive.entries import KeepsakeChange, NewEntry, PersonIntroduced, PurseChange, draft
from companion.archive.errors import Ambiguous
from companion.archive.lists import fold, search_text
from companion.archive.rows import DeckRow, ListPage, NamedPurseRow, PersonRow
from companion.tabletop.records import Keepsake, Payment
from companion.tabletop.text import quoted

if TYPE_CHECKING:
    from companion.archive.transaction import Transaction

PERSON_SYMBOLS = 6


class Person(NamedTuple):
    """Somebody whom the archive knows. `person` is "" for somebody who only ever held a deck, and has no id yet.

    `kept` are the keepsakes of each game.
    """

    person: str
    name: str
    purse: int
    called: tuple[str, ...]
    kept: Mapping[str, Mapping[str, int]] = MappingProxyType({})

    def answers_to(self, name: str) -> bool:
        """Whether they are, or were, called so."""
        return fold(name) in map(fold, self.called)


def people_with_ids(transaction: Transaction) -> tuple[Person, ...]:
    """Everybody who has an id, those who are known longest first."""
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
    """Everybody who has an id and in whose names, or id, every word of `text` stands, by name; those who turned out to
    be one are one. No others are read.
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
    """The rows of everybody who turned out to be this person, themselves first."""
    first = transaction.row(PersonRow, person)
    rows = [first] if first else []
    for row in rows:
        rows += transaction.people_merged_into(row.person)
    return tuple(sorted(rows, key=_seniority))


def current_person(transaction: Transaction, person: str) -> Person | None:
    """Who this id is today, whoever they were merged into; None where it is not known here."""
    return next(iter(_heads(transaction, [person])), None)


def purses_named(transaction: Transaction, name: str) -> tuple[Person, ...]:
    """Those with an id who are called so now, known longest first; where nobody is, those who once were."""
    return people_called(ever_named(transaction, [name]), name)


def ever_named(transaction: Transaction, names: Iterable[str]) -> tuple[Person, ...]:
    """Everybody with an id who is called by one of these names or once was, those who are known longest first."""
    return _heads(transaction, [row.person for name in names for row in transaction.people_named(name)])


def _heads(transaction: Transaction, some: Iterable[str]) -> tuple[Person, ...]:
    """Who these ids are today, each once, those who are known longest first."""
    heads = dict.fromkeys(head_of(transaction, person) for person in some)
    whole = [rows for head in heads if (rows := merged_rows(transaction, head))]
    return tuple(
        _merge_rows(rows, _purses_by_name(transaction, rows))
        for rows in sorted(whole, key=lambda rows: _seniority(rows[0]))
    )


def head_of(transaction: Transaction, person: str) -> str:
    """Who somebody turned out to be; themselves where nobody said so."""
    while (row := transaction.row(PersonRow, person)) is not None and row.merged:
        person = row.merged
    return person


def _purses_by_name(transaction: Transaction, rows: Iterable[PersonRow]) -> Mapping[str, int]:
    """The purses that were kept under the names of people, before these had ids."""
    purses = (transaction.row(NamedPurseRow, row.kept_as) for row in rows if row.kept_as)
    return {row.kept_as: row.purse for row in purses if row}


def _seniority(row: PersonRow) -> tuple[bool, datetime, str]:
    """Who is somebody else stands behind them; else who is known longer comes first."""
    return row.merged != "", row.since, row.person


def _merge_rows(parts: Sequence[PersonRow], named_purses: Mapping[str, int]) -> Person:
    """A person with all that is theirs, from the rows of everybody who turned out to be them."""
    purse = sum(part.purse + named_purses.get(part.kept_as, 0) for part in parts)
    names = tuple(dict.fromkeys(name for part in parts for name in part.called))
    return Person(parts[0].person, parts[0].name, purse, names, _sum_keepsakes(part.kept for part in parts))


def _sum_keepsakes(kept: Iterable[Mapping[str, Mapping[str, int]]]) -> Mapping[str, Mapping[str, int]]:
    """What several people who are one keep together."""
    sums: dict[str, Counter[str]] = {}
    for one in kept:
        for game, things in one.items():
            sums.setdefault(game, Counter()).update(things)
    return {game: dict(counted) for game, counted in sums.items()}


def people_called(people: Iterable[Person], name: str) -> tuple[Person, ...]:
    """Those who are called so now; where nobody is, those who once were."""
    candidates = tuple(people)
    now = tuple(person for person in candidates if fold(person.name) == fold(name))
    return now or tuple(person for person in candidates if person.answers_to(name))


def payment_entries(
    transaction: Transaction, payments: Iterable[Payment | Keepsake], game: str
) -> Mapping[str, tuple[NewEntry, ...]]:
    """What payments and keepsakes write into whose stream, by the person's id; somebody new is introduced first.

    Raises Ambiguous where a name is not enough to say who is paid.
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
    """A random id of `PERSON_SYMBOLS` symbols that nobody here has."""
    person = deck_id.draw(PERSON_SYMBOLS)
    while transaction.row(PersonRow, person) is not None:
        person = deck_id.draw(PERSON_SYMBOLS)
    return person


def holders_of(people: Sequence[Person], decks: Iterable[DeckRow]) -> Mapping[str, str]:
    """Who holds each deck, by its id: the person its record says, else who has been called so for the longest."""
    first: dict[str, str] = {}
    for person in people:
        for name in person.called:
            first.setdefault(fold(name), person.person)
    return {row.deck: row.person or first.get(fold(row.holder), "") for row in decks if row.holder}


def ask_which(transaction: Transaction, name: str, people: Sequence[Person]) -> str:
    """The question who is meant, with what tells people of one name apart."""
    listing = "; ".join(f"{person} ({marks})" for person, marks in namesakes(transaction, people))
    return f"{len(people)} people are called {quoted(name)}: {listing}. Say which by the id: person {people[0].person}."


def namesakes(transaction: Transaction, some: Sequence[Person]) -> tuple[tuple[str, str], ...]:
    """The ids of people of one name, each with what tells them apart: their purse and their decks."""
    names = dict.fromkeys(name for person in some for name in person.called)
    decks = transaction.decks_of_holders([person.person for person in some], names)
    holders = holders_of(some, decks)
    return tuple((person.person, _describe_namesake(person, decks, holders)) for person in some)


def _describe_namesake(person: Person, decks: Sequence[DeckRow], holders: Mapping[str, str]) -> str:
    names = [row.name for row in decks if holders.get(row.deck) == person.person and not row.retired]
    return f"purse {person.purse}, holds {', '.join(names[:3]) or 'no deck'}"
