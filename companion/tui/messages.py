"""What widgets and keys tell their screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from companion.tabletop.action import Action

if TYPE_CHECKING:
    from companion.session.table_client import TableClient


@dataclass(eq=False, repr=False)
class TargetChosen(Message):
    """A seat or a thing was chosen, as notation names it."""

    target: str


@dataclass(eq=False, repr=False)
class AmendRequested(Message):
    """The line of this number in the log, which now says `text`, is to be amended."""

    number: int
    text: str


@dataclass(eq=False, repr=False)
class ArchiveAwaited(Message):
    """Somebody has been waiting for the archive for so many seconds; 0 where that is over."""

    seconds: int


@dataclass(eq=False, repr=False)
class ActionsSubmitted(Message):
    """Somebody wants this done: one intention."""

    actions: tuple[Action, ...]


class GoOnRequested(Message):
    """Somebody wants done what is suggested, up to what has to be decided."""


@dataclass(eq=False, repr=False)
class LineEntered(Message):
    """Somebody wants done what a line says; and, where it `goes_on`, what is suggested behind it."""

    text: str
    goes_on: bool = False


@dataclass(eq=False, repr=False)
class LineBegun(Message):
    """Somebody wants a line of which this is the beginning in the command bar, to go on with."""

    text: str


@dataclass(eq=False, repr=False)
class CeremonyRequested(Message):
    """Somebody wants to be led through what follows the game that this sitting shows."""

    sitting: TableClient


@dataclass(eq=False, repr=False)
class TableRequested(Message):
    """Somebody wants the table of this session."""

    session: str


@dataclass(eq=False, repr=False)
class SampleRequested(Message):
    """Somebody wants the sample campaign, or back from it; `discard` deletes it as well."""

    discard: bool = False


@dataclass(eq=False, repr=False)
class RematchRequested(Message):
    """Somebody wants the table of this session again, now that its game is over."""

    session: str


@dataclass(eq=False, repr=False)
class TableChanged(Message):
    """Another screen has changed the table that this one shows, or, with a `line`, suggests that; `sentence` tells
    what happened.
    """

    sentence: str
    line: str = ""
