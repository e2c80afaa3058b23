"""Concurrent lines: whether a line still applies after lines that others wrote since its writer saw the table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import HANDLE_OR_SEAT, SEAT, TARGET
from companion.tabletop.notation.notation import grammar, write
from companion.tabletop.table.common_actions import BESIDE_PLAY, LOG, REVISIONS, Add, Concede, Next, Set
from companion.tabletop.table.table import TableView

_PEOPLE: Final = (SEAT, TARGET, HANDLE_OR_SEAT)
"""The kinds of arguments that name a seat, or something of a player."""


def leaves_question_open(written: Action, seats: Collection[str]) -> bool:
    """Return True if a line leaves the questions to these seats open: a note, or an action of other seats only."""
    if isinstance(written, BESIDE_PLAY):
        return True
    if isinstance(written, REVISIONS):
        written = written.action
    if isinstance(written, (*LOG, Next)):
        return False
    # Described games may name their seat fields freely.
    people = (each for each in grammar(type(written)).arguments if each.kind in _PEOPLE)
    names_somebody = any(getattr(written, each.field) for each in people)
    return names_somebody and not set(seats) & set(write(written).split())


def are_independent(entered: Sequence[Action], written: Sequence[Action], before: TableView, now: TableView) -> bool:
    """Return True if an intention may be done after lines that others wrote in the meantime.

    A note, or another line beside the play, may follow anything. Undo and redo may follow nothing, and giving up only
    notes. A figure changed by others answers no question. If others changed the same figure, both may mean the same
    change, and a figure is set only if it still has its old value. An action for everybody, such as `next`, may follow
    only notes and figures, and a question for everybody is answered once.

    Args:
        entered: One intention, read on the table that its writer saw.
        written: The lines of others since then.
        before: The table that the writer saw.
        now: The table with those lines.
    """
    if all(isinstance(action, BESIDE_PLAY) for action in entered):
        return True
    if any(isinstance(action, (*LOG, Concede)) and not isinstance(action, REVISIONS) for action in entered):
        return all(isinstance(line, BESIDE_PLAY) for line in written) and not any(
            isinstance(each, LOG) for each in entered
        )
    everybodys = {answer.action for prompt in before.prompts if not prompt.seat for answer in prompt.answers}
    answered = everybodys & set(map(type, entered))
    if any(type(line) in answered and not isinstance(line, BESIDE_PLAY) for line in written):
        return False
    if any(isinstance(action, Set) and _figure(action, before) != _figure(action, now) for action in entered):
        return False
    changes_figures = all(isinstance(action, (Add, Set, *BESIDE_PLAY)) for action in entered)
    if before.step != now.step and not changes_figures:
        return False
    seats = {name for action in entered for name in _subjects(action, before)}
    return all(_is_independent_of(line, entered, seats) for line in written)


def _is_independent_of(written: Action, entered: Sequence[Action], seats: Collection[str]) -> bool:
    if isinstance(written, (Add, Set)):
        return is_other_figure(written, entered)
    if isinstance(written, REVISIONS):
        return False  # the target of the replaced line is unknown
    return isinstance(written, BESIDE_PLAY) or (bool(seats) and leaves_question_open(written, seats))


def _subjects(action: Action, view: TableView) -> Collection[str]:
    """Return the seats that a line is about: its own, else those that it names, else the targets that it names."""
    if isinstance(action, REVISIONS):
        action = action.action
    if seat := getattr(action, "seat", ""):
        return (seat,)
    words = write(action).split()
    seats = [seat.seat for seat in view.seats if seat.seat in words]
    return seats or [target for target in view.targets() if target in words]


def _figure(action: Set, view: TableView) -> object:
    counters = view.counters_of(action.target) or ()
    return next((each.value for each in counters if each.name == action.counter), None)


def is_other_figure(line: Action, entered: Sequence[Action]) -> bool:
    """Return True if no entered line changes the same figure, except that both may add different amounts to it."""
    return not isinstance(line, (Add, Set)) or not any(
        isinstance(action, (Add, Set))
        and (action.target, action.counter) == (line.target, line.counter)
        and not (isinstance(action, Add) and isinstance(line, Add) and action.amount != line.amount)
        for action in entered
    )
