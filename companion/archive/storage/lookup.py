"""Look-ups in a transaction: which deck or session a text means, whether a name is free, and a deck's story."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive import deck_id
from companion.archive.errors import NameTaken, Unknown, list_some
from companion.archive.storage import lists
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream, game_of, marks_of
from companion.archive.storage.rows import DeckRow, SessionRow
from companion.tabletop.records import hidden_marks
from companion.tabletop.text import in_quotes, visible_form
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction


class StoryLine(NamedTuple):
    """One sentence of a deck's story, with its date and author.

    `number` is that of the mark, from 1; `kind` its tag; `session` the session that wrote it, "" if none did.
    """

    at: datetime
    by: str
    text: str
    number: int
    kind: str
    session: str


def tell_story(entries: Sequence[Entry]) -> tuple[StoryLine, ...]:
    """Return a deck's story, one sentence per mark, oldest first; ticks that were taken back at once are left out."""
    marks = marks_of(entries)
    sentences, unsaid = game_of(entries).decks.story(marks), hidden_marks(marks)
    return tuple(
        StoryLine(entry.at, entry.by, str(text), entry.seq, entry.kind, entry.session)
        for entry, text in zip(entries[1:], sentences, strict=True)
        if entry.seq not in unsaid
    )


def no_deck(deck: str) -> Unknown:
    """Return the error for an id that no deck here has."""
    return Unknown(phrase("Deck {deck} is not in this archive.", deck=deck_id.show(deck)), "decks")


def deck_length(transaction: Transaction, deck: str) -> int:
    """Return the length of a deck's stream: the number of its next entry. Raises Unknown if there is no such deck."""
    count = transaction.length(deck_stream(deck))
    if not count:
        raise no_deck(deck)
    return count


def decks_named(transaction: Transaction, game: str, name: str) -> tuple[DeckRow, ...]:
    """Return the decks of a game, retired ones included, that have this name in any case; at most one deck has it."""
    called = transaction.decks_starting_with(name)
    return tuple(row for row in called if row.game == game and lists.fold(row.name) == lists.fold(name))


def check_name(transaction: Transaction, game: str, name: str, but: str = "") -> None:
    """Raise NameTaken if a deck of this game other than `but` has or had this name (V1.15)."""
    others = [
        row
        for row in (*decks_named(transaction, game, name), *_look_alikes(transaction, game, name))
        if row.deck != but
    ]
    if others:
        name = others[0].name
        raise NameTaken(
            phrase("There is a deck called {deck} already (retired); choose another name (V1.15).", deck=name)
            if others[0].retired
            else phrase("There is a deck called {deck} already (active); choose another name (V1.15).", deck=name)
        )


def find_taken_name(transaction: Transaction, rows: Sequence[DeckRow]) -> DeckRow | None:
    """Return the first of many new decks whose name is taken, here or by an earlier one of `rows`; else None.

    A name is taken if another deck of its game has or had it. Names that look alike and differ only in invisible
    characters are the same name.
    """
    decks = (*transaction.decks_named([visible_form(row.name) for row in rows]), *transaction.decks_with_invisible())
    names = {(row.game, visible_form(row.name)) for row in decks}
    for row in rows:
        name = (row.game, visible_form(row.name))
        if name in names:
            return row
        names.add(name)
    return None


def _look_alikes(transaction: Transaction, game: str, name: str) -> tuple[DeckRow, ...]:
    """Return the decks of a game whose names look like this one and differ only in invisible characters."""
    form = visible_form(name)
    called = (*transaction.decks_named([form]), *transaction.decks_with_invisible())
    return tuple(row for row in called if row.game == game and visible_form(row.name) == form)


def find_deck(transaction: Transaction, text: str) -> DeckRow:
    """Return the deck that `text` means: an id in any spelling, a name, or the beginning of only one deck's name.

    Raises Unknown, or DeckIdError if it is a mistyped id.
    """
    row = _by_id(transaction, text)
    if row:
        return row
    called = transaction.decks_starting_with(text) if lists.fold(text) else ()
    matches = tuple(row for row in called if lists.fold(row.name) == lists.fold(text)) or called
    if not matches:
        raise _not_found(text)
    if len(matches) > 1:
        names = list_some(f"{row.name} ({row.game}, {deck_id.show(row.deck)})" for row in matches)
        raise Unknown(
            phrase("{text} could be {names}; type more of the name, or the id.", text=in_quotes(text), names=names)
        )
    return matches[0]


def _by_id(transaction: Transaction, text: str) -> DeckRow | None:
    try:
        return transaction.row(DeckRow, deck_id.parse(text))
    except deck_id.DeckIdError:
        return None


def _not_found(text: str) -> Exception:
    """Return the error for text that means no deck; if it looks like an id, the error says what is wrong with it."""
    looks_like_id = text.upper().startswith(deck_id.PREFIX) or any(character.isdigit() for character in text)
    try:
        return no_deck(deck_id.parse(text))
    except deck_id.DeckIdError as error:
        return error if looks_like_id else Unknown(phrase("No deck is called {text}.", text=in_quotes(text)), "decks")


_SESSION_SYMBOLS: Final = 8
"""Few enough to read an id aloud."""


def new_session_id() -> str:
    """Draw a random id for a new session: eight symbols."""
    return deck_id.draw(_SESSION_SYMBOLS)


def no_session(session: str) -> Unknown:
    """Return the error for a text that no session's id begins with."""
    return Unknown(phrase("There is no session {session}.", session=in_quotes(session)), "sessions")


def find_session(transaction: Transaction, text: str) -> SessionRow:
    """Return the session with the id `text`, or with the only id that begins so, in any spelling. Raises Unknown."""
    beginning, strange = deck_id.read_symbols(text)
    matches = () if strange or not beginning else transaction.sessions_starting_with(beginning)
    if not matches:
        raise no_session(text)
    if len(matches) > 1:
        names = list_some(row.session for row in matches)
        raise Unknown(
            phrase(
                "{text} is the beginning of several sessions: {names}; type more of the id.",
                text=in_quotes(text),
                names=names,
            )
        )
    return matches[0]
