"""The deck's id in a code of ours that is blurred, scratched or torn: what fits best of all that a box can bear.

A common reader knows nothing of a code but its own protection. Ours begin with `DECK:` and end in padding, 55 of their
128 bits, and their ids have a check symbol; so more damage can be mended, and what still fits was not mended by chance.
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
# Four bits for capitals and digits, nine for how many there are; then 11 bits for two of them.
_HEADER = 13
_TRIES = 4
# What speaks for a reading, in bits. There are 2 ** 60 ids, and one that is wrong has n bits for it once in 2 ** n.
_ENOUGH = 82.0
_MORE_THAN_ENOUGH = 96.0
# Once in so many words nothing can be said of its bits, however sure they seem: a stain, a scratch, a glare.
_LOST_WORDS = 0.25
_MOST_AGAINST_KNOWN, _HOPEFUL = 0.33, 0.2
_HOPELESS, _PAIRS = 50.0, 5


class Reading(NamedTuple):
    """A payload, and how many bits speak for it."""

    text: str
    evidence: float


def encode_words(text: str) -> tuple[int, ...]:
    """The 26 words of the code for 18 capital letters and digits."""
    symbols = [_CHARACTERS.index(symbol) for symbol in text]
    bits = f"0010{len(text):09b}" + "".join(
        f"{a * 45 + b:011b}" for a, b in zip(symbols[::2], symbols[1::2], strict=True)
    )
    whole = int(bits.ljust(8 * (DATA - 1), "0"), 2)
    return tuple(qr_layout.add_correction_words([*whole.to_bytes(DATA - 1, "big"), 0xEC]))


def decode(looks: Iterable[Sequence[float]], thoroughly: bool = True) -> Reading | None:
    """What 208 bits say, of which several looks give the odds; None if that is in doubt.

    The odds of each bit are the logarithm of how much likelier it is 1 than 0.
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


def _best_reading(scale: "_Evidence", candidates: Iterable[int]) -> Reading | None:
    best, most = None, _ENOUGH
    for code in candidates:
        evidence = scale.evidence(code)
        if evidence >= most and (text := _box_payload(code)) is not None:
            best, most = Reading(text, evidence), evidence
            if evidence >= _MORE_THAN_ENOUGH:
                break
    return best


class _Evidence:
    """The odds, and how much of them speaks for a code."""

    def __init__(self, odds: Sequence[float]) -> None:
        self.odds = odds
        self.hard = int("".join("1" if each > 0 else "0" for each in odds), 2)
        mask = _constant_bits()[1].to_bytes(WORDS, "big")
        self._tables = [_WordEvidence(odds[8 * place : 8 * place + 8], mask[place]) for place in range(WORDS)]

    def evidence(self, code: int) -> float:
        """How much likelier the odds are if it is this code than by chance, as a number of bits."""
        return sum(map(getitem, self._tables, code.to_bytes(WORDS, "big")))

    def doubt(self, place: int) -> float:
        """How little is known of the word at this place: the odds of its weakest bits."""
        return sum(sorted(map(abs, self.odds[8 * place : 8 * place + 8]))[:3])


class _WordEvidence(dict[int, float]):
    """What speaks for each of the 256 words at one place, in bits; what is alike on all boxes says nothing.

    Most words are never asked for, so each is worked out when it is.
    """

    def __init__(self, odds: Sequence[float], mask: int) -> None:
        super().__init__()
        self._high, self._low = _likely(odds[:4], mask >> 4), _likely(odds[4:], mask & 15)

    def __missing__(self, word: int) -> float:
        likely = self._high[word >> 4] * self._low[word & 15]
        self[word] = evidence = math.log2((1 - _LOST_WORDS) * likely + _LOST_WORDS)
        return evidence


def _likely(odds: Sequence[float], mask: int) -> list[float]:
    """How much likelier than by chance each value of four bits is, of which these are known beforehand."""
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
    """The bits that are alike on all boxes, and a mask of which these are."""
    examples = [
        int.from_bytes(bytes(encode_words(deck_id.PREFIX + symbol * deck_id.LENGTH)), "big") for symbol in ALPHABET
    ]
    data = (1 << BITS) - (1 << 8 * (WORDS - DATA))
    same = data
    for example in examples:
        same &= ~(example ^ examples[0])
    # Of the id itself nothing is known but how its first symbol begins, beside the colon.
    first = _HEADER + 11 * 2 + 4
    same &= ~(((1 << 8 * WORDS - first) - 1) ^ ((1 << 8 * (WORDS - DATA + 2)) - 1))
    return examples[0] & same, same


def _contradiction(odds: Sequence[float]) -> float:
    """The share of what the bits that are alike on all boxes say which speaks against this being one."""
    bits, mask = _constant_bits()
    against = total = 0.0
    for place, weight in enumerate(odds):
        if mask >> BITS - 1 - place & 1:
            total += abs(weight)
            against += abs(weight) if (weight > 0) != bool(bits >> BITS - 1 - place & 1) else 0
    return against / total if total else 1.0


def _by_words(scale: _Evidence) -> Iterator[int]:
    """Codes after correcting words, with more and more of the most doubtful ones taken for lost."""
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
    """The 208 bits as they are on every box, None where boxes differ."""
    bits, mask = _constant_bits()
    return [bits >> at & 1 if mask >> at & 1 else None for at in range(BITS - 1, -1, -1)]


@cache
def _generator_rows() -> tuple[tuple[int, ...], int, int]:
    """What each unknown bit of the data changes in the whole code; the code where all of them are 0; their mask."""
    bits, mask = _constant_bits()
    spare = 8 * (WORDS - DATA)
    zero = _protected(bits >> spare)
    unknown = [1 << at for at in range(8 * DATA) if not mask >> (at + spare) & 1]
    rows = tuple(_protected(bits >> spare ^ one) ^ zero for one in unknown)
    everything = (1 << BITS) - 1
    return rows, zero, everything & ~mask


def _protected(data: int) -> int:
    return int.from_bytes(bytes(qr_layout.add_correction_words(list(data.to_bytes(DATA, "big")))), "big")


def _by_bits(scale: _Evidence) -> Iterator[int]:
    """Codes that agree with the surest bits, all but one or two of them, whichever are taken for the surest."""
    rng = random.Random(scale.hard)
    seen = set[int]()
    for tried in range(_TRIES):
        shake = 0.0 if not tried else 0.6
        order = sorted(range(BITS), key=lambda place: -abs(scale.odds[place]) * (1 + shake * (rng.random() * 2 - 1)))
        code, rows = _code_from_surest(scale.hard, order)
        code = _local_search(scale, code, rows)
        yield code
        # What was tried twice is the best that there is; from what is far off, no other order leads to a box.
        if code in seen or scale.evidence(code) < _HOPELESS:
            break
        seen.add(code)


def _code_from_surest(hard: int, order: Sequence[int]) -> tuple[int, list[int]]:
    """The code that has these bits, as many in this order as can be chosen; and the changes of one such bit each."""
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
    """The best of the codes that differ from this one in one or two of the changes, and again from there."""
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
    """The payload that a code says, where it is that of a box: `DECK:` and an id whose check symbol is right."""
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
