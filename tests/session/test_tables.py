"""What must hold of every recorded session of any game: its log is the whole of it, and all can be undone."""

from pathlib import Path

import pytest

from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from tests.games import miniature  # noqa: F401 – registers the duel

TABLES = Path(__file__).parents[1] / "tables"
EXAMPLES = Path(__file__).parents[2] / "templates" / "examples"
EVENINGS = sorted(path for path in EXAMPLES.glob("*/evening.table") if ' deck "' not in path.read_text("utf-8"))
"""Recorded games that name no stored deck; the others, the tests of the demo play."""
RECORDED = [*sorted(TABLES.glob("*/*.table")), *EVENINGS]


def _played(text: str) -> Session:
    replay = Replay(text)
    assert not [line.failure for line in replay if line.failure]
    return replay.session


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_session_is_its_log_and_can_be_undone_and_redone(path: Path) -> None:
    session = _played(path.read_text("utf-8"))
    assert _played(session.export()).state == session.state
    assert Session.resume(session.log.lines).state == session.state
    if session.game.is_recorded(session.state):
        with pytest.raises(RuleError, match="sealed into its decks' records"):
            session.undo()
        return
    states = [session.state]
    while session.undoable():
        session.undo()
        states.append(session.state)
    assert session.state == session.game.new()
    for state in states[-2::-1]:
        session.redo()
        assert session.state == state
