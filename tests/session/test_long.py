"""Recordings as long as a file may be, and such as only hostility writes: what they cost grows with their length."""

from contextlib import suppress

import pytest

from companion.session.core import replay
from companion.session.core.replay import IllegalLine, Replay, UnreadableLine
from companion.session.core.session import Session
from companion.tabletop.table.common_actions import Note
from tests.steps import steps

OPENED = "table decknforge\nseat ana\nseat ben\nnote begun"

IN_A_FIGHT = """table decknforge
seat ana
seat ben
seat cy
bosses ana:AS cy:BJ ben:AH ana:AD ben:RJ cy:AC
active ana
begin seed 20
reveal ana 9H
reveal ben 6C
reveal cy 10D"""


def replay_steps(text: str) -> int:
    """The lines of Python that it takes to play a recording, or to refuse it."""
    list(Replay(OPENED + "\nset ana hp 1\nundo"))  # what is loaded or kept for later by the first game is not counted

    def play() -> None:
        with suppress(UnreadableLine):
            list(Replay(text))

    return steps(play)


def test_what_a_recording_takes_grows_with_its_length() -> None:
    short, long = (replay_steps(OPENED + "\nnote x" * count) for count in (100, 1_000))
    assert long < 10.5 * short


def test_undo_costs_the_same_however_much_was_undone() -> None:
    some, many = (replay_steps(OPENED + "\nnote x" * count + "\nundo" * count) for count in (100, 1_000))
    assert many < 10.5 * some


def test_a_check_costs_less_than_a_change() -> None:
    """A view of the whole table for each check took half as long again as the change before it."""
    changes = [f"\nset ana hp {number % 20}" for number in range(400)]
    checked = [f"{change}{change.replace('set', 'expect')}" for change in changes]
    plain, both = (replay_steps(IN_A_FIGHT + "".join(lines)) for lines in (changes, checked))
    assert both < 1.9 * plain


def test_checks_that_do_not_hold_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_MOST_UNMET", 10)
    played = Replay(OPENED + "\nexpect ana hp 99" * 12)
    with pytest.raises(IllegalLine, match="line 15: More than 10 checks up to here do not hold"):
        list(played)


def test_nonsense_ends_at_its_first_line() -> None:
    with pytest.raises(UnreadableLine, match="line 5: “qzx” is not an action"):
        Replay(OPENED + "\nqzx" * 250_000)
    assert replay_steps(OPENED + "\nqzx" * 10_000) == replay_steps(OPENED + "\nqzx")


def test_more_lines_than_any_sitting_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert replay.MOST_LINES == 200_000
    monkeypatch.setattr(replay, "MOST_LINES", 1_000)
    with pytest.raises(UnreadableLine, match="more than 1,000 lines"):
        Replay(OPENED + "\nundo" * 1_000)
    assert len(list(Replay(OPENED + "\n#" * 2_000 + "\n" * 2_000))) == 3, "what says nothing does not count"


def test_corrections_play_a_bounded_number_of_lines_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MOST_LINES", 2_000)
    played = Replay(OPENED + "\nnote x" * 500 + "\namend 5 note y" * 500)
    with pytest.raises(IllegalLine, match="corrections up to here replay more than 2,000 lines"):
        list(played)


def test_what_many_lines_leave_unread_is_bounded() -> None:
    with pytest.raises(UnreadableLine, match="is not an action"):
        Replay(OPENED + "\nqzx" * 2_000 + "\namend 5 note y")


@pytest.mark.parametrize("amend", ["amend 5 note y", '"amend" "5" note y', "AMEND 0005 note y", "resume-from 4"])
def test_a_line_that_is_answered_may_stay_unread(amend: str) -> None:
    *_, last = Replay(f"{OPENED}\nqzx\n{amend}")
    assert last.tells


def test_a_chain_of_undone_intentions_is_done_again_in_order() -> None:
    played = Replay(OPENED)
    list(played)
    session: Session = played.session
    session.do(Note("one"), Note("two"))
    session.do(Note("three"))
    session.undo()
    session.undo()
    assert [moment.text for moment in session.redoable()] == ['note "one"', 'note "two"']
    session.redo()
    assert [moment.text for moment in session.redoable()] == ['note "three"']
    session.redo()
    assert session.redoable() == ()
