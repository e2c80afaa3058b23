"""The campaign, played once for all tests that read it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from tests.campaign import campaign
from tests.time_zone import load_time_zone

Read = Callable[..., str]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with the whole campaign."""
    place = tmp_path_factory.mktemp("campaign") / "archive.sqlite"
    calendar = campaign.Calendar()
    with campaign.opened(place, calendar) as archive:
        campaign.play(archive, calendar)
    return place


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    """What a command prints about an archive, with times as in Greenwich."""
    monkeypatch.setenv("TZ", "UTC")
    load_time_zone()

    def run(place: Path, *arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(main, [*arguments, "--archive", str(place)])
        assert result.exit_code == status, result.stderr
        return result.stdout

    yield run
    monkeypatch.undo()
    load_time_zone()
