"""What would help now: a question to the coach at a table, and its answer, which is cut off when its time is over.

A game's `Adviser` weighs, without a clock; the seconds are counted here. What was said for it (a hand) is kept nowhere
but with who asked. The log says that it was asked, and nothing is weighed again where that is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.session.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import Coach
from companion.tabletop.game import Game
from companion.tabletop.notation import grammar
from companion.tabletop.table import Draft, Prompt

if TYPE_CHECKING:
    from companion.tabletop.rehearsal import Advice

LIMIT: Final = 2.0
"""Seconds that somebody at a table waits for an answer."""
_SEED: Final = 0


class Coaching:
    """One question to the coach."""

    def __init__(self, question: Coach, advice: Iterator[Advice]) -> None:
        self.question = question
        """What is asked, with all that was said for it."""
        self._advice = advice

    @classmethod
    def of(cls, session: Session, action: Coach, earlier: Coach | None = None) -> Coaching:
        """What is asked at a table as it is now, as its viewer knows it, with what was said `earlier`.

        Raises RuleError where the game has no coach, or nothing can be advised now.
        """
        adviser = session.game.adviser
        if adviser is None:
            raise RuleError(_has_none(session))
        from companion.tabletop.rehearsal import Chance  # a table is painted without it

        action = _with_earlier(action, earlier)
        advice = adviser.advise(session.state, action, Chance(_SEED, len(session.log.lines)))
        # The first one says what is wrong, before anything is kept.
        return cls(action, chain((next(advice),), advice))

    def answer(self, limit: float = LIMIT, clock: Callable[[], float] = monotonic) -> str:
        """The answer in sentences, as well as it can be weighed in so many seconds; it says so where they were too few.

        It takes that long: a screen with a loop waits for it in another thread.
        """
        end = clock() + limit
        last, why = next(self._advice), ""
        try:
            for advice in self._advice:
                last = advice
                if clock() >= end:
                    why = f"Cut off after {limit:g} s: with more time it might say otherwise."
                    break
        # A table that was changed by hand may be one from which nobody can play on in every way.
        except Exception as error:
            why = f"It could be weighed no further ({type(error).__name__}: {error})."
        return " ".join(filter(None, (last.text, last.reason, why)))


def coach_prompt(game: Game, state: Any, seat: str, name: str) -> Prompt | None:
    """The question to the coach for a seat, which asks for what only the seat knows; None where it cannot be asked."""
    kind = next((action for action in game.actions if issubclass(action, Coach)), None)
    if kind is None or game.out_of_step(state, kind):
        return None
    answer = Draft(kind, {"seat": seat}, "nobody else reads what is said for it", tuple(grammar(kind).secrets))
    return Prompt(f"What would help {name} now?", answer, seat, due=False)


def _with_earlier(action: Coach, earlier: Coach | None) -> Coach:
    """A question with what was said for the same seat before: a list behind what it says now, all else where it says
    nothing of that.
    """
    if type(earlier) is not type(action):
        return action
    fields = {}
    for field, default in grammar(type(action)).secrets.items():
        now, then = getattr(action, field), getattr(earlier, field)
        is_list = isinstance(now, tuple)
        fields[field] = tuple(dict.fromkeys((*now, *then))) if is_list else then if now == default else now
    return msgspec.structs.replace(action, **fields)


def check_asked(text: str, session: Session) -> None:
    """Raises RuleError where a text asks the coach of a game that has none."""
    if session.game.adviser is None and text.split()[:1] == [Coach.verb()]:
        raise RuleError(_has_none(session))


def _has_none(session: Session) -> str:
    return f"{session.game.title} has no coach: nobody has said how simulated people play it."
