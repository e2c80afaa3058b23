"""Instructions for handling the real cards, step by step: the program counts, and the players shuffle by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.games.decknforge.book.state import BOSSES, FULL_HP, DungeonTable, starting_hand
from companion.games.decknforge.rules import round_steps
from companion.games.decknforge.rules.arithmetic import dodge_bar
from companion.games.decknforge.rules.fight import is_under_way
from companion.tabletop.notation.cards import pretty
from companion.tabletop.table.table import CardWork

_PAID: Final = frozenset({"kill", "assist", "pact"})
"""Reasons of the Coppers paid for a Killing Blow (R1.51, R1.52)."""


def card_work(state: DungeonTable) -> CardWork:
    """Return the card work of the present step; a kill is a step of its own (R1.14, R1.20–R1.30)."""
    find = _WORK.get(state.step)
    return find(state) if find else CardWork()


def _setup(state: DungeonTable) -> CardWork:
    if not state.wizards:
        return CardWork()
    return CardWork(
        (
            "Take the 4 Aces and 2 Jokers out of each deck: they are the Monsters.",
            f"Shuffle all Monsters: the first {BOSSES} are the Bosses, the rest the Minion Pool.",
            f"Everybody shuffles the other 48 cards and draws {starting_hand(len(state.wizards))}.",
            f"Everybody sets {FULL_HP} HP, on a d20 or here alone; then flip the first Boss.",
        )
    )


def _next_boss(state: DungeonTable) -> CardWork:
    """Return the flip of a Boss that the players draw (R1.11, R1.14)."""
    flip = f"lip Boss {state.number}, and say which Monster it is."
    return CardWork((f"{_clear_up_text(state)}; then f{flip}" if state.number > 1 else f"F{flip}",))


def _labels(state: DungeonTable) -> CardWork:
    """Return the flip of a Boss, and the writing of a label that is added (R1.71)."""
    write = "Who adds a label sticks it on the Boss for good, and is paid at once."
    return CardWork((*_flip(state), write))


def _flip(state: DungeonTable) -> tuple[str, ...]:
    """Return the work between two Bosses, until the fight has begun (R1.14)."""
    if is_under_way(state) or state.boss is None:
        return ()
    flipped = f"lip Boss {state.number}: {state.monster_title(state.boss.ref)}."
    return (f"{_clear_up_text(state)}; then f{flipped}",) if state.number > 1 else (f"F{flipped}",)


def _clear_up_text(state: DungeonTable) -> str:
    return f"Clear the Minions, draw to {state.hand_limit}, all HP to {FULL_HP}"


def _reveal(state: DungeonTable) -> CardWork:
    if not state.tracks_all:
        return CardWork((*_flip(state), "Play, flip, fight with the cards alone; say here the sum of all damage."))
    return CardWork((*_flip(state), "Everybody puts 1 card of the hand face down; then all flip together."))


def _tactics(state: DungeonTable) -> CardWork:  # noqa: ARG001
    return CardWork(("Clockwise: one Tactic each, or pass. Paid cards go face up on your pile.",))


def _declare(state: DungeonTable) -> CardWork:  # noqa: ARG001 – signature of every step
    return CardWork(
        (
            "Clockwise: each 2–10 attacks or Converts; J, Q, K always attack.",
            "Then the revealed cards go face up onto the piles of their decks.",
        )
    )


def _kill(state: DungeonTable) -> CardWork:
    """Return the work after a Boss has fallen (R1.50–R1.57)."""
    assert state.boss is not None
    killer = state.wizard(state.killer).name if state.killer else "Nobody"
    blow = f" with {pretty(state.kill_card)}" if state.kill_card else ""
    over = f", overkill {state.overkill}" if state.overkill else ""
    paid = [
        f"{wizard.name} {coppers}c"
        for wizard in state.clockwise()
        for coppers, why in wizard.ledger[-1:]
        if getattr(why, "code", "") in _PAID
    ]
    facts = (f"{killer} takes the Killing Blow{blow}{over}.", *((f"Coppers: {' · '.join(paid)}.",) if paid else ()))
    bonus = "Choose the bonus. " if state.killer else ""
    if state.is_last_boss:
        steps: tuple[str, ...] = (f"{bonus}Then put the cards together again: the dungeon is won.",)
    else:
        clear = f"{_clear_up_text(state)}; then flip the next Boss."
        steps = (*([bonus.strip()] if bonus else []), clear, "What was played and paid stays on its pile.")
    return CardWork(steps, f"Boss {state.number} of {BOSSES} has fallen: {state.monster_title(state.boss.ref)}", facts)


def _attack(state: DungeonTable) -> CardWork:
    foes = state.foes()
    bar = f"more than {dodge_bar(state, foes[0])}" if state.step == "attack" and foes else "more than its ATK"
    if state.step == "minions" and not state.minions:
        return CardWork()
    return CardWork((f"Each: take it, or dodge with cards of the hand worth {bar} in all.",))


def _refill(state: DungeonTable) -> CardWork:
    comes = "turn over a Minion from the pool" if state.minions_left else "the pool is empty, so the Boss's ATK rises"
    comes = f"; then {comes}" if round_steps.has_escalation(state) else ""
    return CardWork((f"Everybody draws {round_steps.REFILL}, to at most {state.hand_limit} in hand{comes}.",))


_WORK: Final[dict[str, Callable[[DungeonTable], CardWork]]] = {
    "setup": _setup,
    "flip": _next_boss,
    "labels": _labels,
    "reveal": _reveal,
    "tactics": _tactics,
    "declare": _declare,
    "damage": _declare,
    "kill": _kill,
    "attack": _attack,
    "minions": _attack,
    "refill": _refill,
}
