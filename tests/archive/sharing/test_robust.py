"""Folders and files that are not as they should be: nothing is lost, and all catches up later."""

import contextlib
import errno
import os
import shutil
import threading
import time
from pathlib import Path
from random import Random

import platformdirs
import pytest

from companion.archive import Archive, ArchiveError, StoredLine, fault_log, maintenance
from companion.archive.exchange import archive_export, import_log
from companion.archive.people import people
from companion.archive.recovery import restore
from companion.archive.sharing import sharing
from companion.archive.sharing.description import SharingDescription
from companion.archive.sharing.local_state import LocalState, state_file
from companion.archive.sharing.schedule import SharingSchedule
from companion.archive.sharing.sharing import Synchronizer
from companion.archive.sharing.story_import import Decisions
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import SharedHome, deliver, entries, own_names, settle

pytestmark = pytest.mark.files


def say(home: SharedHome) -> str:
    return str(SharingDescription.of_state(home.state).folder)


def names(home: SharedHome) -> set[str]:
    return {person.name for person in people.with_ids(home.archive)}


@pytest.mark.parametrize("leaves_folder", [False, True], ids=["gone", "empty"])
def test_a_folder_that_goes_away_is_caught_up_with(ana: SharedHome, ben: SharedHome, leaves_folder: bool) -> None:
    settle(ana, ben)
    stick = ana.folder.rename(ana.root / "stick")
    if leaves_folder:
        ana.folder.mkdir()
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    assert say(ana) == (
        f"Shared folder: {ana.folder} is not there. Everything is kept here, and shared when it is back."
    )
    shutil.rmtree(ana.folder, ignore_errors=True)
    stick.rename(ana.folder)
    settle(ana, ben)
    assert say(ana) == "Shared folder: up to date with ben@ben-pc."
    assert names(ben) == {"Zoe"}


def test_half_a_file_is_read_when_it_is_whole(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    people.add_person(ana.archive, "Yan")
    ana.sync()
    (name,) = own_names(ana)
    content = (ana.files / name).read_bytes()
    for end, expected in ((0, set()), (10, set()), (len(content) - 1, {"Zoe"}), (len(content), {"Zoe", "Yan"})):
        (ben.files / name).write_bytes(content[:end])
        ben.sync()
        assert names(ben) == expected
        assert ben.state.broken == ((name,) if 0 < end < len(content) else ())


def test_conflicted_copies_are_read_as_well(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    (name,) = own_names(ana)
    shutil.copyfile(ana.files / name, ben.files / name)
    people.add_person(ana.archive, "Yan")
    ana.sync()
    copy = f"{Path(name).stem} (ana's conflicted copy 2026-03-14).shared"
    shutil.copyfile(ana.files / name, ben.files / copy)
    ben.sync()
    assert names(ben) == {"Zoe", "Yan"}
    assert len(entries(ben)) == 2


@pytest.mark.parametrize("damage", ["lost", "cut", "older", "other"])
def test_a_device_writes_again_what_was_damaged(ana: SharedHome, ben: SharedHome, damage: str) -> None:
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    (name,) = own_names(ana)
    path = ana.files / name
    before = path.read_bytes()
    people.add_person(ana.archive, "Yan")
    ana.sync()
    match damage:
        case "lost":
            path.unlink()
        case "cut":
            path.write_bytes(path.read_bytes()[:-5])
        case "older":
            path.write_bytes(before)
        case _:
            path.write_bytes(Random(1).randbytes(path.stat().st_size))
    people.add_person(ana.archive, "Xia")
    ana.sync()
    deliver(ana, ben)
    ben.sync()
    assert names(ben) == {"Zoe", "Yan", "Xia"}
    assert len(entries(ben)) == 3


FAILURES = {errno.ENOSPC: "the disk there is full", errno.EROFS: "nothing may be written there"}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_folder_that_takes_nothing_is_still_read(
    ana: SharedHome, ben: SharedHome, monkeypatch: pytest.MonkeyPatch, failure: int
) -> None:
    people.add_person(ana.archive, "Zoe")
    people.add_person(ben.archive, "Yan")
    settle(ana, ben)
    (name,) = own_names(ana)
    before = (ana.files / name).read_bytes()

    def fail(_: int) -> None:
        raise OSError(failure, os.strerror(failure))

    people.add_person(ana.archive, "Xia")
    people.add_person(ben.archive, "Wu")
    ben.sync()
    deliver(ben, ana)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        ana.sync()
    assert FAILURES[failure] in say(ana)
    assert names(ana) >= {"Zoe", "Yan", "Xia", "Wu"}
    assert (ana.files / name).read_bytes() == before, "no half of a batch is left"
    settle(ana, ben)
    assert entries(ana) == entries(ben)


def test_a_story_with_a_gap_waits_for_what_is_missing(ana: SharedHome, ben: SharedHome) -> None:
    session = ana.archive.new_session("keepsake", "Friday")
    ana.sync()
    ends = []
    for number in range(1, 4):
        ana.archive.append_lines(session, number, [StoredLine(f"note '{number}'", number)])
        ana.sync()
        (name,) = own_names(ana)
        ends.append((ana.files / name).stat().st_size)
    content = (ana.files / name).read_bytes()
    (ben.files / name).write_bytes(content[: ends[0]])
    (ben.files / "later.shared").write_bytes(content[ends[1] :])
    ben.sync()
    assert [line.line for line in ben.archive.lines(session)] == ["note '1'"]
    assert ben.waiting == {("session", "parts")}
    (sentence,) = SharingDescription.of_state(ben.state).waiting
    assert str(sentence) == "Something that ana@ana-pc wrote has not arrived completely yet."
    (ben.files / name).write_bytes(content[: ends[1]])
    ben.sync()
    assert [line.line for line in ben.archive.lines(session)] == [f"note '{number}'" for number in (1, 2, 3)]
    assert ben.waiting == set()


def test_lost_notes_double_nothing(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    state_file(ana.file).unlink()
    assert sharing.read_state(ana.file) is None
    ana.share()
    settle(ana, ben)
    assert entries(ana) == entries(ben)
    state_file(ana.file).write_bytes(b"no database at all" * 100)
    assert say(ana).startswith("Shared folder: the notes on it are damaged")
    assert ana.sync() == 0
    ana.share()
    settle(ana, ben)
    assert entries(ana) == entries(ben)


def test_notes_from_another_computer_write_files_of_their_own(
    ana: SharedHome, ben: SharedHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody copies the archive with its backups to another computer, and both go on."""
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    ana.archive.close()
    ben.archive.close()
    shutil.copyfile(ana.file, ben.file)
    shutil.copyfile(state_file(ana.file), state_file(ben.file))
    ana.archive, ben.archive = (Archive.open(str(home.file), by=home.name) for home in (ana, ben))
    ana.synchronizer, ben.synchronizer = Synchronizer(ana.archive), Synchronizer(ben.archive)
    people.add_person(ana.archive, "Yan")
    people.add_person(ben.archive, "Xia")
    ana.sync()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "other computer")
        ben.sync()
    assert not own_names(ana) & own_names(ben)
    assert names(ben) == {"Zoe", "Yan", "Xia"}


def test_a_backup_put_back_gets_what_the_others_have(ana: SharedHome, ben: SharedHome, tmp_path: Path) -> None:
    people.add_person(ana.archive, "Zoe")
    maintenance.backup(ana.archive, tmp_path / "old.sqlite")
    people.add_person(ana.archive, "Yan")
    settle(ana, ben)
    ana.archive.close()
    restore.restore(tmp_path / "old.sqlite", ana.file, ana.archive.now())
    ana.archive = Archive.open(str(ana.file), by="ana@ana-pc")
    ana.synchronizer = Synchronizer(ana.archive)
    assert names(ana) == {"Zoe"}
    people.add_person(ana.archive, "Xia")
    settle(ana, ben)
    assert names(ana) == names(ben) == {"Zoe", "Yan", "Xia"}
    assert entries(ana) == entries(ben)


def test_an_import_undone_comes_back_from_the_others(ana: SharedHome, ben: SharedHome, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "friend.sqlite")) as friend:
        people.add_person(friend, "Zoe")
        archive_export.export_archive(friend, tmp_path / "all.gz")
    archive_export.import_archive(ana.archive, tmp_path / "all.gz")
    settle(ana, ben)
    import_log.undo_import(ana.archive)
    settle(ana, ben)
    assert names(ana) == names(ben) == {"Zoe"}


def test_two_programs_on_one_device_double_nothing(ana: SharedHome, ben: SharedHome) -> None:
    with Archive.open(str(ana.file), by="ana@ana-pc") as second:
        synchronizers = [Synchronizer(second), ana.synchronizer]

        def work(number: int) -> None:
            for step in range(5):
                people.add_person((second, ana.archive)[number], f"Guest {number} {step}")
                synchronizers[number].run()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    settle(ana, ben)
    assert len(names(ben)) == len(entries(ben)) == 10


def test_a_file_that_icloud_put_away_is_not_written_again(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    (name,) = own_names(ana)
    (ana.files / name).rename(ana.files / f".{name}.icloud")
    people.add_person(ana.archive, "Yan")
    ana.sync()
    assert len(own_names(ana)) == 2
    (newer,) = ana.files.glob("ana*.shared")
    shutil.copyfile(newer, ben.files / newer.name)
    ben.sync()
    assert names(ben) == {"Zoe", "Yan"}


def test_a_decision_is_not_lost_to_another_program(ana: SharedHome) -> None:
    with LocalState.open(ana.file) as state:
        assert state is not None
        with state.hold() as is_held:
            assert is_held
            assert ana.sync() == 0
            with pytest.raises(ArchiveError, match="try again"):
                ana.sync(Decisions("mine"))


def test_a_wrong_clock_orders_nothing(ana: SharedHome, ben: SharedHome) -> None:
    deck = ana.archive.found_deck("keepsake", [Founded("Choir")])
    session = ana.archive.new_session("keepsake", "Friday")
    settle(ana, ben)
    ben.archive.now = lambda: ana.archive.now().replace(year=1999)
    ben.archive.mark(deck, 2, [Played(1)])
    ben.archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    settle(ana, ben)
    ana.archive.mark(deck, 3, [Played(2)])
    ana.archive.append_lines(session, 2, [StoredLine("note 'after'", 2)])
    settle(ana, ben)
    assert entries(ana) == entries(ben)
    assert [line.line for line in ben.archive.lines(session)] == ["table keepsake", "note 'after'"]


def test_a_running_program_shares_without_being_asked(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ben.archive, "Before")
    ben.sync()
    deliver(ben, ana)
    with SharingSchedule(ana.archive, every=0.05):
        _wait_until(lambda: "Before" in names(ana))
        people.add_person(ben.archive, "Meanwhile")
        ben.sync()
        deliver(ben, ana)
        _wait_until(lambda: "Meanwhile" in names(ana))
        people.add_person(ana.archive, "Last")
    deliver(ana, ben)
    ben.sync()
    assert names(ben) == {"Before", "Meanwhile", "Last"}


def _wait_until(is_so: object) -> None:
    assert callable(is_so)
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_fault_of_the_sharing_ends_no_game(ana: SharedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise ValueError("a fault in fsync")

    people.add_person(ana.archive, "Zoe")
    with monkeypatch.context() as patched, SharingSchedule(ana.archive, every=0.05) as schedule:
        patched.setattr(os, "fsync", fail)
        people.add_person(ana.archive, "Yan")
        _wait_until(lambda: not schedule.is_running)
    assert "a fault in fsync" in fault_log.fault_log_file().read_text(encoding="utf-8")
    ana.sync()
    assert own_names(ana)


def test_files_of_any_name_and_kind_are_passed_over(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    (ben.files / "folder.shared").mkdir()
    (ben.files / "empty.shared").touch()
    (ben.files / "notes.txt").write_text("hello", encoding="utf-8")
    with contextlib.suppress(OSError):  # some systems refuse it
        Path(os.fsdecode(os.fsencode(ben.files) + b"/\xff.shared")).write_bytes(b"no text")
    people.add_person(ana.archive, "Yan")
    settle(ana, ben)
    assert names(ben) == {"Zoe", "Yan"}


def test_nothing_is_written_where_nothing_changed(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    before = {path: path.stat().st_mtime_ns for home in (ana, ben) for path in home.files.iterdir()}
    archives = [home.file.read_bytes() for home in (ana, ben)]
    assert not ana.synchronizer.is_due()
    for home in (ana, ben):
        home.sync()
    assert {path: path.stat().st_mtime_ns for home in (ana, ben) for path in home.files.iterdir()} == before
    assert [home.file.read_bytes() for home in (ana, ben)] == archives


def test_sharing_that_ended_goes_on_where_it_was(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    sharing.stop_sharing(ana.file)
    people.add_person(ana.archive, "Yan")
    assert ana.sync() == 0
    assert sharing.read_state(ana.file) is None
    ana.share()
    settle(ana, ben)
    assert names(ben) == {"Zoe", "Yan"}
    assert [device.name for device in ana.state.devices] == ["ben@ben-pc"]


def test_what_changes_during_a_synchronization_is_looked_at_again(ana: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    assert ana.synchronizer.is_due()
    ana.sync()
    assert ana.synchronizer.is_due(), "it has written itself, and something else may have come with that"
    ana.sync()
    assert not ana.synchronizer.is_due()

    def write_meanwhile(_: float) -> None:
        (ana.files / "late.shared").write_bytes(b"half")

    (ana.files / "other.shared").write_bytes(b"something")
    ana.synchronizer.run(watch=write_meanwhile)
    assert ana.synchronizer.is_due()
