"""What can be looked up at a table: the words of its game, its rules in short, its lines, and what a step is called.

Separate from the screens, so that each of them explains a word with the same sentence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib import resources

from companion.games.game import Game
from companion.games.terms import Term

RULE = "rule"


def of_game(game: Game) -> tuple[Term, ...]:
    """Everything that a game explains: its words in its order, then its rules by their numbers."""
    return (*game.terms(), *_rules(game))


def _rules(game: Game) -> Iterator[Term]:
    """The rules in short, as they stand among the game's data."""
    file = resources.files(game.data).joinpath("rules", f"{game.name}.toml")
    if file.is_file():
        for number, text in tomllib.loads(file.read_text("utf-8")).items():
            yield Term(number, text, RULE, number)


def about(words: Iterable[str], terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms that are called so, one or several of it, in the order of the words; of a word that names none, those
    that begin with it.
    """
    known = tuple(terms)
    found: dict[str, Term] = {}
    for word in words:
        said = plain(word)
        called = [term for term in known if said in (plain(term.name), f"{plain(term.name)}s", plain(term.rule))]
        called = called or [term for term in known if said and plain(term.name).startswith(said)]
        found |= {term.name: term for term in called}
    return tuple(found.values())


def plain(word: str) -> str:
    """`Hunter's Edge`, `hunters-edge` and `"Hunters Edge"` are the same word; what stands behind `=` is its number."""
    letters = word.lower().strip("“”\"'.,;:()").partition("=")[0]
    return letters.replace("'", "").replace("’", "").replace(" ", "-")
