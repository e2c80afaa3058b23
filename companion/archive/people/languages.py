"""The languages of people, in which labels of their decks are printed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.people import people
from companion.archive.storage import purses
from companion.archive.storage.entries import PersonLanguage, draft
from companion.archive.storage.lists import person_stream
from companion.archive.storage.rows import DeckRow, PersonRow
from templates import languages
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction
    from templates.languages.messages import Language


def set_language(archive: Archive, text: str, wish: str) -> PersonRow:
    """Set the language of a person, by name or id, to that of a code such as `de`; "" forgets it.

    Raises Unknown, Ambiguous, and ArchiveError for a language that the program does not have.
    """
    code = read_wish(wish).code if wish.strip() else ""
    with archive.store.writing() as transaction:
        person = purses.head_of(transaction, people.ensure_id(transaction, archive, text))
        stream = person_stream(person)
        archive._append(transaction, stream, transaction.length(stream), [draft(PersonLanguage(code))])
        row = transaction.row(PersonRow, person)
        assert row is not None
        return row


def read_wish(wish: str) -> Language:
    """Return the language of a code, or of its own name. Raises ArchiveError."""
    text = wish.strip()
    all_languages = map(languages.catalogues.find_language, languages.catalogues.list_codes())
    by_name = (each for each in all_languages if each is not None and each.title.casefold() == text.casefold())
    language = languages.catalogues.find_language(text) or next(by_name, None)
    if language is None:
        raise ArchiveError(
            phrase(
                "There is no language “{language}”; choose {codes}.",
                language=text[:40],
                codes=", ".join(languages.catalogues.list_codes()),
            )
        )
    return language


def find_language_of(archive: Archive, person: str) -> str:
    """Return the code of the language of a person, by id, merges followed; "" if it is unknown."""
    with archive.store.reading() as transaction:
        return _language_of(transaction, person)


def find_deck_languages(archive: Archive, rows: Collection[DeckRow]) -> Mapping[str, str]:
    """Return the codes of the languages of decks' holders, by the id of the deck, where they are known."""
    with archive.store.reading() as transaction:
        if not transaction.has_languages():
            return {}
        named = purses.ever_named(transaction, dict.fromkeys(row.holder for row in rows if row.holder))
        holders = purses.holders_of(named, rows)
        codes = {person: _language_of(transaction, person) for person in {*holders.values()} - {""}}
    return {deck: code for deck, person in holders.items() if (code := codes.get(person, ""))}


def _language_of(transaction: Transaction, person: str) -> str:
    row = transaction.row(PersonRow, purses.head_of(transaction, person)) if person else None
    return row.language if row is not None else ""
