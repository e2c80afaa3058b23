"""Archives in real files, one a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def archive(place: str) -> Iterator[Archive]:
    with Archive.open(place, by="tests") as opened:
        yield opened
