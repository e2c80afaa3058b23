"""Storms in portions, for the processes of a pool: they import this module, and could not import `__main__`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from companion.archive import Archive
from tests.crash import storm, workload

PORTION = 25
"""Storms of one portion."""


def blow_portion(first: int, count: int) -> list[tuple[int, storm.Outcome]]:
    """Storms `first` … one after the other, each over a copy of the same calm archive."""
    with tempfile.TemporaryDirectory() as folder:
        # What this computer remembers of archives, and where it keeps what it saves of them.
        os.environ |= {"XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder}
        calm = Path(folder) / "calm.sqlite"
        with Archive.open(str(calm)):
            pass
        workload.play(calm, seed=0)
        blown = []
        for number in range(first, first + count):
            place = Path(folder) / str(number)
            place.mkdir()
            blown.append((number, storm.blow(number, calm, place)))
        return blown
