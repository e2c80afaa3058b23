"""Instructions for handling the real cards, step by step: the program counts, and the players shuffle by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.games.decknforge.book.state import BOSSES, DungeonTable, starting_hand
from companion.games.decknforge.rules import round_steps
from companion.games.decknforge.rules.arithmetic import dodge_bar
from companion.games.decknforge.rules.fight import is_under_way
from companion.tabletop.notation.cards import pretty
from companion.tabletop.table.table import CardWork
from templates.languages.messages import Message, joined, phrase

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
            phrase("Take the 4 Aces and 2 Jokers out of each deck: they are the Monsters."),
            phrase("Shuffle all Monsters: the first {bosses} are the Bosses, the rest the Minion Pool.", bosses=BOSSES),
            phrase("Everybody shuffles the other 48 cards and draws {cards}.", cards=starting_hand(len(state.wizards))),
            phrase("Everybody sets {hp} HP, on a d20 or only here; then flip the first Boss.", hp=state.full_hp),
        )
    )


def _next_boss(state: DungeonTable) -> CardWork:
    """Return the flip of a Boss that the players draw (R1.11, R1.14)."""
    if state.number > 1:
        text = phrase(
            "Clear the Minions, draw to {limit}, all HP to {hp}; then flip Boss {number}, and say which Monster it is.",
            limit=state.hand_limit,
            hp=state.full_hp,
            number=state.number,
        )
        return CardWork((text,))
    return CardWork((phrase("Flip Boss {number}, and say which Monster it is.", number=state.number),))


def _labels(state: DungeonTable) -> CardWork:
    """Return the flip of a Boss, and the writing of a label that is added (R1.71)."""
    write = phrase("Whoever adds a label sticks it on the Boss for good and is paid at once.")
    return CardWork((*_flip(state), write))


def _flip(state: DungeonTable) -> tuple[Message, ...]:
    """Return the work between two Bosses, until the fight has begun (R1.14)."""
    if is_under_way(state) or state.boss is None:
        return ()
    monster = state.monster_title(state.boss.ref)
    if state.number > 1:
        text = phrase(
            "Clear the Minions, draw to {limit}, all HP to {hp}; then flip Boss {number}: {monster}.",
            limit=state.hand_limit,
            hp=state.full_hp,
            number=state.number,
            monster=monster,
        )
        return (text,)
    return (phrase("Flip Boss {number}: {monster}.", number=state.number, monster=monster),)


def _reveal(state: DungeonTable) -> CardWork:
    if not state.tracks_all:
        text = phrase("Play, flip, fight with the cards alone; say here the sum of all damage.")
        return CardWork((*_flip(state), text))
    return CardWork((*_flip(state), phrase("Everybody puts 1 card of the hand face down; then all flip together.")))


def _tactics(state: DungeonTable) -> CardWork:  # noqa: ARG001
    return CardWork((phrase("Clockwise: one Tactic each, or pass. Paid cards go face up on your pile."),))


def _declare(state: DungeonTable) -> CardWork:  # noqa: ARG001 – signature of every step
    return CardWork(
        (
            phrase("Clockwise: each 2–10 attacks or Converts; J, Q, K always attack."),
            phrase("Then the revealed cards go face up onto the piles of their decks."),
        )
    )


def _kill(state: DungeonTable) -> CardWork:
    """Return the work after a Boss has fallen (R1.50–R1.57)."""
    assert state.boss is not None
    paid = [
        phrase("{player} {coppers}c", player=wizard.name, coppers=coppers)
        for wizard in state.clockwise()
        for coppers, why in wizard.ledger[-1:]
        if getattr(why, "code", "") in _PAID
    ]
    payments = (phrase("Coppers: {payments}.", payments=joined(" · ", paid)),) if paid else ()
    bonus = phrase("Choose the bonus.")
    if state.is_last_boss:
        end = phrase("Then put the cards together again: the dungeon is won.")
        steps: tuple[Message, ...] = (joined(" ", (bonus, end)) if state.killer else end,)
    else:
        clear = phrase(
            "Clear the Minions, draw to {limit}, all HP to {hp}; then flip the next Boss.",
            limit=state.hand_limit,
            hp=state.full_hp,
        )
        steps = (clear, phrase("What was played and paid stays on its pile."))
        if state.killer:
            steps = (bonus, *steps)
    moment = phrase(
        "Boss {number} of {bosses} has fallen: {monster}",
        number=state.number,
        bosses=BOSSES,
        monster=state.monster_title(state.boss.ref),
    )
    return CardWork(steps, moment, (_describe_killing_blow(state), *payments))


def _describe_killing_blow(state: DungeonTable) -> Message:
    overkill = state.overkill
    if not state.killer:
        if overkill:
            return phrase("Nobody takes the Killing Blow, overkill {overkill}.", overkill=overkill)
        return phrase("Nobody takes the Killing Blow.")
    player = state.wizard(state.killer).name
    if not state.kill_card:
        if overkill:
            return phrase("{player} takes the Killing Blow, overkill {overkill}.", player=player, overkill=overkill)
        return phrase("{player} takes the Killing Blow.", player=player)
    card = pretty(state.kill_card)
    if overkill:
        return phrase(
            "{player} takes the Killing Blow with {card}, overkill {overkill}.",
            player=player,
            card=card,
            overkill=overkill,
        )
    return phrase("{player} takes the Killing Blow with {card}.", player=player, card=card)


def _attack(state: DungeonTable) -> CardWork:
    foes = state.foes()
    if state.step == "minions" and not state.minions:
        return CardWork()
    if state.step == "attack" and foes:
        text = phrase(
            "Each: take the damage, or dodge with cards of the hand worth more than {bar} in all.",
            bar=dodge_bar(state, foes[0]),
        )
        return CardWork((text,))
    return CardWork((phrase("Each: take the damage, or dodge with cards of the hand worth more than its ATK in all."),))


def _refill(state: DungeonTable) -> CardWork:
    cards, limit = round_steps.REFILL, state.hand_limit
    if not round_steps.has_escalation(state):
        text = phrase("Everybody draws {cards}, to at most {limit} in hand.", cards=cards, limit=limit)
    elif state.minions_left:
        text = phrase(
            "Everybody draws {cards}, to at most {limit} in hand; then turn over a Minion from the pool.",
            cards=cards,
            limit=limit,
        )
    else:
        text = phrase(
            "Everybody draws {cards}, to at most {limit} in hand; then the pool is empty, so the Boss's ATK rises.",
            cards=cards,
            limit=limit,
        )
    return CardWork((text,))


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
