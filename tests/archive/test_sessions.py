"""Sessions: their logs and how they stand in a list."""

import pytest

from companion.archive import Archive, NewEntry, StoredLine, Unknown
from companion.archive.deck_id import ALPHABET
from companion.tabletop.action import NotationError

OPENING = NewEntry("opened", '{"game":"keepsake"}')


def test_a_log_comes_back_as_it_was_written(archive: Archive) -> None:
    session = archive.new_session("keepsake", "Friday")
    archive.append_lines(session, 1, [StoredLine("table keepsake", 1)])
    archive.append_lines(session, 2, [StoredLine("reveal ana KS", 2), StoredLine("undo", 3)])
    assert [(line.number, line.line, line.group) for line in archive.lines(session)] == [
        (1, "table keepsake", 1),
        (2, "reveal ana KS", 2),
        (3, "undo", 3),
    ]


def test_a_list_says_where_each_session_stands(archive: Archive) -> None:
    older, newer = archive.new_session("keepsake", "Thursday"), archive.new_session("keepsake", "Friday")
    archive.append_lines(newer, 1, [StoredLine("table keepsake", 1, "ana · Round 1")])
    archive.append_lines(older, 1, [StoredLine("table keepsake", 1, "ben · Round 2"), StoredLine("note x", 2)])
    first, second = archive.sessions()
    assert (first.session, first.title, first.lines, first.standing) == (older, "Thursday", 2, "ben · Round 2")
    assert (second.session, second.title, second.lines, second.standing) == (newer, "Friday", 1, "ana · Round 1")
    assert first.started <= first.changed
    assert first.changed == archive.entries(f"session:{older}")[-1].at
    assert not first.sealed


def test_ids_are_eight_symbols_to_read_aloud(archive: Archive) -> None:
    session = archive.new_session("keepsake")
    assert len(session) == 8
    assert set(session) <= set(ALPHABET)


def test_found_by_the_beginning_of_the_id_in_any_spelling(archive: Archive) -> None:
    archive.append("session:K0110Q2A", 0, [OPENING])
    archive.append("session:K0115555", 0, [OPENING])
    assert archive.find_session("koii-oq").session == "K0110Q2A"
    with pytest.raises(Unknown, match="several sessions: K0115555, K0110Q2A"):
        archive.find_session("k0")


@pytest.mark.parametrize("text", ["", "ZZZZ", "no!"])
def test_an_unknown_session_says_where_to_look(archive: Archive, text: str) -> None:
    archive.append("session:K0110Q2A", 0, [OPENING])
    for find in (archive.find_session, archive.lines):
        with pytest.raises(Unknown) as refused:
            find(text)
        assert refused.value.look == "sessions"


def test_an_unknown_game_begins_no_session(archive: Archive) -> None:
    with pytest.raises(NotationError, match="no game called “chess”"):
        archive.new_session("chess")
    assert archive.sessions() == ()
