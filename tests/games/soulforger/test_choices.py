"""What can be chosen at a table of Soul-Forger: exactly what its rules accept, at any table that may come up."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.soulforger.game import GAME
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.field import lying_actions
from companion.games.soulforger.rules.state import SoulForgerTable
from companion.session.core.session import Session
from companion.session.reading.options import options
from companion.tabletop.action import Action
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import Draft, draft
from tests.examples import examples
from tests.games.choosing import Choosing
from tests.games.soulforger.player import ACTIONS, tables


def domain(state: SoulForgerTable, draft: Draft, argument: Argument) -> Iterable[Any] | None:
    """What is on the Flow or in a zone goes by its name; a third accessory, or a weapon, may replace any card.

    New cards have few names and figures, as every one is tried with every other.
    """
    if argument.field == "handle" and draft.action in (do.Gear, do.Summon, do.Token, do.ForgeEquipment):
        return ("nobody", "ana")
    if argument.field == "endurance":
        return (0, 1)
    if argument.field == "ronum":
        return (0, 1, 2, 9)
    lying = [each.handle for each in lying_actions(state)]
    if draft.action is do.Negate:
        return (*ACTIONS, *dict.fromkeys(item.name for item in state.flow if item.name not in ACTIONS))
    if draft.action in (do.Destroy, do.Send):
        return ("nobody", *dict.fromkeys((*state.cards, *lying)))
    return state.cards if argument.field == "replaces" else None


@pytest.mark.slow
@settings(max_examples=examples(4), phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_what_is_offered_is_what_the_rules_accept(seed: int, players: int) -> None:
    choosing = Choosing(GAME, Random(seed), domain)
    for number, state in enumerate(tables(seed, players)):
        if number % 40 < 2:
            choosing.check(state)
            choosing.walk(state)


def test_of_a_list_only_what_the_level_allows_is_offered() -> None:
    session = Session.new(GAME)
    for line in (
        *("seat ana", "seat ben", "gear ana sword weapon power 3/1", "gear ben axe weapon power 2/1"),
        'lists ana "4 Imp | creature | ronum 1 | power 1/1 | endurance 1"',
        'lists ana "4 Drake | creature | ronum 4 | power 6/3 | endurance 5"',
        'lists ana "2 Maul | weapon | ronum 5 | power 7/3 | hands 2"',
        'lists ana "4 Spark | action | ronum 0"',
        'lists ana "4 Blaze | action | ronum 4"',
        *("begin seed 1", "next", "next", "next", "set ana level 3"),
    ):
        session.enter(line)

    def offered(action: type[Action], field: str) -> list[str]:
        open_ = choices(GAME, session.state, draft(action, seat="ana"), field)
        assert isinstance(open_, Open)
        return [str(choice.value) for choice in open_.fitting]

    assert offered(do.Summon, "handle") == ["imp"]
    assert offered(do.ForgeEquipment, "handle") == []
    assert offered(do.PlayAction, "name") == ["Spark"]
    session.enter("set ana level 5")
    assert offered(do.Summon, "handle") == ["imp", "drake"]
    assert offered(do.ForgeEquipment, "handle") == ["maul"]
    assert offered(do.PlayAction, "name") == ["Spark", "Blaze"]


def test_who_has_named_a_listed_card_is_told_that_this_is_all() -> None:
    session = Session.new(GAME)
    for line in (
        *("seat ana", "seat ben", "gear ana sword weapon power 3/1", "gear ben axe weapon power 2/1"),
        'lists ana "4 Imp | creature | ronum 1 | power 1/1 | endurance 1"',
        *("begin seed 1", "next", "next", "next"),
    ):
        session.enter(line)
    assert options("summon ana imp ", session).note == "That is all; Enter does it."
    assert options("summon ana elf ", session).input_hint.startswith("its Ronum")
