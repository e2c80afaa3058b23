"""Late lines: find the place of a line whose step has passed, because it was forgotten or entered wrongly."""

from __future__ import annotations

from itertools import islice
from typing import Final

from companion.session.core.session import Session
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.notation import conceal
from companion.tabletop.table.choices import allows
from companion.tabletop.table.common_actions import Amend, Insert
from companion.tabletop.table.table import Draft
from templates.languages.messages import Text, phrase

_FARTHEST: Final = 60
"""Maximum number of lines to search backwards."""


def late_entry(action: Action, session: Session) -> Text:
    """Return a hint with the line that enters an action in time, as an insertion or an amendment.

    Returns "" if the step of the action is yet to come, or if the action fits nowhere in the recent lines.
    """
    game = session.game
    if type(action) not in game.actions or not game.out_of_step(session.state, type(action)):
        return ""
    draft = Draft(type(action), {field: getattr(action, field) for field in action.__struct_fields__})
    passed = (moment for moment in reversed(session.moments()) if moment.before is not None)
    in_step = [
        moment
        for moment in islice(passed, _FARTHEST)
        if moment.before is not None and not game.out_of_step(moment.before.state, type(action))
    ]
    if any(moment.action == action for moment in in_step):
        return ""
    alike = [moment for moment in in_step if type(moment.action) is type(action)]
    fitting = (moment for moment in in_step if moment.before and allows(game, moment.before.state, draft))
    moment = next(fitting, alike[0] if alike else None)
    if moment is None:
        return ""
    is_other = moment in alike
    revision = (Amend if is_other else Insert)(moment.number, action)
    values = {
        "number": str(moment.number),
        "earlier": moment.text,
        "line": session.notation.format(conceal(revision)),
    }
    try:
        session.preview(revision)
    except (RuleError, NotationError) as error:
        return phrase("Line {number} was `{earlier}`; `{line}` is refused: {reason}", reason=error.message, **values)
    if is_other:
        return phrase("Line {number} was `{earlier}`; `{line}` puts that right.", **values)
    return phrase("Line {number} was `{earlier}`; `{line}` puts it before that.", **values)
