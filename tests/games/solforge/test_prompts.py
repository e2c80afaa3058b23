"""What SolForge asks for, and when; what figures must look like."""

from __future__ import annotations

import pytest

from companion.games.solforge.game import GAME
from companion.session.core.session import Session
from companion.session.reading.options import options
from companion.tabletop.action import NotationError
from tests.games import choosing


def at_table(*lines: str) -> Session:
    session = Session.new(GAME)
    for line in lines:
        session.enter(line)
    return session


def due(session: Session) -> list[str]:
    """The lines that answer what is waited for."""
    choosing.are_honest(session)
    return [prompt.line for prompt in session.view().prompts if prompt.due]


def hints(session: Session) -> tuple[str, ...]:
    return tuple(map(str, session.view().hints))


def offered(session: Session) -> list[str]:
    """The beginnings of all lines that answer anything; of a Free card, `free` comes behind what is missing."""
    answers = [answer for prompt in session.view().prompts for answer in prompt.answers]
    return [f"{answer.line}{' … free' if answer.given.get('free') else ''}" for answer in answers]


def test_two_are_seated_then_the_game_begins() -> None:
    session = at_table()
    assert due(session) == ["seat"]
    session.enter("seat ana")
    assert due(session) == ["seat"]
    session.enter("seat ben")
    assert due(session) == ["begin"]
    assert {"first ben", "deck-size ana", "deck-size ben"} <= set(offered(session))


def test_a_turn_waits_for_the_battle_then_for_its_end() -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1")
    assert due(session) == ["forge ana"]
    session.enter("bank ana")
    assert due(session) == ["battle"]
    session.enter("battle")
    assert due(session) == ["next"]
    assert session.view().step == "after"
    session.enter("concede ben")
    assert session.view().prompts == ()


def test_a_play_is_asked_before_battle_and_before_the_end() -> None:
    """Of plays, Battle and end the first question has all: whoever has one hand finds them in one list."""
    session = at_table("seat ana", "seat ben", "first ben", "begin seed 1", "battle")
    (plays,) = (prompt for prompt in session.view().prompts if prompt.seat)
    assert str(plays.text) == "Ben: Forge, cast, or level a card (1 play left), or end the turn"
    assert [answer.line for answer in plays.answers] == ["forge ben", "cast ben", "bank ben", "next", "forge ben"]
    assert str(plays.answers[3].note) == "ends the turn, 1 play unused"
    assert not due(session)
    session.enter("undo")
    (plays,) = (prompt for prompt in session.view().prompts if prompt.seat)
    assert [answer.line for answer in plays.answers] == ["forge ben", "cast ben", "bank ben", "battle", "forge ben"]
    assert due(session) == ["forge ben"]
    session.enter("set ben hand 0")
    (battle,) = (prompt for prompt in session.view().prompts if prompt.seat)
    assert (str(battle.text), battle.line) == ("Ben: the Battle in all lanes", "battle")


def test_the_level_of_a_listed_card_can_be_said() -> None:
    listed = 'lists ana "2 Wolf | creature | 3/3 | level 2 6/6"'
    session = at_table("seat ana", "seat ben", listed, "begin seed 1")
    assert options("forge ana 1 wolf ", session).note == "That is all; Enter does it."
    session.enter("set ana level2 1")
    assert [row.line for row in options("forge ana 1 wolf ", session).answers] == [
        "forge ana 1 wolf level 1",
        "forge ana 1 wolf level 2",
    ]


def test_ambush_is_thought_of_only_where_a_card_can_have_it() -> None:
    question = "Ben: is there a card with Ambush in your hand?"
    begun = ("seat ana", "seat ben", 'lists ben "2 Wolf | creature | level 1 3/3"', 'lists ben "1 Flare | spell"')
    assert question in hints(at_table("seat ana", "seat ben", "begin seed 1"))
    assert question not in hints(at_table(*begun, "begin seed 1"))
    assert question in hints(at_table(*begun, 'lists ben "1 Owl | creature"', "begin seed 1"))
    assert question in hints(at_table(*begun, 'lists ben "1 Eel | creature | 2/2 has ambush"', "begin seed 1"))
    assert question not in hints(at_table("seat ana", "seat ben", "begin seed 1", "set ben hand 0"))


def test_without_a_play_only_free_cards_are_offered() -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1")
    assert "bank ana" in offered(session)
    session.enter("bank ana")
    assert "bank ana" not in offered(session)
    assert "cast ana … free" in offered(session)
    session.enter("set ana hand 0")
    assert "cast ana … free" not in offered(session)
    session.enter("set ben hand 0")
    assert "discard" not in offered(session)


def test_what_a_creature_may_do_is_offered_once_a_turn() -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1", "place ana 1 cat 1/1 awake has mobility=2 activate")
    assert {"move cat", "activate cat"} <= set(offered(session))
    session.enter("move cat 3")
    session.enter("activate cat")
    assert not {"move cat", "activate cat"} & set(offered(session))


def test_full_lanes_are_not_offered_for_more_creatures() -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1")
    for number in range(1, 6):
        session.enter(f"place ana {number} a{number} 1/1")
        session.enter(f"place ben {number} b{number} 1/1")
    assert "place" not in offered(session)
    assert "spawn" in offered(session)


def test_hints_say_what_must_not_be_forgotten() -> None:
    session = at_table("seat ana", "seat ben", "rule tie sudden-death", "begin seed 1")
    assert "In a Battle now: nobody dies and no player is hurt." in hints(session)
    session.enter("place ana 1 wolf 3/3 awake")
    session.enter("place ben 2 owl 0/1")
    session.enter("place ana 2 cat 1/1 awake")
    assert "In a Battle now: Ben 120 → 117, Owl dies." in hints(session)
    session.enter("set ana turn 4")
    assert "Ana gains rank 2 at the end of this turn: remember Gain Rank." in hints(session)
    session.enter("add ana hand +1")
    assert any(str(hint).startswith("Ana: 31 cards in deck") for hint in session.view().hints)
    session.enter("set ana health 5")
    session.enter("set ben health 5")
    session.enter("give ana poison=5")
    session.enter("give ben poison=5")
    session.enter("destroy wolf")
    session.enter("battle")
    session.enter("next")
    assert "Sudden death: the first difference in health decides (A4.7)." in hints(session)


def test_triggers_are_told_in_the_order_in_which_they_act() -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1")
    for line in ("ben 1 newt", "ana 1 wolf", "ana 2 cat", "ben 2 dog"):
        session.enter(f"place {line} 9/1 awake has vengeance")
    texts = [tell.text for tell in session.enter("battle")]
    assert [str(text).split()[2] for text in texts if str(text).startswith("Vengeance")] == [
        "Cat",
        "Wolf",
        "Dog",
        "Newt",
    ]
    assert [str(text).split()[0] for text in texts if str(text).endswith("dies.")] == ["Cat", "Wolf", "Dog", "Newt"]


@pytest.mark.parametrize(
    ("line", "reminded"),
    [
        ("forge ana 1 elk 1/1 has forge assault upgrade", ["Forge", "Assault"]),
        ("forge ana 2 elk 1/1 has allied assault upgrade", ["Upgrade", "Allied"]),
        ("move cat 1", ["Flank"]),
        ("destroy cat", ["Vengeance"]),
        ("banish cat", []),
    ],
)
def test_a_keyword_of_the_card_is_told_when_it_acts(line: str, reminded: list[str]) -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1")
    session.enter("place ana 2 cat 1/1 awake has flank vengeance mobility=1")
    session.enter("place ben 2 owl 1/1")
    texts = [str(tell.text).partition(" of ")[0] for tell in session.enter(line) if "acts now" in tell.text]
    assert sorted(texts) == sorted(reminded)


def test_a_levelled_card_is_not_named() -> None:
    session = at_table("seat ana", "seat ben", "begin seed 1")
    assert all("Hydra" not in tell.text for tell in session.enter('bank ana "Hydra"'))


@pytest.mark.parametrize("line", ["forge ana 1 wolf 3", "forge ana 1 wolf +3/4", "buff wolf 3", "buff wolf x/y"])
def test_figures_are_two_numbers(line: str) -> None:
    with pytest.raises(NotationError):
        at_table("seat ana", "seat ben", "begin seed 1").enter(line)
