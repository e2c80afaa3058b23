"""A few of the hostile texts, given to every command that reads such files; `tests.hostile` tries hundreds."""

import sys
from pathlib import Path
from random import Random

import pytest

from tests.hostile.texts import KINDS, commands, fault, hostile_files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a child's limits are those of POSIX")
_SAMPLE = 5


def test_hostile_texts_end_in_a_sentence(tmp_path: Path) -> None:
    for kind, file in hostile_files(Random(22), tmp_path, _SAMPLE):
        for command in commands(file):
            wrong, said = fault(command, file, tmp_path / "home.sqlite")
            assert not wrong, (kind, command, wrong, said[-500:])


def test_the_same_seed_makes_the_same_texts() -> None:
    for kind in KINDS:
        if kind not in ("large TOML", "gzip bomb"):  # which only take time
            assert KINDS[kind](Random(7)) == KINDS[kind](Random(7)), kind
