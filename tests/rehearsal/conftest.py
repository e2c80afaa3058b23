"""Rehearsals that tests play belong into no archive but those that a test makes."""

from pathlib import Path

import pytest

from companion.archive.storage.location import VARIABLE


@pytest.fixture(autouse=True)
def _no_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has an archive yet, and names none."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path)
