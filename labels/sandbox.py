"""Opening untrusted files in a child process with limited memory and time and a minimal environment.

Whatever a file does to the library that decodes it stays in the child: a decompression bomb, a page that never
finishes, a crash. A `Sandbox` starts a module as its child, sends it jobs and passes its answers on as plain data. The
module calls `serve` with the function that does a job. A job that a child refuses raises `BadFile`, and one that kills
it raises `ChildFailed`. Another child then replaces it, so no bad file stops the others.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

CPU_SECONDS: Final = 10
"""The most CPU seconds of a child for one answer: for a picture, or for one page of many."""
MEMORY: Final = 512 << 20
"""The most bytes of memory of a child."""
SECONDS: Final = 20.0
"""The most seconds to wait for an answer if many programs share the machine, and on systems without CPU limits."""
_IDLE_SECONDS: Final = 30
"""A child ends itself after this many seconds without a job."""
_MAX_REPLY_BYTES: Final = 1 << 20
_MAX_ENCLOSED_BYTES: Final = 128 << 20
_PASSED_VARIABLES: Final = (
    "PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    "TMPDIR",
    "TEMP",
    "LANG",
)
"""Children inherit no other environment variables, as these may contain passwords."""

Message = dict[str, object]
"""The messages between the processes: JSON objects."""

_STARTED: Final[Message] = {"begun": True}
_DONE: Final[Message] = {"done": True}


class BadFile(ValueError):
    """A file that a child refused.

    The `refusal` continues a sentence that begins with the file's name, or is a code for such a sentence, which the
    parent says in the reader's language, with the values that it is `about`.
    """

    def __init__(self, refusal: str, *about: str) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.about = about


class ChildFailed(Exception):
    """A child that died during a job: it exceeded its memory or time, or crashed."""


class ChildReply(NamedTuple):
    """An answer of a child, and the bytes enclosed with it."""

    reply: Message
    enclosed: bytes = b""


class Sandbox:
    """A child process that runs `module`, started for the first job and restarted after a job that killed it.

    Threads that share a sandbox wait for each other.
    """

    def __init__(self, module: str, *, niceness: int = 0) -> None:
        self._command = (sys.executable, "-P", "-m", module, str(niceness))
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._process_id = 0

    def start(self) -> None:
        """Start the child early, so that it loads its libraries in the background."""
        with self._lock, suppress(OSError):  # If the system cannot start a process, the first job reports it
            self._running()

    def ask(self, job: Message, until: float = math.inf) -> Iterator[ChildReply]:
        """Run a job and yield each answer as soon as it arrives. Raises BadFile or ChildFailed.

        Nothing is awaited beyond `until`, by the monotonic clock. The child is killed if the caller does not take all
        answers, or presses Ctrl+C.
        """
        with self._lock:
            whole = False
            try:
                yield from _receive_answers(self._start_job(job, until), until)
                whole = True
            except BadFile:
                whole = True
                raise
            finally:
                if not whole:
                    self._end()

    def interrupt(self) -> None:
        """Kill the job that another thread waits for, as if it had taken too long."""
        child = self._child
        if child is not None and self._process_id == os.getpid():
            child.kill()

    def close(self) -> None:
        """End the child, if there is one."""
        with self._lock:
            self._end()

    def _start_job(self, job: Message, until: float) -> subprocess.Popen[bytes]:
        """Return a child that has begun the job. A child that was about to end is replaced once."""
        for _ in range(2):
            with suppress(OSError, ChildFailed):
                child = self._running()
                assert child.stdin is not None
                child.stdin.write(json.dumps(job).encode() + b"\n")
                child.stdin.flush()
                if _receive(child, until).reply == _STARTED:
                    return child
            self._end()
        raise ChildFailed

    def _running(self) -> subprocess.Popen[bytes]:
        # A forked process must not use its parent's child.
        if self._child is None or self._process_id != os.getpid():
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_child_environment(),
                start_new_session=True,
            )
            self._process_id = os.getpid()
            atexit.register(self._end)
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        atexit.unregister(self._end)
        if child is None or self._process_id != os.getpid():
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            assert pipe is not None
            with suppress(OSError):  # unsent data
                pipe.close()


def _child_environment() -> dict[str, str]:
    """Return the environment of a child.

    It imports our modules from the same place, and none from the current folder.
    """
    passed = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    ours = str(Path(__file__).parent.parent)
    passed["PYTHONPATH"] = os.pathsep.join(filter(None, (ours, passed.get("PYTHONPATH"))))
    # Each thread of a library would reserve memory that nothing uses.
    passed |= dict.fromkeys(("MALLOC_ARENA_MAX", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    return passed


def _receive_answers(child: subprocess.Popen[bytes], until: float) -> Iterator[ChildReply]:
    while (answer := _receive(child, until)).reply != _DONE:
        refusal, about = answer.reply.get("refused"), answer.reply.get("about", [])
        if isinstance(refusal, str) and isinstance(about, list):
            raise BadFile(refusal, *map(str, about))
        yield answer


def _receive(child: subprocess.Popen[bytes], until: float) -> ChildReply:
    """Return the next answer of a child: two lengths on a line, JSON, and the enclosed bytes. Raises ChildFailed."""
    stream = child.stdout
    assert stream is not None
    with _deadline(child, min(SECONDS, until - time.monotonic())):
        try:
            size, enclosed = map(int, stream.readline(64).split())
            if not (0 <= size <= _MAX_REPLY_BYTES and 0 <= enclosed <= _MAX_ENCLOSED_BYTES):
                raise ChildFailed
            content, rest = stream.read(size), stream.read(enclosed)
            if len(content) < size or len(rest) < enclosed:
                raise ChildFailed
            decoded = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ChildFailed from error
    if not isinstance(decoded, dict):
        raise ChildFailed
    return ChildReply(decoded, rest)


@contextmanager
def _deadline(child: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
    """Kill the child if the block takes longer than `seconds`."""
    timer = threading.Timer(max(seconds, 0), child.kill)
    timer.daemon = True
    try:
        with _keeping_interrupts():
            timer.start()
        yield
    finally:
        with _keeping_interrupts():
            timer.cancel()
            # Pages are drawn in forks of this process only while it has no second thread.
            if timer.is_alive():
                timer.join()


@contextmanager
def _keeping_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt if Ctrl+C arrives while the block waits for a thread.

    At some moments `threading` makes it an error of its own: it releases a lock that it had not acquired again.
    """
    try:
        yield
    except RuntimeError as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise


def serve(work: Callable[[Message], Iterable[ChildReply]]) -> None:
    """Run the child: do the jobs that arrive on standard input, and end with it."""
    allow_time = _limit_resources(int(sys.argv[1]))
    # Output that a library prints must not mix with the answers.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while job := _next_job():
        _send(out, ChildReply(_STARTED))
        allow_time()
        try:
            for answer in work(job):
                _send(out, answer)
                allow_time()
        except BadFile as error:
            _send(out, ChildReply({"refused": error.refusal, "about": error.about}))
        else:
            _send(out, ChildReply(_DONE))


def _next_job() -> Message | None:
    if hasattr(signal, "alarm"):
        signal.alarm(_IDLE_SECONDS)
    line = sys.stdin.buffer.readline()
    if hasattr(signal, "alarm"):
        signal.alarm(0)
    job: Message | None = json.loads(line) if line else None
    return job


def _send(out: BinaryIO, answer: ChildReply) -> None:
    reply = json.dumps(answer.reply).encode()
    out.write(b"%d %d\n" % (len(reply), len(answer.enclosed)) + reply + answer.enclosed)
    out.flush()


def _limit_resources(niceness: int) -> Callable[[], None]:
    """Limit the memory of this process, and return a function that allows CPU time for the next answer.

    The system counts CPU time from the start of the process.
    """
    if sys.platform == "win32":
        from labels.windows_job import ProcessLimits

        try:
            limits = ProcessLimits(MEMORY)
        except OSError:
            # The waiting time and the size in a picture's header are still limited.
            return lambda: None
        return lambda: limits.allow_time(time.process_time() + CPU_SECONDS)
    import resource

    os.nice(niceness)
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS has RLIMIT_AS but refuses it
            resource.setrlimit(kind, (most, most))

    def allow_time() -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        most = int(time.process_time()) + CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

    return allow_time
