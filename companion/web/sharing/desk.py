"""What each phone has read of a page that it may take: codes of which others are missing, or the whole text."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from companion.archive.exchange.page_codes import PageCode, PageCollector, PageScan
from companion.games.described import load

T = TypeVar("T")

_MAX_PHONES: Final = 16
"""The most phones whose pages are in memory; the one that was last here longest ago makes room."""


class HeldPage(NamedTuple):
    """The text of a page that a phone has sent or scanned, and the name under which it is to be added, if any."""

    text: str
    name: str = ""

    @property
    def page(self) -> str:
        """The digest of the text."""
        return load.digest_of(self.text)


class SharingDesk:
    """The pages that phones hold until they take them or leave them."""

    def __init__(self) -> None:
        self._pages: dict[str, HeldPage] = {}
        self._collectors: dict[str, PageCollector] = {}

    def hold(self, phone: str, held: HeldPage) -> None:
        """Hold a page for a phone, in place of its previous one."""
        _put(self._pages, phone, held)

    def held(self, phone: str, page: str = "") -> HeldPage | None:
        """Return the page that a phone holds, or None; with a digest only if it is that page."""
        held = self._pages.get(phone)
        return held if held is not None and page in ("", held.page) else None

    def release(self, phone: str) -> None:
        """Forget the page of a phone."""
        self._pages.pop(phone, None)

    def scan(self, phone: str, codes: tuple[PageCode, ...]) -> tuple[PageScan, ...]:
        """Add codes that a phone has photographed, and hold the page that is whole by them.

        Raises PageCodeError if they do not make the page that they name.
        """
        collector = self._collectors.get(phone) or PageCollector()
        _put(self._collectors, phone, collector)
        scans = collector.add_all(codes)
        for scan in scans:
            if scan.text:
                self.hold(phone, HeldPage(scan.text))
        return scans


def _put(held: dict[str, T], phone: str, value: T) -> None:
    held.pop(phone, None)
    held[phone] = value
    while len(held) > _MAX_PHONES:
        del held[next(iter(held))]
