"""What every test of the archive has: the game that they play, and each archive once in a file and once on a server.

Tests that are about files are marked with `files`; on a server there is nothing of what they try.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.archive.keepsake  # noqa: F401
from companion.archive.waiting import waits
from tests.archive import postgres
from tests.conftest import WINDOWS


def pytest_configure(config: pytest.Config) -> None:
    """What a test of the archive may be marked with."""
    config.addinivalue_line("markers", "files: is about an archive in a file, so no server is asked")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test that has an archive is made with each engine."""
    if "engine" in metafunc.fixturenames:
        in_files = WINDOWS or metafunc.definition.get_closest_marker("files")
        metafunc.parametrize("engine", ["sqlite"] if in_files else ["sqlite", "postgresql"])


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
