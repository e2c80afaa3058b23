"""Where fonts are looked for, on each system."""

import sys
from pathlib import Path

import pytest

from labels.typesetting import font_files


@pytest.mark.parametrize(
    ("platform", "folders"),
    [
        ("win32", ("Windows/Fonts", "Local/Microsoft/Windows/Fonts")),
        ("darwin", ("Library/Fonts", "/Library/Fonts", "/System/Library/Fonts")),
        ("linux", (".local/share/fonts", "/usr/share/fonts")),
    ],
)
def test_each_system_keeps_fonts_in_its_own_folders(
    platform: str, folders: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (font_files.VARIABLE, "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("WINDIR", "C:/Windows")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    monkeypatch.setattr(sys, "platform", platform)
    places = [folder.as_posix() for folder in font_files.folders()]
    monkeypatch.undo()
    assert [folder for folder in folders if not any(place.endswith(folder) for place in places)] == []


def test_folders_of_ones_own_take_the_place_of_the_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(font_files.VARIABLE, str(tmp_path))
    assert font_files.folders() == (tmp_path,)
