"""Workers that play the batches of a rehearsal: processes of this machine, or the workers of a Dask cluster.

Both are executors of the standard library. Each worker must run the same program; this is checked beforehand, as
figures of two programs must never be added up.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from importlib import metadata, resources
from importlib.util import find_spec
from multiprocessing import parent_process
from typing import TYPE_CHECKING, Any, Final, TypeVar

from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.errors import SentenceError
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")

_SCHEME: Final = "tcp://"
_EXAMPLE: Final = f"{_SCHEME}192.168.1.10:8786"
_CONNECTING: Final = 5
"""Seconds in which a scheduler must answer, and in which a first worker must connect."""
_DISTRIBUTION: Final = "table-companion"


class ClusterError(SentenceError):
    """A cluster that cannot be used: the scheduler does not answer, it has no workers, or they run another program."""


class OtherProgram(ClusterError):
    """A worker that runs another program than the process that submitted the batch."""


@cache
def program_version(game: str) -> str:
    """Return the version of this program and a digest of the code that determines a game's rehearsals.

    Raises NotationError for an unknown game.
    """
    version = metadata.version(_DISTRIBUTION)
    own = type(registry.game(game)).__module__.rpartition(".")[0]
    digest = hashlib.sha256()
    for package in ("companion.rehearsal", "companion.tabletop", own):
        for path, content in sorted(_code_of(resources.files(package))):
            # A checkout on Windows may have other line endings.
            digest.update(f"{package}/{path}\0".encode() + content.replace(b"\r\n", b"\n") + b"\0")
    return f"{version} ({digest.hexdigest()[:8]})"


def _code_of(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _code_of(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield f"{path}{entry.name}", entry.read_bytes()


def check_program(game: str, expected: str) -> None:
    """Raise OtherProgram if this process runs another program than the one that submitted the batch."""
    if (own := program_version(game)) != expected:
        raise OtherProgram(
            phrase(
                "A worker is companion {program}, and this is {expected}; install the same there and here.",
                program=own,
                expected=expected,
            )
        )


# Processes of this machine


def local_workers(jobs: int, *, are_fresh: bool = False) -> Callable[[], Executor]:
    """Return a function that starts `jobs` processes on this machine.

    Those that `are_fresh` inherit no thread, no file and no database: a server with many of them cannot be forked.
    """
    context = multiprocessing.get_context("spawn") if are_fresh else None

    def begin() -> Executor:
        try:
            return ProcessPoolExecutor(jobs, context, initializer=_init_worker)
        except (ImportError, NotImplementedError, OSError):
            # Systems without shared semaphores, such as some containers, offer no processes; play in this one.
            return ThreadPoolExecutor(1)

    return begin


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Postpone Ctrl+C until the block ends, for this process and for the workers that it starts.

    A worker ignores Ctrl+C from its initializer on; before it, the worker would end with a traceback, and so would a
    server of processes whose caller goes away. Only the main thread of a process is interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    # Another thread may receive the signal, and the handler runs in this one all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    # Workers inherit the mask, which Windows does not have.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, signal.SIG_DFL if handler is None else handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _init_worker() -> None:
    """Leave Ctrl+C to the parent process, and end this one when the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


# Workers of a cluster


def cluster_workers(address: str, game: str) -> Callable[[], Executor]:
    """Return a function that connects to the Dask scheduler at `tcp://HOST:PORT`. The first connection is made at once.

    Raises NotationError if the address is malformed, and ClusterError if Dask is not installed, the scheduler does not
    answer, it has no workers, or a worker runs another program.
    """
    host, _, port = address.removeprefix(_SCHEME).rpartition(":")
    if not (address.startswith(_SCHEME) and host and port.isdecimal()):
        raise NotationError(
            phrase("“{address}” is no scheduler's address; write it as {example}.", address=address, example=_EXAMPLE)
        )
    if not find_spec("distributed"):
        raise ClusterError(
            phrase(
                "Rehearsing on other machines needs Dask: {command}, where FILE is a release's .whl.",
                command='uv tool install "FILE[cluster]"',
            )
        )
    first = [ClusterExecutor(address, game)]
    return lambda: first.pop() if first else ClusterExecutor(address, game)


class ClusterExecutor(Executor):
    """The workers of a Dask cluster, as an executor that closes its connection on shutdown.

    Dask gives the unfinished tasks of a worker that dies to another one. If several workers have died at a batch, or
    the scheduler is lost, the futures raise BrokenExecutor.
    """

    def __init__(self, address: str, game: str) -> None:
        from distributed import Client

        _silence()
        self.address = address
        self._game, self._program = game, program_version(game)
        try:
            self._client: Any = Client(address, timeout=_CONNECTING, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise ClusterError(
                phrase("No Dask scheduler answers at {address}; is it running, and is its port open?", address=address)
            ) from error
        try:
            self._wait_for_worker()
            self.check_workers()
        except BaseException:
            self._client.close()
            raise
        self._pool: Executor = self._client.get_executor(pure=False)

    def _wait_for_worker(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_CONNECTING)
        except TimeoutError as error:
            raise ClusterError(
                phrase(
                    "The scheduler at {address} has no workers; start some with “{command}”.",
                    address=self.address,
                    command=self.hint,
                )
            ) from error

    @property
    def hint(self) -> str:
        """The command that starts workers for this scheduler."""
        return f"dask worker {self.address} --nworkers -1 --nthreads 1"

    def check_workers(self) -> None:
        """Raise OtherProgram if any worker runs another program than this process."""
        answers = self._client.run(program_version, self._game, on_error="return")
        for worker, answer in sorted(answers.items()):
            if answer == self._program:
                continue
            raise OtherProgram(
                phrase(
                    "The worker {worker} is companion {program}, and this is {expected}; install the same everywhere.",
                    worker=worker,
                    program=answer,
                    expected=self._program,
                )
                if isinstance(answer, str)
                else phrase(
                    "The worker {worker} has no companion that can rehearse, and this is {expected}; install the same "
                    "everywhere.",
                    worker=worker,
                    expected=self._program,
                )
            )

    def count(self) -> int:
        """Return the number of batches played at a time; 0 if no worker is left or the scheduler does not answer."""
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError):
            return 0

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Return a future of the function's result on a worker."""
        future: Future[T] = Future()
        self._pool.submit(function, *args, **kwargs).add_done_callback(partial(_hand_on, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the connection; unfinished tasks are dropped."""
        del wait, cancel_futures
        with contextlib.suppress(OSError, TimeoutError):
            self._pool.shutdown(wait=False)
        self._client.close()


def _silence() -> None:
    """Disable Dask's logging: this module reports in its own sentences what matters of it."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _hand_on(future: Future[T], task: Future[T]) -> None:
    from distributed import KilledWorker

    if task.cancelled():
        future.set_exception(BrokenExecutor("The scheduler is gone."))
    elif isinstance(error := task.exception(), KilledWorker):
        future.set_exception(BrokenExecutor(str(error)))
    elif error is not None:
        future.set_exception(error)
    else:
        future.set_result(task.result())


def count_workers(pool: Executor) -> int:
    """Return the number of batches that a pool plays at a time."""
    return pool.count() if isinstance(pool, ClusterExecutor) else int(getattr(pool, "_max_workers", 1))
