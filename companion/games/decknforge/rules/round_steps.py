"""The steps in their order, the transitions between them, and the Refill that ends a round (R1.29–R1.31)."""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from companion.games.decknforge.book.ledger import draw
from companion.games.decknforge.book.state import DungeonStep, DungeonTable, Foe, Resolution
from companion.games.decknforge.glossary import GLOSSARY
from companion.games.decknforge.rules import after_fight, attacks, damage, drafting, kill, labelling, reveal, tactics
from companion.games.decknforge.rules.actions import Escalate, Refill
from companion.games.decknforge.rules.fight import FLIP, begin_refill, begin_round, escalate
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.table.table import RoundStep
from templates.languages.messages import listed, phrase

REFILL = 2
COMEBACK_ROUND = 4


def draw_minion(state: DungeonTable, action: Refill | Escalate, rng: Random) -> Refill | Escalate:
    """Return the action with the Minion that Escalation draws, unless it is named (R1.30)."""
    is_asked = asks_minion(state) and not action.is_drawn
    if action.minion is not None or not has_escalation(state) or is_asked or not state.minions_left:
        return action
    return msgspec.structs.replace(action, minion=rng.choice(state.pool))


def asks_minion(state: DungeonTable) -> bool:
    """Return True if the players draw the Minion that comes now, and must enter it (R1.30)."""
    return state.house.table_draws and bool(state.minions_left) and has_escalation(state)


def has_escalation(state: DungeonTable) -> bool:
    """Return True if a Minion comes (or ATK rises) as the round ends, not before the Minions attack (R1.30, A1.68)."""
    return state.house.minion_enters == "after-refill" or state.minion_due


def refill(resolution: Resolution, action: Refill) -> str:
    """Refill all hands, add a Minion, and begin a new round (R1.29, R1.30). Returns the next step.

    While Minions' attacks are open, every wizard takes them first, as `damage` resolves open declarations.
    """
    _check_minion(resolution.state, action.minion)
    if resolution.state.minion_due:
        _minion_comes(resolution, action.minion)
    if resolution.state.step == "minions":
        following = finish_step(resolution)
        if following != "refill":
            return following
    extra = _comeback_seats(resolution.state)
    for wizard in resolution.state.fighting():
        begin_refill(resolution, wizard.seat)
        count = REFILL + (wizard.seat in extra)
        draw(resolution, wizard.seat, count, phrase("Refill"), up_to=resolution.state.hand_limit)
    state = resolution.state
    if has_escalation(state):
        escalate(resolution, action.minion, since=state.round + 1)
    begin_round(resolution, state.round + 1)
    return "labels"


def came_last(state: DungeonTable) -> Foe | None:
    """Return the Minion that came as this round began, while it can still be replaced (R1.30), or None.

    That is possible until a card is revealed or a label added.
    """
    has_label = any(number == state.round for _, number in state.labellers)
    if state.step not in ("labels", "reveal") or state.revealed or has_label:
        return None
    return next((minion for minion in reversed(state.minions) if minion.since == state.round), None)


def replace_minion(resolution: Resolution, ref: Ref) -> None:
    """Replace the Minion that came last by the one that really came; it goes back to the pool (R1.30)."""
    state, minion = resolution.state, came_last(resolution.state)
    assert minion is not None
    if ref == minion.ref:
        raise RuleError(phrase("{monster} is the Minion that came (R1.30).", monster=state.monster_title(ref)))
    _check_in_pool(state, ref)
    escalate(resolution, ref, since=minion.since)
    came = resolution.state.minions[-1]
    in_pool = {minion.ref, *resolution.state.pool}
    resolution.change(
        minions=tuple(came if other is minion else other for other in state.minions),
        pool=tuple(other for other in state.monsters if other in in_pool),
        draws=state.draws,
    )
    resolution.tell(phrase("{monster} goes back to the Minion Pool.", monster=state.monster_title(minion.ref)))


def bring_minion(resolution: Resolution, action: Escalate) -> None:
    """Bring the Minion that comes in time to attack, with `minion-enters before-step8` (A1.68)."""
    state = resolution.state
    if not state.minion_due:
        raise RuleError(phrase("No Minion is due now; it comes with `refill` (R1.30), or has come already."))
    _check_minion(state, action.minion)
    _minion_comes(resolution, action.minion)


def _minion_comes(resolution: Resolution, minion: Ref | None) -> None:
    resolution.change(minion_due=False)
    escalate(resolution, minion, since=resolution.state.round)


def _check_minion(state: DungeonTable, minion: Ref | None) -> None:
    if minion is not None and not has_escalation(state):
        raise RuleError(phrase("The Minion of this round came before the attacks (A1.68); say `refill` alone."))
    if minion is None and state.minions_left and has_escalation(state):
        raise RuleError(
            phrase(
                "Say which Monster came from the Minion Pool, by its name or its card; `refill drawn` draws one for "
                "you (R1.30)."
            )
        )
    if minion is not None:
        _check_in_pool(state, minion)
        if not state.minions_left:
            raise RuleError(
                phrase("The Minion Pool is empty, so the Boss's ATK rises by 1 (R1.30): say `refill` alone.")
            )


def _check_in_pool(state: DungeonTable, minion: Ref) -> None:
    if minion not in state.pool:
        raise RuleError(
            phrase(
                "{minion} is not in the Minion Pool (R1.30); it holds {monsters}.",
                minion=minion,
                monsters=listed(state.pool),
            )
            if state.pool
            else phrase("{minion} is not in the Minion Pool (R1.30); it holds nothing.", minion=minion)
        )


def _comeback_seats(state: DungeonTable) -> tuple[str, ...]:
    """Return the seats that draw 1 more after fight round 4 by `comeback`: lowest in Glory (R1.85, A1.46, A1.73)."""
    if not state.house.comeback or state.round != COMEBACK_ROUND:
        return ()
    wizards = [wizard for wizard in state.wizards if state.may_take(wizard.seat)]
    lowest = min(wizard.personal for wizard in wizards)
    return tuple(wizard.seat for wizard in wizards if wizard.personal == lowest)


class FlipStep(DungeonStep):
    """The step in which a Boss comes that has not been named yet (R1.11)."""

    def waiting(self, state: DungeonTable) -> bool:
        """Return True until the Boss is on the table."""
        return state.boss is None

    def default(self, resolution: Resolution) -> None:
        """Raise RuleError: the players flip it."""
        raise RuleError(
            phrase(
                "Say which Monster was flipped as Boss {number}, by its name or its card; `bosses drawn` draws one for "
                "you (R1.11).",
                number=resolution.state.number,
            )
        )


class RefillStep(DungeonStep):
    """Step 9 and Escalation, once a player types `refill` (R1.29, R1.30)."""


STEPS: Final[dict[str, DungeonStep]] = {
    FLIP: FlipStep(),
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
"""Steps by their names in notation (R1.20–R1.30, R1.81–R1.83)."""

ROUND_STEPS: Final = ("labels", "reveal", "tactics", "declare", "damage", "kill", "attack", "minions", "refill")
DUNGEON_STEPS: Final = (FLIP, *ROUND_STEPS)
"""The steps up to the end of the last fight: those of the round, and the flip of a Boss before the first."""
_OF_CARDS: Final = frozenset({"tactics", "declare", "damage"})
"""The steps between the Reveal and the end of the damage."""
AFTER_STEPS: Final = ("fading", "drifting", "turning", "sealed")


def shown_steps(step: str, *, with_cards: bool = True) -> tuple[RoundStep, ...]:
    """Return the steps that a screen lists: those of the round, or those after the game. Without cards, the damage is
    entered in the step of the Reveal.
    """
    names = AFTER_STEPS if step in AFTER_STEPS else DUNGEON_STEPS if step == FLIP else ROUND_STEPS
    if not with_cards and names is ROUND_STEPS and step not in _OF_CARDS:
        left = (name for name in names if name not in _OF_CARDS)
        return tuple(RoundStep(name, GLOSSARY.steps["damage" if name == "reveal" else name]) for name in left)
    return tuple(RoundStep(name, GLOSSARY.steps[name]) for name in names)


def enter_step(resolution: Resolution, step: str) -> None:
    """Enter a step."""
    resolution.change(step=step)
    if step in STEPS:
        STEPS[step].enter(resolution)


def leave_finished_steps(resolution: Resolution) -> None:
    """Leave every step without open questions."""
    while (step := STEPS.get(resolution.state.step)) and not step.waiting(resolution.state):
        enter_step(resolution, step.leave(resolution))


def finish_step(resolution: Resolution) -> str:
    """Apply the present step's default for everyone who has not acted, for `next`. Returns the next step."""
    step = STEPS[resolution.state.step]
    step.default(resolution)
    return step.leave(resolution)
