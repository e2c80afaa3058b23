"""How much nearer to one another two letters stand than their widths say: the pairs in a font's GPOS table.

Separate because reportlab reads widths only, and because tables are searched where they lie: to unpack all of the
family would take longer than to print a sheet.
"""

import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from struct import Struct, unpack_from

import msgspec

_PAIRS, _ELSEWHERE = 2, 9
_ADVANCE = 4
_BEFORE_ADVANCE = 3
_SIGNED = Struct(">h")


class _Ranges(msgspec.Struct, frozen=True):
    """Glyphs by ranges: where each begins and ends, and what the first of each has."""

    first: "array[int]"
    last: "array[int]"
    value: "array[int]"
    counted: bool
    """Whether each further glyph of a range has one more."""

    def of(self, glyph: int) -> int | None:
        at = bisect_right(self.first, glyph) - 1
        if at < 0 or glyph > self.last[at]:
            return None
        return self.value[at] + (glyph - self.first[at] if self.counted else 0)


class _Pairs(msgspec.Struct, frozen=True):
    """One table of pairs, at `at` in GPOS: for each left letter those at its right, or classes of letters.

    Each pair takes `length` bytes, `across` are the classes at the right, and `advance` is where in it that stands.
    """

    table: bytes
    at: int
    left: _Ranges
    length: int
    advance: int | None
    classes: tuple[_Ranges, _Ranges] | None = None
    across: int = 0

    def of(self, row: int, left: int, right: int) -> int | None:
        """What a pair's left letter, in this `row`, is wider, in units of the font; None where the pair is not here."""
        if self.classes is None:
            return self._find_in_set(row, right)
        lines, columns = self.classes
        line, column = lines.of(left) or 0, columns.of(right) or 0
        return self._advance(self.at + 16 + self.length * (line * self.across + column))

    def _find_in_set(self, row: int, right: int) -> int | None:
        start = self.at + _number(self.table, self.at + 10 + 2 * row)
        low, high, length = 0, _number(self.table, start), 2 + self.length
        while low < high:
            middle = (low + high) // 2
            record = start + 2 + middle * length
            glyph = _number(self.table, record)
            if glyph == right:
                return self._advance(record + 2)
            low, high = (middle + 1, high) if glyph < right else (low, middle)
        return None

    def _advance(self, at: int) -> int:
        return 0 if self.advance is None else int(_SIGNED.unpack_from(self.table, at + self.advance)[0])


class Kerning:
    """The pairs of one font, by the numbers of their glyphs."""

    def __init__(self, table: bytes) -> None:
        """`table`: the font's GPOS."""
        self._lookups = [list(_pairs(table, at)) for at in _kern(table)]
        self._rows: dict[int, list[list[tuple[_Pairs, int]]]] = {}

    def of(self, left: int, right: int) -> int:
        """What a pair's left letter is wider than by itself, in units of the font; less where they stand nearer."""
        if left not in self._rows:
            rows_by_lookup = ([(pairs, pairs.left.of(left)) for pairs in lookup] for lookup in self._lookups)
            self._rows[left] = [[(pairs, row) for pairs, row in lookup if row is not None] for lookup in rows_by_lookup]
        return sum(_first(lookup, left, right) for lookup in self._rows[left])


def _first(lookup: list[tuple[_Pairs, int]], left: int, right: int) -> int:
    for pairs, row in lookup:
        advance = pairs.of(row, left, right)
        if advance is not None:
            return advance
    return 0


def _kern(table: bytes) -> list[int]:
    """Where the lookups stand that are about kerning."""
    _, features, lookups = _numbers(table, 4, 3)
    (count,) = _numbers(table, features, 1)
    for number in range(count):
        at = features + 2 + 6 * number
        if table[at : at + 4] == b"kern":
            feature = features + _numbers(table, at + 4, 1)[0]
            listed = _numbers(table, feature + 4, _numbers(table, feature + 2, 1)[0])
            return [lookups + _numbers(table, lookups + 2 + 2 * index, 1)[0] for index in listed]
    return []


def _pairs(table: bytes, lookup: int) -> Iterator[_Pairs]:
    kind, _, count = _numbers(table, lookup, 3)
    for offset in _numbers(table, lookup + 6, count):
        at, what = lookup + offset, kind
        if kind == _ELSEWHERE:
            (_, what), (further,) = _numbers(table, at, 2), unpack_from(">I", table, at + 4)
            at += further
        if what == _PAIRS:
            form, covered, first_format, second_format = _numbers(table, at, 4)
            left = _ranges(table, at + covered, counted=True)
            length = 2 * (first_format.bit_count() + second_format.bit_count())
            advance = 2 * (first_format & _BEFORE_ADVANCE).bit_count() if first_format & _ADVANCE else None
            if form == 1:
                yield _Pairs(table, at, left, length, advance)
                continue
            first, second, _, across = _numbers(table, at + 8, 4)
            classes = (_ranges(table, at + first, counted=False), _ranges(table, at + second, counted=False))
            yield _Pairs(table, at, left, length, advance, classes, across)


def _ranges(table: bytes, at: int, *, counted: bool) -> _Ranges:
    """A table of what is covered, which counts its glyphs, or of their classes; both come as lists or as ranges."""
    form, second = _numbers(table, at, 2)
    if form == 2:
        values = _array(table, at + 4, 3 * second)
        return _Ranges(values[0::3], values[1::3], values[2::3], counted)
    if counted:
        glyphs = _array(table, at + 4, second)
        return _Ranges(glyphs, glyphs, array("H", range(len(glyphs))), counted)
    values = _array(table, at + 6, _numbers(table, at + 4, 1)[0])
    glyphs = array("H", range(second, second + len(values)))
    return _Ranges(glyphs, glyphs, values, counted)


def _array(table: bytes, at: int, count: int) -> "array[int]":
    numbers = array("H", table[at : at + 2 * count])
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers


def _number(table: bytes, at: int) -> int:
    return table[at] << 8 | table[at + 1]


def _numbers(table: bytes, at: int, count: int) -> tuple[int, ...]:
    return unpack_from(f">{count}H", table, at)
