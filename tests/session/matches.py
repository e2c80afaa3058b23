"""A short but whole match of each of three games, as two people type it: a screen and a screenless table both play it.

Beside `evening.py`, which plays one game's recorded dungeon with all that goes wrong meanwhile.
"""

from typing import Final, NamedTuple

NAMES: Final = ("Ana", "Ben")
ENTER: Final = ""
"""The first question as it is suggested: what Enter alone does on a screen."""


class Match(NamedTuple):
    """What is typed once Ana and Ben sit there, and how it ends."""

    typed: tuple[str, ...]
    ends: dict[tuple[str, str], object]
    """Counters by target and name."""


MATCHES: Final = {
    # Ana's blade does the most of it; Ben's crab dies of it and pays for her level, and he never finds another blocker.
    "soulforger": Match(
        (
            *("gear ana blade weapon power 14/3 hands 2", "gear ben spear weapon power 2/1 hands 1"),
            *("deck-size ana 62", ENTER, ENTER, "mulligan 2"),
            *(ENTER, "1", "next", "summon hound ronum 2 power 3/1 endurance 3", "next"),
            *("blade on ben", "no-block", ENTER, "hound on ben", "spear", ENTER, ENTER, "next", ENTER),
            *(ENTER, "1", "next", "summon crab ronum 1 power 1/2 endurance 4 xp 3", "next"),
            *("crab on hound", ENTER, "next", "next", ENTER),
            *(ENTER, "1 1", "next", "forge ring accessory ronum 1", "next"),
            *("blade on crab", ENTER, "next", "next", "level ana", ENTER),
            *(ENTER, "2 1", "next", "next", "spear on ana", ENTER, "next", "next", ENTER),
            *(ENTER, "next", "next", "blade on ben", ENTER),
        ),
        {("table", "turn"): 5, ("ana", "level"): 4, ("ana", "xp"): 0, ("ana", "damage"): 7, ("ben", "damage"): 34},
    ),
    # The wyrm is blocked by two, and twice by nobody.
    "oddfrontier": Match(
        (
            *("deck-size ben 36", ENTER, ENTER, "mulligan ben", ENTER),
            *(ENTER, "engine", "crank ana", "summon wyrm 70/6 cost 1", "next", "next", ENTER),
            *(ENTER, "engine", "crank ben", "summon guard 3/4 cost 1", "summon scout 2/2 first-assault"),
            *("next", "next", ENTER),
            *(ENTER, "engine", "crank ana 2", "next", "attack wyrm on ben", "block guard on wyrm"),
            *("block scout on wyrm", "split wyrm among guard 60 scout 10", ENTER, ENTER, ENTER),
            *(ENTER, "next", "next", 'queue ben "Second Wind" magic', ENTER, "draw ben 1", "discard ben 2", ENTER),
            *(ENTER, "next", "attack wyrm on ben", ENTER, ENTER, ENTER),
            *(ENTER, "next", "next", ENTER),
            *(ENTER, "next", "attack wyrm on ben", ENTER),
        ),
        {("table", "turn"): 7, ("ana", "life"): 137, ("ben", "life"): -3, ("ana", "engines"): 2},
    ),
    # A wolf strikes at once and trades with a golem; a hawk wakes, moves to where nobody stands, and ends it.
    "solforge": Match(
        (
            *("deck-size ana 31", ENTER),
            *("forge 3 wolf 40/4 has aggressive", ENTER, ENTER),
            *("forge 3 golem 10/20", "bank ben", ENTER, ENTER),
            *("forge 1 hawk 60/5 has mobility=2", 'cast ana "Firestorm"', "damage ben 20", ENTER, ENTER),
            *("forge 2 thorn 1/9", "forge 4 moss 2/3", ENTER, ENTER),
            *("move hawk 3", "battle"),
        ),
        {("table", "turn"): 5, ("ana", "health"): 120, ("ben", "health"): 0, ("hawk", "lane"): 3, ("ben", "level2"): 4},
    ),
}
