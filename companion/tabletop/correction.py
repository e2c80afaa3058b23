"""Corrections: lines by which people put right what the table shows.

`docs/corrections.md` says which lines these are, and how far back each of them reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, Protocol

from companion.tabletop.action import Action, RuleError, Step
from companion.tabletop.common_actions import Add, Set
from companion.tabletop.display import Display
from companion.tabletop.table import Value


class Correction(NamedTuple):
    """A line that puts something right.

    `of` is what it corrects: a figure of a thing, or which thing lies there. `stands` returns True for a table that
    still shows what is replaced, and `put_right` gives such a table as it should have been; it may raise RuleError.
    `reach` is how many rounds or turns it goes back over what the rules brought about; None: as far as that stands.
    `through_entries`: what people had entered by hand is replaced since then, however long ago that was.
    """

    of: Hashable
    stands: Callable[[Any], bool]
    put_right: Callable[[Any], Any]
    reach: int | None = None
    through_entries: bool = True


class Rules(Protocol):
    """What a correction of a figure asks of its game."""

    @property
    def display(self) -> Display[Any, Any]:
        """What the game shows."""
        ...

    @property
    def carries_out_all(self) -> bool:
        """Whether its rules carry out all that changes a figure."""
        ...

    def apply(self, state: Any, action: Action) -> Step:
        """The table after an action. Raises RuleError."""
        ...

    def adds_are_play(self, state: Any) -> bool:
        """Return True where people say by `add` what happens."""
        ...


def correct_figure(
    rules: Rules, before: Any, action: Set | Add, after: Any, previous: Action | None
) -> Correction | None:
    """A figure that `set` or `add` puts right; None where such a line is how people say what happens.

    That is where it ends the game, and an `add` where figures change by nothing else.
    """
    display = rules.display
    if before.outcome is None and after.outcome is not None:
        return None
    was, now = (display.figure(table, action.target, action.counter) for table in (before, after))
    if was is None or now is None or was.value is None or was == now:
        return None
    if isinstance(action, Add) and rules.adds_are_play(before) and not _takes_back(action, previous):
        return None
    word = _word(now.value)

    def put_right(table: Any) -> Any:
        reading = display.figure(table, action.target, action.counter)
        if reading is None or reading.thing != was.thing:
            raise RuleError(f"{action.target} is another thing there.")
        if reading == now:
            return table
        right_figure = Set(action.target, action.counter, word)
        try:
            corrected = rules.apply(table, right_figure).state
        except RuleError:
            corrected = table
        if corrected is table or (table.outcome is None and display.step_of(corrected) != display.step_of(table)):
            corrected = display.written(table, right_figure)
        return corrected

    is_exact = rules.carries_out_all and before.tracks_all
    return Correction(
        (was.thing, action.counter),
        lambda table: display.figure(table, action.target, action.counter) == was,
        put_right,
        None if was.is_lasting else 1 if is_exact else 0,
        is_exact,
    )


def _takes_back(action: Add, previous: Action | None) -> bool:
    """Return True for an `add` right behind another one that it takes back, wholly or in part."""
    return (
        isinstance(previous, Add)
        and (previous.target, previous.counter) == (action.target, action.counter)
        and previous.amount * action.amount < 0
        and abs(action.amount) <= abs(previous.amount)
    )


def _word(value: Value) -> str:
    """A value as `set` writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
