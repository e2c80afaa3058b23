"""A deck's life beside the table: what is to be done by hand, corrections, looking through its box, its end.

Separate from the archive's own methods because here its game is asked what marks to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.archive import deck_id, lists
from companion.archive.archive import Archive
from companion.archive.entries import StoredLine
from companion.archive.errors import Unknown
from companion.archive.lists import DeckRow, deck_stream, session_stream
from companion.games import registry
from companion.games.action import RuleError
from companion.games.keeping import Keeping, keeping
from companion.games.records import Chore, Mark, Record
from companion.games.spots import Spots, ticked


class ShelvedDeck(NamedTuple):
    """A deck off the shelf: its marks, and how its game keeps it."""

    marks: tuple[Mark, ...]
    keeping: Keeping


def take(archive: Archive, deck: str) -> ShelvedDeck:
    """A deck's marks, and how its game keeps it. Raises Unknown, or RuleError where its game keeps no decks so."""
    entries = archive.entries(deck_stream(deck))
    if not entries:
        raise Unknown(f"Deck {deck_id.show(deck)} is not in this archive; companion deck list shows all.")
    game = registry.game(lists.opened(entries).game)
    return ShelvedDeck(lists.marks_of(entries), keeping(game))


def chores(archive: Archive, deck: str, session: str = "") -> tuple[Chore, ...]:
    """What is to be done by hand to a deck, oldest first; with `session` only what that sitting called for.

    None where the deck's game has nothing to be written on its cards. Raises Unknown.
    """
    entries = archive.entries(deck_stream(deck))
    kept = registry.game(lists.opened(entries).game).keeping
    due = kept.chores(lists.marks_of(entries)) if kept else ()
    return tuple(chore for chore in due if not session or entries[chore.mark].session == session)


def decks_of(archive: Archive, session: str) -> tuple[DeckRow, ...]:
    """The decks that a sitting's seal wrote to; none where it is not sealed."""
    entries = archive.entries(session_stream(session))
    sealed = {deck for entry in entries if entry.holds(StoredLine) for deck in entry.read(StoredLine).seals or ()}
    return tuple(archive.find_deck(deck) for deck in sorted(sealed))


def tick(archive: Archive, deck: str, wanted: Sequence[str], by: str = "", session: str = "") -> tuple[Chore, ...]:
    """Ticks off what was done by hand: chores by their ids, or `("all",)` of them, of that sitting where one is named.

    Returns what was ticked off. Raises RuleError where one of them is not to be done, Conflict.
    """
    due = chores(archive, deck, session)
    done = ticked(due, wanted, by)
    _write(archive, deck, lambda _: [done])
    return tuple(chore for chore in due if chore.id in done.chores)


def correct(archive: Archive, deck: str, number: int, reason: str, by: str = "") -> None:
    """Takes back the mark of this number. Raises RuleError where that makes no sense."""
    _write(archive, deck, lambda kept: [kept.keeping.corrected(kept.marks, number, reason, by)])


def mend(archive: Archive, deck: str, seen: Spots, reason: str, by: str = "") -> tuple[str, ...]:
    """Makes the record agree with what was seen in the box; gives the new sentences of its story. Raises RuleError."""
    made = _write(archive, deck, lambda kept: kept.keeping.mended(kept.marks, seen, reason, by))
    return tuple(told.text for told in archive.story(deck)[-len(made) :]) if made else ()


def rename(archive: Archive, deck: str, name: str, reason: str, by: str = "") -> None:
    """Gives a deck another name. Raises NameTaken, RuleError."""
    _write(archive, deck, lambda kept: [kept.keeping.renamed(kept.marks, name, reason, by)])


def retire(archive: Archive, deck: str, heirloom: str = "", by: str = "") -> None:
    """Ends a deck's life; it stays readable, and its name taken. Raises RuleError."""
    _write(archive, deck, lambda kept: [kept.keeping.retired(kept.marks, heirloom, by)])


def checked(archive: Archive, data: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Whether a deck on paper is one by its game's rules, with a name of its own here; gives its name, and warnings.

    Raises NotationError, or RuleError with everything that is wrong.
    """
    game = registry.game(str(data.get("game", "")))
    marks, warnings = keeping(game).adopted(data)
    name = game.record(marks).name
    if any(row.game == game.name and lists.fold(row.name) == lists.fold(name) for row in archive.decks()):
        raise RuleError(
            f"There is, or was, a deck called “{name}” in this archive; a name is never used again (V1.15)."
        )
    return name, warnings


def adopt(archive: Archive, data: Mapping[str, Any], by: str = "") -> tuple[str, Record, tuple[str, ...]]:
    """Takes in a deck that lived on paper; gives its new id, its record and warnings.

    Raises NotationError, RuleError, NameTaken.
    """
    game = registry.game(str(data.get("game", "")))
    marks, warnings = keeping(game).adopted(data, by)
    deck = archive.found(game.name, marks)
    return deck, game.record(marks), warnings


def _write(archive: Archive, deck: str, made: Callable[[ShelvedDeck], Sequence[Mark]]) -> Sequence[Mark]:
    """Makes the marks that follow from the deck as it is now; somebody else's mark in between is a Conflict."""
    kept = take(archive, deck)
    marks = made(kept)
    if marks:
        archive.mark(deck, len(kept.marks) + 1, marks)
    return marks
