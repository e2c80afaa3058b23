"""Copies, checks and repairs of an archive."""

import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.archive import Archive, ArchiveError, StoredLine, maintenance
from companion.archive.migrations import REVISION
from companion.archive.people import people
from companion.tabletop.records import Payment
from tests.archive.keepsake import Founded, Played


@pytest.fixture
def filled(archive: Archive) -> Archive:
    choir = archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], [Payment("Ana", 5, "")])
    archive.found_deck("keepsake", [Founded("Iron Lanterns")])
    session = archive.new_session("keepsake", "Friday")
    archive.append_lines(session, 1, [StoredLine("table keepsake", 1, "ana · Round 1")])
    archive.seal(session, 2, [StoredLine("seal", 2)], {choir: [Played(3)]}, [Payment("Ana", 4, "")])
    return archive


def _everything(archive: Archive) -> tuple[object, ...]:
    return archive.sessions(), archive.decks(), people.all_people(archive)


def spoil(archive: Archive, statement: str) -> None:
    with archive.store.writing() as transaction:
        transaction.connection.execute(sa.text(statement))


@pytest.mark.files
def test_info_counts_what_is_there(filled: Archive) -> None:
    info = maintenance.info(filled)
    assert (info.sessions, info.decks, info.people, info.entries, info.schema) == (1, 2, 1, 11, REVISION)
    assert info.archive == filled.name
    assert info.bytes is not None
    assert info.bytes > 4096


def test_all_is_well_after_playing(filled: Archive) -> None:
    assert maintenance.check_archive(filled) == ()


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE decks SET figures = '[]'",
        "UPDATE decks SET name = 'x', folded = 'x' WHERE name = 'Grave Choir'",
        "DELETE FROM decks WHERE name = 'Grave Choir'",
        "DELETE FROM sessions",
        "UPDATE sessions SET lines = 0, standing = '\"\"', edition = 7, sealed = false",
        "UPDATE people SET purse = purse + 1",
        "INSERT INTO people SELECT 'GHOST1', name, called, 5, kept_as, merged, since, 1, kept, checksum, folded, "
        "nickname, hidden, language FROM people",
    ],
)
def test_lists_are_made_again_from_the_entries(filled: Archive, damage: str) -> None:
    before = _everything(filled)
    spoil(filled, damage)
    assert _everything(filled) != before
    assert all(finding.mendable for finding in maintenance.check_archive(filled))
    assert maintenance.check_archive(filled)
    maintenance.repair(filled)
    assert _everything(filled) == before
    assert maintenance.check_archive(filled) == ()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("DELETE FROM entries WHERE stream LIKE 'session:%' AND seq = 1", "Entries of session:.* are missing: 1"),
        (
            "UPDATE entries SET body = '{' WHERE stream LIKE 'deck:%' AND seq = 1",
            "Entry 1 of deck:.*Grave Choir.* is not as it was written",
        ),
        (
            "UPDATE entries SET body = '{\"game\":\"chess\"}' WHERE stream LIKE 'deck:%' AND seq = 0",
            "Entry 0 of deck:.* is not as",
        ),
        ("DELETE FROM entries WHERE stream LIKE 'deck:%' AND seq = 0", "are missing: 0"),
    ],
)
def test_damaged_entries_are_told_and_not_called_mendable(filled: Archive, damage: str, reason: str) -> None:
    spoil(filled, damage)
    sentences = [str(finding.text) for finding in maintenance.check_archive(filled) if not finding.mendable]
    assert any(re.search(reason, text) for text in sentences), sentences


@pytest.mark.files
def test_a_copy_has_everything_and_leaves_the_original_open(filled: Archive, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    maintenance.backup(filled, copy)
    filled.found_deck("keepsake", [Founded("Later")])
    with Archive.open(str(copy)) as copied:
        assert len(copied.decks()) == 2
        assert copied.sessions() == filled.sessions()
        assert maintenance.check_archive(copied) == ()
    assert len(filled.decks()) == 3


@pytest.mark.files
def test_a_copy_of_a_damaged_archive_is_not_called_whole(filled: Archive, tmp_path: Path) -> None:
    file = Path(filled.name)
    filled.close()
    content = bytearray(file.read_bytes())
    content[4096 * 2 : 4096 * 3] = b"\x00" * 4096
    file.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"damaged|incomplete"), Archive.open(str(file)) as damaged:
        maintenance.backup(damaged, tmp_path / "copy.sqlite")
