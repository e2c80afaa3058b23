"""The finished games of one person."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from companion.archive import Archive
from companion.archive.storage.lists import fold
from companion.archive.storage.results import read_directory, read_results
from companion.games import registry
from companion.tabletop.table.match_result import Result
from templates.languages.messages import Text


class PersonGame(NamedTuple):
    """A finished game of a person: its title, when it ended, how it ended for them, and the name of their deck.

    `session` is a key of its own for a game that was imported.
    """

    session: str
    game: Text
    at: datetime
    result: Result
    deck: str


def list_games(archive: Archive, person: str, name: str) -> tuple[PersonGame, ...]:
    """Return the finished games of a person, oldest first.

    `person` is the id, or "" for somebody who has only a `name`.
    """
    games: list[PersonGame] = []
    with archive.store.reading() as transaction:
        directory = read_directory(transaction)
        for row in read_results(transaction):
            for player in row.result.players:
                key = directory.find(player)
                if key == person if key or person else fold(player.name) == fold(name):
                    deck = directory.decks.get(player.deck) or player.called
                    title = registry.title(row.game, row.page)
                    games.append(PersonGame(row.session, title, row.at, player.result, deck))
                    break
    return tuple(games)
