"""What can be looked up at a table: the words of its game, its rules and rulings in short, and what a step is called.

Separate from the screens, so that each of them explains a word with the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from companion.tabletop.game import Game
from companion.tabletop.house_rules import Term

_KINDS: Final = {"R": "rule", "A": "ruling", "V": "deck rule"}
"""What a number stands for, by its first letter."""


def of_game(game: Game) -> tuple[Term, ...]:
    """Everything that a game explains: its words in their order, then its rules by their numbers."""
    return (*_words(game), *game.terms(), *_rules(game))


def _words(game: Game) -> Iterator[Term]:
    """The words, as they stand among the game's data."""
    for name, told in _data(game.data, "words", game.name).items():
        yield Term(name, told["says"], "word", told.get("rule", ""), tuple(told.get("also", ())))


def _rules(game: Game) -> Iterator[Term]:
    """The rules in short, as they stand among the game's data."""
    for number, text in _data(game.data, "rules", game.name).items():
        yield Term(number, text, _KINDS.get(number[:1], "rule"), number)


@cache
def _data(package: str, folder: str, name: str) -> dict[str, Any]:
    # Loaded for the first word that somebody looks up: a table is shown before.
    import tomllib
    from importlib import resources

    file = resources.files(package).joinpath(folder, f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def about(words: Iterable[str], terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms that are called so, in the order of the words; of a word that names none, those that begin with it; of
    one that begins none, those that are named in it, as `Armor` is in `Armor 1 of 2`.
    """
    known = tuple((frozenset(map(plain, (term.name, term.rule, *term.also))), term) for term in terms)
    found = (term for word in words if (said := plain(word)) for term in _match_term(said, known))
    return tuple({(term.name, term.kind): term for term in found}.values())


_Known = Sequence[tuple[frozenset[str], Term]]
"""Terms, each with all that it is called."""


def _match_term(said: str, known: _Known) -> Sequence[Term]:
    called = _called(said, known)
    begun = called or [term for _, term in known if plain(term.name).startswith(said)]
    return begun or [term for part in _parts(said, known) for term in _called(part, known)]


def _called(said: str, known: _Known) -> list[Term]:
    """One or many of a thing are called the same."""
    alike = {said, f"{said}s", said.removesuffix("s")}
    return [term for names, term in known if alike & names]


def _parts(said: str, known: _Known) -> Iterator[str]:
    """The longest words in a row that name something, from the left."""
    words, at = said.split("-"), 0
    while at < len(words):
        parts = ("-".join(words[at:end]) for end in range(len(words), at, -1))
        part = next((part for part in parts if _called(part, known)), "")
        if part:
            yield part
        at += part.count("-") + 1


def find_terms(text: str, terms: Iterable[Term]) -> tuple[Term, ...]:
    """The words of a sentence that mean something, in its order; the longest ones where several begin alike."""
    known = tuple((frozenset(map(plain, (term.name, *term.also))), term) for term in terms if term.kind == "word")
    said = "-".join(plain(word) for word in re.findall(r"[\w'’]+", text))
    found = (term for part in _parts(said, known) for term in _called(part, known))
    return tuple(dict.fromkeys(found))


def plain(word: str) -> str:
    """`Hunter's Edge`, `hunters-edge` and `"Hunters Edge"` are the same word; what stands behind `=` is its number."""
    letters = word.lower().strip("“”\"'.,;:()").partition("=")[0]
    return letters.replace("'", "").replace("’", "").replace(" ", "-")
