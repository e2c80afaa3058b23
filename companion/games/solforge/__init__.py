"""SolForge: two players, five lanes, and cards that come back a level higher."""

from companion.games.solforge.game import GAME, SolForge

__all__ = ["GAME", "SolForge"]
