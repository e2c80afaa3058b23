"""Previews beside the command bar, held against Enter: at tables and with texts at random."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.slips.fronts import Fronts
from tests.slips.meanings import Meanings
from tests.slips.random_tables import GAMES, tables
from tests.slips.texts import texts
from tests.slips.vocabulary import Vocabulary

TEXTS = 5
"""Texts at one table."""
APART = 5
"""Of so many tables one is looked at."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_before_enter_is_what_it_does(game: str) -> None:
    @settings(max_examples=examples(4), phases=[Phase.generate])
    @given(st.integers(0, 2**32 - 1))
    def type_at_tables(seed: int) -> None:
        for number, session in enumerate(tables(game, seed)):
            if number % APART:
                continue
            vocabulary, fronts = Vocabulary(session), Fronts(session)
            lines = Meanings(session, vocabulary).lines()
            for text in (*texts(vocabulary, lines, Random(f"{seed} {number}"), TEXTS), "go"):
                faults = [f"“{text}”: {cause}: {wrong}" for cause, wrong in fronts.preview_faults(text)]
                assert not faults, faults

    type_at_tables()
