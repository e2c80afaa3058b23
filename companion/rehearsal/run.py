"""Rehearsals of many units: in batches of the same size, in the order of their numbers, on all available workers.

A batch is what one worker plays at a time; its sums are the same on any worker and after any number of restarts.
Batches are yielded in the order of the numbers, so the figures do not depend on the workers, to the last digit.
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
from companion.rehearsal.workers import (
    ClusterExecutor,
    OtherProgram,
    check_program,
    count_workers,
    program_version,
    without_interrupts,
)
from companion.tabletop.errors import SentenceError
from companion.tabletop.rehearsal import Counts, UnitOutcome
from templates.languages.messages import phrase

BATCH: Final = 25
"""Games of a batch: about a third of a second, so that the cost of submitting it is negligible."""
_SIZES: Final = (BATCH, 10, 5, 2, 1)
"""Sizes of batches; all of them divide the same round numbers."""
_THINKING: Final = 100
"""Games without a thinker that last about as long as one with a thinker."""
_AHEAD: Final = 3
"""Batches that each worker plays or has queued, so that none is idle."""
_WINDOW: Final = 16
"""Batches for each worker that may be finished ahead of one with a smaller number."""
_ATTEMPTS: Final = 5
"""Times that workers are restarted after one has died, before the rehearsal fails."""
_LOOK: Final = 5.0
_PATIENCE: Final = 60.0
"""Seconds between counts of the workers, and seconds for which there may be none."""

Figures = dict[str, Sums]


class Progress(NamedTuple):
    """The sums of the units numbered from 0 to `units` − 1."""

    units: int = 0
    sums: Mapping[str, Sums] = MappingProxyType({})


class WorkersDied(SentenceError):
    """Raised if workers died repeatedly at the same batch, or if none is left."""


def play_batch(design: Design, seed: int, first: int, units: int) -> Figures:
    """Play `units` units of a design, beginning with the number `first`."""
    figures: Figures = {}
    for number in range(first, first + units):
        outcomes = [all_figures(rehearse_one(setting, seed, number)) for setting in design.settings]
        for key, sides in design.sides(outcomes):
            figures.setdefault(key, Sums()).add(*sides)
    return figures


def all_figures(outcome: UnitOutcome) -> Counts:
    """Return the figures of a game, and those of its tables by `TABLE:NAME`."""
    tables = outcome.tables.items()
    return outcome.figures | {f"{key}:{name}": count for key, counts in tables for name, count in counts.items()}


def batch_size(design: Design) -> int:
    """Return the units of a batch: fewer if one unit plays several settings or evenings, or has a thinker."""
    games = sum(setting.evenings * (_THINKING if thinks(setting) else 1) for setting in design.settings)
    return next((size for size in _SIZES if size * games <= 2 * BATCH), 1)


def rehearse(
    design: Design, seed: int, numbers: range, workers: Callable[[], Executor]
) -> Iterator[tuple[int, Figures]]:
    """Yield the size and the sums of each batch, in the order of the numbers, as they are finished.

    `workers` starts a pool, and another one if that breaks because a worker has died; finished batches are kept. Raises
    RuleError, WorkersDied, ClusterError.
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
                    # A pool that has broken by now refuses the batch.
                    with without_interrupts():
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
                    phrase(
                        "Workers died {attempts} times at games {first} to {last}; is there memory left?",
                        attempts=attempts,
                        first=following,
                        last=last,
                    )
                ) from error
        except (OtherProgram, ImportError, AttributeError):
            # A worker that joined later may run another program; if so, report it by its name.
            if isinstance(pool, ClusterExecutor):
                pool.check_workers()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _play_as(program: str, design: Design, seed: int, first: int, units: int) -> Figures:
    """Play a batch, provided that this process runs the same program."""
    check_program(design.settings[0].game, program)
    return play_batch(design, seed, first, units)


def _is_whole(future: Future[Figures]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


class _Team:
    """The number of workers of a pool; in a cluster they come and go."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self.count = count_workers(pool)
        self._seen = self._looked = time.monotonic()

    def look(self) -> None:
        """Count the workers again every few seconds. Raises WorkersDied if there have been none for a long time."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        count = count_workers(self._pool)
        self._looked = now
        if count:
            self.count, self._seen = count, now
        elif now - self._seen > _PATIENCE:
            raise WorkersDied(phrase("No worker has been available for {n} seconds.", n=round(_PATIENCE)))
