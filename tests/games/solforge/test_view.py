"""What a screen is told of a table of SolForge: what is big, what is small, and what hands must do."""

from __future__ import annotations

import pytest
from msgspec import Struct

from companion.games.solforge.game import GAME
from companion.games.solforge.rules import state
from companion.games.solforge.rules.actions import VOCABULARY
from companion.session.core.session import Session
from companion.tabletop.table.table import Counter
from tests.games.rendering import render_texts


@pytest.fixture
def session() -> Session:
    session = Session.new(GAME)
    for line in ("seat ana", "seat ben", "begin seed 1", "place ana 2 cave-bear 3/4 has armor=1 aggressive"):
        session.enter(line)
    return session


def names(counters: tuple[Counter, ...]) -> tuple[list[str], list[str]]:
    """The counters that must be read from far, and the others that a small screen needs."""
    big = [counter.name for counter in counters if counter.big]
    return big, [counter.name for counter in counters if counter.is_visible and not counter.big]


def test_health_is_big_and_not_crowded_out(session: Session) -> None:
    view = session.view()
    ana = view.seats[0]
    assert names(ana.counters) == (
        ["health"],
        ["plays", "rank", "turn", "hand", "deck", "discard", "level1", "level2", "level3"],
    )
    assert names(ana.zones[1].things[0].counters) == (["health"], ["attack"])
    assert names(view.counters) == ([], ["turn", "active"])
    assert all(counter.settable for counter in ana.counters)


def test_each_side_has_five_lanes_in_order_and_empty_ones_too(session: Session) -> None:
    for seat in session.view().seats:
        assert [str(zone.title) for zone in seat.zones] == [f"Lane {lane}" for lane in range(1, 6)]
    assert [len(zone.things) for zone in session.view().seats[0].zones] == [0, 1, 0, 0, 0]


def test_a_creature_shows_what_it_can_do_and_what_wears_off(session: Session) -> None:
    session.enter("give cave-bear flank until-end")
    session.enter("buff cave-bear +1/+0 until-end")
    session.enter("take-away cave-bear aggressive negate")
    notes = render_texts(session.view().seats[0].zones[1].things[0].notes)
    assert notes[0].startswith("asleep")
    assert notes[1].startswith("Armor 1: ")
    assert notes[2].startswith("Flank: ")
    assert notes[3:] == ("Aggressive negated", "Flank until the end of the turn", "+1/+0 until the end of the turn")


def test_what_decides_the_next_battle_is_flagged(session: Session) -> None:
    def bear() -> tuple[str, tuple[str, ...]]:
        thing = session.view().seats[0].zones[1].things[0]
        return thing.brief, tuple(map(str, thing.flags))

    assert bear() == ("3/4", ("asleep", "Aggressive", "Armor 1"))
    for line in ("take-away cave-bear aggressive", "give cave-bear armor=3", "give cave-bear poison=1"):
        session.enter(line)
    session.enter("damage cave-bear 4")
    assert bear() == ("3/3", ("asleep", "Armor 0 of 3", "Poison 1"))
    assert "hurt 1 of 4" in render_texts(session.view().seats[0].zones[1].things[0].notes)
    assert [zone.column for zone in session.view().seats[1].zones] == [1, 2, 3, 4, 5]


def test_flags_show_turn_keywords_and_concessions(session: Session) -> None:
    session.enter("give ben poison=2")
    session.enter("concede ben")
    assert [render_texts(seat.flags) for seat in session.view().seats] == [("active",), ("Poison 2", "out")]


def test_the_discard_pile_says_its_known_levels(session: Session) -> None:
    def discard_why() -> str:
        return next(str(counter.why) for counter in session.view().seats[0].counters if counter.name == "discard")

    session.enter("bank ana")
    assert discard_why() == "1 of level 2"
    session.enter("discard ana 2")
    assert discard_why() == "2 of level 1, 1 of level 2"
    session.enter("set ana discard 5")
    assert discard_why() == "2 of level 1, 1 of level 2, 2 not known"
    session.enter("set ana level1 1")
    assert discard_why() == "1 of level 1, 1 of level 2, 3 not known"


@pytest.mark.parametrize(
    ("line", "by_hand"),
    [
        ("forge ana 1 elk 1/1", [True]),
        ("cast ana Spark", [True]),
        ("bank ana", [True]),
        ("spawn ana elk 1/1", [True]),
        ("buff cave-bear +1/+1", [True]),
        ("give cave-bear flank", [True]),
        ("take-away cave-bear armor", [True]),
        ("destroy cave-bear", [True]),
        ("banish cave-bear", [True]),
        ("banish ana 1", [True]),
        ("draw ana 1", [True]),
        ("draw ana 26", [True]),
        ("discard ana 1", [True]),
        ("damage cave-bear 1", [False]),
        ("heal ana 3", [False]),
        ("note hello", [False]),
        ("concede ana", [False, False]),
        ("battle", [False, False]),
    ],
)
def test_what_hands_must_do_is_told_apart_from_what_is_only_so(
    session: Session, line: str, by_hand: list[bool]
) -> None:
    assert [tell.by_hand for tell in session.enter(line)] == by_hand


def test_a_turn_and_its_rank_up_tell_hands_what_to_do_in_order(session: Session) -> None:
    for line in ("set ana turn 4", "bank ana", "battle"):
        session.enter(line)
    tells = [(str(tell.text), tell.by_hand) for tell in session.enter("next")]
    assert tells == [
        ("Ana discards 4 cards without levelling.", True),
        ("Ana reaches rank 2; the 30 cards: 29 of level 1, 1 of level 2.", False),
        ("Ana shuffles 5 discarded cards into the deck.", True),
        ("Ana: Consistent cards go into the first 20 of the deck.", True),
        ("Ana draws 5 cards.", True),
        ("Turn 2: Ben, rank 1 turn 1, 2 plays.", False),
    ]


def test_nothing_of_a_table_can_be_changed_behind_the_rules() -> None:
    frozen: tuple[type[Struct], ...] = (*VOCABULARY, state.SolForgePlayer, state.LaneCreature, state.SolForgeTable)
    assert all(struct.__struct_config__.frozen for struct in frozen)
