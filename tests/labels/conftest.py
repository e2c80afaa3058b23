"""No font of the machine takes part in these tests, so that what cannot be printed is the same everywhere."""

from pathlib import Path

import pytest

from labels.typesetting import font_files


@pytest.fixture(autouse=True)
def fonts_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which fonts of the system are looked for: an empty one."""
    folder = tmp_path_factory.mktemp("fonts")
    monkeypatch.setenv(font_files.VARIABLE, str(folder))
    return folder
