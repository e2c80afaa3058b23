"""The 15 Monster labels (R1.L01–R1.L15), each completely defined in one place and called by the steps of the round."""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.book.effect import MonsterLabel
from companion.games.decknforge.book.house import House


class Swift(MonsterLabel):
    """ATK +1 in fight round 1 (R1.L01)."""

    name = "swift"
    number = 1
    on_minions = True

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002
        """Return 1 in fight round 1."""
        return 1 if fight_round == 1 else 0


class Sneaky(MonsterLabel):
    """No Foil in fight round 1 (R1.L02)."""

    name = "sneaky"
    number = 2

    def forbids_foil(self, fight_round: int) -> bool:
        """Return True in fight round 1."""
        return fight_round == 1


class Greedy(MonsterLabel):
    """Killer's Coppers −1 (R1.L03)."""

    name = "greedy"
    number = 3
    on_minions = True
    kill_coppers = -1


class Stinky(MonsterLabel):
    """Every dodge total −1 while it is here (R1.L04)."""

    name = "stinky"
    number = 4
    on_minions = True
    dodge = -1


class Twitchy(MonsterLabel):
    """Dodging it takes a total above ATK+1 (R1.L05)."""

    name = "twitchy"
    number = 5
    on_minions = True
    bar = 1


class Tough(MonsterLabel):
    """Each attacking card −1 damage (R1.L06)."""

    name = "tough"
    number = 6
    tier = 2
    on_minions = True
    per_card = 1


class Cunning(MonsterLabel):
    """Every Snipe costs 1 further card (R1.L07)."""

    name = "cunning"
    number = 7
    tier = 2
    snipe_extra = 1


class Hungry(MonsterLabel):
    """Heals 3 per wizard its attack brings to 0 HP (R1.L08)."""

    name = "hungry"
    number = 8
    tier = 2
    on_minions = True

    def heals(self, atk: int, damaged: int, downed: int, house: House) -> int:  # noqa: ARG002
        """Return 3 HP for each wizard brought to 0."""
        return 3 * downed


class Vicious(MonsterLabel):
    """ATK +1 (R1.L09)."""

    name = "vicious"
    number = 9
    tier = 2
    on_minions = True

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002
        """Return 1 in every round."""
        return 1


class Resilient(MonsterLabel):
    """Ignores the first 5 damage of each round (R1.L10)."""

    name = "resilient"
    number = 10
    tier = 2
    on_minions = True
    absorbs = 5


class Doom(MonsterLabel):
    """Alive after step 8 of fight round 5: LOSS (R1.L11)."""

    name = "doom"
    number = 11
    tier = 3
    wipes_after = 5


class VampiricLabel(MonsterLabel):
    """Heals its ATK once if its attack deals damage (R1.L12)."""

    name = "vampiric"
    number = 12
    tier = 3
    on_minions = True

    def heals(self, atk: int, damaged: int, downed: int, house: House) -> int:  # noqa: ARG002
        """Return its ATK once, or with `vampiric-per-wizard` for each wizard damaged (A1.31)."""
        return atk * (damaged if house.vampiric_per_wizard else min(1, damaged))


class Cursed(MonsterLabel):
    """Its Killer loses one inscription for good (R1.L13)."""

    name = "cursed"
    number = 13
    tier = 3
    curses = True


class Hexproof(MonsterLabel):
    """Tactics cost double (R1.L14)."""

    name = "hexproof"
    number = 14
    tier = 3
    cost_factor = 2


class Rampage(MonsterLabel):
    """ATK +1 more each round, from its first (R1.L15)."""

    name = "rampage"
    number = 15
    tier = 3
    on_minions = True

    def atk(self, rounds: int, fight_round: int, house: House) -> int:  # noqa: ARG002
        """Return 1 for each round with the label, or with `rampage-start 0` from the second on (A1.34)."""
        return rounds if house.rampage_start == "1" else rounds - 1


LABELS: Final[dict[str, MonsterLabel]] = {
    label.name: label
    for label in (
        *(Swift(), Sneaky(), Greedy(), Stinky(), Twitchy()),
        *(Tough(), Cunning(), Hungry(), Vicious(), Resilient()),
        *(Doom(), VampiricLabel(), Cursed(), Hexproof(), Rampage()),
    )
}
"""Labels by their names in notation, in the order of the label sheet."""

MOST_LABELS: Final = 5
"""Most labels on one Monster for life (R1.72)."""
LABELS_PER_DUNGEON: Final = 2
"""Most labels on one Monster in one dungeon (R1.72)."""
TIERS: Final = {1: "Easy", 2: "Medium", 3: "Hard"}
