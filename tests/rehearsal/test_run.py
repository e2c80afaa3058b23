"""Batches on several processes: the same figures on any number of them, and whoever dies."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion.cli.common import Refused
from companion.cli.main import main
from companion.cli.rehearsals import runs
from companion.forms.rehearsal_runs import plan_run
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.estimate import merge
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import make_report, plain_report
from companion.rehearsal.run import BATCH, batch_size, play_batch, rehearse
from companion.rehearsal.workers import local_workers
from companion.tabletop.rehearsal import RehearsalSetting

T = TypeVar("T")

RANDOM = RehearsalSetting("decknforge", 2, temperaments=("random",))
PRESSED = RehearsalSetting("decknforge", 2, rules=(("pressure", "3"),), temperaments=("random",))


def _figures(jobs: int, games: int) -> object:
    batches = (sums for _, sums in rehearse(Comparison(PRESSED, RANDOM), 4, range(games), local_workers(jobs)))
    return plain_report(make_report(rehearsal_of("decknforge").figures, PRESSED, RANDOM, 4, merge(batches)))


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_figures() -> None:
    games = 2 * BATCH + 3
    alone = _figures(1, games)
    assert alone["units"] == games  # type: ignore[index]
    assert _figures(3, games) == alone


@pytest.mark.posix
@pytest.mark.slow
def test_a_dead_worker_costs_its_batches_and_no_figure() -> None:
    pools: list[ProcessPoolExecutor] = []

    def workers() -> Executor:
        pools.append(ProcessPoolExecutor(2))
        return pools[-1]

    batches = []
    for _, sums in rehearse(OneSetting(PRESSED), 4, range(4 * BATCH), workers):
        batches.append(sums)
        if len(batches) == 1:
            os.kill(next(iter(pools[0]._processes)), signal.SIGKILL)
    assert len(pools) > 1
    undisturbed = merge(play_batch(OneSetting(PRESSED), 4, first, BATCH) for first in range(0, 4 * BATCH, BATCH))
    catalogue = rehearsal_of("decknforge").figures
    assert make_report(catalogue, PRESSED, None, 4, merge(batches)) == make_report(
        catalogue, PRESSED, None, 4, undisturbed
    )


@pytest.mark.parametrize(
    ("setting", "size"),
    [
        (RANDOM, BATCH),
        (msgspec.structs.replace(RANDOM, evenings=12), 2),
        (msgspec.structs.replace(RANDOM, temperaments=("greedy", "thinker")), 1),
        (msgspec.structs.replace(RANDOM, temperaments=("greedy", "random", "thinker")), BATCH),
    ],
)
def test_batches_are_small_where_games_last_long(setting: RehearsalSetting, size: int) -> None:
    assert batch_size(OneSetting(setting)) == size


def test_a_rule_that_never_takes_effect_is_exactly_0_apart() -> None:
    sums = play_batch(Comparison(RANDOM, RANDOM), 4, 0, 2)
    report = make_report(rehearsal_of("decknforge").figures, RANDOM, RANDOM, 4, sums)
    assert report.units == 2
    assert all(row.difference is not None and row.difference.is_nothing for row in report.rows)


def run(*words: str) -> Result:
    """The command, as somebody types it."""
    return CliRunner().invoke(main, ["rehearse", *words])


def test_a_comparison_is_told_with_intervals_and_for_programs_alike(tmp_path: Path) -> None:
    words = ("decknforge", "--players", "2", "--games", "6", "--wizards", "careful", "--jobs", "1")
    # Who is careful never Foils.
    compared = (*words, "--rule", "foilCost=1", "--against", "default")
    text = run(*compared).stdout
    assert text.startswith("6 rehearsed, 2 players (careful), seed 0.\n")
    assert "Dungeons won" in text
    assert "Kills by card:" in text
    assert text.count("0 ± 0") == text.count("against ") > 20
    plain = json.loads(run(*compared, "--json").stdout)
    assert plain["figures"]["win"]["difference"] == {"value": 0.0, "interval": [0.0, 0.0]}
    assert plain["units"] == 6
    sheet = tmp_path / "figures.csv"
    assert run(*words, "-o", str(sheet)).exit_code == 0
    rows = {row["figure"]: row for row in csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8")))}
    assert float(rows["win"]["value"]) == plain["figures"]["win"]["value"]
    kills = [float(row["value"]) for key, row in rows.items() if key.startswith("killer:")]
    assert sum(kills) == pytest.approx(1)


def test_the_effort_of_a_thinker_stands_with_its_figures() -> None:
    words = ("decknforge", "--players", "1", "--games", "1", "--wizards", "thinker", "--effort", "2", "--jobs", "1")
    assert run(*words).stdout.startswith("1 rehearsed, 1 player (thinker; effort 2), seed 0.\n")
    assert json.loads(run(*words, "--json").stdout)["setting"]["effort"] == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("life",), "as it has no simulated players"),
        (("nothing",), "There is no game called “nothing”"),
        (("decknforge", "--wizards", "bold"), "There is no temperament “bold”; there are random"),
        (("decknforge", "--rule", "foilcost"), "write KEY=VALUE"),
        (("decknforge", "--rule", "foil=2"), "There is no house rule “foil”"),
        (("decknforge", "--players", "9"), "1 to 5 people play this, not 9"),
        (("decknforge", "--games", "2", "-o", "figures.docx"), "not as .docx"),
        (("decknforge", "--games", "2", "-o", "figures.pdf", "--json"), "“figures.pdf” would be no JSON"),
        (("decknforge", "--seed", str(2**63)), "not in the range"),
        (("decknforge", "--rule", "pressure=3", "--rule", "pressure=4"), "said twice, as 3 and as 4"),
        (("decknforge", "--name", "Autumn", "--no-keep"), "leave out --name or --no-keep"),
        (("decknforge", "--players", "1", "--wizards", "greedy,careful"), "room for 1 player; --players"),
        (("decknforge", "--effort", "3"), "nobody of --wizards is one"),
        (("decknforge", "--temperaments", "--games", "3"), "--temperaments plays nothing; leave --games out"),
        (("solforge", "--players", "3"), "2 people play this, not 3"),
        (("solforge", "--decks", "nowhere.txt"), "There is no file “nowhere.txt”"),
        (("solforge", "--decks", "pyproject.toml"), "pyproject cannot be read: Line 1: “build-system” has 1 card"),
    ],
)
def test_what_cannot_be_rehearsed_is_told_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = run(*words)
    assert result.exit_code in (1, 2)
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_who_can_play_is_told() -> None:
    text = run("decknforge", "--temperaments").stdout
    names = ["random", "greedy", "careful", "table", "thinker"]
    assert [name for name in names if f"{name}: " not in text] == []
    assert [each["name"] for each in json.loads(run("decknforge", "--temperaments", "--json").stdout)] == names


LISTED = """solforge main
28 Imp | creature | 5/1
2 Ghoul | creature | 9/9 has vengeance
"""


@pytest.mark.slow
def test_two_lists_are_rehearsed_and_what_is_not_computed_is_told(tmp_path: Path) -> None:
    file, archive = tmp_path / "imps.txt", str(tmp_path / "archive.sqlite")
    file.write_text(LISTED, encoding="utf-8")
    founded = CliRunner().invoke(
        main, ["deck", "new", "solforge", "Red Pack", "--holder", "Ana", "--list", str(file), "--archive", archive]
    )
    assert founded.exit_code == 0, founded.output
    words = ("solforge", "--games", "10", "--jobs", "1", "--archive", archive, "--decks", f"{file},Red Pack")
    text = run(*words).stdout
    assert text.startswith("10 rehearsed, 2 players (careful), seed 0.\n")
    assert "The first list, imps, has 30 cards." in text
    assert "The second list, Red Pack, has 30 cards." in text
    assert "With text that is not computed, 2 cards: Ghoul (Vengeance)." in text
    assert max(map(len, text.splitlines())) <= 80
    plain = json.loads(run(*words, "--json").stdout)
    assert plain["remarks"][0] == "The first list, imps, has 30 cards."
    assert plain["figures"]["first-played:Imp"]["value"] > 5
    again = run(*words[:-1], str(file)).stdout
    assert "Both play that list." in again


def test_lists_that_come_along_are_rehearsed_where_none_is_named() -> None:
    text = run("solforge", "--games", "2", "--jobs", "1").stdout
    assert "The first list, Iron Grove, has 30 cards." in text


class Dying(Executor):
    """Plays so many batches, breaks over the next one while it does something, and refuses all after that."""

    def __init__(self, batches: int, deed: Callable[[], object] = lambda: None) -> None:
        self._left, self._deed = batches, deed

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        if self._left < 0:
            raise BrokenExecutor("It is dead.")
        if self._left:
            future.set_result(function(*args, **kwargs))
        else:
            future.set_exception(BrokenExecutor("It died."))
            self._deed()
        self._left -= 1
        return future


ALONE = OneSetting(RehearsalSetting("decknforge", 1))


@pytest.mark.slow
def test_what_was_finished_before_workers_died_stays() -> None:
    batches = [sums for _, sums in rehearse(ALONE, 4, range(3 * BATCH), lambda: Dying(1))]
    whole = play_batch(ALONE, 4, 0, 3 * BATCH)
    assert {key: sums.moments for key, sums in merge(batches).items()} == {
        key: sums.moments for key, sums in whole.items()
    }


def test_workers_that_die_again_and_again_end_it_with_what_is_there() -> None:
    pools = iter([Dying(1)])
    run = plan_run(ALONE, 4, 3 * BATCH)
    outcome = runs.play(run, None, lambda: next(pools, Dying(0)), "", keep=False)
    assert outcome.progress.units == BATCH
    assert outcome.faults == ("Workers died 5 times at games 25 to 49; is there memory left?",)
    with pytest.raises(Refused, match="Workers died 5 times at games 0 to 24"):
        runs.play(run, None, lambda: Dying(0), "", keep=False)


def test_figures_that_cannot_be_kept_are_shown_all_the_same(tmp_path: Path) -> None:
    place = tmp_path / "kept.sqlite"
    pools = iter([Dying(1, place.unlink)])
    outcome = runs.play(plan_run(ALONE, 4, 2 * BATCH), str(place), lambda: next(pools, Dying(1)), "", keep=None)
    assert outcome.progress.units == 2 * BATCH
    (fault,) = outcome.faults
    assert fault.startswith("These figures are not kept: ")


def test_where_the_system_gives_no_processes_it_is_played_here() -> None:
    program = (
        "import sys, _multiprocessing; del _multiprocessing.SemLock; from companion.cli.__main__ import main; "
        "sys.argv = ['companion', 'rehearse', 'decknforge', '--games', '2', '--jobs', '2', '--no-keep']; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 rehearsed")


def test_people_who_win_and_lose_play_where_nobody_names_any() -> None:
    result = CliRunner().invoke(main, ["rehearse", "decknforge", "--games", "40", "--jobs", "1", "--json"])
    plain = json.loads(result.stdout)
    assert plain["setting"]["temperaments"] == ["greedy"]
    assert 0 < plain["figures"]["win"]["value"] < 1
    # Nor is a seventh Boss possible.
    assert plain["figures"]["bosses"]["interval"][1] <= 6
