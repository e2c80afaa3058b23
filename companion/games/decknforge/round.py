"""The steps in their order, and how each goes on: by itself once all its questions are answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from companion.games.decknforge import (
    attacks,
    damage,
    drifting,
    fading,
    kill,
    labelling,
    refill,
    reveal,
    tactics,
    turning,
)
from companion.games.decknforge.state import DungeonTable, Resolution
from companion.games.table import RoundStep


class StepRules(NamedTuple):
    """One step: what happens on entering it, whether it still waits for somebody, its default, and how it ends."""

    title: str
    enter: Callable[[Resolution], None]
    waiting: Callable[[DungeonTable], bool]
    default: Callable[[Resolution], None]
    leave: Callable[[Resolution], str]


def _nothing(resolution: Resolution) -> None:
    """This step begins with nothing of its own."""


def _said_aloud(resolution: Resolution) -> str:
    """These steps end by an action that names what follows, never by themselves."""
    raise AssertionError(resolution.state.step)


STEPS: Final[dict[str, StepRules]] = {
    "labels": StepRules("Labels", labelling.enter, labelling.waiting, labelling.default, labelling.leave),
    "reveal": StepRules("Reveal", reveal.enter, reveal.waiting, reveal.default, reveal.leave),
    "tactics": StepRules("Tactics", tactics.enter, tactics.waiting, tactics.default, tactics.leave),
    "declare": StepRules("Declare", _nothing, damage.waiting_to_declare, damage.default_declare, damage.leave_declare),
    "damage": StepRules("Damage", _nothing, damage.waiting_for_damage, _nothing, damage.resolve),
    "kill": StepRules("Kill", kill.enter, kill.waiting, kill.default, _said_aloud),
    "attack": StepRules(
        "Boss attack", attacks.enter, attacks.waiting_for_boss, attacks.default_boss, attacks.leave_boss
    ),
    "minions": StepRules(
        "Minions", attacks.enter_minions, attacks.waiting_for_minions, attacks.default_minions, attacks.leave_minions
    ),
    "refill": StepRules("Refill", _nothing, refill.waiting, _nothing, _said_aloud),
    "fading": StepRules("Fading", fading.enter, fading.waiting, fading.default, fading.leave),
    "drifting": StepRules("Drifting", _nothing, drifting.waiting, drifting.default, drifting.leave),
    "turning": StepRules("Turning", _nothing, turning.waiting, turning.default, _said_aloud),
}
"""R1.20–R1.30 and R1.81–R1.83, by the word in the notation."""

ROUND_STEPS: Final = ("labels", "reveal", "tactics", "declare", "damage", "kill", "attack", "minions", "refill")
AFTER_STEPS: Final = ("fading", "drifting", "turning", "sealed")


def shown_steps(step: str) -> tuple[RoundStep, ...]:
    """The steps that a screen lists: those of the round, or those after the game."""
    names = AFTER_STEPS if step in AFTER_STEPS else ROUND_STEPS
    return tuple(RoundStep(name, STEPS[name].title if name in STEPS else name.title()) for name in names)


def go(resolution: Resolution, step: str) -> None:
    """Enter a step."""
    resolution.change(step=step)
    if step in STEPS:
        STEPS[step].enter(resolution)


def advance(resolution: Resolution) -> None:
    """Leave every step whose questions are all answered."""
    while (rules := STEPS.get(resolution.state.step)) and not rules.waiting(resolution.state):
        go(resolution, rules.leave(resolution))


def finish(resolution: Resolution) -> str:
    """`next`: the present step's default for everyone who has not acted; gives the step that follows."""
    rules = STEPS[resolution.state.step]
    rules.default(resolution)
    return rules.leave(resolution)
