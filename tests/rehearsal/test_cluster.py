"""Rehearsals on a cluster: the same figures whoever dies, one program only, and sentences for what is not there."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.estimate import merge
from companion.rehearsal.run import BATCH, Figures, WorkersDied, play_batch, rehearse
from companion.rehearsal.workers import ClusterError, ClusterExecutor, OtherProgram, check_program, cluster_workers
from companion.tabletop.rehearsal import RehearsalSetting
from tests.rehearsal import clusters
from tests.terminal import PATIENCE

ROOT = Path(__file__).parents[2]
DESIGN = Comparison(RehearsalSetting("decknforge", 1, rules=(("pressure", "3"),)), RehearsalSetting("decknforge", 1))
GAMES = 12 * BATCH
FOR_EVER = 10**6
WORDS = ("rehearse", "decknforge", "--players", "2", "--games", "30")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[clusters.Cluster]:
    """A scheduler that has no workers yet."""
    with clusters.running(tmp_path, 0) as running:
        yield running


def _content(figures: Figures) -> dict[str, Any]:
    return {key: (sums.units, sums.totals, sums.moments) for key, sums in figures.items()}


def _play(
    cluster: clusters.Cluster, games: int, batches: list[Figures], deeds: Mapping[int, Callable[[], object]]
) -> None:
    """Plays so many games, adds what comes of each batch, and does something after so many of them."""
    for _, sums in rehearse(DESIGN, 4, range(games), cluster_workers(cluster.address, "decknforge")):
        batches.append(sums)
        deeds.get(len(batches), lambda: None)()


@pytest.mark.slow
def test_workers_that_die_cost_no_figure(cluster: clusters.Cluster) -> None:
    first, second, third = (cluster.begin_worker() for _ in range(3))
    cluster.wait_for_workers(3)
    batches: list[Figures] = []
    _play(cluster, GAMES, batches, {2: first.kill, 4: cluster.begin_worker, 5: second.kill})
    assert first.wait() < 0 > second.wait()
    assert third.poll() is None
    assert len(batches) == GAMES // BATCH
    assert _content(merge(batches)) == _content(play_batch(DESIGN, 4, 0, GAMES))


@pytest.mark.slow
def test_the_command_gives_the_same_on_a_cluster_as_documented(cluster: clusters.Cluster) -> None:
    words = f"dask worker {cluster.address} --nworkers -1 --nthreads 1"
    assert words.replace(cluster.address, "tcp://192.168.1.10:8786") in (ROOT / "docs/cluster.md").read_text("utf-8")
    cluster.begin(*words.split()[1:])
    cluster.wait_for_workers(os.cpu_count() or 1)
    here = CliRunner().invoke(main, (*WORDS, "--jobs", "1", "--json"))
    there = CliRunner().invoke(main, (*WORDS, "--on", cluster.address, "--json"))
    assert there.exit_code == 0, there.output
    assert json.loads(there.stdout) == json.loads(here.stdout)


@pytest.mark.slow
def test_a_worker_with_another_program_plays_nothing(cluster: clusters.Cluster, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(ROOT / "companion", other / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "companion/games/decknforge/rehearsal/dungeon.py").open("a", encoding="utf-8") as changed:
        changed.write("\n# It may play otherwise.\n")
    cluster.begin_worker()
    cluster.wait_for_workers(1)
    batches: list[Figures] = []
    # It comes when others are at it already.
    joining = {1: lambda: cluster.begin_worker({"PYTHONPATH": str(other)})}
    with pytest.raises(OtherProgram, match=r"The worker tcp://127\.0\.0\.1:\d+ is companion .*; install the same"):
        _play(cluster, FOR_EVER, batches, joining)
    played = len(batches) * BATCH
    assert _content(merge(batches)) == _content(play_batch(DESIGN, 4, 0, played))
    with pytest.raises(OtherProgram):
        cluster_workers(cluster.address, "decknforge")


@pytest.mark.slow
def test_what_is_not_there_is_told_in_a_sentence(cluster: clusters.Cluster) -> None:
    with pytest.raises(ClusterError, match=f"The scheduler at {cluster.address} has no workers; start some with"):
        ClusterExecutor(cluster.address, "decknforge")
    cluster.begin_worker()
    cluster.wait_for_workers(1)
    batches: list[Figures] = []
    with pytest.raises(ClusterError, match=f"No Dask scheduler answers at {cluster.address}; is it running"):
        _play(cluster, FOR_EVER, batches, {2: cluster.scheduler.kill})
    assert len(batches) >= 2


@pytest.mark.slow
def test_without_any_worker_it_ends(cluster: clusters.Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.rehearsal.run._LOOK", 0.5)
    monkeypatch.setattr("companion.rehearsal.run._PATIENCE", 2.0)
    worker = cluster.begin_worker()
    cluster.wait_for_workers(1)
    batches: list[Figures] = []
    with pytest.raises(WorkersDied, match="No worker has been available for 2 seconds"):
        _play(cluster, FOR_EVER, batches, {2: worker.kill})
    assert len(batches) >= 2


def test_workers_with_several_threads_count_the_same() -> None:
    design = OneSetting(DESIGN.against)
    figures = merge(sums for _, sums in rehearse(design, 4, range(2 * BATCH), lambda: ThreadPoolExecutor(2)))
    assert _content(figures) == _content(play_batch(design, 4, 0, 2 * BATCH))


def test_no_batch_is_played_by_another_program() -> None:
    with pytest.raises(OtherProgram, match=r"and this is 0\.1\.0"):
        check_program("decknforge", "0.1.0")


@pytest.mark.parametrize("address", ["192.168.1.10:8786", "http://there:80", "tcp://there", "tcp://:8786", "tcp://a:b"])
def test_what_is_no_address_is_refused_at_once(address: str) -> None:
    result = CliRunner().invoke(main, (*WORDS, "--on", address))
    assert result.exit_code == 2
    assert f"“{address}” is no scheduler's address; write it as tcp://" in result.output


def test_dask_is_loaded_only_where_it_is_asked_for() -> None:
    script = (
        "import sys\n"
        "from companion.cli.main import main\n"
        "words = ['rehearse', 'decknforge', '--players', '1', '--games', '1', '--jobs', '1', '--no-keep', '--json']\n"
        "main(words, standalone_mode=False)\n"
        "assert not {'distributed', 'dask'} & sys.modules.keys()\n"
        "sys.modules['distributed'] = None\n"
        "main([*words, '--on', 'tcp://127.0.0.1:8786'])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        'Rehearsing on other machines needs Dask: uv tool install "FILE[cluster]", where FILE is a release\'s .whl.\n'
    )
