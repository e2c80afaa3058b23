"""Simultaneous effects: a batch between `together` and `done`.

Within a batch nothing is destroyed, nobody is out, and no outcome is checked; `done` checks once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any, Final

from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.arguments import HANDLE, TARGET, Bare, Many, Portion, Share
from companion.tabletop.table.choices import Candidates, Open
from companion.tabletop.table.state import Resolution
from companion.tabletop.table.table import Draft, Prompt, draft
from templates.languages.messages import Text, phrase

MoreTargets = Annotated[tuple[Portion, ...], Many(Share(TARGET)), Bare()]
"""The further targets that a line hurts at the same time, each with its number: `damage wolf 3 ana 2`."""
MoreHandles = Annotated[tuple[Portion, ...], Many(Share(HANDLE)), Bare()]
"""The further targets that a line hurts at the same time, if they must be things."""


class BeginBatch(Action, frozen=True, tag="together"):
    """Begin simultaneous effects: nothing is destroyed and nobody is out before `done`."""


class EndBatch(Action, frozen=True, tag="done"):
    """End simultaneous effects: their results are evaluated together."""


BATCH: Final[tuple[type[Action], ...]] = (BeginBatch, EndBatch)


def check(state: Any, action: Action, waiting: Collection[type[Action]]) -> None:
    """Raise RuleError if a batch is open and the action must wait for its end."""
    if state.together and (isinstance(action, BeginBatch) or type(action) in waiting):
        raise RuleError(phrase("`{verb}` must wait until the simultaneous effects are `done`.", verb=action.verb()))


def begin(resolution: Resolution[Any], action: BeginBatch) -> None:  # noqa: ARG001 – no fields
    """Begin a batch: the results of its effects are not checked until its end."""
    resolution.state = resolution.state.holding(True)
    resolution.tell(phrase("These effects happen together, until `done`."))


def end(resolution: Resolution[Any], action: EndBatch) -> None:  # noqa: ARG001 – no fields
    """End a batch, so that the results of its effects count. Raises RuleError if none is open."""
    if not resolution.state.together:
        raise RuleError(phrase("No simultaneous effects are open; `together` begins them."))
    resolution.state = resolution.state.holding(False)
    resolution.tell(phrase("Done: what happened together takes effect."))


def dooms(resolution: Resolution[Any], handle: str, title: Text) -> bool:
    """Return True, and remember the thing, if its destruction waits for the end of the batch."""
    state = resolution.state
    if state.together:
        resolution.change(doomed=(*state.doomed, handle))
        resolution.tell(phrase("{thing} is destroyed as soon as this is `done`.", thing=title))
    return bool(state.together)


def release(resolution: Resolution[Any]) -> tuple[str, ...]:
    """Return the things that the finished batch destroys, and forget them."""
    doomed: tuple[str, ...] = resolution.state.doomed
    if doomed:
        resolution.change(doomed=())
    return tuple(dict.fromkeys(doomed))


def hurt_as_well(names: Iterable[str]) -> Candidates:
    """Return the candidates for further targets that a line hurts: names on the table, each with a number."""
    example = tuple((name, 1) for name in names)[:1]
    return Open(phrase("who else is hurt, and by how much"), example, least=1) if example else ()


OFFER: Final = draft(BeginBatch, phrase("several effects at once"))
"""The offer of a batch beside single effects."""


def prompts(effects: Iterable[Draft]) -> Iterator[Prompt]:
    """Yield the prompts of an open batch: its end, and further effects."""
    yield Prompt(phrase("Effects that happen together: enter each of them, then `done`"), draft(EndBatch))
    first, *others = (effect for effect in effects if effect.action is not BeginBatch)
    yield Prompt(phrase("What else happens?"), first, due=False, others=tuple(others))
