"""A league as its events add up to: its people, its rounds, and every match with its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.archive.entries import (
    LeagueClosed,
    LeagueCreated,
    LeagueEvent,
    LeagueReopened,
    LeagueResult,
    PlayerDropped,
    PlayerJoined,
    ResultCorrected,
    ResultEntered,
    RoundDrawn,
    RoundRedrawn,
)

UNPAIRED = 0
"""The round of matches that nobody paired: a challenge on the ladder, a match played ahead."""


class Player(NamedTuple):
    """Somebody in a league: the id, the number in the order of joining, and whether they still play."""

    person: str
    number: int
    active: bool


class Match(NamedTuple):
    """A match: its round and table, its people (one alone has a bye), and how it ended as soon as that is known.

    `turn` says in which order matches got their first results.
    """

    round: int
    table: int
    people: tuple[str, ...]
    result: LeagueResult | None = None
    turn: int = 0

    @property
    def is_bye(self) -> bool:
        """Whether somebody has nobody to play."""
        return len(self.people) == 1

    @property
    def is_open(self) -> bool:
        """Whether its result is still to come."""
        return self.result is None and not self.is_bye

    @property
    def is_played(self) -> bool:
        """Whether it has a result, and everybody came."""
        return self.result is not None and not self.result.absent


class League(NamedTuple):
    """A league as it stands. `matches` are in the order of their rounds, those without a round where they came."""

    created: LeagueCreated
    players: tuple[Player, ...]
    rounds: int
    matches: tuple[Match, ...]
    redrawn: Mapping[int, int]
    closed: bool

    @property
    def active(self) -> tuple[str, ...]:
        """Who still plays, in the order of joining."""
        return tuple(player.person for player in self.players if player.active)

    def number(self, person: str) -> int:
        """Somebody's number in the order of joining; 0 for somebody else."""
        return next((player.number for player in self.players if player.person == person), 0)

    def round(self, number: int) -> tuple[Match, ...]:
        """The matches of a round, by table."""
        return tuple(match for match in self.matches if match.round == number)

    def open_matches(self) -> tuple[Match, ...]:
        """The matches that still lack a result."""
        return tuple(match for match in self.matches if match.is_open)

    def match(self, number: int, table: int) -> Match | None:
        """The match of a round at a table."""
        return next((match for match in self.matches if (match.round, match.table) == (number, table)), None)


def build_league(events: Sequence[LeagueEvent]) -> League:
    """The league that its events add up to."""
    created = events[0]
    assert isinstance(created, LeagueCreated)
    building = _Building(created)
    for event in events[1:]:
        building.add(event)
    return building.league()


class _Building:
    """A league as one event after the other changes it."""

    def __init__(self, created: LeagueCreated) -> None:
        self.created = created
        self.active = dict.fromkeys(created.people, True)
        self.rounds: dict[int, dict[int, Match]] = {UNPAIRED: {}}
        self.redrawn: dict[int, int] = {}
        self.closed = False
        self.turn = 0

    def add(self, event: LeagueEvent) -> None:
        match event:
            case PlayerJoined(person):
                self.active[person] = True
            case PlayerDropped(person):
                self.active[person] = False
            case RoundDrawn(number, _, pairings) | RoundRedrawn(number, _, pairings):
                if isinstance(event, RoundRedrawn):
                    self.redrawn[number] = self.redrawn.get(number, 0) + 1
                self.rounds[number] = {
                    table: Match(number, table, people) for table, people in enumerate(pairings, start=1)
                }
            case ResultCorrected(number, table, (), None):
                self.rounds.get(number, {}).pop(table, None)
            case ResultEntered(number, table, people, result) | ResultCorrected(number, table, people, result):
                of_round = self.rounds.setdefault(number, {})
                before = of_round.get(table)
                self.turn += 1
                turn = before.turn if before and before.turn else self.turn
                of_round[table] = Match(number, table, people, result, turn)
            case LeagueClosed() | LeagueReopened():
                self.closed = isinstance(event, LeagueClosed)

    def league(self) -> League:
        players = tuple(
            Player(person, number, active) for number, (person, active) in enumerate(self.active.items(), start=1)
        )
        return League(self.created, players, max(self.rounds), tuple(self._matches()), dict(self.redrawn), self.closed)

    def _matches(self) -> Iterator[Match]:
        for number in sorted(self.rounds):
            yield from (self.rounds[number][table] for table in sorted(self.rounds[number]))
