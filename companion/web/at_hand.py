"""What those who look at a page may do with it now, as its templates ask: what can be tapped, and what taken back.

Separate from the table's page, which is the same for everybody at a seat.
"""

from __future__ import annotations

from itertools import islice
from typing import Final, NamedTuple

from companion.games.table import TableView
from companion.session import wording
from companion.session.session import Session
from companion.web import answering
from companion.web.answering import Asking, Form
from companion.web.hands import Audience
from companion.web.table_page import Question

_EARLIER: Final = 6
"""Answers that can be given anew from the page; it is only ever the last few that somebody has got wrong."""


class AtHand(NamedTuple):
    """`back` is what an undo would take back, in few words, "" where nothing is theirs to take back; `earlier` are
    their answers before, by the numbers of their lines.
    """

    audience: Audience
    asking: Asking
    view: TableView
    back: str
    earlier: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, session: Session, audience: Audience) -> AtHand:
        """That of some people at a table as it is now."""
        done = audience.takes_back(session)
        answers = (each for each in audience.answered(session) if each not in done)
        earlier = tuple((each.number, each.text) for each in islice(answers, _EARLIER))
        return cls(audience, Asking.now(session), session.view(), wording.in_short(done[::-1]), earlier)

    def form(self, question: Question) -> Form | None:
        """What can be tapped for a question; None where it is not theirs, or nothing fits."""
        prompt = question.prompt
        if not self.audience.answers(prompt):
            return None
        mine = bool(prompt.seat) and prompt.seat == self.audience.seat
        return answering.opening(self.asking, prompt, at_once=mine and prompt.due)

    def changes(self, target: str) -> bool:
        """Whether they may change the figures of a seat or a thing."""
        return self.audience.changes(target, self.view)
