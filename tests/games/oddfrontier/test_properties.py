"""Whole games of 2 to 4 people at random, from the mulligans to an outcome.

What is checked stands in `holds.py`, who plays in `player.py`.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.games.oddfrontier.match import whole_game


@pytest.mark.slow
@settings(max_examples=examples(12))
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_any_game_comes_to_an_outcome(seed: int, players: int) -> None:
    session = whole_game(seed, players)
    assert session.view().outcome in (*(player.seat for player in session.state.players), "draw")
