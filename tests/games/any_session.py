"""What must hold of a session of any game after any line: its log, its view, its questions and their choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.action import RuleError
from companion.games.choices import Open, accepts, choices
from companion.games.draft import Draft
from companion.games.game import Game
from companion.games.lines import Next, Redo, Undo
from companion.session.log import Line, Log
from companion.session.session import Session


class LogShadow:
    """A second log that is told each line as text: what a replay of the log makes of it."""

    def __init__(self, game: Game) -> None:
        self.log = Log(game)

    def follow(self, session: Session) -> None:
        """Play the new lines; the table must be the same."""
        for line in session.log.lines[len(self.log.lines) :]:
            self.log.recall(Line(line.number, line.text, line.group))
        assert self.log.state == session.state, "the log replays to another table"


def undo_and_redo_are_inverse(session: Session) -> None:
    """`undo` leads to the table before, `redo` from there to this one."""
    head = session.log.position.head
    if head.back is None:
        return
    undone = session.log.preview(Undo(), 0)
    assert undone.position.head.state == head.back.state
    redone = session.log.preview(Redo(), 0, undone.position)
    assert redone.position.head.state == session.state


def line_reads_back(session: Session) -> None:
    """`parse(format(a)) == a`."""
    head = session.log.position.head
    assert session.notation.parse(head.text) == head.action


def view_can_be_read(session: Session) -> None:
    """Every target has its counters, and no two things are called the same."""
    view = session.view()
    targets = view.targets()
    assert len(set(targets)) == len(targets), targets
    assert all(view.counters_of(target) is not None for target in targets)


def prompts_are_honest(session: Session) -> None:
    """What a prompt offers is accepted, as it stands or once it is completed; and there is a way on until the end."""
    view = session.view()
    for prompt in view.prompts:
        for answer in prompt.answers:
            assert accepts(session.game, session.state, answer), f"“{prompt.text}” offers `{answer.line}`"
    if view.outcome is None and not any(prompt.due for prompt in view.prompts):
        session.preview(Next())


def choices_are_complete(session: Session, draft: Draft, universe: Iterable[Any]) -> None:
    """Of these values, exactly those that the rules accept can be chosen for the first field that a draft lacks."""
    field = draft.missing[0].field
    found = choices(session.game, session.state, draft, field)
    if isinstance(found, Open):
        return
    offered = [choice.value for choice in found]
    for value in universe:
        assert (value in offered) == accepts(session.game, session.state, draft.having(field, value)), (
            f"`{draft.line}` {field}: {value}, offered are {offered}"
        )


def log_replays(session: Session) -> None:
    """The log, played from its first line on, leads to the same table and reads the same."""
    again = Session.resume(session.log.lines)
    assert again.state == session.state
    assert again.export() == session.export()


def refused(session: Session, line: str) -> bool:
    """Whether the rules refuse a line; then they say why in a sentence, and the table is as before."""
    before = session.log.position
    try:
        session.do(session.notation.parse(line))
    except RuleError as error:
        said = str(error)
    else:
        return False
    assert said[-1] in ".!?", f"`{line}`: {said}"
    assert session.log.position is before, f"`{line}` was refused and changed the table"
    return True
