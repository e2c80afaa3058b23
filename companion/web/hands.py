"""What a phone may do at a table: whose questions it answers, whose figures it changes, what it takes back.

Separate, as pages show by it what can be tapped, and requests are judged by it before anything is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from companion.archive.doors import Hands, Phone
from companion.games.action import Action
from companion.games.lines import LOG, Add, Amend, Begin, Next, Note, Rule, Seat, Set
from companion.games.notation import write
from companion.games.table import Prompt, TableView
from companion.session.log import Line, Moment
from companion.session.session import Session

_ID_SYMBOLS: Final = 4
_PAGE_LETTERS: Final = 12
_NO_ANSWERS: Final[tuple[type[Action], ...]] = (*LOG, Add, Set, Note, Rule, Seat, Begin, Next)
"""What nobody answers anew: a figure is changed again instead, and a step or a set-up is for the host to amend."""


def called(phone: Phone) -> str:
    """By which name the log has what is done on a phone."""
    return phone.name or f"phone {phone.phone[:_ID_SYMBOLS]}"


class Audience(NamedTuple):
    """For whom a table is rendered, and who acts: one seat's page, what those who look at it may do, and by which name
    the log has what they do ("" for those who only look).
    """

    seat: str
    hands: Hands
    by: str = ""

    @classmethod
    def of(cls, phone: Phone, session: str, hands: Hands) -> Audience:
        """That of one phone at a table; those that only look are all alike."""
        by = "" if hands == "look" else called(phone)
        return cls(phone.seat if phone.session == session else "", hands, by)

    @property
    def page(self) -> str:
        """A word for the page of theirs, whatever their seat is called: whoever shows another one loads it anew."""
        return sha256(f"{self.hands}:{self.seat}".encode(errors="replace")).hexdigest()[:_PAGE_LETTERS]

    def answers(self, prompt: Prompt) -> bool:
        """Whether a question is theirs to answer; what concerns everybody is the host's, and of those who may all."""
        return self.hands == "all" or (self.hands == "own" and bool(self.seat) and prompt.seat == self.seat)

    def changes(self, target: str, view: TableView) -> bool:
        """Whether the figures of a seat, a thing or the table are theirs to change."""
        if self.hands == "all":
            return target in view.targets()
        return self.hands == "own" and target == self.seat and any(seat.seat == target for seat in view.seats)

    def notes(self) -> bool:
        """Whether they may say something for the log: whoever may do anything here."""
        return self.hands == "all" or (self.hands == "own" and bool(self.seat))

    def takes_back(self, session: Session) -> tuple[Moment, ...]:
        """What they may take back now: what was done last, if they did it; () where that is nothing."""
        done = session.undoable()
        if not done or self.hands == "look" or session.sealing().marks:
            return ()
        return done if self._wrote(line for line in session.log.lines if line.group == done[0].group) else ()

    def does_again(self, session: Session) -> tuple[Moment, ...]:
        """What they may do again now: what they did and took back themselves, if nothing was done since; else ()."""
        undone = session.redoable()
        if not undone or self.hands == "look" or session.sealing().marks:
            return ()
        *_, last = session.log.lines
        done = (line for line in session.log.lines if line.group == undone[0].group)
        return undone if self._wrote((last, *done)) else ()

    def answered(self, session: Session) -> Iterator[Moment]:
        """Their answers that count now, the newest first."""
        if self.hands == "look" or session.sealing().marks:
            return
        for moment in reversed(session.moments()):
            if not isinstance(moment.action, _NO_ANSWERS) and self._wrote((session.log.lines[moment.number - 1],)):
                yield moment

    def _wrote(self, lines: Iterator[Line] | tuple[Line, ...]) -> bool:
        return self.hands == "all" or all(line.by == self.by for line in lines)


def is_of_others(action: Action, seat: str) -> bool:
    """Whether something that was done leaves open what is asked of a seat: it was only said, or done by or to another
    one alone.
    """
    if isinstance(action, Note):
        return True
    if isinstance(action, Amend):
        action = action.action
    if isinstance(action, (*LOG, Next)):
        return False
    fields = {field: getattr(action, field) for field in action.__struct_fields__}
    return bool(fields.get("seat") or fields.get("target")) and seat not in write(action).split()
