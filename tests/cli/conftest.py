"""What commands that print are tested with: an empty folder, an archive of its own, none of the machine's fonts."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from labels.typesetting import font_files


@pytest.fixture
def own_stocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for the user's stocks."""
    folder = tmp_path_factory.mktemp("configuration") / "stocks"
    folder.mkdir()
    return folder


@pytest.fixture
def labels(
    tmp_path: Path, empty_archive: Path, own_stocks: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """Runs `companion labels` in a folder with nothing but an empty archive; `typed` is what somebody types."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(empty_archive, tmp_path / "archive.sqlite")
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))
    monkeypatch.setenv(font_files.VARIABLE, str(own_stocks))
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: own_stocks.parent)

    def run(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(main, ["labels", *arguments], input=typed)

    return run
