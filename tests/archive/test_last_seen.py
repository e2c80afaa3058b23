"""What this computer remembers of an archive: one that holds less is told before anything is written to it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, Unreadable, maintenance
from companion.archive.people import people
from companion.archive.recovery import backups, last_seen
from tests.archive import household
from tests.archive.test_backups import EVENING, add_person, names_in

pytestmark = pytest.mark.files


@pytest.fixture
def file(place: str) -> Path:
    with Archive.open(place, by="tests") as archive:
        household.fill(archive, decks=1)
    return Path(place)


@pytest.fixture
def old(file: Path, tmp_path: Path) -> Iterator[Path]:
    """An archive in whose place an older copy was put by hand, beside a backup of what is newer."""
    shutil.copy(file, tmp_path / "copy.sqlite")
    add_person(file, "Zoe")
    assert backups.make_backup(file, "evening", EVENING)
    shutil.copy(tmp_path / "copy.sqlite", file)
    yield file
    last_seen.forget(file)


def test_what_was_seen_is_remembered_until_more_is_seen(file: Path) -> None:
    seen = last_seen.recall(file)
    assert seen == backups.read_growth(file)
    add_person(file, "Zoe")
    assert last_seen.recall(file) == backups.read_growth(file) > seen


def test_an_older_copy_is_reported_and_not_written_to(old: Path) -> None:
    before = old.read_bytes()
    (backup,) = backups.list_backups(old)
    with Archive.open(str(old)) as archive:
        assert f"“{old}” is older than this computer last saw it" in archive.store.read_only_reason
        assert f"its newest backup is “{backup.path}”" in archive.store.read_only_reason
        with pytest.raises(ArchiveError, match="is older than this computer last saw it"):
            people.add_person(archive, "Yan")
        assert "Ana" in {person.name for person in people.all_people(archive)}
    assert old.read_bytes() == before


def test_a_check_tells_that_an_archive_is_older(old: Path) -> None:
    with Archive.open(str(old)) as archive:
        assert [fault.text for fault in maintenance.check_archive(archive)] == [archive.store.loss_reason]


def test_an_older_copy_of_before_a_migration_is_not_migrated(file: Path) -> None:
    edition = Path(__file__).parents[1] / "editions" / "1" / "archive.sqlite"
    last_seen.remember(file, 10_000)
    shutil.copy(edition, file)
    with Archive.open(str(file)) as archive:
        assert archive.store.loss_reason
    assert file.read_bytes() == edition.read_bytes()
    assert not backups.folder(file).exists()
    last_seen.forget(file)


def test_after_a_restore_the_backup_is_what_is_remembered(file: Path) -> None:
    from companion.archive.recovery.restore import restore

    assert backups.make_backup(file, "evening", EVENING)
    add_person(file, "Zoe")
    restore(backups.list_backups(file)[0].path, file, EVENING)
    with Archive.open(str(file)) as archive:
        assert not archive.store.read_only_reason
    assert "Zoe" not in names_in(file)


@pytest.mark.parametrize("is_there", [True, False], ids=["empty", "gone"])
def test_what_was_seen_and_is_lost_does_not_begin_anew(file: Path, is_there: bool) -> None:
    file.unlink()
    if is_there:
        file.touch()
    with pytest.raises(Unreadable, match="this computer remembers that there was one"):
        Archive.open(str(file))
    assert not file.exists() or file.stat().st_size == 0
    last_seen.forget(file)
    Archive.open(str(file)).close()


def test_what_this_computer_never_saw_is_taken_as_it_is(old: Path) -> None:
    last_seen.forget(old)
    add_person(old, "Yan")
    assert "Yan" in names_in(old)


@pytest.mark.sample(5)
@pytest.mark.parametrize("note", [b"", b"{", b"[]", b'{"growth": "x"}', b"\xff"])
def test_a_damaged_note_is_as_none(file: Path, note: bytes) -> None:
    last_seen._note_path(file).write_bytes(note)
    assert last_seen.recall(file) is None
    add_person(file, "Zoe")
    assert last_seen.recall(file) == backups.read_growth(file)


@pytest.mark.posix
def test_where_nothing_can_be_noted_all_goes_on(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "no folder"))
    add_person(Path(place), "Zoe")
    assert last_seen.recall(Path(place)) is None
    assert names_in(Path(place)) == {"Zoe"}


def test_only_so_many_archives_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_seen, "_MAX_NOTES", 3)
    monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: tmp_path)
    for number in range(5):
        last_seen.remember(tmp_path / f"{number}.sqlite", 1)
    assert len(list((tmp_path / "archives").iterdir())) == 3
    assert last_seen.recall(tmp_path / "4.sqlite") == 1
