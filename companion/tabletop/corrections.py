"""Corrections: lines by which people put right what the table shows, and an evening as it was according to them.

`docs/corrections.md` says which lines these are, and how far back each of them reaches. What a correction replaces
stands in no record: facts, cards, statistics and reports are made of the actions as corrected.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from companion.tabletop.action import Action, Correction, RuleError
from companion.tabletop.common_actions import Add, Set
from companion.tabletop.game import Game, PlayedAction
from companion.tabletop.table import Value


class _Entry(NamedTuple):
    """A correction that was made: it holds for the tables from `first` to `last`, the one before its line.

    `origin` is the table that shows what was there before anybody corrected it; `is_void`: this leads back to that.
    """

    correction: Correction
    first: int
    last: int
    origin: int
    is_void: bool


def as_corrected(game: Game, played: Sequence[PlayedAction]) -> tuple[PlayedAction, ...]:
    """The actions of a game, each with the tables before and after it as corrected later.

    What is otherwise than it was entered keeps that in `entered`.
    """
    if not played:
        return ()
    return _Evening(game, played).corrected()


def without_corrections(game: Game, played: Sequence[PlayedAction]) -> tuple[PlayedAction, ...]:
    """The same, less the corrections that lead to nothing further."""
    return tuple(deed for deed in as_corrected(game, played) if not deed.is_absorbed)


class _Evening:
    """The tables of a game, in which one correction after the other is put right."""

    def __init__(self, game: Game, played: Sequence[PlayedAction]) -> None:
        self._game = game
        self._played = played
        self._entered = (played[0].before, *(deed.after for deed in played))
        self._tables = [*self._entered]
        self._entries: list[_Entry] = []

    def corrected(self) -> tuple[PlayedAction, ...]:
        """All actions, with these tables."""
        previous: Action | None = None
        for at, deed in enumerate(self._played):
            if correction := find_correction(self._game, deed, previous):
                self._make(correction, at)
            previous = deed.action
        return tuple(map(self._between_tables, self._played, self._tables, self._tables[1:]))

    def _between_tables(self, deed: PlayedAction, before: Any, after: Any) -> PlayedAction:
        if before is deed.before and after is deed.after:
            return deed
        return deed._replace(before=before, after=after, entered=(deed.before, deed.after))

    def _make(self, correction: Correction, at: int) -> None:
        """Make a correction whose line follows on table `at`; what it replaces was never corrected otherwise."""
        first = at
        while first and correction.stands(self._tables[first - 1]):
            first -= 1
        earlier = self._entry_since(correction.of, first)
        if earlier is not None:
            # What stands wrong was itself entered by hand, and holds since the first table that it put right.
            first = earlier.first
        is_in_reach = (earlier and correction.through_entries) or self._is_in_reach(correction, first, at)
        if not is_in_reach:
            first, origin = at + 1, at
        elif earlier is None:
            origin = first
        else:
            origin = earlier.origin
            self._entries.remove(earlier)
        uncorrected = self._put_right(origin, but=correction.of)
        is_void = _correct(uncorrected, correction) is uncorrected
        self._entries.append(_Entry(correction, first, at, origin, is_void))
        for number in range(first, at + 1):
            self._tables[number] = self._put_right(number)

    def _entry_since(self, of: Hashable, first: int) -> _Entry | None:
        """The newest correction of the same, unless that changed since, or people have gone back on it altogether."""
        entry = next((entry for entry in reversed(self._entries) if entry.correction.of == of), None)
        return entry if entry and not entry.is_void and first <= entry.last + 1 else None

    def _put_right(self, number: int, but: Hashable = None) -> Any:
        """A table with all that was corrected of it, but for corrections of one thing."""
        table = self._entered[number]
        for entry in self._entries:
            if entry.first <= number <= entry.last and entry.correction.of != but:
                table = _correct(table, entry.correction) or table
        return table

    def _is_in_reach(self, correction: Correction, first: int, at: int) -> bool:
        """Return True where at most `reach` rounds ended since a figure changed.

        A figure that came with a new round was right as that began.
        """
        if correction.reach is None:
            return True
        changes = self._rounds_between(first, at)
        return changes <= correction.reach and self._rounds_between(max(0, first - 1), at) <= 1

    def _rounds_between(self, first: int, last: int) -> int:
        keys = [self._game.round_key(table) for table in self._tables[first : last + 1]]
        return sum(one != other for one, other in pairwise(keys))


def _correct(table: Any, correction: Correction) -> Any | None:
    """A table with a correction; None where nobody could have said it there."""
    try:
        return correction.put_right(table)
    except RuleError:
        return None


def find_correction(game: Game, deed: PlayedAction, previous: Action | None) -> Correction | None:
    """Return what an action puts right, behind the `previous` one; None where it is played."""
    correction = game.correction(deed, previous)
    if correction is None and isinstance(deed.action, Set | Add):
        return _correct_figure(game, deed, previous)
    return correction


def _correct_figure(game: Game, deed: PlayedAction, previous: Action | None) -> Correction | None:
    """A figure that `set` or `add` puts right; None where such a line is how people say what happens.

    That is where it ends the game, and an `add` where figures change by nothing else.
    """
    before, action, after, _ = deed
    assert isinstance(action, Set | Add)
    display = game.display
    if before.outcome is None and after.outcome is not None:
        return None
    was, now = (display.figure(table, action.target, action.counter) for table in (before, after))
    if was is None or now is None or was.value is None or was == now:
        return None
    if isinstance(action, Add) and game.adds_are_play(before) and not _takes_back(action, previous):
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
            corrected = game.apply(table, right_figure).state
        except RuleError:
            corrected = table
        if corrected is table or (table.outcome is None and display.step_of(corrected) != display.step_of(table)):
            corrected = display.written(table, right_figure)
        return corrected

    is_exact = game.carries_out_all and before.tracks_all
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
