"""Sessions that went on in two places: the log here is only continued, and the other one becomes a table of its own.

No open table changes under its players, and nobody has to decide. A branch keeps the whole log and names the session
that it is a branch of. Which of the branches has the session's own id may differ between devices, so logs are compared
line by line, and never by their ids alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from companion.archive import deck_id
from companion.archive.exchange.export_format import Chain
from companion.archive.storage.entries import Entry, StreamOpened, draft
from companion.archive.storage.lists import opening_of, session_stream
from companion.archive.storage.rows import QUERY_SIZE
from companion.archive.storage.transaction import Transaction
from companion.tabletop.text import LONGEST_NAME

_SYMBOLS: Final = 8


def find_place(transaction: Transaction, theirs: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Return the stream of a log from another device as it is here, and as it is with that log.

    Both are equal if all of the log is here already; the first is empty if a table has to be added for it.
    """
    own = theirs[0].stream
    root = opening_of(theirs).branch_of or _key(own)
    links = _links(root, theirs)
    best: tuple[Entry, ...] = ()
    longest = 0
    family = _family(transaction, root, [own, *map(session_stream, _branch_ids(links))])
    for here in family.values():
        common = _common(here, theirs)
        if common == len(theirs):
            return here, here
        if common == len(here) and (not best or len(here) > len(best)):
            best = here
        longest = max(longest, common)
    if best:
        stream = best[0].stream
        return best, (*best, *(msgspec.structs.replace(entry, stream=stream) for entry in theirs[len(best) :]))
    if session_stream(root) not in family and not opening_of(theirs).branch_of:
        return (), tuple(theirs)
    return (), _make_branch(root, theirs, longest, links)


def _key(stream: str) -> str:
    return stream.partition(":")[2]


def _links(root: str, entries: Sequence[Entry]) -> list[str]:
    """Return the hash of a log up to each of its lines; the opening counts as that of the root."""
    chain = Chain(f"branches of {root}")
    return [chain.add(entry) for entry in entries[1:]]


def _branch_ids(links: Sequence[str]) -> Iterator[str]:
    """Yield the ids that a branch of this log would have, by the first line that only it has."""
    for link in links:
        yield _branch_id(link)


def _branch_id(link: str) -> str:
    digest = hashlib.sha256(link.encode()).digest()
    return "".join(deck_id.ALPHABET[byte % len(deck_id.ALPHABET)] for byte in digest[:_SYMBOLS])


def _family(transaction: Transaction, root: str, streams: Sequence[str]) -> Mapping[str, tuple[Entry, ...]]:
    """Return the root and those of some streams that are here and are its branches."""
    here: set[str] = set()
    wanted = [session_stream(root), *streams]
    for start in range(0, len(wanted), QUERY_SIZE):
        here |= transaction.existing_streams(wanted[start : start + QUERY_SIZE])
    family = {}
    for stream in sorted(here):
        entries = transaction.read(stream)
        if root in (_key(stream), opening_of(entries).branch_of):
            family[stream] = entries
    return family


def _common(here: Sequence[Entry], theirs: Sequence[Entry]) -> int:
    """Return how many entries two logs have in common; their openings count as the same."""
    common = 1
    for ours, other in zip(here[1:], theirs[1:], strict=False):
        if msgspec.structs.replace(other, stream=ours.stream) != ours:
            break
        common += 1
    return common


def _make_branch(root: str, theirs: Sequence[Entry], common: int, links: Sequence[str]) -> tuple[Entry, ...]:
    """Return the log of another device as a table of its own, named after whoever wrote its first line that is new."""
    opening = opening_of(theirs)
    if opening.branch_of and not common:
        return tuple(theirs)  # the session that it is a branch of is not here
    title = " · ".join(filter(None, (opening.title, theirs[common].by)))[:LONGEST_NAME]
    stream = session_stream(_branch_id(links[common - 1]))
    new = StreamOpened(opening.game, title, opening.edition, opening.page, root)
    first = msgspec.structs.replace(theirs[0], body=draft(new).body)
    return tuple(msgspec.structs.replace(entry, stream=stream) for entry in (first, *theirs[1:]))
