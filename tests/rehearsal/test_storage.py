"""Rehearsals that are kept: nothing of them is lost, they go on where they were, and two of them are compared."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, maintenance, rehearsals
from companion.archive.storage.entries import RehearsalBegun
from companion.cli.main import main
from companion.games import registry
from companion.rehearsal import storage
from companion.rehearsal.estimate import Sums, merge
from companion.tabletop.estimate import Estimate, wilson
from tests.conftest import LINUX

GAMES = ("decknforge", "--players", "2", "--seed", "3", "--jobs", "1")

NUMBERS = st.one_of(st.integers(0, 9), st.floats(-1e12, 1e12), st.floats(0, 1), st.integers(-(2**53), 2**53))
UNITS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=5)


def _sums(units: list[tuple[float, float, float, float]], sides: int) -> Sums:
    sums = Sums()
    for a, b, c, d in units:
        sums.add(*((a, b), (c, d))[:sides])
    return sums


def _content(sums: Sums) -> tuple[object, ...]:
    return sums.units, sums.totals, sums.moments, sums.cubes, sums.changes


@given(UNITS, UNITS, st.integers(1, 2))
def test_stored_sums_are_the_same_to_the_last_digit(
    units: list[tuple[float, float, float, float]], more: list[tuple[float, float, float, float]], sides: int
) -> None:
    sums = {"win": _sums(units, sides), "kill:K": _sums(more, 1), "nothing": Sums()}
    again = storage.decode_sums(msgspec.json.decode(msgspec.json.encode(storage.encode_sums(sums))))
    assert again.keys() == sums.keys()
    assert {key: _content(each) for key, each in again.items()} == {key: _content(each) for key, each in sums.items()}
    # And they go on as those that were never stored.
    expected = merge(({"win": _sums(units, sides)}, {"win": _sums(more, sides)}))["win"]
    assert _content(merge((again, {"win": _sums(more, sides)}))["win"]) == _content(expected)


def test_sums_are_stored_in_this_form_for_ever() -> None:
    sums = Sums()
    sums.add((0.5, 3))
    sums.add((2.0**70, 1))
    before = [2, 2, "2361183241434822606849/2", 4, f"{4**71 + 1}/4", f"{2**71 + 3}/2", 10]
    stored = [*before, f"{8**71 + 1}/8", f"{4**71 + 3}/4", f"{2**71 + 9}/2", 28, 0]
    assert storage.encode_sums({"win": sums}) == {"win": stored}
    (again,) = storage.decode_sums({"win": stored}).values()
    assert again.totals == [Fraction(2**71 + 1, 2), 4]
    assert again.estimate() == sums.estimate()


def test_sums_of_earlier_editions_are_read_and_have_an_interval() -> None:
    # Until September 2026 without third moments: 5 of 60 games had one.
    (sums,) = storage.decode_sums({"falls": [2, 60, 5, 60, 5, 5, 60]}).values()
    assert storage.encode_sums({"falls": sums}) == {"falls": [2, 60, 5, 60, 5, 5, 60]}
    estimate = sums.estimate()
    assert estimate
    assert (estimate.low, estimate.high) == pytest.approx((0.027, 0.195), abs=5e-3)


@pytest.mark.parametrize(
    "stored",
    [{"win": [2, 2, 3]}, {"win": ["1", 2]}, {"win": [2, 1, 1, 1, 1, 1, 1, 1]}, {"win": [2, 1, "x", 1, 1, 1, 1]}, [1]],
)
def test_sums_that_make_no_sense_are_refused(stored: object) -> None:
    with pytest.raises(
        ValueError, match=r"sums have another length|sums do not say|Expected|Invalid literal for Fraction"
    ):
        storage.decode_sums(stored)


Run = Callable[..., Result]


@pytest.fixture
def place(tmp_path: Path, empty_archive: Path) -> Path:
    return Path(shutil.copy(empty_archive, tmp_path / "kept.sqlite"))


@pytest.fixture
def run(place: Path) -> Run:
    """The command, as somebody types it who has an archive."""

    def rehearse(*words: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, ["--archive", str(place), "rehearse", *words])
        assert result.exit_code == status, result.output
        return result

    return rehearse


def _figures(result: Result | str) -> Any:
    return json.loads(result if isinstance(result, str) else result.stdout)["figures"]


@pytest.mark.slow
def test_a_kept_rehearsal_goes_on_as_if_never_stopped(run: Run, place: Path) -> None:
    begun = json.loads(run(*GAMES, "--games", "12", "--name", "Autumn", "--json").stdout)
    whole = _figures(run(*GAMES, "--games", "20", "--no-keep", "--json"))
    assert _figures(run("--show", "Autumn", "--json")) == begun["figures"] != whole
    assert _figures(run("--continue", begun["run"], "--games", "20", "--json")) == whole
    assert _figures(run(*GAMES, "--continue", "autumn", "--json")) == whole
    (row,) = json.loads(run("--runs", "--json").stdout)
    assert (row["rehearsal"], row["units"], row["games"], row["seed"]) == (begun["run"], 20, 20, 3)
    assert "2 players (greedy), as printed" in run("--runs", "decknforge").stdout
    assert run("--runs", "solforge").stdout == "No rehearsal is kept here yet.\n"
    with Archive.open(str(place)) as archive:
        assert maintenance.check_archive(archive) == ()


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("wish", [(), ("--find", "win=0.5")])
def test_sweeps_and_searches_go_on_as_if_never_stopped(run: Run, wish: tuple[str, ...]) -> None:
    words = ("decknforge", "--players", "1", "--sweep", "pressure=2:4,foilCost=1", *wish, "--margin", "0.1", "--json")
    begun = json.loads(run(*words, "--games", "120").stdout)
    assert json.loads(run("--show", begun["run"], "--json").stdout) == begun
    went_on = json.loads(run("--continue", begun["run"], "--games", "170", "--json").stdout)
    whole = json.loads(run(*words, "--games", "170", "--no-keep").stdout)
    assert went_on | {"run": None} == whole
    assert went_on["units"] > begun["units"]
    # The rules that a sweep begins with can be compared; a search has no such.
    compared = run("decknforge", "--players", "1", "--games", "2", "--against", begun["run"], status=2 if wish else 0)
    assert ("Searches, and what a sweep ranks, are not compared" in compared.output) is bool(wish)


def test_nothing_else_is_played_than_what_was_begun(run: Run) -> None:
    run(*GAMES, "--games", "1", "--name", "Autumn", "--rule", "pressure=3")
    for words, option in [
        (("--players", "3"), "--players"),
        (("--seed", "4"), "--seed"),
        (("--rule", "pressure=1"), "--rule"),
        (("--wizards", "table"), "--wizards"),
        (("solforge",), "GAME"),
    ]:
        output = run("--continue", "Autumn", *words, status=2).output
        assert f"goes on as it was begun; leave out {option}" in output
    same = (*GAMES, "--rule", "pressure=3", "--wizards", "greedy", "--continue", "Autumn")
    assert run(*same).stdout.startswith("1 rehearsed")


def test_the_list_says_what_each_plays(run: Run) -> None:
    words = ("decknforge", "--players", "1", "--jobs", "1", "--games", "1")
    run(*words, "--evenings", "2")
    run(*words, "--sweep", "pressure=3:4,comeback")
    run(*words, "--sweep", "pressure=3:4", "--find", "bosses=5")
    text = run("--runs").stdout
    assert "1 player (greedy), 2 evenings, as printed" in text
    assert "1 player (greedy), sweep of pressure, comeback" in text
    assert "1 player (greedy), search for bosses=5 in 2 settings" in text


def test_what_plays_nothing_refuses_what_would_be_played(run: Run) -> None:
    for words, option in [
        (("--show", "Autumn", "--games", "3"), "--games"),
        (("--show", "Autumn", "--continue", "Autumn"), "--continue"),
        (("solforge", "--show", "Autumn"), "GAME"),
        (("--runs", "--seed", "3"), "--seed"),
    ]:
        assert f"plays nothing; leave {option} out" in run(*words, status=2).output


def test_under_other_rules_nothing_goes_on_but_is_compared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = json.loads(run(*GAMES, "--games", "3", "--json").stdout)["run"]
    game = registry.game("decknforge")
    monkeypatch.setattr(type(game), "edition", game.edition + 1)
    refused = run("--continue", kept, status=1).output
    assert f"{kept} was played by edition {game.edition - 1}" in refused
    assert (
        f"the current one is edition {game.edition}; begin a new rehearsal, and compare the two with --against {kept}"
        in refused
    )
    text = run(*GAMES, "--games", "2", "--against", kept).stdout
    assert f"It was played by edition {game.edition - 1} of the rules, this by edition {game.edition}." in text
    assert max(map(len, text.splitlines())) <= 80


def test_another_program_does_not_go_on(run: Run, place: Path) -> None:
    with Archive.open(str(place)) as archive:
        design = {"type": "one", "setting": {"game": "decknforge", "players": 2}}
        edition = registry.game("decknforge").edition
        begun = RehearsalBegun("decknforge", design, 3, edition, "0.1.0 (abc)")
        row = rehearsals.begin_rehearsal(archive, begun)
    output = run("--continue", row.rehearsal, status=1).output
    assert f"{row.rehearsal} was played by companion 0.1.0 (abc), and this is " in output


def test_two_kept_rehearsals_are_compared_without_pairs(run: Run, tmp_path: Path) -> None:
    for seed, name in (("1", "one"), ("1", "same seed"), ("2", "other")):
        run("decknforge", "--players", "2", "--games", "4", "--jobs", "1", "--seed", seed, "--name", name)
    text = run("--show", "one", "--against", "other").stdout
    assert "They have no chance in common, so the differences are not paired." in text
    report = tmp_path / "report.pdf"
    run("--show", "one", "--against", "other", "-o", str(report))
    with pypdfium2.PdfDocument(report) as opened:
        pages = " ".join(" ".join(" ".join(page.get_textpage().get_text_range().split()) for page in opened).split())
    assert re.search(r"in this one, \S+ % \([^)]*\) in other \(", pages)
    assert "so the differences are not paired" in pages
    assert "the same chance" not in pages
    assert "Both have the same seed" in run("--show", "one", "--against", "same seed").stdout
    plain = json.loads(run("--show", "one", "--against", "other", "--json").stdout)
    other = json.loads(run("--show", "other", "--json").stdout)
    assert plain["paired"] is False
    assert plain["against_run"] == other["run"]
    one, two = plain["figures"]["rounds"], other["figures"]["rounds"]
    assert one["against"] == {"value": two["value"], "interval": two["interval"]}
    assert one["difference"]["value"] == one["value"] - two["value"]
    halves = one["value"] - one["interval"][0], two["interval"][1] - two["value"]
    low = one["difference"]["value"] - one["difference"]["interval"][0]
    assert low == pytest.approx((halves[0] ** 2 + halves[1] ** 2) ** 0.5)


def test_a_difference_of_shares_has_newcombes_interval() -> None:
    # Newcombe (1998), method 10: 56 of 70 against 48 of 80.
    difference = storage.unpaired_difference(wilson(56, 70), wilson(48, 80))
    assert difference == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert storage.unpaired_difference(Estimate(1, 1, 1), Estimate(1, 1, 1)) == (0, 0, 0)


def test_without_an_archive_none_is_begun_unless_asked(tmp_path: Path) -> None:
    own = tmp_path / "archive.sqlite"
    words = ("rehearse", *GAMES, "--games", "1")
    assert "Kept" not in CliRunner().invoke(main, words).output
    assert not own.exists()
    assert "Kept as " in CliRunner().invoke(main, (*words, "--keep")).stderr
    assert own.exists()
    assert "Kept as " in CliRunner().invoke(main, words).stderr
    named = tmp_path / "named.sqlite"
    assert "Kept as " in CliRunner().invoke(main, ("--archive", str(named), *words)).stderr
    assert "Kept" not in CliRunner().invoke(main, (*words, "--no-keep")).output
    assert len(json.loads(CliRunner().invoke(main, ("rehearse", "--runs", "--json")).stdout)) == 2


def test_an_archive_that_cannot_be_opened_is_told_before_anything_is_played(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_text("no archive, and long enough to be looked at" * 100, encoding="utf-8")
    words = ("--archive", str(broken), "rehearse", *GAMES, "--games", "1")
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert result.output.endswith("; --no-keep rehearses without keeping it.\n")
    assert CliRunner().invoke(main, (*words, "--no-keep")).exit_code == 0


def _units(place: Path) -> int:
    with Archive.open(str(place)) as archive:
        return sum(row.units for row in rehearsals.rehearsals(archive))


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_whoever_is_stopped_or_killed_goes_on(run: Run, place: Path, name: str) -> None:
    number = signal.Signals[name]  # looked up here, as Windows has no SIGKILL
    words = ("decknforge", "--players", "1", "--seed", "3", "--wizards", "greedy")
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "--archive", str(place), "rehearse", *words, "--games", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not _units(place) and time.monotonic() < until:
        time.sleep(0.2)
    workers = _children(process.pid)
    assert workers or not LINUX
    # Ctrl+C is for all processes of a terminal; kill is for one.
    (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
    output, errors = process.communicate(timeout=60)
    units = _units(place)
    assert units > 0
    assert "Traceback" not in errors
    if number is signal.SIGINT:
        assert output.startswith(f"{units:,} rehearsed, 1 player")
        assert f"Stopped after {units:,} of 100,000." in errors
    (row,) = json.loads(run("--runs", "--json").stdout)
    games = str(units + 30)
    went_on = _figures(run("--continue", row["rehearsal"], "--games", games, "--json"))
    assert went_on == _figures(run(*words, "--games", games, "--no-keep", "--json"))
    until = time.monotonic() + 20
    while left := [worker for worker in workers if Path(f"/proc/{worker}").exists()]:
        assert time.monotonic() < until, f"{left} play on for nobody"
        time.sleep(0.1)


def _children(process: int) -> list[int]:
    """The processes that one has begun, where the system says it."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in listed.read_text(encoding="utf-8").split()] if listed.exists() else []
