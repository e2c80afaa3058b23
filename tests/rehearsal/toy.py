"""A game whose figures are known functions of its house rules and of chance, to try the statistics of rehearsals on.

Whoever imports this module can rehearse `toy`.
"""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Annotated, Final

from msgspec import Meta

from companion.games import registry
from companion.tabletop.rehearsal import Chance, Figure, RehearsalSetting, Temperament, UnitOutcome, check_names
from companion.tabletop.table.house_rules import HouseRules
from tests.games.miniature import Miniature


class House(HouseRules, frozen=True):
    """What changes the figures, and how: see `truth`."""

    lift: Annotated[int, Meta(description="Lifts all figures.", examples=[1])] = 0
    twist: Annotated[bool, Meta(description="Lifts some, and most where there is a lift.")] = False
    idle: Annotated[bool, Meta(description="Does nothing.")] = False


WIN: Final = Figure("win", "Won", "share", "games", "Won by lot.")
SCORE: Final = Figure("score", "Score", "mean", "points", "Points of a game.")
PIPS: Final = Figure(
    "pips", "Pips of a die", "ratio", "pips", "Pips for each of the dice, of which there are few or many."
)


def _house(setting: RehearsalSetting) -> House:
    house = House()
    for key, value in setting.rules:
        house = house.change_rule(key, value)
    return house


def truth(setting: RehearsalSetting) -> dict[str, float]:
    """What each figure comes to in the long run."""
    house = _house(setting)
    return {
        "win": 0.3 + 0.1 * house.lift + 0.05 * house.twist + 0.2 * house.lift * house.twist,
        "score": 5 + 2 * house.lift - house.twist,
        "pips": 3.5 + house.lift,
    }


class ToyRehearsal:
    """What the game gives to be rehearsed."""

    usual_players = 2
    usual_temperaments = ("random",)
    temperaments = (Temperament("random", "Plays by lot."),)
    figures = (WIN, SCORE, PIPS)
    tables = (Figure("face", "Faces", "part", "dice", "Of all dice, those that show it."),)

    def check(self, setting: RehearsalSetting) -> None:
        """Raises RuleError for a house rule that there is not."""
        check_names(setting, self.temperaments, range(1, 3))
        _house(setting)

    def remarks(self, setting: RehearsalSetting) -> tuple[str, ...]:  # noqa: ARG002
        """One, as the others have none to be read."""
        return ("Dice are not thrown by hand.",)

    def play(self, setting: RehearsalSetting, chance: Chance, keep_lines: bool = False) -> UnitOutcome:  # noqa: ARG002
        """One game: a lot, a score, and a throw of dice; with the twist there are two more."""
        house = _house(setting)
        won = chance.stream("lot").below(10_000) < 10_000 * truth(setting)["win"]
        score = chance.stream("score").below(11) + 2 * house.lift - house.twist
        throw = chance.stream("dice")
        dice = [throw.below(6) + 1 + house.lift for _ in range(1 + throw.below(2) + 2 * house.twist)]
        figures = {"win": (float(won), 1.0), "score": (float(score), 1.0), "pips": (float(sum(dice)), float(len(dice)))}
        faces = {str(face): (float(dice.count(face)), float(len(dice))) for face in range(1, 7)}
        return UnitOutcome(figures, {"face": faces})


class Toy(Miniature):
    """The miniature game by other house rules, which its rehearsal alone asks for."""

    name, title, house = "toy", "Toy", House

    @property
    def rehearsal(self) -> ToyRehearsal:
        return ToyRehearsal()


def one_thread() -> Executor:
    """A worker that costs nothing to begin."""
    return ThreadPoolExecutor(1)


registry.register(Toy())
