"""Brings hostile files in by every way, and tells what did not end in a sentence within the limits."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from tests.hostile import steers
from tests.hostile.files import HostileFile, Way

CPU_SECONDS: Final = 36.0
"""For a file whose pages are given up after three, ten seconds each; the limits of one are those of its child."""
CHILD_MEGABYTES: Final = 512
SECONDS: Final = 120.0
_MEGABYTES: Final = 100
"""What our own process may grow by a file."""
_MAX_OUTPUT: Final = 20_000


class Trial(NamedTuple):
    """A file brought in by a way: what was said, what it took of our children, and what is wrong, "" for nothing.

    `cpu` is in seconds; `megabytes` is the most that any child had until then.
    """

    file: HostileFile
    way: str
    output: str
    cpu: float
    megabytes: int
    wrong: str


def trials(files: Iterable[HostileFile], folder: Path, only: Iterable[str] = ()) -> Iterator[Trial]:
    """Tries each file by all ways in for its module, or by `only` some."""
    ways_by_module: dict[str, dict[str, Way]] = {}
    chosen = set(only)
    with ExitStack() as stack:
        for number, file in enumerate(files):
            if file.module not in ways_by_module:
                place = folder / file.module.rpartition(".")[2]
                place.mkdir()
                ways_by_module[file.module] = dict(stack.enter_context(import_module(file.module).ways(place)))
            place = folder / str(number)
            place.mkdir()
            (place / file.name).write_bytes(file.content)
            for name, way in ways_by_module[file.module].items():
                fits = import_module(file.module).fits(file.name, name)
                if fits and (not chosen or name in chosen):
                    yield _tried(file, name, way, place / file.name)


def _tried(file: HostileFile, name: str, way: Way, path: Path) -> Trial:
    from tests.hostile.picture_ways import end_children

    end_children()
    began, cpu, room, before = time.monotonic(), _cpu(), _room(), _child()
    try:
        output, wrong = way(path), ""
    except (AssertionError, MemoryError, OSError) as error:
        output, wrong = "", f"{type(error).__name__}: {error}"
    end_children()
    took, cpu, grown = time.monotonic() - began, _cpu() - cpu, _room() - room
    faults = {
        "nothing is said": not output.strip(),
        f"{len(output)} symbols are said": len(output) > _MAX_OUTPUT,
        "a traceback": "Traceback" in output,
        "what steers a terminal": bool(steers(output)),
        f"{cpu:.0f} s of CPU": cpu > CPU_SECONDS,
        f"{took:.0f} s": took > SECONDS,
        f"a child took {_child()} MB": before <= CHILD_MEGABYTES < _child(),
        f"our own process grew by {grown} MB": grown > _MEGABYTES,
    }
    fault_text = wrong or "; ".join(fault for fault, is_so in faults.items() if is_so)
    return Trial(file, name, output, cpu, _child(), fault_text)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _child() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10


def _room() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
