"""Whole games of the ready pages at random: every line checked, until somebody has won; what they offer they accept."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.described.rules.state import DescribedTable
from companion.session.core.log import notation_of
from companion.tabletop.action import Action
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.table import Draft
from tests.examples import examples
from tests.games.choosing import Choosing
from tests.games.described import pages, player
from tests.games.strategies import actions

seeds = st.integers(0, 2**32 - 1)
QUICK = ("commander", "tricks", "villain")
"""Between them they have nearly all that a page can say."""
every_page = pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in pages.NAMES]
)


@every_page
def test_any_game_that_nobody_overrules(name: str) -> None:
    @settings(max_examples=examples(8))
    @given(seeds)
    def play(seed: int) -> None:
        assert player.game(pages.ready(name), seed).state.outcome

    play()


@pytest.mark.sample(3)
@every_page
def test_any_game_with_counters_set_by_hand(name: str) -> None:
    @settings(max_examples=examples(8))
    @given(seeds)
    def play(seed: int) -> None:
        assert player.game(pages.ready(name), seed, exact=False).state.outcome

    play()


def domain(state: DescribedTable, draft: Draft, argument: Argument) -> Iterable[Any] | None:
    """Words of the page, right or wrong, where a kind of word alone says nothing."""
    words = {
        "pool": (*state.pools, "nothing"),
        "token": (*state.tokens, "crown", "lead", "dealer", "marker", "declarer", "city", "nothing"),
        "kind": ("enemy", "location", "monster", "beast", "base", "offer", "nothing"),
        "zone": ("land", "active", "bench", "row", "field", "nothing"),
        "column": ("bid", "tricks", "points", "taken", "value", "lost", "place", "nothing"),
        "seats": None,
    }
    if argument.field == "seat" and argument.kind.shape == "SEAT|none":
        return (*(each.seat for each in state.players), "", "zoe")
    if argument.field == "is_" and "pool" in draft.given:
        pool = state.pools.get(str(draft.given["pool"]))
        return (*(pool.left if pool else ()), *(pool.aside if pool else ()), "Nothing")
    return range(1, 7) if argument.field == "lane" else words.get(argument.field)


@every_page
def test_what_is_offered_is_what_the_rules_accept(name: str) -> None:
    @settings(max_examples=examples(4), phases=[Phase.generate])
    @given(seeds)
    def play(seed: int) -> None:
        rules = pages.ready(name)
        choosing = Choosing(rules, Random(seed), domain)
        for number, state in zip(range(120), player.tables(rules, seed), strict=False):
            if number % 24 < 2 and not state.outcome:
                choosing.check(state)
                choosing.walk(state)

    play()


@every_page
def test_what_a_page_adds_is_read_back(name: str) -> None:
    notation = notation_of(pages.ready(name))

    @given(actions(pages.ready(name).actions), st.booleans())
    def read_back(action: Action, shouted: bool) -> None:
        line = notation.format(action)
        assert notation.parse(line) == action
        verb, _, rest = line.partition(" ")
        assert notation.parse(f"  {verb.upper() if shouted else verb}   {rest}  # as said") == action

    read_back()
