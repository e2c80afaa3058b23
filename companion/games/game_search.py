"""Search for games by words: their titles, what is said of them, the well-known games that they suit, and search words.

Each text is searched in English and in the language of the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.tabletop.notation.word_search import rank_beginning, rank_word, search_words
from templates.languages.messages import ENGLISH, Language, Text, current_language, render_value

if TYPE_CHECKING:
    from companion.games.listing import ListedGame


class GameMatches(NamedTuple):
    """The games that match, the best first. `has_all_words` is False if each of them lacks one of the words."""

    games: tuple[ListedGame, ...]
    has_all_words: bool = True


def find_games(games: Iterable[ListedGame], text: str) -> GameMatches:
    """Return the games that match all words of a text or, if there is none, those that match most of them.

    Games whose title begins with the text come first. Slips are forgiven if no game has all words as they are typed.
    """
    words, listed = search_words(text), tuple(games)
    if not words:
        return GameMatches(listed)
    for forgives_slips in (False, True):
        ranked = [(_rank_words(game, words, forgives_slips=forgives_slips), game) for game in listed]
        most = max((len(ranks) for ranks, _ in ranked), default=0)
        if most == len(words):
            break
    matches = [
        ((rank_beginning(text, *_titles(game)), sum(ranks)), game)
        for ranks, game in ranked
        if most and len(ranks) == most
    ]
    return GameMatches(tuple(game for _, game in sorted(matches, key=lambda match: match[0])), most == len(words))


def _titles(game: ListedGame) -> Iterator[str]:
    """Yield the name of a game, and its titles in both languages."""
    yield game.name
    yield from (render_value(game.title, language) for language in searched_languages())


def _rank_words(game: ListedGame, words: Sequence[str], *, forgives_slips: bool) -> list[int]:
    """Return a rank for each word that a game has, by the best place of the word; 0 is best."""
    texts = tuple(_searched_texts(game))
    best_places = []
    for word in words:
        ranks = (rank_word(word, each, forgives_slips=forgives_slips) for each, _ in texts)
        places = [rank + by for rank, (_, by) in zip(ranks, texts, strict=True) if rank is not None]
        if places:
            best_places.append(min(places))
    return best_places


def _searched_texts(game: ListedGame) -> Iterator[tuple[str, int]]:
    """Yield the texts of a game in both languages; the number is larger if a text says less about the game."""
    texts: tuple[tuple[Text, int], ...] = (
        (game.name, 0),
        (game.title, 0),
        (game.suits, 1),
        (game.find, 1),
        (game.about, 3),
    )
    for text, by in texts:
        for each in dict.fromkeys(render_value(text, language) for language in searched_languages()):
            yield each, by


def searched_languages() -> tuple[Language, ...]:
    """Return the languages in which texts are searched: English, and that of the reader."""
    return tuple(dict.fromkeys((ENGLISH, current_language())))


def synonyms_of(game: ListedGame) -> str:
    """Return the texts by which a list of choices finds a game besides its title."""
    return " ".join(text for text, _ in _searched_texts(game))
