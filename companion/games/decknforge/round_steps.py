"""The steps in their order, how each goes on, and the Refill that ends a round (R1.29–R1.31)."""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from companion.games.decknforge import after_fight, attacks, damage, drafting, kill, labelling, reveal, tactics
from companion.games.decknforge.actions import Escalate, Refill
from companion.games.decknforge.fight import begin_refill, begin_round, escalate
from companion.games.decknforge.glossary import GLOSSARY
from companion.games.decknforge.ledger import draw
from companion.games.decknforge.state import DungeonStep, DungeonTable, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.arguments import Ref
from companion.tabletop.table import RoundStep

REFILL = 2
COMEBACK_ROUND = 4


def draw_minion(state: DungeonTable, action: Refill | Escalate, rng: Random) -> Refill | Escalate:
    """The action with the Minion that Escalation draws, where nobody named it (R1.30)."""
    if action.minion is not None or not state.pool or not escalates(state):
        return action
    return msgspec.structs.replace(action, minion=rng.choice(state.pool))


def escalates(state: DungeonTable) -> bool:
    """Whether a Minion comes (or ATK rises) as the round ends, and not before the Minions attack (R1.30, A1.68)."""
    return state.house.minion_enters == "after-refill" or state.minion_due


def refill(resolution: Resolution, action: Refill) -> str:
    """Everybody draws, a Minion comes, a new round begins (R1.29, R1.30); gives the step that follows.

    Said while Minions' attacks are open, it means that everybody takes them, as `damage` does with declarations.
    """
    _check_minion(resolution.state, action.minion)
    if resolution.state.minion_due:
        _minion_comes(resolution, action.minion)
    if resolution.state.step == "minions":
        following = finish(resolution)
        if following != "refill":
            return following
    extra = _comeback(resolution.state)
    for wizard in resolution.state.fighting():
        begin_refill(resolution, wizard.seat)
        count = REFILL + (wizard.seat in extra)
        draw(resolution, wizard.seat, count, "Refill", up_to=resolution.state.hand_limit)
    state = resolution.state
    if escalates(state):
        escalate(resolution, action.minion, since=state.round + 1)
    begin_round(resolution, state.round + 1)
    return "labels"


def bring_minion(resolution: Resolution, action: Escalate) -> None:
    """With `minion-enters before-step8`: the Minion that comes in time to attack (A1.68)."""
    state = resolution.state
    if not state.minion_due:
        raise RuleError("No Minion is due now; it comes with `refill` (R1.30), or has come already.")
    _check_minion(state, action.minion)
    _minion_comes(resolution, action.minion)


def _minion_comes(resolution: Resolution, minion: Ref | None) -> None:
    resolution.change(minion_due=False)
    escalate(resolution, minion, since=resolution.state.round)


def _check_minion(state: DungeonTable, minion: Ref | None) -> None:
    if minion is not None and not escalates(state):
        raise RuleError("The Minion of this round came before the attacks (A1.68); say `refill` alone.")
    if minion is None and state.pool and escalates(state):
        raise RuleError("A Minion must come from the pool (R1.30); name it: `refill minion REF`.")
    if minion is not None and minion not in state.pool:
        pool = ", ".join(state.pool) or "nothing"
        raise RuleError(f"{minion} is not in the Minion Pool (R1.30); it holds {pool}.")


def _comeback(state: DungeonTable) -> tuple[str, ...]:
    """With `comeback`: who has the lowest personal Glory draws 1 more after fight round 4 (R1.85, A1.46, A1.73)."""
    if not state.house.comeback or state.round != COMEBACK_ROUND:
        return ()
    wizards = [wizard for wizard in state.wizards if state.may_take(wizard.seat)]
    lowest = min(wizard.personal for wizard in wizards)
    return tuple(wizard.seat for wizard in wizards if wizard.personal == lowest)


class RefillStep(DungeonStep):
    """Step 9 and Escalation, once `refill` is said aloud (R1.29, R1.30)."""


STEPS: Final[dict[str, DungeonStep]] = {
    "labels": labelling.LabelsStep(),
    "reveal": reveal.RevealStep(),
    "tactics": tactics.TacticsStep(),
    "declare": damage.DeclareStep(),
    "damage": damage.DamageStep(),
    "kill": kill.KillStep(),
    "attack": attacks.BossAttackStep(),
    "minions": attacks.MinionsStep(),
    "refill": RefillStep(),
    "fading": after_fight.FadingStep(),
    "drifting": drafting.DriftingStep(),
    "turning": after_fight.TurningStep(),
}
"""R1.20–R1.30 and R1.81–R1.83, by the word in the notation."""

ROUND_STEPS: Final = ("labels", "reveal", "tactics", "declare", "damage", "kill", "attack", "minions", "refill")
_OF_CARDS: Final = frozenset({"tactics", "declare", "damage"})
"""The steps between the Reveal and the end of the damage."""
AFTER_STEPS: Final = ("fading", "drifting", "turning", "sealed")


def shown_steps(step: str, *, with_cards: bool = True) -> tuple[RoundStep, ...]:
    """The steps that a screen lists: those of the round, or those after the game. Without cards the damage is said
    where they would be revealed.
    """
    names = AFTER_STEPS if step in AFTER_STEPS else ROUND_STEPS
    if not with_cards and names is ROUND_STEPS and step not in _OF_CARDS:
        left = (name for name in names if name not in _OF_CARDS)
        return tuple(RoundStep(name, GLOSSARY.steps["damage" if name == "reveal" else name]) for name in left)
    return tuple(RoundStep(name, GLOSSARY.steps[name]) for name in names)


def go(resolution: Resolution, step: str) -> None:
    """Enter a step."""
    resolution.change(step=step)
    if step in STEPS:
        STEPS[step].enter(resolution)


def advance(resolution: Resolution) -> None:
    """Leave every step whose questions are all answered."""
    while (step := STEPS.get(resolution.state.step)) and not step.waiting(resolution.state):
        go(resolution, step.leave(resolution))


def finish(resolution: Resolution) -> str:
    """`next`: the present step's default for everyone who has not acted; gives the step that follows."""
    step = STEPS[resolution.state.step]
    step.default(resolution)
    return step.leave(resolution)
