"""Stored decks at a table whose records may change during the game, and what the seal then leaves out."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.tabletop.action import DeckId
from companion.tabletop.records import Mark
from companion.tabletop.table.state import Resolution
from templates.languages.messages import Text, phrase


class SeatedDeck(NamedTuple):
    """A stored deck at a table: its id and its name."""

    deck: DeckId
    name: Text


class StaleMark(NamedTuple):
    """A mark that a sealed game would write on a deck, and the reason to leave it out: the record disagrees by now."""

    deck: DeckId
    mark: Mark
    why: Text


def leave_out(resolution: Resolution[Any], seat: str, sentence: Text) -> None:
    """Leave an event out of the records, and report that now and before the seal."""
    resolution.change(left_out=(*resolution.state.left_out, sentence))
    resolution.tell(phrase("Left out of the record: {what}", what=sentence), seat)


def tell_left_out(resolution: Resolution[Any]) -> None:
    """Report before a seal what it leaves out of the records."""
    for sentence in resolution.state.left_out:
        resolution.tell(phrase("Left out of the record: {what}", what=sentence))
