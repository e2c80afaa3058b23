"""Pairings of the next round: round-robin, Swiss, or neighbours on a ladder.

The same league and seed give the same pairings. The rules are weighted in one integer cost that `match_pairs`
minimizes: first no one meets the same opponent again, then no one has a second bye, then the bye goes to the lowest.
Then score groups are paired from the top: as few people as possible float down from the highest group, and no further
than they must, then from the next. Last, no one floats twice in a row, and people who began seldom meet people who
began often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Final

from companion.archive.storage.entries import Pairings
from companion.league.league import UNPAIRED, League
from companion.league.matching import match_pairs
from companion.league.standings import ladder, standings, tally_matches

_CHANCE: Final = 1 << 10
_SMALL: Final = 4
"""More than the cost of two people besides floating."""
_NEAR: Final = 40
"""Maximum distance in places of pairs that are tried first: all pairs of 200 people take ten times as long."""
_SWAPS: Final = 40
"""Maximum passes over tables of more than two in which people are swapped."""


def draw_round(league: League, seed: int) -> Pairings:
    """Return the pairings of the next round, by table; the first person begins, and one alone has a bye.

    Empty if everyone has met everyone, or fewer than two people are active.
    """
    return draw(league, league.rounds + 1, seed)


def redraw_round(league: League, seed: int) -> Pairings:
    """Return new pairings of the last round, as if it had not been drawn."""
    before = league._replace(
        rounds=league.rounds - 1, matches=tuple(match for match in league.matches if match.round != league.rounds)
    )
    return draw(before, league.rounds, seed)


def draw(league: League, number: int, seed: int) -> Pairings:
    """Return the pairings of the round with this number, after everything played until then."""
    if len(league.active) < 2:
        return ()
    chance = Random(seed)
    history = PairingHistory(league)
    if league.created.seats > 2:
        return _draw_tables(league, history, chance)
    match league.created.form:
        case "round-robin":
            pairs = _draw_circle(league, number, history, chance)
        case "ladder":
            pairs = _draw_neighbours(league)
        case "swiss":
            pairs = _draw_swiss(league, history, chance)
    # By their numbers in the league, so that the same seed draws the same whatever ids people have.
    numbers = {player.person: player.number for player in league.players}
    ordered = [tuple(sorted(pair, key=numbers.__getitem__)) for pair in pairs]
    return tuple(_set_first(pair, history, chance) for pair in sorted(ordered, key=lambda pair: len(pair) == 1))


class PairingHistory:
    """The history of a league: how often people met, had byes and began, and who began last."""

    def __init__(self, league: League) -> None:
        self.met: Counter[frozenset[str]] = Counter()
        self.byes: Counter[str] = Counter()
        self.firsts: Counter[str] = Counter()
        self.last: dict[str, int] = {}
        for match in league.matches:
            if match.is_bye or (match.result is not None and match.result.absent):
                absent = match.result.absent if match.result is not None else ()
                self.byes.update(person for at, person in enumerate(match.people) if at not in absent)
                continue
            self.met.update(frozenset(pair) for pair in combinations(match.people, 2))
            if len(match.people) == 2 and match.round != UNPAIRED:
                for person, step in zip(match.people, (1, -1), strict=True):
                    self.firsts[person] += step
                    self.last[person] = step

    def times(self, one: str, other: str) -> int:
        """Return how often two people have met."""
        return self.met[frozenset((one, other))]


def _set_first(pair: tuple[str, ...], history: PairingHistory, chance: Random) -> tuple[str, ...]:
    """Put the person first who begins: the one who did so less often, or who did not do so last, or by lot."""
    if len(pair) == 1:
        return pair
    shuffled = [*pair]
    chance.shuffle(shuffled)
    one, other = sorted(shuffled, key=lambda person: (history.firsts[person], history.last.get(person, 0)))
    return one, other


# Swiss


def _draw_swiss(league: League, history: PairingHistory, chance: Random) -> list[tuple[str, ...]]:
    ranked = [line for line in standings(league) if line.active]
    groups = {points: number for number, points in enumerate(sorted({line.points for line in ranked}))}
    level = {line.person: groups[line.points] for line in ranked}
    above = {line.person: len(ranked) - 1 - place for place, line in enumerate(ranked)}
    people = [line.person for line in ranked]
    chance.shuffle(people)
    people.sort(key=lambda person: -level[person])
    bye = len(people) if len(people) % 2 else 0
    costs = _swiss_costs(people, level, history, _paired_out_of_points(league), chance)
    # More than all pairs of a round can cost together.
    whole = (max(costs.values()) + 1) * len(people)
    for place, person in enumerate(people if bye else ()):
        costs[place, bye] = above[person] * whole + history.byes[person] * whole * (len(people) + 1)
    size = len(people) + (1 if bye else 0)
    near = {
        (one, other): cost
        for (one, other), cost in costs.items()
        if other == bye or (other - one <= _NEAR and not history.times(people[one], people[other]))
    }
    pairs = _cheapest(size, near)
    if 2 * len(pairs) < size:
        again = whole * (len(people) + 1) ** 2
        for (one, other), cost in costs.items():
            if other != bye:
                costs[one, other] = cost + again * history.times(people[one], people[other])
        pairs = _cheapest(size, costs)
    ordered = sorted(pairs, key=lambda pair: (pair[1] == bye, min(pair)))
    return [tuple(people[place] for place in pair if place < len(people)) for pair in ordered]


def _swiss_costs(
    people: Sequence[str], level: Mapping[str, int], history: PairingHistory, floated: set[str], chance: Random
) -> dict[tuple[int, int], int]:
    """Return the cost of pairing any two, apart from a meeting before; `people` are sorted by points, most first."""
    floats = _float_costs(max(level.values()), len(people))
    costs = {}
    for one, other in combinations(range(len(people)), 2):
        first, second = people[one], people[other]
        cost = floats[level[first], level[second]] * _SMALL * len(people)
        cost += 2 if level[first] != level[second] and {first, second} & floated else 0
        # Both began more often than not, or both less often: one of them has to do so once more.
        cost += 1 if history.firsts[first] * history.firsts[second] > 0 else 0
        costs[one, other] = cost * _CHANCE + chance.randrange(_CHANCE)
    return costs


def _float_costs(top: int, people: int) -> dict[tuple[int, int], int]:
    """Return the cost of a pair of two score groups, which count from 0, the lowest, to `top`.

    One float from a group costs more than all floats from lower ones; two short floats are better than a long one.
    """
    costs: dict[tuple[int, int], int] = {}
    whole = 1
    for group in range(top + 1):
        # More than the sum of squared distances that people of this group can float.
        more = group * group * people + 1
        costs |= {(group, below): whole * (more + (group - below) ** 2) for below in range(group)}
        costs[group, group] = 0
        whole *= (more + group * group) * people + 1
    return costs


def _cheapest(size: int, costs: Mapping[tuple[int, int], int]) -> frozenset[tuple[int, int]]:
    """Return as many pairs as possible with the least total cost."""
    most = max(costs.values(), default=0) * (size + 1) + 1
    return match_pairs(size, {pair: most - cost for pair, cost in costs.items()})


def _paired_out_of_points(league: League) -> set[str]:
    """Return the people who met an opponent with other points in the last round."""
    if not league.rounds:
        return set()
    before = league._replace(matches=tuple(match for match in league.matches if match.round < league.rounds))
    points = {person: tally.points for person, tally in tally_matches(before).items()}
    matches = (match.people for match in league.round(league.rounds) if len(match.people) == 2)
    return {person for pair in matches if points[pair[0]] != points[pair[1]] for person in pair}


# Round-robin


def _draw_circle(league: League, number: int, history: PairingHistory, chance: Random) -> list[tuple[str, ...]]:
    """Draw a round of the circle method, as long as the league has its original people.

    Otherwise pair as many people as possible who have not met.
    """
    founders = [*league.created.people]
    Random(league.created.seed).shuffle(founders)
    people: list[str | None] = [*founders]
    if len(people) % 2:
        people.append(None)
    turned = people[1:]
    steps = (number - 1) % len(turned)
    turned = turned[steps:] + turned[:steps]
    whole = [people[0], *turned]
    pairs = [(whole[place], whole[-1 - place]) for place in range(len(whole) // 2)]
    active = set(league.active)
    same = active == set(league.created.people) and number <= len(turned)
    fresh = all(None in pair or not history.times(str(pair[0]), str(pair[1])) for pair in pairs)
    if same and fresh:
        return [tuple(person for person in pair if person is not None) for pair in pairs]
    return _draw_unmet(league, history, chance)


def _draw_unmet(league: League, history: PairingHistory, chance: Random) -> list[tuple[str, ...]]:
    people = list(league.active)
    left = {one: sum(not history.times(one, other) for other in people if other != one) for one in people}
    costs = {
        # People with most opponents left must not be left out.
        (one, other): 2 * len(people) * _CHANCE
        - (left[people[one]] + left[people[other]]) * _CHANCE
        + chance.randrange(_CHANCE)
        for one, other in combinations(range(len(people)), 2)
        if not history.times(people[one], people[other])
    }
    if not costs:
        return []
    pairs = [(people[one], people[other]) for one, other in sorted(_cheapest(len(people), costs))]
    paired = {person for pair in pairs for person in pair}
    # People who have met everyone have no bye: their season is over.
    return [*pairs, *((person,) for person in people if person not in paired and left[person])]


# Ladder


def _draw_neighbours(league: League) -> list[tuple[str, ...]]:
    """Pair neighbours on the ladder, from the top and from the second rung in turns; no one has a bye."""
    rungs = [person for person in ladder(league) if person in set(league.active)]
    first = league.rounds % 2 if len(rungs) > 2 else 0
    return [(rungs[at], rungs[at + 1]) for at in range(first, len(rungs) - 1, 2)]


# Tables of more than two


def table_sizes(people: int, seats: int) -> tuple[int, ...]:
    """Return the number of people at each table: full tables, or smaller ones of nearly equal size."""
    tables = -(-people // seats)
    size, more = divmod(people, tables)
    return tuple(size + (table < more) for table in range(tables))


def _draw_tables(league: League, history: PairingHistory, chance: Random) -> Pairings:
    """Draw tables of neighbours in the standings (of random people in a round-robin league).

    People are swapped one for one as long as fewer meet again, and then as long as people of nearer places meet.
    """
    ranked = [line.person for line in standings(league) if line.active]
    if league.created.form == "round-robin" or not league.rounds:
        ranked = [*league.active]
        chance.shuffle(ranked)
    far = 0 if league.created.form == "round-robin" else 1
    place = {person: number * far for number, person in enumerate(ranked)}
    sizes, tables, start = table_sizes(len(ranked), league.created.seats), [], 0
    for size in sizes:
        tables.append(ranked[start : start + size])
        start += size
    _swap_people(tables, place, history)
    for table in tables:
        chance.shuffle(table)
        table.sort(key=lambda person: history.firsts[person])
    return tuple(tuple(table) for table in tables)


def _swap_people(tables: Sequence[list[str]], place: Mapping[str, int], history: PairingHistory) -> None:
    met = len(place) ** 3

    def cost(table: Iterable[str]) -> int:
        return sum(
            history.times(one, other) ** 2 * met + (place[one] - place[other]) ** 2
            for one, other in combinations(table, 2)
        )

    for _ in range(_SWAPS):
        changed = False
        for one, other in combinations(tables, 2):
            for at in range(len(one)):
                for to in range(len(other)):
                    before = cost(one) + cost(other)
                    one[at], other[to] = other[to], one[at]
                    if cost(one) + cost(other) < before:
                        changed = True
                    else:
                        one[at], other[to] = other[to], one[at]
        if not changed:
            return
