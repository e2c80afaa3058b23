"""What happened at a table, and what was entered there, as one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.action import Action, Tell
from companion.games.game import Game
from companion.games.lines import Add, Next, Set
from companion.games.table import TableView
from companion.session.log import Moment


def in_short(moments: Sequence[Moment]) -> str:
    """An intention in few words, as it was entered; "" for none."""
    if not moments:
        return ""
    return moments[0].entered if len(moments) == 1 else f"{len(moments)} lines"


def lines(moments: Iterable[Moment]) -> str:
    """The lines of an intention, as they were entered."""
    return ", ".join(moment.entered for moment in moments)


def amends(moment: Moment) -> bool:
    """Whether undo and redo here are of an amendment, and not of the action that came last."""
    return moment.entered != moment.text


def sentences(tells: Iterable[Tell]) -> str:
    """What happened, in one go."""
    return "  ".join(tell.text for tell in tells)


def ended(text: str) -> str:
    """A text as a sentence among others."""
    return text if text.endswith((".", "!", "?", ")")) else f"{text}."


def told(moment: Moment, game: Game, view: TableView) -> tuple[Tell, ...]:
    """What happened at a moment; `view` has the names by which people call what was changed by hand.

    Where the rules say nothing, it is to which step people went on, or the line itself.
    """
    if isinstance(moment.action, Add | Set):
        return (Tell(by_hand(moment.action, view)),)
    if moment.tells or not isinstance(moment.action, Next):
        return moment.tells or (Tell(moment.text),)
    after = game.view(moment.state)
    title = next((step.title for step in after.steps if step.name == after.step), after.step)
    return (Tell(f"On to: {title}." if title else "On to the next step."),)


def by_hand(action: Action, view: TableView) -> str:
    """`By hand: Ben, HP −3.`"""
    assert isinstance(action, Add | Set)
    names = {seat.seat: seat.name for seat in view.seats} | {thing.target: thing.title for thing in view.things()}
    counters = view.counters_of(action.target) or ()
    caption = next((c.caption for c in counters if c.name == action.counter), action.counter)
    change = f"{action.amount:+d}".replace("-", "−") if isinstance(action, Add) else f"= {action.value}"
    return f"By hand: {names.get(action.target, action.target)}, {caption} {change}."
