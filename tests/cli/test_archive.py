"""`companion archive`: what is in it, copies, checks and repairs."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, maintenance
from companion.archive.migrations import REVISION
from companion.cli.main import main
from tests.archive.keepsake import Founded, Played


@pytest.fixture
def place(tmp_path: Path) -> str:
    file = str(tmp_path / "archive.sqlite")
    with Archive.open(file) as archive:
        archive.found_deck("keepsake", [Founded("Grave Choir")])
        archive.new_session("keepsake")
    return file


@pytest.fixture
def run(place: str) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["archive", *arguments, "--archive", place])

    return run


def spoil(place: str, statement: str) -> None:
    with sqlite3.connect(place) as database:
        database.execute(statement)
    database.close()


def test_info_says_where_it_is_and_what_it_has(run: Callable[..., Result], place: str) -> None:
    where, what = run("info").stdout.splitlines()
    assert where.startswith(f"{place} (schema {REVISION}, ")
    assert what == "1 session, 1 deck, 0 people, 3 entries"
    data = json.loads(run("info", "--json").stdout)
    assert (data["archive"], data["decks"], data["entries"]) == (place, 1, 3)


@pytest.mark.slow
def test_a_backup_can_be_opened(run: Callable[..., Result], tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    assert run("backup", str(copy)).exit_code == 0
    with Archive.open(str(copy)) as archive:
        assert archive.find_deck("Grave Choir").game == "keepsake"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive.sqlite", "copy.sqlite"]
    assert run("backup", str(copy)).exit_code == 1
    assert run("backup", str(copy), "--force").exit_code == 0
    assert run("backup", str(tmp_path)).exit_code == 2


@pytest.mark.slow
def test_a_backup_without_a_name_is_dated(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    output = run("backup").stdout
    (copy,) = (tmp_path / "here").iterdir()
    assert output == f"{copy.name}: a whole copy.\n"
    assert copy.name.startswith("archive-20")


@pytest.mark.slow
def test_an_archive_never_backs_up_over_itself(run: Callable[..., Result], place: str) -> None:
    result = run("backup", place, "--force")
    assert result.exit_code == 2
    assert "is the archive itself" in result.stderr
    assert "1 deck," in run("info").stdout


@pytest.mark.slow
def test_a_whole_archive_passes(run: Callable[..., Result]) -> None:
    result = run("check")
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert json.loads(run("check", "--json").stdout) == {"found": [], "left": []}


@pytest.mark.slow
def test_wrong_lists_fail_until_they_are_repaired(run: Callable[..., Result], place: str) -> None:
    spoil(place, "UPDATE decks SET figures = '[]'")
    failed = run("check")
    assert failed.exit_code == 1
    assert "list of decks" in failed.stdout
    assert "--repair" in failed.stdout
    repaired = run("check", "--repair")
    assert repaired.exit_code == 0
    assert "Mended" in repaired.stdout
    assert run("check").exit_code == 0


@pytest.mark.slow
def test_damaged_entries_fail_with_and_without_repair(run: Callable[..., Result], place: str) -> None:
    spoil(place, "UPDATE entries SET body = '{' WHERE stream LIKE 'deck:%' AND seq = 1")
    spoil(place, "UPDATE sessions SET lines = 5")
    result = run("check", "--repair")
    assert result.exit_code == 1
    assert "is not as it was written" in result.stdout
    assert result.stderr == ""
    assert "list of sessions" not in run("check").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoilt", "status", "sentence"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", 2, "newer companion"),
        ("DROP TABLE alembic_version", 2, "the database of another program"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(
    run: Callable[..., Result], place: str, spoilt: str, status: int, sentence: str
) -> None:
    spoil(place, spoilt)
    result = run("info")
    assert (result.exit_code, result.stdout) == (status, "")
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_directory_or_a_text_file_as_archive_is_one_sentence(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Buy sleeves.", encoding="utf-8")
    for path in (notes, tmp_path):
        result = CliRunner().invoke(main, ["archive", "info", "--archive", str(path)])
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_copy_in_another_archive_holds_the_same(run: Callable[..., Result], place: str, tmp_path: Path) -> None:
    there = str(tmp_path / "club.sqlite")
    result = run("copy", there)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "3 entries copied" in result.stdout
    with Archive.open(place) as mine, Archive.open(there) as copied:
        assert copied.decks() == mine.decks()
        assert copied.sessions() == mine.sessions()
        for row in mine.decks():
            assert copied.story(row.deck) == mine.story(row.deck)


@pytest.mark.slow
def test_a_copy_never_goes_into_an_archive_that_holds_something(
    run: Callable[..., Result], place: str, tmp_path: Path
) -> None:
    there = str(tmp_path / "club.sqlite")
    with Archive.open(there) as club:
        club.found_deck("keepsake", [Founded("Salt and Iron")])
    refused = run("copy", there)
    assert refused.exit_code == 1
    assert refused.stderr.count("\n") == 1
    assert "has entries already" in refused.stderr
    with Archive.open(there) as club:
        assert [row.name for row in club.decks()] == ["Salt and Iron"]
    assert run("copy", place).exit_code == 2


@pytest.mark.slow
def test_backups_are_listed_and_one_is_restored(run: Callable[..., Result], place: str) -> None:
    assert "No backup yet" in run("backups").stdout
    with Archive.open(place) as archive:
        backup = maintenance.end_evening(archive)
        archive.found_deck("keepsake", [Founded("Later")])
    assert "end of an evening" in run("backups").stdout
    (listed,) = json.loads(run("backups", "--json").stdout)
    assert (listed["path"], listed["why"]) == (str(backup), "evening")
    restored = run("restore", str(backup))
    assert (restored.exit_code, restored.stderr) == (0, "")
    assert "What was there is kept as" in restored.stdout
    assert "1 deck," in run("info").stdout
    assert run("restore", place).exit_code == 2
    assert run("restore", f"{place}.nowhere").exit_code == 2


@pytest.mark.slow
def test_a_copy_elsewhere_follows_until_it_is_told_not_to(
    run: Callable[..., Result], place: str, tmp_path: Path
) -> None:
    assert "no copy elsewhere" in run("follow").stdout
    assert run("follow", str(tmp_path / "none")).exit_code == 1
    stick = tmp_path / "stick"
    stick.mkdir()
    result = run("follow", str(stick))
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "Copy elsewhere: up to date.")
    (copy,) = stick.glob("*/*.sqlite")
    with Archive.open(str(copy)) as archive:
        assert len(archive.decks()) == 1
    assert "Copy elsewhere: up to date." in run("info").stdout
    assert json.loads(run("follow", "--json").stdout)["target"]["folder"] == str(copy.parent)
    with Archive.open(place) as archive:
        archive.found_deck("keepsake", [Founded("Later")])
        stick.rename(tmp_path / "away")
        maintenance.end_evening(archive)
    assert "last 1 evening ago" in run("follow").stdout
    assert run("follow", str(stick), "--off").exit_code == 2
    assert "no copy elsewhere" in run("follow", "--off").stdout
    Path(place).rename(tmp_path / "other.sqlite")
    assert run("follow", str(tmp_path)).exit_code == 1
    assert not Path(place).exists()


@pytest.mark.slow
def test_an_archive_that_is_empty_is_an_alarm_with_the_way_back(run: Callable[..., Result], place: str) -> None:
    with Archive.open(place) as archive:
        backup = maintenance.end_evening(archive)
    Path(place).write_bytes(b"")
    refused = run("info")
    assert refused.exit_code == 2
    assert f"companion archive restore {backup}" in refused.stderr
    assert str(backup) in run("backups").stdout
    assert run("restore", str(backup)).exit_code == 0
    assert "1 deck," in run("info").stdout


@pytest.mark.slow
def test_everything_is_exported_and_taken_in_by_another_home(
    run: Callable[..., Result], place: str, tmp_path: Path
) -> None:
    file, other = tmp_path / "everything.gz", tmp_path / "other.sqlite"
    assert "3 entries" in run("export", str(file)).stdout
    assert run("export", str(file)).exit_code == 1
    taken = CliRunner().invoke(main, ["archive", "import", str(file), "--archive", str(other)])
    assert taken.stdout == "3 entries taken in: 2 stories new, 0 went on, 0 known.\n"
    with Archive.open(place) as mine, Archive.open(str(other)) as theirs:
        assert mine.decks() == theirs.decks()
    assert run("import", place).exit_code == 2


@pytest.mark.slow
def test_an_import_is_taken_back_until_it_was_gone_on_with(run: Callable[..., Result], tmp_path: Path) -> None:
    file, other = tmp_path / "everything.gz", str(tmp_path / "other.sqlite")
    assert run("export", str(file)).exit_code == 0

    def there(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["archive", *arguments, "--archive", other])

    assert there("import", str(file)).exit_code == 0
    output = there("undo-import", "--dry-run").stdout
    assert output.startswith("The last import: “everything.gz”, imported ")
    assert "1 deck," in there("info").stdout
    data = json.loads(there("undo-import", "--json").stdout)
    assert (data["entries"], data["streams"], data["undone"]) == (3, 2, True)
    assert "0 decks," in there("info").stdout
    assert there("check").exit_code == 0
    nothing = there("undo-import")
    assert (nothing.exit_code, nothing.stderr) == (1, "There is no import here that could be undone.\n")
    assert there("undo-import", "--dry-run").stderr == nothing.stderr
    assert there("import", str(file)).exit_code == 0
    with Archive.open(other) as archive:
        (deck,) = archive.decks()
        archive.mark(deck.deck, deck.length, [Played(1)])
    refused = there("undo-import")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "have changed since: deck Grave Choir." in refused.stderr
    assert there("check").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("named", [("-",), ("-o", "-")], ids=" ".join)
@pytest.mark.parametrize(("command", "begins"), [("export", b"\x1f\x8b"), ("backup", b"SQLite format 3\0")])
def test_what_goes_to_standard_output_stands_there_alone(
    run: Callable[..., Result],
    command: str,
    begins: bytes,
    named: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    piped = run(command, *named)
    assert (piped.exit_code, piped.stdout_bytes[: len(begins)]) == (0, begins)
    assert piped.stderr.startswith("standard output: ")
    assert not Path("-").exists()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["export", "backup"])
def test_a_file_may_be_named_as_with_all_commands_and_once(
    run: Callable[..., Result], command: str, tmp_path: Path
) -> None:
    file = tmp_path / "copy"
    assert run(command, "-o", str(file)).exit_code == 0
    assert file.stat().st_size > 0
    assert run(command, "-o", str(file)).exit_code == 1
    twice = run(command, str(file), "-o", "other", "--force")
    assert (twice.exit_code, twice.stderr) == (2, "Name the file once: as FILE, or by -o.\n")


@pytest.mark.slow
def test_an_export_says_where_to(run: Callable[..., Result]) -> None:
    result = run("export")
    assert (result.exit_code, result.stderr) == (2, "Name the FILE to write, or - for standard output.\n")


@pytest.mark.slow
def test_programs_are_told_what_was_copied_taken_in_and_put_back(
    run: Callable[..., Result], place: str, tmp_path: Path
) -> None:
    file, other, club = (str(tmp_path / name) for name in ("all.gz", "other.sqlite", "club.sqlite"))
    run("export", file)
    taken = CliRunner().invoke(main, ["archive", "import", file, "--json", "--archive", other])
    assert json.loads(taken.stdout) == {"new": 2, "longer": 0, "known": 0, "entries": 3}
    assert json.loads(run("copy", club, "--json").stdout) == {"archive": club, "entries": 3}
    restored = json.loads(run("restore", club, "--json").stdout)
    assert (restored["archive"], restored["file"]) == (place, club)
    assert Path(restored["kept"]).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "garbage"),
    [(0, b"SQLite format 3\x00" + bytes(4080)), (0, b"\xa5" * 4096), (1, bytes(4096))],
    ids=["first page", "first page and what it begins with", "second page"],
)
def test_a_damaged_archive_is_saved_into_a_new_file(
    run: Callable[..., Result], place: str, tmp_path: Path, page: int, garbage: bytes
) -> None:
    content = bytearray(Path(place).read_bytes())
    content[page * 4096 : (page + 1) * 4096] = garbage
    Path(place).write_bytes(content)
    result = run("check")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "--repair saves" in result.stdout
    saved = run("check", "--repair")
    assert saved.exit_code == 1
    (target,) = tmp_path.glob("archive-repaired-*.sqlite")
    assert f"companion archive restore {target}" in saved.stdout
    assert Path(place).read_bytes() == content
    if page == 0:
        assert run("restore", str(target)).exit_code == 0
        assert "1 session, 1 deck, 0 people, 3 entries" in run("info").stdout
        assert run("check").exit_code == 0
