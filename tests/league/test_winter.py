"""A league of 16 with 5 rounds of Swiss, held against figures that were reckoned by hand.

The lower number wins, by 2–0, and by 2–1 where the numbers are neighbours. So after five rounds P01 has met P14, P11,
P04, P02 and P06, who have 3, 6, 9, 12 and 9 points: their match-win % are 33 (the floor; 3 of 15 is 20), 40, 60, 80
and 60, 273 in sum and 54.6 in the mean.
"""

from fractions import Fraction

import pytest

from companion.archive.storage.entries import LeagueEvent
from companion.league.league import League, build_league
from companion.league.standings import show_figure, standings
from tests.league.evenings import begin, play, play_round

PAIRINGS = (
    "03-07 11-15 01-14 06-02 04-09 08-05 10-12 16-13",
    "13-03 11-01 05-04 02-10 12-16 09-07 14-08 15-06",
    "04-01 03-02 10-05 06-12 08-11 07-13 14-09 16-15",
    "01-02 06-08 07-04 05-03 13-11 09-12 15-10 16-14",
    "01-06 02-04 03-10 08-07 11-05 09-16 12-15 14-13",
)

TABLE = """
    1  P01 15 54.6 90.9 52.5
    2  P02 12 68.0 75.0 65.5
    3  P03 12 56.0 81.8 53.9
    4  P04  9 72.0 54.5 68.8
    5  P06  9 58.6 60.0 56.9
    6  P07  9 56.0 54.5 55.6
    7  P05  9 52.0 63.6 52.4
    8  P09  9 45.2 60.0 43.0
    9  P10  6 58.6 40.0 58.7
    10 P11  6 54.6 40.0 53.9
    11 P08  6 50.6 45.5 50.2
    12 P13  6 49.2 36.4 48.5
    13 P12  6 45.2 40.0 45.2
    14 P14  3 54.6 33.0 53.1
    15 P15  3 42.6 33.0 42.6
    16 P16  0 41.2 33.0 40.5
"""
"""Place, person, points, opponents' match-win %, game-win %, opponents' game-win %."""


@pytest.fixture(scope="module")
def winter() -> League:
    return play(begin(16), 5)


def test_seeds_draw_the_same_five_rounds_for_ever(winter: League) -> None:
    drawn_rounds = [
        " ".join("-".join(person[1:] for person in match.people) for match in winter.round(number))
        for number in range(1, 6)
    ]
    assert tuple(drawn_rounds) == PAIRINGS


def test_the_table_is_that_reckoned_by_hand(winter: League) -> None:
    lines = [
        " ".join(
            (
                str(line.place),
                line.person,
                str(line.points),
                *(str(show_figure(k, v))[:-2] for k, v in line.ties.items()),
            )
        )
        for line in standings(winter)
    ]
    assert lines == [" ".join(line.split()) for line in TABLE.strip().splitlines()]


def test_only_as_many_meet_out_of_their_points_as_must() -> None:
    events: list[LeagueEvent] = [begin(16)]
    apart = []
    for number in range(1, 6):
        points = {line.person: line.points for line in standings(build_league(events))}
        league = play_round(events, number)
        apart.append(sum(points[match.people[0]] != points[match.people[1]] for match in league.round(number)))
    # After four rounds 1, 4, 6, 4 and 1 have 12, 9, 6, 3 and 0 points. P01 has to meet one with 9, so one of the others
    # with 9 meets one with 6. P16 has met all four who have 3, so that these meet each other, and P16 one with 6.
    assert apart == [0, 0, 0, 0, 3]
    assert {frozenset(match.people) for match in league.round(5)} >= {frozenset(("P09", "P16"))}


def test_buchholz_and_sonneborn_berger_add_opponents_points() -> None:
    league = play(begin(16, order="buchholz"), 5)
    second = standings(league)[1]
    # P02 met P06 (9), P10 (6), P03 (9), P01 (15) and P04 (9), and lost to P01 only.
    assert second.person == "P02"
    assert second.ties["buchholz"] == 48
    assert second.ties["buchholz-cut"] == 42
    assert second.ties["sonneborn-berger"] == Fraction(33)
