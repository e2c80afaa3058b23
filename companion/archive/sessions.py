"""Sessions in an open transaction: which one a text means. Separate from the archive, which opens the transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.archive import symbols
from companion.archive.errors import Unknown, some
from companion.archive.lists import SessionRow
from companion.tabletop.text import quoted

if TYPE_CHECKING:
    from companion.archive.transaction import Transaction

_SYMBOLS: Final = 8
"""Few enough to read an id aloud."""


def new_session_id() -> str:
    """An id for a new session."""
    return symbols.draw(_SYMBOLS)


def no_session(session: str) -> Unknown:
    """What to raise for a text that no session's id begins with."""
    return Unknown(f"There is no session {quoted(session)}.", "sessions")


def find_session(transaction: Transaction, text: str) -> SessionRow:
    """The session whose id is, or alone begins with, `text` in any spelling. Raises Unknown."""
    beginning, strange = symbols.read(text)
    found = () if strange or not beginning else transaction.sessions_called(beginning)
    if not found:
        raise no_session(text)
    if len(found) > 1:
        names = some(row.session for row in found)
        raise Unknown(f"{quoted(text)} begins several sessions: {names}; type more of the id.")
    return found[0]
