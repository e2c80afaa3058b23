"""The pages of an SQLite file, read one by one without SQLite: an intact page is readable even if others are destroyed.

Supports only the part of the file format that entries and lists need: entries are in a b-tree without rowids, on leaves
and interior pages, and rows of lists on the leaves of a b-tree with rowids.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.archive.storage import files, wal_guard

Value = bytes | int | float | None
Record = tuple[Value, ...]

_USUAL_SIZE: Final = 4096


class _Kind(NamedTuple):
    """A kind of page with rows.

    `first` is the offset of its cell pointers, `links` are the bytes of a cell that point to another page.
    """

    first: int
    links: int
    has_rowids: bool


_LEAF: Final = _Kind(8, 0, has_rowids=False)
_BETWEEN: Final = _Kind(12, 4, has_rowids=False)
_TABLE_LEAF: Final = _Kind(8, 0, has_rowids=True)
_KINDS: Final = {0x0A: _LEAF, 0x02: _BETWEEN, 0x0D: _TABLE_LEAF}
"""Kinds by the first byte of a page."""
_MAX_COLUMNS: Final = 64
"""More columns than any table has."""
_WHOLE_NUMBERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The number of bytes of an integer of each serial type."""


class FilePages:
    """All pages of a file, replaced by those of its log; of a file that is gone, the pages of its log."""

    def __init__(self, file: Path) -> None:
        self._content = files.read_bytes(file) if file.exists() else b""
        self.size = self._read_size(file)
        self._later = (
            dict(wal_guard.read_frames(wal_guard.log_of(file), proven=True)) if wal_guard.log_of(file).is_file() else {}
        )
        self._free = frozenset(self._free_pages())
        self._overflow: set[int] = set()
        self._plain: set[int] = set()

    def _read_size(self, file: Path) -> int:
        size = int.from_bytes(self._content[16:18]) if self._content.startswith(wal_guard.MAGIC) else 0
        size = 65536 if size == 1 else size
        if 512 <= size <= 65536 and size & (size - 1) == 0:
            return size
        pages = wal_guard.read_frames(wal_guard.log_of(file)) if wal_guard.log_of(file).is_file() else iter(())
        return len(next(pages, (0, b"\0" * _USUAL_SIZE))[1])

    @property
    def count(self) -> int:
        """The number of pages of the file and its log together."""
        return max(len(self._content) // self.size, *self._later, 0)

    def page(self, number: int) -> bytes:
        """Return a page by its number, from 1; empty if there is none."""
        later = self._later.get(number)
        return self._content[(number - 1) * self.size : number * self.size] if later is None else later

    def join(self) -> bytes:
        """Return all pages as one file that needs no log."""
        whole = bytearray(b"".join(self.page(number) or bytes(self.size) for number in range(1, self.count + 1)))
        # Its header says that there may be a log; without one, both of these are 1.
        whole[18:20] = b"\x01\x01"
        return bytes(whole)

    def records(self, least: int, most: int) -> Iterator[Record]:
        """Yield all rows of tables without rowids with `least` to `most` columns; unreadable ones are left out.

        A page whose first byte is damaged is read as every kind; checksums reject the wrong rows.
        """
        yield from self._rows((_LEAF, _BETWEEN), range(least, most + 1))

    def rows(self, columns: Collection[int]) -> Iterator[Record]:
        """Yield all rows of tables with rowids whose number of columns is in `columns`, in the same way."""
        yield from self._rows((_TABLE_LEAF,), columns)

    def _rows(self, kinds: tuple[_Kind, ...], columns: Collection[int]) -> Iterator[Record]:
        doubtful: list[int] = []
        # The first page is that of the schema, and begins differently.
        for number in range(2, self.count + 1):
            page = self.page(number)
            if number in self._free or not page:
                continue
            stated_kind = _KINDS.get(page[0])
            if stated_kind not in kinds and number in self._plain:
                continue
            records, is_plain = self._read_page(page, stated_kind) if stated_kind else ([], False)
            if stated_kind in kinds:
                yield from (record for record in records if len(record) in columns)
            if is_plain:
                self._plain.add(number)
            else:
                doubtful.append(number)
        # An overflow page of a row that was read needs no further reading.
        for number in doubtful:
            page = self.page(number)
            for kind in kinds if number not in self._overflow else ():
                if kind != _KINDS.get(page[0]):
                    records, _ = self._read_page(page, kind)
                    yield from (record for record in records if len(record) in columns)

    def _read_page(self, page: bytes, kind: _Kind) -> tuple[list[Record], bool]:
        """Return the rows of a page, read as of this kind, and True if all of it makes sense."""
        records: list[Record] = []
        cells = int.from_bytes(page[3:5])
        count = min(cells, (len(page) - kind.first) // 2)
        is_plain = cells == count
        for number in range(count):
            at = int.from_bytes(page[kind.first + 2 * number : kind.first + 2 * number + 2])
            try:
                payload, chain = self._payload(page, at + kind.links, kind)
                record, end = _record(payload)
            except (IndexError, ValueError):
                is_plain = False
            else:
                records.append(record)
                self._overflow |= chain
                # A row is as long as its payload; read as another kind, hardly ever.
                is_plain = is_plain and end == len(payload)
        return records, is_plain

    def _payload(self, page: bytes, at: int, kind: _Kind) -> tuple[bytes, set[int]]:
        """Return the payload of a cell, and its overflow pages.

        Raises IndexError, or ValueError if it makes no sense.
        """
        length, at = _varint(page, at)
        if kind.has_rowids:
            _, at = _varint(page, at)
        if length > len(self._content) + len(self._later) * self.size:
            raise ValueError("longer than the file")
        here = self._local_size(length, kind)
        content = page[at : at + here]
        next_page = self._page_number(page[at + here : at + here + 4]) if here < length else 0
        seen: set[int] = set()
        while len(content) < length:
            more = self.page(next_page) if next_page and next_page not in seen else b""
            if len(more) < self.size:
                raise ValueError("its end is not there")
            seen.add(next_page)
            content += more[4 : 4 + length - len(content)]
            next_page = self._page_number(more[:4])
        return content, seen

    def _page_number(self, number: bytes) -> int:
        """Decode a page number. If there is no such page, drop its first byte: no archive has 16 million pages."""
        page = int.from_bytes(number)
        return page if page <= self.count else page & 0xFFFFFF

    def _local_size(self, length: int, kind: _Kind) -> int:
        usable = self.size
        most, least = (usable - 12) * 64 // 255 - 23, (usable - 12) * 32 // 255 - 23
        most = usable - 35 if kind.has_rowids else most
        if length <= most:
            return length
        here = least + (length - least) % (usable - 4)
        return here if here <= most else least

    def _free_pages(self) -> Iterator[int]:
        """Yield the unused pages, whose old content does not count."""
        trunk = int.from_bytes(self.page(1)[32:36]) if self.page(1).startswith(wal_guard.MAGIC) else 0
        seen: set[int] = set()
        while 0 < trunk <= self.count and trunk not in seen:
            seen.add(trunk)
            page = self.page(trunk)
            count = int.from_bytes(page[4:8])
            leaves = [int.from_bytes(page[at : at + 4]) for at in range(8, 8 + 4 * min(count, self.size), 4)]
            if 8 + 4 * count > len(page) or not all(0 < leaf <= self.count for leaf in leaves):
                # Destroyed: its pointers to other pages are not trusted.
                return
            yield from (trunk, *leaves)
            trunk = int.from_bytes(page[:4])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Decode an integer of SQLite's variable length; return it and its end. Raises IndexError."""
    value = 0
    for length in range(8):
        byte = data[at + length]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + length + 1
    return value << 8 | data[at + 8], at + 9


def _record(payload: bytes) -> tuple[Record, int]:
    """Decode the values of a row; return them and their end. Raises IndexError, or ValueError if it makes no sense."""
    end, at = _varint(payload, 0)
    if not 0 < end <= len(payload):
        raise ValueError("no row")
    types: list[int] = []
    while at < end and len(types) <= _MAX_COLUMNS:
        kind, at = _varint(payload, at)
        types.append(kind)
    values: list[Value] = []
    at = end
    for kind in types:
        value, at = _value(payload, at, kind)
        values.append(value)
    return tuple(values), at


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind >= 12:
        end = at + (kind - 12) // 2
        if end > len(payload):
            raise ValueError("longer than its row")
        # A blob is returned like a text: the checksum shows which of the two it was.
        return payload[at:end], end
    if kind in _WHOLE_NUMBERS:
        end = at + _WHOLE_NUMBERS[kind]
        return int.from_bytes(payload[at:end], signed=True), end
    if kind == 7:
        if at + 8 > len(payload):
            raise ValueError("longer than its row")
        return float(struct.unpack_from(">d", payload, at)[0]), at + 8
    return {0: None, 8: 0, 9: 1}.get(kind), at
