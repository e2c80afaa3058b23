"""Which deck or session a text means, whether a name is free, and what a deck's story tells; in a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive import deck_id, lists
from companion.archive.entries import Entry
from companion.archive.errors import NameTaken, Unknown, list_some
from companion.archive.lists import deck_stream, game_of, marks_of
from companion.archive.rows import DeckRow, SessionRow
from companion.tabletop.records import hidden_marks
from companion.tabletop.text import quoted, visible_form

if TYPE_CHECKING:
    from companion.archive.transaction import Transaction


class StoryLine(NamedTuple):
    """One sentence of a deck's story, when it was written down and by whom.

    `number` is that of the mark, from 1; `kind` its tag; `session` the sitting that wrote it, "" where none did.
    """

    at: datetime
    by: str
    text: str
    number: int
    kind: str
    session: str


def tell_story(entries: Sequence[Entry]) -> tuple[StoryLine, ...]:
    """A deck's story, a sentence a mark, oldest first; ticks taken back at once are left out."""
    marks = marks_of(entries)
    sentences, unsaid = game_of(entries).story(marks), hidden_marks(marks)
    return tuple(
        StoryLine(entry.at, entry.by, text, entry.seq, entry.kind, entry.session)
        for entry, text in zip(entries[1:], sentences, strict=True)
        if entry.seq not in unsaid
    )


def no_deck(deck: str) -> Unknown:
    """What to raise for an id that no deck here has."""
    return Unknown(f"Deck {deck_id.show(deck)} is not in this archive.", "decks")


def deck_length(transaction: Transaction, deck: str) -> int:
    """How many entries a deck's stream has: the number of the next one. Raises Unknown where there is no such deck."""
    count = transaction.length(deck_stream(deck))
    if not count:
        raise no_deck(deck)
    return count


def decks_named(transaction: Transaction, game: str, name: str) -> tuple[DeckRow, ...]:
    """The decks of a game, retired ones too, that are called so, in any case; by one at most."""
    called = transaction.decks_starting_with(name)
    return tuple(row for row in called if row.game == game and lists.fold(row.name) == lists.fold(name))


def check_name(transaction: Transaction, game: str, name: str, but: str = "") -> None:
    """Raises NameTaken if a deck of this game other than `but` has or had this name (V1.15)."""
    others = [
        row
        for row in (*decks_named(transaction, game, name), *_look_alikes(transaction, game, name))
        if row.deck != but
    ]
    if others:
        state = "retired" if others[0].retired else "active"
        raise NameTaken(f"There is a deck called {others[0].name} already ({state}); choose another name (V1.15).")


def find_taken_name(transaction: Transaction, rows: Sequence[DeckRow]) -> DeckRow | None:
    """The first of many new decks whose name another deck of its game has or had, here or before it; else None.

    Names that look alike and differ by what cannot be seen are the same one.
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
    """The decks of a game whose name looks like this one, and differs by what cannot be seen."""
    form = visible_form(name)
    called = (*transaction.decks_named([form]), *transaction.decks_with_invisible())
    return tuple(row for row in called if row.game == game and visible_form(row.name) == form)


def find_deck(transaction: Transaction, text: str) -> DeckRow:
    """The deck that `text` means: its id in any spelling, its name, or the beginning of no other deck's name.

    Raises Unknown, or DeckIdError where an id was meant and is wrong.
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
        raise Unknown(f"{quoted(text)} may be {names}; type more of the name, or the id.")
    return matches[0]


def _by_id(transaction: Transaction, text: str) -> DeckRow | None:
    try:
        return transaction.row(DeckRow, deck_id.parse(text))
    except deck_id.DeckIdError:
        return None


def _not_found(text: str) -> Exception:
    """The error for text that leads to no deck: what is wrong with it as an id, where it looks like one."""
    looks_like_id = text.upper().startswith(deck_id.PREFIX) or any(character.isdigit() for character in text)
    try:
        return no_deck(deck_id.parse(text))
    except deck_id.DeckIdError as error:
        return error if looks_like_id else Unknown(f"No deck is called {quoted(text)}.", "decks")


_SESSION_SYMBOLS: Final = 8
"""Few enough to read an id aloud."""


def new_session_id() -> str:
    """A random id for a new session: eight symbols."""
    return deck_id.draw(_SESSION_SYMBOLS)


def no_session(session: str) -> Unknown:
    """What to raise for a text that no session's id begins with."""
    return Unknown(f"There is no session {quoted(session)}.", "sessions")


def find_session(transaction: Transaction, text: str) -> SessionRow:
    """The session whose id is, or alone begins with, `text` in any spelling. Raises Unknown."""
    beginning, strange = deck_id.read_symbols(text)
    matches = () if strange or not beginning else transaction.sessions_starting_with(beginning)
    if not matches:
        raise no_session(text)
    if len(matches) > 1:
        names = list_some(row.session for row in matches)
        raise Unknown(f"{quoted(text)} begins several sessions: {names}; type more of the id.")
    return matches[0]
