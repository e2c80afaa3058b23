"""Storage of leagues: their events, with people by ids. Each function that writes is one transaction.

A league's stream contains no names: it has ids, and the names come from the list of people. So a person who is renamed
or forgotten is so in every league at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from companion.archive import deck_id
from companion.archive.archive import Archive
from companion.archive.errors import NameTaken, Unknown, list_some
from companion.archive.people import people
from companion.archive.storage import purses
from companion.archive.storage.entries import LeagueCreated, LeagueEvent, PersonIntroduced, draft, drafts
from companion.archive.storage.lists import fold, league_events, league_stream, person_stream
from companion.archive.storage.rows import QUERY_SIZE, LeagueRow, PersonRow
from companion.tabletop.text import as_name, in_quotes, visible_form
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

LEAGUE_SYMBOLS: Final = 6


def leagues(archive: Archive) -> tuple[LeagueRow, ...]:
    """Return all leagues, open ones first, and among these the most recently changed first."""
    with archive.store.reading() as transaction:
        rows = transaction.rows(LeagueRow)
    return tuple(sorted(sorted(rows, key=lambda row: row.updated, reverse=True), key=lambda row: row.closed))


def find_league(archive: Archive, text: str) -> LeagueRow:
    """Return the league with this name or id, or the only one whose name begins with `text`. Raises Unknown."""
    rows = leagues(archive)
    spelled, strange = deck_id.read_symbols(text)
    wanted = fold(text)
    exact = [row for row in rows if fold(row.name) == wanted or (row.league == spelled and not strange)]
    fitting = exact or [row for row in rows if wanted and fold(row.name).startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Unknown(
            phrase(
                "{text} could be {fitting}; type more of the name.",
                text=in_quotes(text),
                fitting=list_some(row.name for row in fitting),
            ),
            "leagues",
        )
    raise Unknown(phrase("No league is called {text}.", text=in_quotes(text)), "leagues")


def create_league(archive: Archive, created: LeagueCreated, names: Sequence[str]) -> LeagueRow:
    """Create a league of people with these names or ids, in this order; add people who are not known yet.

    Raises NameTaken if a league has that name, Ambiguous if several people have a name, NotationError.
    """
    name = as_name(created.name)
    with archive.store.writing() as transaction:
        if any(visible_form(row.name) == visible_form(name) for row in transaction.rows(LeagueRow)):
            raise NameTaken(
                phrase("There is a league called {name} already; choose another name.", name=in_quotes(name)),
                "leagues",
            )
        ids = tuple(dict.fromkeys(_ensure_people(transaction, archive, names)))
        league = deck_id.draw(LEAGUE_SYMBOLS)
        while transaction.row(LeagueRow, league) is not None:
            league = deck_id.draw(LEAGUE_SYMBOLS)
        opening = msgspec.structs.replace(created, name=name, people=ids)
        archive._append(transaction, league_stream(league), 0, drafts([opening]))
        row = transaction.row(LeagueRow, league)
        assert row is not None
        return row


def ensure_person(archive: Archive, name: str) -> str:
    """Return the id of a person by name or id, after adding an unknown person. Raises Ambiguous, NotationError."""
    with archive.store.writing() as transaction:
        (person,) = _ensure_people(transaction, archive, [name])
    return person


def _ensure_people(transaction: Transaction, archive: Archive, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        try:
            yield people.ensure_id(transaction, archive, name)
        except Unknown:
            person = purses.new_person_id(transaction)
            archive._append(transaction, person_stream(person), 0, [draft(PersonIntroduced(as_name(name)))])
            yield person


def events(archive: Archive, league: str) -> tuple[LeagueEvent, ...]:
    """Return the events of a league, oldest first. Raises ArchiveError."""
    return league_events(archive.entries(league_stream(league)))


def append_events(archive: Archive, league: str, length: int, new: Sequence[LeagueEvent]) -> int:
    """Append events, the first as entry `length`; return the next number. Raises Conflict."""
    return archive.append(league_stream(league), length, drafts(new))


def people_of(archive: Archive, ids: Iterable[str]) -> Mapping[str, PersonRow]:
    """Return the present rows of people by id, merges followed; unknown ids are left out."""
    with archive.store.reading() as transaction:
        wanted = tuple(dict.fromkeys(ids))
        rows = _people_rows(transaction, wanted)
        while further := {row.merged for row in rows.values() if row.merged} - rows.keys():
            merged = _people_rows(transaction, tuple(further))
            rows |= merged
            if not merged:
                break
    heads = {}
    for person in wanted:
        row = rows.get(person)
        while row is not None and row.merged in rows:
            row = rows[row.merged]
        if row is not None:
            heads[person] = row
    return heads


def _people_rows(transaction: Transaction, ids: Sequence[str]) -> dict[str, PersonRow]:
    column = transaction.key_of(PersonRow)
    rows: dict[str, PersonRow] = {}
    for start in range(0, len(ids), QUERY_SIZE):
        some = transaction.rows(PersonRow, column.in_(ids[start : start + QUERY_SIZE]))
        rows |= {row.person: row for row in some}
    return rows
