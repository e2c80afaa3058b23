"""What could stand where a typed text ends, lines of the log included, and help with the line that is being typed."""

from __future__ import annotations

import re

from companion.games import completion
from companion.games.action import Action
from companion.games.completion import Completion
from companion.games.lines import LOG, OpenTable, Redo, Undo
from companion.games.notation import Notation
from companion.session.session import Session

_AMEND = re.compile(r"\s*amend\s+(\d+)\s+", re.IGNORECASE)
_LINE = re.compile(r"\s*(?:amend|resume-from)\s+(\d*)", re.IGNORECASE)


def complete(text: str, session: Session) -> tuple[Completion, ...]:
    """The words that could stand where a text ends; behind `amend`, the numbers of lines, the newest first; behind
    `amend 12`, the line that stands there now.
    """
    line = text.removeprefix(":")
    if amended := _AMEND.fullmatch(line):
        return tuple(Completion(moment.text) for moment in session.moments() if moment.number == int(amended[1]))
    if numbered := _LINE.fullmatch(line):
        newest = [(str(moment.number), moment.text) for moment in reversed(session.moments())]
        return tuple(Completion(number, said) for number, said in newest if number.startswith(numbered[1]))
    found = completion.complete(session.game, session.state, line)
    if " " in line:
        return found
    of_log = (action for action in LOG if action.verb().startswith(line.lower()) and _can_be_said(action, session))
    return (*found, *(Completion(action.verb(), detail=session.notation.help(action.verb())) for action in of_log))


def _can_be_said(action: type[Action], session: Session) -> bool:
    """Whether a line of the log has anything to do: to take back, to do again, to change."""
    if action is Undo:
        return bool(session.undoable()) and not session.sealing().marks
    if action is Redo:
        return bool(session.redoable())
    return action is not OpenTable and bool(session.moments())


def explain(text: str, session: Session) -> str:
    """Help for what is being typed: how its line is written; what could come next stands in the list."""
    words, notation = text.strip().removeprefix(":").split(), session.notation
    if not words:
        return ""
    verb = words[0].lower()
    if verb in notation.offered and (len(words) > 1 or text[-1].isspace() or not _others_begin(verb, notation)):
        return f"{notation.usage(verb)}  ·  {notation.help(verb)}"
    return ""


def _others_begin(verb: str, notation: Notation) -> bool:
    return sum(known.startswith(verb) for known in notation.offered) > 1
