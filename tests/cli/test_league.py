"""`companion league`: an evening by commands, its corrections, and what leaves the house."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.archive.people import people
from companion.cli.main import main

Run = Callable[..., Result]


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where an archive is, with the league Winter of four, whose first round is Cy – Ana and Dee – Ben."""
    return str(tmp_path / "league.sqlite")


@pytest.fixture
def run(place: str) -> Run:
    def run(*arguments: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, ["--archive", place, "league", *arguments])
        assert result.exit_code == status, result.output
        return result

    run("new", "Winter", "--people", "Ana,Ben,Cy,Dee", "--rounds", "3", "--seed", "1")
    run("pairings", "Winter", "--seed", "1")
    return run


def pairs(run: Run, *arguments: str) -> list[list[str]]:
    matches = json.loads(run("pairings", "Winter", "--json", *arguments).stdout)["pairings"]
    return [match["people"] for match in matches]


def places(run: Run) -> list[tuple[str, int, int]]:
    lines = json.loads(run("standings", "Winter", "--json").stdout)["standings"]
    return [(line["name"], line["points"], line["byes"]) for line in lines]


def test_a_round_is_drawn_once(run: Run) -> None:
    first = pairs(run)
    assert pairs(run) == first
    assert sorted(person for pair in first for person in pair) == ["Ana", "Ben", "Cy", "Dee"]


@pytest.mark.slow
def test_the_next_round_is_drawn_when_all_results_are_in(run: Run) -> None:
    for winner, loser in pairs(run):
        run("enter", "Winter", winner, loser, "2-1")
    second = run("pairings", "Winter")
    assert "Round 2 is drawn." in second.stderr
    assert "Round 2 of 3" in second.stdout
    assert run("pairings", "Winter", "--round", "1").stdout.count("2–1") == 2


@pytest.mark.slow
def test_drawing_again_has_to_be_said_twice_and_is_told(run: Run) -> None:
    (winner, loser), _ = pairs(run)
    run("enter", "Winter", winner, loser)
    refusal = run("pairings", "Winter", "--redraw", status=1)
    assert "Round 1 is drawn already, and people may have seen it. Its 1 results count no more." in refusal.stderr
    assert "drawn again once" in run("pairings", "Winter", "--redraw", "--yes").stdout
    assert {points for _, points, _ in places(run)} == {0}


@pytest.mark.slow
def test_a_result_is_entered_once_and_then_corrected(run: Run) -> None:
    (one, other), _ = pairs(run)
    assert f"{one} 2–0. 1" in run("enter", "Winter", one, other, "2-0").stdout.replace("\n", " ")
    again = run("enter", "Winter", other, one, status=1)
    assert f"Round 1, table 1 has a result already: {one} 2–0; correct it." in again.stderr
    run("correct", "Winter", other, one, "2-1")
    assert places(run)[0] == (other, 3, 0)
    run("correct", "Winter", one, other, "--withdraw")
    assert {points for _, points, _ in places(run)} == {0}


@pytest.mark.slow
def test_games_stand_between_the_people_as_well(run: Run) -> None:
    (one, other), _ = pairs(run)
    assert f"{other} 2–1. 1" in run("enter", "Winter", one, "1-2", other).stdout.replace("\n", " ")


@pytest.mark.slow
def test_a_no_show_and_a_draw(run: Run) -> None:
    (one, other), (third, fourth) = pairs(run)
    assert f"{other} did not come." in run("enter", "Winter", one, other, "--absent", other).stdout
    assert f"{third} – {fourth}: drawn 1–1." in run("enter", "Winter", third, fourth, "1-1").stdout
    points = {name: (points, byes) for name, points, byes in places(run)}
    assert points == {one: (3, 1), other: (0, 0), third: (1, 0), fourth: (1, 0)}


@pytest.mark.slow
def test_a_late_joiner_plays_who_has_a_bye(run: Run) -> None:
    (one, other), _ = pairs(run)
    run("correct", "Winter", "--join", "Eve", "--join", "Flo")
    run("correct", "Winter", "--bye", "Eve")
    assert ("Eve", 3, 1) in places(run)
    run("correct", "Winter", "Eve", "Flo", "--pair")
    assert pairs(run)[2] == ["Eve", "Flo"]
    assert ("Eve", 0, 0) in places(run)
    refusal = run("correct", "Winter", one, "Flo", "--pair", status=1)
    assert "is paired in round 1 already; draw it again, or enter a no-show." in refusal.stderr
    run("drop", "Winter", other)
    assert f"{other} (left)" in run("standings", "Winter").stdout


@pytest.mark.slow
def test_who_was_not_paired_is_refused_with_the_way_out(run: Run) -> None:
    (one, _), (third, _) = pairs(run)
    refusal = run("enter", "Winter", one, third, status=1)
    assert "were not paired in any round; --unpaired enters a match that nobody paired." in refusal.stderr
    run("enter", "Winter", one, third, "--unpaired")
    assert places(run)[0] == (one, 3, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("enter", "Winter", "Zoe", "Ana"), "Nobody in “Winter” is called “Zoe”."),
        (("enter", "Winter", "Ana", "Ana"), "Somebody is named twice."),
        (("enter", "Winter", "Ana", "2-1", "Ben", "2-0"), "A match has one score, not 2-1 and 2-0."),
        (("enter", "Winter", "Ana", "2-1", "Ben", "Cy"), "Games are only counted between two"),
        (("enter", "Winter", "Ana=Ben", "2-1"), "2-1 is not a draw."),
        (
            ("enter", "Winter", "Ana:2", "2-1", "Ben:1"),
            "Enter either what each person scored or the games 2-1, not both.",
        ),
        (("enter", "Winter", "Ana", "2-1"), "A result needs two people or more, the winner first."),
        (("enter", "Winter", "Ana"), "A result needs two people or more, the winner first."),
        (("standings", "Summer"), "No league is called “Summer”; companion league list shows all."),
        (("new", "winter", "--people", "A,B"), "There is a league called “winter” already"),
        (("pairings", "Winter", "--round", "7"), "Round 7 is not drawn yet"),
        (("join", "Winter", "Ana"), "“Ana” is in “Winter” already."),
        (("close", "Winter", "--reopen"), "“Winter” is not closed."),
        (("correct", "Winter", "--bye", "Ana", "--round", "3"), "Round 3 is not drawn."),
    ],
)
def test_what_is_refused_says_why(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in run(*arguments, status=1).stderr


@pytest.mark.slow
def test_a_closed_league_takes_nothing_until_it_goes_on(run: Run) -> None:
    run("close", "Winter")
    (one, other), _ = pairs(run)
    assert "“Winter” is closed; open it again first." in run("enter", "Winter", one, other, status=1).stderr
    run("close", "Winter", "--reopen")
    run("enter", "Winter", one, other)


@pytest.mark.slow
def test_tables_of_four_take_places_and_scores(run: Run) -> None:
    run("new", "Glory", "--people", "Ana,Ben,Cy,Dee", "--seats", "4", "--points", "5,3,2,1", "--seed", "2")
    run("pairings", "Glory", "--seed", "2")
    assert "1. Cy, 2. Ana, 2. Dee, 4. Ben" in run("enter", "Glory", "Cy", "Ana=Dee", "Ben").stdout
    assert "2½" in run("standings", "Glory").stdout
    run("correct", "Glory", "Ben:14", "Ana:9", "Dee:9", "Cy:3")
    lines = json.loads(run("standings", "Glory", "--json").stdout)["standings"]
    assert [(line["name"], line["points"], line["score"]) for line in lines[:2]] == [("Ben", 5, 14), ("Ana", 2.5, 9)]


@pytest.mark.slow
def test_csv_is_what_a_spreadsheet_reads(run: Run, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("standings", "Winter", "--csv").stdout)))
    assert {row["name"] for row in rows} == {"Ana", "Ben", "Cy", "Dee"}
    assert [*rows[0]] == ["place", "name", "points", "w-d-l", "byes", "games", "omw", "gw", "ogw"]
    run("pairings", "Winter", "-o", str(tmp_path / "round.csv"))
    assert (tmp_path / "round.csv").read_text(encoding="utf-8").startswith("table,match,result\n1,")


@pytest.mark.slow
def test_sheets_are_pdf(run: Run, tmp_path: Path) -> None:
    for what in ("standings", "pairings"):
        run(what, "Winter", "-o", str(tmp_path / f"{what}.pdf"), "--paper", "a4")
        assert (tmp_path / f"{what}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_people_are_found_however_they_are_called(place: str, run: Run) -> None:
    (one, other), _ = pairs(run)
    with Archive.open(place) as archive:
        people.rename_person(archive, one, "Anastasia")
    run("enter", "Winter", "Anast", other.lower())
    assert places(run)[0][0] == "Anastasia"


@pytest.mark.slow
def test_what_leaves_the_house_calls_people_as_they_want(place: str, run: Run) -> None:
    with Archive.open(place) as archive:
        people.set_alias(archive, "Ana", "Grey Fox")
        people.set_alias(archive, "Ben", hidden=True)
    assert {"Ana", "Ben"} <= set(run("standings", "Winter").stdout.split())
    for arguments in (("--csv",), ("--json",)):
        for what in ("standings", "pairings"):
            public = run(what, "Winter", *arguments).stdout
            assert "Grey Fox" in public
            assert "Player 2" in public
            assert "Ana" not in public
            assert "Ben" not in public
    run("enter", "Winter", *pairs(run)[0])
    with Archive.open(place) as archive:
        people.set_alias(archive, "Ana")
    assert "Ana" in run("standings", "Winter", "--csv").stdout
