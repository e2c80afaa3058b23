"""Copies of archives and of the notes on the sharing, notes that are damaged or in use, and backups put back."""

import contextlib
import shutil
import sqlite3
import threading
from pathlib import Path

import platformdirs
import pytest

from companion.archive import Archive, ArchiveError, StoredLine, deck_records, maintenance
from companion.archive.exchange import archive_export, import_log
from companion.archive.people import people
from companion.archive.recovery import restore
from companion.archive.sharing import sharing
from companion.archive.sharing.local_state import LocalState, state_file
from companion.archive.sharing.sharing import Synchronizer
from companion.archive.sharing.story_import import Decisions
from tests.archive import bands
from tests.archive.keepsake import Founded, Played
from tests.archive.sharing.homes import SharedHome, entries, names, own_names, say, settle

pytestmark = pytest.mark.files


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


def copy_home(home: SharedHome, to: SharedHome) -> None:
    """Copy an archive with its notes, as a new disk or a second device gets them; both go on."""
    for each in (home, to):
        each.archive.close()
    shutil.copyfile(home.file, to.file)
    shutil.copyfile(state_file(home.file), state_file(to.file))
    for each in (home, to):
        each.archive = Archive.open(str(each.file), by=f"{each.name}@{each.name}-pc")
        each.synchronizer = Synchronizer(each.archive)


@pytest.mark.parametrize("where", ["on another computer", "on the same computer"])
def test_copied_notes_write_files_of_their_own(
    ana: SharedHome, ben: SharedHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Somebody copies the archive with its backups, and both go on in the same folder."""
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    copy_home(ana, ben)
    before = own_names(ana)
    people.add_person(ana.archive, "Yan")
    people.add_person(ben.archive, "Xia")
    for _ in range(3):
        ana.sync()
        with monkeypatch.context() as elsewhere:
            if where == "on another computer":
                elsewhere.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "other computer")
            ben.sync()
    if where == "on another computer":
        assert own_names(ana) == before, "the copy leaves the files of the other one alone"
    assert own_names(ana)
    assert own_names(ben)
    assert not own_names(ana) & own_names(ben)
    assert names(ana) == names(ben) == {"Zoe", "Yan", "Xia"}


def test_a_cloned_computer_is_another_device(ana: SharedHome, ben: SharedHome, tmp_path: Path) -> None:
    """Nothing tells the clone from its original but what it writes, and nothing of either may be lost for a third."""
    cy = SharedHome(tmp_path, "cy")
    cy.share()
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben, cy)
    copy_home(ana, ben)
    for home in (ana, ben):
        with contextlib.closing(sqlite3.connect(state_file(home.file))) as notes:
            notes.execute("UPDATE settings SET value = ? WHERE name = 'folder'", (str(home.files),))
            notes.commit()
    bands.found_band(cy.archive, "Choir", "Cy")
    for home in (ana, ben):
        bands.found_band(home.archive, "Choir" if home is ben else "Chapel", home.name)
        people.add_person(home.archive, f"Friend of {home.name}")
        home.sync()
    settle(ana, ben, cy, rounds=6)
    assert not own_names(ana) & own_names(ben)
    assert names(ana) == names(ben) == names(cy) == {"Zoe", "Friend of ana", "Friend of ben"}
    assert cy.waiting == ana.waiting == ben.waiting == {("deck", "name")}
    deck_records.rename_deck(
        cy.archive, next(row.deck for row in cy.archive.decks() if row.name == "Choir"), "Crypt", ""
    )
    settle(ana, ben, cy, rounds=6)
    assert cy.waiting == ana.waiting == ben.waiting == set()
    assert entries(ana) == entries(ben) == entries(cy)
    cy.close()


def test_an_archive_copied_to_two_devices_is_one_again(ana: SharedHome, ben: SharedHome) -> None:
    """Both began with the same file, went on apart, and share only now."""
    for home in (ana, ben):
        sharing.stop_sharing(home.file)
    people.add_person(ana.archive, "Zoe")
    deck = ana.archive.found_deck("keepsake", [Founded("Choir")])
    session = ana.archive.new_session("keepsake", "Friday")
    maintenance.backup(ana.archive, ben.root / "copy")
    ben.archive.close()
    restore.restore(ben.root / "copy", ben.file, ana.archive.now())
    ben.archive = Archive.open(str(ben.file), by="ben@ben-pc")
    ben.synchronizer = Synchronizer(ben.archive)
    people.add_person(ana.archive, "Yan")
    people.add_person(ben.archive, "Yan")
    ben.archive.mark(deck, 2, [Played(2)])
    for home in (ana, ben):
        home.archive.append_lines(session, 1, [StoredLine(f"note '{home.name}'", 1)])
        home.share()
    settle(ana, ben)
    assert ana.waiting == ben.waiting == set()
    assert sorted(person.name for person in people.with_ids(ana.archive)) == ["Yan", "Yan", "Zoe"]
    assert [len(home.archive.sessions()) for home in (ana, ben)] == [2, 2]
    assert ana.archive.entries(f"deck:{deck}") == ben.archive.entries(f"deck:{deck}")


def test_two_archives_of_one_name_keep_their_files_apart(tmp_path: Path) -> None:
    """One user shares two archives through one folder, from one computer."""
    first, second = (SharedHome(tmp_path, name) for name in ("first", "second"))
    for home in (first, second):
        home.archive.close()
        home.archive = Archive.open(str(home.file), by="ana@ana-pc")
        home.synchronizer = Synchronizer(home.archive)
        sharing.start_sharing(home.archive, first.folder)
        people.add_person(home.archive, home.name)
    for _ in range(3):
        for home in (first, second):
            home.sync()
    assert not own_names(first) & own_names(second)
    assert names(first) == names(second) == {"first", "second"}
    assert say(first) == say(second) == "Shared folder: up to date with ana@ana-pc."
    for home in (first, second):
        home.close()


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


def test_a_decision_is_not_lost_to_another_program(ana: SharedHome) -> None:
    with LocalState.open(ana.file) as state:
        assert state is not None
        with state.hold() as is_held:
            assert is_held
            assert ana.sync() == 0
            with pytest.raises(ArchiveError, match="try again"):
                ana.sync(Decisions("mine"))


def test_a_backup_with_as_many_changes_is_noticed(ana: SharedHome, ben: SharedHome, tmp_path: Path) -> None:
    """After it is put back, the archive grows to the same size again, with other entries."""
    maintenance.backup(ana.archive, tmp_path / "old.sqlite")
    people.add_person(ana.archive, "Yan")
    settle(ana, ben)
    ana.archive.close()
    restore.restore(tmp_path / "old.sqlite", ana.file, ana.archive.now())
    ana.archive = Archive.open(str(ana.file), by="ana@ana-pc")
    ana.synchronizer = Synchronizer(ana.archive)
    people.add_person(ana.archive, "Xia")
    settle(ana, ben)
    assert names(ana) == names(ben) == {"Yan", "Xia"}


@pytest.mark.slow
def test_notes_in_use_are_neither_damaged_nor_deleted(ana: SharedHome, tmp_path: Path) -> None:
    """A long synchronization of another window holds them alone."""
    people.add_person(ana.archive, "Zoe")
    ana.sync()
    before = own_names(ana)
    other = tmp_path / "other"
    other.mkdir()
    with contextlib.closing(sqlite3.connect(state_file(ana.file), isolation_level=None)) as window:
        window.execute("BEGIN EXCLUSIVE")
        assert say(ana) == "Shared folder: another window is using it at this moment."
        assert ana.sync() == 0
        for act in (lambda: ana.sync(Decisions("mine")), lambda: sharing.start_sharing(ana.archive, other)):
            with pytest.raises(ArchiveError, match="try again"):
                act()
        window.execute("ROLLBACK")
    assert own_names(ana) == before
    assert say(ana) == "Shared folder: up to date; no other device has written there yet."


def test_notes_damaged_in_part_are_begun_anew(ana: SharedHome, ben: SharedHome) -> None:
    people.add_person(ana.archive, "Zoe")
    settle(ana, ben)
    notes = bytearray(state_file(ana.file).read_bytes())
    for page in range(3, len(notes) // 4096):
        notes[page * 4096 : page * 4096 + 100] = b"x" * 100
    state_file(ana.file).write_bytes(notes)
    assert ana.sync() == 0
    ana.share()
    people.add_person(ana.archive, "Yan")
    settle(ana, ben)
    assert entries(ana) == entries(ben)
    assert names(ben) == {"Zoe", "Yan"}
