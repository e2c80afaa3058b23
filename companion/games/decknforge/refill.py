"""Step 9: Refill and Escalation (R1.29–R1.31), with which a round ends."""

from __future__ import annotations

from random import Random

import msgspec

from companion.games.action import RuleError
from companion.games.decknforge.actions import Refill
from companion.games.decknforge.attacks import default_minions, leave_minions
from companion.games.decknforge.fight import begin_round, check_deck, worn_by_minion
from companion.games.decknforge.ledger import draw
from companion.games.decknforge.state import HAND_LIMIT, DungeonTable, Foe, Resolution, Wizard
from companion.games.kinds import Ref

REFILL = 2
COMEBACK_ROUND = 4


def enter(resolution: Resolution) -> None:
    """`refill` is said aloud."""


def waiting(state: DungeonTable) -> bool:  # noqa: ARG001 – somebody says it aloud
    """`refill` is said aloud."""
    return True


def drawn(state: DungeonTable, action: Refill, rng: Random) -> Refill:
    """The Minion that Escalation draws, where nobody named it."""
    if action.minion is not None or not state.pool:
        return action
    return msgspec.structs.replace(action, minion=rng.choice(state.pool))


def refill(resolution: Resolution, action: Refill) -> str:
    """Everybody draws, a Minion comes, a new round begins; gives the step that follows.

    Said while Minions' attacks are open, it means that everybody takes them, as `damage` does with declarations.
    """
    _check_minion(resolution.state, action.minion)
    if resolution.state.step == "minions":
        default_minions(resolution)
        if (following := leave_minions(resolution)) != "refill":
            return following
    extra = _comeback(resolution.state)
    for wizard in resolution.state.fighting():
        _refill_one(resolution, wizard, extra)
    _escalate(resolution, action.minion)
    begin_round(resolution, resolution.state.round + 1)
    return "labels"


def _check_minion(state: DungeonTable, minion: Ref | None) -> None:
    if minion is None and state.pool:
        raise RuleError("A Minion must come from the pool (R1.30); name it: `refill minion REF`.")
    if minion is not None and minion not in state.pool:
        pool = ", ".join(state.pool) or "nothing"
        raise RuleError(f"{minion} is not in the Minion Pool (R1.30); it holds {pool}.")


def _refill_one(resolution: Resolution, wizard: Wizard, extra: tuple[str, ...]) -> None:
    """R1.29, and R1.31 as the Refill starts."""
    check_deck(resolution, wizard)
    count = REFILL + (1 if wizard.seat in extra else 0)
    room = max(0, HAND_LIMIT - wizard.hand)
    draw(resolution, wizard.seat, min(count, room), "Refill", up_to=HAND_LIMIT)


def _comeback(state: DungeonTable) -> tuple[str, ...]:
    """With `comeback`: who has the lowest personal Glory draws 1 more after fight round 4 (R1.85, A1.46)."""
    if not state.house.comeback or state.round != COMEBACK_ROUND:
        return ()
    lowest = min(wizard.personal for wizard in state.wizards)
    return tuple(wizard.seat for wizard in state.wizards if wizard.personal == lowest)


def _escalate(resolution: Resolution, ref: Ref | None) -> None:
    """R1.30: a Minion from the pool, or ATK +1 where it is empty."""
    state = resolution.state
    boss = state.boss
    assert boss is not None
    if ref is None:
        resolution.update_foe(boss.ref, escalation=boss.escalation + 1)
        resolution.tell("The Minion Pool is empty: the Boss's ATK rises by 1.")
        return
    monster = state.monsters[ref]
    since = state.round + 1
    minion = Foe(ref, monster.hp, monster.hp, monster.atk, since, worn_by_minion(state, ref, since))
    resolution.change(
        minions=(*state.minions, minion),
        pool=tuple(other for other in state.pool if other != ref),
        drawn=state.drawn + 1,
    )
    resolution.tell(f"A Minion comes: {state.monster_title(ref)}, HP {monster.hp}, ATK {monster.atk}.")
