"""Batches on several processes: the same figures on any number of them, and whoever dies."""

import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor

import pytest

from companion.rehearsal.estimate import merge
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import make_report, plain_report
from companion.rehearsal.run import BATCH, local_workers, play_batch, rehearse
from companion.tabletop.rehearsal import Setting

RANDOM = Setting("decknforge", 2, temperaments=("random",))
PRESSED = Setting("decknforge", 2, rules=(("pressure", "3"),), temperaments=("random",))


def _figures(jobs: int, games: int) -> object:
    batches = (sums for _, sums in rehearse(PRESSED, RANDOM, 4, games, local_workers(jobs)))
    return plain_report(make_report(rehearsal_of("decknforge").figures, PRESSED, RANDOM, 4, merge(batches)))


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_figures() -> None:
    games = 2 * BATCH + 3
    alone = _figures(1, games)
    assert alone["units"] == games  # type: ignore[index]
    assert _figures(3, games) == alone


@pytest.mark.slow
def test_a_dead_worker_costs_its_batches_and_no_figure() -> None:
    pools: list[ProcessPoolExecutor] = []

    def workers() -> Executor:
        pools.append(ProcessPoolExecutor(2))
        return pools[-1]

    batches = []
    for _, sums in rehearse(PRESSED, None, 4, 4 * BATCH, workers):
        batches.append(sums)
        if len(batches) == 1:
            os.kill(next(iter(pools[0]._processes)), signal.SIGKILL)
    assert len(pools) > 1
    undisturbed = merge(play_batch(PRESSED, None, 4, first, BATCH) for first in range(0, 4 * BATCH, BATCH))
    catalogue = rehearsal_of("decknforge").figures
    assert make_report(catalogue, PRESSED, None, 4, merge(batches)) == make_report(
        catalogue, PRESSED, None, 4, undisturbed
    )


def test_a_rule_that_never_takes_effect_is_exactly_0_apart() -> None:
    sums = play_batch(RANDOM, RANDOM, 4, 0, 2)
    report = make_report(rehearsal_of("decknforge").figures, RANDOM, RANDOM, 4, sums)
    assert report.units == 2
    assert all(row.difference is not None and row.difference.is_nothing for row in report.rows)
