"""Effects of one batch, between `together` and `done`.

In between nothing is destroyed, nobody is out, and no outcome is looked for; `done` looks once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any, Final

from companion.tabletop.action import Action, RuleError
from companion.tabletop.arguments import HANDLE, TARGET, Bare, Many, Portion, Share
from companion.tabletop.choices import Candidates, Open
from companion.tabletop.state import Resolution
from companion.tabletop.table import Draft, Prompt, draft

MoreTargets = Annotated[tuple[Portion, ...], Many(Share(TARGET)), Bare()]
"""Whom else a line hurts at the same time, each with its number: `damage wolf 3 ana 2`."""
MoreHandles = Annotated[tuple[Portion, ...], Many(Share(HANDLE)), Bare()]
"""The same, where only things can be named."""


class BeginBatch(Action, frozen=True, tag="together"):
    """Begin effects that happen at once: nothing is destroyed and nobody is out before `done`."""


class EndBatch(Action, frozen=True, tag="done"):
    """End the effects that happen at once: now what they did is looked at, all of it together."""


BATCH: Final[tuple[type[Action], ...]] = (BeginBatch, EndBatch)


def check(state: Any, action: Action, waiting: Collection[type[Action]]) -> None:
    """Raises RuleError where a batch is open and the action must wait for its end."""
    if state.together and (isinstance(action, BeginBatch) or type(action) in waiting):
        raise RuleError(f"`{action.verb()}` waits until the effects that happen at once are `done`.")


def begin(resolution: Resolution[Any], action: BeginBatch) -> None:  # noqa: ARG001 – a bare word
    """From here on nobody looks what the effects did."""
    resolution.state = resolution.state.holding(True)
    resolution.tell("These effects happen together, until `done`.")


def end(resolution: Resolution[Any], action: EndBatch) -> None:  # noqa: ARG001 – a bare word
    """What the effects did counts now. Raises RuleError where none are open."""
    if not resolution.state.together:
        raise RuleError("Nothing is open that would be done; `together` begins effects that happen at once.")
    resolution.state = resolution.state.holding(False)
    resolution.tell("Done: what happened together is looked at.")


def dooms(resolution: Resolution[Any], handle: str, title: str) -> bool:
    """Whether a thing that an effect destroys stays until its batch is done; it is remembered for then."""
    state = resolution.state
    if state.together:
        resolution.change(doomed=(*state.doomed, handle))
        resolution.tell(f"{title} is destroyed as soon as this is `done`.")
    return bool(state.together)


def release(resolution: Resolution[Any]) -> tuple[str, ...]:
    """What was to be destroyed by the batch that is done now; it is remembered no longer."""
    doomed: tuple[str, ...] = resolution.state.doomed
    if doomed:
        resolution.change(doomed=())
    return tuple(dict.fromkeys(doomed))


def hurt_as_well(names: Iterable[str]) -> Candidates:
    """What may follow the first that a line hurts: names on the table, each with a number."""
    example = tuple((name, 1) for name in names)[:1]
    return Open("who else is hurt, and by how much", example, least=1) if example else ()


OFFER: Final = draft(BeginBatch, "several effects at once")
"""What is offered besides single effects."""


def prompts(effects: Iterable[Draft]) -> Iterator[Prompt]:
    """What is asked while a batch is open: whether it is done, and what else happens in it."""
    yield Prompt("Effects that happen together: say each of them, then `done`", draft(EndBatch))
    first, *others = (effect for effect in effects if effect.action is not BeginBatch)
    yield Prompt("What else happens?", first, due=False, others=tuple(others))
