"""Whether a sealed game that was played outside of an archive is in it already, so that nothing is written twice.

Separate from keeping it: a table that is played here is kept line by line, and cannot come twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from companion.archive import Archive
from companion.archive.lists import deck_stream
from companion.games.lines import Begin, Seat
from companion.games.notation import Notation
from companion.session.session import Session


class _Told(NamedTuple):
    """What makes two games the same one: which decks lay before which seats, and every line since it began."""

    decks: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]


def kept_as(archive: Archive, session: Session) -> str:
    """The id under which the archive has this sealed game; "" where it has not, or nothing was sealed.

    What stood on the decks before is not compared: the first time has changed it. Nor is the seed, which a file may
    leave to chance; what chance decided stands in the lines. Raises Unknown where a deck is not here.
    """
    found = [_sittings(archive, deck) for deck in session.sealing().marks]
    if not found:
        return ""
    told = _told(archive, session.notation, (line.text for line in session.log.lines))
    for sitting in sorted(set.intersection(*found)):
        if _told(archive, session.notation, (line.line for line in archive.lines(sitting))) == told:
            return sitting
    return ""


def _sittings(archive: Archive, deck: str) -> set[str]:
    """The sittings that wrote into a deck's record."""
    entries = archive.entries(deck_stream(archive.find_deck(deck).deck))
    return {entry.session for entry in entries if entry.session}


def _told(archive: Archive, notation: Notation, lines: Iterable[str]) -> _Told:
    decks, said = [], iter(lines)
    for line in said:
        action = notation.parse(line)
        if isinstance(action, Seat) and action.deck:
            decks.append((action.seat, archive.find_deck(action.deck).deck))
        if isinstance(action, Begin):
            return _Told(tuple(decks), (notation.format(msgspec.structs.replace(action, seed=None)), *said))
    return _Told(tuple(decks), ())
