"""A game's page as several QR codes, for people without a common network, and the page put together from them again.

Each code holds its number, the number of all, the digest of the page, a checksum, and a part of the compressed text.
The codes may be read in any order, and from several pictures. Whatever a code claims, no text is longer than a page.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.archive.errors import ArchiveError
from companion.archive.exchange import base45
from companion.games.described import load
from templates.languages.messages import Text, all_of, phrase, phrases

PREFIX: Final = "PAGE:"
# Base 45 may end with a space, which would be lost wherever text is trimmed.
_END: Final = "//"
_VERSION: Final = 1
_BODY_BYTES: Final = 380
"""The most bytes of a part: with its head, the 600 upper-case characters of a QR code's version 15 at level M."""
_HEAD_BYTES: Final = 3
_DIGEST_BYTES: Final = load.DIGEST_LENGTH // 2
_CHECKSUM_BYTES: Final = 4
MAX_CODES: Final = 40
"""The most codes of a page; nobody scans more."""
_MAX_CHARACTERS: Final = 1000
"""The most characters of a code's text; ours have at most 600."""
_MAX_PAGES: Final = 8
"""The most pages whose codes are collected at a time."""


class PageCodeError(ArchiveError):
    """A code that claims to be a part of a page and is none, or parts that do not fit together."""


class PageCode(NamedTuple):
    """A part of a page: its `number` of `total`, from 1, the digest of the `page`, and its share of the text."""

    page: str
    number: int
    total: int
    body: bytes


def is_page_code(text: str) -> bool:
    """Return True if the text of a code claims to be a part of a page."""
    return text.lstrip().upper().startswith(PREFIX)


def write_codes(text: str) -> tuple[str, ...]:
    """Return the texts of the codes of a page, in order. Raises ArchiveError if it needs too many."""
    packed = zlib.compress(text.encode(), level=9, wbits=-15)
    count = -(-len(packed) // _BODY_BYTES)
    if count > MAX_CODES or len(text.encode()) > load.MAX_BYTES:
        raise ArchiveError(
            phrase("This page is too long for {most} codes; share its file instead.", most=str(MAX_CODES))
        )
    # Parts of equal length make the smallest codes.
    length = -(-len(packed) // count)
    parts = [packed[start : start + length] for start in range(0, len(packed), length)]
    digest = bytes.fromhex(load.digest_of(text))
    return tuple(_encode(digest, number, len(parts), part) for number, part in enumerate(parts, 1))


def _encode(digest: bytes, number: int, count: int, body: bytes) -> str:
    content = bytes((_VERSION, number, count)) + digest + body
    return PREFIX + base45.encode(zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "big") + content) + _END


def read_code(text: str) -> PageCode:
    """Read the text of one code. Raises PageCodeError."""
    damaged = phrase("A part of a game's page, but damaged or misread: scan it again.")
    text = text.strip().upper()
    if len(text) > _MAX_CHARACTERS:
        raise PageCodeError(phrase("A code that claims to be a part of a game's page, and is longer than any is."))
    try:
        content = base45.decode(text.removeprefix(PREFIX).removesuffix(_END))
    except (ValueError, LookupError):
        raise PageCodeError(damaged) from None
    checksum, content = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
    if zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "big") != checksum or len(content) <= _HEAD_BYTES + _DIGEST_BYTES:
        raise PageCodeError(damaged)
    version, number, count = content[:_HEAD_BYTES]
    if version != _VERSION:
        raise PageCodeError(phrase("A part of a game's page that a newer companion wrote; update this one."))
    if not 1 <= number <= count <= MAX_CODES:
        raise PageCodeError(phrase("A part of a game's page that makes no sense; print its codes again."))
    digest, body = content[_HEAD_BYTES:][:_DIGEST_BYTES], content[_HEAD_BYTES + _DIGEST_BYTES :]
    return PageCode(digest.hex(), number, count, body)


class PageScan(NamedTuple):
    """The parts of one page that were read so far, and its `text` when that was the last one."""

    page: str
    total: int
    numbers: tuple[int, ...]
    text: str = ""

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the parts that are still to be read."""
        return tuple(number for number in range(1, self.total + 1) if number not in self.numbers)

    def describe(self) -> Text:
        """Return how much of the page is read, and which codes are missing."""
        if not self.missing:
            return phrases("The page is whole: {n} code was read.", "All {n} codes of the page are read.", n=self.total)
        # Translators: {some} of {all} codes; {numbers} are those of the missing ones, such as “3, 4 and 5”.
        return phrase(
            "{some} of {all} codes of the page are read; missing: {numbers}.",
            some=str(len(self.numbers)),
            all=str(self.total),
            numbers=all_of(map(str, self.missing)),
        )


class PageCollector:
    """The parts of pages that are read one after another. Parts of different pages are kept apart."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, int], dict[int, bytes]] = {}

    def __bool__(self) -> bool:
        return bool(self._pages)

    def add(self, code: PageCode) -> PageScan:
        """Add a part; one that was read before changes nothing. The whole page is forgotten here once it is returned.

        Raises PageCodeError if the parts do not make the page that they name; then they are forgotten.
        """
        key = (code.page, code.total)
        parts = self._pages.pop(key, {})
        if parts.get(code.number, code.body) != code.body:
            raise PageCodeError(_unfit())
        parts[code.number] = code.body
        numbers = tuple(sorted(parts))
        if len(parts) == code.total:
            return PageScan(code.page, code.total, numbers, _unpack(code.page, b"".join(parts[n] for n in numbers)))
        # The page that was read last comes last; the oldest makes room.
        self._pages[key] = parts
        while len(self._pages) > _MAX_PAGES:
            del self._pages[next(iter(self._pages))]
        return PageScan(code.page, code.total, numbers)

    def add_all(self, codes: Sequence[PageCode]) -> tuple[PageScan, ...]:
        """Add several parts, and return the last state of each page among them, the pages in order.

        Raises PageCodeError as `add` does.
        """
        scans: dict[tuple[str, int], PageScan] = {}
        for code in codes:
            key = (code.page, code.total)
            # A picture may show a code twice, also the one that made the page whole.
            if not (key in scans and scans[key].text):
                scans[key] = self.add(code)
        return tuple(scans.values())


def _unpack(page: str, packed: bytes) -> str:
    """Return the text of a page, never of more bytes than a page may have. Raises PageCodeError."""
    unpack = zlib.decompressobj(wbits=-15)
    try:
        content = unpack.decompress(packed, load.MAX_BYTES + 1)
        if len(content) > load.MAX_BYTES:
            raise PageCodeError(
                phrase(
                    "These codes hold more than {size} KiB; no game's page is that long.", size=load.MAX_BYTES // 1024
                )
            )
        text = content.decode()
    except (zlib.error, UnicodeDecodeError):
        raise PageCodeError(_unfit()) from None
    if not unpack.eof or unpack.unused_data or load.digest_of(text) != page:
        raise PageCodeError(_unfit())
    return text


def _unfit() -> Text:
    return phrase("These codes do not make the page that they name; print them again, and scan all of them.")
