"""From destroyed pages: every lost entry is named, and every other one saved."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from companion.archive import Archive, backups, check, salvage
from companion.archive.pages import Pages
from tests.archive import bands, household

pytestmark = pytest.mark.files

SIZE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an archive that fills many pages, with entries long enough to flow over onto pages of their own."""
    file = tmp_path_factory.mktemp("whole") / "archive.sqlite"
    with Archive.open(str(file), by="tests") as archive:
        household.fill(archive, decks=6)
        deck = bands.found(archive, "The Long Story")
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
    read = {(record[0], record[1]): record[5] for record in Pages(file).records(8, 8)}
    told = {(stream.encode(), seq): body.encode() for (stream, seq), body in household.stored(file).items()}
    assert read == told
    assert any(len(body) > SIZE for body in told.values()), "no entry flows over"


@pytest.mark.parametrize("seed", range(40))
def test_every_entry_of_a_destroyed_page_is_named_and_all_others_are_saved(
    tmp_path: Path, whole: bytes, seed: int
) -> None:
    chance = Random(seed)
    told = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    content = bytearray(whole)
    page = chance.randrange(len(whole) // SIZE)
    content[page * SIZE : (page + 1) * SIZE] = chance.choice([bytes(SIZE), chance.randbytes(SIZE)])
    file.write_bytes(content)
    saved = salvage.save(file, target)
    kept = household.stored(target)
    lost = told.keys() - kept.keys()
    assert {where: told[where] for where in kept} == kept, "something else than what was written was saved"
    assert named(saved.lost) == lost
    assert len(lost) < 200, "more is lost than one page can hold"
    assert file.read_bytes() == content, "the damaged file was touched"


@pytest.mark.parametrize("seed", range(8))
def test_with_a_backup_all_that_it_has_comes_from_there(tmp_path: Path, whole: bytes, seed: int) -> None:
    chance = Random(seed)
    told = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    file.write_bytes(whole)
    assert backups.keep(file, "evening", datetime.now(UTC))
    content = bytearray(whole)
    pages = chance.sample(range(len(whole) // SIZE), 9)
    for page in (0, *pages):
        content[page * SIZE : (page + 1) * SIZE] = chance.randbytes(SIZE)
    file.write_bytes(content)
    saved = salvage.save(file, target)
    assert household.stored(target) == told
    assert saved.lost == ()
    assert saved.fetched
    with Archive.open(str(target)) as archive:
        assert check.check(archive) == ()
        assert archive.find_deck("The Long Story").game == "decknforge"


def test_a_single_flipped_bit_is_mended_by_the_checksum(tmp_path: Path, whole: bytes) -> None:
    told = truth(tmp_path, whole)
    file, target = tmp_path / "archive.sqlite", tmp_path / "saved.sqlite"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file)) as database:
        (stream,) = database.execute("SELECT stream FROM entries WHERE body LIKE '%Grave Choir%'").fetchone()
        database.execute("UPDATE entries SET body = replace(body, 'Grave Choir', 'Grave Chois')")
        database.execute("UPDATE entries SET body = replace(body, 'Friday', 'Fridax')")
        database.commit()
    saved = salvage.save(file, target)
    assert household.stored(target) == told
    assert saved.lost == ()
    assert any(loss.stream == stream and "mended" in loss.text for loss in saved.mended)


def test_a_check_of_a_file_with_destroyed_pages_names_what_is_lost(tmp_path: Path, whole: bytes) -> None:
    told = truth(tmp_path, whole)
    file = tmp_path / "archive.sqlite"
    first = next(
        page for page in range(2, 90) if whole[page * SIZE] == 0x0A and b"deck:" in whole[page * SIZE :][:SIZE]
    )
    content = bytearray(whole)
    content[first * SIZE : (first + 1) * SIZE] = bytes(SIZE)
    file.write_bytes(content)
    with Archive.open(str(file)) as archive:
        found = check.check(archive)
    survivors = {(str(record[0], "utf-8"), record[1]) for record in Pages(file).records(8, 8)}  # type: ignore[arg-type]
    gone = {(fault.stream, seq) for fault in found for seq in fault.seqs}
    assert gone == told.keys() - survivors
    assert gone
    assert any("damaged in the table entries" in fault.text for fault in found), found
    assert not any(fault.mendable for fault in found)
