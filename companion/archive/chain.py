"""The hash chain of a deck's story: each entry is hashed with the hash before it, so that no part can change unseen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from companion.archive.entries import Entry


def hashes(deck: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The hash of each entry of a deck, as hexadecimal text; equal only where everything up to there is equal."""
    return tuple(_linked(deck, entries))


def head(deck: str, entries: Sequence[Entry]) -> str:
    """The hash of a deck's whole story."""
    return hashes(deck, entries)[-1]


def _linked(deck: str, entries: Sequence[Entry]) -> Iterator[str]:
    # The deck's id begins the chain: a story cannot be passed off as that of another deck.
    link = hashlib.sha256(f"companion deck {deck}".encode()).digest()
    for entry in entries:
        told = (entry.seq, entry.at, entry.by, entry.session, entry.kind, entry.body)
        link = hashlib.sha256(link + msgspec.json.encode(told)).digest()
        yield link.hex()
