"""What must hold of any table of Odd Frontier after each action, whatever was played."""

from __future__ import annotations

from typing import Final

from companion.games.oddfrontier.rules.state import PHASES, FrontierTable
from companion.tabletop.action import Action
from companion.tabletop.table.common_actions import Add, Set

_COUNTED_BY_HAND: Final = frozenset({"hand", "archive", "graveyard", "banished", "engines"})


def cards_of(state: FrontierTable, seat: str) -> int:
    """All cards of a player, wherever they are."""
    player = state.player(seat)
    there = sum(permanent.seat == seat and not permanent.token for permanent in state.permanents)
    waiting = sum(queued.magic and queued.seat == seat for queued in state.queue)
    piles = player.hand + player.archive + player.graveyard + player.banished
    return piles + player.engines + there + waiting


def cards_are_conserved(before: FrontierTable, action: Action, after: FrontierTable) -> None:
    """No card appears or vanishes, but with who leaves the game or where the table knows better."""
    for player in after.players:
        by_hand = isinstance(action, Set | Add) and action.target == player.seat and action.counter in _COUNTED_BY_HAND
        if not by_hand and not player.left:
            assert cards_of(before, player.seat) == cards_of(after, player.seat), f"{player.seat}: cards"


def figures_are_possible(state: FrontierTable) -> None:
    """Nothing is negative but life; no creature lives with as much damage as defense; who is out has nothing left.

    What happens together is looked at once it is done.
    """
    for player in state.players:
        figures = (player.hand, player.archive, player.graveyard, player.banished, player.energy, player.cranked)
        assert min(figures) >= 0, player
        assert player.cranked <= player.engines, player
        assert state.together or player.left == player.out, player
    seats = {player.seat for player in state.standing()}
    for permanent in state.permanents:
        assert permanent.seat in seats, permanent
        assert state.together or not permanent.creature or permanent.damage < permanent.defense, permanent
    assert all(queued.seat in seats for queued in state.queue)
    handles = [permanent.handle for permanent in state.permanents]
    assert len(set(handles)) == len(handles)
    assert set(handles) <= set(state.handles)


def combat_is_in_order(state: FrontierTable) -> None:
    """Attackers only in a combat that is not fought; a blocker blocks an opponent's attacker (A3.15)."""
    fighting = state.phase == "combat" and state.combat != "fought"
    for permanent in state.permanents:
        if not fighting:
            assert (permanent.attacks, permanent.blocks, permanent.blocked, permanent.shares) == ("", "", False, ())
        if permanent.attacks:
            assert permanent.seat == state.active, permanent
            assert permanent.attacks != permanent.seat
            assert state.combat == "blockers" or not permanent.blocked
    for permanent in state.permanents:
        for attacker in state.attackers():
            if permanent.blocks == attacker.handle:
                assert attacker.blocked
                assert attacker.seat != permanent.seat
                assert state.house.blockers == "any" or attacker.attacks == permanent.seat


def turns_go_on(state: FrontierTable) -> None:
    """While the game goes on, somebody is at turn; once one alone is left, it is over."""
    standing = state.standing()
    assert state.outcome or len(standing) > 1
    assert state.outcome or not state.player(state.active).out
    assert (state.turn == 0) == (state.phase not in PHASES)
    if state.phase == "mulligan" and not state.outcome:
        assert not all(player.kept for player in standing), "everybody keeps, and the first turn does not begin"
