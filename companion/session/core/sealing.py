"""What a game leaves behind when it is sealed: marks for its decks, payments for purses, and its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from companion.session.core import evenings
from companion.session.core.clock_times import clock_times
from companion.session.core.decks_in_play import Revision, evening_off_record, find_decks_in_play, result_off_record
from companion.session.core.moments import Line, Moment
from companion.tabletop.action import DeckId, RuleError
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.game import Game, recorded_marks
from companion.tabletop.records import Keepsake, Mark, Payment
from companion.tabletop.table.match_result import Contender, MatchResult
from companion.tabletop.table.table_clock import TurnTimes
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from companion.tabletop.evening import Evening

Marks = Mapping[DeckId, tuple[Mark, ...]]


class Sealing(msgspec.Struct, frozen=True):
    """The marks and payments of a sealed game for its decks and purses, and its result; empty while it goes on."""

    marks: Marks = MappingProxyType({})
    payments: tuple[Payment | Keepsake, ...] = ()
    result: MatchResult | None = None
    """The result of the game; None while it goes on."""
    is_sealed: bool = False
    """True once the game is sealed, also if it leaves nothing behind."""
    lacks: Text = ""
    """The reason why the evening could not be summed up, as a sentence; the records are then written without it."""
    decks: Mapping[DeckId, Revision] = MappingProxyType({})
    """The length of each deck's record when this table read it, or at least the time."""

    @property
    def writes(self) -> bool:
        """Return True if there is anything to write; then the game is sealed."""
        return bool(self.marks or self.payments)

    @classmethod
    def of(cls, game: Game, head: Moment, lines: Iterable[Line]) -> Sealing:
        """Return what a game leaves behind at a moment; `lines` are those of its log, which give its length in minutes.

        If summing up the evening fails, the marks are still written, without the evening.
        """
        state = head.state
        result = game.results.match_result(state)
        if result is not None:
            lines = tuple(lines)
            rules = dict(state.house.changed_in_play())
            players = _with_times(result, clock_times(game, head, lines))
            result = msgspec.structs.replace(result, rules=rules, minutes=evenings.minutes_of(lines), players=players)
            result = result_off_record(state, result)
        marks = recorded_marks(game, state)
        lacks: Text = ""
        purses = game.purses
        payments: tuple[Payment | Keepsake, ...] = (*purses.payments(state), *purses.keepsakes(state))
        if marks or payments:  # Only a sealed game has any, so no other line builds the evening.
            try:
                evening = evenings.evening_of(game, head, lines := tuple(lines))
                evening = None if evening is None else evening_off_record(state, evening)
                marks = _with_evening(marks, evening)
                if result is not None and evening is not None:
                    tallies = evenings.tallies_of(game, evening)
                    result = msgspec.structs.replace(result, venue=evening.venue, tallies=tallies)
            except RuleError as error:
                lacks = joined(" ", (error.message, phrase("Everything else is written into the records.")))
        decks = find_decks_in_play(game, head, lines) if marks else {}
        sealed = game.is_sealed(state)
        return cls(marks, payments, result, sealed, lacks, {each.deck: each.revision for each in decks.values()})

    def without(self, game: Game, stale: Sequence[StaleMark]) -> Sealing:
        """Return this sealing without stale marks; the evenings in the other marks omit them, too."""
        if not stale:
            return self
        gone = {id(each.mark) for each in stale}
        marks = {
            deck: tuple(_untold(game, mark, stale) for mark in own if id(mark) not in gone)
            for deck, own in self.marks.items()
        }
        return msgspec.structs.replace(self, marks=marks)


def _with_times(result: MatchResult, times: TurnTimes | None) -> tuple[Contender, ...]:
    """Return the players of a result with the time of their turns, as far as a clock has counted it."""
    if times is None:
        return result.players
    return tuple(
        msgspec.structs.replace(player, seconds=times.seconds.get(player.seat, 0)) for player in result.players
    )


def _untold(game: Game, mark: Mark, stale: Sequence[StaleMark]) -> Mark:
    evening = getattr(mark, "evening", None)
    return (
        mark if evening is None else msgspec.structs.replace(mark, evening=game.evenings.without_stale(evening, stale))
    )


def _with_evening(marks: Marks, evening: Evening | None) -> Marks:
    """Return the marks with this evening in each mark that can keep one."""
    return {
        deck: tuple(
            msgspec.structs.replace(mark, evening=evening) if "evening" in mark.__struct_fields__ else mark
            for mark in own
        )
        for deck, own in marks.items()
    }
