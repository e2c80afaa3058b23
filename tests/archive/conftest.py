"""What every test of the archive has: the game that they play, and each archive once in a file and once on a server.

Tests that are about files are marked with `files`; on a server there is nothing of what they try.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.archive.keepsake  # noqa: F401
from companion.archive.storage.waiting import waits
from tests.archive import postgres
from tests.conftest import WINDOWS

ON_A_SERVER = pytest.param("postgresql", marks=pytest.mark.slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test that has an archive is made with each engine; those with a server are slow."""
    if "engine" in metafunc.fixturenames:
        in_files = WINDOWS or metafunc.definition.get_closest_marker("files")
        metafunc.parametrize("engine", ["sqlite", *([] if in_files else [ON_A_SERVER])])


@pytest.fixture
def place(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Where a test's archive lies."""
    if engine == "sqlite":
        return str(tmp_path / "archive.sqlite")
    server: postgres.Server = request.getfixturevalue("server")
    return server.url(request.getfixturevalue("database"))


@pytest.fixture
def seconds_waited() -> Iterator[list[int]]:
    """What is shown of waits."""
    seconds: list[int] = []
    waits.listen(seconds.append)
    yield seconds
    waits.listen(None)
