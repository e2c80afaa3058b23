"""Opening a table: who sits there, with which decks, and by which words the notation calls them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from companion.archive import Archive
from companion.games import registry
from companion.games.kinds import RESERVED
from companion.games.lines import Seat
from companion.games.notation import write
from companion.session import store
from companion.session.session import Session


class SeatedPerson(NamedTuple):
    """Somebody at a new table, as people say it; either may be "". `number` is the seat, clockwise from 1."""

    name: str
    deck: str
    number: int


def open_table(archive: Archive, game: str, people: Sequence[SeatedPerson]) -> str:
    """Seats everybody and keeps the table; gives its id. A wrong deck leaves nothing half-done.

    Raises NotationError, RuleError, ArchiveError.
    """
    session = Session.new(registry.game(game), None, store.ArchiveShelf(archive))
    # A game may know more of a seat than its name and its deck, so its own notation reads the lines.
    session.do(*(session.notation.parse(write(seat)) for seat in seats(people)))
    return store.keep(archive, session)


def seats(people: Sequence[SeatedPerson]) -> tuple[Seat, ...]:
    """The set-up lines that seat these people."""
    lines: list[Seat] = []
    taken: set[str] = set()
    for person in people:
        seat = seat_word(person.name or f"seat{person.number}", taken)
        taken.add(seat)
        lines.append(Seat(seat, person.name, person.deck))
    return tuple(lines)


def seat_word(name: str, taken: set[str]) -> str:
    """The word by which notation calls somebody: the first of the name, made different from those taken."""
    first = re.sub(r"[^\w-]", "", name.split()[0] if name.split() else "").lower()
    if not first or first.isdecimal() or first in RESERVED:
        first = f"p{first}"
    word, number = first, 2
    while word in taken:
        word, number = f"{first}{number}", number + 1
    return word
