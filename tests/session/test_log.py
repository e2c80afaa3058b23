"""The log: undo, redo and amend are lines of it, and whatever is done the table is what the lines add up to."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.session.core.moments import Line
from companion.session.core.replay import Replay
from companion.session.core.sealing import Sealing
from companion.session.core.session import SecretChoice, Session
from companion.tabletop.action import Action, NotationError, RuleError, Step
from companion.tabletop.table.table import TableView
from tests.examples import examples
from tests.games.miniature import Duel, Miniature
from tests.session.champions import Champions

SET_UP = ("seat ana", "seat ben", "begin seed 7")


def _duel(*lines: str) -> Session:
    """A table after these lines, set up before."""
    session = Session.new(Miniature())
    for line in (*SET_UP, *lines):
        session.enter(line)
    return session


def _texts(session: Session) -> list[str]:
    return [moment.text for moment in session.moments()]


# What can be entered at any time; the rules refuse what does not fit at that moment.
ENTRIES = st.sampled_from(
    [
        *("draw ana", "draw ben", "draw ana 9S", "spend ana strike", "spend ben strike", "spend ana heal", "next"),
        *("add ana life -7", "set ben life 15", 'note "x"', "undo", "redo", "amend 5 draw ana 2S", "amend 6 next"),
        *("draw ana; spend ana strike", "draw ben; next; draw ana", "add ana life -1; add ben life +1"),
    ]
)


def _entered(session: Session, lines: Sequence[str]) -> None:
    for line in lines:
        try:
            session.do(*map(session.notation.parse, line.split("; ")))
        except RuleError:
            continue


@given(st.lists(ENTRIES, max_size=25), st.integers(min_value=1, max_value=8))
def test_what_is_undone_and_redone_is_as_it_was(lines: list[str], times: int) -> None:
    session = _duel()
    _entered(session, lines)
    before, redoable = [session.state], session.redoable()
    while len(before) <= times and session.undoable():
        session.undo()
        before.append(session.state)
    for state in before[-2::-1]:
        session.redo()
        assert session.state == state
    assert session.redoable() == redoable


@given(st.lists(ENTRIES, max_size=25))
def test_a_stored_log_adds_up_to_the_same_table_with_the_same_history(lines: list[str]) -> None:
    session = _duel()
    _entered(session, lines)
    again = Session.resume(session.log.lines)
    assert again.state == session.state
    assert again.log.lines == session.log.lines
    assert [moment.entered for moment in again.redoable()] == [moment.entered for moment in session.redoable()]
    while session.undoable():
        assert again.undo() == session.undo()
        assert again.state == session.state
    assert not again.undoable()


@given(st.lists(ENTRIES, max_size=25))
def test_the_exported_file_replays_to_the_same_table(lines: list[str]) -> None:
    session = _duel()
    _entered(session, lines)
    replay = Replay(session.export())
    assert not [line.failure for line in replay if line.failure]
    assert replay.session.state == session.state
    assert [line.text for line in replay.session.log.lines] == [line.text for line in session.log.lines]


def test_undo_goes_back_to_the_opening_and_no_further() -> None:
    session = _duel("draw ana 9S")
    for _ in range(4):
        session.undo()
    assert session.state == Duel()
    with pytest.raises(RuleError, match="nothing to undo"):
        session.undo()
    assert [line.text for line in session.log.lines][-4:] == ["undo"] * 4


def test_something_new_ends_what_could_be_redone() -> None:
    session = _duel("draw ana 9S", "undo", "draw ana 8S")
    with pytest.raises(RuleError, match="nothing to redo"):
        session.redo()


def test_actions_of_one_intention_go_and_come_back_together() -> None:
    session = _duel()
    before = session.state
    draw, strike = (session.notation.parse(line) for line in ("draw ana 9S", "spend ana strike"))
    session.do(draw, strike)
    after = session.state
    assert [moment.text for moment in session.undoable()] == ["spend ana strike", "draw ana 9S"]
    session.enter("undo")
    assert session.state == before
    assert [line.text for line in session.log.lines][-2:] == ["undo", "undo"]
    session.enter("redo")
    assert session.state == after


def test_an_intention_is_done_whole_or_not_at_all() -> None:
    session = _duel()
    before, length = session.state, len(session.log.lines)
    draw, wrong = (session.notation.parse(line) for line in ("draw ana 9S", "spend ben strike"))
    with pytest.raises(RuleError):
        session.do(draw, wrong)
    assert (session.state, len(session.log.lines)) == (before, length)


def test_an_undone_draw_drawn_again_is_the_same_draw() -> None:
    session = _duel()
    session.enter("draw ana")
    card = session.state.card
    session.undo()
    session.enter("draw ana")
    assert session.state.card == card


@given(st.lists(st.sampled_from(['note "x"', "add ana life -1", "undo"]), max_size=6))
def test_what_is_no_draw_does_not_change_the_next_one(between: list[str]) -> None:
    session, plain = _duel("draw ana", "next"), _duel("draw ana", "next")
    for line in [line for line in between if line != "undo"]:
        session.enter(line)
    session.enter("draw ben")
    plain.enter("draw ben")
    assert session.state.card == plain.state.card


def test_draws_follow_from_the_seed() -> None:
    def draw_three(seed: int) -> list[str]:
        session = Session.new(Miniature())
        for line in ("seat ana", "seat ben", f"begin seed {seed}", "draw ana", "next", "draw ben", "next", "draw ana"):
            session.enter(line)
        return [text for text in _texts(session) if text.startswith("draw")]

    assert draw_three(1) == draw_three(1)
    assert len({tuple(draw_three(seed)) for seed in range(20)}) > 10


def test_a_game_begun_without_a_seed_gets_one_that_the_log_keeps() -> None:
    session = Session.new(Miniature())
    for line in ("seat ana", "seat ben", "begin", "draw ana"):
        session.enter(line)
    assert session.state.seed is not None
    assert f"begin seed {session.state.seed}" in _texts(session)
    assert Session.resume(session.log.lines).state == session.state


def test_a_beginning_that_is_amended_has_a_seed_too() -> None:
    session = _duel("amend 4 begin", "draw ana")
    assert Session.resume(session.log.lines).state == session.state
    assert session.state.seed is not None


def test_an_amended_line_holds_and_what_came_later_is_played_again() -> None:
    session = _duel("draw ana 9S", "spend ana strike", "draw ben 2S", "spend ben strike")
    tells = session.enter("amend 6 spend ana heal")
    assert [moment.text for moment in session.moments()][4:] == ["spend ana heal", "draw ben 2S", "spend ben strike"]
    assert (session.state.life["ana"], session.state.life["ben"]) == (22, 20)
    assert [str(tell.text) for tell in tells] == ["Amended: spend ana strike → spend ana heal"]


def test_what_an_amendment_makes_illegal_is_listed_and_comes_back_with_undo() -> None:
    session = _duel("draw ana 9S", "spend ana strike", "draw ben 2S", "next", 'note "kept"')
    before = session.state
    tells = session.enter("amend 5 draw ana 2S")
    assert "draw ben 2S" in tells[1].text
    assert "next" in tells[2].text
    assert len(tells) == 3
    assert _texts(session)[3:] == ["draw ana 2S", "spend ana strike", 'note "kept"']
    assert [str(tell.text) for tell in session.undo()] == ["Taken back: amend 5 draw ana 2S"]
    assert session.state == before
    assert _texts(session)[3:] == ["draw ana 9S", "spend ana strike", "draw ben 2S", "next", 'note "kept"']
    assert [str(tell.text) for tell in session.redo()] == ["Done again: amend 5 draw ana 2S"]
    assert _texts(session)[3:] == ["draw ana 2S", "spend ana strike", 'note "kept"']


def test_after_an_amendment_undo_takes_back_only_that() -> None:
    session = _duel("draw ana 9S", "spend ana strike", "amend 6 spend ana heal", "draw ben 3S")
    session.undo()
    assert session.state.life == {"ana": 24, "ben": 20}
    session.undo()
    assert session.state.life == {"ana": 20, "ben": 11}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("amend 99 next", "Line 99 has no action that counts now"),
        ("amend 1 next", "Line 1 has no action"),
        ("amend 5 undo", "can only be amended to an action of the game, not to `undo`"),
        ("amend 5 amend 4 next", "not to `amend`"),
        ("amend 5 draw ben", "Not now"),
        ("table duel", "belongs in a .table file"),
        ("expect ana life 20", "belongs in a .table file"),
        ("refuse next", "belongs in a .table file"),
    ],
)
def test_what_the_log_cannot_take_is_refused_and_changes_nothing(line: str, reason: str) -> None:
    session = _duel("draw ana 9S")
    before, length = session.state, len(session.log.lines)
    with pytest.raises(RuleError) as caught:
        session.enter(line)
    assert reason in str(caught.value)
    assert (session.state, len(session.log.lines)) == (before, length)


class Counted(Miniature):
    """The duel, counting how often its rules are asked."""

    def __init__(self) -> None:
        self.applied = 0

    def apply(self, state: Duel, action: Action) -> Step:
        self.applied += 1
        return super().apply(state, action)


@pytest.mark.parametrize("length", [10, 2000])
def test_undo_and_redo_cost_the_same_however_long_the_log_is(length: int) -> None:
    game = Counted()
    session = Session.new(game)
    for line in (*SET_UP, *['note "x"'] * length):
        session.enter(line)
    applied = game.applied
    for _ in range(10):
        session.undo()
    for _ in range(10):
        session.redo()
    assert game.applied == applied


class Full:
    """A journal that has no room from some line on."""

    session = "full"
    sealed = False

    def __init__(self, room: int) -> None:
        self.room = room

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> None:  # noqa: ARG002
        self.room -= len(lines)
        if self.room < 0:
            raise OSError("The disk is full.")

    def secret_choices(self) -> Mapping[str, SecretChoice]:
        return {}

    def later(self, number: int) -> Sequence[Line]:  # noqa: ARG002
        return ()


@pytest.mark.parametrize("line", ["draw ana 9S", "undo", "amend 3 seat cy", 'note "x"'])
def test_what_the_journal_did_not_take_never_happened(line: str) -> None:
    session = Session.new(Miniature(), Full(room=4))
    for set_up in SET_UP:
        session.enter(set_up)
    before: Any = session.log.position
    with pytest.raises(OSError, match="full"):
        session.enter(line)
    assert session.log.position is before
    assert len(session.log.lines) == 4


def test_a_sealed_game_takes_nothing_back() -> None:
    session = Session.new(Champions())
    for line in ("seat ana deck A champion A", "seat ben deck B champion B", "begin seed 1", "set ben life 0"):
        session.enter(line)
    state = session.state
    for line in ("undo", "amend 3 seat cy"):
        with pytest.raises(RuleError, match="sealed into its decks' records"):
            session.enter(line)
    assert session.state is state


@settings(max_examples=examples(30))
@given(st.lists(ENTRIES, max_size=15))
def test_weighing_changes_nothing(lines: list[str]) -> None:
    session = _duel()
    _entered(session, lines)
    place, length = session.log.position, len(session.log.lines)
    try:
        session.preview(session.notation.parse("next"))
    except RuleError:
        assert session.state.card is None or session.state.outcome
    assert session.log.position is place
    assert len(session.log.lines) == length


def test_what_stands_in_files_only_is_read_and_never_suggested() -> None:
    session = _duel()
    assert {"table", "expect", "refuse"} <= set(session.notation.verbs)
    assert not {"table", "expect", "refuse"} & set(session.notation.table_verbs)
    with pytest.raises(RuleError, match=r"belongs in a \.table file"):
        session.enter("refuse draw ana")
    with pytest.raises(NotationError, match=r"did you mean rule or resume-from or venue\?"):
        session.enter("resuse")
