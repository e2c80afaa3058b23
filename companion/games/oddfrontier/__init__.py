"""Odd Frontier TCG: engines give energy, creatures attack players, and whoever reaches 0 of 137 life has lost."""

from companion.games.oddfrontier.game import GAME, OddFrontier

__all__ = ["GAME", "OddFrontier"]
