"""Whole games at random, of any game: people say lines, and after each that the rules took, what must hold is checked.

What must hold of every game's log stands here, what of every game's questions in `choosing.py`; what of one game's
table, it says itself. Who plays is each game's own; people who mostly answer questions are `answering`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any

from companion.session.core.log import Log
from companion.session.core.moments import Line
from companion.session.core.session import Session
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.notation import conceal
from companion.tabletop.table.choices import Open, accepts, choices
from companion.tabletop.table.common_actions import Redo, Undo
from companion.tabletop.table.table import Draft, TableView
from tests.games.fault import Fault

MOST_LINES = 8000
MOST_REFUSED = 400
"""Lines in a row that were refused: by then somebody would have found a legal one."""

Says = Callable[[], str]
"""What is said next; it may be against the rules, or no notation at all."""
Holds = Callable[[Any, str], None]
"""What must hold, given the table before and the line that was just taken."""
Besides = Callable[[Random, Session], str]
"""A line that nobody asked for."""
Values = Callable[[Random, str, Open], Any]
"""A value for a field whose values nobody can list."""


def has_outcome(session: Session) -> bool:
    """Where most games end."""
    return session.view().outcome is not None


def play(session: Session, says: Says, holds: Holds, over: Callable[[Session], bool] = has_outcome) -> None:
    """From where the session stands until it is over. Raises Fault."""
    shadow = Log(session.game)
    line = "nothing said yet"
    try:
        for before, line in _lines(session, says, over):
            log_holds(session, shadow)
            holds(before, line)
        log_replays(session)
    except Exception as error:  # whatever broke, the log that broke it is worth more than the traceback alone
        place = extract_tb(error.__traceback__)[-1]
        where = f"{place.name}, {Path(place.filename).name}:{place.lineno}"
        raise Fault(f"after `{line}`: {type(error).__name__}: {error} ({where})", session) from error


def tables(session: Session, says: Says, over: Callable[[Session], bool] = has_outcome) -> Iterator[Any]:
    """The tables that such a game comes to, the present one first."""
    yield session.state
    for _ in _lines(session, says, over):
        yield session.state


def _lines(session: Session, says: Says, over: Callable[[Session], bool]) -> Iterator[tuple[Any, str]]:
    """The lines that the rules took, each with the table before it."""
    refused = 0
    while not over(session):
        before, line = session.state, says()
        refused = 0 if is_accepted(session, line) else refused + 1
        assert refused < MOST_REFUSED, "nothing that anybody says is legal"
        assert len(session.log.lines) < MOST_LINES, "the game never ends"
        if not refused:
            yield before, line


def is_accepted(session: Session, line: str) -> bool:
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
    assert why[-1] in ".?!", f"`{line}` was refused without a sentence: {why}"
    return False


# People who answer questions


def answering(
    session: Session,
    chance: Random,
    besides: Besides,
    values: Values,
    due: float = 0.5,
    shun: Collection[type[Action]] = (),
) -> Says:
    """People who answer what is asked, and say other things now and then.

    `due` is how often they rather answer what is waited for than what is only offered; nobody does what they `shun`.
    """

    def says() -> str:
        if chance.random() < 0.15:
            return besides(chance, session)
        return answered(session, chance, values, due, shun)

    return says


def answered(session: Session, chance: Random, values: Values, due: float, shun: Collection[type[Action]] = ()) -> str:
    """The line of an answer to one of the questions, each missing field filled with what the rules accept."""
    prompts = [prompt for prompt in session.view().prompts if prompt.answer.action not in shun]
    waiting = [prompt for prompt in prompts if prompt.due]
    prompt = chance.choice(waiting if waiting and chance.random() < due else prompts)
    draft = chance.choice(prompt.answers)
    while missing := draft.missing:
        draft = draft.having(missing[0].field, _value(session, draft, missing[0].field, chance, values))
    return session.notation.format(draft.build())


def _value(session: Session, draft: Draft, field: str, chance: Random, values: Values) -> Any:
    options = choices(session.game, session.state, draft, field)
    if isinstance(options, Open):
        value = values(chance, field, options)
        longer = draft.having(field, value)
        leads_nowhere = longer.missing and not accepts(session.game, session.state, longer)
        return options.example if leads_nowhere else value
    assert options, f"“{draft.line}” is offered, and nothing can stand in {field}"
    return chance.choice(options).value


def number(chance: Random, field: Open, most: int) -> int:
    """A number within what a field says of itself, and within reason."""
    return chance.randint(field.least or 0, most if field.most is None else field.most)


# What must hold of every log


def log_holds(session: Session, shadow: Log) -> None:
    """The newest lines read back, replay to the same table, and can be undone and done again; what is sealed cannot."""
    head = session.log.position.head
    assert session.notation.parse(head.text) == conceal(head.action)
    for line in session.log.lines[len(shadow.lines) :]:
        shadow.recall(Line(line.number, line.text, line.group))
    assert shadow.stopping_point == session.stopping_point
    assert shadow.state == session.state, "the log replays to another table"
    if head.back is not None and not session.game.is_recorded(session.state):
        undone = session.log.preview(Undo(), 0)
        assert undone.position.head.state == head.back.state
        assert session.log.preview(Redo(), 0, undone.position).position.head.state == session.state


def log_replays(session: Session) -> None:
    """The log, played from its first line on, leads to the same table and reads the same."""
    again = Session.resume(session.log.lines)
    assert again.state == session.state, "the log replays to another table"
    assert again.export() == session.export()


def view_can_be_read(session: Session) -> None:
    """Every target has its counters, and no two things are called the same."""
    view = session.view()
    targets = view.targets()
    assert len(set(targets)) == len(targets), targets
    assert all(view.counters_of(target) is not None for target in targets)
    assert all(session.counters_of(target) == view.counters_of(target) for target in (*targets, "nothing"))
    hyphens = [text for text in _texts(session, view) if _HYPHEN.search(_LINE.sub("", text))]
    assert not hyphens, f"a minus is written −: {hyphens}"


_LINE = re.compile(r"`[^`]*`")
"""A line of notation in a sentence."""
_HYPHEN = re.compile(r"(?<![\w\d])-\d")


def _texts(session: Session, view: TableView) -> Iterator[str]:
    """What people read of a table."""
    yield from (str(tell.text) for tell in session.log.position.head.tells)
    yield from map(str, view.hints)
    for prompt in view.prompts:
        yield str(prompt.text)
        yield from (str(answer.note) for answer in prompt.answers)
    for thing in view.things():
        yield from map(str, (thing.brief, *thing.notes, *thing.flags))
    counters = [*view.counters, *(counter for seat in view.seats for counter in seat.counters)]
    counters += [counter for thing in view.things() for counter in thing.counters]
    yield from (f"{counter.figure} {counter.why}" for counter in counters)
