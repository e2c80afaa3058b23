"""The page of a game as several QR codes: read in any order, never mixed, and refused when it is no page."""

from __future__ import annotations

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive.errors import ArchiveError
from companion.archive.exchange import base45, page_codes
from companion.archive.exchange.page_codes import PageCodeError, PageCollector
from companion.games import registry
from companion.games.described import load
from labels.drawing import qr
from tests.archive.crowns import ONE, TWO

TEXTS = {name: registry.ready_text(name) or "" for name in registry.ready_names()}
_VERSION_15 = 77
"""Modules along a side of a QR code of version 15."""


def forge(body: bytes, number: int = 1, count: int = 1, digest: bytes = bytes(8), version: int = 1) -> str:
    """A code with a right checksum, whatever it holds."""
    content = bytes((version, number, count)) + digest + body
    return f"{page_codes.PREFIX}{base45.encode(zlib.crc32(content).to_bytes(4, 'big') + content)}//"


def pack(content: bytes) -> bytes:
    return zlib.compress(content, wbits=-15)


@pytest.mark.parametrize("name", TEXTS)
def test_a_ready_page_takes_few_codes_of_version_15(name: str) -> None:
    codes = page_codes.write_codes(TEXTS[name])
    assert len(codes) <= 10
    assert max(qr.symbol(code).side for code in codes) <= _VERSION_15
    assert not any(code.strip() != code or code.upper() != code for code in codes)


@pytest.mark.parametrize("name", TEXTS)
def test_codes_make_the_same_text_in_any_order(name: str) -> None:
    codes = [page_codes.read_code(code.lower()) for code in page_codes.write_codes(TEXTS[name])]
    random.Random(name).shuffle(codes)
    collector = PageCollector()
    *scans, last = (
        [collector.add(code) for code in (*codes[:1], *codes)][1:] if len(codes) > 1 else [collector.add(codes[0])]
    )
    assert last.text == TEXTS[name]
    assert not any(scan.text for scan in scans)
    assert not collector


def test_missing_codes_are_named() -> None:
    codes = [page_codes.read_code(code) for code in page_codes.write_codes(TEXTS["legacy"])]
    collector = PageCollector()
    assert str(collector.add(codes[1]).describe()) == "1 of 5 codes of the page are read; missing: 1, 3, 4 and 5."
    (scan,) = collector.add_all([codes[1], codes[0], codes[1]])
    assert (scan.numbers, scan.missing) == ((1, 2), (3, 4, 5))
    (scan,) = collector.add_all(codes)
    assert (scan.text, str(scan.describe())) == (TEXTS["legacy"], "All 5 codes of the page are read.")


def test_codes_of_two_pages_never_mix() -> None:
    pages = [
        [page_codes.read_code(code) for code in page_codes.write_codes(TEXTS[name])] for name in ("life", "treasure")
    ]
    collector = PageCollector()
    mixed = [code for pair in zip(*(page[:4] for page in pages), strict=True) for code in pair]
    scans = collector.add_all(mixed)
    assert [scan.text for scan in scans] == [TEXTS["life"], ""]
    assert scans[1].missing == (5,)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("PAGE:", "damaged or misread"),
        ("PAGE://", "damaged or misread"),
        ("PAGE:ÄÖÜ//", "damaged or misread"),
        (page_codes.write_codes(ONE)[0].replace("0", "1"), "damaged or misread"),
        (page_codes.write_codes(ONE)[0][:-9], "damaged or misread"),
        (forge(b""), "damaged or misread"),
        (f"PAGE:{'0' * 2000}//", "longer than any is"),
        (forge(b"x", version=2), "a newer companion"),
        (forge(b"x", number=0), "makes no sense"),
        (forge(b"x", number=3, count=2), "makes no sense"),
        (forge(b"x", number=1, count=200), "makes no sense"),
    ],
    ids=range(11),
)
def test_a_damaged_code_is_refused_in_a_sentence(code: str, sentence: str) -> None:
    with pytest.raises(PageCodeError, match=sentence):
        page_codes.read_code(code)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (pack(bytes(300_000)), "more than 256 KiB"),
        (pack(b"another page"), "do not make the page"),
        (pack(b"\xff\xfe"), "do not make the page"),
        (b"\xff\xff\xff", "do not make the page"),
        (pack(ONE.encode())[:-3], "do not make the page"),
        (pack(ONE.encode()) + b"behind", "do not make the page"),
    ],
    ids=("bomb", "another page", "no text", "not packed", "cut", "longer"),
)
def test_codes_that_make_no_page_are_refused(body: bytes, sentence: str) -> None:
    digest = bytes.fromhex(load.digest_of(ONE))
    collector = PageCollector()
    with pytest.raises(PageCodeError, match=sentence):
        collector.add(page_codes.read_code(forge(body, digest=digest)))
    assert not collector


def test_two_codes_of_one_number_are_refused() -> None:
    collector = PageCollector()
    collector.add(page_codes.read_code(forge(b"x", 1, 2)))
    with pytest.raises(PageCodeError, match="do not make the page"):
        collector.add(page_codes.read_code(forge(b"y", 1, 2)))
    assert not collector


def test_few_pages_are_collected_at_a_time() -> None:
    collector = PageCollector()
    for number in range(50):
        collector.add(page_codes.read_code(forge(b"x", 1, 2, bytes([number]) * 8)))
    # The first one has made room long ago.
    assert collector.add(page_codes.read_code(forge(b"x", 2, 2))).missing == (1,)


def test_a_page_of_too_many_codes_is_refused() -> None:
    noise = random.Random(1).randbytes(20_000).hex()
    with pytest.raises(ArchiveError, match="too long for 40 codes"):
        page_codes.write_codes(f"{ONE}# {noise}\n")


@given(st.binary(max_size=500))
def test_base_45_keeps_every_byte(data: bytes) -> None:
    assert base45.decode(base45.encode(data)) == data


@given(st.text(max_size=80))
def test_no_text_is_more_than_refused(text: str) -> None:
    with pytest.raises(PageCodeError):
        page_codes.read_code(f"PAGE:{text}")


def test_another_edition_is_another_page() -> None:
    assert (
        page_codes.read_code(page_codes.write_codes(ONE)[0]).page
        != page_codes.read_code(page_codes.write_codes(TWO)[0]).page
    )
