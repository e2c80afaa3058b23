"""What can be chosen at a table of SolForge: everything that the rules accept, with what people need to know."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.solforge.game import GAME
from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.keywords import KEYWORD, KEYWORDS
from companion.games.solforge.rules.state import SolForgeTable
from companion.session.core.session import Session
from companion.tabletop.action import Action
from companion.tabletop.constructed.table import SeatPlayer
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.choices import Choice, Open, choices
from companion.tabletop.table.common_actions import Concede
from companion.tabletop.table.table import Draft, draft
from tests.examples import examples
from tests.games.choosing import Choosing
from tests.games.rendering import render_texts
from tests.games.solforge.player import tables


def domain(state: SolForgeTable, draft: Draft, argument: Argument) -> Iterable[Any] | None:
    """Keywords with a number and without, whether that makes sense or not; which pile cards leave.

    No cards can be discarded, or banished at any level, and nobody chooses anything for that.
    """
    if draft.action in (do.Banish, do.Discard) and argument.field == "cards":
        return range(1, 40) if argument.required or argument.field in draft.asks else None
    if draft.action is do.Banish and argument.field == "from_":
        return ("hand", "deck", "discard")
    # Where the table draws by itself, a line names the lane that was drawn.
    if draft.action is do.Spawn and argument.field == "lane" and state.house.draws == "table":
        return range(1, 6)
    if argument.kind is not KEYWORD:
        return None
    numbered = (f"{name}={number}" for name in KEYWORDS for number in (range(6) if KEYWORDS[name].numbered else (1,)))
    return ("wisdom", *KEYWORDS, *(() if draft.action is do.TakeAway else numbered))


@pytest.mark.slow
@settings(max_examples=examples(4), phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1))
def test_what_is_offered_is_what_the_rules_accept(seed: int) -> None:
    choosing = Choosing(GAME, Random(seed), domain)
    for number, state in enumerate(tables(seed)):
        if number % 24 < 2:
            choosing.check(state)
            choosing.walk(state)


@pytest.fixture
def session() -> Session:
    session = Session.new(GAME)
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    session.enter("place ana 2 cave-bear 3/4 awake has mobility=2 armor=1")
    session.enter("place ben 3 owl 2/2")
    return session


def list_choices(session: Session, of: Draft, field: str) -> tuple[Choice, ...]:
    there = choices(GAME, session.state, of, field)
    assert not isinstance(there, Open)
    rendered: tuple[Choice, ...] = render_texts(there)
    return rendered


def test_lanes_say_what_stands_there(session: Session) -> None:
    lanes = list_choices(session, draft(do.ForgeCreature, seat="ana"), "lane")
    assert [choice.value for choice in lanes] == [1, 2, 3, 4, 5]
    assert lanes[1].detail == "over Cave Bear 3/4; opposite: nobody"
    assert lanes[2].detail == "empty; opposite: Owl 2/2"


def test_a_move_is_offered_within_reach(session: Session) -> None:
    assert [choice.value for choice in list_choices(session, draft(do.MoveCreature, handle="cave-bear"), "lane")] == [
        1,
        3,
        4,
    ]


def test_levels_are_those_of_the_cycle(session: Session) -> None:
    session.enter("forge ana 5 elk 2/2 free")
    levels = list_choices(session, draft(do.Cast, seat="ana", name="Spark"), "level")
    assert [(choice.value, choice.detail) for choice in levels] == [
        (1, "29 in deck, hand and discard pile"),
        (2, "1 in deck, hand and discard pile"),
    ]


def test_targets_are_players_then_creatures(session: Session) -> None:
    targets = list_choices(session, draft(do.Damage, amount=1), "target")
    assert [choice.value for choice in targets] == ["ana", "ben", "cave-bear", "owl"]
    assert targets[2].detail == "3/4, lane 2 of Ana"


def test_only_cards_of_players_are_counted_when_banished(session: Session) -> None:
    of_piles = Draft(do.Banish, asks=("level", "cards"))
    assert [choice.value for choice in list_choices(session, of_piles, "target")] == ["ana", "ben"]
    assert [choice.value for choice in list_choices(session, draft(do.Banish), "target")] == ["cave-bear", "owl"]


def test_a_keyword_that_is_taken_away_is_one_that_is_there(session: Session) -> None:
    words = list_choices(session, draft(do.TakeAway, target="cave-bear"), "keyword")
    assert [choice.value for choice in words] == ["mobility", "armor"]


def test_a_keyword_that_is_given_brings_its_number(session: Session) -> None:
    words = {choice.value: choice.title for choice in list_choices(session, draft(do.Give, target="ben"), "keyword")}
    assert words["poison=2"] == "Poison 2"
    assert "flank" not in words


def test_a_new_handle_is_a_word_that_nobody_used(session: Session) -> None:
    session.enter("forge ana 5 creature 2/2 free")
    wanted = choices(GAME, session.state, draft(do.ForgeCreature, seat="ana", lane=1), "handle")
    assert isinstance(wanted, Open)
    assert wanted.example == "creature1"


def test_a_seat_is_any_word(session: Session) -> None:
    wanted = choices(GAME, GAME.new(), draft(SeatPlayer), "seat")
    assert isinstance(wanted, Open)
    assert list_choices(session, draft(Concede), "seat") == (
        Choice("ana", "Ana", "120 health"),
        Choice("ben", "Ben", "120 health"),
    )


@pytest.mark.parametrize(
    ("field", "action"), [("figures", do.ForgeCreature), ("change", do.Buff), ("has", do.Place), ("name", do.Cast)]
)
def test_what_nobody_can_list_has_an_example(session: Session, field: str, action: type[Action]) -> None:
    assert isinstance(choices(GAME, session.state, draft(action), field), Open)


def test_lanes_are_offered_before_the_second_player_sits() -> None:
    session = Session.new(GAME)
    session.enter("seat ana")
    assert [choice.value for choice in list_choices(session, draft(do.Place, seat="ana"), "lane")] == [1, 2, 3, 4, 5]
