"""Whole games of SolForge at random: every line checked, until somebody has won."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.solforge.game import GAME
from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.state import LANES
from companion.session.core.session import Session
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import draft
from tests.examples import examples
from tests.games.solforge.player import begun, game

seeds = st.integers(0, 2**32 - 1)
unhurried = settings(max_examples=examples(25))


@unhurried
@given(seeds)
def test_any_game_that_nobody_overrules(seed: int) -> None:
    assert game(seed, exact=True).state.outcome in ("ana", "ben", "draw")


@unhurried
@given(seeds)
def test_any_game_with_counters_set_by_hand(seed: int) -> None:
    assert game(seed, exact=False).state.outcome in ("ana", "ben", "draw")


def spawned(seed: int) -> int:
    """The lane that chance gives the first creature."""
    session = Session.new(GAME)
    for line in ("seat ana", "seat ben", f"begin seed {seed}", "place ana 2 rock 1/1", "spawn ana owl 1/1"):
        session.enter(line)
    lane: int = session.state.creature("owl").lane
    session.enter("undo")
    session.enter("spawn ana owl 1/1")
    assert session.state.creature("owl").lane == lane
    return lane


def test_a_spawn_comes_into_any_empty_lane_by_the_seed() -> None:
    lanes = [spawned(seed) for seed in range(60)]
    assert lanes == [spawned(seed) for seed in range(60)]
    assert set(lanes) == {1, 3, 4, 5}


@pytest.mark.parametrize("reach", range(1, 5))
def test_a_move_offers_exactly_the_lanes_within_reach(reach: int) -> None:
    session = begun(Random(1))
    seat = session.state.active
    session.enter(f"place {seat} 2 cat 1/1 awake has mobility={reach}")
    session.enter(f"place {seat} 3 rock 1/1")
    lanes = choices(GAME, session.state, draft(do.MoveCreature, handle="cat"), "lane")
    assert not isinstance(lanes, Open)
    assert [choice.value for choice in lanes] == [
        lane for lane in LANES if lane not in (2, 3) and abs(lane - 2) <= reach
    ]
