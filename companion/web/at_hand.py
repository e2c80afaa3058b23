"""What those who look at a page may do with it now, as its templates ask: what can be tapped, and what taken back.

Separate from the table's page, which is the same for everybody at a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """`back` is what an undo would take back, and `again` what a redo would do, in few words; "" where nothing is
    theirs. `earlier` are their answers before, by the numbers of their lines.
    """

    audience: Audience
    asking: Asking
    view: TableView
    back: str
    again: str
    earlier: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, session: Session, audience: Audience) -> AtHand:
        """That of some people at a table as it is now."""
        done = audience.takes_back(session)
        answers = (each for each in audience.answered(session) if each not in done)
        earlier = tuple((each.number, each.text) for each in islice(answers, _EARLIER))
        back, again = wording.in_short(done[::-1]), wording.in_short(audience.does_again(session))
        return cls(audience, Asking.now(session), session.view(), back, again, earlier)

    def form(self, question: Question) -> Form | None:
        """What can be tapped for a question; None where it is not theirs, or nothing fits."""
        prompt = question.prompt
        if not self.audience.answers(prompt):
            return None
        return answering.opening(self.asking, prompt, at_once=prompt.due and self.is_own(question))

    def is_own(self, question: Question) -> bool:
        """Whether a question is to the page's own seat alone, and theirs to answer."""
        prompt = question.prompt
        return bool(prompt.seat) and prompt.seat == self.audience.seat and self.audience.answers(prompt)

    def parted(self, offers: Sequence[Question]) -> tuple[list[Question], list[Question]]:
        """Offers that are their own, and the others."""
        return [one for one in offers if self.is_own(one)], [one for one in offers if not self.is_own(one)]

    def changes(self, target: str) -> bool:
        """Whether they may change the figures of a seat or a thing."""
        return self.audience.changes(target, self.view)

    def setting(self, target: str) -> str:
        """What is said first by who sets a figure there to a word or a number; "" where none can be."""
        counters = self.view.counters_of(target) or ()
        return answering.setting(self.view, target) if any(counter.settable for counter in counters) else ""
