"""Whole games at random, of any game that asks questions: people answer them, and say other things now and then.

What must hold of every game's log is checked here after each line; what must hold of one game's table, it says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any

from companion.games.action import Action, NotationError, RuleError
from companion.games.choices import Open, accepts, choices
from companion.games.draft import Draft
from companion.games.lines import Redo, Undo
from companion.session.log import Line, Log
from companion.session.session import Session
from tests.games.fault import Fault

MOST_LINES = 4000
MOST_REFUSED = 400
"""Lines in a row that were refused: by then somebody would have found a legal one."""

Besides = Callable[[Random, Session], str]
"""A line that nobody asked for; it may be against the rules, or no notation at all."""
Values = Callable[[Random, str, Open], Any]
"""A value for a field whose values nobody can list."""


def play(
    session: Session,
    chance: Random,
    besides: Besides,
    values: Values,
    holds: Callable[[Session], None],
    due: float = 0.5,
    shun: Collection[type[Action]] = (),
) -> None:
    """From where the session stands to the game's outcome. Raises Fault.

    `due` is how often people rather answer what is waited for than what is only offered; nobody does what they `shun`.
    """
    shadow = Log(session.game)
    refused = 0
    try:
        while session.view().outcome is None:
            line = besides(chance, session) if chance.random() < 0.15 else answered(session, chance, values, due, shun)
            if not said(session, line):
                refused += 1
                assert refused < MOST_REFUSED, "nothing that anybody says is legal"
                continue
            refused = 0
            assert len(session.log.lines) < MOST_LINES, "the game never ends"
            log_holds(session, shadow)
            holds(session)
        assert Session.resume(session.log.lines).state == session.state, "the log replays to another table"
    except Exception as error:  # whatever broke, the log that broke it is worth more than the traceback alone
        place = extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({place.name}, {Path(place.filename).name}:{place.lineno})"
        raise Fault(what, session) from error


def answered(session: Session, chance: Random, values: Values, due: float, shun: Collection[type[Action]] = ()) -> str:
    """The line of an answer to one of the questions, each missing field filled with what the rules accept."""
    prompts = [prompt for prompt in session.view().prompts if prompt.answer.action not in shun]
    waiting = [prompt for prompt in prompts if prompt.due]
    prompt = chance.choice(waiting if waiting and chance.random() < due else prompts)
    draft = chance.choice(prompt.answers)
    while missing := draft.missing:
        draft = draft.having(missing[0].field, _value(session, draft, missing[0].field, chance, values))
    return session.notation.format(draft.made())


def _value(session: Session, draft: Draft, field: str, chance: Random, values: Values) -> Any:
    found = choices(session.game, session.state, draft, field)
    if isinstance(found, Open):
        value = values(chance, field, found)
        longer = draft.having(field, value)
        leads_nowhere = longer.missing and not accepts(session.game, session.state, longer)
        return found.example if leads_nowhere else value
    assert found, f"“{draft.line}” is offered, and nothing can stand in {field}"
    return chance.choice(found).value


def number(chance: Random, field: Open, most: int) -> int:
    """A number within what a field says of itself, and within reason."""
    return chance.randint(field.least or 0, most if field.most is None else field.most)


def said(session: Session, line: str) -> bool:
    """Whether a line is taken; one that is not leaves the table as it was, and says why in a sentence."""
    before = session.log.position
    try:
        session.enter(line)
    except NotationError:
        why = "unread."
    except RuleError as error:
        why = str(error)
    else:
        return True
    assert session.log.position is before, f"`{line}` was refused and changed the table"
    assert why[-1] in ".?", f"`{line}` was refused without a sentence: {why}"
    return False


def log_holds(session: Session, shadow: Log) -> None:
    """The newest lines read back, replay to the same table, and can be undone and done again."""
    head = session.log.position.head
    assert session.notation.parse(head.text) == head.action
    for line in session.log.lines[len(shadow.lines) :]:
        shadow.recall(Line(line.number, line.text, line.group))
    assert shadow.state == session.state, "the log replays to another table"
    if head.back is not None:
        undone = session.log.preview(Undo(), 0)
        assert undone.position.head.state == head.back.state
        assert session.log.preview(Redo(), 0, undone.position).position.head.state == session.state


def prompts_are_honest(session: Session) -> None:
    """Every answer that is complete is legal, and every other one can be completed."""
    for prompt in session.view().prompts:
        for answer in prompt.answers:
            if not answer.missing:
                session.preview(answer.made())
            else:
                found = choices(session.game, session.state, answer, answer.missing[0].field)
                assert isinstance(found, Open) or found, f"“{prompt.text}” offers `{answer.line}`: nothing fits"
