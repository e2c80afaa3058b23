"""Folders and files that are not as they should be: nothing is lost, and all catches up later."""

import contextlib
import errno
import gzip
import os
import re
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from companion.archive import Archive, StoredLine, deck_records, fault_log
from companion.archive.people import forgetting, people
from companion.archive.sharing import sharing
from companion.archive.sharing.batches import BatchHead, pack_batch, part_of
from companion.archive.sharing.description import SharingDescription
from companion.archive.sharing.schedule import SharingSchedule
from companion.archive.sharing.sharing import Synchronizer
from companion.archive.storage.entries import Entry
from tests.archive import bands
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import SharedHome, deliver, entries, names, own_names, say, settle

pytestmark = pytest.mark.files


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


def test_the_other_half_may_come_without_a_new_time(ana: SharedHome, ben: SharedHome) -> None:
    """Some programs make a file as long as it will be before they fill it, and some disks count in seconds."""
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    (name,) = own_names(ana)
    content, there = (ana.files / name).read_bytes(), ben.files / name
    half = len(content) // 2
    for part in (content[:half] + bytes(len(content) - half), content):
        there.write_bytes(part)
        os.utime(there, (1, 1))
        assert ben.synchronizer.is_due()
        ben.sync()
    assert names(ben) == {"Zoe"}
    ben.sync()
    ben.sync()
    assert not ben.synchronizer.is_due()


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


def test_what_changes_during_a_pass_is_looked_at_again(ana: SharedHome) -> None:
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


@pytest.mark.parametrize("by", ["Zoë Ångström/2:*?<>|", "CON", "…", "名前", "x" * 300, " .hidden. "])
def test_names_of_files_fit_every_file_system(tmp_path: Path, by: str) -> None:
    """Letters with marks have two spellings, which a disk or a program may exchange; Windows forbids others."""
    home = SharedHome(tmp_path, "ana")
    home.archive.close()
    home.archive = Archive.open(str(home.file), by=by)
    home.synchronizer = Synchronizer(home.archive)
    home.share()
    people.add_person(home.archive, "Zoe")
    home.sync()
    (name,) = own_names(home)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9a-f]{8}-00001\.shared", name)
    assert len(name) < 80
    home.close()


@pytest.mark.posix
def test_a_file_that_cannot_be_read_stops_no_other(
    ana: SharedHome, ben: SharedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program has it locked, or it is in the cloud only: all others are read, and it is tried again."""
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    deliver(ana, ben)
    (locked,) = own_names(ana)
    (ben.files / "a.shared").write_bytes(b"of another program")
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name in (locked, "a.shared"):
            raise PermissionError(errno.EACCES, "locked", str(path))
        return read_bytes(path)

    people.add_person(ben.archive, "Yan")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refuse)
        ben.sync()
        assert own_names(ben)
        assert ben.synchronizer.is_due(), "nothing else has to change"
        files = [str(sentence) for sentence in SharingDescription.of_state(ben.state).files]
        assert files == [
            f"“{name}” cannot be read at the moment; it is tried again." for name in sorted(("a.shared", locked))
        ]
        assert say(ben) == "Shared folder: up to date; no other device has written there yet."
    ben.sync()
    assert names(ben) == {"Zoe", "Yan"}
    assert ben.state.unreadable == ()
    assert ben.state.broken == ("a.shared",)


def test_what_waits_is_kept_while_its_file_is_locked(
    ana: SharedHome, ben: SharedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    for home in (ana, ben):
        bands.found_band(home.archive, "Choir", home.name)
    settle(ana, ben)
    (locked,) = own_names(ana)
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == locked and path.parent == ben.files:
            raise PermissionError(errno.EACCES, "locked", str(path))
        return read_bytes(path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refuse)
        ben.sync()
    deck_records.rename_deck(ben.archive, ben.archive.decks()[0].deck, "Chapel", "")
    ben.sync()
    assert sorted(row.name for row in ben.archive.decks()) == ["Chapel", "Choir"]


def test_a_full_folder_is_tried_again_by_itself(ana: SharedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    people.add_person(ana.archive, "Zoe")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        ana.sync()
        assert ana.synchronizer.is_due()
    ana.sync()
    assert own_names(ana)
    ana.sync()
    assert not ana.synchronizer.is_due()


def test_files_that_were_replaced_go_when_they_can(
    ana: SharedHome, ben: SharedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forgotten name must not stay in an old file because that was locked, or the disk was full, for a moment."""
    person = people.add_person(ana.archive, "Zoe").person
    settle(ana, ben)
    (old,) = own_names(ana)
    forgetting.forget_person(ana.archive, person)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name == old:
            raise PermissionError(errno.EACCES, "locked", str(path))
        unlink(path, missing_ok)

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        ana.sync()
        assert (ana.files / old).exists(), "all of it is not in a newer one yet"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        ana.sync()
        assert (ana.files / old).exists()
    ana.sync()
    assert not (ana.files / old).exists()


def test_a_story_that_cannot_be_stored_stops_no_other(ana: SharedHome, ben: SharedHome) -> None:
    """A figure may be larger than a database takes: what came with it is imported, and it waits."""
    person = people.add_person(ana.archive, "Zoe").person
    settle(ana, ben)
    stream, now = f"person:{person}", ana.archive.now()
    (added,) = ana.archive.entries(stream)
    body = f'{{"wizard":"Zoe","change":{2**62}}}'
    odd = [added, *(Entry(stream, 1 + at, now, "x", "coppers", body) for at in range(3))]
    good = [Entry("session:7K3M9QPX", 0, now, "x", "opened", '{"game":"keepsake"}')]
    head = BatchHead("shared", 1, "w", "d", "x\x1b[2J" * 200, 1, 1)
    parts = [part_of(story[0].stream, story) for story in (odd, good)]
    (ben.files / "odd.shared").write_bytes(pack_batch(head, parts))
    ben.sync()
    assert [row.session for row in ben.archive.sessions()] == ["7K3M9QPX"]
    assert ben.waiting == {("person", "nonsense")}
    assert ben.archive.entries(stream) == (added,)
    (device,) = (device for device in ben.state.devices if device.writer == "w")
    assert "\x1b" not in device.name
    assert len(device.name) <= 200
    assert ben.sync() == 0


def test_files_of_a_newer_program_say_so_and_keep_nothing_out(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    (name,) = own_names(ana)
    whole = (ana.files / name).read_bytes()
    later = gzip.compress(b'{"companion":"shared","version":2,"writer":"w","device":"d"}\n{}\n')
    for content, newer in ((later, {name}), (whole + later, {name}), (whole, set())):
        (ben.files / name).write_bytes(content)
        ben.sync()
        ben.sync()
        assert set(ben.state.newer) == newer
        assert ben.state.broken == ()
        assert not ben.synchronizer.is_due()
        files = [str(sentence) for sentence in SharingDescription.of_state(ben.state).files]
        assert files == [
            f"“{each}” was written by a newer companion. Update the companion on this device: what that one wrote is "
            "then read; nothing is lost until then."
            for each in newer
        ]
    assert names(ben) == {"Zoe"}


def test_a_story_of_a_kind_to_come_waits_for_an_update(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    strange = Entry("ritual:A", 0, datetime(2026, 3, 14, tzinfo=UTC), "ana", "begun", '{"name":"Moon"}')
    good = people.add_person(ana.archive, "Yan")
    with ana.archive.store.reading() as transaction:
        story = transaction.read(f"person:{good.person}")
    head = BatchHead("shared", 1, "later", "another", "cy@tablet", 1, 1)
    parts = [part_of("ritual:A", [strange]), part_of(story[0].stream, story)]
    (ben.files / "cy-1.shared").write_bytes(pack_batch(head, parts))
    ben.sync()
    assert names(ben) == {"Yan"}
    assert ben.waiting == {("ritual", "nonsense")}
    (sentence,) = SharingDescription.of_state(ben.state).waiting
    assert str(sentence).endswith("A newer one may have written it: update the one on this device.")
    ben.sync()
    assert ben.waiting == {("ritual", "nonsense")}
