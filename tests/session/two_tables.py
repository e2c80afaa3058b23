"""Two tables at which the same two bands sit: one is left, and the other is sealed."""

from __future__ import annotations

from typing import Final

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from tests.archive import bands

FOUGHT: Final = ("begin seed 1 lots ana ben", "set table outcome loss")
"""A dungeon that is lost at once."""
FADED: Final = ("fade ana 4H", "fade ben 9S")
"""Cards that fade at both tables: Ana's Quick, and Ben's Sharp."""
SWAPPED: Final = ("pick ana ben", "pick ben ana")
KEPT: Final = ("pick ana ana", "pick ben ben")


def store_bands(archive: Archive) -> None:
    """Ana's and Ben's bands."""
    bands.found_band(archive, "Grave Choir", "Ana")
    bands.found_band(archive, "Salt and Iron", "Ben")


def seat_bands(archive: Archive, *lines: str) -> Session:
    """A table with both, and these lines entered there."""
    session = archive_journal.start(archive, "decknforge")
    return enter_lines(
        session, 'seat ana name "Ana" deck "Grave Choir"', 'seat ben name "Ben" deck "Salt and Iron"', *lines
    )


def enter_lines(session: Session, *lines: str) -> Session:
    """Enter lines."""
    for line in lines:
        session.enter(line)
    return session


def leave_one_seal_other(archive: Archive, *first: str) -> Session:
    """The table that was left after these lines, before the other one was sealed, where Ana and Ben swapped bands."""
    store_bands(archive)
    left = seat_bands(archive, *first)
    enter_lines(seat_bands(archive, *FOUGHT, *FADED, *SWAPPED), "seal")
    return left


def sit_down(archive: Archive, session: str) -> TableClient:
    """A screen at a table that is opened anew."""
    return TableClient(SharedSessions(archive).open(session))


def story(archive: Archive, name: str) -> list[str]:
    """Return what a band's story tells."""
    return [str(line.text) for line in archive.story(archive.find_deck(name).deck)]
