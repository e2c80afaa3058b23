"""A log that the rules of today refuse at a line: it opens up to there, and goes on as people choose."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, StoredLine
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.moments import Line
from companion.session.core.replay import IllegalLine, Replay, UnreadableLine
from companion.session.core.session import Session
from companion.session.reports.report import report
from companion.tabletop.action import Action, RuleError, Step
from companion.tabletop.table.choices import Open, choices
from tests.games.miniature import Duel, Miniature, Spend
from tests.session.champions import Champions, Fought, Named


class Lenient(Miniature):
    """The duel as it was played at first."""

    name, title, edition = "old-duel", "Duel", 1


class Strict(Lenient):
    """A ruling has changed: nobody heals any more."""

    edition = 2

    def apply(self, state: Duel, action: Action) -> Step:
        if isinstance(action, Spend) and action.how == "heal":
            raise RuleError("Healing is out (edition 2).")
        return super().apply(state, action)


@pytest.fixture(autouse=True)
def stricter_rules_later() -> Iterator[None]:
    """The lenient edition is in force until a test calls for the strict one."""
    registry.register(Lenient())
    yield
    registry.register(Lenient())


SET_UP = ("seat ana", "seat ben", "begin seed 7")
PLAYED = ("draw ana 9S", "spend ana strike", "draw ben 4S", "spend ben heal", "draw ana 2S", "spend ana strike")
"""Lines 5 to 10; the strict rules refuse line 8."""


def kept_lines(archive: Archive, *lines: str) -> str:
    """A session that was played by the lenient rules, by its id; the strict ones are in force after it."""
    session = archive_journal.start(archive, Lenient.name)
    for line in (*SET_UP, *lines):
        session.enter(line)
    registry.register(Strict())
    return session.id


def stored(archive: Archive, session: str) -> list[str]:
    return [line.line for line in archive.lines(session)]


def test_it_opens_up_to_the_line_and_says_why(archive: Archive) -> None:
    name = kept_lines(archive, *PLAYED)
    session = archive_journal.resume(archive, name)
    stopped = session.stopping_point
    assert stopped is not None
    assert (stopped.line.number, stopped.line.text, str(stopped.why)) == (
        8,
        "spend ben heal",
        "Healing is out (edition 2).",
    )
    assert [line.text for line in stopped.behind] == ["draw ana 2S", "spend ana strike"]
    assert session.state.life == {"ana": 20, "ben": 11}
    assert session.state.card == "4S"
    assert [moment.number for moment in session.moments()] == [2, 3, 4, 5, 6, 7]
    assert [line.text for line in session.log.lines] == ["table old-duel", *SET_UP, *PLAYED]


def test_looking_changes_nothing(archive: Archive) -> None:
    name = kept_lines(archive, *PLAYED)
    before = archive.entries(f"session:{name}")
    session = archive_journal.resume(archive, name)
    session.view()
    with pytest.raises(RuleError, match=r"Line 8 .*`spend ben heal`.*Healing is out.*`amend 8 …`.*`resume-from 7`"):
        session.enter("spend ben strike")
    assert archive.entries(f"session:{name}") == before
    assert session.export().splitlines() == ["table old-duel", *SET_UP, *PLAYED]


def test_the_line_is_amended_and_the_rest_is_played_on_top(archive: Archive) -> None:
    name = kept_lines(archive, *PLAYED)
    archive_journal.resume(archive, name).enter("amend 8 spend ben strike")
    session = archive_journal.resume(archive, name)
    assert session.stopping_point is None
    assert session.state.life == {"ana": 16, "ben": 9}
    assert stored(archive, name) == ["table old-duel", *SET_UP, *PLAYED, "amend 8 spend ben strike"]
    session.undo()
    assert session.stopping_point is not None
    assert archive_journal.resume(archive, name).stopping_point == session.stopping_point


def test_amending_an_earlier_line_leaves_the_refused_one_to_be_decided(archive: Archive) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    tells = session.enter("amend 5 draw ana 10S")
    assert session.stopping_point is not None
    assert session.stopping_point.line.number == 8
    assert "Healing is out" in tells[-1].text
    assert session.state.life == {"ana": 20, "ben": 10}


def test_what_still_does_not_fit_after_an_amendment_stops_the_log_there(archive: Archive) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    tells = session.enter('amend 8 note "no healing"')
    assert session.stopping_point is not None, "line 9 draws while Ben still holds a card"
    assert session.stopping_point.line.number == 9
    assert "Line 9 of this log, `draw ana 2S`" in tells[-1].text
    session.enter("resume-from 8")
    session.enter("spend ben strike")
    assert archive_journal.resume(archive, session.id).state == session.state


def test_people_may_play_on_from_before_it(archive: Archive) -> None:
    name = kept_lines(archive, *PLAYED)
    tells = archive_journal.resume(archive, name).enter("resume-from 7")
    assert "3 lines after it stay in the log but no longer count" in tells[0].text
    session = archive_journal.resume(archive, name)
    assert session.stopping_point is None
    session.enter("spend ben strike")
    again = archive_journal.resume(archive, name)
    assert again.state == session.state
    assert again.state.life == {"ana": 16, "ben": 11}
    assert stored(archive, name) == ["table old-duel", *SET_UP, *PLAYED, "resume-from 7", "spend ben strike"]


def test_playing_on_can_be_undone(archive: Archive) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    before = session.stopping_point
    session.enter("resume-from 5")
    assert session.state.life == {"ana": 20, "ben": 20}
    session.undo()
    assert session.stopping_point == before
    session.redo()
    assert session.stopping_point is None


@pytest.mark.parametrize("line", ["resume-from 8", "resume-from 9"])
def test_nobody_plays_on_from_what_is_not_played(archive: Archive, line: str) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    with pytest.raises(RuleError, match="resume-from 7"):
        session.enter(line)


def test_a_line_behind_is_amended_only_after_the_one_that_is_refused(archive: Archive) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    with pytest.raises(RuleError, match="Line 8 of this log"):
        session.enter("amend 10 spend ana strike")


@pytest.mark.parametrize("line", ["resume-from 10", "resume-from 99", "resume-from 0"])
def test_playing_on_needs_a_line_after_which_something_counts(archive: Archive, line: str) -> None:
    session = archive_journal.start(archive, Lenient.name)
    for entered in (*SET_UP, *PLAYED):
        session.enter(entered)
    with pytest.raises(RuleError, match="Nothing that counts comes after line"):
        session.enter(line)


def test_a_line_that_was_undone_or_amended_since_stops_nobody(archive: Archive) -> None:
    undone = kept_lines(archive, *PLAYED[:4], "undo", "spend ben strike")
    assert archive_journal.resume(archive, undone).stopping_point is None
    registry.register(Lenient())
    amended = kept_lines(archive, *PLAYED, "amend 8 spend ben strike", "draw ben 3S")
    session = archive_journal.resume(archive, amended)
    assert session.stopping_point is None
    assert session.state.card == "3S"


def test_a_line_that_can_no_longer_be_read_stops_the_log_too(archive: Archive) -> None:
    name = kept_lines(archive, *PLAYED[:3])
    archive.append_lines(name, 8, [StoredLine("bless ben 4S", 8), StoredLine('note "so be it"', 9)])
    session = archive_journal.resume(archive, name)
    assert session.stopping_point is not None
    assert "“bless” is not an action here" in session.stopping_point.why
    session.enter("amend 8 spend ben strike")
    assert session.stopping_point is None
    assert [moment.text for moment in session.moments()][-1] == 'note "so be it"'


def test_the_file_of_a_log_that_went_on_replays_to_the_same_table(archive: Archive) -> None:
    for answer in ("resume-from 7", "amend 8 spend ben strike", "resume-from 3"):
        registry.register(Lenient())
        name = kept_lines(archive, *PLAYED)
        session = archive_journal.resume(archive, name)
        session.enter(answer)
        session.enter('note "and on"')
        replay = Replay(session.export())
        assert [line.failure for line in replay if line.failure] == []
        assert replay.session.state == session.state
        assert replay.session.export() == session.export()


def test_a_file_that_nothing_answers_for_is_refused_at_its_line() -> None:
    registry.register(Strict())
    text = "\n".join(["# how it was", "table old-duel", *SET_UP, *PLAYED])
    with pytest.raises(IllegalLine, match="line 9: Healing is out"):
        list(Replay(text))
    with pytest.raises(IllegalLine, match="line 9: Healing is out"):
        list(Replay(f"{text}\namend 6 draw ana 9S"))
    with pytest.raises(UnreadableLine, match=r"line 12: .*bless"):
        Replay(f"{text}\nbless ben\nresume-from 12")


def test_a_sealed_game_that_the_rules_refuse_is_only_looked_at(archive: Archive) -> None:
    class Tougher(Champions):
        """Nobody's life is set by hand any more."""

        edition = 2

        def apply(self, state: Duel, action: Action) -> Step:
            if action.verb() == "set" and getattr(action, "value", "") == "0":
                raise RuleError("Nobody dies by hand.")
            return super().apply(state, action)

    choir, salt = (
        archive.found_deck("champions", [Named("Grave Choir")]),
        archive.found_deck("champions", [Named("Salt")]),
    )
    session = archive_journal.start(archive, Champions.name)
    for line in ("seat ana deck grave", "seat ben deck salt", "begin seed 7", "set ben life 0"):
        session.enter(line)
    try:
        registry.register(Tougher())
        looked = archive_journal.resume(archive, session.id)
        assert looked.stopping_point is not None
        before = archive.entries(f"session:{session.id}")
        for line in ("resume-from 5", "undo", 'amend 7 note "x"', 'note "x"'):
            with pytest.raises(RuleError, match="sealed under older rules"):
                looked.enter(line)
        assert archive.entries(f"session:{session.id}") == before
        assert archive.marks(choir)[1:] == (Fought(True),)
        assert archive.marks(salt)[1:] == (Fought(False),)
    finally:
        registry.register(Champions())


def test_a_report_says_how_far_it_goes(archive: Archive) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    assert "* How far: up to line 7; the rules refuse the next: Healing is out (edition 2)." in report(session)


def test_a_sitting_remembers_by_which_edition_it_was_played(archive: Archive) -> None:
    name = kept_lines(archive, *PLAYED[:2])
    assert archive.find_session(name).edition == 1
    assert archive.find_session(name).other_edition
    session = archive_journal.resume(archive, name)
    assert archive.find_session(name).edition == 1, "looking is not playing"
    session.enter("draw ben 4S")
    session.enter("spend ben strike")
    assert archive.find_session(name).edition == 2
    assert not archive.find_session(name).other_edition
    editions = [entry.read(StoredLine).edition for entry in archive.entries(f"session:{name}")[1:]]
    assert editions == [0] * 6 + [2, 0]
    assert archive.find_session(archive_journal.start(archive, Lenient.name).id).edition == 2


ENTRIES = st.sampled_from(
    [
        *("draw ana", "draw ben", "spend ana strike", "spend ben strike", "spend ana heal", "spend ben heal", "next"),
        *("add ana life -7", 'note "x"', "undo", "redo", "amend 5 draw ana 2S", "amend 6 next", "resume-from 4"),
        *("amend 6 spend ana strike", "amend 8 spend ben strike", "resume-from 6", "resume-from 9"),
    ]
)


def _entered(session: Session, lines: Sequence[str]) -> None:
    for line in lines:
        try:
            session.enter(line)
        except RuleError:
            continue


@given(st.lists(ENTRIES, max_size=20), st.lists(ENTRIES, max_size=8))
def test_whatever_was_played_opens_and_whatever_follows_opens_to_the_same_table(
    before: list[str], after: list[str]
) -> None:
    old = Session.new(Lenient())
    _entered(old, (*SET_UP, *before))
    registry.register(Strict())
    lines: list[Line] = list(old.log.lines)
    session = Session.resume(lines)
    assert session.log.lines == lines
    if session.stopping_point is None:
        assert not any(moment.text.endswith("heal") for moment in session.moments())
    _entered(session, after)
    assert session.log.lines[: len(lines)] == lines, "nothing of what was stored is lost or changed"
    again = Session.resume(session.log.lines)
    assert (again.state, again.stopping_point) == (session.state, session.stopping_point)
    while session.undoable() and session.moments():
        assert again.undo() == session.undo()
        assert (again.state, again.stopping_point) == (session.state, session.stopping_point)
    registry.register(Lenient())


def test_every_screen_asks_how_to_go_on(archive: Archive) -> None:
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    (prompt,) = session.view().prompts
    assert str(prompt.text).startswith("Line 8, `spend ben heal`, does not fit today's rules: Healing is out")
    assert [answer.line for answer in prompt.answers] == ["amend 8", "resume-from 7"]
    assert isinstance(choices(session.game, session.state, prompt.answer, "action"), Open)
    session.enter(prompt.others[0].line)
    assert [prompt.line for prompt in session.view().prompts] == ["spend ben strike"]
    session.undo()
    assert session.view().prompts == (prompt,)


def test_a_screen_is_only_shown_a_sealed_game_that_stops(archive: Archive) -> None:
    registry.register(Lenient())
    session = archive_journal.resume(archive, kept_lines(archive, *PLAYED))
    assert session.stopping_point is not None
    journal = archive_journal.ArchiveJournal(archive, session.id, sealed=True)
    view = Session.resume(session.log.lines, journal).view()
    assert view.prompts == ()
    assert "only be viewed" in view.hints[0]
