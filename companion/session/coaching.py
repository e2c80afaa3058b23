"""What would help now: a question to the coach at a table, and its answer, which is cut off when its time is over.

A game's `Adviser` weighs, without a clock; the seconds are counted here. What was said for it (a hand) is kept nowhere
but with who asked. The log says that it was asked, and nothing is weighed again where that is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec

from companion.session.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import Coach
from companion.tabletop.notation import grammar

if TYPE_CHECKING:
    from companion.tabletop.rehearsal import Advice

LIMIT: Final = 2.0
"""Seconds that somebody at a table waits for an answer."""
_SEED: Final = 0


class Coaching:
    """One question to the coach."""

    def __init__(self, advice: Iterator[Advice]) -> None:
        self._advice = advice

    @classmethod
    def of(cls, session: Session, action: Coach) -> Coaching:
        """What is asked at a table as it is now, as its viewer knows it.

        Raises RuleError where the game has no coach, or nothing can be advised now.
        """
        adviser = session.game.adviser
        if adviser is None:
            raise RuleError(_has_none(session))
        from companion.tabletop.rehearsal import Chance  # a table is painted without it

        advice = adviser.advise(session.state, action, Chance(_SEED, len(session.log.lines)))
        # The first one says what is wrong, before anything is kept.
        return cls(chain((next(advice),), advice))

    def answer(self, limit: float = LIMIT, clock: Callable[[], float] = monotonic) -> str:
        """The answer in sentences, as well as it can be weighed in so many seconds; it says so where they were too few.

        It takes that long: a screen with a loop waits for it in another thread.
        """
        end = clock() + limit
        last, is_cut = next(self._advice), False
        while not is_cut and (more := next(self._advice, None)) is not None:
            last, is_cut = more, clock() >= end
        cut = f"Cut off after {limit:g} s: with more time it might say otherwise." if is_cut else ""
        return " ".join(filter(None, (last.text, last.reason, cut)))


def with_earlier(action: Coach, earlier: Coach | None) -> Coach:
    """A question with what was said for the same seat before, where it says nothing of that anew."""
    if type(earlier) is not type(action):
        return action
    unsaid = {
        field: getattr(earlier, field)
        for field, default in grammar(type(action)).secrets.items()
        if getattr(action, field) == default
    }
    return msgspec.structs.replace(action, **unsaid)


def check_asked(text: str, session: Session) -> None:
    """Raises RuleError where a text asks the coach of a game that has none."""
    if session.game.adviser is None and text.split()[:1] == [Coach.verb()]:
        raise RuleError(_has_none(session))


def _has_none(session: Session) -> str:
    return f"{session.game.title} has no coach: nobody has said how simulated people play it."
