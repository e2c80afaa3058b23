"""One unit of a rehearsal, by its setting, seed and number alone."""

from __future__ import annotations

from companion.games import registry
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Chance, Outcome, Rehearsal, Setting


def rehearsal_of(name: str, homebrew: str = "") -> Rehearsal:
    """What a game gives to be rehearsed, with the text of a homebrew where one is played with.

    Raises NotationError for an unknown game or a wrong homebrew, RuleError for a game without rehearsals.
    """
    game = registry.game(name)
    if homebrew:
        brewed = registry.from_text(homebrew)
        if brewed.name != game.name or not brewed.page:
            raise RuleError(f"That is no homebrew of {game.title}.")
        game = brewed
    if game.rehearsal is None:
        raise RuleError(f"{game.title} cannot be rehearsed: nobody has said how simulated people play it.")
    return game.rehearsal


def thinks(setting: Setting) -> bool:
    """Whether anybody plays it who tries continuations. Raises as `rehearsal_of` does."""
    thinkers = {one.name for one in rehearsal_of(setting.game).temperaments if one.thinks}
    return any(setting.temperament(place) in thinkers for place in range(setting.players))


def rehearse_one(setting: Setting, seed: int, number: int, keep_lines: bool = False) -> Outcome:
    """What comes of one unit; the same on any machine, in any process, whatever was rehearsed before.

    Raises RuleError where the game cannot be rehearsed, or not with this setting.
    """
    return rehearsal_of(setting.game, setting.homebrew).play(setting, Chance(seed, number), keep_lines)
