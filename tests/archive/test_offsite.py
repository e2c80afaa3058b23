"""The offsite copy: it follows where its folder is there, says how it is, and never stands in the way."""

import contextlib
import errno
import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, maintenance
from companion.archive.people import people
from companion.archive.recovery import backups
from companion.archive.storage import checksums
from tests.archive.keepsake import Founded

pytestmark = pytest.mark.files

EVENING = datetime(2026, 3, 14, 22, 0, tzinfo=UTC)


@pytest.fixture
def file(place: str) -> Path:
    with Archive.open(place) as archive:
        archive.found_deck("keepsake", [Founded("Grave Choir")])
    return Path(place)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def play(file: Path, *names: str) -> None:
    """Evenings, each by a program of its own."""
    for name in names:
        with Archive.open(str(file)) as archive:
            people.add_person(archive, name)
            maintenance.end_evening(archive)


def offsite_text(file: Path) -> str:
    state = backups.offsite_state(file)
    assert state
    return str(state.text)


def copies(stick: Path) -> list[Path]:
    return sorted(stick.glob("*/*.sqlite"))


def test_each_backup_is_copied_and_the_copy_is_whole(file: Path, stick: Path) -> None:
    assert backups.offsite_state(file) is None
    backups.start_offsite(file, stick)
    assert offsite_text(file) == "Copy elsewhere: none yet; it is made with the first backup."
    play(file, "Zoe", "Yan")
    newest = backups.list_backups(file)[0].path
    assert copies(stick)[-1].name == newest.name
    assert copies(stick)[-1].read_bytes() == newest.read_bytes()
    assert checksums.first_fault(copies(stick)[-1]) == ""
    assert offsite_text(file) == "Copy elsewhere: up to date."


@pytest.mark.slow
def test_copies_thin_out_as_backups_do(file: Path, stick: Path) -> None:
    backups.start_offsite(file, stick)
    play(file, *(f"Guest {number}" for number in range(20)))
    assert [path.name for path in copies(stick)] == sorted(each.path.name for each in backups.list_backups(file))
    assert 15 < len(copies(stick)) < 20


def test_a_stick_that_is_not_there_is_told_and_catches_up_later(file: Path, stick: Path, tmp_path: Path) -> None:
    backups.start_offsite(file, stick)
    play(file, "Zoe")
    away = stick.rename(tmp_path / "in a drawer")
    play(file, "Yan", "Xia", "Wu")
    assert offsite_text(file).startswith("Copy elsewhere: last 3 evenings ago (")
    assert offsite_text(file).endswith(f"; {stick} is not there.")
    # What is left of a stick is often its empty folder, on the disk of the archive.
    stick.mkdir()
    play(file, "Vic")
    assert "last 4 evenings ago" in offsite_text(file)
    assert copies(stick) == []
    shutil.rmtree(stick)
    away.rename(stick)
    with Archive.open(str(file)) as archive:
        assert maintenance.end_evening(archive) is None, "nothing is new"
    assert offsite_text(file) == "Copy elsewhere: up to date."
    assert len(copies(stick)) == 2, "the newest is copied, not what was missed"


def test_several_archives_have_one_folder_without_collisions(file: Path, stick: Path, tmp_path: Path) -> None:
    other = tmp_path / "club" / file.name
    other.parent.mkdir()
    shutil.copy(file, other)
    for each in (file, other):
        backups.start_offsite(each, stick)
        play(each, "Zoe")
    assert len({path.parent for path in copies(stick)}) == len(copies(stick)) == 2
    assert backups.start_offsite(file, stick) == backups.read_offsite(file), "named again it is the same"


FAILURES = {
    errno.ENOSPC: "the disk there is full",
    errno.EROFS: "nothing may be written there",
    errno.EIO: "Input/output error",
}


@pytest.mark.linux
@pytest.mark.parametrize("failure", FAILURES)
def test_a_copy_that_fails_is_told_and_leaves_nothing_half(
    file: Path, stick: Path, monkeypatch: pytest.MonkeyPatch, failure: int
) -> None:
    backups.start_offsite(file, stick)
    play(file, "Zoe")
    before = copies(stick)

    def fail(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:5000])
        raise OSError(failure, os.strerror(failure))

    monkeypatch.setattr(shutil, "copyfile", fail)
    play(file, "Yan")
    assert offsite_text(file).endswith(f"; {FAILURES[failure]}.")
    assert [path for path in stick.rglob("*") if path.is_file()] == before
    monkeypatch.undo()
    play(file, "Xia")
    assert offsite_text(file) == "Copy elsewhere: up to date."


def test_a_copy_that_is_not_whole_is_none(file: Path, stick: Path) -> None:
    backups.start_offsite(file, stick)
    backup_file = backups.make_backup(file, "evening", EVENING)
    assert backup_file
    with contextlib.closing(sqlite3.connect(backup_file)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'Grave', 'Brave')")
        database.commit()
    backups.update_offsite(file)
    assert copies(stick) == []
    assert "none yet; the copy is incomplete" in offsite_text(file)


def test_what_cannot_be_followed_is_refused(file: Path, stick: Path) -> None:
    with pytest.raises(ArchiveError, match="There is no folder"):
        backups.start_offsite(file, stick / "none")
    backups.make_backup(file, "evening", EVENING)
    with pytest.raises(ArchiveError, match="name a folder elsewhere"):
        backups.start_offsite(file, backups.folder(file))
    assert backups.read_offsite(file) is None


def test_without_a_folder_no_more_is_copied_and_copies_stay(file: Path, stick: Path) -> None:
    backups.start_offsite(file, stick)
    play(file, "Zoe")
    backups.stop_offsite(file)
    play(file, "Yan")
    assert len(copies(stick)) == 1
    assert backups.offsite_state(file) is None
    with Archive.open(str(copies(stick)[0])) as archive:
        assert "Zoe" in {person.name for person in people.all_people(archive)}
