"""The label window (R1.70–R1.75): who may add a label now, what it earns, and what it risks."""

from __future__ import annotations

import msgspec

from companion.games.decknforge.actions import Decline, Label
from companion.games.decknforge.labels import LABELS, LABELS_PER_DUNGEON, MOST_LABELS, TIERS
from companion.games.decknforge.ledger import draw, earn, heal
from companion.games.decknforge.state import Flow, Foe, Table, Wizard, Worn
from companion.games.game import RuleError
from companion.games.kinds import Ref


def enter(flow: Flow) -> None:
    """Open the window: at the flip for everyone clockwise, a round after a label for the wizards after its adder."""
    flow.change(asked=tuple(wizard.seat for wizard in _asked(flow.state) if bars(flow.state, wizard.seat) == ""))


def open_to(state: Table) -> tuple[str, ...]:
    """The seats that still have the option, in order: asked, not passed, and in the fight (R1.71, A1.50)."""
    return tuple(wizard.seat for wizard in _asked(state) if wizard.seat in state.asked)


def _asked(state: Table) -> tuple[Wizard, ...]:
    """Whom R1.71 gives the option now, in order."""
    if state.round == 1:
        return state.fighting()
    if len(state.labellers) == 1 and state.labellers[0][1] == state.round - 1:
        return tuple(wizard for wizard in state.clockwise(state.labellers[0][0])[1:] if wizard.in_fight)
    return ()


def bars(state: Table, seat: str) -> str:
    """Why a wizard may add no label to the Boss, or "" (R1.70, R1.72)."""
    boss = state.boss
    assert boss is not None
    if state.bands[seat].dungeons < 1:
        return f"{state.wizard(seat).name}'s band has not completed a dungeon (R1.70)"
    owner = boss.ref.partition(":")[0]
    if state.house.label_gate == "both" and state.bands[owner].dungeons < 1:
        return f"{state.wizard(owner).name}'s band, whose Monster it is, has not completed a dungeon (R1.70)"
    if len(boss.worn) >= MOST_LABELS:
        return f"the Boss has {MOST_LABELS} labels, the most for life (R1.72)"
    if sum(ref == boss.ref for ref, _, _ in state.labelled) >= LABELS_PER_DUNGEON:
        return f"the Boss has had its {LABELS_PER_DUNGEON} labels of this dungeon (R1.72)"
    return "" if choices(state) else "no label is left in the pool (R1.75)"


def choices(state: Table) -> tuple[str, ...]:
    """Labels that can still go onto the Boss: in the pool, and not on it yet (R1.75)."""
    boss = state.boss
    assert boss is not None
    worn = {worn.label for worn in boss.worn}
    return tuple(label for label in LABELS if label not in worn and label not in state.labels_used)


def waiting(state: Table) -> bool:
    """Whether somebody still has the option."""
    return bool(open_to(state))


def default(flow: Flow) -> None:
    """Everybody declines."""
    flow.change(asked=())


def leave(flow: Flow) -> str:  # noqa: ARG001 – every step leaves the same way
    """Closed for this round."""
    return "reveal"


def _check_turn(state: Table, seat: str) -> None:
    name = state.wizard(seat).name
    if seat not in open_to(state):
        reason = bars(state, seat) or "the option has passed to others (R1.71)"
        raise RuleError(f"{name} may not label now: {reason}.")


def decline(flow: Flow, action: Decline) -> None:
    """Pass the option on; it goes clockwise once around."""
    _check_turn(flow.state, action.seat)
    flow.tell(f"{flow.name(action.seat)} adds no label.", action.seat)
    flow.change(asked=tuple(seat for seat in flow.state.asked if seat != action.seat))


def label(flow: Flow, action: Label) -> None:
    """Add a label: at work at once, rewarded at once, for life (R1.71–R1.75)."""
    state = flow.state
    _check_turn(state, action.seat)
    first = open_to(state)[0]
    if first != action.seat:
        raise RuleError(f"{flow.name(first)} has the option first (R1.71); `decline {first}` passes it.")
    if action.label not in choices(state):
        where = "on this Monster already (A1.25)" if action.label not in state.labels_used else "used up (R1.75)"
        raise RuleError(f"{action.label} is {where}; choose another label.")
    boss = state.boss
    assert boss is not None
    wear(flow, boss, action)
    flow.change(asked=(), labellers=(*state.labellers, (action.seat, state.round)))
    flow.alter(action.seat, label_risk=True)
    _reward(flow, action)


def wear(flow: Flow, boss: Foe, action: Label) -> None:
    """Write the label on the Boss's card."""
    state = flow.state
    ref = Ref(boss.ref)
    worn = (*boss.worn, Worn(action.label, state.round))
    monster = state.monsters[ref]
    marked = msgspec.structs.replace(monster, labels=(*monster.labels, action.label))
    flow.change(
        monsters={**state.monsters, ref: marked},
        labels_used=(*state.labels_used, action.label),
        labelled=(*state.labelled, (ref, action.label, action.seat)),
    )
    flow.alter_foe(ref, worn=worn, absorb=sum(LABELS[one.label].absorbs for one in worn))
    flow.tell(
        f"{flow.name(action.seat)} writes {action.label} on {state.monster_title(ref)}.",
        action.seat,
        by_hand=True,
        lasting=True,
    )


def _reward(flow: Flow, action: Label) -> None:
    """R1.73: Coppers by tier, and as many cards or HP."""
    tier = LABELS[action.label].tier
    why = f"{TIERS[tier]} label {action.label}"
    earn(flow, action.seat, tier, why)
    if action.reward == "heal":
        heal(flow, action.seat, tier, why)
    else:
        draw(flow, action.seat, flow.state.house.easy_reward if tier == 1 else tier, why)
