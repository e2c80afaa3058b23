"""Conditions and what lines take: what is read from them, and what is refused with which sentence."""

import pytest

from companion.games.described.page.amounts import Name, Number, Standing
from companion.games.described.page.conditions import (
    Condition,
    depends_on_others,
    parse_condition,
    waits_for_others,
)
from companion.games.described.page.reading import PageError, read_description
from companion.games.described.page.takes import Taken, parse_takes
from companion.tabletop.action import NotationError


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("<= 0", Condition("", "", "<=", 0)),
        ("level >= 10", Condition("", "level", ">=", 10)),
        ("level>=10", Condition("", "level", ">=", 10)),
        ("Level ≥ 10", Condition("", "level", ">=", 10)),
        ("me life = −3", Condition("me", "life", "=", -3)),
        ("table time = night", Condition("table", "time", "=", "night")),
        ("table time <> night", Condition("table", "time", "!=", "night")),
        ("tricks < bid", Condition("", "tricks", "<", "bid")),
        ("me embers >= N", Condition("me", "embers", ">=", "N")),
        ("SEAT2 life == 0", Condition("SEAT2", "life", "=", 0)),
        ("THING damage-SEAT > 2", Condition("THING", "damage-SEAT", ">", 2)),
        ("me has crown", Condition("me", "", "has", "crown")),
        ("has first-player", Condition("", "", "has", "first-player")),
        ("each out", Condition("each", "", "out", "")),
        ("owner of THING outpost = 0", Condition("OWNER", "outpost", "=", 0)),
        ("Owner of THING2 life > me.life", Condition("OWNER2", "life", ">", "me.life")),
        ("owner of THING has not shield", Condition("OWNER", "", "has not", "shield")),
        ("owner of THING not out", Condition("OWNER", "", "not out", "")),
        ("out", Condition("", "", "out", "")),
        ("round >= 3", Condition("", "round", ">=", 3)),
        ("3 = round", Condition("", "", "=", "round", Number(3))),
        ("left gold < me.gold", Condition("left", "gold", "<", "me.gold")),
        ("me.gold > right gold", Condition("me", "gold", ">", "right.gold")),
        ("me gold >= SEAT gold", Condition("me", "gold", ">=", "SEAT.gold")),
        ("left has crown", Condition("left", "", "has", "crown")),
        ("bag left = 0", Condition("bag", "left", "=", 0)),
        ("me gold > power of THING", Condition("me", "gold", ">", "THING.power")),
        ("mill.water > 3", Condition("", "", ">", 3, Name("mill", "water"))),
        ("N > mill.water", Condition("", "N", ">", Name("mill", "water"))),
        ("any rank of gold = 1", Condition("any", "", "=", 1, Standing("rank", "", Name("", "gold")))),
        ("me.gold > most of others.gold", Condition("me", "gold", ">", Name("others", "gold", "most"))),
    ],
)
def test_a_condition_is_read(text: str, condition: Condition) -> None:
    assert parse_condition(text) == condition


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "“” is not a condition"),
        ("level", "“level” is not a condition"),
        ("level >= ", "is not a condition"),
        ("level >= 10 and life > 3", "is not a condition"),
        ("me >= 10", "does not say which counter of “me”"),
        ("the villain life = 0", "is not a condition"),
        ("me life =! 0", "“=!” is not a comparison"),
        ("me has", "is not a condition"),
        ("me has a crown", "is not a condition"),
        ("level >= 1,000", "is not a condition"),
        ("a" * 201, "at most 200 symbols"),
        ("left = 0", "does not say which counter of “left”"),
        ("me gold > others gold", "is not a condition"),
    ],
)
def test_what_is_no_condition_is_refused_with_examples(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_condition(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("text", "depends", "waits"),
    [
        ("bid <= hand", False, False),
        ("me.bid + round < 3", False, False),
        ("each.bid != hand", True, True),
        ("3 < others.bid", True, True),
        ("any bid = 3", True, True),
        ("bid != left.bid", True, True),
        ("ties of bid = 1", True, False),
        ("bid > most of others.bid", True, False),
        ("is no condition", False, False),
    ],
)
def test_a_limit_waits_only_for_what_all_must_have_said(text: str, depends: bool, waits: bool) -> None:
    assert depends_on_others(text) == depends
    assert waits_for_others(text) == waits


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("", ()),
        ("SEAT N", (Taken("SEAT", "SEAT"), Taken("N", "N"))),
        ("seat [n]", (Taken("SEAT", "SEAT"), Taken("N", "N", (), True))),
        (
            "SEAT [SEAT2 TEXT]",
            (Taken("SEAT", "SEAT"), Taken("SEAT2", "SEAT", (), True), Taken("TEXT", "TEXT", (), True)),
        ),
        (
            "THING red|blue a|b",
            (
                Taken("THING", "THING"),
                Taken("CHOICE", "choice", ("red", "blue")),
                Taken("CHOICE2", "choice", ("a", "b")),
            ),
        ),
    ],
)
def test_what_a_line_takes_is_read(text: str, taken: tuple[Taken, ...]) -> None:
    assert parse_takes(text) == taken


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("PLAYER", "“PLAYER” in “PLAYER” is not something that a line takes; write SEAT, N, THING"),
        ("SEAT SEAT", "must be called SEAT2"),
        ("SEAT2", "must be called SEAT"),
        ("[SEAT] N", "comes before “N”; put it last"),
        ("[SEAT", "brackets"),
        ("SEAT]", "brackets"),
        ("[[SEAT]]", "brackets"),
        ("red|red", "is not a choice between different words"),
        ("red|", "is not a choice between different words"),
        ("SEAT SEAT2 SEAT3 N N2 N3 TEXT", "at most 6 words, not 7"),
    ],
)
def test_what_no_line_takes_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_takes(text)
    assert sentence in str(error.value)


FOLLOWS = """
name = "a"
title = "A"
[counters.score]
[counters.verdict]
words = ["poor", "great"]
follows = "score"
from = [0, 6]
[actions.judge]
does = ["add me score 1"]
"""


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[0, 6]", "[0]", r"counters\.verdict\.words: Write as many words as there are values in from\."),
        ("[0, 6]", "[6, 0]", r"counters\.verdict\.from: Write the smallest value first, and each once\."),
        ('"score"\nfrom', '"scor"\nfrom', r"counters\.verdict\.follows: There is no counter “scor”"),
        ('"score"\nfrom', '"verdict"\nfrom', r"counters\.verdict\.follows: “verdict” is not a figure\."),
        ('follows = "score"\n', "", r"counters\.verdict\.from: This needs the counter that decides"),
        ("add me score 1", "set me verdict great", r"“verdict” follows score; change that\."),
        ("from =", 'reset = "round"\nfrom =', r"counters\.verdict\.reset: This counter follows another"),
    ],
)
def test_what_follows_another_counter_is_checked(old: str, new: str, sentence: str) -> None:
    with pytest.raises(PageError, match=sentence):
        read_description(FOLLOWS.replace(old, new, 1))
