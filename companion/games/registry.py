"""Which games there are: those that come along, and those that live in packages of their own.

A game's module is loaded only when somebody asks for it. A package names its game in the entry point group
`companion.games`, as in `duel = "duel_game:GAME"`; one that cannot be loaded is named, and harms no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from companion.tabletop.action import NotationError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from companion.tabletop.game import Game
    from companion.tabletop.paper import Printable

GROUP: Final = "companion.games"

_WHERE: Final[dict[str, str]] = {
    "decknforge": "companion.games.decknforge",
    "soulforger": "companion.games.soulforger",
    "oddfrontier": "companion.games.oddfrontier",
    "solforge": "companion.games.solforge",
}
_LOADED: Final[dict[str, Game]] = {}

GAMES: tuple[str, ...]
"""The games this program knows, by the word after `table`; looked up when first asked for."""


def __getattr__(name: str) -> tuple[str, ...]:
    if name == "GAMES":
        return (*_WHERE, *(word for word in _elsewhere() if word not in _WHERE))
    raise AttributeError(name)


@cache
def _elsewhere() -> Mapping[str, EntryPoint]:
    """The games of other packages, by the words that they are named with."""
    from importlib.metadata import entry_points

    return {point.name.lower(): point for point in entry_points(group=GROUP)}


def names() -> tuple[str, ...]:
    """The words of all games that can be named: those known, and those added while the program runs."""
    return tuple(dict.fromkeys((*__getattr__("GAMES"), *_LOADED)))


def register(game: Game) -> None:
    """Add a game that lives elsewhere, for as long as the program runs."""
    _LOADED[game.name] = game


def game(name: str) -> Game:
    """The rules of a game, by its name in any case.

    Raises NotationError: naming the known games, or saying why this one cannot be loaded.
    """
    key = name.lower()
    if key not in _LOADED:
        _LOADED[key] = _loaded(key, name)
    return _LOADED[key]


def title(name: str) -> str:
    """What a game is called; one that cannot be loaded any more by the word that is stored."""
    try:
        return game(name).title
    except NotationError:
        return name


def _loaded(key: str, typed: str) -> Game:
    if key in _WHERE:
        rules: Game = import_module(f"{_WHERE[key]}.game").GAME
        return rules
    if key not in _elsewhere():
        raise NotationError(f"There is no game called “{typed}”; known are: {', '.join(names())}.")
    return _from_package(_elsewhere()[key])


def _from_package(point: EntryPoint) -> Game:
    package = point.dist.name if point.dist else point.module
    try:
        rules: Game = point.load()
        if rules.name != point.name.lower():
            raise ValueError(f"it calls itself {rules.name}")
    except Exception as error:  # whatever a stranger's module may raise while it is loaded
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise NotationError(
            f"The game {point.name} of the package {package} cannot be loaded ({why}); mend the package or remove it."
        ) from error
    return rules


def printable(name: str) -> Printable:
    """What must be known to print for a game of this name; of those that come along no rules are loaded for it.

    Raises NotationError as `game` does.
    """
    key = name.lower()
    if key in _LOADED or key not in _WHERE:
        return game(name)
    imprint: Printable = import_module(f"{_WHERE[key]}.paper").IMPRINT
    return imprint


def all_printable() -> Iterator[Printable]:
    """The same of every game that can be loaded, in the order of `all_games`."""
    yield from map(printable, _WHERE)
    yield from _loadable(name for name in _elsewhere() if name not in _WHERE)


def all_games() -> Iterator[Game]:
    """Every game that can be loaded, those that come along first."""
    yield from _loadable(_WHERE)
    # To look through all packages takes longer than to load a game, and often an earlier one will do.
    yield from _loadable(name for name in _elsewhere() if name not in _WHERE)


def _loadable(names: Iterable[str]) -> Iterator[Game]:
    for name in names:
        try:
            yield game(name)
        except NotationError:
            continue


def broken() -> Iterator[str]:
    """A sentence about each package whose game cannot be played."""
    for name, point in _elsewhere().items():
        if name in _WHERE:
            package = point.dist.name if point.dist else point.module
            yield f"The package {package} has a game called {name}; the one that comes along is played instead of it."
            continue
        try:
            game(name)
        except NotationError as error:
            yield str(error)
