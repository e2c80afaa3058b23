"""The stored decks at a table, as it has read them: when that was, and which records have moved on since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.session.log import Line, Moment
from companion.tabletop.action import DeckId
from companion.tabletop.common_actions import CloseTable, OffRecord, RefreshDeck
from companion.tabletop.game import Game
from companion.tabletop.match_result import MatchResult
from companion.tabletop.records import DeckReading
from companion.tabletop.table import Prompt, draft

if TYPE_CHECKING:
    from companion.tabletop.evening import Evening

Revision = DeckReading | str
"""When a table read a deck: how far its record had come; of lines of before, at what time, "" where nobody knows."""


class DeckInPlay(NamedTuple):
    """A stored deck as a table has read it: what people call it, its id, when that was, and the number of the line."""

    name: str
    deck: DeckId
    revision: Revision
    line: int


def find_decks_in_play(game: Game, head: Moment, lines: Iterable[Line]) -> Mapping[str, DeckInPlay]:
    """The stored decks at a table that are written to, by their seats, each as it was read last."""
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
            decks[seat] = DeckInPlay(stored[seat].name, deck, revision, moment.number)
    return {seat: decks[seat] for seat in stored if seat in decks}


class MovedDeck(msgspec.Struct, frozen=True):
    """A deck at a table whose record has moved on since the table read it.

    `line` is the number of the line that read it, `sentences` say what was written since, and `holder` who holds it
    now, where that is somebody else than before.
    """

    seat: str
    name: str
    line: int
    sentences: tuple[str, ...]
    holder: str = ""

    @property
    def text(self) -> str:
        """Return what to tell people."""
        return " ".join((f"{self.name}'s record has moved on since this table read it.", *self.sentences))

    @property
    def prompt(self) -> Prompt:
        """The question that the table asks then."""
        refresh = draft(RefreshDeck, "Bring this table up to date: the deck is read anew", seat=self.seat)
        off_record = draft(OffRecord, "Play on without this deck's record; it stays as it is", seat=self.seat)
        close = draft(CloseTable, "Close the table; it stays as it stands")
        return Prompt(self.text, refresh, others=(off_record, close))


def result_off_record(state: Any, result: MatchResult) -> MatchResult:
    """A result that counts for no deck that was played on without its record."""
    players = tuple(
        msgspec.structs.replace(player, deck="") if player.seat in state.off_record else player
        for player in result.players
    )
    return msgspec.structs.replace(result, players=players) if state.off_record else result


def evening_off_record(state: Any, evening: Evening) -> Evening:
    """An evening that is told of no deck that was played on without its record."""
    participants = tuple(
        msgspec.structs.replace(each, deck="") if each.seat in state.off_record else each
        for each in evening.participants
    )
    return msgspec.structs.replace(evening, participants=participants) if state.off_record else evening
