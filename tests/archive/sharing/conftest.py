"""Two devices that share an archive, each with a view of the folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.archive.keepsake  # noqa: F401
from tests.archive.sharing.homes import SharedHome


@pytest.fixture
def ana(tmp_path: Path) -> Iterator[SharedHome]:
    """The first device."""
    home = SharedHome(tmp_path, "ana")
    home.share()
    yield home
    home.close()


@pytest.fixture
def ben(tmp_path: Path) -> Iterator[SharedHome]:
    """The second device."""
    home = SharedHome(tmp_path, "ben")
    home.share()
    yield home
    home.close()
