"""What could stand where a typed text ends, and help with the line that is being typed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.games.notation import Notation
from companion.games.table import TableView
from companion.session.session import Session

_SHOWN = 12
_AMEND = re.compile(r"\s*amend\s+(\d+)\s+", re.IGNORECASE)


def complete(text: str, session: Session) -> tuple[str, ...]:
    """The words that could stand where a text ends; behind `amend 12`, the line that stands there now."""
    line = text.removeprefix(":")
    if amended := _AMEND.fullmatch(line):
        return tuple(moment.text for moment in session.moments() if moment.number == int(amended[1]))
    return session.notation.complete(line, names(session.view()))


def explain(text: str, view: TableView, notation: Notation) -> str:
    """Help for what is being typed: how its line is written and what could come next."""
    words = text.strip().removeprefix(":").split()
    if not words:
        return ""
    verb = words[0].lower()
    if verb in notation.verbs and (len(words) > 1 or text[-1].isspace() or not _others_begin(verb, notation)):
        return f"{notation.usage(verb)}  ·  {notation.help(verb)}"
    found = notation.complete(text.lstrip().removeprefix(":").lstrip(), names(view))
    return "   ".join(found[:_SHOWN])


def names(view: TableView) -> Mapping[str, tuple[str, ...]]:
    """The names on the table by the kind of argument that they can stand for."""
    things = tuple(thing.target for thing in view.things())
    counters = dict.fromkeys(c.name for target in view.targets() for c in view.counters_of(target) or ())
    return {
        "SEAT": tuple(seat.seat for seat in view.seats),
        "TARGET": view.targets(),
        "HANDLE": tuple(target for target in things if " " not in target),
        "REF": tuple(target.rpartition(" ")[2] for target in things if ":" in target),
        "COUNTER": tuple(counters),
    }


def _others_begin(verb: str, notation: Notation) -> bool:
    return sum(known.startswith(verb) for known in notation.verbs) > 1
