"""What follows from the figures after every action: who has died, who is out, and how the game ends (R3.1, R3.9)."""

from __future__ import annotations

from companion.games.oddfrontier.battlefield import bury_the_dead, remove
from companion.games.oddfrontier.state import FrontierTable, Player, Resolution


def settle(resolution: Resolution) -> None:
    """Bury dead creatures; let leave who has lost, and come back whose life was put right by hand; find the outcome."""
    bury_the_dead(resolution)
    changed = [player for player in resolution.state.players if player.out != player.left]
    for player in changed:
        if player.out:
            _leave(resolution, player)
        else:
            resolution.update_player(player.seat, left=False)
            resolution.tell(f"{player.name} is in the game again.")
    if changed:
        _find_outcome(resolution)


def _leave(resolution: Resolution, player: Player) -> None:
    """Who is out takes along what they had on the battlefield and on the queue."""
    state = resolution.state
    remove(resolution, (permanent for permanent in state.permanents if permanent.seat == player.seat))
    resolution.change(queue=tuple(queued for queued in state.queue if queued.seat != player.seat))
    resolution.update_player(player.seat, left=True, engines=0, cranked=0, energy=0)
    resolution.tell(f"{player.name} has lost and leaves the game (R3.1).")


def _find_outcome(resolution: Resolution) -> None:
    """The last one left has won; where nobody is left, those who lost last lost together: a draw (A3.10)."""
    outcome = outcome_of(resolution.state)
    resolution.change(outcome=outcome)
    if outcome == "draw":
        resolution.tell("Nobody is left: the game is a draw (A3.10).")
    elif outcome:
        resolution.tell(f"{resolution.state.player(outcome).name} has won.")


def outcome_of(state: FrontierTable) -> str | None:
    """The winner's seat, `draw`, or None while two or more are still in the game."""
    standing = state.standing()
    if len(standing) > 1:
        return None
    return standing[0].seat if standing else "draw"
