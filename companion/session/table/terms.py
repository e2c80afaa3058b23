"""The glossary of a table: the words of its game, its rules and rulings in short, and its steps."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

from companion.tabletop.game import Game
from companion.tabletop.table.house_rules import Term, term_of
from templates.languages.messages import (
    Language,
    Text,
    WithinSentence,
    current_language,
    declared,
    joined,
    phrase,
    phrase_in,
)

# Translators: The kinds of entries of a glossary.
WORD: Final = phrase_in("term", "word")
"""The kind of the words of a game."""
_RULE: Final = phrase_in("term", "rule")
_KINDS: Final = {"R": _RULE, "A": phrase_in("term", "ruling"), "V": phrase_in("term", "deck rule")}
"""The kinds of rule numbers by their first letter."""


WRONG: Final = (
    ("ana 10", phrase("A wrong figure, such as life or HP: it is 10 now")),
    ("ana hand 4", phrase("Any other figure of a player: name it")),
    ("ana -3 trap", phrase("Change it by that much, and say why; 2-3: for seat 2")),
    ("← → + −", phrase("The same by keys; ↑ ↓ choose which figure")),
    ("fix ↓ Enter", phrase("Put a figure right…: choose it from lists")),
    ("undo", phrase("A mistake just now: take it back (Ctrl+Z)")),
    ("amend 12 LINE", phrase("A mistake in line 12 of the log: correct it")),
    ("insert 12 LINE", phrase("Something forgotten: put it in before line 12")),
)
"""Ways to correct what is wrong on screen: what to type, and its purpose."""
WRONG_KIND: Final = phrase_in("term", "help")
"""The kind of the term for them."""
_WRONG_WORDS: Final = (
    *("wrong", "mistake", "correct", "fix", "change", "forgotten", "hp", "undo", "amend", "insert"),
    *("put-right", "put-a-figure-right", "put-a-figure-right…"),
)


def game_terms(game: Game) -> tuple[Term, ...]:
    """Return all terms of a game: its words in order, its rules by number, and the term for corrections."""
    # Keys are explained by the screens that have them.
    lines = (
        # Translators: What to type, and what it is for.
        phrase("{typed}: {purpose}.", typed=typed, purpose=WithinSentence(what))
        for typed, what in WRONG
        if typed[0].isalpha() and "↓" not in typed
    )
    wrong = term_of(phrase("Something is wrong"), joined(" ", lines), WRONG_KIND, "", _WRONG_WORDS)
    words = (
        Term(name, declared(entry["says"]), WORD, entry.get("rule", ""), tuple(entry.get("also", ())))
        for name, entry in _data(game.data, "words", game.name).items()
    )
    rules = (
        Term(number, declared(text), _KINDS.get(number[:1], _RULE), number)
        for number, text in _data(game.data, "rules", game.name).items()
    )
    return (*words, *game.terms(), *rules, wrong)


@cache
def _data(package: str, folder: str, name: str) -> dict[str, Any]:
    if not package:  # a game that supplies all its terms itself
        return {}

    file = resources.files(package).joinpath(folder, f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def look_up(words: Iterable[str], terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the terms with these names, in the order of the words.

    A word without a term matches those that begin with it, else those named in it, as `Armor` is in `Armor 1 of 2`.
    """
    vocabulary = tuple((_names(term) | {plain(term.rule)}, term) for term in terms)
    matches = (term for word in words if (name := plain(word)) for term in _match_term(name, vocabulary))
    return tuple({(term.name, term.kind): term for term in matches}.values())


def _names(term: Term) -> frozenset[str]:
    """Return all names of a term in their normal form: in English, in the reader's language, and the synonyms."""
    return frozenset(map(plain, (term.name, str(term.title), *term.also)))


_Vocabulary = Sequence[tuple[frozenset[str], Term]]
"""Terms, each with all its names."""


def _match_term(word: str, vocabulary: _Vocabulary) -> Sequence[Term]:
    called = _terms_called(word, vocabulary)
    begun = called or [
        term for _, term in vocabulary if plain(term.name).startswith(word) or plain(str(term.title)).startswith(word)
    ]
    return begun or [term for part in _parts(word, vocabulary) for term in _terms_called(part, vocabulary)]


def _terms_called(word: str, vocabulary: _Vocabulary) -> list[Term]:
    """Return the terms with this name, in the singular or plural."""
    alike = {word, f"{word}s", word.removesuffix("s")}
    return [term for names, term in vocabulary if alike & names]


def _parts(text: str, vocabulary: _Vocabulary) -> Iterator[str]:
    """Yield the longest names among joined words, from the left."""
    words, at = text.split("-"), 0
    while at < len(words):
        parts = ("-".join(words[at:end]) for end in range(len(words), at, -1))
        part = next((part for part in parts if _terms_called(part, vocabulary)), "")
        if part:
            yield part
        at += part.count("-") + 1


def find_terms(text: str, terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the terms of the words in a sentence, in its order; of several with the same beginning, the longest."""
    vocabulary = tuple((_names(term), term) for term in terms if term.kind == WORD)
    words = "-".join(plain(word) for word in re.findall(r"[\w'’]+", text))
    matches = (term for part in _parts(words, vocabulary) for term in _terms_called(part, vocabulary))
    return tuple(dict.fromkeys(matches))


class Glossary:
    """The words of a game by their names in the current language, for screens that explain them; without its rules."""

    _LEAST: Final = 2
    """The fewest letters of a name."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._terms: dict[str, Term] = {}
        self._rules: dict[str, Term] = {}
        for term in terms:
            if term.name == term.rule:
                self._rules[term.rule] = term
            elif term.kind is not WRONG_KIND:
                for name in (plain(term.name), plain(str(term.title)), *map(plain, term.also)):
                    if len(name) >= self._LEAST:
                        self._terms.setdefault(name, term)
        self._most = max((name.count("-") + 1 for name in self._terms), default=0)

    def __iter__(self) -> Iterator[Term]:
        return iter(dict.fromkeys(self._terms.values()))

    def find(self, text: str) -> tuple[Term, ...]:
        """Return the terms of the words in a text, in its order; of several with the same beginning, the longest."""
        words = [plain(word) for word in re.findall(r"[\w'’-]+", text)]
        matches, at = dict[Term, None](), 0
        while at < len(words):
            for length in range(min(self._most, len(words) - at), 0, -1):
                name = "-".join(words[at : at + length])
                term = self._terms.get(name) or self._terms.get(name.removesuffix("s"))
                if term is not None:
                    matches[term] = None
                    at += length - 1
                    break
            at += 1
        return tuple(matches)

    def find_by_name(self, name: str) -> Term | None:
        """Return the term with this name, in any spelling."""
        return self._terms.get(plain(name))

    def rule_of(self, term: Term) -> Text:
        """Return the rule of a term in short, "" if it has none."""
        rule = self._rules.get(term.rule)
        return rule.text if rule else ""


def glossary(game: Game) -> Glossary:
    """Return the glossary of a game in the current language."""
    return _glossary(game, current_language())


@lru_cache(maxsize=64)
def _glossary(game: Game, language: Language) -> Glossary:  # noqa: ARG001 – names are in the language of the reader
    return Glossary(game_terms(game))


def plain(word: str) -> str:
    """Return the normal form of a word: `Hunter's Edge`, `hunters-edge` and `"Hunters Edge"` are the same.

    A number after `=` is dropped.
    """
    letters = word.lower().strip("“”\"'.,;:()").partition("=")[0]
    return letters.replace("'", "").replace("’", "").replace(" ", "-")
