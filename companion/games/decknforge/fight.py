"""A Boss fight from its flip to its end, and what ends it for a wizard or for all (R1.11–R1.17)."""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.inscriptions import rescued
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.ledger import commit, draw
from companion.games.decknforge.state import BOSSES, FULL_HP, HAND_LIMIT, DungeonTable, Foe, Resolution, Wizard, Worn
from companion.games.kinds import Ref

MOMENTUM: Final = 10
RALLY: Final = 5
SURGE: Final = 3


def begin_fight(resolution: Resolution, number: int) -> None:
    """Flip the Boss: HP times the number of wizards (R1.12), less Momentum, but at least 1 (A1.17)."""
    state = resolution.state
    ref = state.order[number - 1]
    monster = state.monsters[ref]
    full = monster.hp * len(state.wizards)
    hp = max(1, full - MOMENTUM) if state.momentum else full
    worn = tuple(Worn(label, 1) for label in monster.labels)
    resolution.change(
        number=number,
        round=1,
        boss=Foe(ref, full, hp, monster.atk, worn=worn),
        momentum=False,
        labellers=(),
        minions=(),
    )
    legend = "⭐ " if monster.legend else ""
    resolution.tell(f"Boss {number} of {BOSSES}: {legend}{state.monster_title(ref)}, HP {hp}, ATK {monster.atk}.")
    begin_round(resolution, 1)


def begin_round(resolution: Resolution, number: int) -> None:
    """What every round begins with (R1.20)."""
    sweep(resolution)
    resolution.change(round=number)
    resolution.update_everyone(banner=0, braced=False, acted=False, more_reveals=0, patrons=0, answers=())
    if resolution.state.house.shield_duration == "round":
        resolution.update_everyone(shield=0)
    for foe in resolution.state.foes():
        absorb = sum(LABELS[worn.label].absorbs for worn in foe.worn)
        resolution.update_foe(foe.ref, lost=0, absorb=absorb)


def sweep(resolution: Resolution) -> None:
    """Revealed cards are committed when their round is over (R1.15), also where step 4 was passed over by hand."""
    for shown in resolution.state.revealed:
        if all(entry.card != shown.card for entry in resolution.state.wizard(shown.owner).pile):
            commit(resolution, shown.owner, (shown.card,), "play")
    resolution.change(revealed=())


def end_fight(resolution: Resolution) -> None:
    """Between Bosses: Minions go, hands fill to 12, HP to 20, the active role moves on (R1.14)."""
    resolution.change(minions=())
    for wizard in resolution.state.clockwise():
        check_deck(resolution, wizard)
        draw(resolution, wizard.seat, max(0, HAND_LIMIT - wizard.hand), "refill to 12", up_to=HAND_LIMIT)
    resolution.update_everyone(hp=FULL_HP, in_fight=True, glint=0, label_risk=False)
    if resolution.state.house.shield_duration != "dungeon":
        resolution.update_everyone(shield=0)
    rotate(resolution)


def check_deck(resolution: Resolution, wizard: Wizard) -> None:
    """As a refill starts, in step 9 or between Bosses (A1.49): an empty deck skips the next Plot (R1.31, A1.8)."""
    empty = wizard.deck == 0 and (resolution.state.house.empty_deck == "literal" or wizard.hand == 0)
    resolution.update_wizard(wizard.seat, skips_plot=empty)
    if empty:
        resolution.tell(f"{wizard.name}'s deck was empty as the refill began: no Plot next round (R1.31).", wizard.seat)


def rotate(resolution: Resolution) -> None:
    """The role goes to the fewest Coppers, then fewest personal Glory, then clockwise from here (R1.16)."""
    present = resolution.state.clockwise()
    order = (*present[1:], present[0])
    chosen = min(order, key=lambda wizard: (_rotation_coppers(resolution.state, wizard), wizard.personal))
    resolution.change(active=chosen.seat)
    resolution.tell(f"{chosen.name} is the active wizard.", chosen.seat)


def _rotation_coppers(state: DungeonTable, wizard: Wizard) -> int:
    return wizard.earned if state.house.rotation_coppers == "session" else wizard.purse


def fall(resolution: Resolution) -> tuple[str, ...]:
    """Wizards at 0 HP leave the fight (R1.17), unless a Phoenix they hold saves them; gives who fell."""
    fallen = []
    for wizard in resolution.state.fighting():
        if wizard.hp == 0 and not rescued(resolution, wizard.seat):
            resolution.update_wizard(wizard.seat, in_fight=False)
            resolution.tell(f"{wizard.name} is at 0 HP and out of this fight.", wizard.seat)
            fallen.append(wizard.seat)
    return tuple(fallen)


def lost(resolution: Resolution) -> bool:
    """Whether the dungeon is lost: every wizard is at 0 HP (R1.17), or the party was wiped."""
    if resolution.state.outcome is None and not resolution.state.fighting():
        resolution.change(outcome="loss")
        resolution.tell("All wizards are down: LOSS.")
    return resolution.state.outcome == "loss"


def worn_by_minion(state: DungeonTable, ref: Ref, since: int) -> tuple[Worn, ...]:
    """The labels that work on a Monster when it comes as a Minion (A1.35)."""
    if state.house.minion_labels == "none":
        return ()
    return tuple(Worn(label, since) for label in state.monsters[ref].labels if LABELS[label].on_minions)
