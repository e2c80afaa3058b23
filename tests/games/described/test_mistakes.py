"""Mistakes planted in a whole page, one in each: `check` finds every one on its line, and names the thing."""

from __future__ import annotations

import random
import re
from typing import Final, NamedTuple

import pytest

from companion.games import registry
from companion.games.described.page.reading import LineFault, PageError, read_description
from tests.games.described import pages

WHOLE: Final = """\
name = "keep"
title = "The Keep"
by = "Ana"
edition = 2
about = "Four knights hold a keep."
[play]
players = "2-4"
order = "bid"
by = "speed"
rounds = "[6, 5, 4] by players"
teams = 2
team-titles = ["Sun", "Moon"]
[[steps]]
name = "dawn"
do = "Draw two cards."
[[steps]]
name = "day"
[counters.life]
start = 20
most = 30
out = "<= 0"
big = true
[counters.speed]
start = "2 * players"
[counters.coins]
each = 2
at = "dawn"
[counters.wealth]
sum = ["life", "coins"]
[counters.wounds]
of = "rival"
also = { life = -1 }
[counters.banner]
of = "team"
[counters.sky]
of = "table"
words = ["clear", "storm"]
[counters.power]
of = "guard"
[counters.price]
of = "guard"
start = "[1, 2, 3] by round"
[flags.tired]
of = "guard"
reset = "turn"
[flags.cursed]
remind = "You are cursed."
[tokens.crown]
start = "first"
passes = "round"
at = "dawn"
[things.guard]
zone = "wall"
list = [{ name = "Old Tom", figures = { power = 3 } }]
[zones.wall]
of = "seat"
lanes = 3
[pools.night]
at = "dawn"
cards = [
    { name = "Wolf", copies = 3, puts = "guard", figures = { power = 2 } },
    { name = "Storm", does = ["set table sky storm"] },
]
[pools.deck]
drawn = "cards"
size = "10 * players"
[actions.strike]
title = "A guard strikes"
tell = "THING strikes SEAT."
takes = "THING SEAT N [red|blue]"
titles = { N = "Arrows" }
when = ["me has THING", "me coins >= 2", "table sky = clear"]
costs = { coins = "THING.price + 1" }
does = [
    "add SEAT life -THING.power * 2",
    "set THING tired yes",
    "give crown me",
    "move THING zone wall lane 2",
    "draw night for me",
]
steps = ["day"]
once = "turn"
sure = "Really?"
[actions.hire]
takes = "TEXT"
when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]
does = [
    "put TEXT guard of me",
    "set TEXT tired yes",
    "add me coins [6, 3] by rank of life + [1, 2] by ties of coins from 1",
    "add each coins most of others.life - old-tom.power + me.wall",
]
[actions.storm]
whose = "table"
does = ["set table sky storm"]
[sheet]
columns = ["bid", "tricks"]
counts = "points"
sum = { tricks = "round" }
at = { bid = "dawn" }
of = { tricks = "crown" }
secret = ["bid"]
[[sheet.points]]
when = "tricks = bid"
points = "10 + 2 * tricks"
[[sheet.points]]
when = ["tricks < bid", "bid > 1"]
per = "bid - tricks"
times = -5
[end]
win = "life >= 30"
over = "coins >= 50"
most = "life"
all-lose = ["table sky = storm", "each out"]
[decks]
kind = "inscribed"
called = "band"
counts = { slain = "Slain" }
tear-up = true
inscriptions = [
    { number = 1, name = "Sharp", tier = "gold", price = 3 },
    { number = 2, name = "Blunt", text = "It is blunt." },
]
[decks.tiers.gold]
mark = "▲"
colour = "#6A1E86"
[[decks.form]]
name = "motto"
ask = "What is its motto?"
[purse]
counter = "coins"
[[after]]
name = "reward"
ask = "Which inscription is won?"
kind = "inscribe"
who = "winner"
tier = ["gold"]
[[after]]
name = "count"
ask = "How many were slain?"
kind = "count"
counts = "slain"
[house.short]
ask = "A short game?"
values = { no = {}, yes = { "counters.life.start" = 10 } }
[words]
keep = "A tower with a wall."
[rules]
"1.2" = "Nobody strikes twice."
[language.de]
"The Keep" = "Der Turm"
"THING strikes SEAT." = "THING schlägt SEAT."
"""


class Mistake(NamedTuple):
    """A line of the page, what stands there instead, what is said, and the line at which, if it is another one."""

    line: str
    instead: str
    sentence: str
    at: str = ""


MISTAKES: Final = (
    # the head
    Mistake(
        'name = "keep"', 'name = "The Keep"', "write a word of small letters and digits, joined by -, such as the-keep"
    ),
    Mistake('title = "The Keep"', 'titel = "The Keep"', "“titel” is not a key of a page; did you mean title?"),
    Mistake("edition = 2", "edition = 0", "0 cannot stand here"),
    Mistake('by = "Ana"', 'by = "Ana', 'The quotation mark before “"Ana” is never closed'),
    # play
    Mistake('players = "2-4"', 'players = "4-2"', "begins with the larger number; write 2-4"),
    Mistake('order = "bid"', 'order = "bidding"', "“bidding” is not one of"),
    Mistake('by = "speed"', 'by = "sped"', "There is no counter “sped”"),
    Mistake('rounds = "[6, 5, 4] by players"', 'rounds = "[6, 5, 4] by player"', "“player”"),
    Mistake("teams = 2", "teams = 5", "with up to 4 players"),
    Mistake('team-titles = ["Sun", "Moon"]', 'team-titles = ["Sun", "Moon", "Star"]', "team"),
    # steps
    Mistake('name = "day"', 'name = "dawn"', "“dawn” is listed twice"),
    Mistake('do = "Draw two cards."', "do = 2", "2 cannot stand here"),
    Mistake('do = "Draw two cards."', 'does = "Draw two cards."', "“does” is not a key here"),
    # counters, amounts, conditions
    Mistake("start = 20", "start = 40", "It starts at 40, which is above 30"),
    Mistake("most = 30", 'most = "Thirty!"', "“Thirty!” cannot stand here"),
    Mistake("most = 30", 'most = "thirty"', "There is no counter “thirty” of a seat"),
    Mistake("most = 30", 'most = "sky"', "“sky” is a counter of the table, not of a seat"),
    Mistake("most = 30", 'most = "life"', "“life” would be its own maximum"),
    Mistake("also = { life = -1 }", 'most = "life"', "Only a figure of its own has a counter as its maximum"),
    Mistake('out = "<= 0"', 'out = "< 0"', "never falls below 0"),
    Mistake("big = true", "big = yes", "yes"),
    Mistake('start = "2 * players"', 'start = "2 * plyers"', "“plyers”"),
    Mistake('start = "2 * players"', 'start = "2 * (players"', "“2 * (players”"),
    Mistake('at = "dawn"', 'at = "noon"', "There is no step “noon”"),
    Mistake(
        'sum = ["life", "coins"]', 'sum = ["life", "coin"]', "There is no counter “coin” of a seat; did you mean coins?"
    ),
    Mistake("also = { life = -1 }", "also = { lif = -1 }", "There is no counter “lif” of a seat; did you mean life?"),
    Mistake('of = "rival"', 'of = "rivals"', "There is no owner “rivals”; did you mean rival?"),
    Mistake('of = "team"', 'of = "teem"', "There is no owner “teem”; did you mean team?"),
    Mistake('words = ["clear", "storm"]', 'words = ["clear", "clear"]', "two different words"),
    Mistake('start = "[1, 2, 3] by round"', 'start = "[1, 2, 3] by rond"', "“rond”"),
    Mistake("[counters.banner]", "[counters.life2.x]", "“x” is not a key here"),
    # flags and tokens
    Mistake('reset = "turn"', 'reset = "trun"', "There is no step “trun”; did you mean turn?"),
    Mistake('remind = "You are cursed."', 'remind = ["You are cursed."]', "cannot stand here"),
    Mistake("[flags.cursed]", "[flags.coins]", "“coins” is in [counters], too"),
    Mistake('start = "first"', 'start = "frist"', "“frist” is not one of"),
    Mistake('passes = "round"', 'passes = "rounds"', "“rounds” is not one of"),
    # things, zones, pools
    Mistake('zone = "wall"', 'zone = "wal"', "There is no zone “wal”; did you mean wall?"),
    Mistake(
        'list = [{ name = "Old Tom", figures = { power = 3 } }]',
        'list = [{ name = "Old Tom", figures = { powr = 3 } }]',
        "There is no counter “powr” of “guard”; did you mean power?",
    ),
    Mistake("lanes = 3", "lanes = -3", "-3 cannot stand here"),
    Mistake('of = "seat"', 'of = "seats"', "“seats” is not one of"),
    Mistake(
        '    { name = "Wolf", copies = 3, puts = "guard", figures = { power = 2 } },',
        '    { name = "Wolf", copies = 3, puts = "gard", figures = { power = 2 } },',
        "There is no kind of thing “gard”; did you mean guard?",
    ),
    Mistake(
        '    { name = "Storm", does = ["set table sky storm"] },',
        '    { name = "Wolf", does = ["set table sky storm"] },',
        "copies says how many",
    ),
    Mistake(
        '    { name = "Storm", does = ["set table sky storm"] },',
        '    { name = "Storm", does = ["set table sky strom"] },',
        "There is no word of this counter “strom”; did you mean storm?",
    ),
    Mistake('size = "10 * players"', 'size = "10 * coins"', "“coins” cannot stand here; only round and players can"),
    Mistake('size = "10 * players"', 'size = "10"', "cannot stand here"),
    # actions
    Mistake('tell = "THING strikes SEAT."', 'tell = "THING2 strikes SEAT."', "THING2"),
    Mistake('titles = { N = "Arrows" }', 'titles = { N2 = "Arrows" }', "There is no parameter “N2”"),
    Mistake('takes = "THING SEAT N [red|blue]"', 'takes = "THNG SEAT N [red|blue]"', "“THNG”"),
    Mistake(
        'when = ["me has THING", "me coins >= 2", "table sky = clear"]',
        'when = ["me has THING", "me coins >= 2", "table sky = cloudy"]',
        "There is no word of this counter “cloudy”",
    ),
    Mistake(
        'when = ["me has THING", "me coins >= 2", "table sky = clear"]',
        'when = ["me has crwn", "me coins >= 2"]',
        "“crwn”; did you mean crown?",
    ),
    Mistake(
        'costs = { coins = "THING.price + 1" }', 'costs = { coins = "THING.prise + 1" }', "“prise”; did you mean price?"
    ),
    Mistake('costs = { coins = "THING.price + 1" }', "costs = { coin = 1 }", "There is no counter “coin” of a seat"),
    Mistake('    "add SEAT life -THING.power * 2",', '    "ad SEAT life -THING.power * 2",', "did you mean add?"),
    Mistake('    "add SEAT life -THING.power * 2",', '    "add SEAT2 life -THING.power * 2",', "speaks of SEAT2"),
    Mistake('    "set THING tired yes",', '    "set THING tird yes",', "“tird”; did you mean tired?"),
    Mistake('    "give crown me",', '    "give crown others",', "“others” is nobody here"),
    Mistake('    "move THING zone wall lane 2",', '    "move THING wall",', "write “move THING zone wall”"),
    Mistake('    "draw night for me",', '    "draw knight for me",', "There is no pool “knight”; did you mean night?"),
    Mistake('steps = ["day"]', 'steps = ["days"]', "There is no step “days”; did you mean day?"),
    Mistake('once = "turn"', 'once = "week"', "“week” is not one of game, round, turn"),
    Mistake('sure = "Really?"', "sure = true", "true cannot stand here"),
    Mistake('whose = "table"', 'whose = "tabel"', "“tabel” is not one of any, table, turn; did you mean table?"),
    Mistake('does = ["set table sky storm"]', 'does = ["add me life 1"]', "has no acting player"),
    # ranks, ties and numbers of things
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["me gaurd < 3"]',
        "There is no counter “gaurd” of a seat; did you mean guard?",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["me guard < 0"]',
        "never falls below 0",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["me wall > 3"]',
        "never rises above 3",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rank of coin = 1"]',
        "There is no counter “coin”; did you mean coins?",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rank of each.coins = 1"]',
        "write “rank of coins”",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rank of 3 = 1"]',
        "“rank of 3” compares nothing",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rank of coins > 4"]',
        "This never holds",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["table rank of sky = 1"]',
        "“rank of sky” compares players",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rank of SEAT.coins = 1"]',
        "speaks of SEAT",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rank of them.coins = 1"]',
        "“them” in",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["left coin < me coins"]',
        "There is no counter “coin” of a seat",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["left coins < me coin"]',
        "There is no counter “coin” of a seat",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["round = 0"]',
        "This never holds",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["players > 4"]',
        "This never holds",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["rounds2 >= 2"]',
        "There is no counter “rounds2”",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["night left = coin"]',
        "There is no counter “coin”; did you mean coins?",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["old-tim.power > 2"]',
        "“old-tim” in",
    ),
    Mistake(
        'when = ["me guard < 3", "table wall <= 9", "rank of coins = 1", "left coins < me coins", "round >= 2"]',
        'when = ["old-tom.powr > 2"]',
        "There is no counter “powr” of “guard”; did you mean power?",
    ),
    Mistake('    "put TEXT guard of me",', '    "put TEXT gard of me",', "There is no kind of thing “gard”"),
    Mistake('    "set TEXT tired yes",', '    "set TEXT cursed yes",', "“cursed”"),
    Mistake(
        '    "add me coins [6, 3] by rank of life + [1, 2] by ties of coins from 1",',
        '    "add me coins [6, 3] by rank of lif",',
        "There is no counter “lif”; did you mean life?",
    ),
    Mistake(
        '    "add me coins [6, 3] by rank of life + [1, 2] by ties of coins from 1",',
        '    "add me coins [6, 3] by rank of",',
        "is not a whole amount",
    ),
    Mistake(
        '    "add me coins [6, 3] by rank of life + [1, 2] by ties of coins from 1",',
        '    "add me coins [6, 3] by life from coins",',
        "because of “coins”",
    ),
    Mistake(
        '    "add me coins [6, 3] by rank of life + [1, 2] by ties of coins from 1",',
        '    "add old-tom power rank of power",',
        "“rank of power” compares players",
    ),
    Mistake(
        '    "add me coins [6, 3] by rank of life + [1, 2] by ties of coins from 1",',
        '    "add me guard 1",',
        "There is no counter “guard” of a seat",
    ),
    Mistake(
        '    "add each coins most of others.life - old-tom.power + me.wall",',
        '    "add each coins most of me.life",',
        "write “most of each.life” or “most of others.life”",
    ),
    Mistake(
        '    "add each coins most of others.life - old-tom.power + me.wall",',
        '    "add each coins fewest of others.lif",',
        "There is no counter “lif” of a seat",
    ),
    Mistake(
        '    "add each coins most of others.life - old-tom.power + me.wall",',
        '    "add old-tom power guard",',
        "only players and the table have things",
    ),
    # the sheet
    Mistake('columns = ["bid", "tricks"]', 'columns = ["bid", "bid"]', "is listed twice"),
    Mistake('counts = "points"', 'counts = "power"', "“power”"),
    Mistake(
        'sum = { tricks = "round" }', 'sum = { trick = "round" }', "There is no column “trick”; did you mean tricks?"
    ),
    Mistake('at = { bid = "dawn" }', 'at = { bid = "down" }', "There is no step “down”; did you mean dawn?"),
    Mistake('of = { tricks = "crown" }', 'of = { tricks = "crow" }', "There is no token “crow”; did you mean crown?"),
    Mistake('secret = ["bid"]', 'secret = ["bids"]', "There is no column “bids”; did you mean bid?"),
    Mistake('when = "tricks = bid"', 'when = "trick = bid"', "There is no column “trick”; did you mean tricks?"),
    Mistake('points = "10 + 2 * tricks"', 'points = "10 + 2 * trick"', "“trick”"),
    Mistake('per = "bid - tricks"', 'per = "bid - trick"', "“trick”"),
    Mistake("times = -5", 'times = "-5"', "-5"),
    # how it ends
    Mistake('win = "life >= 30"', 'win = "lief >= 30"', "There is no counter “lief”"),
    Mistake('over = "coins >= 50"', 'over = "coins over 50"', "“coins over 50” is not a condition"),
    Mistake('most = "life"', 'most = "live"', "There is no counter “live”"),
    Mistake('all-lose = ["table sky = storm", "each out"]', 'all-lose = ["life >= 9"]', "does not say whose"),
    Mistake('all-lose = ["table sky = storm", "each out"]', 'all-loose = ["each out"]', "did you mean all-lose?"),
    # decks
    Mistake('kind = "inscribed"', 'kind = "inscripted"', "did you mean inscribed?"),
    Mistake('counts = { slain = "Slain" }', "counts = { slain = 3 }", "3 cannot stand here"),
    Mistake("tear-up = true", "least = 3", 'This works only with kind = "list"'),
    Mistake(
        '    { number = 1, name = "Sharp", tier = "gold", price = 3 },',
        '    { number = 1, name = "Sharp", tier = "golden", price = 3 },',
        "There is no tier “golden”; did you mean gold?",
    ),
    Mistake(
        '    { number = 2, name = "Blunt", text = "It is blunt." },',
        '    { number = 1, name = "Blunt", text = "It is blunt." },',
        "1 belongs to “Sharp” permanently",
    ),
    Mistake('colour = "#6A1E86"', 'colour = "purple"', "“purple” cannot stand here"),
    Mistake('ask = "What is its motto?"', "", "ask is missing", "[[decks.form]]"),
    # purse and after
    Mistake('counter = "coins"', 'counter = "coin"', "There is no counter “coin” of a seat; did you mean coins?"),
    Mistake('who = "winner"', 'who = "winer"', "“winer”; did you mean winner?"),
    Mistake('tier = ["gold"]', 'tier = ["god"]', "There is no tier “god”; did you mean gold?"),
    Mistake('kind = "inscribe"', 'kind = "inscribed"', "“inscribed” is not one of"),
    Mistake('counts = "slain"', 'counts = "slane"', "“slane”; did you mean slain?"),
    Mistake('name = "count"', 'name = "reward"', "“reward” is listed twice"),
    # house rules, words, rules, languages
    Mistake(
        'values = { no = {}, yes = { "counters.life.start" = 10 } }',
        'values = { no = {}, yes = { "counters.lief.start" = 10 } }',
        "The page has no “counters.lief.start”; did you mean life?",
    ),
    Mistake(
        'values = { no = {}, yes = { "counters.life.start" = 10 } }',
        'values = { no = {}, yes = { "counters.life.start" = 90 } }',
        "It starts at 90, which is above 30",
    ),
    Mistake(
        'values = { no = {}, yes = { "counters.life.start" = 10 } }', "values = { no = {} }", "at least two values"
    ),
    Mistake('keep = "A tower with a wall."', "keep = 3", "3 cannot stand here"),
    Mistake(
        '"1.2" = "Nobody strikes twice."', '1.2 = "Nobody strikes twice."', "A key with a dot stands in quotation marks"
    ),
    Mistake('"The Keep" = "Der Turm"', '"The Kep" = "Der Turm"', "The page has no such text; did you mean “The Keep”?"),
    Mistake('"THING strikes SEAT." = "THING schlägt SEAT."', '"THING strikes SEAT." = "THING schlägt."', "SEAT"),
    Mistake("[language.de]", "[language.german]", "“german” cannot stand here; write the code of a language"),
    Mistake("[zones.wall]", "[zone.wall]", "“zone” is not a key of a page; did you mean zones?"),
)


def read_faults(text: str) -> tuple[LineFault, ...]:
    """All that is wrong with a page."""
    try:
        read_description(text)
    except PageError as error:
        return error.faults
    return ()


def test_the_whole_page_has_no_mistake() -> None:
    assert [f"{fault.line}: {fault.key}: {fault.text}" for fault in read_faults(WHOLE)] == []


def test_mistakes_are_planted_in_every_section() -> None:
    sections = set(re.findall(r"^\[+([a-z]+)", WHOLE, re.MULTILINE))
    lines = WHOLE.splitlines()
    owners: dict[str, set[str]] = {}
    section = ""
    for line in lines:
        heading = re.match(r"\[+([a-z]+)", line)
        section = heading[1] if heading else section
        owners.setdefault(line, set()).add(section)
    assert sections - set[str]().union(*(owners[mistake.line] for mistake in MISTAKES)) == set()
    assert len(MISTAKES) >= 70


@pytest.mark.parametrize("mistake", MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_found_on_its_line(mistake: Mistake) -> None:
    lines = WHOLE.splitlines()
    number = lines.index(mistake.line) + 1
    lines[number - 1] = mistake.instead
    expected = lines.index(mistake.at) + 1 if mistake.at else number
    all_faults = read_faults("\n".join(lines) + "\n")
    assert [fault for fault in all_faults if fault.line == expected and mistake.sentence in str(fault.text)], [
        f"{fault.line} (not {expected}): {fault.key}: {fault.text}" for fault in all_faults
    ]


_KEY: Final = re.compile(
    r'(?<![\w"-])(?P<key>[a-z][a-z0-9-]*)(?P<is> *= *)(?P<value>"[^"\n]*"|-?\d+|true|false|\[[^\[\]\n]*\])'
)
_OTHER_VALUES: Final = ("3", "-7", "1.5", '"x"', "true", "[]", '["x"]', "{}", "{ x = 1 }", "[[1]]", "1979-05-27")


def slips(text: str) -> list[str]:
    """The page with one key left out, renamed by a letter, or with a value of another type."""
    texts = []
    for match in _KEY.finditer(text):
        start, end = match.span()
        renamed = match["key"][:-1] + ("x" if match["key"][-1] != "x" else "y")
        others = [f"{match['key']}{match['is']}{value}" for value in _OTHER_VALUES]
        texts += [text[:start] + new + text[end:] for new in ("", f"{renamed}{match['is']}{match['value']}", *others)]
    return texts


def check_slip(text: str) -> None:
    """A page is valid, or each of its faults has a line inside it and says something."""
    for fault in read_faults(text):
        assert 1 <= fault.line <= text.count("\n") + 1, fault
        assert str(fault.text).endswith((".", "?", "!", ")", "”")), str(fault.text)


@pytest.mark.parametrize("name", [*pages.NAMES, "whole"])
def test_a_slip_of_any_key_ends_in_sentences(name: str) -> None:
    for text in random.Random(name).sample(slips(_text_of(name)), 40):
        check_slip(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*pages.NAMES, "whole"])
def test_every_slip_of_every_key_ends_in_sentences(name: str) -> None:
    for text in slips(_text_of(name)):
        check_slip(text)


def _text_of(name: str) -> str:
    return WHOLE if name == "whole" else registry.ready_text(name) or ""
