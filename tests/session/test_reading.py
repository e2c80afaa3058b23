"""What typed words mean at a table, without a screen."""

import pytest

from companion.games.action import Action, NotationError
from companion.games.cards import Card
from companion.games.decknforge.actions import Reveal
from companion.session import reading
from companion.session.replay import Replay
from companion.session.session import Session


def table(*lines: str, seats: tuple[str, ...] = ("ana", "ben", "cy")) -> Session:
    begin = (*(f"seat {seat}" for seat in seats), "bosses ana:AS", "active ana", "begin seed 1")
    replay = Replay("\n".join(("table decknforge", *begin, *lines)))
    assert not [told.failure for told in replay if told.failure]
    return replay.session


def read(text: str, session: Session | None = None) -> tuple[Action, ...]:
    return reading.read(text, session or table())


def test_all_cards_may_follow_the_line_that_enter_began() -> None:
    assert read("reveal ana 9c 7c 8d") == read("9c 7c 8d")
    assert read("Reveal ANA 9c 7c") == (Reveal("ana", Card("9C")), Reveal("ben", Card("7C")))


def test_one_card_behind_that_line_is_that_wizards_alone() -> None:
    assert read("reveal ana 9c") == (Reveal("ana", Card("9C")),)
    assert read("reveal cy 8d") == (Reveal("cy", Card("8D")),)


TACTICS = ("reveal ana 9H", "reveal ben 3C", "reveal cy 4D")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("brace 5h", "brace ana pay 5H"),
        ("brace cy 5h", "brace cy pay 5H"),
        ("sp 6c", "spike ana pay 6C"),
        ("s 6c", "spike ana pay 6C"),
        ("snipe cy qd", "snipe ana cy pay QD"),
        ("p", "pass ana"),
        ("n", "next"),
        ("note Ana laughs # at Ben", 'note "Ana laughs"'),
    ],
)
def test_a_line_may_leave_out_what_can_be_only_one_thing(text: str, line: str) -> None:
    session = table(*TACTICS)
    assert [session.notation.format(action) for action in read(text, session)] == [line]


def test_where_only_one_other_sits_there_nobody_needs_to_say_who() -> None:
    session = table(*TACTICS[:2], seats=("ana", "ben"))
    assert [session.notation.format(action) for action in read("snipe qd", session)] == ["snipe ana ben pay QD"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("snipe qd", "“snipe qd” could be `snipe ana ben pay QD` or `snipe ana cy pay QD`; say which."),
        ("conc", "“conc” could be `concede ana` or `concede ben` or `concede cy`; say which."),
        ("spike", "SEAT is missing. Usage: spike"),
        ("xyz", "“xyz” is not an action here"),
    ],
)
def test_what_could_be_several_things_is_asked_and_what_could_be_none_is_refused(text: str, told: str) -> None:
    with pytest.raises(NotationError) as wrong:
        read(text, table(*TACTICS))
    assert str(wrong.value).startswith(told)


def test_a_verb_alone_is_whose_turn_it_can_only_be() -> None:
    session = table("reveal ana 9H", "reveal ben KS", "reveal cy QC", "next")
    assert [session.notation.format(action) for action in read("convert", session)] == ["convert ana"]
