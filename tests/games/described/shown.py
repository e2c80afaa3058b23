"""Pages for the tests of screens: six seats with many figures, a score sheet, and a table against which all play."""

from typing import Final

from companion.archive import Archive
from companion.games import registry
from companion.games.described.load import game_from_text
from companion.session.core import archive_journal

CROWN: Final = """
name = "poisoned"
title = "Crown and Poison"
by = "Ana"
about = "Everybody against everybody, with a crown."

[play]
players = "2-6"
first = "seat"

[[steps]]
name = "draw"
do = "Draw a card."

[[steps]]
name = "main"
title = "Main phase"

[counters.life]
short = "Life"
start = 40
least = "none"
big = true
main = true
steps = [1, 5]
out = "<= 0"

[counters.poison]
short = "Psn"
most = 10
harm = true
out = ">= 10"

[counters.commander]
of = "rival"
title = "Commander damage"
short = "Cmd"
harm = true
also = { life = -1 }
out = ">= 21"

[counters.time]
of = "table"
title = "Time"
words = ["day", "night"]

[counters.storm]
of = "table"
title = "Storm"
big = true
steps = [1, 3]

[tokens.crown]
title = "Crown"
remind = "Draw one more card."

[flags.shield]
title = "Shielded"

[things.creature]
title = "Creature"

[counters.power]
of = "creature"
short = "P"

[counters.toughness]
of = "creature"
short = "T"

[pools.dungeon]
title = "Dungeon"
cards = [{ name = "Lost Mine", copies = 2 }, { name = "Tomb" }]

[actions.attack]
title = "Attack somebody's life."
takes = "SEAT N"
does = ["add SEAT life -N"]

[end]
last-left = true

[words]
poison = "Ten of it, and you are out."

[rules]
"1" = "Who has no life left is out."
"""

TRICKS: Final = """
name = "bids"
title = "Bids and Tricks"
about = "Say how many tricks you will take, and take as many."

[play]
players = "3-6"
order = "together"
rounds = 10
round-title = "Hand"

[counters.points]
least = "none"
big = true

[sheet]
columns = ["bid", "tricks"]
titles = { bid = "Bid", tricks = "Tricks" }
points = [
    { when = "tricks = bid", points = 10, per = "tricks" },
    { when = "tricks < bid", per = "bid - tricks", times = -5 },
]
sum = { tricks = "round" }

[end]
most = "points"
"""

LANES: Final = """
name = "lanes"
title = "Seven Lanes"
about = "Creatures with three figures, face to face in seven lanes."

[play]
players = "2-3"

[counters.health]
start = 100
big = true

[counters.energy]
start = 25
big = true

[counters.power]
of = "creature"
start = 10

[counters.toughness]
of = "creature"
start = 120

[counters.armour]
of = "creature"
start = 11

[things.creature]
zone = "field"

[zones.field]
lanes = 7
"""

PLACES: Final = """
name = "places"
title = "Many Places"
about = "Beasts with more figures than a screen has room for, on several places."

[play]
players = "2-4"

[counters.life]
start = 20
big = true

[counters.plan]
hidden = true
start = 7

[counters.power]
of = "beast"
start = 2

[counters.health]
of = "beast"
start = 5
main = true

[counters.shield]
of = "beast"
hidden = true

[counters.state]
of = "beast"
words = ["ready", "spent"]

[counters.mood]
of = "stone"
words = ["dark", "bright"]

[counters.fire]
of = "table"
words = ["none", "waning", "strong"]

[counters.ice]
of = "table"
words = ["none", "waning", "strong"]

[counters.scenario]
of = "table"
start = 14

[counters.level]
of = "table"
start = 3

[counters.difficulty]
of = "table"
title = "Difficulty of the monsters"
start = 4

[counters.gold]
of = "table"
title = "Gold that a coin is worth"
start = 2

[flags.stunned]
of = "beast"

[things.beast]
zone = "active"
list = [{ name = "Guard", figures = { power = 3, health = 6 } }]

[things.stone]
zone = "discard"

[zones.active]
lanes = 1

[zones.bench]
lanes = 5

[zones.discard]
"""

for page in (CROWN, TRICKS, LANES, PLACES):
    registry.register(game_from_text(page))

SEATS: Final = ("ana", "ben", "cleo", "dora", "emil", "fay")
CROWN_PLAYED: Final = (
    *(f"seat {seat}" for seat in SEATS),
    "first ana",
    "begin",
    "set ana life 38",
    "add ben commander-ana 5",
    "add cleo poison 3",
    "give crown dora",
    "set dora shield yes",
    "put wolf creature of ana with 3 3",
    "draw dungeon",
    "set table storm 2",
)
TRICKS_PLAYED: Final = (
    *(f"seat {seat}" for seat in SEATS[:4]),
    "begin",
    *(
        line
        for tricks in (1, 2)
        for line in (
            *(f"enter {seat} bid 1" for seat in SEATS[:4]),
            f"enter ana tricks {tricks}",
            *(f"enter {seat} tricks 0" for seat in SEATS[1:4]),
            "next",
        )
    ),
    "enter ana bid 2",
)

LANES_PLAYED: Final = (
    'seat ana name "Bartholomew"',
    "seat ben",
    "first ana",
    "begin",
    *(f"put {seat}-{lane} creature of {seat} lane {lane}" for seat in ("ana", "ben") for lane in (1, 4, 7)),
)
PLACES_PLAYED: Final = (
    *("seat ana", "seat ben", "first ana", "begin seed 1"),
    *("put guard-6 beast of ana", "put guard-2 beast of ana zone bench", "put wolf beast of ana zone bench"),
    *("put guard-4 beast of ben", "put bear beast of ben zone discard", "put opal stone of ben"),
    *("set guard-2 state spent", "set guard-6 stunned yes", "set guard-6 shield 2", "set table fire strong"),
)


def table_of(archive: Archive, game: str, lines: tuple[str, ...]) -> str:
    """A table in the archive on which this was done."""
    session = archive_journal.start(archive, game)
    for line in lines:
        session.enter(line)
    return session.id
