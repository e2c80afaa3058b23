"""What running the documents needs: an empty folder, an archive of its own, and nothing of the machine's."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.archive.people import people
from companion.cli.main import main
from labels.typesetting import font_files

Run = Callable[[list[str]], Result]


@pytest.fixture
def companion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command as somebody types it whose archive knows one person; nobody answers what it asks."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))
    with Archive.open() as archive:
        people.add_person(archive, "Quirina")
    monkeypatch.setenv(font_files.VARIABLE, str(tmp_path))
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "configuration")
    return lambda words: CliRunner().invoke(main, words, input="")
