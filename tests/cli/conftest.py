"""What commands that print are tested with: an empty folder, an archive of its own, none of the machine's fonts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from labels import systemfonts


@pytest.fixture
def own_stocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for the user's stocks."""
    folder = tmp_path_factory.mktemp("configuration") / "stocks"
    folder.mkdir()
    return folder


@pytest.fixture
def labels(tmp_path: Path, own_stocks: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs `companion labels` in an empty folder with an archive of its own; `typed` is what somebody types."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))
    monkeypatch.setenv(systemfonts.VARIABLE, str(own_stocks))
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: own_stocks.parent)

    def run(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(main, ["labels", *arguments], input=typed)

    return run
