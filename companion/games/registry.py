"""Which games there are. A game's module is loaded only when somebody asks for it."""

from __future__ import annotations

from importlib import import_module

from companion.games.action import NotationError
from companion.games.game import Game

_WHERE: dict[str, str] = {
    "decknforge": "companion.games.decknforge",
    "solforge": "companion.games.solforge",
}
_LOADED: dict[str, Game] = {}

GAMES: tuple[str, ...] = tuple(_WHERE)
"""The games this program knows, by the word after `table`."""


def register(game: Game) -> None:
    """Add a game that lives elsewhere, for as long as the program runs."""
    _LOADED[game.name] = game


def game(name: str) -> Game:
    """The rules of a game, by its name in any case. Raises NotationError naming the known games."""
    key = name.lower()
    if key not in _LOADED:
        if key not in _WHERE:
            raise NotationError(f"There is no game called “{name}”; known are: {', '.join({**_WHERE, **_LOADED})}.")
        _LOADED[key] = import_module(_WHERE[key]).GAME
    return _LOADED[key]
