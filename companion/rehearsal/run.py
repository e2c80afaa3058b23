"""Many units: in batches of the same size, in the order of their numbers, by as many workers as there are.

A batch is what one worker plays at a time; whoever plays it, and however often it is begun anew, its sums are the same.
They are handed on in the order of the numbers, so the figures are the same to the last digit with any workers.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from types import MappingProxyType
from typing import Final, NamedTuple

from companion.rehearsal.design import Design
from companion.rehearsal.estimate import Sums
from companion.rehearsal.play import rehearse_one, thinks
from companion.rehearsal.workers import ClusterExecutor, OtherProgram, check_program, count_workers, program_version
from companion.tabletop.rehearsal import Counts, Outcome

BATCH: Final = 25
"""Games of a batch: about a third of a second, beside which what it costs to hand it to a worker is nothing."""
_SIZES: Final = (BATCH, 10, 5, 2, 1)
"""Units of batches, which any of them fill up to the same round numbers."""
_THINKING: Final = 100
"""Games of others that last about as long as one with a thinker."""
_AHEAD: Final = 3
"""Batches that each worker has or that wait for it, so that none is idle."""
_WINDOW: Final = 16
"""Batches for each worker that may be finished before one with a smaller number is."""
_ATTEMPTS: Final = 5
"""Times that workers are begun anew after one has died, before that is told."""
_LOOK: Final = 5.0
_PATIENCE: Final = 60.0
"""Seconds after which workers are counted again, and for which there may be none."""

Figures = dict[str, Sums]


class Progress(NamedTuple):
    """What the units numbered from 0 to before `units` add up to."""

    units: int = 0
    sums: Mapping[str, Sums] = MappingProxyType({})


class WorkersDied(RuntimeError):
    """Workers died again and again at the same batch, or none is left."""


def play_batch(design: Design, seed: int, first: int, units: int) -> Figures:
    """So many units of a design from a number on."""
    figures: Figures = {}
    for number in range(first, first + units):
        outcomes = [all_figures(rehearse_one(setting, seed, number)) for setting in design.settings]
        for key, sides in design.sides(outcomes):
            figures.setdefault(key, Sums()).add(*sides)
    return figures


def all_figures(outcome: Outcome) -> Counts:
    """The figures of a game, and those of its tables by `TABLE:NAME`."""
    tables = outcome.tables.items()
    return outcome.figures | {f"{key}:{name}": count for key, counts in tables for name, count in counts.items()}


def batch_size(design: Design) -> int:
    """How many units of a design a batch has: fewer where one plays more settings or evenings, or has a thinker."""
    games = sum(setting.evenings * (_THINKING if thinks(setting) else 1) for setting in design.settings)
    return next((size for size in _SIZES if size * games <= 2 * BATCH), 1)


def rehearse(
    design: Design, seed: int, numbers: range, workers: Callable[[], Executor]
) -> Iterator[tuple[int, Figures]]:
    """How many units each batch has and their sums, in the order of the numbers, as they come.

    `workers` begins a pool, and another one where that is broken because a worker has died; what was finished stays.
    Raises RuleError, WorkersDied, ClusterError.
    """
    size = batch_size(design)
    firsts = deque(range(numbers.start, numbers.stop, size))
    finished: dict[int, Figures] = {}
    program = program_version(design.settings[0].game)
    following = numbers.start
    attempts = 0
    while following < numbers.stop:
        pool = workers()
        team = _Team(pool)
        running: dict[Future[Figures], int] = {}
        try:
            while following < numbers.stop:
                while following in finished:
                    figures, units = finished.pop(following), min(size, numbers.stop - following)
                    following += units
                    attempts = 0
                    yield units, figures
                furthest = following + _WINDOW * team.count * size
                while firsts and len(running) < _AHEAD * team.count and firsts[0] < furthest:
                    first = firsts[0]
                    units = min(size, numbers.stop - first)
                    # A pool that is broken by now refuses it.
                    running[pool.submit(_play_as, program, design, seed, first, units)] = first
                    firsts.popleft()
                done, _ = wait(running, _LOOK, FIRST_COMPLETED)
                for future in done:
                    finished[running[future]] = future.result()
                    del running[future]
                team.look()
        except BrokenExecutor as error:
            finished |= {first: future.result() for future, first in running.items() if _is_whole(future)}
            firsts.extendleft(sorted(running.values() - finished.keys(), reverse=True))
            attempts += following not in finished
            if attempts >= _ATTEMPTS:
                last = following + size - 1
                raise WorkersDied(
                    f"Workers died {attempts} times at games {following} to {last}; is there memory left?"
                ) from error
        except (OtherProgram, ImportError, AttributeError):
            # A worker that came later may be another program; where it is, that is told with its name.
            if isinstance(pool, ClusterExecutor):
                pool.check_workers()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _play_as(program: str, design: Design, seed: int, first: int, units: int) -> Figures:
    """A batch, by this program and no other."""
    check_program(design.settings[0].game, program)
    return play_batch(design, seed, first, units)


def _is_whole(future: Future[Figures]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


class _Team:
    """How many workers a pool has; in a cluster they come and go."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self.count = count_workers(pool)
        self._seen = self._looked = time.monotonic()

    def look(self) -> None:
        """Counts them again every few seconds. Raises WorkersDied where there have been none for long."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        count = count_workers(self._pool)
        self._looked = now
        if count:
            self.count, self._seen = count, now
        elif now - self._seen > _PATIENCE:
            raise WorkersDied(f"No worker has been there for {_PATIENCE:.0f} seconds.")
