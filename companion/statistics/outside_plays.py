"""Finished games that were recorded outside the companion, as the permanent facts that statistics are computed from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from companion.archive.exchange.export_format import YEARS
from companion.archive.storage.lists import fold
from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.table.match_result import Contender, MatchResult
from companion.tabletop.text import LONGEST_NAME, sanitize

SCORE: Final = "score"
"""The word of a final figure in games that are none of those here; it never changes."""
MAX_PLAYERS: Final = 100
_LARGEST: Final = 999_999_999
_SUM: Final = re.compile(r"[+-]?\d{1,9}(?:[.,]\d{1,6})?(?:[+-]\d{1,9}(?:[.,]\d{1,6})?){0,99}")
_TERM: Final = re.compile(r"[+-]?[\d.]+")


class PlayerScore(NamedTuple):
    """A result: `score` is None if there is none, `place` 0 if it is unknown, `won` None if nobody said."""

    name: str
    score: Decimal | None = None
    won: bool | None = None
    is_first: bool = False
    place: int = 0


class GameFacts(NamedTuple):
    """A game as it is known here: its word ("" if it is none of those here), its counter, and its way of winning.

    `lowest_wins` is None if that is unknown.
    """

    word: str = ""
    counter: str = SCORE
    lowest_wins: bool | None = None


class KnownGames:
    """The games of this program, found by what others call them."""

    def __init__(self) -> None:
        self._by_name: dict[str, str] = {}
        self._by_bgg: dict[int, str] = {}
        for name in registry.names():
            try:
                words = registry.glossary(name)
                bgg = 0 if registry.is_program(name) else registry.game(name).bgg
            except NotationError:
                continue
            for called in (str(words.title), name):
                self._by_name.setdefault(fold(called), name)
            if bgg:
                self._by_bgg.setdefault(bgg, name)

    def find(self, title: str, bgg: int = 0) -> GameFacts:
        """Return the facts of a game by its number at BoardGameGeek or its title."""
        word = self._by_bgg.get(bgg) or self._by_name.get(fold(title))
        if word is None:
            return GameFacts()
        ranking = registry.game(word).results.ranking({})
        return GameFacts(word, ranking.counter, ranking.lowest_wins) if ranking else GameFacts(word)


def clean_name(text: str) -> str:
    """Return a name from outside on one line, not too long, and without characters that cannot be displayed."""
    return " ".join(sanitize(text[: 2 * LONGEST_NAME]).split())[:LONGEST_NAME]


def read_score(text: str) -> Decimal | None:
    """Return a score, which may have decimals and may be a sum (`12+5`); None if it is none."""
    compact = text.replace(" ", "").replace("\u2212", "-").replace(",", ".")
    if not _SUM.fullmatch(compact):
        return None
    try:
        total = sum((Decimal(term) for term in _TERM.findall(compact)), Decimal())
    except InvalidOperation:
        return None
    return total if abs(total) <= _LARGEST else None


def is_datable(at: datetime) -> bool:
    """Return True if the archive can store a moment, also in the time zones of others."""
    return YEARS.start < at.year < YEARS.stop - 1


def result_of(
    scores: Sequence[PlayerScore],
    game: GameFacts,
    *,
    together: bool = False,
    minutes: int = 0,
    venue: str = "",
    turns: int = 0,
) -> MatchResult | None:
    """Return the result of a game; None if nobody knows who won, or there are no players or too many.

    Winners are those who were named. If nobody said who won, the best score wins, as long as it is known which is the
    best. `together` if all win or lose as one.
    """
    if not 0 < len(scores) <= MAX_PLAYERS:
        return None
    won = _winners(scores, game, together=together)
    if won is None:
        return None
    seats = [f"seat{number}" for number in range(1, len(scores) + 1)]
    winners = [seat for seat, is_winner in zip(seats, won, strict=True) if is_winner]
    as_one = together or len(scores) == 1 or (all(won) and all(each.score is None for each in scores))
    outcome = _outcome(winners, seats, as_one=as_one)
    places = (0,) * len(scores) if as_one else _places(scores, won, game)
    players = tuple(
        Contender(
            seat,
            score.name,
            "draw" if outcome == "draw" else "won" if is_winner else "lost",
            final=_final(score, game.counter),
            place=place,
        )
        for seat, score, is_winner, place in zip(seats, scores, won, places, strict=True)
    )
    first = next((seat for seat, score in zip(seats, scores, strict=True) if score.is_first), "")
    return MatchResult(outcome, players, turns, minutes=minutes, venue=venue, first=first)


def _outcome(winners: Sequence[str], seats: Sequence[str], *, as_one: bool) -> str:
    """Return the outcome as `MatchResult` has it."""
    if len(winners) == len(seats):
        return "win" if as_one else "draw"
    return "loss" if as_one else "+".join(winners)


def _winners(scores: Sequence[PlayerScore], game: GameFacts, *, together: bool) -> list[bool] | None:
    """Return for each player whether they won; None if that is unknown."""
    if any(score.won for score in scores):
        return [together or bool(score.won) for score in scores]
    if together or len(scores) == 1:
        return [False] * len(scores) if all(score.won is False for score in scores) else None
    figures = [score.score for score in scores if score.score is not None and score.won is None]
    if game.lowest_wins is None or len(figures) < len(scores):
        return None
    best = min(figures) if game.lowest_wins else max(figures)
    return [score.score == best for score in scores]


def _places(scores: Sequence[PlayerScore], won: Sequence[bool], game: GameFacts) -> tuple[int, ...]:
    """Return the place of each player, 1 for the winners; all 0 if the places behind them are unknown."""
    if all(won):
        return (1,) * len(scores)
    if all(score.place for score in scores) and all(
        (score.place == 1) == is_winner for score, is_winner in zip(scores, won, strict=True)
    ):
        return tuple(score.place for score in scores)
    behind = [score.score for score, is_winner in zip(scores, won, strict=True) if not is_winner]
    figures = [figure for figure in behind if figure is not None]
    if len(behind) == 1:
        figures = [Decimal()]
    elif game.lowest_wins is None or len(figures) < len(behind):
        return (0,) * len(scores)
    sign = -1 if game.lowest_wins else 1
    winners = sum(won)
    places = iter([1 + winners + sum(sign * other > sign * own for other in figures) for own in figures])
    return tuple(1 if is_winner else next(places) for is_winner in won)


def _final(score: PlayerScore, counter: str) -> dict[str, int]:
    """Return the final figure of a player; nothing without a score, or for one that is no whole number."""
    if score.score is None or score.score != score.score.to_integral_value():
        return {}
    return {counter: int(score.score)}
