"""The hash chain of a story: each entry is hashed with the hash before it, so that no part can change unseen."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from companion.archive.entries import Entry

_encode = msgspec.json.Encoder().encode


class Chain:
    """A chain as it grows; what it is `of` begins it, so that one story cannot be passed off as another."""

    def __init__(self, of: str) -> None:
        self._link = hashlib.sha256(f"companion {of}".encode()).digest()

    def add(self, entry: Entry) -> str:
        """The hash of the next entry, as hexadecimal text; equal only where everything up to there is equal."""
        told = _encode((entry.seq, entry.at, entry.by, entry.session, entry.kind, entry.body))
        self._link = hashlib.sha256(self._link + told).digest()
        return self._link.hex()


def of_deck(deck: str) -> Chain:
    """The chain of a deck's story, before its first entry."""
    return Chain(f"deck {deck}")


def hashes(deck: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The hash of each entry of a deck."""
    grown = of_deck(deck)
    return tuple(grown.add(entry) for entry in entries)


def head(deck: str, entries: Sequence[Entry]) -> str:
    """The hash of a deck's whole story."""
    return hashes(deck, entries)[-1]
