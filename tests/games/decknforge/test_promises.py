"""Promises of DecknForge's choices: every figure beside them, held against what happens at random tables."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.decknforge.game import GAME
from tests.examples import examples
from tests.games.decknforge import evening, promised
from tests.games.promises import Promises

LOOKED_AT = (1, 3, 7, 15, 31)
"""Of each step in an evening, the tables that are looked at."""


@pytest.mark.slow
@settings(max_examples=examples(12), phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_what_a_choice_promises_is_what_happens(seed: int, wizards: int) -> None:
    promises = Promises(GAME, Random(seed), promised.KINDS, promised.words)
    seen = Counter[str]()
    for state in evening.tables(seed, wizards):
        seen[state.step] += 1
        if seen[state.step] in LOOKED_AT:
            promises.check(state)
        promised.check_forecast(GAME, state)
