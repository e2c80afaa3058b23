"""Questions to the coach at a table, with a time limit on the answer.

A game's `Adviser` works without a clock; the limit is applied here. The secrets in a question, such as a hand, are kept
only with the player who asked. The log records that the coach was asked; replaying it computes no advice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from hashlib import blake2b
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.common_actions import Coach
from companion.tabletop.table.table import Draft, Prompt
from templates.languages.messages import Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.tabletop.rehearsal import Advice

LIMIT: Final = 2.0
"""Seconds that a player waits for an answer."""
_SEED: Final = 0
_DIGEST_BYTES: Final = 7
_MOST_KEPT: Final = 100
"""The most answers that are kept of a table."""

GivenAdvice = dict[int, "Advice"]
"""The advice that was given at a table, by position and hand, so that the same question has the same answer."""


class Coaching:
    """One question to the coach."""

    def __init__(
        self, question: Coach, advice: Iterator[Advice], position: int = 0, given: GivenAdvice | None = None
    ) -> None:
        self.question = question
        """The question, with all secrets given for it."""
        self._advice = advice
        self._position = position
        self._given = {} if given is None else given

    @classmethod
    def of(
        cls, session: Session, action: Coach, earlier: Coach | None = None, given: GivenAdvice | None = None
    ) -> Coaching:
        """Open a question on the present table, as its viewer knows it, with the secrets given `earlier`.

        Its answer depends on the position and the question alone, and not on the lines that led there. `given` is the
        advice that was given before. Raises RuleError if the game has no coach, or nothing can be advised now.
        """
        adviser = session.game.adviser
        if adviser is None:
            raise RuleError(_has_none(session))
        from companion.tabletop.rehearsal import Chance  # not needed to paint a table

        action = _with_earlier(action, earlier)
        position = _number_position(session.state, action)
        advice = adviser.advise(session.state, action, Chance(_SEED, position))
        # The first step reports errors before anything is stored.
        return cls(action, chain((next(advice),), advice), position, given)

    def answer(self, limit: float = LIMIT, clock: Callable[[], float] = monotonic) -> Message:
        """Return the best answer found within `limit` seconds, in sentences, as `advise` does."""
        advice = self.advise(limit, clock)
        return joined(" ", filter(None, (advice.text, advice.reason)))

    def advise(self, limit: float = LIMIT, clock: Callable[[], float] = monotonic) -> Advice:
        """Return the best advice found within `limit` seconds; its reason says if the time was too short.

        It blocks until then: a screen with an event loop calls it in another thread.
        """
        if self._position and self._position in self._given:
            return self._given[self._position]
        advice = self._weigh(limit, clock)
        while len(self._given) >= _MOST_KEPT:
            del self._given[next(iter(self._given))]
        self._given[self._position] = advice
        return advice

    def _weigh(self, limit: float, clock: Callable[[], float]) -> Advice:
        end = clock() + limit
        last = next(self._advice)
        why: Text = ""
        try:
            for advice in self._advice:
                last = advice
                if clock() >= end:
                    # Translators: The coach had too little time; “it” is the coach.
                    why = phrase(
                        "Cut off after {seconds} s: with more time it might say otherwise.", seconds=f"{limit:g}"
                    )
                    break
        # A table changed by hand may be in a state from which the game cannot be played on.
        except Exception as error:
            why = phrase("The analysis stopped early ({fault}).", fault=f"{type(error).__name__}: {error}")
        reason = joined(" ", filter(None, (last.reason, why)))
        own_reason = joined(" ", filter(None, (last.own_reason, why))) if last.own_reason else ""
        return msgspec.structs.replace(last, reason=reason, own_reason=own_reason)


def _number_position(state: Any, question: Coach) -> int:
    """Return a number that is the same for the same position and the same secrets, however they were entered."""
    secrets = {field: getattr(question, field) for field in grammar(type(question)).secrets}
    sets = {field: sorted(value) if isinstance(value, tuple) else value for field, value in secrets.items()}
    data = repr(_in_order((state, question.seat, sets))).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=_DIGEST_BYTES).digest())


def _in_order(value: Any) -> Any:
    """Return a value as plain ones that are written the same on every machine: sets and mappings have no order."""
    if isinstance(value, msgspec.Struct):
        return type(value).__name__, tuple(_in_order(getattr(value, field)) for field in value.__struct_fields__)
    if isinstance(value, Mapping):
        return sorted((repr(_in_order(key)), repr(_in_order(each))) for key, each in value.items())
    if isinstance(value, Set):
        return sorted(repr(_in_order(each)) for each in value)
    if isinstance(value, list | tuple):
        return tuple(map(_in_order, value))
    return value if isinstance(value, str | int | float | bool | None) else type(value).__name__


def coach_prompt(game: Game, state: Any, seat: str, name: str) -> Prompt | None:
    """Return the prompt to the coach for a seat, which asks for its secrets; None if the coach cannot be asked.

    Without a `name`, it speaks to the player of the seat.
    """
    kind = next((action for action in game.actions if issubclass(action, Coach)), None)
    if kind is None or game.out_of_step(state, kind):
        return None
    note = phrase("nobody else can read what is entered for it")
    answer = Draft(kind, {"seat": seat}, note, tuple(grammar(kind).secrets))
    text = phrase("What would help {player} now?", player=name) if name else phrase("What would help you now?")
    return Prompt(text, answer, seat, due=False)


def _with_earlier(action: Coach, earlier: Coach | None) -> Coach:
    """Return a question with the secrets given earlier for the same seat.

    Earlier items follow the current ones of a list; other earlier values replace those that are omitted now.
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
    """Raise RuleError if a text asks the coach of a game that has none."""
    if session.game.adviser is None and text.split()[:1] == [Coach.verb()]:
        raise RuleError(_has_none(session))


def _has_none(session: Session) -> Message:
    return phrase("{game} has no coach, as it has no simulated players.", game=session.game.title)
