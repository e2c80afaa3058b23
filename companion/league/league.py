"""The state of a league, built from its events: its people, its rounds, and every match with its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.archive.storage.entries import (
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
"""The round of matches without a pairing: a challenge on the ladder, a match played ahead."""


class LeaguePlayer(NamedTuple):
    """A person in a league: the id, the number in the order of joining, and whether the person is still active."""

    person: str
    number: int
    active: bool


class LeagueMatch(NamedTuple):
    """A match: its round and table, its people (one alone has a bye), and its result once that is known.

    `turn` is the number of its first result, in the order of entry.
    """

    round: int
    table: int
    people: tuple[str, ...]
    result: LeagueResult | None = None
    turn: int = 0

    @property
    def is_bye(self) -> bool:
        """True if the match has only one person."""
        return len(self.people) == 1

    @property
    def is_open(self) -> bool:
        """True if its result is still to come."""
        return self.result is None and not self.is_bye

    @property
    def is_played(self) -> bool:
        """True if it has a result, and everyone came."""
        return self.result is not None and not self.result.absent


class League(NamedTuple):
    """The state of a league. `matches` are in the order of their rounds, matches without a pairing first."""

    created: LeagueCreated
    players: tuple[LeaguePlayer, ...]
    rounds: int
    matches: tuple[LeagueMatch, ...]
    redrawn: Mapping[int, int]
    closed: bool

    @property
    def active(self) -> tuple[str, ...]:
        """The people who are still active, in the order of joining."""
        return tuple(player.person for player in self.players if player.active)

    def number(self, person: str) -> int:
        """Return a person's number in the order of joining; 0 for others."""
        return next((player.number for player in self.players if player.person == person), 0)

    def round(self, number: int) -> tuple[LeagueMatch, ...]:
        """Return the matches of a round, by table."""
        return tuple(match for match in self.matches if match.round == number)

    def open_matches(self) -> tuple[LeagueMatch, ...]:
        """Return the matches without a result."""
        return tuple(match for match in self.matches if match.is_open)

    def match(self, number: int, table: int) -> LeagueMatch | None:
        """Return the match of a round at a table, or None."""
        return next((match for match in self.matches if (match.round, match.table) == (number, table)), None)


def build_league(events: Sequence[LeagueEvent]) -> League:
    """Build a league from its events."""
    created = events[0]
    assert isinstance(created, LeagueCreated)
    building = _Building(created)
    for event in events[1:]:
        building.add(event)
    return building.league()


class _Building:
    """A league that is changed by one event after the other."""

    def __init__(self, created: LeagueCreated) -> None:
        self.created = created
        self.active = dict.fromkeys(created.people, True)
        self.rounds: dict[int, dict[int, LeagueMatch]] = {UNPAIRED: {}}
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
                    table: LeagueMatch(number, table, people) for table, people in enumerate(pairings, start=1)
                }
            case ResultCorrected(number, table, (), None):
                self.rounds.get(number, {}).pop(table, None)
            case ResultEntered(number, table, people, result) | ResultCorrected(number, table, people, result):
                of_round = self.rounds.setdefault(number, {})
                before = of_round.get(table)
                self.turn += 1
                turn = before.turn if before and before.turn else self.turn
                of_round[table] = LeagueMatch(number, table, people, result, turn)
            case LeagueClosed() | LeagueReopened():
                self.closed = isinstance(event, LeagueClosed)

    def league(self) -> League:
        players = tuple(
            LeaguePlayer(person, number, active) for number, (person, active) in enumerate(self.active.items(), start=1)
        )
        return League(self.created, players, max(self.rounds), tuple(self._matches()), dict(self.redrawn), self.closed)

    def _matches(self) -> Iterator[LeagueMatch]:
        for number in sorted(self.rounds):
            yield from (self.rounds[number][table] for table in sorted(self.rounds[number]))
