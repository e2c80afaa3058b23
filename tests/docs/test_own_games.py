"""Every page, fragment and recipe of docs/own-games.md can be written into a page as it stands there."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator
from typing import Final

import pytest

from companion.games.described.check import play_random
from companion.games.described.game import DescribedGame
from companion.games.described.page.reading import PageError, read_description
from tests.docs import documents

DOCUMENT: Final = documents.DOCS / "own-games.md"
BLOCKS: Final = tuple(documents.blocks(DOCUMENT))

STUBS: Final = """
[play]
players = "2-6"
[[steps]]
name = "draw"
[[steps]]
name = "dusk"
[[steps]]
name = "dawn"
[counters.life]
[counters.coins]
[counters.wood]
[counters.health]
[counters.oil]
[counters.level]
[counters.gear]
[counters.gold]
[counters.farms]
[counters.points]
[counters.experience]
[counters.power]
of = "creature"
[counters.fire]
of = "table"
[counters.villain]
of = "table"
[counters.threat]
of = "table"
[counters.water]
of = "place"
[tokens.dealer]
[tokens.declarer]
[things.creature]
[things.place]
list = [{ name = "Old Mill" }]
[zones.row]
[pools.night]
cards = [{ name = "Gust" }]
"""
"""What fragments and recipes speak of, unless they say it themselves."""

CAMPAIGN: Final = """
[campaign.scenarios.mill]
start = true
[campaign.scenarios.inn]
[campaign.unlocks.key]
"""
DECKS: Final = """
[decks]
kind = "inscribed"
counts = { experience = "Experience" }
"""

GRANTED: Final = {
    "damage that a creature takes": '[counters.health]\nof = "creature"',
    "monsters whose health": '[counters.level]\nof = "table"\n[things.monster]',
    "cards that have prices": '[counters.cost]\nof = "creature"',
    "bids in secret": '[[steps]]\nname = "bid"\n[sheet]\ncolumns = ["bid"]',
    "bids one after the other": '[[steps]]\nname = "bid"',
    "bids, tricks and points": "[[sheet.points]]\npoints = 10",
    "bids that decide the order": "[counters.offer]",
    "turns by initiative": '[[steps]]\nname = "choose"\nof = "round"',
    "with monsters between": '[[steps]]\nname = "choose"\nof = "round"',
    "must not come to the number": '[play]\nhand = 7\n[[steps]]\nname = "bid"',
    "one player against all": '[sheet]\ncolumns = ["value"]',
    "creatures with power": '[counters.health]\nof = "creature"',
    "a score sheet for each team": '[play]\nteams = 2\n[sheet]\ncolumns = ["tricks"]',
    "a total for each team": "[play]\nteams = 2",
    "written on permanently": '[[decks.inscriptions]]\nnumber = 1\nname = "Glow"',
    "a legacy campaign": CAMPAIGN,
    "gold of the whole group": f'{CAMPAIGN}[counters.gold]\nof = "table"',
    "heroes who retire": f'{DECKS}[[after]]\nname = "leave"\nask = "Who?"',
    "experience that is counted": f'{DECKS}[[after]]\nname = "learn"\nask = "How much?"',
    "health up to the health": '[things.hero]\n[counters.body]\nof = "hero"',
    "6 points for the most": '[sheet]\ncolumns = ["rolls"]\n[counters.rolls]',
    "divided among those": '[sheet]\ncolumns = ["rolls"]\n[counters.rolls]',
    "a table that begins with 0": '[sheet]\ncolumns = ["sets"]',
    "against both neighbours": '[sheet]\ncolumns = ["shields"]',
    "bids that all differ": '[sheet]\ncolumns = ["bid"]',
    "on the bench": '[things.beast]\nzone = "bench"',
    "who has a guard": '[things.guard]\n[actions.try]\ntakes = "SEAT"',
    "on the kind of monster": '[counters.level]\nof = "table"',
    "initiative a card says": '[[steps]]\nname = "choose"\nof = "round"',
    "counted once, at the end": '[play]\nrounds = 3\n[sheet]\ncolumns = ["puddings"]',
    "follows the score": "[counters.score]",
    "one thing in front": '[things.beast]\n[zones.bench]\n[actions.replace]\ntakes = "THING THING2"',
    "grows into another one": '[actions.try]\ntakes = "THING TEXT"',
    "can be attacked either": "[counters.guard]",
    "opens others when it is done": f'{CAMPAIGN}[[after]]\nname = "done"\nask = "Which?"',
}
"""What a recipe takes for granted, by a part of its name."""

HOMES: Final = {
    "win": "[end]",
    "takes": "[actions.try]",
    "costs": "[actions.try]",
    "does": "[actions.try]",
    "when": "[actions.try]",
    "points": "[[sheet.points]]",
    "limit": "[sheet]",
    "suits": "",
}
"""Where keys belong that a recipe names without their heading."""

_HEAD: Final = re.compile(r"\[+[a-z][a-z0-9.-]*\]+")
_KEY: Final = re.compile(r"([a-z][a-z-]*) = .+")
_ROW: Final = re.compile(r"^\| ([^|`]+?) \| (.*`.+) \|$", re.MULTILINE)
_BELOW: Final = re.compile(r"below \[?`$")

Sections = dict[str, dict[str, str]]
"""The keys of a page with their lines, by heading; of headings in two brackets each has a number behind it."""


def parts_of_page(text: str) -> Sections:
    """The parts of a page, or of a fragment."""
    parts: Sections = {"": {}}
    head = ""
    key = ""
    for line in text.splitlines():
        plain = line.partition(" #")[0].strip()
        if _HEAD.fullmatch(plain):
            head = f"{plain} {len(parts)}" if plain.startswith("[[") else plain
            parts[head] = {}
        elif match := re.match(r'("[^"]+"|[A-Za-z0-9.-]+) = ', line):
            key = match[1]
            parts[head][key] = line
        elif plain and key:
            parts[head][key] += f"\n{line}"
    return parts


def page_of(*several: Sections) -> str:
    """A page of several parts, of which the first ones win."""
    whole: Sections = {"": {"name": 'name = "page"', "title": 'title = "Page"'}}
    for parts in reversed(several):
        for numbered, keys in parts.items():
            plain = numbered.partition(" ")[0]
            head = plain if plain in several[0] else numbered
            whole[head] = {**whole.get(head, {}), **keys}
    return "\n".join("\n".join((head.partition(" ")[0], *keys.values())) for head, keys in whole.items())


def recipes() -> Iterator[tuple[str, Sections]]:
    """The recipes: what a game has, and the keys for it. One that begins with … goes on with the one before."""
    text = DOCUMENT.read_text(encoding="utf-8")
    table = text[text.index("## Recipes") : text.index("Players can enter everything")]
    before: Sections = {}
    for title, keys in _ROW.findall(table):
        parts = {head: dict(lines) for head, lines in before.items()} if title.startswith("…") else {}
        head = next(reversed(parts), None)
        spans = keys.replace("\\|", "|").split("`")
        waiting: dict[str, str] = {}
        for before_span, span in zip(spans[::2], spans[1::2], strict=False):
            if re.search(r"[,;]|and", before_span):
                waiting = {}
            if _HEAD.fullmatch(span) and before_span.endswith(("below ", "below [")):
                for key in waiting:
                    parts[head or ""].pop(key)
                parts.setdefault(span, {}).update(waiting)
            elif _HEAD.fullmatch(span):
                head = span
                parts.setdefault(span, {})
            elif match := _KEY.fullmatch(span):
                if head is None or match[1] == "win":
                    head = HOMES.get(match[1], head)
                parts.setdefault(head or "", {})[match[1]] = waiting[match[1]] = span
        if parts:
            yield title, parts
        before = parts


def faults(page: str) -> list[str]:
    """What is wrong with a page."""
    tomllib.loads(page)
    try:
        read_description(page)
    except PageError as error:
        return [f"{fault.line}: {fault.key}: {fault.text}" for fault in error.faults]
    return []


@pytest.mark.parametrize(("title", "parts"), [pytest.param(*each, id=each[0]) for each in recipes()])
def test_a_recipe_can_be_written_into_a_page(title: str, parts: Sections) -> None:
    granted = [parts_of_page(text) for begun, text in GRANTED.items() if begun in title]
    page = page_of(parts, *granted, parts_of_page(STUBS))
    assert faults(page) == [], page


def fragments() -> Iterator[str]:
    """The fragments of pages, also those in a list."""
    for _, text in re.findall(
        r"^( *)```\n(.*?)^\1```$", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        fragment = textwrap.dedent(text)
        if re.search(r"^\[", fragment, re.MULTILINE):
            yield fragment


@pytest.mark.parametrize("text", [pytest.param(text, id=text.splitlines()[0]) for text in fragments()])
def test_a_fragment_can_be_written_into_a_page(text: str) -> None:
    if "#" in text.splitlines()[0]:
        tomllib.loads(text)  # it explains how pages are written, by lines of several parts
        return
    whole = parts_of_page(next(block.text for block in BLOCKS if block.kind == "toml"))
    parts = parts_of_page(text)
    if "language" in text:
        others = [
            parts_of_page(page_of(whole).replace("Draw a card.", "Zieh eine Karte.")) if "written-in" in text else whole
        ]
    else:
        others = [parts_of_page('[sheet]\ncolumns = ["bid", "tricks"]'), parts_of_page(STUBS)][
            0 if "[[sheet" in text else 1 :
        ]
    page = page_of(parts, *others)
    assert faults(page) == [], page


def test_whole_pages_are_played_without_a_finding() -> None:
    whole = [block for block in BLOCKS if block.kind == "toml"]
    assert [block.name for block in whole] == ["keepers.toml", "rolls.toml"]
    for block in whole:
        assert play_random(DescribedGame(read_description(block.text)), 40) == ()
