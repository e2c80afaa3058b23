"""Damage is noticed: a flipped bit in any column of any table, whatever it holds."""

import contextlib
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.archive import Archive, ArchiveError, maintenance
from companion.archive.exchange import archive_export, deck_export
from tests.archive import household

pytestmark = pytest.mark.files

FLIPS = 6
"""Bits of each text that are flipped, besides the first and the last."""


@pytest.fixture
def filled(archive: Archive) -> Archive:
    household.fill(archive)
    assert maintenance.check_archive(archive) == maintenance.check_archive(archive, thorough=False) == ()
    return archive


def neighbours(value: Any, chance: Random) -> Iterator[Any]:
    """What a value is with one bit flipped: bytes stand for a text that may be none any more."""
    if isinstance(value, float):
        (whole,) = struct.unpack("<q", struct.pack("<d", value))
        yield struct.unpack("<d", struct.pack("<q", whole ^ 1 << chance.randrange(52)))[0]
    elif isinstance(value, int):
        yield value ^ 1 << (0 if value in (0, 1) else chance.randrange(20))
    else:
        bits = 8 * len(value)
        for bit in {0, bits - 1, *(chance.randrange(bits) for _ in range(FLIPS))} if bits else ():
            flipped = bytearray(value)
            flipped[bit // 8] ^= 1 << bit % 8
            yield bytes(flipped)


class Column:
    """One column of a table whose values are replaced, row by row, and put back."""

    def __init__(self, database: sqlite3.Connection, table: str, name: str) -> None:
        self.database, self.table, self.name = database, table, name
        self.keys = [each.decode() for _, each, *_, key in database.execute(f"PRAGMA table_info({table})") if key]

    def rows(self) -> list[tuple[Any, ...]]:
        """A few values, each with the key of its row."""
        query = f'SELECT "{self.name}", {", ".join(self.keys)} FROM {self.table} ORDER BY random() LIMIT 12'
        return self.database.execute(query).fetchall()

    def put(self, value: Any, key: Sequence[Any]) -> bool:
        """Replaces the value in the row of this key; whether that could be."""
        where = " AND ".join(f"{name} = {_as(part)}" for name, part in zip(self.keys, key, strict=True))
        change = f'UPDATE {self.table} SET "{self.name}" = {_as(value)} WHERE {where}'
        try:
            return self.database.execute(change, (value, *key)).rowcount == 1
        except sqlite3.IntegrityError:
            return False

    def key_with(self, value: Any, key: Sequence[Any]) -> list[Any]:
        """How the row is found when this column has another value."""
        return [value if name == self.name else part for name, part in zip(self.keys, key, strict=True)]


def _as(value: Any) -> str:
    return "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"


def _names(database: sqlite3.Connection, table: str) -> list[str]:
    return [name.decode() for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("table", household.tables())
def test_a_flipped_bit_is_noticed_in_every_column(filled: Archive, table: str) -> None:
    chance = Random(table)
    with contextlib.closing(sqlite3.connect(filled.name, isolation_level=None)) as database:
        database.text_factory = bytes
        for name in _names(database, table):
            column = Column(database, table, name)
            rows = column.rows()
            assert rows, f"{table} is empty, so nothing is shown by it"
            for value, *key in rows:
                for other in neighbours(value, chance):
                    if column.put(other, key):
                        check_notices(filled, table, name, key, value, other)
                        assert column.put(value, column.key_with(other, key))
        assert maintenance.check_archive(filled, thorough=False) == ()


def check_notices(archive: Archive, table: str, column: str, key: Sequence[Any], value: Any, other: Any) -> None:
    """What a check says of it, where one value became another."""
    faults = maintenance.check_archive(archive, thorough=False)
    assert faults, f"{table}.{column}: {value!r} became {other!r}, and nobody noticed"
    if table == "entries" and column not in ("stream", "seq"):
        stream, seq = key[0].decode(), key[1]
        assert [(each.stream, each.seqs) for each in faults] == [(stream, (seq,))]
        assert f"Entry {seq} of {stream}" in faults[0].text
    elif table != "entries":
        assert all(each.mendable for each in faults), faults


@pytest.mark.slow
def test_a_bit_that_flips_on_the_disk_is_noticed_in_every_body(filled: Archive) -> None:
    file = Path(filled.name)
    bodies = list(household.stored(file).values())
    filled.close()
    whole, chance = file.read_bytes(), Random(300)
    for _ in range(60):
        body = chance.choice(bodies).encode()
        at, bit = chance.randrange(len(body)), 1 << chance.randrange(8)
        if whole.find(body) + at >= 100:
            # Where SQLite moves rows it may leave their text behind, which belongs to nothing any more: so every copy.
            flipped = body[:at] + bytes([body[at] ^ bit]) + body[at + 1 :]
            file.write_bytes(whole.replace(body, flipped))
            with Archive.open(str(file)) as archive:
                assert maintenance.check_archive(archive, thorough=False), f"a flip in {body!r} went unnoticed"


def test_a_damaged_entry_is_not_copied_as_if_it_were_whole(filled: Archive, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(filled.name)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'Grave', 'Brave')")
        database.commit()
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        maintenance.copy_archive(filled, other)
        assert [each.seqs for each in maintenance.check_archive(other, thorough=False)] == [(1,)]
    with pytest.raises(ArchiveError, match="not as it was"):
        archive_export.export_archive(filled, tmp_path / "all.gz")
    with pytest.raises(ArchiveError, match="not as it was"):
        deck_export.export_decks(filled, [row.deck for row in filled.decks()], tmp_path / "all.decks")
    with pytest.raises(ArchiveError, match="would be incomplete"):
        maintenance.backup(filled, tmp_path / "backup.sqlite")
