"""What could stand where a typed text ends, lines of the log included, and help with the line that is being typed."""

from __future__ import annotations

import re

from companion.games import completion
from companion.games.completion import Completion
from companion.games.lines import LOG, OpenTable
from companion.games.notation import Notation
from companion.session.session import Session

_SHOWN = 12
_OF_THE_LOG = tuple(action.verb() for action in LOG if action is not OpenTable)
_AMEND = re.compile(r"\s*amend\s+(\d+)\s+", re.IGNORECASE)


def complete(text: str, session: Session) -> tuple[Completion, ...]:
    """The words that could stand where a text ends; behind `amend 12`, the line that stands there now."""
    line = text.removeprefix(":")
    if amended := _AMEND.fullmatch(line):
        return tuple(Completion(moment.text) for moment in session.moments() if moment.number == int(amended[1]))
    found = completion.complete(session.game, session.state, line)
    if " " in line:
        return found
    return (*found, *(Completion(verb) for verb in _OF_THE_LOG if verb.startswith(line.lower())))


def explain(text: str, session: Session) -> str:
    """Help for what is being typed: how its line is written and what could come next."""
    words, notation = text.strip().removeprefix(":").split(), session.notation
    if not words:
        return ""
    verb = words[0].lower()
    if verb in notation.verbs and (len(words) > 1 or text[-1].isspace() or not _others_begin(verb, notation)):
        return f"{notation.usage(verb)}  ·  {notation.help(verb)}"
    found = complete(text.lstrip().removeprefix(":").lstrip(), session)
    return "   ".join(way.word for way in found[:_SHOWN])


def _others_begin(verb: str, notation: Notation) -> bool:
    return sum(known.startswith(verb) for known in notation.verbs) > 1
