"""The first facts about an archive: the table to go on with, the last game's result, and the chores that are due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive import deck_records
from companion.archive.errors import ArchiveError
from companion.archive.storage.entries import StoredLine
from companion.archive.storage.lists import session_stream
from companion.archive.storage.rows import DeckRow, SessionRow
from companion.tabletop.action import NotationError, RuleError
from templates.languages.messages import Text

if TYPE_CHECKING:
    from companion.archive.archive import Archive
    from companion.archive.deck_records import OpenChores

_DECKS_DUE: Final = 4
_GAMES: Final = 3
"""The number of last games whose decks are listed."""
_DECKS: Final = 5
_PLAYED: Final = "played"
"""The tag of the mark that says how a game went for a deck."""


class PlayedDeck(NamedTuple):
    """A recently played deck, and how the last game went for it; "" if it was not in that game."""

    row: DeckRow
    sentence: Text


class Overview(NamedTuple):
    """The facts for the first screen.

    `unsealed` is the last game to end of those that wait for their seal; `waiting` is the most recently changed table
    that is not over and has players; `others` counts the further games of both kinds among those changed last. `last`
    is the last game that is over, `decks` the recently played ones, the last game's first; `due` are decks with chores,
    of `due_decks` in all.
    """

    waiting: SessionRow | None = None
    others: int = 0
    last: SessionRow | None = None
    decks: tuple[PlayedDeck, ...] = ()
    due: tuple[OpenChores, ...] = ()
    due_decks: int = 0
    unsealed: SessionRow | None = None


def read_overview(archive: Archive) -> Overview:
    """Read the overview from the lists.

    Of streams, only the ends of the last games and the decks of the last one are read.
    """
    sessions = archive.page_of_sessions().rows
    waiting = [row for row in sessions if not row.has_ended and not row.is_empty]
    unsealed = [row for row in sessions if row.needs_seal]
    over = [row for row in sessions if row.has_ended]
    page, due = deck_records.all_chores(archive, 0, _DECKS_DUE)
    return Overview(
        waiting[0] if waiting else None,
        max(0, len(waiting) - 1) + max(0, len(unsealed) - 1),
        next((row for row in over if row not in unsealed[:1]), None),
        tuple(_played_decks(archive, over[:_GAMES])),
        due,
        page.total,
        unsealed[0] if unsealed else None,
    )


def _played_decks(archive: Archive, games: Sequence[SessionRow]) -> Iterator[PlayedDeck]:
    """Yield the decks of some games, each once."""
    decks = {deck: game for game in reversed(games) for deck in _sealed_decks(archive, game)}
    of_last = [deck for deck, game in decks.items() if game is games[0]]
    for deck in [*of_last, *(deck for deck in decks if deck not in of_last)][:_DECKS]:
        try:
            sentence = _sentence(archive, deck, decks[deck].session) if deck in of_last else ""
            yield PlayedDeck(archive.find_deck(deck), sentence)
        except (ArchiveError, NotationError, RuleError):
            continue  # An unreadable deck is reported when it is opened.


def _sealed_decks(archive: Archive, game: SessionRow) -> Iterable[str]:
    """Return the decks that the last line of a game sealed."""
    last = archive.entries(session_stream(game.session), game.length - 1)
    return next((entry.read(StoredLine).seals or () for entry in last if entry.holds(StoredLine)), ())


def _sentence(archive: Archive, deck: str, session: str) -> Text:
    """Return the sentence of a deck's story about a game."""
    story = archive.story(deck)
    return next((line.text for line in story if line.session == session and line.kind == _PLAYED), "")
