"""Nobody loses the lock on an open archive, and nothing is written into a file that is no longer at its path."""

import contextlib
import multiprocessing
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, StoredLine, maintenance, salvage
from companion.archive.errors import Displaced, Unreadable
from companion.archive.recovery import backups, stored_entries
from companion.archive.recovery.restore import restore
from companion.archive.storage import files, wal_guard
from tests.archive import household
from tests.archive.locks import GUARD, OpenGuard, another_program, damage, delete, has_lock

pytestmark = [pytest.mark.files, pytest.mark.posix]


@pytest.fixture
def file(place: str) -> Path:
    return Path(place)


@pytest.fixture
def session(archive: Archive) -> str:
    return archive.new_session("keepsake")


def keep(archive: Archive, session: str, *numbers: int) -> None:
    for number in numbers:
        archive.append_lines(session, number, [StoredLine(f"note {number}", number)])


def _kept(file: Path, session: str) -> list[str]:
    return [body for (stream, _), body in household.stored(file).items() if stream == f"session:{session}"][1:]


def test_who_opens_an_open_file_is_noted(archive: Archive, file: Path) -> None:
    guard = OpenGuard()
    sys.addaudithook(guard.hear)
    archive.close()
    here: dict[str, object] = {"__name__": "companion.archive.careless", "file": file}
    with Archive.open(str(file)):
        exec("file.open('rb').close()", here)
        (noted,) = guard.take()
        assert noted.startswith("companion.archive.careless opens")
    exec("file.open('rb').close()", here)
    assert guard.take() == [], "nobody has it open any more"
    guard.stop()
    GUARD.take()


@pytest.mark.linux
def test_the_kernel_tells_who_has_a_lock(file: Path) -> None:
    with Archive.open(str(file)):
        assert has_lock(file)
        with file.open("rb"):
            pass
        assert not has_lock(file), "POSIX drops them: what all of this is about"


def refused_restore(file: Path) -> None:
    with pytest.raises(ArchiveError, match="open; close it"):
        restore(file.with_suffix(".copy"), file, datetime.now(UTC))


@pytest.mark.sample(5)
@pytest.mark.linux
@pytest.mark.parametrize(
    "way",
    [
        lambda file: Archive.open(str(file)).close(),
        lambda file: salvage.survey(file),
        lambda file: stored_entries.holds_entries(file),
        lambda file: maintenance.end_evening(Archive.open_lazily(str(file))),
        refused_restore,
    ],
    ids=["opened again", "surveyed", "looked through", "backed up", "replaced"],
)
def test_whatever_is_done_with_an_open_file_its_lock_stays(file: Path, way: Callable[[Path], object]) -> None:
    with Archive.open(str(file)) as archive:
        household.fill(archive)
        maintenance.backup(archive, file.with_suffix(".copy"))
        assert has_lock(file)
        way(file)
        assert has_lock(file)


@pytest.mark.linux
def test_a_check_that_reads_damaged_pages_keeps_the_lock(file: Path) -> None:
    with Archive.open(str(file)) as archive:
        household.fill(archive)
        damage(file, "entries")
        assert has_lock(file)
        assert any("damaged" in fault.text for fault in maintenance.check_archive(archive))
        assert has_lock(file)


@pytest.mark.linux
def test_copies_of_a_process_leave_its_lock(file: Path) -> None:
    with Archive.open(str(file)):
        # As the pages of a long run are drawn on several cores.
        with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
            assert list(pool.map(abs, (-1, 2))) == [1, 2]
        assert has_lock(file)


def test_a_file_that_this_process_has_open_is_not_replaced(file: Path) -> None:
    with Archive.open(str(file)) as archive:
        household.fill(archive)
        copy = file.with_suffix(".copy")
        maintenance.backup(archive, copy)
        before = household.stored(file)
        with pytest.raises(ArchiveError, match=r"has “.*” open"):
            restore(copy, file, archive.now())
    assert household.stored(file) == before
    assert restore(copy, file, archive.now()), "once it is closed it is"


def test_what_is_closed_is_not_opened_again_by_a_late_reader(archive: Archive) -> None:
    archive.close()
    with pytest.raises(ArchiveError, match="was closed here"):
        archive.sessions()


def test_closing_waits_for_who_still_reads(archive: Archive, file: Path) -> None:
    reads, goes_on = threading.Event(), threading.Event()

    def read() -> None:
        with archive.store.reading():
            reads.set()
            goes_on.wait(5)

    reader = threading.Thread(target=read)
    reader.start()
    reads.wait(5)
    closer = threading.Thread(target=archive.close)
    closer.start()
    goes_on.set()
    reader.join()
    closer.join()
    assert not file.with_name(f"{file.name}-wal").exists(), "the last to close takes its log over"


def test_a_log_that_is_taken_over_at_any_moment_is_no_error(file: Path) -> None:
    log, is_over = file.with_name(f"{file.name}-wal"), threading.Event()
    with Archive.open(str(file)) as archive:
        household.fill(archive)
        content = log.read_bytes()

    def come_and_go() -> None:
        while not is_over.is_set():
            log.write_bytes(content)
            log.unlink()

    other = threading.Thread(target=come_and_go)
    other.start()
    try:
        for _ in range(1000):
            with contextlib.suppress(Unreadable):  # half of a log may look like another's
                wal_guard.check_log(file)
    finally:
        is_over.set()
        other.join()


# What others do to the file


def _content(file: Path) -> list[bytes]:
    """What is in a file and its log, where they are there."""
    return [part.read_bytes() for part in (file, file.with_name(f"{file.name}-wal")) if part.exists()]


def rename(file: Path) -> None:
    file.rename(file.with_name("moved.sqlite"))


def delete_log(file: Path) -> None:
    """As another program does that takes itself for the last."""
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink()


def replace(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copyfile(file, copy)
    copy.replace(file)


def replace_all(file: Path) -> None:
    delete(file)
    with Archive.open(str(file)) as other:
        household.fill(other)


def move_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_name(f"{file.parent.name}-elsewhere"))


DEEDS = [rename, delete, delete_log, replace, replace_all]


@pytest.mark.parametrize("deed", DEEDS)
def test_a_line_is_refused_once_its_file_is_no_longer_there(
    archive: Archive, session: str, file: Path, deed: Callable[[Path], None]
) -> None:
    keep(archive, session, 1, 2)
    deed(file)
    with pytest.raises(
        Displaced, match="was deleted, renamed, replaced or overwritten while it was open here"
    ) as refused:
        keep(archive, session, 3)
    copy = file.parent / next(each.name for each in file.parent.glob("archive-rescued-*.sqlite"))
    assert str(copy) in str(refused.value)
    assert "What it held is kept as" in str(refused.value)
    assert ["note 1" in body for body in _kept(copy, session)] == [True, False]
    with pytest.raises(Displaced):
        keep(archive, session, 3)
    assert len([*file.parent.glob("archive-rescued-*.sqlite")]) == 1


def test_what_another_thread_is_reading_is_saved_as_well(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    with ThreadPoolExecutor(1) as other:
        with archive.store.reading():
            delete(file)
            refused = other.submit(keep, archive, session, 2).exception
            time.sleep(0.1)
        assert "What it held is kept as" in str(refused())
    assert len([*file.parent.glob("archive-rescued-*.sqlite")]) == 1


@pytest.mark.sample(6)
@pytest.mark.parametrize("taken_over", [False, True])
@pytest.mark.parametrize("content", [b"", bytes(8192), b"another"], ids=["empty", "zeroed", "another archive"])
def test_a_line_is_refused_once_its_file_was_overwritten(
    archive: Archive, session: str, file: Path, tmp_path: Path, content: bytes, taken_over: bool
) -> None:
    archive.store.settle()
    keep(archive, session, 1)
    if taken_over:
        archive.store.settle()
        keep(archive, session, 2)
    if content == b"another":
        with Archive.open(str(tmp_path / "other.sqlite")) as other:
            household.fill(other)
        content = (tmp_path / "other.sqlite").read_bytes()
    code = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())"
    subprocess.run([sys.executable, "-c", code, str(file)], input=content, check=True)
    with pytest.raises(Displaced):
        keep(archive, session, 3 if taken_over else 2)
    archive.close()
    assert file.read_bytes() == content, "it was written to"


def test_an_older_copy_over_a_settled_file_is_reported(archive: Archive, session: str, file: Path) -> None:
    archive.store.settle()
    content = file.read_bytes()
    keep(archive, session, 1, 2)
    archive.store.settle()
    code = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())"
    subprocess.run([sys.executable, "-c", code, str(file)], input=content, check=True)
    with pytest.raises(Displaced, match="What it held is kept as"):
        archive.store.settle()
    archive.close()
    with Archive.open(str(backups.list_backups(file)[0].path)) as again:
        assert [line.line for line in again.lines(session)] == ["note 1", "note 2"]


def test_what_was_rescued_can_be_put_in_the_place(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1, 2)
    delete(file)
    with pytest.raises(Displaced):
        keep(archive, session, 3)
    archive.close()
    (copy,) = file.parent.glob("archive-rescued-*.sqlite")
    restore(copy, file, archive.now())
    with Archive.open(str(file)) as again:
        keep(again, session, 3)
        assert maintenance.check_archive(again) == ()
        assert [line.line for line in again.lines(session)] == ["note 1", "note 2", "note 3"]


def test_what_was_rescued_is_listed_as_a_backup(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1, 2)
    delete(file)
    with pytest.raises(Displaced):
        keep(archive, session, 3)
    archive.close()
    (copy,) = file.parent.glob("archive-rescued-*.sqlite")
    assert [(backup.path, backup.why) for backup in backups.list_backups(file)] == [(copy, "rescued")]
    with pytest.raises(Unreadable, match=f"is gone.*companion archive restore {copy} puts one in its place"):
        Archive.open(str(file))


def test_what_somebody_wrote_into_is_not_called_whole(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    archive.store.settle()
    keep(archive, session, 2)
    code = "import sys; f = open(sys.argv[1], 'r+b'); f.seek(4096); f.write(bytes(4096 * 8))"
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    delete_log(file)
    with pytest.raises(Displaced, match=r"What can still be read of it is kept as .*archive check --repair saves what"):
        keep(archive, session, 3)
    assert len([*file.parent.glob("archive-damaged-*.sqlite")]) == 1
    assert backups.list_backups(file) == ()


def test_a_rescued_copy_replaces_a_file_with_only_a_log(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    file.unlink()
    with pytest.raises(Displaced):
        keep(archive, session, 2)
    archive.close()
    log = file.with_name(f"{file.name}-wal")
    held = log.read_bytes()
    kept_log = restore(backups.list_backups(file)[0].path, file, archive.now())
    assert kept_log is not None
    assert kept_log.read_bytes() == held
    with Archive.open(str(file)) as again:
        assert [line.line for line in again.lines(session)] == ["note 1"]


def test_a_backup_in_the_place_of_an_emptied_file_keeps_its_log(archive: Archive, session: str, file: Path) -> None:
    copy, log = file.with_suffix(".copy"), file.with_name(f"{file.name}-wal")
    maintenance.backup(archive, copy)
    keep(archive, session, 1)
    code = "import os, sys; os.truncate(sys.argv[1], 0)"
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    archive.close()
    held = log.read_bytes()
    kept_as = restore(copy, file, archive.now())
    assert kept_as is not None
    assert kept_as.with_name(f"{kept_as.name}-wal").read_bytes() == held


SWAP = """
import os, random, sys
from companion.archive import Archive, ArchiveError
from tests.crash.disk import Disk, Fault

file, replacement, call = sys.argv[1:]

def swap():
    for log in (f"{file}-wal", f"{file}-shm"):
        if os.path.exists(log):
            os.remove(log)
    os.replace(replacement, file)

disk = Disk(Fault("deed", int(call), act=swap), random.Random(0))
try:
    with Archive.open(file) as archive:
        archive.new_session("decknforge")
        print("acknowledged")
except ArchiveError as error:
    print(error)
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("call", [3, 5])
def test_a_file_swapped_while_it_opens_is_not_lost(call: int, file: Path, tmp_path: Path) -> None:
    """`call`: at which reading of the file another program puts an older copy in its place."""
    Archive.open(str(file)).close()
    replacement = shutil.copyfile(file, tmp_path / "older.sqlite")
    command = [sys.executable, "-c", SWAP, str(file), str(replacement), str(call)]
    answer = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    if "acknowledged" in answer:
        assert household.stored(file), "what was acknowledged is nowhere"
    else:
        assert "replaced while it was open here" in answer


@pytest.mark.slow
def test_a_second_connection_never_reads_another_file(archive: Archive, file: Path) -> None:
    with archive.store.reading() as reads:
        replace_all(file)
        with pytest.raises(ArchiveError, match="replaced while it was open here; open it again"):
            archive.decks()
        assert reads.count_entries() == 0, "it had none"


@pytest.mark.slow
def test_a_second_connection_changes_nothing_in_another_file(archive: Archive, file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    maintenance.backup(archive, copy)
    before = copy.read_bytes()
    with archive.store.reading():
        copy.replace(file)
        with pytest.raises(ArchiveError, match="replaced while it was open here"):
            archive.decks()
        after = file.read_bytes()
    assert after == before


def pages(archive: Archive) -> int:
    with archive.store.reading() as transaction:
        return int(transaction.connection.exec_driver_sql("PRAGMA page_count").scalar_one())


def test_a_log_that_is_taken_over_in_part_is_no_other_file(archive: Archive, session: str, file: Path) -> None:
    archive.store.settle()
    before, number = pages(archive), 1
    while pages(archive) == before:
        archive.append_lines(session, number, [StoredLine(f"note {'x' * 900}", number)])
        number += 1
    with another_program(file, "BEGIN", "SELECT count(*) FROM entries"):
        keep(archive, session, number)
        archive.store.settle()
        assert wal_guard.word_of(file) is None, "it is whole only with its log"
        keep(archive, session, number + 1)
    assert len(archive.lines(session)) == number + 1


def test_a_file_that_is_put_back_is_written_to_again(archive: Archive, session: str, file: Path) -> None:
    moved = file.with_name("moved.sqlite")
    rename(file)
    with pytest.raises(Displaced):
        keep(archive, session, 1)
    moved.rename(file)
    keep(archive, session, 1)
    assert len(archive.lines(session)) == 1


@pytest.mark.sample(5)
@pytest.mark.parametrize("deed", DEEDS)
def test_what_took_the_place_of_a_file_is_never_touched(
    archive: Archive, session: str, file: Path, deed: Callable[[Path], None]
) -> None:
    keep(archive, session, *range(1, 40))
    deed(file)
    with another_program(file, "CREATE TABLE other (text)") if file.exists() else contextlib.nullcontext():
        before = _content(file)
        archive.close()
        assert _content(file) == before
    (copy,) = file.parent.glob("archive-rescued-*.sqlite")
    assert len(_kept(copy, session)) == 39


def test_a_file_that_is_replaced_while_it_is_backed_up_is_told(
    archive: Archive, session: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(archive, session, 1)
    schedule = archive.store.schedule
    assert schedule is not None
    end_evening = schedule.end_evening

    def replace_and_make(now: datetime) -> Path | None:
        replace_all(file)
        return end_evening(now)

    monkeypatch.setattr(schedule, "end_evening", replace_and_make)
    with pytest.raises(Displaced):
        maintenance.end_evening(archive)


def test_the_minutely_work_leaves_another_file_alone(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    replace_all(file)
    before = file.read_bytes()
    with pytest.raises(Displaced):
        archive.store.settle()
    with pytest.raises(Displaced):
        maintenance.end_evening(archive)
    assert file.read_bytes() == before


def test_a_copy_finds_another_place_where_the_folder_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "table-companion").mkdir()
    folder = tmp_path / "stick"
    folder.mkdir()
    with Archive.open(str(folder / "archive.sqlite")) as archive:
        session = archive.new_session("keepsake")
        keep(archive, session, 1)
        move_folder(folder / "archive.sqlite")
        with pytest.raises(Displaced, match="table-companion"):
            keep(archive, session, 2)
    (copy,) = (tmp_path / "table-companion").glob("archive-rescued-*.sqlite")
    assert len(_kept(copy, session)) == 1


def test_two_names_of_one_file_are_one_file(archive: Archive, session: str, file: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked.sqlite"
    linked.symlink_to(file)
    with Archive.open(str(linked)) as other:
        keep(other, session, 1)
        keep(archive, session, 2)
    assert len(archive.lines(session)) == 2
    assert files.unused_path(linked) != linked


# Ways out


def overwrite(file: Path, code: str) -> None:
    """Another program changes `path` in its place: `f` is the file, opened to be read and written."""
    program = f"import os, sys; path = sys.argv[1]; size = os.path.getsize(path); f = open(path, 'r+b'); {code}"
    subprocess.run([sys.executable, "-c", program, str(file)], check=True)


def repaired_lines(file: Path, session: str) -> list[str]:
    """The notes of a session after the repair that a sentence has offered."""
    command = [sys.executable, "-m", "companion", "--archive", str(file), "archive", "check", "--repair"]
    subprocess.run(command, capture_output=True, check=False)
    (repaired,) = file.parent.glob(f"{file.stem}-repaired-*.sqlite")
    with Archive.open(str(repaired)) as again:
        return [line.line for line in again.lines(session)]


LOG_DEEDS = {
    "zeroed": "f.write(bytes(size))",
    "its header": "f.write(bytes(32))",
    "a frame in its middle": "f.seek(32 + 4120 * 2 + 100); f.write(b'\\xa5' * 1000)",
    "cut off": "f.truncate(size // 2)",
    "emptied": "f.truncate(0)",
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("code", LOG_DEEDS.values(), ids=LOG_DEEDS)
def test_a_line_is_refused_once_the_log_was_overwritten(archive: Archive, session: str, file: Path, code: str) -> None:
    keep(archive, session, 1, 2)
    before = file.read_bytes()
    overwrite(file.with_name(f"{file.name}-wal"), code)
    with pytest.raises(Displaced, match="was deleted, renamed, replaced or overwritten while it was open here"):
        keep(archive, session, 3)
    archive.close()
    assert file.read_bytes() == before, "what is left of the log was taken over into the file"


def test_a_log_of_an_hour_ago_in_its_place_is_noticed(archive: Archive, session: str, file: Path) -> None:
    log = file.with_name(f"{file.name}-wal")
    keep(archive, session, 1)
    older = log.read_bytes()
    keep(archive, session, 2)
    log.write_bytes(older)
    with pytest.raises(Displaced):
        keep(archive, session, 3)


def test_what_is_overwritten_while_a_line_is_kept_is_not_acknowledged(
    archive: Archive, session: str, file: Path
) -> None:
    keep(archive, session, 1)

    def write() -> None:
        with archive.store.writing() as transaction:
            transaction.append(f"session:{session}", 2, [], "tests", archive.now())
            overwrite(file.with_name(f"{file.name}-wal"), "f.write(bytes(32))")

    with pytest.raises(Displaced):
        write()


def test_other_windows_write_and_take_over_the_log_unhindered(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    for number in range(2, 8, 2):
        with Archive.open(str(file)) as other:
            keep(other, session, number)
            other.store.settle()
        keep(archive, session, number + 1)
    with another_program(file, "PRAGMA wal_checkpoint(TRUNCATE)"):
        keep(archive, session, 8)
    assert len(archive.lines(session)) == 8


def test_a_reader_takes_no_overwritten_log_over_into_the_file(archive: Archive, session: str, file: Path) -> None:
    log = file.with_name(f"{file.name}-wal")
    keep(archive, session, 1)
    archive.store.settle()
    keep(archive, session, 2)
    killed = files.read_bytes(file), log.read_bytes()
    archive.close()
    file.write_bytes(killed[0])
    log.write_bytes(killed[1])
    with Archive.open(str(file)) as reader:
        assert len(reader.lines(session)) == 2
        overwrite(log, "f.seek(32); f.write(bytes(size - 32))")
    assert file.read_bytes() == killed[0]


FILE_DEEDS = {"first page zeroed": "f.write(bytes(4096))", "header zeroed": "f.write(bytes(100))"}


@pytest.mark.sample(4)
@pytest.mark.parametrize("settled", [False, True], ids=["never settled", "settled"])
@pytest.mark.parametrize("code", FILE_DEEDS.values(), ids=FILE_DEEDS)
def test_no_line_goes_into_a_file_without_its_beginning(
    archive: Archive, session: str, file: Path, code: str, settled: bool
) -> None:
    keep(archive, session, 1)
    if settled:
        archive.store.settle()
        keep(archive, session, 2)
    acknowledged = [line.line for line in archive.lines(session)]
    overwrite(file, code)
    with pytest.raises(Displaced):
        keep(archive, session, len(acknowledged) + 1)
    archive.close()
    with pytest.raises(Unreadable, match="is damaged: it does not begin as a database does") as refused:
        Archive.open(str(file))
    assert refused.value.look == "damage"
    assert repaired_lines(file, session) == acknowledged


@pytest.mark.slow
def test_a_cut_off_file_is_led_to_its_repair_and_to_no_backup(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    archive.store.settle()
    keep(archive, session, 2)
    overwrite(file, "f.truncate(size // 2)")
    with pytest.raises(Displaced, match=r"archive check --repair saves what is intact\.") as refused:
        keep(archive, session, 3)
    assert "backups" not in str(refused.value)
    archive.close()
    assert repaired_lines(file, session) == ["note 1", "note 2"]


def test_a_cut_off_file_with_a_backup_is_led_to_both(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    maintenance.end_evening(archive)
    keep(archive, session, 2)
    overwrite(file, "f.truncate(size // 2)")
    with pytest.raises(Displaced, match=r"archive check --repair saves .*, and companion archive backups lists"):
        keep(archive, session, 3)


def test_a_log_that_is_left_alone_is_led_to_its_repair(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1, 2)
    with another_program(file):
        archive.close()
        file.unlink()
    with pytest.raises(Unreadable, match=r"last entries are in .*-wal”.*archive check --repair saves them"):
        Archive.open(str(file))
    assert repaired_lines(file, session) == ["note 1", "note 2"]


def test_nothing_is_begun_in_a_file_whose_log_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "young.sqlite"
    with Archive.open(str(file)) as archive:
        archive.new_session("keepsake")
        before = files.read_bytes(file)
    file.write_bytes(before)
    with pytest.raises(Unreadable, match="is empty; this computer remembers that there was one"):
        Archive.open(str(file))


# Copies that are rescued


def test_a_copy_makes_the_folder_for_data_and_leaves_temporary_ones_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new" / "data"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    folder = tmp_path / "stick"
    folder.mkdir()
    with Archive.open(str(folder / "archive.sqlite")) as archive:
        session = archive.new_session("keepsake")
        keep(archive, session, 1)
        move_folder(folder / "archive.sqlite")
        with pytest.raises(Displaced):
            keep(archive, session, 2)
    (copy,) = (tmp_path / "new" / "data" / "table-companion").glob("archive-rescued-*.sqlite")
    assert len(_kept(copy, session)) == 1


NOWHERE = """
import os, sys
import tests.archive.keepsake
from companion.archive import Archive, ArchiveError, StoredLine

file, data, temporary = sys.argv[1:]
os.environ["TMPDIR"] = temporary
with Archive.open(file) as archive:
    session = archive.new_session("keepsake")
    archive.append_lines(session, 1, [StoredLine("note 1")])
    os.rename(os.path.dirname(file), os.path.dirname(file) + "-elsewhere")
    os.environ["XDG_DATA_HOME"] = data
    try:
        archive.append_lines(session, 2, [StoredLine("note 2")])
    except ArchiveError as error:
        print(error)
"""


def test_what_can_be_written_nowhere_is_not_left_in_tmp(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "stick", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    no_folder = tmp_path / "no folder"
    no_folder.write_text("a file", encoding="utf-8")
    command = [sys.executable, "-c", NOWHERE, str(folder / "archive.sqlite"), str(no_folder), str(temporary)]
    answer = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert "Nothing of it could be saved from here. There is no backup beside it." in answer
    assert [*temporary.iterdir()] == []


@pytest.mark.slow
def test_refused_lines_leave_no_logs_of_copies(archive: Archive, session: str, file: Path) -> None:
    keep(archive, session, 1)
    archive.store.settle()
    keep(archive, session, 2)
    overwrite(file, "f.truncate(4096)")
    for _ in range(3):
        with pytest.raises(Displaced):
            keep(archive, session, 3)
    assert [each.name for each in file.parent.glob(".*")] == []
