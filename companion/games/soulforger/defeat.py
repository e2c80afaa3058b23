"""Who is out, what leaves with them, and whose turn it is then (R2.1, A2.14)."""

from __future__ import annotations

from companion.games.lines import Concede
from companion.games.soulforger.attack import end_if_nobody_fights
from companion.games.soulforger.field import unsettle_attack
from companion.games.soulforger.state import ENDURANCE, PHASES, Player, Resolution, Table
from companion.games.soulforger.turn import begin_turn, following, living


def concede(res: Resolution, action: Concede) -> None:
    """That seat is out."""
    player = living(res, action.seat)
    res.update_player(player.seat, gone=True)
    res.tell(f"{player.name} concedes.", player.seat)


def settle_defeats(res: Resolution, before: Table) -> None:
    """Things of who is out leave; of the turn player, the turn passes on, as often as that puts the next one out."""
    _clear_away(res, before.players)
    end_if_nobody_fights(res)
    while _turn_is_orphaned(res):
        known = res.state.players
        begin_turn(res, following(res))
        _clear_away(res, known)
    outcome = res.state.outcome
    if outcome and outcome != before.outcome:
        res.tell("Nobody is left: a draw (A2.14)." if outcome == "draw" else f"{res.name(outcome)} wins.")


def _turn_is_orphaned(res: Resolution) -> bool:
    state = res.state
    return state.outcome is None and state.phase in PHASES and state.player(state.active).out


def _clear_away(res: Resolution, before: tuple[Player, ...]) -> None:
    """What belongs to players who are out leaves the table."""
    out = {player.seat for player in res.state.players if player.out}
    if not out:
        return
    for old, new in zip(before, res.state.players, strict=True):
        if new.out and not old.out:
            why = f" with {new.damage} damage of {ENDURANCE} (R2.1)" if new.damage >= ENDURANCE else ""
            res.tell(f"{new.name} is out{why}.")
    state = res.state
    if any(card.owner in out for card in state.cards.values()):
        unsettle_attack(res)
        res.change(cards={handle: card for handle, card in state.cards.items() if card.owner not in out})
    if any(item.seat in out for item in state.flow):
        res.change(flow=tuple(item for item in state.flow if item.seat not in out))
    for player in state.players:
        if player.out and player.zone:
            res.update_player(player.seat, zone=())
