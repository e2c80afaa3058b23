"""Files that want to harm, of all kinds, from a seed: each of them ends in a sentence, by every way in.

A module beside this one brings kinds: `KINDS` has the makers of their files by name, `ways` opens the ways in that such
files have, for as long as a block lasts, and `fits` says which of these a file has. `python -m tests.hostile 300` tries
them all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

_MODULES: Final = ("pictures", "texts")


class NamedContent(NamedTuple):
    """What a maker has made: a file's name, and what is in it."""

    name: str
    content: bytes


Maker = Callable[[random.Random], NamedContent]
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


def kinds(only: Collection[str] = _MODULES) -> Mapping[str, tuple[Maker, str]]:
    """The kinds of all modules, or `only` of some, each with its maker and its module."""
    modules = (f"{__package__}.{name}" for name in _MODULES if name in only)
    return {kind: (maker, module) for module in modules for kind, maker in import_module(module).KINDS.items()}


def hostile_files(seed: int, count: int, only: Collection[str] = _MODULES) -> Iterator[HostileFile]:
    """So many files, of all kinds in turn, or of those of `only` some modules; the same ones for the same seed."""
    makers = list(kinds(only).items())
    random.Random(seed).shuffle(makers)
    for number in range(count):
        kind, (maker, module) = makers[number % len(makers)]
        file = maker(random.Random(f"{seed} {number} {kind}"))
        yield HostileFile(kind, file.name, file.content, module)
