"""Messages from widgets and keys to their screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from companion.tabletop.action import Action
from templates.languages.messages import Text

if TYPE_CHECKING:
    from companion.session.table.table_client import TableClient


@dataclass(eq=False, repr=False)
class TargetChosen(Message):
    """Sent when a seat or a thing was chosen, in notation."""

    target: str


@dataclass(eq=False, repr=False)
class AmendRequested(Message):
    """A request to amend the line of this number in the log, which now says `text`."""

    number: int
    text: str


@dataclass(eq=False, repr=False)
class ArchiveAwaited(Message):
    """Sent while the app waits for the archive, with the seconds so far; 0 when the wait is over."""

    seconds: int


@dataclass(eq=False, repr=False)
class ActionsSubmitted(Message):
    """A request to run these actions as one intention."""

    actions: tuple[Action, ...]


class GoOnRequested(Message):
    """A request to do what is suggested, up to the next decision."""


@dataclass(eq=False, repr=False)
class LineEntered(Message):
    """A request to run a line and, if it `goes_on`, the suggestions after it."""

    text: str
    goes_on: bool = False


@dataclass(eq=False, repr=False)
class LineBegun(Message):
    """A request to put the beginning of a line into the command bar, for the user to complete."""

    text: str


@dataclass(eq=False, repr=False)
class CeremonyRequested(Message):
    """A request to lead through the steps after the game of this sitting."""

    sitting: TableClient


@dataclass(eq=False, repr=False)
class DesignerRequested(Message):
    """A request to open the designer of labels in the browser, with the design of this name if there is one."""

    design: str


@dataclass(eq=False, repr=False)
class TableRequested(Message):
    """A request to open the table of this session."""

    session: str


@dataclass(eq=False, repr=False)
class SampleRequested(Message):
    """A request to open the sample campaign, or to go back from it; `discard` also deletes it."""

    discard: bool = False


@dataclass(eq=False, repr=False)
class RematchRequested(Message):
    """A request to open the table of this session again, now that its game is over."""

    session: str


@dataclass(eq=False, repr=False)
class TableChanged(Message):
    """Sent when another screen has changed the table of this one, or, with a `line`, suggests a change; `sentence`
    describes it.
    """

    sentence: Text
    line: str = ""
