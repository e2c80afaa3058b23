"""Deck lists of the games that are played with constructed decks, legal by their rules, with figures on some cards."""

from typing import Final

NAMES: Final = (
    *("Ash Wolf", "Bog Heron", "Cinder Imp", "Dune Runner", "Elder Stag", "Fen Witch", "Gale Hawk", "Hill Giant"),
    *("Ice Hound", "Jade Monk", "Kelp Eel", "Lime Toad", "Moor Crow", "Night Moth", "Oak Boar"),
)


def _lines(copies: int, names: tuple[str, ...], says: str) -> str:
    return "".join(f"{copies} {name} | {says}\n" for name in names)


SOULFORGER: Final = (
    "soulforger main\n"
    "4 Ash Wolf | creature | ronum 1 | power 2/1 | endurance 3 | xp 1 | keywords flight\n"
    "4 Ember | action | ronum 0 | speed instinct\n"
    + _lines(4, NAMES[1:14], "creature | ronum 1 power 1/1 endurance 2")
    + "soulforger forge\n2 Long Bow | weapon | ronum 1 | power 4/2 | hands 2\n"
    "soulforger gear\n"
    "Rusty Blade | weapon | starting | power 3/1 | hands 1\n"
    "Old Coat | armor | starting\n"
    "Tin Ring | accessory | starting\n"
)
ODDFRONTIER: Final = (
    "oddfrontier main\n"
    "4 Ash Wolf | creature | Wolf | 2/3 | cost 0 | first-assault\n"
    "4 Steam Works | engine\n"
    "4 Night Market | phenomenon | cost 1\n"
    "4 Flare | magic | cost 1\n" + _lines(4, NAMES[1:7], "creature | Beast | 1/1")
)
SOLFORGE: Final = (
    "solforge main\n"
    "3 Ash Wolf | creature | tempys | level 1 4/5 | level 2 7/8 has armor=1 | level 3 11/12 has armor=2 mobility=1\n"
    "3 Ember Storm | spell | tempys\n" + _lines(3, NAMES[1:9], "creature | uterra | 3/3")
)

LISTS: Final = {"soulforger": SOULFORGER, "oddfrontier": ODDFRONTIER, "solforge": SOLFORGE}
