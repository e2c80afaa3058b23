"""A few of the hostile texts, given to every command that reads such files; `tests.hostile` tries hundreds."""

from pathlib import Path
from random import Random

import pytest

from tests.hostile.files import hostile_files
from tests.hostile.texts import KINDS
from tests.hostile.trial import trials

pytestmark = pytest.mark.posix
_SAMPLE = 5


@pytest.mark.slow
def test_hostile_texts_end_in_a_sentence(tmp_path: Path) -> None:
    tried = [*trials(hostile_files(22, _SAMPLE, ("texts",)), tmp_path)]
    assert len(tried) >= _SAMPLE
    assert not [(trial.file.kind, trial.way, trial.wrong) for trial in tried if trial.wrong]


def test_the_same_seed_makes_the_same_texts() -> None:
    for kind in KINDS:
        if kind not in ("large TOML", "gzip bomb"):  # which only take time
            assert KINDS[kind](Random(7)) == KINDS[kind](Random(7)), kind
