"""Backups: made by themselves, read back, kept or let go, and put in the archive's place."""

import contextlib
import itertools
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, ArchiveError, Unreadable, maintenance
from companion.archive.people import people
from companion.archive.recovery import backups, last_seen
from companion.archive.recovery.restore import restore
from companion.archive.storage import checksums, files, wal_guard
from tests.archive import household
from tests.rights import obey_modes

pytestmark = pytest.mark.files

ROOT = Path(__file__).parents[2]
EVENING = datetime(2026, 3, 14, 22, 0, tzinfo=UTC)


@pytest.fixture
def file(place: str) -> Path:
    with Archive.open(place, by="tests") as archive:
        household.fill(archive, decks=1)
    return Path(place)


def names_in(file: Path) -> set[str]:
    with Archive.open(str(file)) as archive:
        return {person.name for person in people.all_people(archive)}


def add_person(file: Path, name: str) -> None:
    with Archive.open(str(file)) as archive:
        people.add_person(archive, name)


class Uptime:
    """How long a program runs, in seconds that a test says."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_an_evening_has_one_backup_with_all_that_was_written(file: Path) -> None:
    uptime = Uptime()
    schedule = backups.Schedule(file, uptime)
    backup_file_file = schedule.end_evening(EVENING)
    assert backup_file_file
    assert household.stored(backup_file_file) == household.stored(file)
    assert checksums.first_fault(backup_file_file) == ""
    assert schedule.end_evening(EVENING) is None, "nothing is new"
    add_person(file, "Zoe")
    later = schedule.end_evening(EVENING)
    assert [each.path for each in backups.list_backups(file)] == [later]
    add_person(file, "Yan")
    uptime.seconds += 4000
    schedule.end_evening(EVENING)
    assert len(backups.list_backups(file)) == 2


def test_what_a_killed_backup_left_is_removed(file: Path) -> None:
    folder = backups.folder(file)
    folder.mkdir()
    left, journal, held = (folder / name for name in (".0a.sqlite", ".0a.sqlite-journal", ".0b.sqlite"))
    for draft in (left, journal, held):
        draft.touch()
    for old in (left, journal):
        os.utime(old, (0, 0))
    backup_file_file = backups.make_backup(file, "evening", EVENING)
    assert set(folder.iterdir()) == {backup_file_file, held}


def test_an_archive_without_an_entry_has_no_backup(place: str) -> None:
    with Archive.open(place) as archive:
        assert maintenance.end_evening(archive) is None
    assert not backups.folder(Path(place)).exists()


@pytest.mark.slow
def test_the_newest_15_stay_and_all_of_before_migrations(file: Path) -> None:
    backup_file_file = []
    for day in range(25):
        add_person(file, f"Guest {day}")
        if day % 10 == 0:
            backups.before_migration(file, f"{day:04}", EVENING + timedelta(days=day))
        backup_file_file.append(backups.make_backup(file, "evening", EVENING + timedelta(days=day, minutes=1)))
    listed = backups.list_backups(file)
    evenings = [each.path for each in listed if each.why == "evening"]
    assert evenings[:15] == backup_file_file[:9:-1]
    assert 2 <= len(evenings[15:]) <= 5, "older ones thin out"
    assert len([each for each in listed if each.why == "migration"]) == 3


def evenings(file: Path) -> list[Path]:
    """Backups of evenings, newest first."""
    return [each.path for each in backups.list_backups(file) if each.why == "evening"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("year", [1970, 2020, 2099])
def test_a_wrong_clock_drives_no_backup_out_and_stops_none(file: Path, year: int) -> None:
    backup_file_file = []
    for day in range(18):
        add_person(file, f"Guest {day}")
        wrong = EVENING.replace(year=year) if day == 14 else EVENING + timedelta(days=day)
        backup_file_file.append(backups.make_backup(file, "evening", wrong))
        assert evenings(file)[:15] == backup_file_file[::-1][:15]


def test_days_that_begin_in_1970_each_time_have_a_backup_each(file: Path) -> None:
    """As on a computer without a battery for its clock."""
    for guest in ("Zoe", "Yan", "Xia"):
        add_person(file, guest)
        assert backups.Schedule(file).end_evening(datetime(1970, 1, 1, tzinfo=UTC))
    assert [names_in(path) >= {"Zoe", "Yan", "Xia"} for path in evenings(file)] == [True, False, False]


def test_older_backups_are_ordered_by_their_entries(tmp_path: Path) -> None:
    file = tmp_path / "archive.sqlite"
    folder = backups.folder(file)
    folder.mkdir()
    for number, year in enumerate((2099, 2021, 2026, 2020, 2022), start=1):
        shutil.copy(ROOT / "tests" / "editions" / str(number) / "archive.sqlite", file)
        shutil.copy(file, folder / f"{year}-01-01-200000-evening.sqlite")
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Zoe")
        backup_file_file = maintenance.end_evening(archive)
    entries = [len(household.stored(each.path)) for each in backups.list_backups(file)]
    assert entries == sorted(entries, reverse=True)
    assert backups.list_backups(file)[0].path == backup_file_file


def test_growth_rises_with_every_transaction_and_a_copy_has_it(file: Path, tmp_path: Path) -> None:
    before = backups.read_growth(file)
    for number in range(3):
        add_person(file, f"Guest {number}")
    assert backups.read_growth(file) == before + 3
    backups.copy_file(file, tmp_path / "copy.sqlite")
    assert backups.read_growth(tmp_path / "copy.sqlite") == before + 3


@pytest.mark.slow
def test_play_after_a_restore_is_newer_than_all_before(file: Path) -> None:
    backup_file_file = []
    for day in range(20):
        add_person(file, f"Guest {day}")
        backup_file_file.append(backups.make_backup(file, "evening", EVENING))
    abandoned = evenings(file)
    add_person(file, "Only here")
    last = backups.read_growth(file)
    back_to = backup_file_file[12]
    assert back_to
    kept = restore(back_to, file, EVENING)
    assert backups.read_growth(file) > last
    add_person(file, "Later")
    new = backups.make_backup(file, "evening", EVENING)
    assert evenings(file)[0] == new
    assert evenings(file)[1:15] == abandoned[:14], "what was left behind is not let go of at once"
    assert kept in [each.path for each in backups.list_backups(file)]
    assert new
    assert "Later" in names_in(new)


def test_an_older_file_copied_over_by_hand_goes_on_as_the_newest(file: Path) -> None:
    old = backups.make_backup(file, "evening", EVENING)
    assert old
    content = old.read_bytes()
    for day in range(5):
        add_person(file, f"Guest {day}")
        backups.make_backup(file, "evening", EVENING)
    before = evenings(file)
    file.write_bytes(content)
    last_seen.forget(file)  # as on a computer that has not seen the newer one
    add_person(file, "Later")
    new = backups.make_backup(file, "evening", EVENING)
    assert evenings(file) == [new, *before]
    assert names_in(file) == names_in(cast("Path", new))
    assert backups.make_backup(file, "evening", EVENING) is None, "nothing is new"


def test_a_restored_older_backup_goes_on_as_the_newest(file: Path, tmp_path: Path) -> None:
    for day in range(3):
        add_person(file, f"Guest {day}")
        backups.make_backup(file, "evening", EVENING)
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE lineage SET growth = 5000")
        database.commit()
    restore(copied(ROOT / "tests" / "editions" / "2" / "archive.sqlite", tmp_path / "old.sqlite"), file, EVENING)
    assert backups.read_growth(file) == 5001
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Later")
    assert backups.read_growth(file) > 5001
    new = backups.make_backup(file, "evening", EVENING)
    assert evenings(file)[0] == new


def test_an_hour_of_play_has_a_backup_whatever_the_clock_says(file: Path) -> None:
    uptime = Uptime()
    schedule = backups.Schedule(file, uptime)
    assert schedule.pass_hour(EVENING.replace(year=2099)), "the first is due at once"
    for minutes, is_due in ((30, False), (59, False), (61, True)):
        add_person(file, f"Guest {minutes}")
        uptime.seconds = 1000 + minutes * 60
        assert bool(schedule.pass_hour(EVENING)) == is_due


def test_the_hour_begins_anew_with_another_programs_backup(file: Path) -> None:
    uptime = Uptime()
    schedule = backups.Schedule(file, uptime)
    assert schedule.pass_hour(EVENING)
    uptime.seconds += 3500
    add_person(file, "Zoe")
    assert backups.Schedule(file).end_evening(EVENING)
    assert schedule.pass_hour(EVENING) is None
    uptime.seconds += 3500
    add_person(file, "Yan")
    assert schedule.pass_hour(EVENING) is None
    uptime.seconds += 200
    assert schedule.pass_hour(EVENING)


def test_an_hour_at_a_table_leaves_a_backup_by_itself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.archive import store

    monkeypatch.setattr(store, "SETTLE_SECONDS", 0.01)
    monkeypatch.setattr(backups, "HOUR", 0.5)
    begun = time.monotonic()
    with Archive.open(str(file)) as archive:
        guests = 0
        while len([each for each in backups.list_backups(file) if each.why == "hour"]) < 2:
            people.add_person(archive, f"Guest {guests}")
            guests += 1
            time.sleep(0.05)
            assert time.monotonic() < begun + 30, "no backup was made"


steps = st.lists(st.integers(1, 400), min_size=1, max_size=150)


@given(steps)
def test_thinning_keeps_the_newest_and_one_of_each_band(distances: list[int]) -> None:
    growths = [*itertools.accumulate(distances)]
    retained = backups.select_retained(growths)
    assert set(growths[-15:]) <= retained <= set(growths)
    assert backups.select_retained(retained) == retained
    behind = {growth: (growths[-1] - growth).bit_length() for growth in growths[:-15]}
    assert {behind[growth] for growth in retained & behind.keys()} == set(behind.values())
    assert all(sum(behind.get(growth) == band for growth in retained) <= 2 for band in behind.values())


@given(steps)
def test_thinning_each_time_leaves_a_tail_without_holes(distances: list[int]) -> None:
    growths = [*itertools.accumulate(distances)]
    retained: frozenset[int] = frozenset()
    for number in growths:
        retained = backups.select_retained({*retained, number})
    for number in growths:
        behind = growths[-1] - number
        assert any(number - 2 * behind <= kept <= number for kept in retained), number
    assert growths[0] in retained
    assert len(retained) <= 15 + 2 * growths[-1].bit_length()


def test_a_copy_not_whole_is_no_backup_and_drives_none_out(file: Path) -> None:
    backup_file_file = backups.make_backup(file, "evening", EVENING)
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'Grave', 'Brave')")
        database.execute("UPDATE lineage SET now = 'lineage:other'")
        database.commit()
    with pytest.raises(ArchiveError, match="would be incomplete"):
        backups.make_backup(file, "evening", EVENING + timedelta(days=1))
    assert list(backups.folder(file).iterdir()) == [backup_file_file]


def test_a_backup_is_made_before_tables_change(tmp_path: Path) -> None:
    old = tmp_path / "archive.sqlite"
    shutil.copy(next((ROOT / "tests" / "editions" / "1").glob("*.sqlite")), old)
    before = old.read_bytes()
    with Archive.open(str(old)):
        pass
    (backup,) = backups.list_backups(old)
    assert backup.why == "migration"
    was = tmp_path / "was.sqlite"
    was.write_bytes(before)
    assert household.stored(backup.path) == household.stored(was) != {}
    with Archive.open(str(old)):
        pass
    assert len(backups.list_backups(old)) == 1


def test_a_restore_replaces_the_archive_and_keeps_it(file: Path) -> None:
    backup_file_file = backups.make_backup(file, "evening", EVENING)
    assert backup_file_file
    add_person(file, "Zoe")
    kept = restore(backup_file_file, file, EVENING)
    assert kept
    assert kept.parent == file.parent
    assert "Zoe" not in names_in(file)
    assert "Zoe" in names_in(kept)
    assert [each.why for each in backups.list_backups(file)] == ["replaced", "evening"]
    with Archive.open(str(file)) as archive:
        assert maintenance.check_archive(archive) == ()


def test_an_archive_open_elsewhere_is_not_replaced(file: Path) -> None:
    backup_file_file = backups.make_backup(file, "evening", EVENING)
    assert backup_file_file
    opening = f"import time; from companion.archive import Archive; a = Archive.open({str(file)!r});"
    holding = f"{opening} print(1, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", holding], cwd=ROOT, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(ArchiveError, match="Another window or program"):
            restore(backup_file_file, file, EVENING)
        other.kill()
    assert restore(backup_file_file, file, EVENING)


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
    backup_file_file, before = backups.make_backup(file, "evening", EVENING), file.read_bytes()
    assert backup_file_file
    with contextlib.closing(sqlite3.connect(backup_file_file)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'Grave', 'Brave')")
        database.commit()
    with pytest.raises(ArchiveError, match="Entry 1 of deck:"):
        restore(backup_file_file, file, EVENING)
    assert file.read_bytes() == before


def test_an_archive_that_is_damaged_or_empty_can_be_replaced(file: Path) -> None:
    answer, backup_file_file = household.stored(file), backups.make_backup(file, "evening", EVENING)
    assert backup_file_file
    for content in (bytes(9000), b""):
        file.write_bytes(content)
        with pytest.raises(Unreadable) as refused:
            Archive.open(str(file))
        assert content or backup_file_file.name in str(refused.value)
        assert restore(backup_file_file, file, EVENING)
        assert household.stored(file) == answer


def test_where_an_archive_was_no_new_one_begins_in_silence(file: Path) -> None:
    backup_file_file = backups.make_backup(file, "evening", EVENING)
    assert backup_file_file
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
    adding = "".join(f"people.add_person(a, {name!r});" for name in names)
    opening = (
        "import os; from companion.archive import Archive; from companion.archive.people import people; "
        f"a = Archive.open({str(file)!r});"
    )
    code = f"{opening} {adding} os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 9
    assert wal_guard.holds_pages(wal_guard.log_of(file))


def test_a_copy_by_hand_lacks_nothing_after_a_minute(file: Path, tmp_path: Path) -> None:
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Zoe")
        assert "Zoe" not in names_in(copied(file, tmp_path / "too early.sqlite"))
        archive.store.settle()
        assert "Zoe" in names_in(copied(file, tmp_path / "copy.sqlite"))
        people.add_person(archive, "Yan")
        maintenance.end_evening(archive)
        assert "Yan" in names_in(copied(file, tmp_path / "later.sqlite"))


def test_within_a_minute_what_was_written_is_in_the_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.archive import store

    monkeypatch.setattr(store, "SETTLE_SECONDS", 0.01)
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Zoe")
        copies = (names_in(copied(file, tmp_path / f"{number}.sqlite")) for number in range(500))
        assert any("Zoe" in copy for copy in copies)


def test_what_waits_beside_its_own_file_is_taken_in(file: Path) -> None:
    abandoned(file, "Zoe", "Yan")
    assert {"Zoe", "Yan"} <= names_in(file)


def test_a_log_of_another_file_is_explained_and_not_played(file: Path, tmp_path: Path) -> None:
    older = copied(file, tmp_path / "older.sqlite")
    backup_file_file = backups.make_backup(file, "evening", EVENING)
    assert backup_file_file
    add_person(file, "Xia")
    abandoned(file, "Zoe")
    kept = tmp_path / "kept.sqlite"
    for source in (file, wal_guard.log_of(file)):
        shutil.copyfile(source, kept.with_name(source.name.replace("archive", "kept")))
    for other in (older, backup_file_file):
        shutil.copyfile(kept, file)
        shutil.copyfile(wal_guard.log_of(kept), wal_guard.log_of(file))
        file.with_name(f"{file.name}-shm").unlink(missing_ok=True)
        shutil.copyfile(other, file)
        before = file.read_bytes(), wal_guard.log_of(file).read_bytes()
        with pytest.raises(Unreadable, match="does not belong to"):
            Archive.open(str(file))
        assert (file.read_bytes(), wal_guard.log_of(file).read_bytes()) == before
    assert restore(backup_file_file, file, EVENING)
    assert "Zoe" not in names_in(file)
    assert "Zoe" in names_in(kept)


def test_a_log_whose_file_was_put_back_is_its_own(file: Path, tmp_path: Path) -> None:
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Zoe")
        archive.store.settle()
        copy = copied(file, tmp_path / "copy.sqlite")
    abandoned(file, "Yan")
    shutil.copyfile(file, tmp_path / "now.sqlite")
    assert "Zoe" in names_in(copy)
    assert {"Zoe", "Yan"} <= names_in(file)


def _open_without_rights(what: str, place: str, answers: "multiprocessing.Queue[object]") -> None:
    assert sys.platform != "win32", "its tests are marked posix"
    import resource

    obey_modes()
    if what == "on a full disk":
        # Too little for the index of a log, which is what a disk without room refuses first.
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        # Before 3.14, Python keeps the half of a compiled module that the limit lets it write, for all other programs.
        sys.dont_write_bytecode = True
    try:
        with Archive.open(place) as archive:
            if what == "write":
                people.add_person(archive, "Zoe")
            names = [row.name for row in archive.decks()] + [person.name for person in people.all_people(archive)]
            answers.put((names, archive.store.read_only_reason))
    except ArchiveError as error:
        answers.put(str(error))


def open_without_rights(what: str, place: str) -> object:
    """What somebody sees who may not write there."""
    context = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[object] = context.Queue()
    child = context.Process(target=_open_without_rights, args=(what, place, answers))
    child.start()
    answer = answers.get(timeout=20)
    child.join()
    return answer


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


@pytest.mark.sample(3)
@pytest.mark.posix
@pytest.mark.parametrize("state", STATES)
def test_on_a_full_disk_everything_is_shown_and_nothing_kept(shelf: Path, state: str) -> None:
    in_state(state, shelf)
    for path in (*shelf.parent.iterdir(), shelf.parent):
        path.chmod(0o777)
    before = shelf.read_bytes()
    names, only_read = cast("tuple[list[str], str]", open_without_rights("on a full disk", str(shelf)))
    assert names
    assert ("Zoe" in names) == (state == "with a log")
    assert "nothing can be kept" in only_read
    assert state == "of before" or "its disk is full" in only_read
    assert shelf.read_bytes() == before


@pytest.mark.sample(3)
@pytest.mark.posix
@pytest.mark.parametrize("state", STATES)
def test_a_read_only_archive_shows_all_and_keeps_nothing(shelf: Path, state: str) -> None:
    in_state(state, shelf)
    read_only(shelf)
    before = sorted((path.name, path.read_bytes()) for path in shelf.parent.iterdir())
    names, only_read = cast("tuple[list[str], str]", open_without_rights("look", str(shelf)))
    assert ("Zoe" in names) == (state == "with a log")
    assert names
    assert "nothing can be kept" in only_read
    refused = open_without_rights("write", str(shelf))
    assert "can only be read" in str(refused)
    assert sorted((path.name, path.read_bytes()) for path in shelf.parent.iterdir()) == before


@pytest.mark.posix
def test_a_folder_called_full_is_no_full_disk(shelf: Path) -> None:
    folder = shelf.parent / "full, No space left, database is locked"
    folder.mkdir()
    file = folder / "full disk I-O error.sqlite"
    shutil.copy(shelf, file)
    read_only(file)
    try:
        names, only_read = cast("tuple[list[str], str]", open_without_rights("look", str(file)))
    finally:
        folder.chmod(0o755)
    assert names
    assert "it lies where nothing can be written" in only_read
    assert "its disk is full" not in only_read


FULL_DISK = """
import random, sys
from datetime import UTC, datetime
from pathlib import Path
from companion.archive import ArchiveError
from companion.archive.recovery import backups
from companion.archive.recovery.restore import restore
from tests.crash.disk import Disk, Fault

what, source, target = sys.argv[1], *map(Path, sys.argv[2:])
Disk(Fault("full", 1, 1_000_000), random.Random(0))
try:
    restore(source, target, datetime.now(UTC)) if what == "restore" else backups.copy_file(source, target)
except ArchiveError as error:
    print(error)
"""


@pytest.mark.posix  # the failing disk of tests is made of functions that SQLite has there
@pytest.mark.sample(2)
@pytest.mark.parametrize("what", ["restore", "copy"])
def test_a_copy_onto_a_full_disk_names_where_there_is_no_room(file: Path, tmp_path: Path, what: str) -> None:
    backup, elsewhere = copied(file, tmp_path / "backup.sqlite"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    target = elsewhere / "archive.sqlite"
    if what == "restore":
        copied(file, target)
    command = [sys.executable, "-c", FULL_DISK, what, str(backup), str(target)]
    answer = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=ROOT)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == (
        f"No copy of “{backup}” can be written into “{elsewhere}”: the disk there is full; make room on it, and "
        "try again.\n"
    )
    assert what == "copy" or (target.read_bytes() == backup.read_bytes() and [*elsewhere.iterdir()] == [target])


@pytest.mark.linux
def test_a_full_disk_names_what_could_not_be_written_and_not_what_was_read(tmp_path: Path) -> None:
    """Python itself names the file that was read."""
    source = tmp_path / "source"
    source.write_bytes(bytes(1000))
    with pytest.raises(OSError, match="No space left") as refused, files.name_full_disk(tmp_path / "target"):
        shutil.copyfile(source, "/dev/full")
    assert refused.value.filename == str(tmp_path / "target")
