"""A sitting in the archive: kept line by line, resumed where it was, sealed with its decks or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.archive import Archive, Conflict, Unknown, deck_id
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from tests.session.champions import Champions, Fought, Named

ROOT = Path(__file__).parents[2]


def _played(archive: Archive, *lines: str, by: str = "") -> Session:
    session = archive_journal.start(archive, "duel", by)
    for line in ("seat ana", "seat ben", "begin seed 7", *lines):
        session.enter(line)
    return session


def champions(archive: Archive) -> tuple[str, str]:
    """Two founded decks, by their ids."""
    return archive.found_deck("champions", [Named("Grave Choir")]), archive.found_deck("champions", [Named("Salt")])


def bout(archive: Archive) -> Session:
    """A table of two stored champions that one more line ends."""
    session = archive_journal.start(archive, Champions.name)
    for line in ('seat ana deck "grave"', "seat ben deck Salt", "begin seed 7"):
        session.enter(line)
    return session


def test_a_session_resumes_exactly_where_it_was(archive: Archive, place: str) -> None:
    session = _played(archive, "draw ana", "next", "draw ben 3S", "undo", "amend 6 spend ana strike")
    session.do(*map(session.notation.parse, ("draw ben 4S", "spend ben heal")))
    session.undo()
    with Archive.open(place) as other:
        resumed = archive_journal.resume(other, session.id.lower())
    assert resumed.state == session.state
    assert [(line.number, line.text, line.group) for line in resumed.log.lines] == [
        (line.number, line.text, line.group) for line in session.log.lines
    ]
    assert len(resumed.redoable()) == 2
    resumed_undone = [resumed.log.preview(resumed.notation.parse("undo"), 99).tells, resumed.undoable()[0].entered]
    session_undone = [session.log.preview(session.notation.parse("undo"), 99).tells, session.undoable()[0].entered]
    assert resumed_undone == session_undone


def test_a_resumed_session_plays_on_and_is_kept(archive: Archive) -> None:
    first = _played(archive, "draw ana 9S")
    second = archive_journal.resume(archive, first.id)
    second.enter("spend ana strike")
    third = archive_journal.resume(archive, first.id)
    assert third.state == second.state
    assert third.state.life == {"ana": 20, "ben": 11}


def test_who_entered_a_line_stays_with_it(archive: Archive) -> None:
    session = _played(archive, by="ana's phone")
    archive_journal.resume(archive, session.id, by="the laptop").enter("draw ana 9S")
    lines = archive_journal.resume(archive, session.id).log.lines
    assert [line.by for line in lines] == ["ana's phone"] * 4 + ["the laptop"]
    assert all(line.at for line in lines)


def test_a_second_window_that_wrote_in_between_is_a_conflict_and_changes_nothing(archive: Archive, place: str) -> None:
    session = _played(archive)
    with Archive.open(place) as elsewhere:
        archive_journal.resume(elsewhere, session.id).enter("draw ana 2S")
    before, length = session.state, len(session.log.lines)
    for _ in range(2):
        with pytest.raises(Conflict):
            session.enter("draw ana 9S")
        assert (session.state, len(session.log.lines)) == (before, length)
    again = archive_journal.resume(archive, session.id)
    assert again.state.card == "2S"
    again.enter("spend ana strike")
    assert archive_journal.resume(archive, session.id).state.life == {"ana": 20, "ben": 18}


def test_an_intention_of_several_lines_is_kept_whole_or_not_at_all(archive: Archive) -> None:
    session = _played(archive)
    archive_journal.resume(archive, session.id).enter('note "elsewhere"')
    with pytest.raises(Conflict):
        session.do(*map(session.notation.parse, ("draw ana 2S", "spend ana strike")))
    assert [line.line for line in archive.lines(session.id)][-1] == 'note "elsewhere"'


def test_the_list_says_where_a_session_stands(archive: Archive) -> None:
    session = archive_journal.start(archive, "duel", title="Friday")
    for line in ('seat ana name "Ana B"', "seat ben", "begin seed 7", "draw ana 9S"):
        session.enter(line)
    row = archive.find_session(session.id)
    assert (row.title, row.game, row.lines, row.sealed) == ("Friday", "duel", 5, False)
    assert row.where == "Ana B, Ben · Turn 1 · Spend"
    session.enter("set ben life 0")
    assert archive.find_session(session.id).where == "Ana B, Ben · Ana B won"


def test_a_stored_deck_is_written_out_so_that_the_log_needs_no_archive(archive: Archive) -> None:
    choir, salt = champions(archive)
    archive.mark(choir, 2, [Fought(True)])
    session = bout(archive)
    assert [line.text for line in session.log.lines][1:3] == [
        f'seat ana name "Ada" deck "{choir}" champion "Grave Choir"',
        "set ana life 21",
    ]
    assert session.state.decks == {"ana": choir, "ben": salt}
    assert Session.resume(session.log.lines).state == session.state


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        ("Nobody", "No deck is called “Nobody”"),
        ("7K3M-9QPX-2B4T-0", "check symbol"),
        ("7K3M-9QPX", "8 symbols instead of the 13"),
    ],
)
def test_a_deck_that_is_not_there_is_told_and_seats_nobody(archive: Archive, deck: str, sentence: str) -> None:
    session = archive_journal.start(archive, Champions.name)
    with pytest.raises(RuleError, match=sentence):
        session.enter(f'seat ana deck "{deck}"')
    assert session.view().seats == ()
    assert len(archive.lines(session.id)) == 1


def test_a_deck_of_another_game_is_refused(archive: Archive) -> None:
    champions(archive)
    session = archive_journal.start(archive, "duel")
    with pytest.raises(RuleError, match="Salt is a deck of champions; this table plays duel"):
        session.enter("seat ana deck Salt")


def test_a_stored_deck_cannot_come_in_by_amending(archive: Archive) -> None:
    champions(archive)
    session = archive_journal.start(archive, Champions.name)
    session.enter("seat ana")
    with pytest.raises(RuleError, match="undo the seat"):
        session.enter("amend 2 seat ana deck grave")
    session.enter("amend 2 seat ana deck X champion Loose")
    assert session.state.decks == {"ana": "X"}


def test_sealing_writes_the_marks_of_all_decks_with_the_line_that_ends_the_game(archive: Archive) -> None:
    choir, salt = champions(archive)
    session = bout(archive)
    session.enter("set ben life 0")
    assert archive.marks(choir) == (Named("Grave Choir"), Fought(True))
    assert archive.marks(salt) == (Named("Salt"), Fought(False))
    assert archive.find_session(session.id).sealed
    session.enter('note "well played"')
    resumed = archive_journal.resume(archive, session.id)
    resumed.enter('note "indeed"')
    for table in (session, resumed):
        with pytest.raises(RuleError, match="sealed"):
            table.undo()
    assert len(archive.marks(choir)) == 2


def test_what_cannot_be_sealed_is_not_kept_in_part(archive: Archive) -> None:
    choir, _ = champions(archive)
    session = archive_journal.start(archive, Champions.name)
    stranger = deck_id.new()
    for line in ("seat ana deck grave", f"seat ben deck {stranger} champion X", "begin seed 7"):
        session.enter(line)
    before = archive.lines(session.id)
    with pytest.raises(Unknown, match="not in this archive"):
        session.enter("set ben life 0")
    assert archive.lines(session.id) == before
    assert archive.marks(choir) == (Named("Grave Choir"),)
    assert session.state.outcome is None
    session.enter('note "not sealed"')


def test_a_session_played_elsewhere_is_kept_whole_with_what_it_seals(archive: Archive) -> None:
    choir, _ = champions(archive)
    session = Session.new(Champions(), shelf=archive_journal.ArchiveShelf(archive))
    for line in ("seat ana deck grave", "seat ben deck salt", "begin seed 7", "set ben life 0"):
        session.enter(line)
    assert archive.sessions() == ()
    kept = archive_journal.keep(archive, session, title="friday")
    assert archive_journal.resume(archive, kept).state == session.state
    assert archive.find_deck(choir).figure("won") == 1
    assert archive.find_session(kept).title == "friday"


def test_a_session_of_which_no_line_was_kept_begins_afresh(archive: Archive) -> None:
    session = archive_journal.resume(archive, archive.new_session("duel"))
    session.enter("seat ana")
    assert [line.line for line in archive.lines(session.id)] == ["table duel", "seat ana"]


def test_an_unknown_session_is_told_in_a_sentence(archive: Archive) -> None:
    with pytest.raises(Unknown, match="There is no session"):
        archive_journal.resume(archive, "ZZZZZZZZ")


def test_knowing_the_store_loads_no_database() -> None:
    script = "import sys, companion.session.core.archive_journal; sys.exit('sqlalchemy' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
