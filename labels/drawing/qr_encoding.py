"""The modules of QR codes: the package `qrcode` encodes texts, and places each bit.

It is called once for each version, so that its eight masks are compared as numbers, about thirty times as fast as in
the package itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import pairwise
from operator import getitem, itemgetter, xor
from typing import Any

import msgspec
from qrcode import base, util
from qrcode.exceptions import DataOverflowError
from qrcode.main import QRCode

from labels.errors import LabelError
from templates.languages.messages import phrase

_LEVEL_M = 0
_MASKS = range(8)
_PIECE = 8
"""Modules in a piece of a row: a finder pattern and its separator, so that the first piece ends with a light module."""
_SMALL = 16
"""Data words in a code of version 1 at level M, which is every code of a deck."""
_ONE_MODE = 20
"""Texts up to this length are not split into parts with different encodings."""


def encode(text: str) -> tuple[VersionLayout, str]:
    """Return the layout of the smallest version that holds a text, and its modules from the top left, 1 for dark.

    Raises LabelError for a text that is too long for a code.
    """
    parts = [util.QRData(text)] if len(text) <= _ONE_MODE else list(util.optimal_data_chunks(text, _ONE_MODE))
    data = _encode_version_1(parts)
    if data is not None:
        version, unmasked = 1, reduce(xor, map(getitem, _word_tables(), data))
    else:
        version, words = _create_data(text, parts)
        unmasked = version_layout(version).place_bits(words)
    drawing = version_layout(version)
    return drawing, f"{unmasked ^ drawing.masked[_best_mask(unmasked, drawing)]:0{drawing.side**2}b}"


def _create_data(text: str, parts: Sequence[Any]) -> tuple[int, Any]:
    """Return the smallest version that holds a text, and the words of the code."""
    version = _find_version(text, parts)
    try:
        return version, util.create_data(version, _LEVEL_M, parts)
    except ValueError:
        # The package divides by the first word of a block, and many digits 0 make blocks of zeros. Bytes have none.
        parts = [util.QRData(text, util.MODE_8BIT_BYTE)]
        version = _find_version(text, parts)
        return version, util.create_data(version, _LEVEL_M, parts)


class _Bits:
    """A buffer that collects the package's output as one number.

    The package's own buffer stores every bit separately.
    """

    def __init__(self) -> None:
        self.number = self.length = 0

    def put(self, number: int, length: int) -> None:
        self.number = self.number << length | number
        self.length += length


def _encode_version_1(parts: Sequence[Any]) -> list[int] | None:
    """Return the data words if they fit the smallest code, else None.

    They are those of `create_data` before error correction.
    """
    bits, room = _Bits(), 8 * _SMALL
    for part in parts:
        bits.put(part.mode, 4)
        bits.put(len(part), util.length_in_bits(part.mode, 1))
        part.write(bits)
    if bits.length > room:
        return None
    # A terminator ends the text, then zeros fill its last word.
    length = -(-min(bits.length + 4, room) // 8)
    words = list((bits.number << 8 * length - bits.length).to_bytes(length, "big"))
    return words + ([util.PAD0, util.PAD1] * _SMALL)[: _SMALL - length]


class _WordTable(dict[int, int]):
    """A table of the modules that a word at its place adds to a code of version 1, including error correction.

    The contribution of two bits is the XOR of both contributions, so the package is called once for each bit and not
    for each text.
    """

    def __init__(self, place: int) -> None:
        super().__init__()
        self._place = place

    def __missing__(self, word: int) -> int:
        bits = (_place_bit(self._place, bit) for bit in range(8) if word >> bit & 1)
        added = self[word] = reduce(xor, bits, 0)
        return added


@cache
def _word_tables() -> tuple[_WordTable, ...]:
    return tuple(map(_WordTable, range(_SMALL)))


@cache
def _place_bit(place: int, bit: int) -> int:
    buffer = util.BitBuffer()
    buffer.buffer = [1 << bit if each == place else 0 for each in range(_SMALL)]
    return version_layout(1).place_bits(util.create_bytes(buffer, base.rs_blocks(1, _LEVEL_M)))


def _find_version(text: str, parts: Sequence[Any]) -> int:
    code = _create_code(None)
    code.data_list.extend(parts)
    try:
        code.best_fit()
        return int(code.version)
    except (DataOverflowError, ValueError) as error:
        raise LabelError(phrase("“{text}” is too long for a QR code; shorten it.", text=f"{text[:20]}…")) from error


def _create_code(version: int | None) -> QRCode[Any]:
    return QRCode(version=version, error_correction=_LEVEL_M)


class _Pieces(dict[str, str]):
    """A cache of the rectangles of a row's piece, by its modules. Each is made on first use."""

    def __init__(self, column: int, height: int) -> None:
        super().__init__()
        self._column, self._height = column, height

    def __missing__(self, modules: str) -> str:
        rectangles = self[modules] = _row(modules, self._column).replace("y", str(self._height))
        return rectangles


@lru_cache(maxsize=4096)
def _row(modules: str, column: int) -> str:
    """Return the rectangles of the runs in a row's piece that begins at a column, at the height `y`."""
    return "".join(f"{column + start} y {length} 1 re " for start, length in _runs(modules))


def _runs(modules: str) -> Iterator[tuple[int, int]]:
    """Yield the start and length of each run of dark modules."""
    end = 0
    while (start := modules.find("1", end)) >= 0:
        end = modules.find("0", start)
        if end < 0:
            end = len(modules)
        yield start, end - start


class VersionLayout(msgspec.Struct, frozen=True):
    """The layout that all codes of a version share, as the package draws it.

    `spread` picks the bit of each module from the bits to be written and a 0 behind them. `masked` are the fixed
    patterns, the format and a mask without any data. `judged` are the same in the form in which masks are compared.
    """

    side: int
    spread: Callable[[str], tuple[str, ...]]
    masked: tuple[int, ...]
    judged: tuple[int, ...]
    pieces: tuple[tuple[slice, _Pieces], ...]
    within: tuple[dict[int, int], dict[int, int]]
    """Modules at which runs of a given length still fit, along rows and along columns."""

    def place_bits(self, words: Sequence[int]) -> int:
        """Return the words alone, each bit at its module."""
        return int("".join(self.spread(f"{int.from_bytes(bytes(words), 'big'):0{8 * len(words)}b}0")), 2)


@cache
def version_layout(version: int) -> VersionLayout:
    """Return the layout of a version."""
    code = _create_code(version)
    count = sum(block.total_count for block in base.rs_blocks(version, _LEVEL_M))
    nothing = [0] * count
    masked = tuple(_draw_as_number(code, nothing, mask) for mask in _MASKS)
    judged = tuple(_draw_as_number(code, nothing, mask, test=True) for mask in _MASKS)
    side = code.modules_count
    rows = {many: int(("0" * (many - 1) + "1" * (side - many + 1)) * side, 2) for many in (2, 11)}
    columns = {many: int("1" * side * (side - many + 1), 2) for many in (2, 11)}
    spread = _bit_positions(code, masked[0], 8 * count)
    return VersionLayout(side, spread, masked, judged, _cut_pieces(side), (rows, columns))


def _draw_as_number(code: QRCode[Any], words: Sequence[int], mask: int, *, test: bool = False) -> int:
    """Return the code with these words as one number, with the module at the top left as its highest bit."""
    code.data_cache = words
    code.makeImpl(test, mask)
    return int("".join("01"[bool(dark)] for row in code.modules for dark in row), 2)


def _bit_positions(code: QRCode[Any], blank: int, count: int) -> Callable[[str], tuple[str, ...]]:
    """Return a function that picks for each module its bit of `count` bits, or the bit behind them if it has none.

    Bits are numbered from 1, and every binary digit of their numbers is drawn as a code of its own.
    """
    numbers = [0] * code.modules_count**2
    for digit in range(count.bit_length()):
        pattern = "".join(str(number >> digit & 1) for number in range(1, count + 1))
        modules = _draw_as_number(code, list(int(pattern, 2).to_bytes(count // 8, "big")), 0) ^ blank
        for at, bit in enumerate(f"{modules:0{len(numbers)}b}"):
            numbers[at] |= int(bit) << digit
    return itemgetter(*((number or count + 1) - 1 for number in numbers))


def _cut_pieces(side: int) -> tuple[tuple[slice, _Pieces], ...]:
    cuts = [*range(0, side - _PIECE, _PIECE), side - _PIECE, side]
    return tuple(
        (slice(row * side + start, row * side + end), _Pieces(start, side - 1 - row))
        for row in range(side)
        for start, end in pairwise(cuts)
    )


def _best_mask(unmasked: int, drawing: VersionLayout) -> int:
    """Return the mask that is easiest to read by the standard: the one with the lowest penalty."""
    plain = sorted((_basic_penalty(unmasked ^ judged, drawing), mask) for mask, judged in enumerate(drawing.judged))
    best = (math.inf, 0)
    for lost, mask in plain:
        if (lost, mask) > best:
            break
        best = min(best, (lost + _finder_penalty(unmasked ^ drawing.judged[mask], drawing), mask))
    return best[1]


def _basic_penalty(modules: int, drawing: VersionLayout) -> int:
    """Return the penalty for runs of five or more modules of a colour, squares of four, and unbalanced colours."""
    side = drawing.side
    lost = 10 * int(abs(modules.bit_count() / side**2 * 100 - 50) / 5)
    across = ~(modules ^ modules >> 1) & drawing.within[0][2]
    down = ~(modules ^ modules >> side) & drawing.within[1][2]
    for alike, step in ((across, 1), (down, side)):
        three = alike & alike >> step
        runs = three & three >> 2 * step
        lost += runs.bit_count() + 2 * (runs & ~(runs << step)).bit_count()
    return lost + 3 * (across & down & down >> 1).bit_count()


def _finder_penalty(modules: int, drawing: VersionLayout) -> int:
    """Return the penalty for patterns like the middle of a finder pattern beside four light modules."""
    lost = 0
    for step, within in zip((1, drawing.side), drawing.within, strict=True):
        after = modules >> step
        three = modules & after & after >> step
        middle = modules & ~after & three >> 2 * step & ~(modules >> 5 * step) & modules >> 6 * step
        if middle:
            two = ~(modules | after)
            light = two & two >> 2 * step
            lost += (middle & light >> 7 * step & within[11]).bit_count()
            lost += (light & middle >> 4 * step & within[11]).bit_count()
    return 40 * lost
