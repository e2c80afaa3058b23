"""At which level a card is played: what is asked, what a short text may leave open, what the board says."""

from __future__ import annotations

import pytest

from companion.games.solforge.game import GAME
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.tabletop.action import NotationError

LISTED = (
    *("seat ana", "seat ben"),
    'lists ana "3 Ash Wolf | creature | tempys | level 1 4/5 | level 2 7/8 has armor=1"',
    'lists ana "3 Spark | spell | tempys | free"',
    "begin seed 1",
)
BEFORE = ("forge ana 1 ash-wolf", "battle", "next", "battle", "next")
RANKED = (*BEFORE, *("battle", "next", "battle", "next") * 3)
"""Ana's second rank: one of her 30 cards is of level 2, and may be in her hand."""


def played(*lines: str) -> Session:
    session = Session.new(GAME)
    for line in lines:
        session.enter(line)
    return session


def whole(session: Session, text: str) -> list[str]:
    return [session.notation.format(action) for action in read_line(text, session)]


def asks(session: Session) -> set[tuple[str, ...]]:
    """What the plays that are offered ask besides what a line needs."""
    prompt = next(prompt for prompt in session.view().prompts if "Forge, cast" in prompt.text)
    return {answer.asks for answer in prompt.answers if answer.line.startswith(("cast", "bank"))}


def test_as_long_as_all_others_are_discarded_the_first_level_is_meant() -> None:
    session = played(*LISTED, *BEFORE)
    assert session.state.player("ana").levels == (29, 1, 0)
    assert asks(session) == {()}
    assert whole(session, "forge 2 ash-wolf-2") == ["forge ana 2 ash-wolf-2 4/5"]
    assert whole(session, "bank") == ["bank ana"]


def test_where_several_levels_can_be_meant_the_level_is_asked() -> None:
    session = played(*LISTED, *RANKED)
    assert asks(session) == {("level",)}
    with pytest.raises(NotationError) as question:
        read_line("forge 2 ash-wolf-2", session)
    assert str(question.value) == (
        "“forge 2 ash-wolf-2” could be `forge ana 2 ash-wolf-2 4/5 level 1` or "
        "`forge ana 2 ash-wolf-2 7/8 level 2 has armor=1`; say which."
    )
    either = '`cast ana "Spark" level 1 free` or `cast ana "Spark" level 2 free`; say which'
    with pytest.raises(NotationError, match=either):
        read_line("cast spark", session)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("forge 2 ash-wolf-2 level 2", "forge ana 2 ash-wolf-2 7/8 level 2 has armor=1"),
        ("forge 2 ash-wolf-2 level 1", "forge ana 2 ash-wolf-2 4/5 level 1"),
        ("forge ana 2 ash-wolf-2 4/5", "forge ana 2 ash-wolf-2 4/5"),
        ("cast spark level 2", 'cast ana "Spark" level 2 free'),
        ("bank ana", "bank ana"),
    ],
)
def test_who_says_the_level_or_a_whole_line_is_not_asked(text: str, line: str) -> None:
    assert whole(played(*LISTED, *RANKED), text) == [line]


def test_where_one_other_level_alone_is_left_it_is_meant() -> None:
    session = played(*LISTED, *RANKED, "set ana level1 0", "set ana level2 30")
    assert whole(session, "forge 2 ash-wolf-2") == ["forge ana 2 ash-wolf-2 7/8 level 2 has armor=1"]


def test_a_level_without_figures_in_the_list_is_not_meant() -> None:
    session = played(*LISTED, *RANKED, "set ana level2 0", "set ana level3 1")
    assert whole(session, "forge 2 ash-wolf-2") == ["forge ana 2 ash-wolf-2 4/5 level 1"]
    with pytest.raises(NotationError, match=r"level 1` or .* level 3`; say which"):
        read_line("forge 2 ash-wolf-2 9/9", session)


def meant(session: Session, line: str) -> list[str]:
    """All that a short text may mean that became this line."""
    meanings = GAME.meanings(session.state, session.notation.parse(line))
    return [session.notation.format(action) for action in meanings]


def test_a_line_without_its_level_may_mean_each_that_is_in_hand() -> None:
    session = played(*LISTED, *RANKED)
    assert meant(session, "bank ana") == ["bank ana level 1", "bank ana level 2"]
    assert meant(session, 'cast ana "Spark" free') == [f'cast ana "Spark" level {n} free' for n in (1, 2)]
    forged = ["forge ana 2 ash-wolf 4/5 level 1", "forge ana 2 ash-wolf 7/8 level 2 has armor=1"]
    assert meant(session, "forge ana 2 ash-wolf 4/5") == forged
    assert meant(session, "bank ana level 2") == ["bank ana level 2"]
    assert meant(session, "battle") == ["battle"]
    assert meant(played(*LISTED), "bank ana") == ["bank ana"]


def test_a_line_may_mean_no_level_without_figures_in_the_list() -> None:
    session = played(*LISTED, *RANKED, "set ana level2 0", "set ana level3 1")
    assert meant(session, "forge ana 2 ash-wolf 4/5") == ["forge ana 2 ash-wolf 4/5 level 1"]
    believed = [f"forge ana 2 ash-wolf 9/9 level {level}" for level in (1, 3)]
    assert meant(session, "forge ana 2 ash-wolf 9/9") == believed, "what people say of a card is believed"
    unlisted = [f"forge ana 2 owl 1/1 level {level}" for level in (1, 3)]
    assert meant(session, "forge ana 2 owl 1/1") == unlisted


def test_where_no_level_in_hand_has_figures_the_line_is_meant_as_it_is() -> None:
    session = played(*LISTED, "set ana level1 0", "set ana level3 30")
    assert meant(session, "forge ana 2 ash-wolf 4/5") == ["forge ana 2 ash-wolf 4/5"]


def test_the_board_says_levels_and_calls_copies_by_their_place() -> None:
    session = played(*LISTED, *RANKED)
    tells = session.enter("forge ana 2 ash-wolf-2 level 2")
    assert str(tells[0].text).startswith("Ana Forges 2nd Ash Wolf 7/8 (level 2, Armor 1) in lane 2; 1 play, 1 left;")
    for line in ("place ana 3 ash-wolf-13 1/1", "place ana 4 ash-wolf-3 1/1", "place ana 5 ash-wolf-22 1/1"):
        session.enter(line)
    things = [zone.things[0] for zone in session.view().seats[0].zones]
    assert [(thing.title, [flag for flag in map(str, thing.flags) if "level" in flag]) for thing in things] == [
        ("Ash Wolf", []),
        ("2nd Ash Wolf", ["level 2"]),
        ("13th Ash Wolf", []),
        ("3rd Ash Wolf", []),
        ("22nd Ash Wolf", []),
    ]
