"""One unit of a rehearsal, determined by its setting, seed and number alone."""

from __future__ import annotations

from companion.games import registry
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Chance, Rehearsal, RehearsalSetting, UnitOutcome
from templates.languages.messages import phrase


def rehearsal_of(name: str, homebrew: str = "") -> Rehearsal:
    """Return a game's rehearsal, with the text of a homebrew if one is used.

    Raises NotationError for an unknown game or a wrong homebrew, RuleError for a game without rehearsals.
    """
    game = registry.game(name)
    if homebrew:
        brewed = registry.from_text(homebrew)
        if brewed.name != game.name or not brewed.page:
            raise RuleError(phrase("That is not a homebrew of {game}.", game=game.title))
        game = brewed
    if game.rehearsal is None:
        raise RuleError(phrase("{game} cannot be rehearsed, as it has no simulated players.", game=game.title))
    return game.rehearsal


def thinks(setting: RehearsalSetting) -> bool:
    """Return True if a player of the setting tries continuations. Raises the errors of `rehearsal_of`."""
    thinkers = {one.name for one in rehearsal_of(setting.game).temperaments if one.thinks}
    return any(setting.temperament(place) in thinkers for place in range(setting.players))


def rehearse_one(setting: RehearsalSetting, seed: int, number: int, keep_lines: bool = False) -> UnitOutcome:
    """Play one unit; its outcome is the same on any machine and in any process.

    Raises RuleError if the game cannot be rehearsed, or not with this setting.
    """
    return rehearsal_of(setting.game, setting.homebrew).play(setting, Chance(seed, number), keep_lines)
