"""Corrections: lines that correct what the table shows, and a game's actions as corrected by them.

`docs/corrections.md` lists these lines, and how far back each of them reaches. Values that a correction replaces appear
in no record: facts, cards, statistics and reports are computed from the corrected actions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from companion.tabletop.action import Action, Correction, RuleError
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.table.common_actions import Add, Set
from companion.tabletop.table.table import write_value


class _AppliedCorrection(NamedTuple):
    """A correction in effect: it applies to the tables from `first` to `last`, the one before its line.

    `origin` is the table that shows the value before any correction. `is_void`: the correction restores that value.
    """

    correction: Correction
    first: int
    last: int
    origin: int
    is_void: bool


def as_corrected(game: Game, played: Sequence[PlayedAction]) -> tuple[PlayedAction, ...]:
    """Return the actions of a game, each with the tables before and after it as corrected later.

    An action whose tables changed keeps the tables as entered in `entered`.
    """
    if not played:
        return ()
    return _Evening(game, played).correct_actions()


def without_corrections(game: Game, played: Sequence[PlayedAction]) -> tuple[PlayedAction, ...]:
    """Return the corrected actions of a game, without corrections that have no further effect."""
    return tuple(deed for deed in as_corrected(game, played) if not deed.is_absorbed)


class _Evening:
    """The tables of a game, to which the corrections are applied one after the other."""

    def __init__(self, game: Game, played: Sequence[PlayedAction]) -> None:
        self._game = game
        self._played = played
        self._entered = (played[0].before, *(deed.after for deed in played))
        self._tables = [*self._entered]
        self._entries: list[_AppliedCorrection] = []

    def correct_actions(self) -> tuple[PlayedAction, ...]:
        """Return all actions, with the corrected tables."""
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
        """Apply a correction whose line follows table `at`.

        It replaces an earlier correction of the same value, if that is in reach.
        """
        first = at
        while first and correction.stands(self._tables[first - 1]):
            first -= 1
        earlier = self._entry_since(correction.of, first)
        if earlier is not None:
            # The wrong value was entered by hand itself, and holds since the first table that it corrected.
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
        self._entries.append(_AppliedCorrection(correction, first, at, origin, is_void))
        for number in range(first, at + 1):
            self._tables[number] = self._put_right(number)

    def _entry_since(self, of: Hashable, first: int) -> _AppliedCorrection | None:
        """Return the newest correction of the same value, unless the value changed since or the correction is void."""
        entry = next((entry for entry in reversed(self._entries) if entry.correction.of == of), None)
        return entry if entry and not entry.is_void and first <= entry.last + 1 else None

    def _put_right(self, number: int, but: Hashable = None) -> Any:
        """Return a table with all its corrections, except those of the value `but`."""
        table = self._entered[number]
        for entry in self._entries:
            if entry.first <= number <= entry.last and entry.correction.of != but:
                table = _correct(table, entry.correction) or table
        return table

    def _is_in_reach(self, correction: Correction, first: int, at: int) -> bool:
        """Return True if at most `reach` rounds ended since a figure changed.

        A figure that came with a new round was right when the round began.
        """
        if correction.reach is None:
            return True
        changes = self._rounds_between(first, at)
        return changes <= correction.reach and self._rounds_between(max(0, first - 1), at) <= 1

    def _rounds_between(self, first: int, last: int) -> int:
        keys = [self._game.corrections.round_key(table) for table in self._tables[first : last + 1]]
        return sum(one != other for one, other in pairwise(keys))


def _correct(table: Any, correction: Correction) -> Any | None:
    """Return a table with a correction, or None if the correction was impossible there."""
    try:
        return correction.put_right(table)
    except RuleError:
        return None


def find_correction(game: Game, deed: PlayedAction, previous: Action | None) -> Correction | None:
    """Return the correction that an action makes after the `previous` one; None if the action is play."""
    correction = game.corrections.own_correction(deed, previous)
    if correction is None and isinstance(deed.action, Set | Add):
        return _correct_figure(game, deed, previous)
    return correction


def _correct_figure(game: Game, deed: PlayedAction, previous: Action | None) -> Correction | None:
    """Return the correction that `set` or `add` makes; None if the line reports play.

    It reports play if it ends the game, and in the case of `add` if nothing else changes figures.
    """
    before, action, after, _ = deed
    assert isinstance(action, Set | Add)
    display = game.display
    if before.outcome is None and after.outcome is not None:
        return None
    was, now = (display.figure(table, action.target, action.counter) for table in (before, after))
    if was is None or now is None or was.value is None or was == now:
        return None
    if isinstance(action, Add) and game.corrections.adds_are_play(before) and not _takes_back(action, previous):
        return None
    word = write_value(now.value)

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
            corrected = display.set_figure(table, right_figure)
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
    """Return True for an `add` directly after another one that it reverses, fully or in part."""
    return (
        isinstance(previous, Add)
        and (previous.target, previous.counter) == (action.target, action.counter)
        and previous.amount * action.amount < 0
        and abs(action.amount) <= abs(previous.amount)
    )
