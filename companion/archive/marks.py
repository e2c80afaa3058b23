"""What the stream of a deck holds: how it began, and the marks made on it, as its game's own structs.

Separate from the lists, which are made of that, and which nobody needs who asks for one deck's story.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from companion.archive.entries import Entry, Opened, decoder, unreadable
from companion.archive.errors import ArchiveError
from companion.games import registry
from companion.tabletop.records import GENERAL_MARKS, Mark, Record


def opened(entries: Sequence[Entry]) -> Opened:
    """How a session or a deck began. Raises ArchiveError where its stream begins with something else."""
    if not entries or not entries[0].holds(Opened):
        raise ArchiveError(f"{entries[0].stream if entries else 'A stream'} does not begin as a session or deck does.")
    return entries[0].read(Opened)


def marks_of(entries: Sequence[Entry]) -> tuple[Mark, ...]:
    """The marks in a deck's stream, as its game's own structs, oldest first."""
    decode = _mark_decoder(registry.game(opened(entries).game).mark_types).decode
    marks: list[Mark] = []
    try:
        for entry in entries[1:]:
            marks.append(decode(entry.body))  # noqa: PERF401 – the error names the entry at which it stopped
    except msgspec.MsgspecError as error:
        wrong = entries[len(marks) + 1]
        raise unreadable(wrong.stream, wrong.seq, error) from error
    return tuple(marks)


def mark_of(game: str, stream: str, seq: int, body: str) -> Mark:
    """The mark in the body of one entry of a deck. Raises ArchiveError where it is none of the game's."""
    try:
        mark: Mark = _mark_decoder(registry.game(game).mark_types).decode(body)
    except msgspec.MsgspecError as error:
        raise unreadable(stream, seq, error) from error
    return mark


def record_of(entries: Sequence[Entry]) -> Record:
    """The deck as it is today, from its stream."""
    return registry.game(opened(entries).game).record(marks_of(entries))


@cache
def _mark_decoder(own: tuple[type[Mark], ...]) -> msgspec.json.Decoder[Any]:
    """What reads any mark that a game's decks can bear."""
    tags = {kind.__struct_config__.tag for kind in own}
    kinds: Any = reduce(or_, (*own, *(kind for kind in GENERAL_MARKS if kind.__struct_config__.tag not in tags)))
    return decoder(kinds)
