"""Leagues that are played to their end without anybody at a table."""

from collections.abc import Callable, Sequence

from companion.archive.storage.entries import (
    Form,
    LeagueCreated,
    LeagueEvent,
    LeagueResult,
    ResultEntered,
    RoundDrawn,
    Scoring,
)
from companion.league.league import League, build_league
from companion.league.pairings import draw_round

End = Callable[[Sequence[str]], LeagueResult]


def people(count: int) -> tuple[str, ...]:
    """So many people: P01, P02, …"""
    return tuple(f"P{number:02}" for number in range(1, count + 1))


def begin(count: int, form: Form = "swiss", *, order: str = "match-win", seats: int = 2, bye: int = 3) -> LeagueCreated:
    """A league of so many people that begins."""
    places = tuple(range(seats, 0, -1)) if seats > 2 else ()
    scoring = Scoring(order=order, bye=bye, places=places)
    return LeagueCreated("Winter", form, scoring, 1, people(count), seats=seats)


def lower_wins(pair: Sequence[str]) -> LeagueResult:
    """Whoever has the lower number wins by 2–0, and by 2–1 where the numbers are neighbours."""
    places = tuple(1 + sum(other < person for other in pair) for person in pair)
    lost = int(abs(int(pair[0][1:]) - int(pair[1][1:])) == 1)
    return LeagueResult(places, () if len(pair) > 2 else tuple(2 if place == 1 else lost for place in places))


def play_round(events: list[LeagueEvent], seed: int, end: End = lower_wins) -> League:
    """Draws one round more, and plays it."""
    league = build_league(events)
    number, pairings = league.rounds + 1, draw_round(league, seed)
    events.append(RoundDrawn(number, seed, pairings))
    events += [
        ResultEntered(number, table, pair, end(pair)) for table, pair in enumerate(pairings, start=1) if len(pair) > 1
    ]
    return build_league(events)


def play(created: LeagueCreated, rounds: int, end: End = lower_wins) -> League:
    """A league after so many rounds, the seed of each being its number."""
    events: list[LeagueEvent] = [created]
    for number in range(1, rounds + 1):
        play_round(events, number, end)
    return build_league(events)
