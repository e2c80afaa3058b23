"""The family's files: the same however they come, and nothing that happens to what was kept is printed."""

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from labels.typesetting import font_files

TRUETYPE = b"\0\1\0\0"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "kept")
    yield tmp_path / "kept"
    font_files._load_family_font.cache_clear()


def again() -> bytes:
    """What the next run reads."""
    font_files._load_family_font.cache_clear()
    return font_files.family_font("regular")


def test_what_was_unpacked_once_is_kept_and_read(kept: Path) -> None:
    unpacked = again()
    assert unpacked.startswith(TRUETYPE)
    (file,) = kept.iterdir()
    written = file.stat().st_mtime_ns
    assert again() == unpacked
    assert file.stat().st_mtime_ns == written
    assert font_files.family_font("bold") != unpacked
    assert len(list(kept.iterdir())) == 2


def test_a_damaged_font_is_unpacked_anew(kept: Path) -> None:
    unpacked = again()
    (file,) = kept.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:90_000] + bytes([whole[90_000] ^ 1]) + whole[90_001:], b""):
        file.write_bytes(damaged)
        assert again() == unpacked
        assert file.read_bytes() == whole


def test_that_of_another_version_makes_room(kept: Path) -> None:
    kept.mkdir()
    (kept / "FiraGO_Regular-1-1.font").write_bytes(b"old")
    (kept / "FiraGO_Regular-1-1.4711").write_bytes(b"half of one")
    (kept / "FiraGO_Bold-1-1.font").write_bytes(b"another weight")
    again()
    other, new = sorted(kept.iterdir())
    assert other.name == "FiraGO_Bold-1-1.font"
    assert new.name.startswith("FiraGO_Regular-")
    assert not new.name.startswith("FiraGO_Regular-1-1")


@pytest.mark.posix
def test_a_user_of_whom_the_system_knows_no_home_has_the_fonts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def know_nobody(number: int) -> NoReturn:
        raise KeyError(number)

    unpacked = again()
    monkeypatch.undo()
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", know_nobody)
    assert again() == unpacked
    assert font_files.folders()[-1].is_absolute()


def test_where_nothing_can_be_kept_all_is_printed_the_same(kept: Path) -> None:
    unpacked = again()
    (file,) = kept.iterdir()
    file.unlink()
    kept.rmdir()
    kept.write_text("no folder", encoding="utf-8")
    assert again() == unpacked
    assert kept.read_text(encoding="utf-8") == "no folder"
