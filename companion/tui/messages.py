"""What widgets tell their screens."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from companion.games.action import Action


@dataclass
class SeatChosen(Message):
    """The seat with this number was chosen; 0 is what lies in the middle."""

    number: int


@dataclass
class AmendRequested(Message):
    """The line of this number in the log, which now says `text`, is to be amended."""

    number: int
    text: str


@dataclass
class ActionsSubmitted(Message):
    """Somebody wants this done: one intention. `typed` is the text in the command bar that said so."""

    actions: tuple[Action, ...]
    typed: str = ""


@dataclass
class UndoRequested(Message):
    """The last intention is to be undone."""


@dataclass
class RedoRequested(Message):
    """What was undone last is to be done again."""
