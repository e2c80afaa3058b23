"""Backups: made by themselves, read back, kept or let go, and put in the archive's place."""

import contextlib
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from companion.archive import Archive, ArchiveError, Unreadable, backups, check, lineage, maintenance, people, stored
from companion.archive.restore import restore
from tests.archive import household

pytestmark = pytest.mark.files

ROOT = Path(__file__).parents[2]
EVENING = datetime(2026, 3, 14, 22, 0, tzinfo=UTC)


@pytest.fixture
def file(place: str) -> Path:
    with Archive.open(place, by="tests") as archive:
        household.fill(archive, decks=1)
    return Path(place)


def known(file: Path) -> set[str]:
    with Archive.open(str(file)) as archive:
        return {person.name for person in people.people(archive)}


def add(file: Path, name: str) -> None:
    with Archive.open(str(file)) as archive:
        people.add(archive, name)


def test_an_evening_has_one_backup_with_all_that_was_written(file: Path) -> None:
    made = backups.keep(file, "evening", EVENING)
    assert made
    assert household.stored(made) == household.stored(file)
    assert stored.first_fault(made) == ""
    assert backups.keep(file, "evening", EVENING + timedelta(minutes=5)) is None, "nothing is new"
    add(file, "Zoe")
    later = backups.keep(file, "evening", EVENING + timedelta(minutes=9))
    assert [each.path for each in backups.listed(file)] == [later]
    add(file, "Yan")
    backups.keep(file, "evening", EVENING + timedelta(days=1))
    assert len(backups.listed(file)) == 2


def test_what_a_killed_backup_left_goes_and_what_another_program_is_writing_stays(file: Path) -> None:
    folder = backups.folder(file)
    folder.mkdir()
    left, journal, held = (folder / name for name in (".0a.sqlite", ".0a.sqlite-journal", ".0b.sqlite"))
    for draft in (left, journal, held):
        draft.touch()
    for old in (left, journal):
        os.utime(old, (0, 0))
    made = backups.keep(file, "evening", EVENING)
    assert set(folder.iterdir()) == {made, held}


def test_an_archive_without_an_entry_has_no_backup(place: str) -> None:
    with Archive.open(place) as archive:
        assert maintenance.end_evening(archive) is None
    assert not backups.folder(Path(place)).exists()


def test_the_newest_15_stay_and_all_of_before_migrations(file: Path) -> None:
    for day in range(25):
        add(file, f"Guest {day}")
        if day % 10 == 0:
            backups.before_migration(file, f"{day:04}", EVENING + timedelta(days=day))
        backups.keep(file, "evening", EVENING + timedelta(days=day, minutes=1))
    listed = backups.listed(file)
    assert [each.made.day for each in listed if each.why == "evening"] == [
        (EVENING + timedelta(days=day)).day for day in range(24, 9, -1)
    ]
    assert len([each for each in listed if each.why == "migration"]) == 3


def test_an_hour_of_play_has_a_backup_and_the_minutes_between_have_none(file: Path) -> None:
    assert backups.keep(file, "hour", EVENING)
    add(file, "Zoe")
    assert backups.keep(file, "hour", EVENING + timedelta(minutes=59)) is None
    assert backups.keep(file, "hour", EVENING + timedelta(minutes=61))


def test_what_would_not_be_whole_is_no_backup_and_drives_none_out(file: Path) -> None:
    made = backups.keep(file, "evening", EVENING)
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'Grave', 'Brave')")
        database.execute("UPDATE lineage SET now = 'lineage:other'")
        database.commit()
    with pytest.raises(ArchiveError, match="would not be whole"):
        backups.keep(file, "evening", EVENING + timedelta(days=1))
    assert list(backups.folder(file).iterdir()) == [made]


def test_a_backup_is_made_before_tables_change(tmp_path: Path) -> None:
    old = tmp_path / "archive.sqlite"
    shutil.copy(next((ROOT / "tests" / "editions" / "1").glob("*.sqlite")), old)
    before = old.read_bytes()
    with Archive.open(str(old)):
        pass
    (backup,) = backups.listed(old)
    assert backup.why == "migration"
    was = tmp_path / "was.sqlite"
    was.write_bytes(before)
    assert household.stored(backup.path) == household.stored(was) != {}
    with Archive.open(str(old)):
        pass
    assert len(backups.listed(old)) == 1


def test_restoring_puts_a_backup_in_place_and_keeps_what_was_there(file: Path) -> None:
    made = backups.keep(file, "evening", EVENING)
    assert made
    add(file, "Zoe")
    kept = restore(made, file, EVENING)
    assert kept
    assert kept.parent == file.parent
    assert "Zoe" not in known(file)
    assert "Zoe" in known(kept)
    assert [each.why for each in backups.listed(file)] == ["replaced", "evening"]
    with Archive.open(str(file)) as archive:
        assert check.check(archive) == ()


def test_nothing_is_restored_while_another_program_has_the_archive_open(file: Path) -> None:
    made = backups.keep(file, "evening", EVENING)
    assert made
    opening = f"import time; from companion.archive import Archive; a = Archive.open({str(file)!r});"
    holding = f"{opening} print(1, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", holding], cwd=ROOT, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(ArchiveError, match="Another window or program"):
            restore(made, file, EVENING)
        other.kill()
    assert restore(made, file, EVENING)


@pytest.mark.parametrize(
    "content", [b"", b"Buy sleeves.", b"SQLite format 3\x00" + bytes(5000)], ids=["empty", "text", "destroyed"]
)
def test_what_is_no_backup_is_not_restored(file: Path, tmp_path: Path, content: bytes) -> None:
    before, none = file.read_bytes(), tmp_path / "none.sqlite"
    none.write_bytes(content)
    with pytest.raises(ArchiveError):
        restore(none, file, EVENING)
    with pytest.raises(Unreadable, match="no backup"):
        restore(tmp_path / "nowhere", file, EVENING)
    with pytest.raises(Unreadable, match="is the archive itself"):
        restore(file, file, EVENING)
    assert file.read_bytes() == before
    assert not [path for path in file.parent.iterdir() if "replaced" in path.name or path.name.startswith(".")]


def test_a_damaged_backup_is_not_restored(file: Path) -> None:
    made, before = backups.keep(file, "evening", EVENING), file.read_bytes()
    assert made
    with contextlib.closing(sqlite3.connect(made)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'Grave', 'Brave')")
        database.commit()
    with pytest.raises(ArchiveError, match="Entry 1 of deck:"):
        restore(made, file, EVENING)
    assert file.read_bytes() == before


def test_an_archive_that_is_damaged_or_empty_can_be_replaced(file: Path) -> None:
    told, made = household.stored(file), backups.keep(file, "evening", EVENING)
    assert made
    for content in (bytes(9000), b""):
        file.write_bytes(content)
        with pytest.raises(Unreadable) as refused:
            Archive.open(str(file))
        assert content or made.name in str(refused.value)
        assert restore(made, file, EVENING)
        assert household.stored(file) == told


def test_where_an_archive_was_no_new_one_begins_in_silence(file: Path) -> None:
    made = backups.keep(file, "evening", EVENING)
    assert made
    for gone in (lambda: file.write_bytes(b""), file.unlink):
        gone()
        with pytest.raises(Unreadable, match=r"there was one\. Backups, newest first: .*evening.sqlite"):
            Archive.open(str(file))
    assert not file.exists()


def copied(file: Path, to: Path) -> Path:
    """A copy of the one file as somebody makes it who knows of no other."""
    shutil.copyfile(file, to)
    return to


def abandoned(file: Path, *names: str) -> None:
    """People become known to a program that is killed then: what it wrote waits in the log beside the file."""
    adding = "".join(f"people.add(a, {name!r});" for name in names)
    opening = f"import os; from companion.archive import Archive, people; a = Archive.open({str(file)!r});"
    code = f"{opening} {adding} os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 9
    assert lineage.holds_pages(lineage.log_of(file))


def test_a_copy_by_hand_lacks_nothing_once_what_waits_is_taken_over(file: Path, tmp_path: Path) -> None:
    with Archive.open(str(file)) as archive:
        people.add(archive, "Zoe")
        assert "Zoe" not in known(copied(file, tmp_path / "too early.sqlite"))
        archive.store.settle()
        assert "Zoe" in known(copied(file, tmp_path / "copy.sqlite"))
        people.add(archive, "Yan")
        maintenance.end_evening(archive)
        assert "Yan" in known(copied(file, tmp_path / "later.sqlite"))


def test_within_a_minute_what_was_written_is_in_the_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.archive import store

    monkeypatch.setattr(store, "MINUTE", 0.01)
    with Archive.open(str(file)) as archive:
        people.add(archive, "Zoe")
        copies = (known(copied(file, tmp_path / f"{number}.sqlite")) for number in range(500))
        assert any("Zoe" in copy for copy in copies)


def test_what_waits_beside_its_own_file_is_taken_in(file: Path) -> None:
    abandoned(file, "Zoe", "Yan")
    assert {"Zoe", "Yan"} <= known(file)


def test_a_log_that_belongs_to_another_file_is_explained_and_played_into_none(file: Path, tmp_path: Path) -> None:
    older = copied(file, tmp_path / "older.sqlite")
    made = backups.keep(file, "evening", EVENING)
    assert made
    add(file, "Xia")
    abandoned(file, "Zoe")
    kept = tmp_path / "kept.sqlite"
    for source in (file, lineage.log_of(file)):
        shutil.copyfile(source, kept.with_name(source.name.replace("archive", "kept")))
    for other in (older, made):
        shutil.copyfile(kept, file)
        shutil.copyfile(lineage.log_of(kept), lineage.log_of(file))
        file.with_name(f"{file.name}-shm").unlink(missing_ok=True)
        shutil.copyfile(other, file)
        before = file.read_bytes(), lineage.log_of(file).read_bytes()
        with pytest.raises(Unreadable, match="does not belong to"):
            Archive.open(str(file))
        assert (file.read_bytes(), lineage.log_of(file).read_bytes()) == before
    assert restore(made, file, EVENING)
    assert "Zoe" not in known(file)
    assert "Zoe" in known(kept)


def test_a_log_whose_file_was_copied_and_put_back_meanwhile_is_its_own(file: Path, tmp_path: Path) -> None:
    with Archive.open(str(file)) as archive:
        people.add(archive, "Zoe")
        archive.store.settle()
        copy = copied(file, tmp_path / "copy.sqlite")
    abandoned(file, "Yan")
    shutil.copyfile(file, tmp_path / "now.sqlite")
    assert "Zoe" in known(copy)
    assert {"Zoe", "Yan"} <= known(file)


def _as_nobody(what: str, place: str, said: "multiprocessing.Queue[object]") -> None:
    import resource

    import alembic.command
    import alembic.script

    assert alembic.script, "loaded before, as somebody else may not read where Python is"
    if os.getuid() == 0:
        # Who may do everything is somebody else for a while.
        os.setgid(65534)
        os.setuid(65534)
    if what == "on a full disk":
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        with Archive.open(place) as archive:
            if what == "write":
                people.add(archive, "Zoe")
            names = [row.name for row in archive.decks()] + [person.name for person in people.people(archive)]
            said.put((names, archive.store.only_read))
    except ArchiveError as error:
        said.put(str(error))


def as_nobody(what: str, place: str) -> object:
    """What somebody sees who may not write there."""
    context = multiprocessing.get_context("fork")
    said: multiprocessing.Queue[object] = context.Queue()
    child = context.Process(target=_as_nobody, args=(what, place, said))
    child.start()
    told = said.get(timeout=20)
    child.join()
    return told


@pytest.fixture
def shelf(file: Path) -> Iterator[Path]:
    """The archive in a directory that others can read and not write."""
    from tempfile import mkdtemp

    folder = Path(mkdtemp(prefix="companion-shelf-"))
    shutil.copy(file, folder / file.name)
    yield folder / file.name
    folder.chmod(0o755)
    shutil.rmtree(folder)


def read_only(file: Path) -> None:
    for path in file.parent.iterdir():
        path.chmod(0o444)
    file.parent.chmod(0o555)


STATES = ["at rest", "with a log", "of before"]


def in_state(state: str, file: Path) -> None:
    if state == "with a log":
        abandoned(file, "Zoe")
        file.with_name(f"{file.name}-shm").unlink()
    if state == "of before":
        shutil.copy(next((ROOT / "tests" / "editions" / "1").glob("*.sqlite")), file)


@pytest.mark.posix
@pytest.mark.parametrize("state", STATES)
def test_on_a_full_disk_everything_is_shown_and_nothing_kept(shelf: Path, state: str) -> None:
    in_state(state, shelf)
    for path in (*shelf.parent.iterdir(), shelf.parent):
        path.chmod(0o777)
    before = shelf.read_bytes()
    names, only_read = cast("tuple[list[str], str]", as_nobody("on a full disk", str(shelf)))
    assert names
    assert ("Zoe" in names) == (state == "with a log")
    assert "nothing can be kept" in only_read
    assert shelf.read_bytes() == before


@pytest.mark.posix
@pytest.mark.parametrize("state", STATES)
def test_what_can_only_be_read_shows_everything_and_keeps_nothing(shelf: Path, state: str) -> None:
    in_state(state, shelf)
    read_only(shelf)
    before = sorted((path.name, path.read_bytes()) for path in shelf.parent.iterdir())
    names, only_read = cast("tuple[list[str], str]", as_nobody("look", str(shelf)))
    assert ("Zoe" in names) == (state == "with a log")
    assert names
    assert "nothing can be kept" in only_read
    refused = as_nobody("write", str(shelf))
    assert "can only be read" in str(refused)
    assert sorted((path.name, path.read_bytes()) for path in shelf.parent.iterdir()) == before
