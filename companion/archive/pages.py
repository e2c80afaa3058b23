"""The pages of an SQLite file, read one by one without SQLite: what a page holds is there though others are destroyed.

Only as much of the file format as entries need: they stand in a b-tree without rowids, on leaves and between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.archive import lineage, open_files

Value = bytes | int | float | None
Record = tuple[Value, ...]

_MAGIC: Final = b"SQLite format 3\x00"
_USUAL_SIZE: Final = 4096
_LEAF, _BETWEEN = 0x0A, 0x02
_WHOLE_NUMBERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""How many bytes a number of each serial type has."""


class Pages:
    """All pages of a file, with those of its log in their place."""

    def __init__(self, file: Path) -> None:
        self._content = open_files.read_bytes(file)
        self.size = self._size_told(file)
        self._later = dict(lineage.frames(lineage.log_of(file), proven=True)) if lineage.log_of(file).is_file() else {}
        self._free = frozenset(self._free_pages())

    def _size_told(self, file: Path) -> int:
        told = int.from_bytes(self._content[16:18]) if self._content.startswith(_MAGIC) else 0
        told = 65536 if told == 1 else told
        if 512 <= told <= 65536 and told & (told - 1) == 0:
            return told
        pages = lineage.frames(lineage.log_of(file)) if lineage.log_of(file).is_file() else iter(())
        return len(next(pages, (0, b"\0" * _USUAL_SIZE))[1])

    @property
    def count(self) -> int:
        """How many there are."""
        return max(len(self._content) // self.size, *self._later, 0)

    def page(self, number: int) -> bytes:
        """A page by its number, from 1; empty where there is none."""
        later = self._later.get(number)
        return self._content[(number - 1) * self.size : number * self.size] if later is None else later

    def together(self) -> bytes:
        """All pages as one file that needs no log."""
        whole = bytearray(b"".join(self.page(number) or bytes(self.size) for number in range(1, self.count + 1)))
        # Its header says that there may be a log; without one, both of these are 1.
        whole[18:20] = b"\x01\x01"
        return bytes(whole)

    def records(self, least: int, most: int) -> Iterator[Record]:
        """All rows of tables without rowids that have so many columns; what cannot be read is left out."""
        for number in range(1, self.count + 1):
            page = self.page(number)
            if number not in self._free and page and page[100 if number == 1 else 0] in (_LEAF, _BETWEEN):
                yield from self._of_page(page, least, most)

    def _of_page(self, page: bytes, least: int, most: int) -> Iterator[Record]:
        first, links = (8, 0) if page[0] == _LEAF else (12, 4)
        for number in range(min(int.from_bytes(page[3:5]), (len(page) - first) // 2)):
            at = int.from_bytes(page[first + 2 * number : first + 2 * number + 2])
            try:
                record = _record(self._payload(page, at + links), most)
            except (IndexError, ValueError):
                continue
            if least <= len(record) <= most:
                yield record

    def _payload(self, page: bytes, at: int) -> bytes:
        """What a cell holds, with what overflows onto pages of its own. Raises ValueError where that makes no sense."""
        length, at = _varint(page, at)
        if length > len(self._content) + len(self._later) * self.size:
            raise ValueError("longer than the file")
        here = self._held_here(length)
        held = page[at : at + here]
        next_page = int.from_bytes(page[at + here : at + here + 4]) if here < length else 0
        seen: set[int] = set()
        while len(held) < length:
            more = self.page(next_page) if next_page and next_page not in seen else b""
            if len(more) < self.size:
                raise ValueError("its end is not there")
            seen.add(next_page)
            held += more[4 : 4 + length - len(held)]
            next_page = int.from_bytes(more[:4])
        return held

    def _held_here(self, length: int) -> int:
        usable = self.size
        most, least = (usable - 12) * 64 // 255 - 23, (usable - 12) * 32 // 255 - 23
        if length <= most:
            return length
        here = least + (length - least) % (usable - 4)
        return here if here <= most else least

    def _free_pages(self) -> Iterator[int]:
        """Pages that hold nothing any more, whatever is still written on them."""
        trunk = int.from_bytes(self.page(1)[32:36]) if self.page(1).startswith(_MAGIC) else 0
        seen: set[int] = set()
        while 0 < trunk <= self.count and trunk not in seen:
            seen.add(trunk)
            page = self.page(trunk)
            told = int.from_bytes(page[4:8])
            leaves = [int.from_bytes(page[at : at + 4]) for at in range(8, 8 + 4 * min(told, self.size), 4)]
            if 8 + 4 * told > len(page) or not all(0 < leaf <= self.count for leaf in leaves):
                # Destroyed: what it says of other pages is not believed.
                return
            yield from (trunk, *leaves)
            trunk = int.from_bytes(page[:4])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, and where it ends. Raises IndexError."""
    value = 0
    for taken in range(8):
        byte = data[at + taken]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + taken + 1
    return value << 8 | data[at + 8], at + 9


def _record(payload: bytes, most: int) -> Record:
    """The values of a row. Raises IndexError, or ValueError where it makes no sense."""
    end, at = _varint(payload, 0)
    types: list[int] = []
    while at < end and len(types) <= most:
        kind, at = _varint(payload, at)
        types.append(kind)
    values: list[Value] = []
    at = end
    for kind in types:
        value, at = _value(payload, at, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind >= 12:
        end = at + (kind - 12) // 2
        if end > len(payload):
            raise ValueError("longer than its row")
        # A blob's bytes are told like a text's: which of the two it was meant to be, its checksum knows.
        return payload[at:end], end
    if kind in _WHOLE_NUMBERS:
        end = at + _WHOLE_NUMBERS[kind]
        return int.from_bytes(payload[at:end], signed=True), end
    if kind == 7:
        return 0.0, at + 8
    return {0: None, 8: 0, 9: 1}.get(kind), at
