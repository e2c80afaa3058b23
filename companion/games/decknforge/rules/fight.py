"""A Boss fight from its flip to its end, and how it ends for one wizard or for all (R1.11–R1.17)."""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.book.inscriptions import rescue
from companion.games.decknforge.book.ledger import commit, fill_hand
from companion.games.decknforge.book.state import (
    BOSSES,
    ActiveLabel,
    DungeonTable,
    Foe,
    Resolution,
    Wizard,
)
from companion.games.decknforge.rules.arithmetic import absorbed_damage
from companion.games.decknforge.rules.payments import leave_open
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import card_title
from templates.languages.messages import all_of, joined, phrase

MOMENTUM: Final = 10
RALLY: Final = 5
SURGE: Final = 3


FLIP: Final = "flip"
"""The step in which an unknown Boss comes: the players flip it and enter which it is (R1.11)."""


def meet_boss(resolution: Resolution, number: int) -> str:
    """Go on to a Boss: to its fight if it is known, else to its flip (R1.11). Returns the next step."""
    state = resolution.state
    if number <= len(state.order):
        begin_fight(resolution, number)
        return "labels"
    commit_revealed_cards(resolution)
    is_next = state.number not in (0, number)
    resolution.change(
        number=number,
        round=0,
        earlier_rounds=state.earlier_rounds + (state.round if is_next else 0),
        boss=None,
        minions=(),
        labellers=(),
    )
    resolution.tell(phrase("Flip Boss {number} of {bosses}.", number=number, bosses=BOSSES), now=True)
    return FLIP


def begin_fight(resolution: Resolution, number: int) -> None:
    """Begin the fight against a Boss: HP times the number of wizards (R1.12), less Momentum, but at least 1 (A1.17)."""
    state = resolution.state
    ref = state.order[number - 1]
    monster = state.monsters[ref]
    full = monster.hp * len(state.wizards)
    hp = max(1, full - MOMENTUM) if state.momentum else full
    labels = tuple(ActiveLabel(label, 1) for label in monster.labels)
    is_next = state.number not in (0, number)  # otherwise another Boss was named for this fight
    resolution.change(
        number=number,
        round=1,
        earlier_rounds=state.earlier_rounds + (state.round if is_next else 0),
        boss=Foe(ref, full, hp, monster.atk, labels=labels),
        momentum=False,
        momentum_used=state.momentum,
        labellers=(),
        minions=(),
    )
    title = state.monster_title(ref)
    text = phrase(
        "Boss {number} of {bosses}: {monster}, HP {hp}, ATK {atk}.",
        number=number,
        bosses=BOSSES,
        monster=joined(" ", ("⭐", title)) if monster.legend else title,
        hp=hp,
        atk=monster.atk,
    )
    resolution.tell(text, now=True)
    begin_round(resolution, 1)


def is_under_way(state: DungeonTable) -> bool:
    """Return True if the fight has begun (R1.11): a card was revealed in it, or a label added."""
    begins = state.step == FLIP or (state.round == 1 and state.step in ("labels", "reveal"))
    return not begins or bool(state.revealed or state.labellers)


def begin_round(resolution: Resolution, number: int) -> None:
    """Reset the state of a round (R1.20)."""
    leave_open(resolution)
    commit_revealed_cards(resolution)
    resolution.change(round=number)
    resolution.update_everyone(banner=0, braced=False, has_acted=False, more_reveals=0, patrons=0, answers=())
    resolution.update_everyone(deal_open=False)
    if resolution.state.house.shield_duration == "round":
        resolution.update_everyone(shield=0)
    for foe in resolution.state.foes():
        resolution.update_foe(foe.ref, lost_hp=0, hp_at_start=foe.hp, absorb=absorbed_damage(resolution.state, foe))


def commit_revealed_cards(resolution: Resolution) -> None:
    """Commit the revealed cards when their round is over (R1.15), even if step 4 was skipped by an override."""
    for upcard in resolution.state.revealed:
        if all(entry.card != upcard.card for entry in resolution.state.wizard(upcard.owner).pile):
            commit(resolution, upcard.owner, (upcard.card,), "play")
    resolution.change(revealed=())


def end_fight(resolution: Resolution) -> None:
    """Prepare the next Boss: Minions go, hands fill to 12, HP to full, the active role moves on (R1.14)."""
    resolution.change(minions=(), minion_due=False)
    for seat in [wizard.seat for wizard in resolution.state.clockwise() if not wizard.has_left]:
        wizard = begin_refill(resolution, seat)
        fill_hand(resolution, seat, phrase("refill to {limit}", limit=resolution.state.hand_limit))
        resolution.update_wizard(
            seat, hp=resolution.state.full_hp, in_fight=True, late="joins" if wizard.late == "waits" else ""
        )
    resolution.update_everyone(glint=0, label_risk=False)
    if resolution.state.house.shield_duration != "dungeon":
        resolution.update_everyone(shield=0)
    rotate(resolution)


def begin_refill(resolution: Resolution, seat: str) -> Wizard:
    """Begin a refill, in step 9 or between Bosses (A1.49). Returns the wizard as they are then.

    A Phoenix may come back (A1.38), and an empty deck skips the next Plot (R1.31, A1.8).
    """
    _phoenix_returns(resolution, seat)
    wizard = resolution.state.wizard(seat)
    empty = deck_is_empty(resolution.state, wizard)
    resolution.update_wizard(seat, skips_plot=empty)
    if empty:
        text = phrase("{player}'s deck was empty as the refill began: no Plot next round (R1.31).", player=wizard.name)
        resolution.tell(text, seat)
    return wizard


def deck_is_empty(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if a refill that starts now would cost a wizard the next Plot (R1.31, A1.8)."""
    if wizard.deck or not state.counts(wizard.seat, "deck"):
        return False
    return state.house.empty_deck == "literal" or not state.holds(wizard)


def _phoenix_returns(resolution: Resolution, seat: str) -> None:
    """Return the card that saved its wizard to the hand, with `phoenix-return next-refill` (A1.38)."""
    wizard = resolution.state.wizard(seat)
    back = tuple(entry.card for entry in wizard.pile if entry.cause == "phoenix")
    if not back or resolution.state.house.phoenix_return == "next-dungeon":
        return
    pile = tuple(entry for entry in wizard.pile if entry.cause != "phoenix")
    resolution.update_wizard(seat, pile=pile, hand=wizard.hand + len(back), known_hand=(*wizard.known_hand, *back))
    cards = all_of(map(card_title, back))
    text = phrase("{player} takes {cards} back into the hand.", player=wizard.name, cards=cards)
    resolution.tell(text, seat, by_hand=True)


def rotate(resolution: Resolution) -> None:
    """Give the active role to the fewest Coppers, then fewest personal Glory, then clockwise from here (R1.16)."""
    wizards = resolution.state.clockwise()
    order = [wizard for wizard in (*wizards[1:], wizards[0]) if not wizard.has_left]
    counts_earned = resolution.state.house.rotation_coppers == "session"
    next_active = min(order, key=lambda one: (one.earned if counts_earned else one.purse, one.personal))
    resolution.change(active=next_active.seat)
    resolution.tell(phrase("{player} is the active wizard.", player=next_active.name), next_active.seat, now=True)


def fall(resolution: Resolution) -> tuple[str, ...]:
    """Remove wizards at 0 HP from the fight (R1.17), unless a Phoenix they hold saves them. Returns the fallen."""
    fallen = []
    for wizard in resolution.state.fighting():
        if wizard.hp == 0 and not rescue(resolution, wizard.seat):
            resolution.update_wizard(wizard.seat, in_fight=False)
            resolution.tell(phrase("{player} is at 0 HP and out of this fight.", player=wizard.name), wizard.seat)
            fallen.append(wizard.seat)
    return tuple(fallen)


def ends_dungeon(resolution: Resolution) -> bool:
    """Return True if the dungeon ends here: every wizard is at 0 HP or has left (R1.17), or the party was wiped.

    That is a loss, unless the dungeon was already won and an override led back into its last fight.
    """
    if resolution.state.outcome is None and not resolution.state.fighting():
        resolution.change(outcome="loss")
        resolution.tell(phrase("All wizards are down: LOSS."), now=True)
    return resolution.state.outcome == "loss" or not resolution.state.fighting()


def escalate(resolution: Resolution, ref: Ref | None, since: int) -> None:
    """Add a Minion from the pool, which strikes from round `since` on; with no Minion, raise ATK by 1 (R1.30)."""
    state = resolution.state
    boss = state.boss
    assert boss is not None
    if ref is None:
        resolution.update_foe(boss.ref, escalation=boss.escalation + 1)
        resolution.tell(phrase("The Minion Pool is empty: the Boss's ATK rises by 1."))
        return
    monster = state.monsters[ref]
    labels = worn_by_minion(state, ref, since)
    minion = Foe(ref, monster.hp, monster.hp, monster.atk, since, labels, hp_at_start=monster.hp)
    resolution.change(
        minions=(*state.minions, minion),
        pool=tuple(other for other in state.pool if other != ref),
        draws=state.draws + 1,
    )
    text = phrase(
        "A Minion comes: {monster}, HP {hp}, ATK {atk}.",
        monster=state.monster_title(ref),
        hp=monster.hp,
        atk=monster.atk,
    )
    resolution.tell(text, now=True)


def worn_by_minion(state: DungeonTable, ref: Ref, since: int) -> tuple[ActiveLabel, ...]:
    """Return the active labels of a Monster that comes as a Minion (A1.35)."""
    if state.house.minion_labels == "none":
        return ()
    labels = state.book.labels
    return tuple(ActiveLabel(label, since) for label in state.monsters[ref].labels if labels[label].on_minions)
