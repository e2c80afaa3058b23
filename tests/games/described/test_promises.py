"""Promises of choices of pages, held against what happens: every figure beside every choice, at tables at random."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.described.page.actions import Put
from companion.session.core.session import Session
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import draft
from tests.examples import examples
from tests.games.described import pages, promised
from tests.games.described.test_properties import every_page
from tests.games.promises import Promises, with_lists


@pytest.mark.sample(3)
@every_page
def test_what_a_choice_promises_is_what_happens(name: str) -> None:
    @settings(max_examples=examples(6), phases=[Phase.generate])
    @given(st.integers(0, 2**32 - 1))
    def play(seed: int) -> None:
        rules = pages.ready(name)
        promises = Promises(rules, Random(seed), promised.KINDS, promised.words(rules))
        for number, state in enumerate(promised.random_tables(rules, seed)):
            if number % 12 < 2:
                promises.check(state)

    play()


def test_a_card_of_a_list_is_offered_only_as_it_comes() -> None:
    rules = pages.ready("villain")
    session = Session.new(rules)
    for line in ("seat ana", "seat ben", "begin seed 1", "next"):
        session.enter(line)
    cards = "villain main\n2 Ash Wolf | strength 9\n2 Bog Heron | strength 4 | toughness 5\n2 Old Tower | clues 7\n"
    state = with_lists(rules, session.state, {session.state.active: cards})
    offered = {}
    for kind in ("enemy", "location"):
        handles = choices(rules, state, draft(Put, kind=kind), "handle")
        assert isinstance(handles, Open)
        offered[kind] = {choice.title: choice.detail for choice in handles.fitting}
    assert offered["enemy"]["Bog Heron"] == "strength 4, toughness 5"
    assert not offered["enemy"]["Ash Wolf"], "the page's own comes, with its own figures"
    assert "Old Tower" not in offered["location"], "what lies in the middle is nobody's card"
