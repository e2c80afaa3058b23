"""Secret choices: what players have chosen face down on their phones, until it is turned up.

The log says only that a player has chosen. No export or copy of the archive contains the choices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from companion.archive.storage.rows import StoredChoice
from companion.archive.storage.schema import phone_seats, secret_choices

if TYPE_CHECKING:
    from companion.archive.archive import Archive


def save_choice(archive: Archive, session: str, seat: str, choice: StoredChoice) -> bool:
    """Save the secret choice of a seat in place of an earlier one.

    Returns False, with nothing saved, if the phone does not hold the seat. Raises ArchiveError.
    """
    with archive.store.writing() as transaction:
        connection = transaction.connection
        held = sa.select(phone_seats.c.phone).where(phone_seats.c.session == session, phone_seats.c.seat == seat)
        if connection.scalar(held) != choice.phone:
            return False
        of_seat = sa.and_(secret_choices.c.session == session, secret_choices.c.seat == seat)
        connection.execute(sa.delete(secret_choices).where(of_seat))
        connection.execute(sa.insert(secret_choices).values(session=session, seat=seat, **choice._asdict()))
    return True
