"""Rehearsals: dungeons a second of processor time, what it costs besides to have others play them, and memory.

In processor time, so that what else the machine does disturbs little; what is read of processes is there on Linux only.
"""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import Final

from companion.rehearsal.design import OneSetting
from companion.rehearsal.run import play_batch, rehearse
from companion.rehearsal.workers import cluster_workers, local_workers
from companion.tabletop.rehearsal import RehearsalSetting
from tests.bench.figures import Figure
from tests.rehearsal import clusters

BUDGET: Final = 60
"""Dungeons a second and core, of three who play at random."""
DUNGEONS: Final = 1200
WORKERS: Final = 4


def figures() -> list[Figure]:
    """Dungeons alone, by processes of this machine, and by a cluster on it."""
    alone = {players: _alone(players) for players in range(1, 6)}
    for_three = DUNGEONS * 1000 / alone[3]
    return [
        *(
            Figure(
                f"dungeons for {players}, of one core",
                rate,
                "/s",
                budget=BUDGET if players == 3 else None,
                at_least=True,
            )
            for players, rate in alone.items()
        ),
        *_together("2 processes", local_workers(2), for_three, multiprocessing.active_children),
        *_in_a_cluster(for_three),
    ]


def _alone(players: int) -> float:
    """Dungeons a second of processor time."""
    design = OneSetting(RehearsalSetting("decknforge", players))
    play_batch(design, 1, 0, 5)
    begun = time.process_time()
    play_batch(design, 1, 0, DUNGEONS // 4)
    return DUNGEONS / 4 / (time.process_time() - begun)


def _in_a_cluster(alone: float) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, clusters.running(Path(folder), WORKERS) as cluster:
        workers = cluster_workers(cluster.address, "decknforge")
        processes = (cluster.scheduler, *cluster.workers)
        return _together(f"a cluster of {WORKERS}", workers, alone, lambda: processes)


def _together(
    who: str, workers: Callable[[], Executor], alone: float, processes: Callable[[], Iterable[object]]
) -> list[Figure]:
    """What all of them take for a thousand dungeons, ours included, beside one alone; the clock's rate; memory."""
    design = OneSetting(RehearsalSetting("decknforge", 3))
    began = {pid: _processor_time(pid) for pid in (os.getpid(), *_pids(processes()))}
    begun = time.perf_counter()
    for _ in rehearse(design, 1, range(DUNGEONS), workers):
        pids = {os.getpid(), *_pids(processes())}
        took = sum(_processor_time(pid) - began.get(pid, 0.0) for pid in pids)
        memory = max(_memory(pid) for pid in pids - {os.getpid()})
    seconds = time.perf_counter() - begun
    return [
        Figure(f"1,000 dungeons for 3 by {who}", took * 1e6 / DUNGEONS, "ms", base=alone * 1000 / DUNGEONS),
        Figure(f"dungeons for 3 by {who}, by the clock", DUNGEONS / seconds, "/s"),
        Figure(f"memory of each of {who}", memory, "MiB"),
    ]


def _pids(processes: Iterable[object]) -> list[int]:
    return [int(process.pid) for process in processes]  # type: ignore[attr-defined]


def _processor_time(pid: int) -> float:
    """Seconds that a process has computed until now."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """MiB that a process had at most."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
