"""SQLite's own list of how to corrupt a database (sqlite.org/howtocorrupt.html), and what happens here.

Points that have a test elsewhere are named with it; all others stand below, or cannot be tried by a program.

1    File overwrite
1.1  A descriptor is used after it was closed    test_what_is_printed_nowhere_never_goes_into_the_file
1.2  A copy is made while somebody writes        test_backups: test_a_copy_by_hand_lacks_nothing_after_a_minute, and by
     another program's copy over the open file   test_open_files: test_a_line_is_refused_once_…
     another program's bytes over the open log   test_open_files: test_a_line_is_refused_once_the_log_was_overwritten
     The archive named as what is to be written  test_an_open_archive_is_never_what_a_command_writes
1.3  The log is deleted                          test_what_is_left_without_its_log_is_whole_and_older; while open:
                                                 test_open_files: test_a_line_is_refused_once_…[delete_log]
1.4  The log of another file lies beside it      test_backups: test_a_log_of_another_file_is_explained_and_not_played
2    Locks
2.1  A file system without locks                 test_locked: test_a_check_says_soon_that_no_lock_can_be_had
2.2  A descriptor is closed besides SQLite       test_open_files, and GUARD of tests/archive/locks.py in every test
2.2.1 Two copies of SQLite in one program        test_there_is_one_sqlite_in_the_whole_program
2.3  Two ways of locking                         test_every_connection_locks_and_syncs_in_the_same_way
2.4  The file is renamed or deleted while open   test_open_files: test_a_line_is_refused_once_…
2.5  A file has several names                    test_a_hard_link_is_refused_while_…, symbolic ones: test_open_files
2.6  A connection is carried across a fork       test_open_files: test_copies_of_a_process_leave_its_lock
3    Sync
3.1  Disks that lie about it                     cannot be tried; docs/safe.md says so
3.2  Sync is switched off                        test_every_connection_locks_and_syncs_in_the_same_way
4    Disks that fail, sticks of less than they say  test_check and test_salvage, with every bit and with whole pages
5    Memory that is overwritten by other code    cannot be tried; checksums (test_check) tell it where it was written
6    Other faults of the system                  test_salvage: test_entries_of_a_destroyed_page_are_named_…
7    Settings                                    test_every_connection_locks_and_syncs_in_the_same_way
8    Faults of SQLite itself                     test_durable and the storms; the one of before 3.51.3, which wants a
                                                 commit while a log is taken over: test_nobody_takes_a_log_over_while_…
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.archive import Archive, StoredLine, Unreadable, maintenance
from companion.archive.people import people
from companion.archive.storage.engine import LONG_LOG, create_engine
from companion.archive.storage.location import locate
from tests.archive import household
from tests.archive.locks import another_program

pytestmark = [pytest.mark.files, pytest.mark.posix]

ROOT = Path(__file__).parents[2]
STANDARD = (0, 1, 2)


@pytest.fixture
def file(place: str) -> Path:
    """An archive with something in every table, which nobody has open."""
    with Archive.open(place, by="tests") as archive:
        household.fill(archive, decks=1)
    return Path(place)


def _content(file: Path) -> str:
    """What is in an open file, as another program reads it."""
    return _run("import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())", file)


def _close_standard() -> None:
    for number in STANDARD:
        os.close(number)


def _run(code: str, *arguments: str | Path, closed: bool = False) -> str:
    """What a program prints; without standard input and output where those are to be closed."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdout=None if closed else subprocess.PIPE,
        encoding="utf-8",
        check=False,
        preexec_fn=_close_standard if closed else None,
    )
    return done.stdout or ""


@pytest.mark.slow
def test_what_is_printed_nowhere_never_goes_into_the_file(file: Path) -> None:
    code = (
        "import os, sys; from companion.archive import Archive; from companion.archive.people import people\n"
        "with Archive.open(sys.argv[1]) as archive:\n"
        "    people.add_person(archive, 'Zoe')\n"
        "    for number in (0, 1, 2):\n"
        "        try: os.write(number, b'overwritten ' * 1000)\n"
        "        except OSError: pass\n"
    )
    _run(code, file, closed=True)
    with Archive.open(str(file)) as archive:
        assert maintenance.check_archive(archive) == ()
        assert "Zoe" in {person.name for person in people.all_people(archive)}


@pytest.mark.sample(2)
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_an_open_archive_is_never_what_a_command_writes(file: Path, ending: str) -> None:
    target = f"{file}{ending}"
    before = household.stored(file)
    code = "from companion.cli.main import main; main()"
    arguments = ("--archive", file, "archive", "export", target, "--force")
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 2
    assert "is an archive that is open; name another file." in done.stderr
    assert household.stored(file) == before


def test_what_is_left_without_its_log_is_whole_and_older(file: Path) -> None:
    before = household.stored(file)
    code = (
        "import os, sys; from companion.archive import Archive; from companion.archive.people import people;"
        "people.add_person(Archive.open(sys.argv[1]), 'Zoe'); os._exit(1)"
    )
    _run(code, file)
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink()
    with Archive.open(str(file)) as archive:
        assert maintenance.check_archive(archive) == ()
    assert household.stored(file) == before


@pytest.mark.slow
@pytest.mark.linux
def test_there_is_one_sqlite_in_the_whole_program() -> None:
    code = (
        "import companion.tui.app, companion.cli.main, sqlalchemy, sqlite3, psycopg, PIL.Image, pypdfium2, zxingcpp,"
        "reportlab, starlette\n"
        "print(*{row.split()[-1] for row in open('/proc/self/maps') if 'sqlite' in row.split()[-1]}, sep='\\n')"
    )
    libraries = [name for name in _run(code).splitlines() if "_sqlite3" not in name]
    assert len(libraries) <= 1, libraries


def test_every_connection_locks_and_syncs_in_the_same_way(file: Path) -> None:
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "locking_mode": "normal",
        "writable_schema": 0,
        "read_uncommitted": 0,
        "ignore_check_constraints": 0,
        "wal_autocheckpoint": 0,
    }
    opened = create_engine(locate(str(file)))
    with opened.connect() as one, opened.connect() as other:
        for connection in (one, other):
            assert {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted} == wanted
    opened.dispose()


def test_nobody_takes_a_log_over_while_somebody_writes(file: Path) -> None:
    with Archive.open(str(file)) as archive:
        session = archive.new_session("keepsake")
        before = _content(file)
        with another_program(file, "BEGIN IMMEDIATE"):
            archive.store.settle()
            assert _content(file) == before
        archive.store.settle()
        assert _content(file) != before
        assert archive.find_session(session)


@pytest.mark.slow
def test_a_long_log_is_taken_over_at_once_and_does_not_grow(file: Path) -> None:
    log = Path(f"{file}-wal")
    with Archive.open(str(file)) as archive:
        session = archive.new_session("keepsake")
        for number in range(1, 40):
            archive.append_lines(session, number, [StoredLine("note " + "x" * 300_000, number)])
        assert log.stat().st_size < 2 * LONG_LOG
        assert file.stat().st_size > LONG_LOG
        assert maintenance.check_archive(archive) == ()


def test_a_hard_link_is_refused_while_its_other_name_is_open(file: Path) -> None:
    other = file.with_name("other.sqlite")
    other.hardlink_to(file)
    with another_program(file, "UPDATE lineage SET before = now"):
        with pytest.raises(Unreadable, match=r"is also called “archive.sqlite”, and its last entries are in"):
            Archive.open(str(other))
        with Archive.open(str(file)) as archive:
            archive.new_session("keepsake")
    with Archive.open(str(other)) as archive:
        assert len(archive.sessions()) == 2, "one name after the other is no harm"
        archive.append_lines(archive.sessions()[0].session, 1, [StoredLine("note one", 1)])
    with Archive.open(str(file)) as archive:
        assert len(archive.lines(archive.sessions()[0].session)) == 1


def test_of_a_hard_link_in_another_folder_nobody_knows(file: Path, tmp_path: Path) -> None:
    """What docs/safe.md says that the program cannot do; where it learns to, that page says so."""
    other = tmp_path / "elsewhere" / file.name
    other.parent.mkdir()
    other.hardlink_to(file)
    with another_program(file, "UPDATE lineage SET before = now"), Archive.open(str(other)) as archive:
        assert len(archive.sessions()) == 1
