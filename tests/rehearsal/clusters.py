"""A cluster on this machine: Dask's own scheduler and workers, each a process that can be killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0
"""Seconds after which a cluster that is not there has failed."""


class Cluster:
    """A scheduler at 127.0.0.1, and the workers that were begun for it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.begin(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file)
        )
        until = time.monotonic() + PATIENCE
        while not self._file.exists() or not self._file.read_text(encoding="utf-8"):
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.05)
        self.address = str(json.loads(self._file.read_text(encoding="utf-8"))["address"])

    def begin_worker(self, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """One worker more, which nobody begins again when it dies; it comes when it has loaded."""
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        self.workers.append(self.begin(*words, environment=environment))
        return self.workers[-1]

    def begin(self, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """What `dask` begins by these words; it ends with the cluster."""
        with (self._folder / "log.txt").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, **(environment or {})},
            )
        self._processes.append(process)
        return process

    def end(self) -> None:
        """Kills all of it; workers end when who looks after them is gone."""
        for process in self._processes:
            process.kill()
            process.wait()

    def wait_for_workers(self, count: int) -> None:
        """Waits until so many have come."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE)


@contextmanager
def running(folder: Path, workers: int) -> Iterator[Cluster]:
    """A cluster with so many workers, until the block ends."""
    cluster = Cluster(folder)
    try:
        for _ in range(workers):
            cluster.begin_worker()
        if workers:
            cluster.wait_for_workers(workers)
        yield cluster
    finally:
        cluster.end()
