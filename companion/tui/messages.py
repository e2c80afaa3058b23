"""What widgets and keys tell their screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from companion.tabletop.action import Action

if TYPE_CHECKING:
    from companion.session.table_client import TableClient


@dataclass
class TargetChosen(Message):
    """A seat or a thing was chosen, as notation names it."""

    target: str


@dataclass
class AmendRequested(Message):
    """The line of this number in the log, which now says `text`, is to be amended."""

    number: int
    text: str


@dataclass
class ArchiveAwaited(Message):
    """Somebody has been waiting for the archive for so many seconds; 0 where that is over."""

    seconds: int


@dataclass
class ActionsSubmitted(Message):
    """Somebody wants this done: one intention."""

    actions: tuple[Action, ...]


@dataclass
class LineEntered(Message):
    """Somebody wants done what a line says."""

    text: str


@dataclass
class CeremonyRequested(Message):
    """Somebody wants to be led through what follows the game that this sitting shows."""

    sitting: TableClient


@dataclass
class TableChanged(Message):
    """Another screen has changed the table that this one shows; `sentence` tells what happened."""

    sentence: str
