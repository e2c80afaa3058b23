"""Points, byes, no-shows, shared places, and each tie-break where it decides."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive.storage.entries import (
    Form,
    LeagueCreated,
    LeagueEvent,
    LeagueResult,
    PlayerDropped,
    PlayerJoined,
    ResultCorrected,
    ResultEntered,
    RoundDrawn,
    RoundRedrawn,
    Scoring,
)
from companion.league.league import League, build_league
from companion.league.standings import LeagueStanding, ladder, match_points, show_points, standings
from tests.league.evenings import begin, play

WON, LOST, LEVEL = LeagueResult((1, 2)), LeagueResult((2, 1)), LeagueResult((1, 1))


def league(
    people: str, *matches: tuple[str, LeagueResult | None], form: Form = "swiss", order: str = "match-win"
) -> League:
    """A league of one round each match, between people of one letter."""
    events: list[LeagueEvent] = [LeagueCreated("Winter", form, Scoring(order=order), 1, tuple(people))]
    for number, (pair, result) in enumerate(matches, start=1):
        events.append(RoundDrawn(number, 1, (tuple(pair),)))
        if result is not None:
            events.append(ResultEntered(number, 1, tuple(pair), result))
    return build_league(events)


def line_of(of: League, person: str) -> LeagueStanding:
    return next(line for line in standings(of) if line.person == person)


def test_a_win_gives_three_a_draw_one_a_loss_none() -> None:
    lines = standings(league("abc", ("ab", WON), ("bc", LEVEL)))
    assert [(line.person, show_points(line.points)) for line in lines] == [("a", "3"), ("b", "1"), ("c", "1")]


def test_a_bye_gives_points_and_is_no_opponent() -> None:
    of = league("abc", ("ab", WON), ("c", None), ("ac", LEVEL))
    assert line_of(of, "c").points == 4
    # Of c, who had a bye and a draw, 4 of 6: what a's opponents have in the mean with b's floor.
    assert line_of(of, "a").ties["omw"] == (Fraction(33, 100) + Fraction(4, 6)) / 2
    assert line_of(of, "c").ties["omw"] == Fraction(4, 6)


def test_who_does_not_come_has_lost_and_the_other_a_bye() -> None:
    of = league("ab", ("ab", LeagueResult((1, 2), absent=(1,))))
    came, absent = standings(of)
    assert (int(came.points), came.byes, came.played) == (3, 1, 0)
    assert (int(absent.points), absent.byes, absent.played) == (0, 0, 0)


def test_neither_came_and_neither_has_points() -> None:
    of = league("ab", ("ab", LeagueResult((1, 1), absent=(0, 1))))
    assert [(int(line.points), line.byes) for line in standings(of)] == [(0, 0), (0, 0)]


def test_nobody_has_less_than_the_floor() -> None:
    of = league("abcd", ("ab", WON), ("ac", WON), ("ad", WON))
    assert line_of(of, "a").ties["omw"] == Fraction(33, 100)


def test_head_to_head_decides_where_all_have_met() -> None:
    matches = (("ab", WON), ("bc", WON), ("ca", WON), ("da", WON), ("bd", WON), ("cd", WON))
    of = league("abcd", *matches, form="round-robin", order="head-to-head")
    # b and c have 6 points, and b beat c; a and d have 3, and d beat a.
    assert [line.person for line in standings(of)] == ["b", "c", "d", "a"]


def test_whom_nothing_tells_apart_share_a_place() -> None:
    of = league("abcd", ("ab", LEVEL), ("cd", LEVEL))
    assert [line.place for line in standings(of)] == [1, 1, 1, 1]


def test_shared_places_share_their_points() -> None:
    points = match_points(Scoring(places=(5, 3, 2, 1)), 4, LeagueResult((1, 2, 2, 4)))
    assert list(map(show_points, points)) == ["5", "2½", "2½", "1"]


def test_points_may_be_what_was_scored() -> None:
    points = match_points(Scoring(by_score=True), 3, LeagueResult((1, 2, 3), scores=(14, 9, 0)))
    assert list(map(int, points)) == [14, 9, 0]


def test_who_beats_somebody_above_takes_their_rung() -> None:
    of = league("abcd", ("dc", WON), ("db", WON), form="ladder", order="ladder")
    assert ladder(of) == ("a", "d", "b", "c")
    assert [line.person for line in standings(of)] == ["a", "d", "b", "c"]


def test_a_correction_counts_where_the_first_result_did() -> None:
    events: list[LeagueEvent] = [
        LeagueCreated("Winter", "ladder", Scoring(order="ladder"), 1, tuple("abc")),
        ResultEntered(0, 1, ("b", "a"), LOST),
        ResultEntered(0, 2, ("c", "b"), WON),
        ResultCorrected(0, 1, ("b", "a"), WON),
    ]
    # b took a's rung, then c took it of b.
    assert ladder(build_league(events)) == ("c", "b", "a")


def test_who_left_keeps_what_they_played_and_may_come_back() -> None:
    events: list[LeagueEvent] = [LeagueCreated("Winter", "swiss", Scoring(), 1, tuple("ab"))]
    events += [RoundDrawn(1, 1, (("a", "b"),)), ResultEntered(1, 1, ("a", "b"), WON), PlayerDropped("a")]
    of = build_league(events)
    assert (of.active, int(line_of(of, "a").points)) == (("b",), 3)
    back = build_league([*events, PlayerJoined("a"), PlayerJoined("c")])
    assert [(player.person, player.number, player.active) for player in back.players] == [
        ("a", 1, True),
        ("b", 2, True),
        ("c", 3, True),
    ]


def test_a_round_drawn_again_counts_no_more_as_it_was() -> None:
    events: list[LeagueEvent] = [LeagueCreated("Winter", "swiss", Scoring(), 1, tuple("abcd"))]
    events += [RoundDrawn(1, 1, (("a", "b"), ("c", "d"))), ResultEntered(1, 1, ("a", "b"), WON)]
    of = build_league([*events, RoundRedrawn(1, 2, (("a", "c"), ("b", "d")))])
    assert line_of(of, "a").points == 0
    assert of.redrawn == {1: 1}


def test_a_match_taken_back_is_open_and_one_beside_is_gone() -> None:
    events: list[LeagueEvent] = [LeagueCreated("Winter", "swiss", Scoring(), 1, tuple("ab"))]
    events += [RoundDrawn(1, 1, (("a", "b"),)), ResultEntered(1, 1, ("a", "b"), WON)]
    events += [ResultEntered(0, 1, ("a", "b"), WON), ResultCorrected(1, 1, ("a", "b")), ResultCorrected(0, 1)]
    of = build_league(events)
    assert [(match.round, match.is_open) for match in of.matches] == [(1, True)]


@given(st.integers(2, 20), st.integers(1, 6), st.randoms(use_true_random=False))
def test_points_given_are_points_kept(count: int, rounds: int, chance: Random) -> None:
    def end(_: object) -> LeagueResult:
        return chance.choice([WON, LOST, LEVEL, LeagueResult((1, 2), absent=(1,))])

    of = play(begin(count), rounds, end)
    given_points = 0
    for match in of.matches:
        if match.result is None or match.result.absent or match.result.places != (1, 1):
            given_points += 3
        else:
            given_points += 2
    lines = standings(of)
    assert sum(line.points for line in lines) == given_points
    assert sum(line.won for line in lines) == sum(line.lost for line in lines)
    assert sum(line.games[0] for line in lines) == sum(line.games[1] for line in lines)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_tables_give_all_points_of_their_places(seats: int) -> None:
    of = play(begin(13, order="score", seats=seats), 3)
    given_points = sum(sum(range(seats, seats - len(match.people), -1)) for match in of.matches)
    assert sum(line.points for line in standings(of)) == given_points
