"""The files of words that lie beside a game: label texts, table aid, examples. Here they are found and read.

Separate because games read no files, and because a game that lives in a package of its own has its files there.
"""

import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

from companion.games import registry
from companion.games.game import Game
from labels.errors import LabelError


def text(game: Game, *path: str) -> str | None:
    """What a file says that comes with a game, by its folders and its name; None where the game has none such."""
    file = resources.files(game.data).joinpath(*path)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def toml(game: Game, *path: str) -> dict[str, Any] | None:
    """The same, of a TOML file."""
    found = text(game, *path)
    return None if found is None else tomllib.loads(found)


def example(game: Game, name: str) -> str | None:
    """One of a game's examples."""
    return text(game, "examples", game.name, name)


def having(*path: str) -> Iterator[Game]:
    """The games that have such a file; `NAME` in its path stands for the game's name."""
    return (game for game in registry.all_games() if _has(game, path))


def _has(game: Game, path: tuple[str, ...]) -> bool:
    return text(game, *(part.replace("NAME", game.name) for part in path)) is not None


def chosen(name: str | None, *path: str, what: str) -> Game:
    """The game of this name, or where none is named the first that has such a file.

    Raises LabelError where it has none, calling that `what`; NotationError for a game that is not known.
    """
    game = next(having(*path), None) if name is None else registry.game(name)
    if game is None or not _has(game, path):
        titles = " and ".join(each.title for each in having(*path)) or "no game"
        raise LabelError(f"{game.title if game else 'This program'} has no {what}; {titles} has one.")
    return game
