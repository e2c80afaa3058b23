"""Sessions of DecknForge that lines lead to."""

from companion.games.decknforge.game import GAME
from companion.session.core.session import Session


def session_after(*lines: str) -> Session:
    """A new session after these lines."""
    session = Session.new(GAME)
    for line in lines:
        session.enter(line)
    return session
