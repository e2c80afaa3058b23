"""Promises of SolForge's choices, held against what happens: every figure beside every choice, at tables at random."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.solforge.game import GAME
from tests.examples import examples
from tests.games.promises import Promises
from tests.games.solforge import promised


@pytest.mark.slow
@settings(max_examples=examples(8), phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1))
def test_what_a_choice_promises_is_what_happens(seed: int) -> None:
    promises = Promises(GAME, Random(seed), promised.KINDS, promised.words)
    for number, state in enumerate(promised.random_tables(seed)):
        if number % 16 < 2:
            promises.check(state)
        promised.check_forecast(GAME, state)
