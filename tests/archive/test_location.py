"""Archives behind links: everything that belongs to one lies beside the real file, and no link is ever replaced."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from companion.archive import Archive, ArchiveError, Unreadable
from companion.archive.recovery import backups
from companion.archive.recovery.restore import restore
from companion.archive.storage import location, wal_guard
from companion.cli.main import main
from tests.archive import household
from tests.archive.test_backups import EVENING, abandoned, add_person, names_in

pytestmark = [pytest.mark.posix]


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """An archive in a folder of its own, with a backup of before the last person came."""
    file = tmp_path / "real" / "r.db"
    file.parent.mkdir()
    with Archive.open(str(file), by="tests") as archive:
        household.fill(archive, decks=1)
    assert backups.make_backup(file, "evening", EVENING)
    add_person(file, "Zoe")
    return file


@pytest.fixture
def link(real: Path, tmp_path: Path) -> Path:
    """A link to it that lies elsewhere."""
    link = tmp_path / "a.db"
    link.symlink_to(real)
    return link


def _run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(arguments))
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code, done.stdout, done.stderr


def test_a_restore_behind_a_link_replaces_the_file_and_keeps_it(link: Path, real: Path) -> None:
    (backup,) = backups.list_backups(real)
    old, new = household.stored(real), household.stored(backup.path)
    assert _run("--archive", str(link), "archive", "restore", str(backup.path))[0] == 0
    assert link.is_symlink()
    assert not real.is_symlink()
    assert household.stored(real) == new
    (kept,) = [each.path for each in backups.list_backups(real) if each.why == "replaced"]
    assert not kept.is_symlink()
    assert not kept.samefile(real)
    assert household.stored(kept) == old
    assert sorted(path.name for path in link.parent.iterdir()) == ["a.db", "real"]


def test_what_waits_beside_the_real_file_is_kept_by_a_restore(link: Path, real: Path) -> None:
    abandoned(real, "Yan")
    assert wal_guard.holds_pages(wal_guard.log_of(real))
    (backup,) = backups.list_backups(real)
    assert _run("--archive", str(link), "archive", "restore", str(backup.path))[0] == 0
    (kept,) = [each.path for each in backups.list_backups(real) if each.why == "replaced"]
    assert {"Yan", "Zoe"} <= names_in(kept)
    assert "Yan" not in names_in(real)


def test_backups_behind_a_link_are_those_of_the_file(link: Path, real: Path) -> None:
    assert str(backups.list_backups(real)[0].path) in _run("--archive", str(link), "archive", "backups")[1]
    with Archive.open(str(link)) as archive:
        assert archive.store.file == real


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_link_in_the_folder_part_is_followed(tmp_path: Path, real: Path, form: str) -> None:
    (tmp_path / "folder").symlink_to(real.parent)
    with Archive.open(form.format(tmp_path / "folder" / "r.db")) as archive:
        assert archive.store.file == real


@pytest.mark.parametrize(
    ("typed", "file"),
    [("sqlite:///r.db", "r.db"), ("sqlite:////tmp/a b.db", "/tmp/a b.db"), ("sqlite:///r.db?timeout=5", None)],
)
def test_a_plain_url_names_a_file_as_the_database_library_reads_it(typed: str, file: str | None) -> None:
    if file is not None:
        assert make_url(typed).database == file
    assert location.archive_file(typed) == (file and Path(file))


@pytest.mark.parametrize("typed", ["sqlite:///", "sqlite:///:memory:"])
def test_a_url_without_a_file_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable, match="name the file"):
        location.locate(typed)


def test_a_name_without_links_stays_as_it_was_typed(real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(real.parent)
    assert location.archive_file("r.db") == Path("r.db")


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_nothing_begins_behind_a_link_to_nothing(tmp_path: Path, form: str) -> None:
    (tmp_path / "disk").mkdir()
    link = tmp_path / "a.db"
    link.symlink_to(tmp_path / "disk" / "r.db")
    with pytest.raises(Unreadable, match=r"is a link to “.*r\.db”, which is not there"):
        Archive.open(form.format(link))
    assert list((tmp_path / "disk").iterdir()) == []


def test_a_backup_can_be_put_behind_a_link_to_nothing(link: Path, real: Path, tmp_path: Path) -> None:
    backup = backups.list_backups(real)[0].path.rename(tmp_path / "stick.sqlite")
    new = household.stored(backup)
    real.unlink()
    assert _run("--archive", str(link), "archive", "restore", str(backup))[0] == 0
    assert link.is_symlink()
    assert household.stored(real) == new


def test_a_link_that_leads_back_to_itself_is_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    one.symlink_to(other)
    other.symlink_to(one)
    for command in (["deck", "list"], ["archive", "backups"], ["archive", "restore", "x"], ["archive", "check"]):
        status, _, error = _run("--archive", str(one), *command)
        assert (status, error) == (2, f"“{one}” is a link that leads back to itself; name the file itself.\n")


def test_a_link_to_a_directory_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.db").symlink_to(tmp_path / "folder")
    with pytest.raises(Unreadable, match="is a directory"):
        Archive.open(str(tmp_path / "a.db"))


def test_what_is_not_kept_as_it_was_looked_at_is_not_replaced(real: Path) -> None:
    backup = backups.list_backups(real)[0].path
    assert not wal_guard.holds_pages(wal_guard.log_of(real))
    child = os.fork()
    if not child:
        word = (wal_guard.word_of(real) or "").encode()
        other = real.read_bytes().replace(word, b"lineage:" + bytes(reversed(word[8:])))

        def write_meanwhile(event: str, arguments: Sequence[object]) -> None:
            if event == "open" and "-replaced-" in str(arguments[0]) and arguments[1] == "x":
                real.write_bytes(other)

        sys.addaudithook(write_meanwhile)
        try:
            restore(backup, real, EVENING)
        except ArchiveError as error:
            os._exit(7 if "could not be kept as it is" in str(error) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert "Zoe" in names_in(real)
    assert [path.name for path in real.parent.iterdir() if "replaced" in path.name] == []


def test_the_home_of_somebody_unknown_is_told_as_a_folder_that_is_not_there() -> None:
    with pytest.raises(Unreadable, match=r"^There is no directory “~nobody-of-this-name” to keep the archive"):
        Archive.open("~nobody-of-this-name/archive.sqlite")
