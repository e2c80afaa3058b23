"""Files that want to harm, of all kinds, from a seed: each of them ends in a sentence, by every way in.

A module beside this one brings kinds: `KINDS` has the makers of their files by name, and `ways` opens the ways in
that such files have, for as long as a block lasts. `python -m tests.hostile 300` tries them all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

_MODULES: Final = ("pictures", "texts")


class Made(NamedTuple):
    """What a maker has made: a file's name, and what is in it."""

    name: str
    content: bytes


Maker = Callable[[random.Random], Made]
Way = Callable[[Path], str]
"""Brings a file in, and gives all that was said; raises AssertionError where it was taken for what it is not."""
Ways = Callable[[Path], AbstractContextManager[Mapping[str, Way]]]
"""Opens ways in by their names, in a folder for what they need."""


class HostileFile(NamedTuple):
    """A file, which kind it is, and the module whose ways in it is meant for."""

    kind: str
    name: str
    content: bytes
    module: str


def modules() -> Iterator[str]:
    """The modules that bring kinds, as far as they are there."""
    return (name for each in _MODULES if find_spec(name := f"{__package__}.{each}"))


def kinds() -> Mapping[str, tuple[Maker, str]]:
    """All kinds there are, each with its maker and its module."""
    return {kind: (maker, module) for module in modules() for kind, maker in import_module(module).KINDS.items()}


def hostile_files(seed: int, count: int) -> Iterator[HostileFile]:
    """So many files, of all kinds in turn; the same ones for the same seed."""
    known = list(kinds().items())
    random.Random(seed).shuffle(known)
    for number in range(count):
        kind, (maker, module) = known[number % len(known)]
        made = maker(random.Random(f"{seed} {number} {kind}"))
        yield HostileFile(kind, made.name, made.content, module)
