"""Places of players by their game's ranking, also for results without stored places."""

from __future__ import annotations

from functools import cache

from companion.archive.storage.results import ResultRow
from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.table.match_result import Ranking


def places_of(row: ResultRow) -> tuple[int, ...]:
    """Return the place of each of the players of a game, in their order; 0 if all played together."""
    return row.result.places(ranking_of(row))


def ranking_of(row: ResultRow) -> Ranking | None:
    """Return the counter by which a game ranked its people; None if it has none, or its page is not known here."""
    return _ranking(row.game, row.page, tuple(sorted((row.result.rules or {}).items())))


@cache
def _ranking(game: str, page: str, rules: tuple[tuple[str, str], ...]) -> Ranking | None:
    try:
        return registry.game(game, page).results.ranking(dict(rules))
    except NotationError:
        return None


def bgg_number(game: str, page: str) -> int:
    """Return the number of a game at BoardGameGeek; 0 if unknown.

    It is from the page that was played, else from the present one of the same author.
    """
    try:
        played = registry.game(game, page)
        if played.bgg or not page:
            return played.bgg
        present = registry.game(game)
    except NotationError:
        return 0
    return present.bgg if present.author == played.author else 0
