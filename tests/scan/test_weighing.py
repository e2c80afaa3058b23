"""What is read from doubtful bits is right or nothing: damage at random, other programs' codes, pure chance."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import deck_id
from companion.scan import qr_layout, soft_decode
from labels.drawing import qr
from tests.examples import examples

SURE = 6.0
CHANCE = st.integers(0, 2**32).map(random.Random)
DECKS = CHANCE.map(lambda rng: _deck(rng))


def _deck(rng: random.Random) -> str:
    while True:
        symbols = "".join(rng.choice("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(deck_id.LENGTH))
        try:
            return deck_id.parse(symbols)
        except deck_id.DeckIdError:
            continue


def bits(text: str) -> list[float]:
    """The odds of a code that is seen perfectly."""
    whole = bytes(soft_decode.encode_words(text))
    return [SURE if whole[at // 8] >> 7 - at % 8 & 1 else -SURE for at in range(qr_layout.BITS)]


def read(odds: list[float]) -> str | None:
    reading = soft_decode.decode([odds])
    return reading and reading.text


def test_our_words_modules_and_masks_are_those_that_are_printed() -> None:
    rows = qr.rows(deck_id.payload(deck_id.EXAMPLE))
    dark = {
        (row, column): int(not rows[row][column]) for row in range(qr_layout.SIDE) for column in range(qr_layout.SIDE)
    }
    assert qr_layout.PATTERNS.items() <= dark.items()
    (mask,) = (mask for mask in range(8) if qr_layout.FORMATS[mask].items() <= dark.items())
    printed = [dark[place] ^ turned for place, turned in zip(qr_layout.PLACES, qr_layout.MASKS[mask], strict=True)]
    assert printed == [int(odds > 0) for odds in bits(deck_id.payload(deck_id.EXAMPLE))]
    alike = soft_decode.constant_bits()
    assert sum(bit is not None for bit in alike) == 55
    assert all(bit in (None, one) for bit, one in zip(alike, printed, strict=True))


@given(DECKS, CHANCE, st.integers(0, 10))
def test_words_are_corrected_up_to_what_their_protection_bears(deck: str, rng: random.Random, erased: int) -> None:
    words = list(soft_decode.encode_words(deck_id.payload(deck)))
    places = rng.sample(range(qr_layout.WORDS), erased + (qr_layout.SPARE - erased) // 2)
    hurt = [rng.randrange(256) if place in places else word for place, word in enumerate(words)]
    assert qr_layout.correct_words(hurt, places[:erased]) == words


@pytest.mark.parametrize("lost", [5, 7])
def test_more_words_are_mended_than_a_common_reader_could(lost: int) -> None:
    rng = random.Random(lost)
    mended = 0
    for _ in range(20):
        deck = _deck(rng)
        odds = bits(deck_id.payload(deck))
        for place in rng.sample(range(qr_layout.WORDS), lost):
            odds[8 * place : 8 * place + 8] = [rng.choice((-SURE, SURE)) for _ in range(8)]
        mended += read(odds) == deck_id.payload(deck)
    assert mended >= (20 if lost == 5 else 10)


@settings(max_examples=examples(150))
@given(DECKS, CHANCE, st.integers(3, 22), st.floats(0, 1.5))
def test_whatever_is_lost_another_deck_is_never_read(deck: str, rng: random.Random, lost: int, blur: float) -> None:
    odds = [each * (1 + rng.gauss(0, blur)) for each in bits(deck_id.payload(deck))]
    for place in rng.sample(range(qr_layout.WORDS), lost):
        odds[8 * place : 8 * place + 8] = [rng.gauss(0, SURE) for _ in range(8)]
    assert read(odds) in (None, deck_id.payload(deck))


@settings(max_examples=examples(60))
@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", min_size=18, max_size=18), CHANCE)
def test_another_programs_code_is_never_ours(text: str, rng: random.Random) -> None:
    assert read([each * (1 + rng.gauss(0, 0.7)) for each in bits(text)]) in (None, text)


@settings(max_examples=examples(60))
@given(DECKS, st.integers(0, 31), CHANCE)
def test_a_code_like_ours_with_a_wrong_check_symbol_is_refused(deck: str, other: int, rng: random.Random) -> None:
    slip = deck[:-1] + "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[other]
    odds = [each * (1 + rng.gauss(0, 0.5)) for each in bits(deck_id.payload(slip))]
    assert read(odds) in ((None, deck_id.payload(deck)) if slip == deck else (None,))


@settings(max_examples=examples(60))
@given(CHANCE, st.booleans())
def test_from_pure_chance_nothing_is_read(rng: random.Random, like_ours: bool) -> None:
    odds = [rng.gauss(0, SURE) for _ in range(qr_layout.BITS)]
    if like_ours:
        constant = zip(soft_decode.constant_bits(), odds, strict=True)
        odds = [one if bit is None else SURE * (2 * bit - 1) for bit, one in constant]
    assert read(odds) is None
