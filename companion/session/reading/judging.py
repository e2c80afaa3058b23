"""Completion of fits by the table, and the judgement of its rules on the actions that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

import msgspec

from companion.session.reading.known_names import KnownNames
from companion.session.reading.readings import Readings, unlike_actions
from companion.session.reading.word_matching import Fit
from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import COUNTER, SEAT
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.choices import Open, allows, complete_draft
from companion.tabletop.table.common_actions import Seat
from companion.tabletop.table.table import Draft

_MOST_FILLED: Final = 12
"""Maximum number of values tried for an omitted argument; among more, the user would name the value."""
_MOST_JUDGED: Final = 36
"""Maximum number of lines that the rules judge for one text."""
_MOST_LOOSELY: Final = 4
"""Maximum number of lines per verb when a verb is only begun: enough to ask which one is meant."""


def judge_fits(names: KnownNames, fits: Iterable[Fit], *, loosely: bool = False) -> Readings:
    """Return the actions of fits: those that the rules accept, and those that they refuse."""
    most = _MOST_LOOSELY if loosely else _MOST_JUDGED
    built = (action for fit in fits for action in islice(_build_actions(names, fit, loosely), most))
    accepted: list[Action] = []
    refused: list[Action] = []
    for action in unlike_actions(built, names.session, copies=False)[:_MOST_JUDGED]:
        (accepted if allows(names.game, names.state, Draft.of(action)) else refused).append(action)
    return Readings(unlike_actions(accepted, names.session), tuple(refused))


def _build_actions(names: KnownNames, fit: Fit, loosely: bool) -> Iterator[Action]:
    """Yield the actions of a fit, with its omitted arguments filled in."""
    if fit.left_out:
        first, *others = fit.left_out
        for value in fillings(names, Draft(fit.action, fit.given), first, loosely=loosely):
            longer = msgspec.structs.replace(fit, given={**fit.given, first.field: value}, left_out=others)
            yield from _build_actions(names, longer, loosely)
        return
    # Not by its line, which omits a given value that equals its default, such as a cost of 0.
    draft = complete_draft(names.game, names.state, Draft(fit.action, fit.given))
    if not draft.missing:
        yield draft.build()


def fillings(names: KnownNames, draft: Draft, argument: Argument, *, loosely: bool = False) -> tuple[Any, ...]:
    """Return the possible values of an omitted argument.

    Counters must be named, so they have none. Free text has none either, except for listed values with `loosely`.
    """
    if argument.kind is COUNTER:
        return ()
    if argument.kind is SEAT and not issubclass(draft.action, Seat):
        return names.seats
    try:
        candidates = names.game.candidates(names.state, draft, argument.field)
        if isinstance(candidates, Open):
            candidates = candidates.fitting if loosely else ()
        values = tuple(choice.value for choice in candidates)
    except LookupError:  # an earlier field was omitted as well
        return ()
    return values[:_MOST_FILLED] if loosely or len(values) <= _MOST_FILLED else ()
