"""What happens to players themselves: wounds, and leaving the game of one's own will (R3.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.lines import Concede
from companion.games.oddfrontier.actions import Wound
from companion.games.oddfrontier.state import Resolution


def wound(resolution: Resolution, action: Wound) -> None:
    """Damage life directly; several wounds fall at once, so that two players can lose together (A3.10)."""
    wounds: dict[str, list[int]] = {}
    for seat, amount in action.wounds:
        wounds.setdefault(resolution.state.playing(seat).seat, []).append(amount)
    wound_all(resolution, wounds)


def wound_all(resolution: Resolution, wounds: Mapping[str, Sequence[int]]) -> None:
    """Take these amounts from the life of each seat; who has lost by it is looked at once all is dealt."""
    for seat, amounts in wounds.items():
        player = resolution.state.player(seat)
        life = player.life - sum(amounts)
        resolution.update_player(seat, life=life)
        sums = "".join(f" − {amount}" for amount in amounts)
        left = str(life).replace("-", "−")
        resolution.tell(f"{player.name}: life {player.life}{sums} = {left}.", seat)


def concede(resolution: Resolution, action: Concede) -> None:
    """That seat has lost."""
    player = resolution.state.playing(action.seat)
    resolution.update_player(player.seat, lost=True)
    resolution.tell(f"{player.name} concedes.", player.seat)
