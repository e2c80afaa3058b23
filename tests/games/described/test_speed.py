"""How much work a line and a look at the table take, at the tables of all ready pages and beside the documents.

`make bench` says the same in microseconds; 60 of them are about 1,000 lines of Python here, 250 about 3,800.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session.core.replay import Replay
from companion.session.core.session import Session
from tests.games.described import pages
from tests.steps import steps

READY = sorted(pages.TABLES.glob("*.table"))
OTHERS = sorted(pages.TABLES.glob("*/*.table"))
LINE, VIEW = 1_000, 3_800
"""The most lines of Python for a line of a game, and for a look at its table."""
SEAT = 100
"""How many of them each seat above four may take, as the end of a round reckons the points of every seat."""
MANY_KEYS = 1.85
"""How much more a page may take that uses keys of all kinds at once, which no game does."""


def session_of(path: Path) -> Session:
    """The session that a table leads to."""
    if path.with_suffix(".toml").exists():
        pages.load(path.with_suffix(".toml"))
    replay = Replay(path.read_text(encoding="utf-8"))
    assert not any(event.failure for event in replay)
    return replay.session


def most_steps(session: Session) -> tuple[int, int]:
    """The lines of Python that the slowest line and the slowest look at the table take."""
    apply, view, lines, looks = session.game.apply, session.game.view, [0], [0]
    for moment in session.moments():
        assert moment.before is not None
        before, action, after = moment.before.state, moment.action, moment.state
        apply(before, action)  # what is loaded or kept for later is not counted
        lines.append(steps(apply, before, action))
        view(after)
        view(before)
        looks.append(steps(view, after))
    return max(lines), max(looks)


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_a_ready_page_is_quick(path: Path) -> None:
    session = session_of(path)
    line, view = most_steps(session)
    most = LINE + SEAT * max(0, len(session.view().seats) - 4)
    assert (line <= most, view <= VIEW) == (True, True), (line, view)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_a_page_with_many_keys_is_hardly_slower(path: Path) -> None:
    line, view = most_steps(session_of(path))
    assert (line <= MANY_KEYS * LINE, view <= MANY_KEYS * VIEW) == (True, True), (line, view)
