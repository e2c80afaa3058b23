"""A second window at the same table follows line by line, and stands where a fresh reopening would."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, StoredLine
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.table.table import TableView
from tests.examples import examples
from tests.games import miniature  # noqa: F401 – registers the duel
from tests.session.champions import Champions, Named

SET_UP = ("seat ana", "seat ben", "begin seed 7")
LINES = st.sampled_from(
    [
        *("draw ana", "draw ben", "spend ana strike", "spend ben strike", "spend ana heal", "spend ben heal", "next"),
        *("add ana life -7", 'note "x"', "undo", "undo", "redo", "resume-from 4", "resume-from 6"),
        *("amend 5 draw ana 2S", "amend 6 next", "amend 6 spend ana strike", "amend 8 spend ben strike"),
    ]
)
STRANGE = st.just("fly ana")
"""What an older program may have kept: no rule of today accepts it, so the table stops there."""


def _table(session: Session) -> tuple[object, ...]:
    """Everything that a screen can know of a table."""
    view: TableView = session.view()
    undoable, redoable = ([moment.entered for moment in way] for way in (session.undoable(), session.redoable()))
    moments = [(moment.number, moment.text, moment.group, moment.tells) for moment in session.moments()]
    return session.log.lines, session.state, session.stopping_point, view, undoable, redoable, moments


def say(archive: Archive, session: Session, line: str) -> None:
    """Have it entered, or, where nobody could enter it, kept as an older program would have."""
    if line == "fly ana":
        length = len(session.log.lines)
        archive.append_lines(session.id, length + 1, [StoredLine(line, session.log.lines[-1].group + 1)])
        session.follow()
        return
    try:
        session.enter(line)
    except (RuleError, NotationError):
        return


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(st.lists(LINES | STRANGE, max_size=14), st.sets(st.integers(0, 13)))
def test_who_follows_stands_where_a_fresh_reopening_would(lines: list[str], looks: set[int]) -> None:
    with TemporaryDirectory() as folder, Archive.open(str(Path(folder, "one.sqlite"))) as archive:
        playing = archive_journal.start(archive, "duel")
        live = SharedSessions(archive)
        following = live.open(playing.id)
        for number, line in enumerate((*SET_UP, *lines)):
            say(archive, playing, line)
            if number not in looks:
                live.catch_up()
                assert _table(following.session) == _table(archive_journal.resume(archive, playing.id))
        live.catch_up()
        assert _table(following.session) == _table(archive_journal.resume(archive, playing.id))


def test_who_follows_reads_only_what_is_new(archive: Archive, place: str) -> None:
    playing = archive_journal.start(archive, "duel")
    for line in SET_UP:
        playing.enter(line)
    with Archive.open(place) as elsewhere:
        live = SharedSessions(elsewhere)
        following = live.open(playing.id)
        before = following.session.log.position.head
        playing.enter("draw ana 9S")
        live.catch_up()
    assert following.session.log.position.head.before is before


def test_who_follows_knows_that_the_game_is_sealed(archive: Archive) -> None:
    archive.found_deck("champions", [Named("Grave Choir")])
    archive.found_deck("champions", [Named("Salt")])
    playing = archive_journal.start(archive, Champions.name)
    live = SharedSessions(archive)
    following = TableClient(live.open(playing.id))
    for line in ("seat ana deck grave", "seat ben deck salt", "begin seed 7", "set ben life 0"):
        playing.enter(line)
    live.catch_up()
    assert following.follow()
    assert following.is_sealed
    assert str(following.enter('note "well played"').sentence) == "Note: well played"
