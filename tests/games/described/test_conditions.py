"""Conditions and what lines take: what is read from them, and what is refused with which sentence."""

import pytest

from companion.games.described.page.conditions import Condition, parse_condition
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
        ("out", Condition("", "", "out", "")),
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
        ("they has crown", "“they” in “they has crown” is nobody that a condition can be about"),
        ("the villain life = 0", "is not a condition"),
        ("me life =! 0", "“=!” is not a comparison"),
        ("me has", "is not a condition"),
        ("me has a crown", "is not a condition"),
        ("level >= 1,000", "is not a condition"),
        ("a" * 201, "at most 200 symbols"),
    ],
)
def test_what_is_no_condition_is_refused_with_examples(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_condition(text)
    assert sentence in str(error.value)


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
