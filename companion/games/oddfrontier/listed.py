"""The cards of a stored deck's list that a line plays, and whether the pool holds what they cost (R3.5).

Separate, as the questions say what is missing, and the choices hold what is not.
"""

from __future__ import annotations

from companion.games.action import Action
from companion.games.constructed.table import Brought
from companion.games.decklist import ListedCard
from companion.games.oddfrontier.deck_list import PLAYED_WITH, understood
from companion.games.oddfrontier.state import FrontierTable


def is_payable(state: FrontierTable, seat: str, action: type[Action], card: ListedCard) -> bool:
    """Whether the line of an action is the one that plays a card, and the pool of a seat holds its cost."""
    return _is_played_with(action, card) and _cost(card) <= _energy(state, seat)


def lacking(state: FrontierTable, seat: str, action: type[Action]) -> str:
    """Why none of the listed cards that an action plays can be paid for: what the cheapest costs, and what the pool
    holds; "" where one can, or there is none.
    """
    cards = state.brought.get(seat, Brought()).cards.values()
    costs = [(_cost(card), card.name) for card in cards if _is_played_with(action, card)]
    cost, cheapest = min(costs, default=(0, ""))
    energy = _energy(state, seat)
    return f"the cheapest, {cheapest}, costs {cost}; energy is {energy}" if cost > energy else ""


def _is_played_with(action: type[Action], card: ListedCard) -> bool:
    return PLAYED_WITH.get(understood(card).type) is action


def _cost(card: ListedCard) -> int:
    cost: int = understood(card).figures.get("cost", 0)
    return cost


def _energy(state: FrontierTable, seat: str) -> int:
    return next((player.energy for player in state.players if player.seat == seat), 0)
