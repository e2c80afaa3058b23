"""A page as people write it: what is read from it, and that all that is wrong is told at once, by line."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec import inspect

from companion.games.described import load
from companion.games.described.page.description import Description, schema
from companion.games.described.page.reading import LineFault, PageError, place_faults, read_description
from companion.session.core.session import Session
from tests.games.described import pages
from tests.hostile import LETTERS, MARKUP, STEERING, steers

HEAD = 'name = "crown"\ntitle = "Crown"\n'
CROWN = """\
name = "crown"
title = "Crown of Ash"

[play]
players = "2-6"

[[steps]]
name = "draw"

[[steps]]
name = "main"

[counters.life]
start = 40
start-by-players = { 2 = 20 }
least = "none"
out = "<= 0"

[counters.damage]
of = "rival"
out = ">= 21"
also = { life = -1 }

[counters.embers]
each = 1
at = "draw"
most = 10

[counters.total]
sum = ["life", "embers"]

[counters.time]
of = "table"
words = ["day", "night"]

[counters.threat]
of = "table"

[counters.power]
of = "creature"

[flags.tapped]
of = "creature"
reset = "turn"

[tokens.crown]
at = "draw"

[things.creature]
zone = "row"
list = [{ name = "Ash Wolf", figures = { power = 3 } }]

[zones.row]

[pools.encounter]
cards = [
    { name = "Wolf", copies = 2, puts = "creature", figures = { power = 2 } },
    { name = "Storm", does = ["add each life -1"] },
]

[actions.attack]
takes = "SEAT N"
does = ["add SEAT life -N", "give crown me", "add SEAT damage-me N", "set table time night"]

[actions.strike]
takes = "THING THING2 [red|blue]"
when = ["me embers >= 3", "table time = night", "me has crown", "THING has tapped", "THING power > 1"]
costs = { embers = 3 }
does = ["add THING2 power -THING.power", "set THING tapped yes", "draw encounter for me", "move THING zone row lane 2"]

[end]
last-left = true
all-lose = ["table threat >= 20", "each out"]

[house.quick]
ask = "Shall it be quick?"
values = { no = {}, yes = { "counters.life.start" = 10, "steps.draw.do" = "Draw three." } }
"""


def faults(text: str) -> list[LineFault]:
    try:
        read_description(text)
    except PageError as error:
        return [fault._replace(text=str(fault.text)) for fault in error.faults]
    return []


def test_a_page_is_read() -> None:
    page = read_description(CROWN)
    assert page.title == "Crown of Ash"
    assert page.counters["life"].start_by_players == {"2": 20}
    assert [step.name for step in page.steps] == ["draw", "main"]
    assert page.pools["encounter"].cards[0].figures == {"power": 2}


def test_the_smallest_page_has_a_name_and_a_title() -> None:
    assert read_description(HEAD).play.players == "2-8"
    assert faults("") == [
        LineFault(1, "", "name is missing: the word after `table`, which is the same in all editions."),
        LineFault(1, "", "title is missing: the displayed name of the game."),
    ]


def test_a_score_sheet_brings_the_counter_of_its_totals() -> None:
    assert read_description(f'{HEAD}[sheet]\ncolumns = ["points"]').counters["points"].least == "none"
    page = read_description(f'{HEAD}[sheet]\ncolumns = ["points"]\n[counters.points]\nmost = 9')
    assert page.counters["points"].most == 9


def test_texts_are_on_one_line() -> None:
    assert read_description(f'{HEAD}about = """\nTwo bands \n  meet."""').about == "Two bands meet."


WRONG = [
    # keys and values
    ("xyzzy = 3", "xyzzy", "“xyzzy” is not a key of a page; the keys are: name, title, by, edition"),
    ("[counters.life]\nmax = 3", "counters.life.max", "“max” is not a key here; did you mean most?"),
    ("[counters.life]\nstart_by_players = {}", "counters.life.start_by_players", "did you mean start-by-players?"),
    ('[counters.life]\nplayers = "2"', "counters.life.players", "it belongs to play."),
    ("[end]\nxyzzy = 1", "end.xyzzy", "the keys are: last-left, win, over"),
    ('[counters.life]\nstart = "20"', "counters.life.start", "write a whole number from −1,000,000 to 1,000,000: 20"),
    ("[counters.life]\nstart = 1.5", "counters.life.start", "1.5 cannot stand here; write a whole number"),
    ("[counters.life]\nstart = 2000000", "counters.life.start", "2000000 cannot stand here; write a whole number from"),
    ("[counters.life]\nbig = 1", "counters.life.big", "1 cannot stand here; write true or false."),
    ("[counters.life]\nleast = true", "counters.life.least", "or one of none"),
    ("[counters.life]\nsteps = 5", "counters.life.steps", "write a list such as [1, 5]: [5]."),
    (
        '[play]\norder = "clockwize"',
        "play.order",
        "is not one of alternating, bid, clockwise, highest, lot, lowest, together; did you mean",
    ),
    ("[play]\nplayers = 4", "play.players", '4 cannot stand here; write "2" or "2-6": "4".'),
    ('[play]\nplayers = "two"', "play.players", '“two” cannot stand here; write "2" or "2-6".'),
    ('[counters."First Player"]\nstart = 1', "counters.First Player", "joined by -, such as first-player."),
    ("[steps]\nname = 1", "steps", "write [[steps]] with two brackets above each"),
    ('steps = ["draw"]', "steps.1", "“draw” cannot stand here; write [[steps]] and its keys below it."),
    ("counters = 3", "counters", "3 cannot stand here; write [counters] and its keys below it."),
    ("[[steps]]\ndo = 'x'", "steps.1", "name is missing: the word for it in lines."),
    ("[rules]\n1.2 = 'x'", "rules.1", 'A key with a dot stands in quotation marks: "1.2".'),
    (f"about = '{'x' * 401}'", "about", "has 401 symbols; at most 400 are allowed"),
    ('about = "a\\u001b[2J"', "about", "a character that cannot be displayed (U+001B)"),
    ('about = "a\\u200bb"', "about", "a character that cannot be displayed (U+200B)"),
    ("[end]\nall-lose = [" + '"each out",' * 10 + "]", "end.all-lose", "There are 10 here; at most 9 are allowed."),
    # who plays
    ('[play]\nplayers = "6-2"', "play.players", "begins with the larger number; write 2-6"),
    ('[play]\norder = "bid"', "play.order", "needs a counter that decides it"),
    ('[play]\nby = "x"', "play.by", "There is no token “x”; the page has none."),
    ('[play]\norder = "lowest"', "play.order", "needs a counter that decides it"),
    ('[play]\nby = "left of deeler"\n[tokens.dealer]', "play.by", "did you mean left of dealer?"),
    ('[play]\nby = ["dealer", "dealer"]\n[tokens.dealer]', "play.by", 'only with order = "lowest" or "highest"'),
    ('[play]\norder = "lowest"\nby = ["pace", "x"]\n[counters.pace]', "play.by.2", "There is no token “x”"),
    ('[play]\nuntil = "past"\n[flags.passed]\nreset = "round"', "play.until", "did you mean passed?"),
    ('[play]\nuntil = "passed"\n[flags.passed]', "play.until", 'write reset = "round" below [flags.passed]'),
    ('[play]\norder = "together"\nuntil = "p"\n[flags.p]\nreset = "round"', "play.until", "This needs turns"),
    ('[play]\nhand = "7 + coins"\n[counters.coins]', "play.hand", "only round and players can"),
    ("[play]\nhand = 7\n[counters.hand]", "play.hand", "is a counter of this page as well"),
    ('[sheet]\ncolumns = ["bid"]\nsum = { bid = "hand" }', "sheet.sum.bid", "is not a sum"),
    ('[sheet]\ncolumns = ["bid"]\nlimit = { bit = "bid < 3" }', "sheet.limit.bit", "did you mean bid?"),
    ('[sheet]\ncolumns = ["bid"]\nlimit = { bid = "bit < 3" }', "sheet.limit.bid", "did you mean bid?"),
    ('[sheet]\ncolumns = ["bid"]\nlimit = { bid = "bid != hand" }', "sheet.limit.bid", "There is no column “hand”"),
    (
        '[sheet]\ncolumns = ["bid"]\nsecret = ["bid"]\nlimit = { bid = "each.bid != 3" }',
        "sheet.limit.bid",
        "does not know what others choose",
    ),
    ('[counters.bid]\nask-at = "bids"\n[[steps]]\nname = "bid"', "counters.bid.ask-at", "did you mean bid?"),
    (
        '[counters.bid]\nof = "table"\nask-at = "a"\n[[steps]]\nname = "a"',
        "counters.bid.ask-at",
        "asked of players and for things",
    ),
    (
        '[counters.bid]\nsum = ["b"]\nask-at = "a"\n[counters.b]\n[[steps]]\nname = "a"',
        "counters.bid.ask-at",
        "has none",
    ),
    (
        '[things.ogre]\n[counters.speed]\nof = "ogre"\nask-at = "a"\n[[steps]]\nname = "a"',
        "counters.speed.ask-at",
        "in a step of the round",
    ),
    (
        '[things.ogre]\n[counters.speed]\nof = "ogre"\nask-at = "a"\nsecret = true\n'
        '[[steps]]\nname = "a"\nof = "round"',
        "counters.speed.secret",
        "only with a counter of players",
    ),
    ("[counters.bid]\nsecret = true", "counters.bid.secret", 'works only with ask-at = "…"'),
    ('[counters.bid]\nlimit = "bid < 3"', "counters.bid.limit", 'works only with ask-at = "…"'),
    (
        '[counters.bid]\nask-at = "a"\nlimit = "bib < 3"\n[[steps]]\nname = "a"',
        "counters.bid.limit",
        "did you mean bid?",
    ),
    (
        '[counters.bid]\nask-at = "a"\nsecret = true\nlimit = "others.bid < 3"\n[[steps]]\nname = "a"',
        "counters.bid.limit",
        "leave out each and others",
    ),
    (
        '[counters.bid]\nask-at = "a"\n[sheet]\ncolumns = ["bid"]\n[[steps]]\nname = "a"',
        "counters.bid.ask-at",
        "has a column of this name",
    ),
    (
        'play = { order = "lowest", by = "a" }\n[things]\nogre = { by = "sped" }\n[counters]\na = {}\nspeed.of="ogre"',
        "things.ogre.by",
        "did you mean speed?",
    ),
    ('[things.ogre]\nby = "speed"\n[counters.speed]\nof = "ogre"', "things.ogre.by", 'only with order = "lowest"'),
    ("[play]\nteams = 1", "play.teams", "with up to 8 players write 2 to 8, or 0"),
    ('[[steps]]\nname = "a"\n[[steps]]\nname = "a"', "steps.2.name", "“a” is listed twice."),
    ('[[steps]]\nname = "turn"', "steps.1.name", "is a step that every game has"),
    # figures
    ('[counters.life]\nof = "player"', "counters.life.of", "There is no owner “player”; there is: seat, table, rival."),
    ("[counters.life]\nstart = -3", "counters.life.start", 'which is below 0 (least = "none" lets it go below 0)'),
    ("[counters.life]\nstart = 9\nmost = 5", "counters.life.start", "It starts at 9, which is above 5."),
    ("[counters.life]\nleast = 9\nmost = 5", "counters.life.most", "most must not be below least"),
    (
        "[counters.life]\nstart-by-players = { 9 = 3 }",
        "counters.life.start-by-players.9",
        "“9” is not a possible number of players; the game is for “2-8”.",
    ),
    ('[counters.life]\nout = "dead"', "counters.life.out", "“dead” is not a condition; write it as"),
    ('[counters.life]\nout = "life <= 0"', "counters.life.out", 'write "<= 0"'),
    ('[counters.life]\nout = "< 0"', "counters.life.out", "The counter never falls below 0, so this never holds"),
    ('[counters.life]\nmost = 5\nout = ">= 9"', "counters.life.out", "never rises above 5"),
    ('[counters.life]\nof = "table"\nout = "<= 0"', "counters.life.out", "The table is never out"),
    ('[counters.life]\nreset = "drew"', "counters.life.reset", "There is no step “drew”; there is: turn, round."),
    ('[counters.life]\nat = "turn"', "counters.life.at", "This works only with each"),
    (
        "[counters.life]\nalso = { lief = 1 }",
        "counters.life.also.lief",
        "no counter “lief” of a seat; did you mean life?",
    ),
    ("[counters.a]\nalso = { b = 1 }\n[counters.b]\nalso = { a = 1 }", "counters.a.also", "change itself without end"),
    ("[counters.a]\nmain = true\n[counters.b]\nmain = true", "counters.b.main", "“a” is the main counter already"),
    ('[counters.a]\nsum = ["b"]', "counters.a.sum.1", "There is no counter “b” of a seat"),
    ('[counters.a]\nsum = ["b"]\nstart = 3\n[counters.b]', "counters.a.start", "This counter is the sum of others"),
    ('[sheet]\ncolumns = ["bid"]\nat = { bid = "bids" }', "sheet.at.bid", "There is no step “bids”"),
    ('[counters.a]\nwords = ["x"]', "counters.a.words", "at least two different words"),
    ('[counters.a]\nwords = ["x", "y"]\nmost = 2', "counters.a.most", "A counter of words has no most."),
    ('[counters.a]\nof = "rival"\neach = 1', "counters.a.each", "cannot grow by itself"),
    ("[counters.table]", "counters.table", "“table” means something else in lines"),
    ("[counters.a]\n[flags.a]", "flags.a", "“a” is in [counters], too"),
    ('[flags.a]\nof = "rival"', "flags.a.of", "There is no owner “rival”"),
    # things and pools
    ('[things.wolf]\nzone = "row"', "things.wolf.zone", "There is no zone “row”; the page has none."),
    (
        '[zones.land]\nlanes = 1\nof = "table"\n[things.a]\nof = "table"\nzone = "land"\n'
        'list = [{ name = "X", start = true }, { name = "Y", start = true }]',
        "things.a.list.2.start",
        "“land” has 1 lanes, and more than these lie there at first.",
    ),
    (
        "[things.a]\nlist = [" + ", ".join(f'{{ name = "A{n}", start = true }}' for n in range(8)) + "]",
        "things.a.list.8.start",
        "More than 60 things would lie there at first",
    ),
    (
        '[pools.a]\ncards = [{ name = "X", does = ["draw a"] }]',
        "pools.a.cards.1.does.1",
        "A card cannot draw another one",
    ),
    ('[pools.a]\ncards = [{ name = "X" }]\n[actions.b]\ndoes = ["draw a", "draw a"]', "actions.b.does.2", "one card"),
    ('[pools.a]\ncards = [{ name = "X", does = ["add mill water 1"] }]', "pools.a.cards.1.does.1", "is nobody here"),
    ('[tokens.crown]\nreset = "noon"', "tokens.crown.reset", "There is no step “noon”"),
    ('[sheet]\ncolumns = ["a"]\nof = { a = "crown" }', "sheet.of.a", "There is no token “crown”"),
    ('[decks]\nkind = "inscribed"\ndesign = "../x"', "decks.design", "is not the name of a design"),
    ('[things.a]\nlist = [{ name = "X" }, { name = "x" }]', "things.a.list.2.name", "is listed twice"),
    (
        '[things.a]\nlist = [{ name = "X", figures = { hp = 1 } }]',
        "things.a.list.1.figures.hp",
        "There is no counter “hp” of “a”",
    ),
    (
        '[counters.hp]\nof = "a"\n[things.a]\nlist = [{ name = "X", figures = { hp = "[1, 2] by table.levl" } }]',
        "things.a.list.1.figures.hp",
        "levl",
    ),
    ("[pools.bag]", "pools.bag", "The program needs to know what is in it"),
    ("[pools.bag]\nsize = 9", "pools.bag.size", 'add drawn = "cards"'),
    ('[pools.bag]\ndrawn = "cards"', "pools.bag", "or with size how many there are"),
    ('[pools.bag]\nsize = 3\ncards = [{ name = "A" }]', "pools.bag.size", "Leave this out"),
    ('[pools.bag]\ncards = [{ name = "A" }, { name = "A" }]', "pools.bag.cards.2.name", "copies says how many"),
    ('[pools.bag]\ncards = [{ name = "A", puts = "wolf" }]', "pools.bag.cards.1.puts", "no kind of thing “wolf”"),
    (
        '[pools.bag]\ncards = [{ name = "A", figures = { a = 1 } }]',
        "pools.bag.cards.1.figures",
        "Only a thing has figures",
    ),
    ('[pools.bag]\ncards = [{ name = "A", does = ["add N a 1"] }]', "pools.bag.cards.1.does.1", "speaks of N, which"),
    # ends
    ('[end]\nwin = "level >= 10"', "end.win", "There is no counter “level” of a seat; the page has none."),
    ('[end]\nwin = "table a >= 1"\n[counters.a]\nof = "table"', "end.win", "does not say who has won"),
    ('[end]\nwin = ["table.a >= 1"]\n[counters.a]\nof = "table"', "end.win.1", "write it as all-win"),
    ('[end]\nwin = "table has a"\n[flags.a]\nof = "table"', "end.win", "does not say who has won"),
    ('[end]\nwin = "round >= 5"', "end.win", "does not say who has won"),
    ('[end]\nwin = "bag left = 0"\n[pools.bag]\ncards = [{ name = "A" }]', "end.win", "does not say who has won"),
    ('[actions.a]\nonce = "week"', "actions.a.once", "“week” is not one of game, round, turn"),
    (
        '[things.wolf]\n[zones.row]\n[actions.a]\ntakes = "THING"\ndoes = ["move THING row"]',
        "actions.a.does.1",
        "A place comes after “zone”; write “move THING zone row”.",
    ),
    (
        '[pools.night]\n[actions.a]\ndoes = ["draw night twice"]',
        "actions.a.does.1",
        "“twice” is one word too many; what it says comes after for, is or drawn.",
    ),
    ('[end]\nmost = "a"\n[counters.a]', "end.most", "This counts only once the game is over"),
    ('[end]\nover = "a >= 3"\n[counters.a]', "end.over", "Say with most or fewest"),
    (
        '[end]\nover = "a >= 3"\nmost = "a"\nfewest = "a"\n[counters.a]',
        "end.fewest",
        "Either most or fewest wins",
    ),
    ('[end]\nall-win = ["a >= 3"]\n[counters.a]', "end.all-win.1", "does not say whose"),
    ('[end]\nall-win = ["table a >= 3"]\n[counters.a]', "end.all-win.1", "is a counter of a seat, not of the table"),
    ('[end]\nall-win = ["me a >= 3"]\n[counters.a]', "end.all-win.1", "There is no acting player for “me” here"),
    # score sheets
    ('[sheet]\ncolumns = ["a", "a"]', "sheet.columns.2", "is listed twice"),
    ("[sheet]\ncolumns = []", "sheet.columns", "at least one column"),
    ('[sheet]\ncolumns = ["bid"]\nsum = { bd = 3 }', "sheet.sum.bd", "no column “bd”; did you mean bid?"),
    ('[sheet]\ncolumns = ["bid"]\nsum = { bid = "hand" }', "sheet.sum.bid", "is not a sum"),
    (
        '[sheet]\ncolumns = ["bid"]\n[[sheet.points]]\nwhen = "trick = bid"\npoints = 1',
        "sheet.points.1.when",
        "no column",
    ),
    ('[sheet]\ncolumns = ["bid"]\n[[sheet.points]]\nper = "bid * 2"', "sheet.points.1.per", "is not a column; write"),
    ('[sheet]\ncolumns = ["bid"]\n[[sheet.points]]\nwhen = "bid > 1"', "sheet.points.1", "The points are missing"),
    # decks and what comes after
    ('[decks]\nkind = "list"\ntear-up = true', "decks.tear-up", 'This works only with kind = "inscribed".'),
    ('[decks]\nkind = "inscribed"\nleast = 9', "decks.least", 'This works only with kind = "list".'),
    ('[decks]\nkind = "list"\nleast = 9\nmost = 8', "decks.most", "A deck would have 9 to 8 cards."),
    (
        '[decks]\nkind = "inscribed"\ninscriptions = [{ number = 1, name = "A" }, { number = 1, name = "B" }]',
        "decks.inscriptions.2.number",
        "1 belongs to “A” permanently.",
    ),
    (
        '[decks]\nkind = "inscribed"\ninscriptions = [{ number = 1, name = "A", tier = "x" }]',
        "decks.inscriptions.1.tier",
        "There is no tier “x”",
    ),
    ('[[after]]\nname = "a"\nask = "?"\nkind = "buy"', "after.1.kind", "“buy” needs decks; write [decks]."),
    ('[[after]]\nname = "a"\nask = "?"\nkind = "do"\nwho = "king"', "after.1.who", "There is no token “king”"),
    ('[purse]\ncounter = "gold"', "purse.counter", "There is no counter “gold” of a seat"),
    # house rules
    ('[house.q]\nask = "?"\nvalues = { a = {} }', "house.q.values", "at least two values"),
    (
        '[house.q]\nask = "?"\nvalues = { a = {}, b = { "counters.lief.start" = 1 } }\n[counters.life]',
        "house.q.values.b.counters.lief.start",
        "The page has no “counters.lief.start”; did you mean life?",
    ),
    (
        '[house.q]\nask = "?"\nvalues = { a = {}, b = { "counters.life.start" = -1 } }\n[counters.life]',
        "house.q.values.b.counters.life.start",
        "With this, counters.life.start: It starts at -1, which is below 0",
    ),
]


@pytest.mark.parametrize(("text", "key", "sentence"), WRONG, ids=[key for _, key, _ in WRONG])
def test_what_is_wrong_is_told_by_key(text: str, key: str, sentence: str) -> None:
    by_key = {fault.key: fault.text for fault in faults(f"{HEAD}{text}")}
    assert sentence in by_key.get(key, f"{by_key}")


OWN = [
    ('takes = "PLAYER"', "takes", "“PLAYER” in “PLAYER” is not something that a line takes"),
    ('does = ["add SEAT life 1"]', "does.1", "speaks of SEAT, which the line does not take; add it to takes."),
    ('does = ["ad me life 1"]', "does.1", "There is no line “ad”; did you mean add?"),
    ('does = ["add me lief 1"]', "does.1", "There is no counter “lief” of a seat; did you mean life?"),
    ('does = ["add life 1"]', "does.1", "is not complete; write it as “add WHO COUNTER AMOUNT”"),
    ('does = ["add life me 1"]', "does.1", "does not say whose; write “add me life …”"),
    ('does = ["add you life 1"]', "does.1", "“you” is nobody here; write one of me, others"),
    ('does = ["add me life much"]', "does.1", "“much” is not a figure"),
    ('does = ["add me time 1"]', "does.1", "“time” is a counter of the table, not of a seat"),
    ('does = ["add table time 1"]', "does.1", "“time” is not a figure; write “set table time …”"),
    ('does = ["set table time nite"]', "does.1", "There is no word of this counter “nite”; did you mean night?"),
    ('does = ["set me embers 11"]', "does.1", "11 is above 10"),
    ('does = ["give crwon me"]', "does.1", "There is no token “crwon”; did you mean crown?"),
    ('does = ["give crown others"]', "does.1", "“others” is nobody here"),
    ('does = ["put wolf wolf"]', "does.1", "There is no kind of thing “wolf”"),
    ('does = ["put wolf creature zone rwo"]', "does.1", "There is no zone “rwo”; did you mean row?"),
    ('does = ["draw encuonter"]', "does.1", "There is no pool “encuonter”; did you mean encounter?"),
    ('does = ["attack ben 3"]', "does.1", "“attack” is a line of your own"),
    ('does = ["note \\"x"]', "does.1", "A double quote opens a text"),
    ('does = [""]', "does.1", "This line is empty"),
    ('when = ["me levl >= 3"]', "when.1", "There is no counter “levl” of a seat"),
    ('when = ["they has crown"]', "when.1", "“they” in “they has crown” is nobody"),
    ('when = ["me has crwon"]', "when.1", "There is no token or flag “crwon”; did you mean crown?"),
    ('takes = "red|blue"\nwhen = ["CHOICE = gren"]', "when.1", "There is no word that can be chosen “gren”"),
    ('takes = "THING"\nwhen = ["THING tapped = maybe"]', "when.1", "There is no word of this counter “maybe”"),
    ('when = ["table time >= night"]', "when.1", "has words, which cannot be more or less"),
    ('when = ["me embers >= 11"]', "when.1", "never rises above 10"),
    ('when = ["SEAT life > 1"]', "when.1", "speaks of SEAT, which the line does not take"),
    ('when = ["me embers > THING.power"]', "when.1", "speaks of THING, which the line does not take"),
    ('takes = "THING"\nwhen = ["me embers > THING.powr"]', "when.1", "There is no counter “powr”; did you mean power?"),
    ('does = ["add me total 1"]', "does.1", "“total” is the sum of life and embers; change one of those."),
    ("costs = { embrs = 1 }", "costs.embrs", "There is no counter “embrs” of a seat; did you mean embers?"),
    ('costs = { embers = "N" }', "costs.embers", "“N” is not a figure that the line takes"),
    ("costs = { embers = 0 }", "costs.embers", "It costs 0; write at least 1"),
    ('whose = "table"\ncosts = { embers = 1 }', "costs", "This needs an acting player"),
    ('whose = "table"\ndoes = ["add me life 1"]', "does.1", "says “me”, but this action has no acting player"),
    ('steps = ["drew"]', "steps.1", "There is no step “drew”; did you mean draw?"),
]


@pytest.mark.parametrize(("text", "key", "sentence"), OWN)
def test_what_is_wrong_with_a_place_faults_ones_own_is_told(text: str, key: str, sentence: str) -> None:
    (fault,) = faults(f"{CROWN}\n[actions.mine]\n{text}")
    assert fault.key == f"actions.mine.{key}"
    assert sentence in fault.text
    assert fault.line > CROWN.count("\n")


def test_a_line_of_the_house_is_no_line_of_ones_own() -> None:
    from companion.tabletop.table.common_actions import CHECKS, COMMON, LOG

    for action in (*COMMON, *LOG, *CHECKS):
        (fault,) = faults(f"{HEAD}[actions.{action.verb()}]")
        assert fault == LineFault(3, f"actions.{action.verb()}", fault.text)
        assert "is a line that every game has" in fault.text


def test_the_verbs_of_decks_are_taken_only_where_there_are_decks() -> None:
    assert not faults(f"{HEAD}[actions.buy]\n")
    text = '[purse]\ncounter = "gold"\n[counters.gold]\n[[after]]\nname = "a"\nask = "?"\nkind = "buy"\n[decks]\n'
    text += 'kind = "inscribed"\ninscriptions = [{ number = 1, name = "A", price = 1 }]\n[actions.buy]\n'
    assert [fault.key for fault in faults(HEAD + text)] == ["actions.buy"]


@pytest.mark.parametrize(
    ("place", "row"),
    [
        ("", 'name = "crown"'),
        ("play", "[play]"),
        ("steps.main", "[[steps]]"),
        ("steps[2].name", 'name = "main"'),
        ("actions.attack.does[2]", 'does = ["add SEAT life -N"'),
        ("end.all-lose[1]", "all-lose = ["),
        ("pools.encounter.cards.Storm", '    { name = "Storm"'),
        ("counters.nothing.at", "[counters.life]"),
    ],
)
def test_what_is_said_of_a_key_finds_its_line(place: str, row: str) -> None:
    ((line, *_),) = place_faults(CROWN, [(place, "This is wrong.")])
    assert CROWN.splitlines()[line - 1].startswith(row)


def test_all_faults_are_told_at_once_by_line() -> None:
    text = (
        'name = "Crown"\ntitel = "x"\n[play]\nrounds = "3"\n\n[counters.life]\nout = "< 0"\n[end]\nwin = "levl > 3"\n'
    )
    with pytest.raises(PageError) as error:
        read_description(text, "mine.toml")
    assert [(fault.line, fault.key) for fault in error.value.faults] == [
        (1, "name"),
        (2, "titel"),
        (4, "play.rounds"),
        (7, "counters.life.out"),
        (9, "end.win"),
    ]
    assert str(error.value).startswith("“mine.toml”, line 1: name: “Crown” cannot stand here")
    assert str(error.value).endswith("There are 4 more faults.")


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ("[" + ", ".join(f'"c{each}"' for each in range(25)) + "]", "There are 25 here; at most 24 are allowed."),
        ('"c1"', "“c1” cannot stand here"),
    ],
)
def test_a_list_that_is_refused_still_has_its_names(columns: str, sentence: str) -> None:
    page = f"""name = "a"\ntitle = "A"\n[sheet]\ncolumns = {columns}\nsecret = ["c1"]\ntitles = {{ c1 = "One" }}
[[sheet.points]]\npoints = "2 * c1"\n[end]\nmost = "points"\nover = "points >= 9"\n"""
    with pytest.raises(PageError) as caught:
        read_description(page)
    assert [(fault.key, str(fault.text)[: len(sentence)]) for fault in caught.value.faults] == [
        ("sheet.columns", sentence)
    ]


def test_mistakes_of_writing_and_of_meaning_are_told_together() -> None:
    by_key = faults("name = crown\n[play]\nrounds = many\n[counters.life]\nmax = 3\n")
    assert [(fault.line, fault.key) for fault in by_key] == [(1, ""), (3, ""), (5, "counters.life.max")]


def _values(wanted: inspect.Type, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The way to every key of the format, with whether it stands in a list of tables."""
    match wanted:
        case inspect.Metadata():
            yield from _values(wanted.type, path)
        case inspect.UnionType():
            for each in wanted.types:
                yield from _values(each, path)
        case inspect.StructType():
            for field in wanted.fields:
                yield (*path, field.encode_name), False
                yield from _values(field.type, (*path, field.encode_name))
        case inspect.DictType():
            yield from _values(wanted.value_type, (*path, "word"))
        case inspect.VarTupleType():
            yield from _values(wanted.item_type, (*path, "[]"))


KEYS = sorted({path for path, _ in _values(inspect.type_info(Description), ())})


@pytest.mark.parametrize("path", KEYS, ids=".".join)
def test_each_key_tells_what_it_takes(path: tuple[str, ...]) -> None:
    value = "1979-05-27"
    for part in reversed(path):
        value = f"[{value}]" if part == "[]" else f"{{ {part} = {value} }}"
    value = value[2:-2]
    (fault, *_) = [fault for fault in faults(value) if "date" in fault.text or "[[" in fault.text]
    assert fault.key == ".".join(path).replace("[]", "1")
    assert re.search("cannot stand here; write|There can be several; write", str(fault.text))


def test_every_key_is_explained_in_the_schema() -> None:
    import json

    content = json.loads(schema())
    assert len(KEYS) > 100
    for name, struct in content["$defs"].items():
        assert struct["additionalProperties"] is False, name
        assert all(each.get("description") for each in struct["properties"].values()), name


def _hostile_text(rng: Random) -> str:
    def words() -> str:
        return "".join(rng.choice((*STEERING, *MARKUP, *LETTERS)) for _ in range(rng.randrange(1, 5)))

    quoted = words().replace("\\", "").replace('"', "").replace("\n", "").replace("\r", "")
    depth = rng.choice((9, 200, 60_000))
    begin, end = rng.choice((("[", "]"), ("{a=", "}"), ("{a.b=", "}"), ("[{a=", "}]"), ("(", ")")))
    keys = ".".join([rng.choice(("a", '"a"', "counters"))] * rng.choice((9, 2_000, 60_000)))
    many = rng.choice((999, 30_000))
    row = rng.choice(
        ("[[steps]]\nname='x'\n", "k{}=1\n", "[t{}]\n", "[counters.c{}]\nstart=-1\n", "[actions.a{}]\ndoes=['add']\n")
    )
    kinds: list[Any] = [
        f"x = {begin * depth}1{end * rng.choice((0, depth))}",
        f"{keys} = 1",
        f"[{keys}]",
        f"[[{keys}]]\n",
        HEAD + "".join(row.format(number) for number in range(many)),
        HEAD + "steps = [" + "0," * many + rng.choice(("", "]")),
        HEAD + "steps = [" + "{name='a'}," * many + rng.choice(("", "]")),
        HEAD + "[counters]\n" + "".join(f"c{n} = {{ also = {{ c{n + 1} = 1 }} }}\n" for n in range(59)) + "c59 = {}",
        HEAD + f'[counters."{quoted}"]\nstart = 1',
        f'name = "{quoted}"\ntitle = "{quoted}"\n[words]\n"{quoted}" = "{quoted}"',
        f"name = {words()}\n{words()} = 3\n[{words()}]",
        HEAD + f"[play]\nrounds = {rng.choice(('0x' + 'f' * 60_000, '9' * 5_000, '1e999999', 'nan', '9999-99-99'))}",
        HEAD + "[actions.x]\ndoes = ['add me " + "x" * 60_000 + " 1']",
        HEAD + "[end]\nwin = '" + rng.choice(("<", "a", "a ", "-", "≥")) * 60_000 + "'",
        HEAD + "[actions.x]\ntakes = '" + rng.choice(("[", "SEAT ", "a|", "N")) * 30_000 + "'",
        HEAD + "[sheet]\ncolumns=['a']\n[[sheet.points]]\nper = '" + "a -" * 20_000 + "'",
        HEAD + "[house.q]\nask='?'\nvalues = { a = {}, b = { '" + "counters." * 9_000 + "' = 1 } }",
        HEAD
        + "".join(f"[actions.{verb}]\n" for verb in ("seat", "add", "seal", "undo", "attack"))
        + "[actions.attack]",
        HEAD + 'x = """' + '\\"""' * 20_000,
        HEAD + "'" * rng.choice((1, 3, 60_001)),
        "#" * rng.choice((300_000, 3_000_000)),
        "\r" * 200_000 + words(),
    ]
    text = str(rng.choice(kinds))
    return text if rng.random() < 0.7 else text[: rng.randrange(len(text) + 1)] + words()


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(0, 200, 20))
def test_hostile_texts_end_in_sentences(seed: int) -> None:
    for number in range(seed, seed + 20):
        text = _hostile_text(Random(number))
        began = time.process_time()
        sentences = [str(fault) for fault in faults(text)]
        assert time.process_time() - began < 2, number
        assert len(sentences) <= 50, number
        assert not [sentence for sentence in sentences if len(sentence) > 1_000 or steers(sentence)], number


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[counters.life]", 'a-key-of-another-day = "x"\n[counters.life]'),
        ("[counters.life]\n", '[counters.life]\nglow = "bright"\n'),
        ('out = "<= 0"', 'out = "when nobody likes it"'),
        ("big = true", "big = 7"),
        ('does = ["add SEAT life -N"]', 'does = ["no such thing", "add SEAT life -N"]'),
    ],
)
def test_an_evening_opens_by_its_page_though_a_later_reader_would_refuse_that(before: str, after: str) -> None:
    text = (pages.READY / "life.toml").read_text(encoding="utf-8")
    assert before in text
    changed = text.replace(before, after, 1)
    with pytest.raises(PageError):
        load.game_from_text(changed)
    session = Session.new(load.game_from_text(changed, kept=True))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "set ana life 3", "next"):
        session.enter(line)
    assert session.view().counters_of("ana")
    assert session.state.round == 1
