"""Systems to test on: each is made in a cache folder, gets a copy of the source, and runs tests in it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout that is tested."""

FIRST: Final = ("tests/tui/test_first_evening.py",)
"""The first evening: the screen starts, and a round can be played on it."""

STARTING: Final = (
    *(f"tests/tui/test_{name}.py" for name in ("start", "ends", "tasks", "strange_terminals")),
    *(f"tests/cli/test_{name}.py" for name in ("main", "serve", "demo")),
)
"""Tests that start the real program, in a minute or two; all of tests/cli takes ten on a machine with other work."""


class Unavailable(Exception):
    """This machine lacks what a system is made with; the message says what, and how to get it."""


@dataclass(frozen=True)
class Run:
    """One run on a system.

    Attributes:
        label: Its name in the report.
        arguments: What Python is called with.
        environment: Variables beside those of the system.
        is_outside: Whether this machine's Python runs it, as what the system shows is looked at from outside.
    """

    label: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_outside: bool = False


def pytest_run(label: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Run:
    """Return a run of pytest on two processes a core, as `make test` has them."""
    options = ("-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-p", "no:cacheprovider")
    return Run(label, (*options, *arguments), environment or {})


class System(ABC):
    """A system in a folder of the cache.

    Attributes:
        name: What the system is called on the command line.
    """

    name: str

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self.folder = cache / self.name

    @abstractmethod
    def check_tools(self) -> None:
        """Raise Unavailable if this machine lacks what the system is made with."""

    @abstractmethod
    def prepare(self, *, is_whole: bool) -> None:
        """Make the system, or complete it after a change of the project's dependencies.

        Args:
            is_whole: Whether the whole suite is to run, which needs browsers, a compiler and networks, too.

        Raises:
            subprocess.CalledProcessError: Something could not be fetched or installed; worth another try.
        """

    @abstractmethod
    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start Python with these arguments in the copy of the source; its output comes by one pipe, line by line."""

    def default_runs(self) -> Sequence[Run]:
        """Return the runs that tell most in a short time: those that start the real program."""
        return (pytest_run("first evening", *FIRST), pytest_run("starting", *STARTING))

    def all_runs(self) -> Sequence[Run]:
        """Return the runs of the whole suite."""
        return (pytest_run("all tests"), pytest_run("slow tests", "-m", "slow or hypothesis"))


def copy_source(target: Path) -> None:
    """Copy the working tree as it stands: a clone, for tests that ask git, with what is not committed laid over it.

    Files that git ignores stay behind. An older copy is replaced, except its environment (`.venv`).
    """
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", str(target)], check=True)
    for name in _list_files("--deleted"):
        (target / name).unlink(missing_ok=True)
    for name in {*_list_files("--modified"), *_list_files("--others")} - _list_files("--deleted"):
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, file, follow_symlinks=False)


def _list_files(kind: str) -> set[str]:
    command = ["git", "ls-files", "-z", "--exclude-standard", kind]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return set(filter(None, output.split("\0")))


def open_pipe(
    command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
) -> subprocess.Popen[str]:
    """Start a program whose output, errors included, is read line by line.

    It does not see CI: what a system lacks is left out there, and the report counts it.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**inherited, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def hash_dependencies() -> str:
    """Return what tells whether an environment was made for the dependencies as they are now."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()[:16]


def run_command(*command: str, environment: Mapping[str, str] | None = None) -> None:
    """Run a command, and show what it prints only if it fails.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    result = subprocess.run(
        command,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
        encoding="utf-8",
        errors="replace",
    )
    if result.returncode:
        print(result.stdout[-4000:], flush=True)
        raise subprocess.CalledProcessError(result.returncode, command[0], result.stdout)
