"""Soft decoding of a box's code that is blurred, scratched or torn: the best match of all codes that a box can have.

A common reader knows only a code's error correction. Ours begin with `DECK:` and end in padding, 55 of their 128 bits,
and their ids have a check symbol; so more damage can be corrected, and a match is not there by chance.
"""

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import getitem
from typing import NamedTuple

from companion.archive import deck_id
from companion.archive.deck_id import ALPHABET
from companion.scan import qr_layout
from companion.scan.qr_layout import BITS, DATA, WORDS

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_LENGTH = len(deck_id.PREFIX) + deck_id.LENGTH
# Four bits for the alphanumeric mode, nine for the number of characters; then 11 bits for two characters.
_HEADER = 13
_TRIES = 4
# The evidence for a reading, in bits. There are 2 ** 60 ids, and a wrong one has n bits of evidence once in 2 ** n.
_ENOUGH = 82.0
_MORE_THAN_ENOUGH = 96.0
# The share of words whose bits are worthless, however sure they seem: a stain, a scratch, a glare.
_LOST_WORDS = 0.25
_MOST_AGAINST_KNOWN, _HOPEFUL = 0.33, 0.2
_HOPELESS, _PAIRS = 50.0, 5


class SoftReading(NamedTuple):
    """A payload, and the bits of evidence for it."""

    text: str
    evidence: float


def encode_words(text: str) -> tuple[int, ...]:
    """Return the 26 words of the code for 18 capital letters and digits."""
    symbols = [_CHARACTERS.index(symbol) for symbol in text]
    bits = f"0010{len(text):09b}" + "".join(
        f"{a * 45 + b:011b}" for a, b in zip(symbols[::2], symbols[1::2], strict=True)
    )
    whole = int(bits.ljust(8 * (DATA - 1), "0"), 2)
    return tuple(qr_layout.add_correction_words([*whole.to_bytes(DATA - 1, "big"), 0xEC]))


def decode(looks: Iterable[Sequence[float]], thoroughly: bool = True) -> SoftReading | None:
    """Decode 208 bits, whose odds are given by several looks; None if the result is in doubt.

    The odds of each bit are the logarithm of how much more likely it is 1 than 0.
    """
    for odds in looks:
        against = _contradiction(odds)
        if against > _MOST_AGAINST_KNOWN:
            continue
        scale = _Evidence(odds)
        if reading := _best_reading(scale, _by_words(scale)):
            return reading
        if thoroughly and against < _HOPEFUL and (reading := _best_reading(scale, _by_bits(scale))):
            return reading
    return None


def _best_reading(scale: "_Evidence", candidates: Iterable[int]) -> SoftReading | None:
    best, most = None, _ENOUGH
    for code in candidates:
        evidence = scale.evidence(code)
        if evidence >= most and (text := _box_payload(code)) is not None:
            best, most = SoftReading(text, evidence), evidence
            if evidence >= _MORE_THAN_ENOUGH:
                break
    return best


class _Evidence:
    """The odds of the bits, and the evidence that they give for a code."""

    def __init__(self, odds: Sequence[float]) -> None:
        self.odds = odds
        self.hard = int("".join("1" if each > 0 else "0" for each in odds), 2)
        mask = _constant_bits()[1].to_bytes(WORDS, "big")
        self._tables = [_WordEvidence(odds[8 * place : 8 * place + 8], mask[place]) for place in range(WORDS)]

    def evidence(self, code: int) -> float:
        """Return how much more likely the odds are for this code than by chance, in bits."""
        return sum(map(getitem, self._tables, code.to_bytes(WORDS, "big")))

    def doubt(self, place: int) -> float:
        """Return how little is known of the word at this place: the sum of the odds of its three weakest bits."""
        return sum(sorted(map(abs, self.odds[8 * place : 8 * place + 8]))[:3])


class _WordEvidence(dict[int, float]):
    """The evidence for each of the 256 words at one place, in bits; bits that are the same on all boxes have none.

    Most words are never looked up, so each is computed on first use.
    """

    def __init__(self, odds: Sequence[float], mask: int) -> None:
        super().__init__()
        self._high, self._low = _likely(odds[:4], mask >> 4), _likely(odds[4:], mask & 15)

    def __missing__(self, word: int) -> float:
        likely = self._high[word >> 4] * self._low[word & 15]
        self[word] = evidence = math.log2((1 - _LOST_WORDS) * likely + _LOST_WORDS)
        return evidence


def _likely(odds: Sequence[float], mask: int) -> list[float]:
    """Return how much more likely than by chance each value of four bits is; bits in `mask` are known beforehand."""
    likely = [1.0]
    for at, each in enumerate(odds):
        if mask >> 3 - at & 1:
            likely = [value for value in likely for _ in (0, 1)]
        else:
            one = 2 / (1 + math.exp(-each))
            likely = [value * way for value in likely for way in (2 - one, one)]
    return likely


@cache
def _constant_bits() -> tuple[int, int]:
    """Return the bits that are the same on all boxes, and their mask."""
    examples = [
        int.from_bytes(bytes(encode_words(deck_id.PREFIX + symbol * deck_id.LENGTH)), "big") for symbol in ALPHABET
    ]
    data = (1 << BITS) - (1 << 8 * (WORDS - DATA))
    same = data
    for example in examples:
        same &= ~(example ^ examples[0])
    # Nothing is known of the id itself but the first bits of its first symbol, which is paired with the colon.
    first = _HEADER + 11 * 2 + 4
    same &= ~(((1 << 8 * WORDS - first) - 1) ^ ((1 << 8 * (WORDS - DATA + 2)) - 1))
    return examples[0] & same, same


def _contradiction(odds: Sequence[float]) -> float:
    """Return the share of the evidence in the constant bits that contradicts a box's code."""
    bits, mask = _constant_bits()
    against = total = 0.0
    for place, weight in enumerate(odds):
        if mask >> BITS - 1 - place & 1:
            total += abs(weight)
            against += abs(weight) if (weight > 0) != bool(bits >> BITS - 1 - place & 1) else 0
    return against / total if total else 1.0


def _by_words(scale: _Evidence) -> Iterator[int]:
    """Yield codes after error correction of words, with more and more of the most doubtful ones as erasures."""
    bits, mask = _constant_bits()
    bits_with_constants = scale.hard & ~mask | bits
    words = bits_with_constants.to_bytes(WORDS, "big")
    free = [place for place in range(WORDS) if (mask >> 8 * (WORDS - 1 - place) & 0xFF) < 0xFE]
    doubtful = sorted(free, key=scale.doubt)
    for flip in (0, 1):
        tried = list(words)
        tried[4] ^= flip
        for lost in range(0, qr_layout.SPARE + 1, 2):
            mended = qr_layout.correct_words(tried, doubtful[:lost])
            if mended is not None:
                yield int.from_bytes(bytes(mended), "big")


def constant_bits() -> list[int | None]:
    """Return the 208 bits of every box, None where boxes differ."""
    bits, mask = _constant_bits()
    return [bits >> at & 1 if mask >> at & 1 else None for at in range(BITS - 1, -1, -1)]


@cache
def _generator_rows() -> tuple[tuple[int, ...], int, int]:
    """Return the change of the whole code by each unknown data bit, the code with all of them 0, and their mask."""
    bits, mask = _constant_bits()
    spare = 8 * (WORDS - DATA)
    zero = _code_of_data(bits >> spare)
    unknown = [1 << at for at in range(8 * DATA) if not mask >> (at + spare) & 1]
    rows = tuple(_code_of_data(bits >> spare ^ one) ^ zero for one in unknown)
    everything = (1 << BITS) - 1
    return rows, zero, everything & ~mask


def _code_of_data(data: int) -> int:
    return int.from_bytes(bytes(qr_layout.add_correction_words(list(data.to_bytes(DATA, "big")))), "big")


def _by_bits(scale: _Evidence) -> Iterator[int]:
    """Yield codes that agree with the most certain bits, apart from one or two, for several orders of certainty."""
    rng = random.Random(scale.hard)
    seen = set[int]()
    for tried in range(_TRIES):
        shake = 0.0 if not tried else 0.6
        order = sorted(range(BITS), key=lambda place: -abs(scale.odds[place]) * (1 + shake * (rng.random() * 2 - 1)))
        code, rows = _code_from_surest(scale.hard, order)
        code = _local_search(scale, code, rows)
        yield code
        # A code found twice is the best there is; from a hopeless one, no other order leads to a box.
        if code in seen or scale.evidence(code) < _HOPELESS:
            break
        seen.add(code)


def _code_from_surest(hard: int, order: Sequence[int]) -> tuple[int, list[int]]:
    """Return the code with the first independent ones of these bits, and the changes by one such bit each."""
    rows, code, free = _generator_rows()
    left, chosen = list(rows), list[int]()
    for place in order:
        one = 1 << BITS - 1 - place
        if not free & one:
            continue
        pivot = next((row for row in left if row & one), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left = [row ^ pivot if row & one else row for row in left]
        chosen = [row ^ pivot if row & one else row for row in chosen]
        chosen.append(pivot)
        if (code ^ hard) & one:
            code ^= pivot
        if not left:
            break
    return code, chosen


def _local_search(scale: _Evidence, code: int, rows: Sequence[int]) -> int:
    """Return the best of the codes that differ in one or two changes, repeatedly."""
    best, most = code, scale.evidence(code)
    for _ in range(3):
        single = sorted(((scale.evidence(best ^ row), row) for row in rows), reverse=True)
        pairs = ((scale.evidence(best ^ a ^ b), best ^ a ^ b) for _, a in single[:_PAIRS] for b in rows if a != b)
        candidate = max([(single[0][0], best ^ single[0][1]), *pairs])
        if candidate[0] <= most:
            break
        most, best = candidate
    return best


def _box_payload(code: int) -> str | None:
    """Return the payload of a code if it is a box's: `DECK:` and an id with a valid check symbol."""
    data = code >> 8 * (WORDS - DATA)
    size = 8 * DATA
    if data >> size - _HEADER != 0b0010 << 9 | _LENGTH:
        return None
    text = ""
    for pair in range(_LENGTH // 2):
        a, b = divmod(data >> size - _HEADER - 11 * (pair + 1) & 0x7FF, 45)
        if a > 44:
            return None
        text += _CHARACTERS[a] + _CHARACTERS[b]
    try:
        deck = deck_id.parse(text)
    except deck_id.DeckIdError:
        return None
    return text if text == deck_id.payload(deck) else None
