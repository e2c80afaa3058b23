"""The table of the kinds of readings: each kind has an example that it wins, and equal kinds stand together."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Final

import pytest

from companion.games import registry
from companion.games.described import load
from companion.session.core.session import Session
from companion.session.reading.line_reading import PRECEDENCE, ReadingKind, read_line
from companion.session.reading.typed_line import tokenize
from companion.tabletop.action import AmbiguousLine

DUEL: Final = ("seat ana", "seat ben")
FIGHT: Final = (*DUEL, "seat cy", "bosses ana:AS", "active ana", "begin seed 1")
ARMED: Final = (
    *DUEL,
    "gear ana sword weapon power 3/1",
    "gear ben axe weapon power 2/1",
    "begin seed 1",
    *["next"] * 3,
)
LISTED: Final = (
    *DUEL,
    'lists ana "2 Fox | creature | Beast | 4/3"',
    'lists ben "2 Ash Wolf | creature | Beast | 4/3"',
)
DAYS: Final = """
name = "days"
[play]
players = "2"
[counters.time]
of = "table"
words = ["day", "night"]
"""

TABLES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "revision": ("decknforge", (*FIGHT, "reveal ana 9H")),
    "figure named like a verb": ("soulforger", ARMED),
    "whole verb": ("soulforger", ARMED),
    "whole verb behind other words": ("soulforger", ARMED),
    "begun verb without its things": ("soulforger", ARMED),
    "figures of a seat": ("knock", (*DUEL, "first ana", "begin seed 1")),
    "figure of a round": ("tricks", ("seat ana", "seat ben", "seat cy", "begin seed 1")),
    "answer": ("oddfrontier", (*LISTED, "begin seed 1", "next", "next")),
    "card out of turn": ("oddfrontier", (*LISTED, "begin seed 1")),
    "unknown names in a whole line": ("soulforger", ARMED),
}
"""Games and lines of the tables at which the examples are read; the others are read in a fight of DecknForge."""


def table_of(kind: ReadingKind) -> Session:
    game, lines = TABLES.get(kind.name, ("decknforge", FIGHT))
    if kind.name == "word of the table":
        session, lines = Session.new(load.game_from_text(DAYS)), (*DUEL, "first ana", "begin seed 1")
    else:
        session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return session


@pytest.mark.parametrize("kind", PRECEDENCE, ids=lambda kind: kind.name)
def test_each_kind_wins_its_own_example(kind: ReadingKind) -> None:
    line = tokenize(kind.example, table_of(kind))
    ranks = (tuple(each for each in kinds if each.applies_to(line)) for _, kinds in groupby(PRECEDENCE, rank_of))
    assert kind in next(filter(None, ranks))


def rank_of(kind: ReadingKind) -> int:
    return kind.rank


def test_kinds_stand_in_the_order_of_their_ranks() -> None:
    assert all(after.rank - before.rank in (0, 1) for before, after in pairwise(PRECEDENCE))
    assert len({kind.name for kind in PRECEDENCE}) == len(PRECEDENCE)


def test_equal_kinds_that_differ_are_asked_about() -> None:
    session = Session.new(registry.game("oddfrontier"))
    for line in (*DUEL, 'lists ana "2 Engine Master | creature | Beast | 4/3"', "begin seed 1", "next", "next"):
        session.enter(line)
    with pytest.raises(AmbiguousLine) as question:
        read_line("eng", session)
    assert question.value.lines == ("engine ana", "summon ana engine-master 4/3")
