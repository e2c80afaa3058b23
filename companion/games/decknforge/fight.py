"""A Boss fight from its flip to its end, and what ends it for a wizard or for all (R1.11–R1.17)."""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.inscriptions import rescued
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.ledger import commit, draw
from companion.games.decknforge.state import BOSSES, FULL_HP, HAND_LIMIT, Flow, Foe, Table, Wizard, Worn
from companion.games.kinds import Ref

MOMENTUM: Final = 10
RALLY: Final = 5
SURGE: Final = 3


def begin_fight(flow: Flow, number: int) -> None:
    """Flip the Boss: HP times the number of wizards (R1.12), less Momentum, but at least 1 (A1.17)."""
    state = flow.state
    ref = state.order[number - 1]
    monster = state.monsters[ref]
    full = monster.hp * len(state.wizards)
    hp = max(1, full - MOMENTUM) if state.momentum else full
    worn = tuple(Worn(label, 1) for label in monster.labels)
    flow.change(
        number=number,
        round=1,
        boss=Foe(ref, full, hp, monster.atk, worn=worn),
        momentum=False,
        labellers=(),
        minions=(),
    )
    legend = "⭐ " if monster.legend else ""
    flow.tell(f"Boss {number} of {BOSSES}: {legend}{state.monster_title(ref)}, HP {hp}, ATK {monster.atk}.")
    begin_round(flow, 1)


def begin_round(flow: Flow, number: int) -> None:
    """What every round begins with (R1.20)."""
    sweep(flow)
    flow.change(round=number)
    flow.everyone(banner=0, braced=False, acted=False, more_reveals=0, patrons=0, answers=())
    if flow.state.house.shield_duration == "round":
        flow.everyone(shield=0)
    for foe in flow.state.foes():
        absorb = sum(LABELS[worn.label].absorbs for worn in foe.worn)
        flow.alter_foe(foe.ref, lost=0, absorb=absorb)


def sweep(flow: Flow) -> None:
    """Revealed cards are committed when their round is over (R1.15), also where step 4 was passed over by hand."""
    for shown in flow.state.revealed:
        if all(entry.card != shown.card for entry in flow.state.wizard(shown.owner).pile):
            commit(flow, shown.owner, (shown.card,), "play")
    flow.change(revealed=())


def end_fight(flow: Flow) -> None:
    """Between Bosses: Minions go, hands fill to 12, HP to 20, the active role moves on (R1.14)."""
    flow.change(minions=())
    for wizard in flow.state.clockwise():
        check_deck(flow, wizard)
        draw(flow, wizard.seat, max(0, HAND_LIMIT - wizard.hand), "refill to 12", up_to=HAND_LIMIT)
    flow.everyone(hp=FULL_HP, in_fight=True, glint=0, label_risk=False)
    if flow.state.house.shield_duration != "dungeon":
        flow.everyone(shield=0)
    rotate(flow)


def check_deck(flow: Flow, wizard: Wizard) -> None:
    """As a refill starts, in step 9 or between Bosses (A1.49): an empty deck skips the next Plot (R1.31, A1.8)."""
    empty = wizard.deck == 0 and (flow.state.house.empty_deck == "literal" or wizard.hand == 0)
    flow.alter(wizard.seat, skips_plot=empty)
    if empty:
        flow.tell(f"{wizard.name}'s deck was empty as the refill began: no Plot next round (R1.31).", wizard.seat)


def rotate(flow: Flow) -> None:
    """The role goes to the fewest Coppers, then fewest personal Glory, then clockwise from here (R1.16)."""
    present = flow.state.clockwise()
    order = (*present[1:], present[0])
    chosen = min(order, key=lambda wizard: (_rotation_coppers(flow.state, wizard), wizard.personal))
    flow.change(active=chosen.seat)
    flow.tell(f"{chosen.name} is the active wizard.", chosen.seat)


def _rotation_coppers(state: Table, wizard: Wizard) -> int:
    return wizard.earned if state.house.rotation_coppers == "session" else wizard.purse


def fall(flow: Flow) -> tuple[str, ...]:
    """Wizards at 0 HP leave the fight (R1.17), unless a Phoenix they hold saves them; gives who fell."""
    fallen = []
    for wizard in flow.state.fighting():
        if wizard.hp == 0 and not rescued(flow, wizard.seat):
            flow.alter(wizard.seat, in_fight=False)
            flow.tell(f"{wizard.name} is at 0 HP and out of this fight.", wizard.seat)
            fallen.append(wizard.seat)
    return tuple(fallen)


def lost(flow: Flow) -> bool:
    """Whether the dungeon is lost: every wizard is at 0 HP (R1.17), or the party was wiped."""
    if flow.state.outcome is None and not flow.state.fighting():
        flow.change(outcome="loss")
        flow.tell("All wizards are down: LOSS.")
    return flow.state.outcome == "loss"


def worn_by_minion(state: Table, ref: Ref, since: int) -> tuple[Worn, ...]:
    """The labels that work on a Monster when it comes as a Minion (A1.35)."""
    if state.house.minion_labels == "none":
        return ()
    return tuple(Worn(label, since) for label in state.monsters[ref].labels if LABELS[label].on_minions)
