"""Something that must hold of a game at random, and does not: one word for it in the players of every game."""

from __future__ import annotations

from companion.session.core.session import Session


class Fault(AssertionError):
    """The message ends with the log that led there."""

    def __init__(self, what: str, session: Session) -> None:
        super().__init__(f"{what}\n\n{session.export()}")
        self.what = what
        self.log = session.export()
