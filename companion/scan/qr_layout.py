"""The codewords of our boxes' QR codes: Reed–Solomon over GF(256) as QR codes use it, and the place of each bit.

A code of version 1 at level M has 16 data words and 10 error correction words, highest bit first (ISO/IEC 18004).
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

SIDE = 21
DATA, SPARE = 16, 10
WORDS = DATA + SPARE
BITS = 8 * WORDS

_LOG = [0] * 256
_EXP = [0] * 512
_value = 1
for _power in range(255):
    _EXP[_power] = _EXP[_power + 255] = _value
    _LOG[_value] = _power
    _value = _value << 1 ^ (0x11D if _value & 0x80 else 0)


def multiply(a: int, b: int) -> int:
    """Multiply two words in GF(256)."""
    return _EXP[_LOG[a] + _LOG[b]] if a and b else 0


def divide(a: int, b: int) -> int:
    """Divide two words in GF(256); `b` is not 0."""
    return _EXP[_LOG[a] + 255 - _LOG[b]] if a else 0


def _generator() -> list[int]:
    poly = [1]
    for power in range(SPARE):
        poly = [a ^ multiply(b, _EXP[power]) for a, b in zip([*poly, 0], [0, *poly], strict=True)]
    return poly


_GENERATOR = _generator()


def add_correction_words(data: Sequence[int]) -> list[int]:
    """Return the 16 data words and their 10 error correction words."""
    rest = [*data, *[0] * SPARE]
    for at in range(DATA):
        if factor := rest[at]:
            for step, part in enumerate(_GENERATOR):
                rest[at + step] ^= multiply(part, factor)
    return [*data, *rest[DATA:]]


def correct_words(words: Sequence[int], erased: Sequence[int]) -> list[int] | None:
    """Return the corrected words if twice the errors plus the `erased` places are at most 10; else None."""
    syndromes = [_evaluate_words(words, _EXP[power]) for power in range(SPARE)]
    if not any(syndromes):
        return list(words)
    return _correct_errors(words, syndromes, *_locate_errors(syndromes, erased))


def _locate_errors(syndromes: Sequence[int], erased: Sequence[int]) -> tuple[list[int], int]:
    """Run the Berlekamp–Massey algorithm, started with the erased places.

    Returns the polynomial, lowest power first, whose roots are all wrong places, and their number.
    """
    locator = _erasure_locator(erased)
    before, errors, shift, last = list(locator), len(erased), 1, 1
    for step in range(len(erased), SPARE):
        gap = 0
        for power, part in enumerate(locator[: step + 1]):
            gap ^= multiply(part, syndromes[step - power])
        if not gap:
            shift += 1
            continue
        factor = divide(gap, last)
        mixed = _sum(locator, [*[0] * shift, *(multiply(factor, part) for part in before)])
        if 2 * errors <= step + len(erased):
            before, last, errors, shift = locator, gap, step + 1 - errors + len(erased), 1
        else:
            shift += 1
        locator = mixed
    return locator, errors


def _erasure_locator(places: Sequence[int]) -> list[int]:
    """Return the polynomial, lowest power first, whose roots are these places."""
    polynomial = [1]
    for place in places:
        root = _EXP[WORDS - 1 - place]
        polynomial = _sum(polynomial, [0, *(multiply(part, root) for part in polynomial)])
    return polynomial


def _sum(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Add two polynomials, lowest power first."""
    return [a ^ b for a, b in zip_longest(one, other, fillvalue=0)]


def _correct_errors(
    words: Sequence[int], syndromes: Sequence[int], locator: list[int], errors: int
) -> list[int] | None:
    """Correct words by Forney's algorithm; return None if the locator's roots are not all places of words."""
    while locator and not locator[-1]:
        locator.pop()
    places = [place for place in range(WORDS) if not _evaluate(locator, _EXP[255 - (WORDS - 1 - place)])]
    if len(places) != errors or len(locator) != errors + 1:
        return None
    evaluator = [0] * SPARE
    for i, a in enumerate(syndromes):
        for j, b in enumerate(locator):
            if i + j < SPARE:
                evaluator[i + j] ^= multiply(a, b)
    mended = list(words)
    for place in places:
        power = WORDS - 1 - place
        inverse = _EXP[255 - power]
        slope = 0
        for odd in range(1, len(locator), 2):
            slope ^= multiply(locator[odd], _EXP[(255 - power) * (odd - 1) % 255])
        if not slope:
            return None
        mended[place] ^= multiply(_EXP[power], divide(_evaluate(evaluator, inverse), slope))
    return mended if not any(_evaluate_words(mended, _EXP[power]) for power in range(SPARE)) else None


def _evaluate_words(words: Sequence[int], x: int) -> int:
    """Evaluate the words at `x` as a polynomial, highest power first."""
    total = 0
    for word in words:
        total = multiply(total, x) ^ word
    return total


def _evaluate(parts: Sequence[int], x: int) -> int:
    """Evaluate a polynomial, lowest power first, at `x`."""
    total = 0
    for part in reversed(parts):
        total = multiply(total, x) ^ part
    return total


def _places() -> Iterator[tuple[int, int]]:
    """Yield the rows and columns of the bits in order: up and down in pairs of columns, from the right."""
    upwards = True
    for right in (20, 18, 16, 14, 12, 10, 8, 5, 3, 1):
        for step in range(SIDE):
            row = SIDE - 1 - step if upwards else step
            for column in (right, right - 1):
                in_pattern = row == 6 or column == 6 or (row > 12 and column < 9)
                if not in_pattern and not (row < 9 and (column < 9 or column > 12)):
                    yield row, column
        upwards = not upwards


PLACES = tuple(_places())
"""Row and column of each of the 208 bits."""


def _mask_bits(row: int, column: int) -> tuple[int, ...]:
    """Return for each of the eight masks 1 if it inverts this module."""
    both, thirds = row * column % 2, row * column % 3
    rests = (
        (row + column) % 2,
        row % 2,
        column % 3,
        (row + column) % 3,
        (row // 2 + column // 3) % 2,
        both + thirds,
        (both + thirds) % 2,
        ((row + column) % 2 + thirds) % 2,
    )
    return tuple(int(rest == 0) for rest in rests)


MASKS = tuple(zip(*(_mask_bits(row, column) for row, column in PLACES), strict=True))
"""For each of the eight masks, 1 for each bit that it inverts."""


def _drawn_patterns() -> dict[tuple[int, int], int]:
    """Return the modules that are the same in every code of this size, 1 for dark."""
    modules = {(SIDE - 8, 8): 1}
    for top, left in ((0, 0), (0, SIDE - 7), (SIDE - 7, 0)):
        for row in range(max(0, top - 1), min(SIDE, top + 8)):
            for column in range(max(0, left - 1), min(SIDE, left + 8)):
                ring = max(abs(row - top - 3), abs(column - left - 3))
                modules[row, column] = int(ring in (0, 1, 3))
    for step in range(8, SIDE - 8):
        modules[6, step] = modules[step, 6] = int(step % 2 == 0)
    return modules


PATTERNS = _drawn_patterns()
"""The modules of finder and timing patterns: 1 for dark."""


def _format(mask: int) -> dict[tuple[int, int], int]:
    """Return the modules that encode level M and a mask, in both copies."""
    format_bits = mask  # level M is 00
    rest = format_bits << 10
    for bit in range(14, 9, -1):
        if rest >> bit & 1:
            rest ^= 0x537 << (bit - 10)
    bits = (format_bits << 10 | rest) ^ 0x5412
    beside = [(row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, column) for column in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(8, SIDE - 1 - step) for step in range(8)] + [(SIDE - 7 + step, 8) for step in range(7)]
    return {place: bits >> bit & 1 for places in (beside, apart) for bit, place in enumerate(places)}


FORMATS = tuple(_format(mask) for mask in range(8))
"""For each mask, the modules that encode it: 1 for dark."""
