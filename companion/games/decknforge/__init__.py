"""DecknForge v2.0: cooperative Boss fights with decks that are inscribed, labelled, faded and passed on."""

from companion.games.decknforge.game import GAME, DecknForge

__all__ = ["GAME", "DecknForge"]
