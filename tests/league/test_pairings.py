"""Who meets whom: what never happens while it can be avoided, in every form."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive.storage.entries import LeagueEvent, LeagueResult, PlayerDropped, PlayerJoined, RoundDrawn
from companion.league.league import League, build_league
from companion.league.matching import match_pairs
from companion.league.pairings import draw_round, redraw_round, table_sizes
from companion.league.standings import ladder, standings
from tests.examples import examples
from tests.league.evenings import begin, people, play, play_round


def meetings(league: League) -> Counter[frozenset[str]]:
    """How often any two have met."""
    return Counter(frozenset(pair) for match in league.matches for pair in combinations(match.people, 2))


def brute_force(size: int, weights: dict[tuple[int, int], int]) -> int:
    """The largest sum of weights that a matching can have, by trying all."""
    if not weights:
        return 0
    (one, other), weight = next(iter(weights.items()))
    rest = {pair: value for pair, value in weights.items() if pair != (one, other)}
    free = {pair: value for pair, value in rest.items() if not {one, other} & {*pair}}
    return max(brute_force(size, rest), weight + brute_force(size, free))


@given(st.integers(2, 8), st.randoms(use_true_random=False), st.sampled_from([2, 5, 50]))
def test_a_matching_is_worth_as_much_as_any(size: int, chance: Random, highest: int) -> None:
    pairs = [pair for pair in combinations(range(size), 2) if chance.random() < 0.6]
    weights = {pair: chance.randint(1, highest) for pair in pairs[:14]}
    matching = match_pairs(size, weights)
    assert len({vertex for pair in matching for vertex in pair}) == 2 * len(matching)
    assert sum(weights[pair] for pair in matching) == brute_force(size, weights)


@given(st.integers(2, 24), st.randoms(use_true_random=False))
def test_swiss_pairs_nobody_twice_while_it_can_be_helped(count: int, chance: Random) -> None:
    def end(_: object) -> LeagueResult:
        return chance.choice([LeagueResult((1, 2)), LeagueResult((2, 1)), LeagueResult((1, 1))])

    rounds = min(count // 2, 7)
    league = play(begin(count), rounds, end)
    # In half as many rounds as there are people those who have not met can always be paired.
    assert max(meetings(league).values()) == 1
    assert max(line.byes for line in standings(league)) <= 1
    for number in range(1, rounds + 1):
        seats = [person for match in league.round(number) for person in match.people]
        assert sorted(seats) == list(people(count))


def test_everybody_has_had_a_bye_before_anybody_has_two() -> None:
    league = play(begin(5), 5)
    assert {line.byes for line in standings(league)} == {1}


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    events: list[LeagueEvent] = [begin(7)]
    for number in range(1, 5):
        before = standings(build_league(events))
        league = play_round(events, number)
        (bye,) = (match.people[0] for match in league.round(number) if match.is_bye)
        without = [line for line in before if not line.byes]
        assert bye in {line.person for line in without if line.points == without[-1].points}


WIN, LOSS, DRAW = LeagueResult((1, 2)), LeagueResult((2, 1)), LeagueResult((1, 1))


@pytest.mark.parametrize(
    ("results", "dropped"),
    [
        ((WIN, WIN, WIN, DRAW), "loser"),  # four of 3 points, two of 1: two of the four met those two
        ((LOSS, WIN, DRAW, WIN), "loser"),
        ((DRAW, DRAW, WIN, LOSS), "loser"),
        ((WIN, LOSS, WIN, LOSS), "bye"),
    ],
)
@pytest.mark.parametrize("seed", range(1, 8))
def test_the_top_score_group_is_paired_first(results: tuple[LeagueResult, ...], dropped: str, seed: int) -> None:
    events: list[LeagueEvent] = [begin(9)]
    results_left = list(results)
    league = play_round(events, 1, lambda _: results_left.pop(0))
    losers = [line.person for line in standings(league) if line.lost]
    bye = league.round(1)[-1].people[0]
    events += [PlayerJoined("P10"), PlayerDropped(losers[0] if dropped == "loser" else bye)]
    league = build_league(events)
    assert floats(league, draw_round(league, seed))[0] <= (1, 1)


def floats(league: League, pairings: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Count those of each score group who meet somebody of fewer points, and how far they float, from the top."""
    points = {line.person: line.points for line in standings(league)}
    groups = sorted({points[person] for person in league.active})
    distances: dict[int, list[int]] = {number: [] for number in reversed(range(len(groups)))}
    for low, high in (sorted(groups.index(points[person]) for person in pair) for pair in pairings if len(pair) == 2):
        distances[high] += [(high - low) ** 2] if high > low else []
    return [(len(each), sum(each)) for each in distances.values()]


def all_pairings(names: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """All ways to pair an even number of people."""
    if not names:
        yield []
        return
    one, *others = names
    for other in others:
        for rest in all_pairings([name for name in others if name != other]):
            yield [(one, other), *rest]


@settings(max_examples=examples(40))
@given(st.integers(1, 3), st.randoms(use_true_random=False))
def test_no_group_floats_more_than_those_above_it_need(rounds: int, chance: Random) -> None:
    league = play(begin(8), rounds, lambda _: chance.choice([WIN, LOSS, DRAW]))
    met = meetings(league)
    fresh = [pairing for pairing in all_pairings(league.active) if not any(frozenset(pair) in met for pair in pairing)]
    assert floats(league, draw_round(league, 1)) == min(floats(league, pairing) for pairing in fresh)


def test_who_begins_is_shared_evenly() -> None:
    league = play(begin(16), 6)
    begun = Counter(match.people[0] for match in league.matches)
    assert set(begun.values()) <= {2, 3, 4}


@pytest.mark.parametrize("count", [4, 7, 8, 15, 16])
def test_everybody_meets_everybody_once(count: int) -> None:
    rounds = count - 1 if count % 2 == 0 else count
    league = play(begin(count, "round-robin", order="head-to-head", bye=0), rounds)
    assert set(meetings(league).values()) == {1}
    assert len(meetings(league)) == count * (count - 1) // 2
    assert draw_round(league, 1) == ()


def test_late_and_lost_people_still_meet_everybody_who_stays() -> None:
    events: list[LeagueEvent] = [begin(6, "round-robin", order="head-to-head", bye=0)]
    play_round(events, 1)
    events += [PlayerJoined("P07"), PlayerDropped("P06"), PlayerJoined("P08")]
    for number in range(2, 20):
        if not draw_round(build_league(events), number):
            break
        play_round(events, number)
    league = build_league(events)
    stayed = [frozenset(pair) for pair in combinations(league.active, 2)]
    assert all(meetings(league)[pair] == 1 for pair in stayed)
    # Six others to meet are six evenings at least, and seven who are seven.
    assert league.rounds <= 9


def test_a_ladder_pairs_neighbours_by_turns() -> None:
    events: list[LeagueEvent] = [begin(6, "ladder", order="ladder")]
    for first in (0, 1, 0):
        league = build_league(events)
        rungs = ladder(league)
        pairs = {frozenset(pair) for pair in draw_round(league, 1)}
        neighbours = [frozenset(pair) for pair in pairwise(rungs)]
        assert pairs == set(neighbours[first::2])
        play_round(events, 1)


def test_tables_are_as_even_as_can_be() -> None:
    assert [table_sizes(count, 4) for count in (4, 5, 9, 13, 16)] == [
        (4,),
        (3, 2),
        (3, 3, 3),
        (4, 3, 3, 3),
        (4, 4, 4, 4),
    ]


def test_few_meet_again_at_tables_of_four() -> None:
    league = play(begin(16, order="score", seats=4), 3)
    assert all(len(match.people) == 4 for match in league.matches)
    assert max(meetings(league).values()) <= 2


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    league = play(begin(12), 2)
    assert draw_round(league, 5) == draw_round(league, 5)
    assert draw_round(league, 5) != draw_round(league, 6)


def test_a_round_is_drawn_again_as_if_it_had_not_been() -> None:
    events: list[LeagueEvent] = [begin(12)]
    play_round(events, 1)
    pairings = draw_round(build_league(events), 9)
    after = build_league([*events, RoundDrawn(2, 9, pairings)])
    assert redraw_round(after, 9) == pairings
    assert redraw_round(after, 10) != pairings


def test_nobody_is_paired_where_nobody_is_left() -> None:
    events: list[LeagueEvent] = [begin(2), PlayerDropped("P01")]
    assert draw_round(build_league(events), 1) == ()
