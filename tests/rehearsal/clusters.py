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
        self.scheduler = self._begin(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file)
        )
        until = time.monotonic() + PATIENCE
        while not self._file.exists() or not self._file.read_text():
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.05)
        self.address = str(json.loads(self._file.read_text())["address"])

    def begin_worker(self, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """One worker more, which nobody begins again when it dies; it comes when it has loaded."""
        self.workers.append(
            self._begin("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", env=environment)
        )
        return self.workers[-1]

    def _begin(self, *words: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        with (self._folder / "log.txt").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, **(env or {})},
            )


@contextmanager
def running(folder: Path, workers: int) -> Iterator[Cluster]:
    """A cluster with so many workers, until the block ends."""
    cluster = Cluster(folder)
    try:
        for _ in range(workers):
            cluster.begin_worker()
        yield cluster
    finally:
        for process in (*cluster.workers, cluster.scheduler):
            process.kill()
            process.wait()
