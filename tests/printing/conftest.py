"""An archive in a real file, one a test, and a machine without fonts of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.archive.keepsake  # noqa: F401 - registers a second game
from companion.archive import Archive
from labels.typesetting import font_files


@pytest.fixture
def archive(tmp_path: Path, empty_archive: Path) -> Iterator[Archive]:
    with Archive.open(str(shutil.copy(empty_archive, tmp_path / "archive.sqlite"))) as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(font_files.VARIABLE, str(tmp_path / "fonts"))
