"""Who is paid, and what is in a purse: people by their ids, found by a name where that is enough.

Separate from `people`, which tells of one person across all streams, because every payment needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from companion.archive import symbols
from companion.archive.entries import Introduced, KeepsakeChange, NewEntry, PurseChange, draft
from companion.archive.errors import Ambiguous, quoted
from companion.archive.lists import DeckRow, NamedPurseRow, Page, PersonRow, fold, searched
from companion.games.records import Keepsake, Payment

if TYPE_CHECKING:
    from companion.archive.store import Transaction

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


class _Everybody:
    """All people's rows, with who was merged into whom; or some people's, with those of all who turned out to be
    somebody else.
    """

    @classmethod
    def of(cls, transaction: Transaction) -> _Everybody:
        """All that an archive has."""
        return cls(transaction.rows(PersonRow), transaction.rows(NamedPurseRow))

    def __init__(self, rows: Iterable[PersonRow], kept: Iterable[NamedPurseRow]) -> None:
        self.rows = {row.person: row for row in rows}
        self._kept = {row.kept_as: row.purse for row in kept}
        self._parts: dict[str, list[PersonRow]] = {}
        for row in sorted(self.rows.values(), key=lambda row: (row.merged != "", row.since, row.person)):
            self._parts.setdefault(self.head(row.person), []).append(row)

    def head(self, person: str) -> str:
        """Who somebody turned out to be; themselves where nobody said so."""
        while (row := self.rows.get(person)) is not None and row.merged:
            person = row.merged
        return person

    def parts(self, person: str) -> tuple[PersonRow, ...]:
        """Everybody who turned out to be this person, themselves first."""
        return tuple(self._parts.get(person, ()))

    def told(self, person: str) -> Person:
        """A person with all that is theirs."""
        parts = self._parts[person]
        purse = sum(part.purse + self._kept.get(part.kept_as, 0) for part in parts)
        called = tuple(dict.fromkeys(name for part in parts for name in part.called))
        return Person(person, parts[0].name, purse, called, _together(part.kept for part in parts))

    def all(self) -> tuple[Person, ...]:
        """Everybody who is nobody else, those who are known longest first."""
        heads = sorted((row for row in self.rows.values() if not row.merged), key=lambda row: (row.since, row.person))
        return tuple(self.told(row.person) for row in heads)


def _together(kept: Iterable[Mapping[str, Mapping[str, int]]]) -> Mapping[str, Mapping[str, int]]:
    """What several people who are one keep together."""
    sums: dict[str, Counter[str]] = {}
    for one in kept:
        for game, things in one.items():
            sums.setdefault(game, Counter()).update(things)
    return {game: dict(counted) for game, counted in sums.items()}


def people(transaction: Transaction) -> tuple[Person, ...]:
    """Everybody who has an id, those who are known longest first."""
    return _Everybody.of(transaction).all()


def page(transaction: Transaction, text: str, at: int, count: int) -> Page[Person]:
    """Everybody who has an id and in whose names, or id, every word of `text` stands, by name; those who turned out to
    be one are one. No others are read.
    """
    merged = transaction.merged_people()
    parts = _Everybody(merged, ())
    words = fold(text).split()
    besides = {parts.head(row.person) for row in merged if all(word in searched(row) for word in words)}
    found = transaction.page_of_heads(text, tuple(besides) if words else (), at, count)
    kept = transaction.purses_kept_as([row.kept_as for row in (*found.rows, *merged) if row.kept_as])
    everybody = _Everybody((*found.rows, *merged), kept)
    return Page(tuple(everybody.told(row.person) for row in found.rows), at, found.total)


def parts(transaction: Transaction, person: str) -> tuple[PersonRow, ...]:
    """The rows of everybody who turned out to be this person, themselves first."""
    return _Everybody.of(transaction).parts(person)


def current(transaction: Transaction, person: str) -> Person | None:
    """Who this id is today, whoever they were merged into; None where it is not known here."""
    everybody = _Everybody.of(transaction)
    head = everybody.head(person)
    return everybody.told(head) if head in everybody.rows else None


def called(known: Iterable[Person], name: str) -> tuple[Person, ...]:
    """Those who are called so now; where nobody is, those who once were."""
    some = tuple(known)
    now = tuple(person for person in some if fold(person.name) == fold(name))
    return now or tuple(person for person in some if person.answers_to(name))


def payments(
    transaction: Transaction, made: Iterable[Payment | Keepsake], game: str
) -> Mapping[str, tuple[NewEntry, ...]]:
    """What payments and keepsakes write into whose stream, by the person's id; somebody new is introduced first.

    Raises Ambiguous where a name is not enough to say who is paid.
    """
    everybody = _Everybody.of(transaction)
    known = everybody.all()
    new: dict[str, str] = {}
    entries: dict[str, list[NewEntry]] = {}
    for payment in made:
        person = everybody.head(payment.person) or new.get(fold(payment.name))
        if not person:
            meant = called(known, payment.name)
            if len(meant) > 1:
                raise Ambiguous(which(payment.name, meant, transaction.rows(DeckRow)))
            person = new[fold(payment.name)] = meant[0].person if meant else fresh(transaction)
        first = [] if person in everybody.rows else [draft(Introduced(payment.name))]
        entries.setdefault(person, first).append(_written(payment, game))
    return {person: tuple(all_of) for person, all_of in entries.items()}


def _written(made: Payment | Keepsake, game: str) -> NewEntry:
    if isinstance(made, Payment):
        return draft(PurseChange(made.name, made.amount, made.reason, game))
    return draft(KeepsakeChange(made.name, made.what, made.change, game))


def fresh(transaction: Transaction) -> str:
    """An id that nobody has."""
    person = symbols.draw(PERSON_SYMBOLS)
    while transaction.row(PersonRow, person) is not None:
        person = symbols.draw(PERSON_SYMBOLS)
    return person


def holders(known: Sequence[Person], decks: Iterable[DeckRow]) -> Mapping[str, str]:
    """Who holds each deck, by its id: the person its record says, else who has been called so for the longest."""
    first: dict[str, str] = {}
    for person in known:
        for name in person.called:
            first.setdefault(fold(name), person.person)
    return {row.deck: row.person or first.get(fold(row.holder), "") for row in decks if row.holder}


def which(name: str, meant: Sequence[Person], decks: Sequence[DeckRow]) -> str:
    """The question who is meant, with what tells people of one name apart."""
    held = holders(meant, decks)
    told = "; ".join(f"{person.person} ({marks_out(person, decks, held)})" for person in meant)
    return f"{len(meant)} people are called {quoted(name)}: {told}. Say which by the id: person {meant[0].person}."


def marks_out(person: Person, decks: Sequence[DeckRow], held: Mapping[str, str]) -> str:
    """What tells somebody apart from others of the name: their purse and their decks."""
    names = [row.name for row in decks if held.get(row.deck) == person.person and not row.retired]
    return f"purse {person.purse}, holds {', '.join(names[:3]) or 'no deck'}"
