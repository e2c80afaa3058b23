"""From destroyed pages: every lost entry is named, and every other one saved."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from companion.archive import Archive, Unreadable, maintenance, salvage
from companion.archive.recovery import backups
from companion.archive.recovery.sqlite_pages import FilePages
from companion.archive.storage.transaction import TABLES
from tests.archive import bands, household

pytestmark = [pytest.mark.files, pytest.mark.slow]

SIZE = 4096
EDITIONS = Path(__file__).parents[1] / "editions"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an archive that fills many pages, with entries long enough to flow over onto pages of their own."""
    file = tmp_path_factory.mktemp("whole") / "archive.sqlite"
    with Archive.open(str(file), by="tests") as archive:
        household.fill(archive, decks=6)
        deck = bands.found_band(archive, "The Long Story")
        bands.add(archive, deck, *bands.full(40, 200, 3)[1:])
        session = archive.new_session("decknforge", "A long evening")
        from companion.archive import StoredLine

        archive.append_lines(session, 1, [StoredLine(f"note {'word ' * (number * 7)}", 1) for number in range(200)])
    return file.read_bytes()


def truth(tmp_path: Path, whole: bytes) -> dict[tuple[str, int], str]:
    file = tmp_path / "truth.sqlite"
    file.write_bytes(whole)
    return household.stored(file)


def named(losses: tuple[salvage.Loss, ...]) -> set[tuple[str, int]]:
    return {(loss.stream, seq) for loss in losses for seq in loss.seqs}


def test_pages_tell_all_that_sqlite_tells(tmp_path: Path, whole: bytes) -> None:
    file = tmp_path / "archive.sqlite"
    file.write_bytes(whole)
    read = {(record[0], record[1]): record[5] for record in FilePages(file).records(8, 8)}
    bodies = {(stream.encode(), seq): body.encode() for (stream, seq), body in household.stored(file).items()}
    assert read == bodies
    assert any(len(body) > SIZE for body in bodies.values()), "no entry flows over"


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 40))])
def test_entries_of_a_destroyed_page_are_named_others_saved(tmp_path: Path, whole: bytes, seed: int) -> None:
    chance = Random(seed)
    bodies = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    content = bytearray(whole)
    page = chance.randrange(len(whole) // SIZE)
    content[page * SIZE : (page + 1) * SIZE] = chance.choice([bytes(SIZE), chance.randbytes(SIZE)])
    file.write_bytes(content)
    saved = salvage.salvage_archive(file, target)
    kept = household.stored(target)
    lost = bodies.keys() - kept.keys()
    assert {where: bodies[where] for where in kept} == kept, "something else than what was written was saved"
    assert named(saved.lost) == lost
    assert len(lost) < 200, "more is lost than one page can hold"
    assert file.read_bytes() == content, "the damaged file was touched"


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(8))
def test_with_a_backup_all_that_it_has_comes_from_there(tmp_path: Path, whole: bytes, seed: int) -> None:
    chance = Random(seed)
    bodies = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    file.write_bytes(whole)
    assert backups.make_backup(file, "evening", datetime.now(UTC))
    content = bytearray(whole)
    pages = chance.sample(range(len(whole) // SIZE), 9)
    for page in (0, *pages):
        content[page * SIZE : (page + 1) * SIZE] = chance.randbytes(SIZE)
    file.write_bytes(content)
    saved = salvage.salvage_archive(file, target)
    assert household.stored(target) == bodies
    assert saved.lost == ()
    assert saved.fetched
    with Archive.open(str(target)) as archive:
        assert maintenance.check_archive(archive) == ()
        assert archive.find_deck("The Long Story").game == "decknforge"


def test_a_single_flipped_bit_is_mended_by_the_checksum(tmp_path: Path, whole: bytes) -> None:
    bodies = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        (stream,) = database.execute("SELECT stream FROM entries WHERE body LIKE '%Grave Choir%'").fetchone()
        database.execute("UPDATE entries SET body = replace(body, 'Grave Choir', 'Grave Chois')")
        database.execute("UPDATE entries SET body = replace(body, 'Friday', 'Fridax')")
        database.commit()
    saved = salvage.salvage_archive(file, target)
    assert household.stored(target) == bodies
    assert saved.lost == ()
    assert any(loss.stream == stream and "repaired" in loss.text for loss in saved.mended)


def test_a_check_names_what_destroyed_pages_held(tmp_path: Path, whole: bytes) -> None:
    bodies = truth(tmp_path, whole)
    file = tmp_path / "archive.sqlite"
    first = next(
        page for page in range(2, 90) if whole[page * SIZE] == 0x0A and b"deck:" in whole[page * SIZE :][:SIZE]
    )
    content = bytearray(whole)
    content[first * SIZE : (first + 1) * SIZE] = bytes(SIZE)
    file.write_bytes(content)
    with Archive.open(str(file)) as archive:
        faults = maintenance.check_archive(archive)
    survivors = {(str(record[0], "utf-8"), record[1]) for record in FilePages(file).records(8, 8)}  # type: ignore[arg-type]
    gone = {(fault.stream, seq) for fault in faults for seq in fault.seqs}
    assert gone == bodies.keys() - survivors
    assert gone
    assert any("damaged in the table entries" in fault.text for fault in faults), faults
    assert not any(fault.mendable for fault in faults)


def test_rows_of_lists_are_read_in_the_order_of_their_file(tmp_path: Path, whole: bytes) -> None:
    file = tmp_path / "archive.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        for table in TABLES.values():
            there = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table.name})")]
            assert list(salvage.IN_FILE.get(table.name, table.columns.keys())) == there


KINDS = (0x00, 0x02, 0x05, 0x0A, 0x0D, 0xFF)
"""What stands first on a page: of each kind of page, of most that overflow, and of none."""


def notice(file: Path) -> tuple[maintenance.Fault, ...]:
    try:
        with Archive.open(str(file)) as archive:
            return maintenance.check_archive(archive)
    except Unreadable as error:
        return maintenance.check_unopened(error, file)


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(30))
def test_a_page_whose_kind_is_damaged_is_read_all_the_same(tmp_path: Path, whole: bytes, seed: int) -> None:
    chance = Random(seed)
    bodies = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    content = bytearray(whole)
    # Of the sixth part of all pages that has its turn, so that every kind of page is damaged.
    at = chance.randrange(1 + seed % 6, len(whole) // SIZE, 6) * SIZE
    content[at] = chance.choice(
        [kind for kind in (*KINDS, content[at] ^ 1 << chance.randrange(8)) if kind != whole[at]]
    )
    file.write_bytes(content)
    saved = salvage.salvage_archive(file, target)
    kept = household.stored(target)
    lost = bodies.keys() - kept.keys()
    assert (lost, saved.lost, saved.unsure) == (set(), (), ())
    assert {where: bodies[where] for where in kept} == kept
    faults = notice(file)
    assert faults, "nobody noticed"
    assert not any(fault.seqs for fault in faults), "what can be read is called lost"


def test_the_first_page_of_every_table_and_index_is_noticed(tmp_path: Path, whole: bytes) -> None:
    """Where SQLite stumbles over an index it names no table, and of a damaged table it may read less than is there."""
    file = tmp_path / "archive.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        pages = [(page - 1, name) for page, name in database.execute("SELECT rootpage, name FROM sqlite_master")]
    for page, name in pages:
        for kind in {*KINDS} - {whole[page * SIZE]}:
            content = bytearray(whole)
            content[page * SIZE] = kind
            file.write_bytes(content)
            faults = notice(file)
            assert faults, f"nobody noticed that {name} is damaged"
            assert not any(fault.seqs for fault in faults), f"with {name} damaged, what can be read is called lost"


@pytest.mark.parametrize("edition", ["1", "2", "3"])
def test_backups_of_before_checksums_are_read(tmp_path: Path, edition: str) -> None:
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    old = backups.folder(file) / "2024-01-01-200000-evening.sqlite"
    old.parent.mkdir()
    for place in (file, old):
        place.write_bytes((EDITIONS / edition / "archive.sqlite").read_bytes())
    with Archive.open(str(file)):
        pass
    for each in backups.list_backups(file):
        if each.why == "migration":
            each.path.unlink()
    bodies = household.stored(file)
    content, chance = bytearray(file.read_bytes()), Random(edition)
    for page in chance.sample(range(len(content) // SIZE), 20):
        content[page * SIZE : (page + 1) * SIZE] = bytes(SIZE)
    file.write_bytes(content)
    saved = salvage.salvage_archive(file, target)
    assert (saved.lost, saved.unreadable) == ((), ())
    assert saved.fetched
    assert household.stored(target) == bodies


def test_a_damaged_backup_is_named_and_used_as_far_as_it_can(tmp_path: Path, whole: bytes) -> None:
    bodies = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    file.write_bytes(whole)
    backup_file = backups.make_backup(file, "evening", datetime.now(UTC))
    assert backup_file
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("DELETE FROM entries WHERE stream LIKE 'session:%' AND seq > 50")
        database.commit()
    rotten = backup_file.with_name("0000000009-2020-01-01-200000-evening.sqlite")
    rotten.write_bytes(b"Buy sleeves." * 1000)
    content = bytearray(backup_file.read_bytes())
    content[: SIZE - 1000] = bytes(SIZE - 1000)
    backup_file.write_bytes(content)
    saved = salvage.salvage_archive(file, target)
    assert household.stored(target) == bodies
    assert {path.name for path in (backup_file, rotten)} == {
        path.name for path in (backup_file, rotten) if any(path.name in each.text for each in saved.unreadable)
    }
    assert "nothing of it could be read" in next(each.text for each in saved.unreadable if rotten.name in each.text)


def test_a_session_that_is_lost_whole_is_named(tmp_path: Path, whole: bytes) -> None:
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        (session, length) = database.execute("SELECT session, length FROM sessions WHERE title = 'Friday'").fetchone()
        database.execute("DELETE FROM entries WHERE stream = ?", (f"session:{session}",))
        database.commit()
    with Archive.open(str(file)) as archive:
        for _ in range(2):
            (fault,) = maintenance.check_archive(archive)
            assert (fault.stream, fault.seqs, fault.mendable) == (f"session:{session}", tuple(range(length)), False)
            assert "(Friday)" in fault.text
            maintenance.repair(archive)
    (loss,) = salvage.salvage_archive(file, target).lost
    assert (loss.stream, loss.seqs) == (f"session:{session}", tuple(range(length)))
    assert "(Friday)" in loss.text


def test_a_session_that_only_marks_or_a_backup_know_is_named(tmp_path: Path, whole: bytes) -> None:
    file = tmp_path / "archive.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        (session,) = database.execute("SELECT session FROM sessions WHERE title = 'Friday'").fetchone()
        for statement in ("DELETE FROM entries WHERE stream LIKE '%' || ?", "DELETE FROM sessions WHERE session = ?"):
            database.execute(statement, (session,))
        database.commit()
    (unsure,) = salvage.salvage_archive(file, tmp_path / "saved.sqlite").unsure
    assert session in unsure.text
    (tmp_path / "archive-2020-01-01-200000.sqlite").write_bytes(whole)
    saved = salvage.salvage_archive(file, tmp_path / "again.sqlite")
    assert {loss.stream for loss in saved.fetched} == {f"session:{session}"}
    assert [loss.stream for loss in saved.unsure] == [f"session:{session}"]


def test_a_session_whose_end_nothing_tells_is_named(tmp_path: Path, whole: bytes) -> None:
    file = tmp_path / "archive.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        (session,) = database.execute("SELECT session FROM sessions WHERE title = 'A long evening'").fetchone()
        database.execute("DELETE FROM entries WHERE stream LIKE '%' || ? AND seq > 18", (session,))
        database.execute("DELETE FROM sessions WHERE session = ?", (session,))
        database.commit()
    (unsure,) = salvage.salvage_archive(file, tmp_path / "saved.sqlite").unsure
    assert unsure.stream == f"session:{session}"
