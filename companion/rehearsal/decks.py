"""The decks of a rehearsal as text that the game reads: from a file, from the archive, or shipped examples.

A setting holds the text itself, so that a unit depends on nothing outside, and the decks played are still known months
later.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING

from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.constructed.rehearsal import read_list
from companion.tabletop.decks.decklist import format_deck_list
from companion.tabletop.notation.notation import write
from companion.tabletop.text import sanitize
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.tabletop.game import Game


def deck_text(game: Game, name: str, text: str) -> str:
    """Return a user's text about a deck as a setting holds it; of a deck list, only the name remains as a comment.

    Raises NotationError with the line of a list that cannot be read.
    """
    if not isinstance(game, ConstructedGame):
        return text
    called = " ".join(sanitize(name).split())
    try:
        cards = read_list(game, text, called)
    except RuleError as error:
        raise NotationError(error.message) from error
    return f"# {called}\n{format_deck_list(game.name, cards)}"


def stored_deck_text(game: Game, archive: Archive, row: DeckRow) -> str:
    """Return the text of a stored deck as it is today: its list, or the lines that set it up for a seat.

    Raises RuleError if the deck belongs to another game or is retired.
    """
    if row.game != game.name:
        raise RuleError(
            phrase("{deck} is not a deck of {game}; name one of that game.", deck=row.name, game=game.title)
        )
    record = archive.record(row.deck)
    lines = game.setup_lines("ana", record)
    if isinstance(record, ConstructedRecord):
        return deck_text(game, row.name, format_deck_list(game.name, record.cards))
    return "".join(f"{write(line)}\n" for line in lines)


def example_texts(game: Game) -> tuple[str, ...]:
    """Return the deck lists that are shipped with a game; () if its decks are no lists."""
    folder = resources.files(game.data).joinpath("examples", game.name)
    if not isinstance(game, ConstructedGame) or not folder.joinpath("decks.toml").is_file():
        return ()
    decks = tomllib.loads(folder.joinpath("decks.toml").read_text("utf-8"))["deck"]
    return tuple(deck_text(game, deck["name"], folder.joinpath(deck["list"]).read_text("utf-8")) for deck in decks)
