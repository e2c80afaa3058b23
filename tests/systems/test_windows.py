"""Differences on Windows, by the real commands: open files, names that Windows keeps, encodings, limits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.archive import Archive

pytestmark = pytest.mark.windows

_IN_USE = "Another window or program has"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the companion in a folder, as a user without UTF-8 mode has it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", *words],
        cwd=folder,
        env={**environment, "COMPANION_ARCHIVE": str(folder / "archive.sqlite")},
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


def names(folder: Path) -> set[str]:
    """Return the names of all files below a folder."""
    return {str(file.relative_to(folder)) for file in folder.rglob("*")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a space and umlauts in its name."""
    place = tmp_path / "der Koffer, grün"
    place.mkdir()
    return place


def test_a_pdf_that_a_viewer_has_open_stays_as_it_is(folder: Path) -> None:
    sheet = folder / "starter.pdf"
    sheet.write_bytes(b"%PDF, shown by a viewer")
    with sheet.open("rb"):
        result = run(folder, "labels", "starter", "-o", "starter.pdf", "--force")
    assert result.returncode == 2
    assert "another program has it open" in result.stderr
    assert sheet.read_bytes() == b"%PDF, shown by a viewer"
    assert names(folder) == {"starter.pdf"}


def test_an_archive_that_is_open_is_not_restored_and_nothing_is_left(folder: Path) -> None:
    with Archive.open(str(folder / "archive.sqlite")) as archive:
        archive.sessions()
        assert run(folder, "archive", "backup", "kept.sqlite").returncode == 0
        before = names(folder)
        result = run(folder, "archive", "restore", "kept.sqlite")
        assert result.returncode == 1
        assert result.stderr.startswith(_IN_USE)
        assert "Nothing was changed." in result.stderr
        assert names(folder) == before
    assert run(folder, "archive", "restore", "kept.sqlite").returncode == 0


@pytest.mark.parametrize("name", ["labels.pdf.", "CON", "con.pdf", "com1.pdf", "ab:c.pdf", "a?.pdf"])
def test_a_name_that_windows_changes_or_keeps_is_refused(folder: Path, name: str) -> None:
    result = run(folder, "labels", "starter", "-o", name)
    assert result.returncode in (1, 2)
    assert "Windows" in result.stderr
    assert names(folder) == set()


def test_a_printer_is_not_chosen_from_here(folder: Path) -> None:
    result = run(folder, "labels", "starter", "--print", "office")
    assert (result.returncode, result.stdout) == (1, "")
    assert "leave “office” out" in result.stderr


def test_what_goes_into_a_pipe_is_utf8(folder: Path) -> None:
    assert "Tower's Memory" in run(folder, "game", "show", "decknforge").stdout
    assert "“" in run(folder, "game", "show", "nothing").stderr


def test_a_process_can_limit_itself() -> None:
    code = "from labels.windows_job import ProcessLimits; ProcessLimits(512 << 20).allow_time(60); print('limited')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert result.stdout == "limited\n", result.stderr
