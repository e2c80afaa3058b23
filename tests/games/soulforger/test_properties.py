"""Whole games of Soul-Forger at random: every line checked, until somebody has won or nobody is left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.soulforger.game import GAME
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.costs import find_payment
from companion.games.soulforger.rules.keywords import KEYWORDS
from companion.games.soulforger.rules.state import SoulForgerPlayer
from companion.session.core.session import Session
from companion.tabletop.constructed.table import SeatPlayer
from companion.tabletop.table.choices import Open, accepts, choices
from companion.tabletop.table.common_actions import Concede, Set
from companion.tabletop.table.completion import complete
from companion.tabletop.table.table import Draft, draft
from tests.examples import examples
from tests.games import choosing
from tests.games.soulforger.player import SEATS, game

seeds = st.integers(0, 2**32 - 1)
tables = st.integers(2, 4)
unhurried = settings(max_examples=examples(12))


@pytest.mark.slow
@unhurried
@given(seeds, tables)
def test_any_game_that_nobody_overrules(seed: int, players: int) -> None:
    assert game(seed, players, exact=True).state.outcome in (*SEATS, "draw")


@pytest.mark.slow
@unhurried
@given(seeds, tables)
def test_any_game_with_counters_set_by_hand(seed: int, players: int) -> None:
    assert game(seed, players, exact=False).state.outcome in (*SEATS, "draw")


COMBAT = (
    *("seat ana", "seat ben", "gear ana sword weapon power 3/1", "gear ben axe weapon power 2/1", "begin seed 1"),
    *("next", "next", "next", "set ana level 9", "set ben level 9"),
    "forge ana ring accessory ronum 1",
    "forge ana belt accessory ronum 1",
    "token ana cat power 2/1 endurance 3 keywords flight skill",
    "token ana ape power 2/1 endurance 3 keywords pacifist",
    "token ben owl power 2/1 endurance 3 keywords flight hidden",
    "token ben cow power 2/1 endurance 3",
    "next",
)


def at_combat(*more: str) -> Session:
    """Two players with two creatures each, in Ana's Combat Phase."""
    return played(*COMBAT, *more)


def played(*lines: str) -> Session:
    session = Session.new(GAME)
    for line in lines:
        session.enter(line)
    return session


def offered(session: Session, of: Draft) -> list[Any]:
    """What can be chosen for the first missing field."""
    options = choices(GAME, session.state, of, of.missing[0].field)
    assert not isinstance(options, Open)
    return [choice.value for choice in options]


def accepted(session: Session, of: Draft, universe: Iterable[Any]) -> list[Any]:
    """What of all that could be said there the rules accept."""
    field = of.missing[0].field
    return [value for value in universe if accepts(GAME, session.state, of.having(field, value))]


@pytest.mark.parametrize(
    ("of", "more"),
    [
        (draft(do.Attack), ()),
        (draft(do.Attack, attacker="cat"), ()),
        (draft(do.Block), ("attack cat on ben",)),
        (draft(do.Block), ("attack cat on cow",)),
        (draft(do.Retarget), ("attack cat on cow", "destroy cow")),
        (draft(do.Retarget), ("attack cat on cow",)),
        (draft(do.Skill), ()),
        (draft(do.Send), ()),
        (draft(do.Destroy), ("next", 'set-action ana "Trap"', 'set-action ana "Trap"')),
        (draft(do.Buff), ()),
        (draft(do.Damage), ()),
        (draft(do.Heal), ("damage cow 1",)),
        (draft(Concede), ()),
        (draft(do.TakeAway), ()),
        (
            Draft(
                do.ForgeEquipment, {"seat": "ana", "handle": "gem", "type": "accessory", "ronum": 1}, asks=("replaces",)
            ),
            ("next",),
        ),
    ],
    ids=lambda of: of.line if isinstance(of, Draft) else "",
)
def test_what_can_be_chosen_is_what_the_rules_accept(of: Draft, more: tuple[str, ...]) -> None:
    session = at_combat(*more)
    universe = ["ana", "ben", "table", "trap", *session.state.cards]
    assert sorted(offered(session, of)) == sorted(accepted(session, of, universe))


def test_a_keyword_that_is_taken_away_is_one_that_is_there() -> None:
    of = draft(do.TakeAway, handle="cat")
    assert offered(at_combat(), of) == ["flight", "skill"]
    assert sorted(accepted(at_combat(), of, KEYWORDS)) == ["flight", "skill"]


def test_only_what_lies_there_can_be_negated_or_played() -> None:
    session = at_combat("next", 'set-action ana "Trap"', 'flow ben "Roar"', 'flow ben "Howl"', 'negate "Howl"')
    assert offered(session, draft(do.Negate)) == ["Roar"]
    from_zone = Draft(do.PlayAction, {"seat": "ana", "from_": "set", "ronum": 1})
    assert offered(session, from_zone) == []
    session.enter("resolve")
    session.enter("resolve")
    assert offered(session, from_zone) == ["Trap"]


@pytest.mark.parametrize(
    ("lines", "field", "of"),
    [
        ((), "seat", draft(SeatPlayer)),
        (COMBAT[:4], "cards", draft(do.DeckSize, seat="ana")),
        (COMBAT[:7], "cards", draft(do.Quest, seat="ana")),
        (COMBAT[:-1], "handle", draft(do.Summon, seat="ana")),
        (COMBAT[:-1], "ronum", draft(do.Summon, seat="ana", handle="bat")),
        (COMBAT, "handle", draft(do.Token, seat="ana")),
        ((*COMBAT, "set ana material 2"), "ronum", draft(do.Pay, seat="ana")),
        (COMBAT, "name", draft(do.Flow, seat="ana")),
        (COMBAT, "value", draft(Set, target="ana", counter="level")),
    ],
)
def test_what_nobody_can_list_has_an_example(lines: tuple[str, ...], field: str, of: Draft) -> None:
    assert isinstance(choices(GAME, played(*lines).state, of, field), Open)


@pytest.mark.parametrize(
    ("material", "unknown", "ronum", "paid"),
    [
        ((1, 3, 0, 2), 0, 3, (3,)),
        ((1, 3, 0, 2), 0, 5, (3, 2)),
        ((1, 3, 0, 2), 0, 7, ()),
        ((1,), 1, 4, (1, 3)),
        ((0,), 0, 1, ()),
    ],
)
def test_a_payment_is_made_of_cards_that_are_all_needed(
    material: tuple[int, ...], unknown: int, ronum: int, paid: tuple[int, ...]
) -> None:
    player = SoulForgerPlayer("ana", "Ana", material=material, unknown_material=unknown)
    assert find_payment(player, ronum) == paid


def test_without_an_open_zone_an_action_is_one_that_was_set() -> None:
    session = played(*COMBAT[:-1], 'set-action ana "Trap"', "set ana hand 0")
    options = choices(GAME, session.state, draft(do.PlayAction, seat="ana"), "name")
    assert isinstance(options, Open)
    assert options.example == "Trap"
    offers = [answer.given.get("name") for prompt in session.view().prompts for answer in prompt.answers]
    assert "Trap" in offers


def test_a_needed_keyword_with_one_value_is_offered() -> None:
    session = played(*COMBAT[:-1], 'set-action ana "Trap"', "set ana hand 0")
    line = 'action ana "Trap" ronum 0 lingering '
    assert "from" in [way.word for way in complete(GAME, session.state, line)]
    assert [way.word for way in complete(GAME, session.state, f"{line}from ")] == ["set"]


def test_the_set_up_asks_until_the_game_can_begin() -> None:
    session = Session.new(GAME)
    set_up = ("seat ana", "seat ben", "gear ben axe weapon power 2/1", "gear ana sword weapon power 3/1")
    armors = tuple(f"gear {seat} {seat}-{kind} {kind}" for seat in ("ana", "ben") for kind in ("armor", "accessory"))
    for line in (*set_up, *armors):
        choosing.are_honest(session)
        offers = {answer.line for prompt in session.view().prompts for answer in prompt.answers}
        assert ("begin" in offers) == (line in armors)
        session.enter(line)
    assert [prompt.line for prompt in session.view().prompts if prompt.due] == ["begin"]


def test_who_starts_with_which_weapon_is_asked_with_its_figures() -> None:
    session = Session.new(GAME)
    session.enter("seat ana")
    prompt = next(prompt for prompt in session.view().prompts if prompt.seat == "ana" and prompt.due)
    assert (prompt.line, prompt.wants) == ("gear ana", "THING weapon|armor|accessory power ON/OFF hands N")
    assert offered(session, prompt.answer.having("handle", "sword")) == ["weapon"]
