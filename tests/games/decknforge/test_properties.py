"""Whole dungeons of 1–5 wizards at random, from set-up to seal; `python -m tests.soak` plays thousands of the same.

What is checked stands in `holds.py`, who plays in `player.py`, with what in `bands.py`.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.decknforge.game import GAME
from companion.session.core.session import Session
from companion.tabletop.notation.cards import Card
from tests.examples import examples
from tests.games.decknforge import evening

seeds = st.integers(0, 2**32 - 1)
tables = st.integers(1, 5)


@settings(max_examples=examples(30))
@given(seeds, tables)
def test_any_evening_with_loose_bands(seed: int, wizards: int) -> None:
    session = evening.loose(seed, wizards)
    assert session.view().step == "sealed"


@settings(max_examples=examples(8))
@given(seeds, tables)
def test_any_two_evenings_with_stored_bands(seed: int, wizards: int) -> None:
    evenings = list(evening.campaign(seed, wizards, 2))
    assert [session.view().step for session in evenings] == ["sealed", "sealed"]


def to_fading(seed: int, legend: bool = False) -> Session:
    """A lost dungeon of one wizard with four Blessed cards, on the way to Fading."""
    session = Session.new(GAME)
    lines = ["seat ana", *(f"inscribed ana {card} sharp" for card in ("9S", "8S", "7S", "6S"))]
    lines += [f"monster ana {card} {'legend' if legend else ''}" for card in ("AS", "AH", "AC", "AD", "BJ", "RJ")]
    lines += [f"begin seed {seed}", "set boss hp 1", "reveal ana KS", "next", "damage", "bonus rally"]
    for line in (*lines, "set table outcome loss"):
        session.enter(line)
    return session


def draw_for_ana(session: Session) -> tuple[Card, ...]:
    """What the app draws for Ana."""
    cards = set(session.state.bands["ana"].inscribed)
    session.enter("fade ana")
    left = set(session.state.bands["ana"].inscribed)
    return session.state.wizard("ana").fading_draw or tuple(cards - left)


@pytest.mark.parametrize("legend", [False, True])
def test_the_app_draws_by_the_seed(legend: bool) -> None:
    draws = [draw_for_ana(to_fading(seed, legend)) for seed in range(60)]
    assert draws == [draw_for_ana(to_fading(seed, legend)) for seed in range(60)]
    assert {len(draw) for draw in draws} == {2 if legend else 1}
    assert all(len(set(draw)) == len(draw) for draw in draws)
    assert set(Counter(card for draw in draws for card in draw)) == {"9S", "8S", "7S", "6S"}


def test_a_draw_that_is_undone_is_the_same_draw_again() -> None:
    for seed in range(20):
        session = to_fading(seed)
        first = draw_for_ana(session)
        session.enter("undo")
        session.enter("hold ana KD")
        assert draw_for_ana(session) == first
