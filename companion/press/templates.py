"""The files of words that lie beside a game: label texts, table aid, examples. Here they are found and read.

Separate because games read no files, and because a game that lives in a package of its own has its files there.
"""

import tomllib
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any

from companion.games import registry
from companion.games.paper import Printable
from labels.errors import LabelError


def text(package: str, *path: str) -> str | None:
    """What a file says, by the package that a game's files lie in, its folders and its name; None for no such file."""
    file = resources.files(package).joinpath(*path)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def toml(package: str, *path: str) -> dict[str, Any] | None:
    """The same, of a TOML file."""
    found = text(package, *path)
    return None if found is None else tomllib.loads(found)


def paper_deck(name: str | None = None) -> str:
    """An example of a deck that lived on paper, to be filled in; of the first game that has one, where none is named.

    Raises LabelError where it has none, NotationError for a game that is not known.
    """
    game = chosen(name, lambda each: bool(example(each, _PAPER_DECK)), "example of a deck on paper")
    return example(game, _PAPER_DECK) or ""


_PAPER_DECK = "adopt.toml"


def example(game: Printable, name: str) -> str | None:
    """One of a game's examples."""
    return text(game.data, "examples", game.name, name)


def named(titles: Sequence[str]) -> str:
    """Some games in a sentence: `A, B and C`."""
    return " and ".join(part for part in (", ".join(titles[:-1]), *titles[-1:]) if part)


def chosen(name: str | None, has: Callable[[Printable], bool], what: str) -> Printable:
    """The game of this name, or where none is named the first that has something to print.

    Raises LabelError where it has not, calling that `what`; NotationError for a game that is not known.
    """
    game = next(filter(has, registry.all_printable()), None) if name is None else registry.printable(name)
    if game is None or not has(game):
        titles = [each.title for each in registry.all_printable() if has(each)]
        others = f"{named(titles) or 'no game'} {'have' if len(titles) > 1 else 'has'} one"
        raise LabelError(f"{game.title} has no {what}; {others}." if game else f"No game has a {what}.")
    return game
