"""One unit of a rehearsal, by its setting, seed and number alone."""

from __future__ import annotations

from companion.games import registry
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Chance, Outcome, Rehearsal, Setting


def rehearsal_of(name: str) -> Rehearsal:
    """What a game gives to be rehearsed. Raises NotationError for an unknown game, RuleError for one without."""
    game = registry.game(name)
    if game.rehearsal is None:
        raise RuleError(f"{game.title} cannot be rehearsed: nobody has said how simulated people play it.")
    return game.rehearsal


def rehearse_one(setting: Setting, seed: int, number: int, keep_lines: bool = False) -> Outcome:
    """What comes of one unit; the same on any machine, in any process, whatever was rehearsed before.

    Raises RuleError where the game cannot be rehearsed, or not with this setting.
    """
    return rehearsal_of(setting.game).play(setting, Chance(seed, number), keep_lines)
