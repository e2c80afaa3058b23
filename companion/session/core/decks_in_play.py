"""The stored decks at a table as it has read them, and those whose records have moved on since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.session.core.moments import Line, Moment
from companion.tabletop.action import DeckId
from companion.tabletop.game import Game
from companion.tabletop.records import DeckReading
from companion.tabletop.table.common_actions import CloseTable, OffRecord, RefreshDeck
from companion.tabletop.table.match_result import MatchResult
from companion.tabletop.table.table import Prompt, draft
from templates.languages.messages import Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.tabletop.evening import Evening

Revision = DeckReading | str
"""The revision of a deck that a table read: a position in its record, or the time for older lines ("" if unknown)."""


class DeckInPlay(NamedTuple):
    """A stored deck as a table has read it: its name, id and revision, and the number of the line."""

    name: str
    deck: DeckId
    revision: Revision
    line: int


def find_decks_in_play(game: Game, head: Moment, lines: Iterable[Line]) -> Mapping[str, DeckInPlay]:
    """Return the stored decks at a table that are on the record, by seat, each as it was read last."""
    stored = {seat: each for seat, each in game.stored_decks(head.state).items() if seat not in head.state.off_record}
    if not stored:
        return {}
    by_number = {line.number: line for line in lines}
    decks: dict[str, DeckInPlay] = {}
    for moment in head.past():
        deck, seat = getattr(moment.action, "deck", ""), getattr(moment.action, "seat", "")
        if deck and seat not in decks and seat in stored and stored[seat].deck == deck:
            line = by_number[moment.number]
            revision = next((each for each in line.read if each.deck == deck), line.at)
            decks[seat] = DeckInPlay(str(stored[seat].name), deck, revision, moment.number)
    return {seat: decks[seat] for seat in stored if seat in decks}


class MovedDeck(msgspec.Struct, frozen=True):
    """A deck at a table whose record has moved on since the table read it.

    `line` is the number of the line that read it, `sentences` describe what was written since, and `holder` is the new
    holder, if there is one.
    """

    seat: str
    name: str
    line: int
    sentences: tuple[Text, ...]
    holder: str = ""

    @property
    def text(self) -> Message:
        """The message for the players."""
        moved = phrase("{deck}'s record has changed since this table read it.", deck=self.name)
        return joined(" ", (moved, *self.sentences))

    @property
    def prompt(self) -> Prompt:
        """The prompt of the table."""
        refresh = draft(RefreshDeck, phrase("Bring this table up to date: reload the deck"), seat=self.seat)
        off_record = draft(OffRecord, phrase("Play on without this deck's record; it stays as it is"), seat=self.seat)
        close = draft(CloseTable, phrase("Close the table; it stays as it is"))
        return Prompt(self.text, refresh, others=(off_record, close))


def result_off_record(state: Any, result: MatchResult) -> MatchResult:
    """Return a result without the decks that were played off the record."""
    players = tuple(
        msgspec.structs.replace(player, deck="") if player.seat in state.off_record else player
        for player in result.players
    )
    return msgspec.structs.replace(result, players=players) if state.off_record else result


def evening_off_record(state: Any, evening: Evening) -> Evening:
    """Return an evening without the decks that were played off the record."""
    participants = tuple(
        msgspec.structs.replace(each, deck="") if each.seat in state.off_record else each
        for each in evening.participants
    )
    return msgspec.structs.replace(evening, participants=participants) if state.off_record else evening
