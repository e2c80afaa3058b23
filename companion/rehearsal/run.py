"""Many units: in batches of the same size, in the order of their numbers, on as many cores as there are.

A batch is what one worker plays at a time; whoever plays it, and however often it is begun anew, its sums are the same.
They are added in the order of the numbers, so the figures are the same to the last digit on any number of cores.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from companion.rehearsal.design import Design
from companion.rehearsal.estimate import Sums
from companion.rehearsal.play import rehearse_one
from companion.tabletop.rehearsal import Counts, Outcome

BATCH: Final = 25
"""Games of a batch: about a third of a second, beside which what it costs to hand it to a worker is nothing."""
_AHEAD: Final = 3
"""Batches that wait for each worker, so that none is idle."""
_ATTEMPTS: Final = 5
"""Times that a pool is begun anew after a worker has died, before that is told."""

Figures = dict[str, Sums]


class WorkersDied(RuntimeError):
    """Workers died again and again at the same batch."""


def play_batch(design: Design, seed: int, first: int, units: int) -> Figures:
    """So many units of a design from a number on."""
    figures: Figures = {}
    for number in range(first, first + units):
        outcomes = [_all_figures(rehearse_one(setting, seed, number)) for setting in design.settings]
        for key, sides in design.sides(outcomes):
            figures.setdefault(key, Sums()).add(*sides)
    return figures


def _all_figures(outcome: Outcome) -> Counts:
    """The figures of a game, and those of its tables by `TABLE:NAME`."""
    tables = outcome.tables.items()
    return outcome.figures | {f"{key}:{name}": count for key, counts in tables for name, count in counts.items()}


def batch_size(design: Design) -> int:
    """How many units of a design a batch has: fewer where a unit plays more settings."""
    return max(1, 2 * BATCH // max(2, len(design.settings)))


def rehearse(
    design: Design, seed: int, numbers: range, workers: Callable[[], Executor]
) -> Iterator[tuple[int, Figures]]:
    """How many units each batch has and their sums, in the order of the numbers, as they come.

    `workers` begins a pool, and another one where a worker has died. Raises RuleError, WorkersDied.
    """
    size = batch_size(design)
    firsts = deque(range(numbers.start, numbers.stop, size))
    attempts = 0
    while firsts:
        pool = workers()
        waiting: deque[tuple[int, Future[Figures]]] = deque()
        try:
            while firsts or waiting:
                while firsts and len(waiting) < _AHEAD * _size(pool):
                    first = firsts[0]
                    units = min(size, numbers.stop - first)
                    waiting.append((first, pool.submit(play_batch, design, seed, first, units)))
                    firsts.popleft()
                first, batch = waiting[0]
                figures = batch.result()
                waiting.popleft()
                attempts = 0
                yield min(size, numbers.stop - first), figures
        except BrokenProcessPool as error:
            attempts += 1
            if attempts >= _ATTEMPTS:
                raise WorkersDied(
                    f"Workers died {attempts} times at games {first} to {first + size - 1}; is there memory left?"
                ) from error
            firsts.extendleft(reversed([number for number, _ in waiting]))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def local_workers(jobs: int) -> Callable[[], Executor]:
    """So many processes on this machine."""
    return lambda: ProcessPoolExecutor(jobs)


def _size(pool: Executor) -> int:
    return int(getattr(pool, "_max_workers", 1))
