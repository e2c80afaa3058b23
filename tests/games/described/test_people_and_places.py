"""Lines that mean a holder or a partner, move things between places, rename them, and round; and teams by name."""

from __future__ import annotations

import pytest

from companion.games.described.check import play_random
from companion.games.described.game import DescribedGame
from companion.games.described.page.amounts import parse_amount
from companion.games.described.page.conditions import parse_condition
from companion.games.described.page.reading import PageError, read_description
from companion.session.core.changes import describe_outcome, tell_ending
from companion.session.core.replay import unmet
from companion.session.core.session import Session
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.table.common_actions import Expect

PAGE = """
name = "two-packs"
title = "Two packs"

[play]
players = "4"
teams = 2
team-titles = ["Sun", "Moon"]

[[steps]]
name = "main"

[counters.life]
start = 10

[counters.bet]
also = { points = 10 }

[counters.points]
of = "team"

[counters.hp]
of = "beast"
start = 60

[counters.harm]
of = "beast"

[tokens.dealer]
start = "first"

[tokens.crown]

[things.beast]
zone = "bench"
list = [{ name = "Big Wolf", figures = { hp = 120 } }]

[zones.active]
lanes = 1

[zones.bench]
lanes = 2

[actions.tax]
whose = "any"
when = ["dealer life >= 3", "dealer has not crown"]
does = ["add dealer life -2", "add partner life 1", "give crown partner"]

[actions.call]
does = ["turn dealer"]

[actions.pay]
takes = "N"
when = ["crown.life > 3"]
does = ["add crown life -round up(N * 30, 100)", "add me life round down(N, 5)"]

[actions.swap]
takes = "THING THING2"
when = ["THING in bench", "THING2 is in active", "me has THING", "me has THING2"]
does = ["move THING zone active", "move THING2 zone bench"]

[actions.forward]
takes = "THING"
when = ["me has THING"]
does = ["move THING zone active"]

[actions.grow]
takes = "THING TEXT"
when = ["me has THING", "THING is not in active"]
does = ["become THING TEXT", "add THING hp 5"]

[actions.replace]
takes = "THING TEXT"
when = ["me has THING"]
does = ["put TEXT beast of me", "set TEXT harm THING.harm", "remove THING"]

[end]
over = "points >= 500"
most = "points"
"""

SEATS = ("seat ana", "seat ben", "seat cy", "seat dee", "first ana", "begin seed 1")
FULL = ("put wolf beast of ana", "put fox beast of ana", "put hare beast of ana zone active")


def session_after(*lines: str, page: str = PAGE) -> Session:
    session = Session.new(DescribedGame(read_description(page)))
    for line in (*SEATS, *lines):
        session.enter(line)
    return session


def figure(session: Session, target: str, counter: str) -> object:
    return next(each.value for each in session.counters_of(target) or () if each.name == counter)


def places(session: Session) -> dict[str, tuple[str, int]]:
    return {piece.handle: (piece.zone, piece.lane) for piece in session.state.pieces}


def wrong(old: str, new: str) -> list[str]:
    assert old in PAGE
    with pytest.raises(PageError) as error:
        read_description(PAGE.replace(old, new))
    return [str(fault) for fault in error.value.faults]


# Somebody


def test_a_token_means_its_holder() -> None:
    session = session_after("turn ben", "tax ben", "call ben")
    assert figure(session, "ana", "life") == 8
    assert session.state.active == "ana"
    assert session.state.tokens["crown"] == "dee"


def test_a_partner_is_the_other_player_of_the_team() -> None:
    assert figure(session_after("tax ben"), "dee", "life") == 11
    assert figure(session_after("tax cy"), "ana", "life") == 9


def test_a_holder_whom_nobody_is_refuses_the_line() -> None:
    with pytest.raises(RuleError, match=r"Nobody has the Crown\."):
        session_after("pay ana 1")
    assert not any(prompt.answer.line.startswith("pay") for prompt in session_after().view().prompts)


@pytest.mark.parametrize(
    ("text", "word"), [("they has crown", "they"), ("mill water > 3", "mill"), ("hunter life >= 3", "hunter")]
)
def test_an_owner_whom_the_page_does_not_know_is_nobody(text: str, word: str) -> None:
    sentence = f"“{word}” in “{text}” is nobody that a condition can be about"
    assert sentence in wrong("dealer life >= 3", text)[0]


def test_somebody_unknown_is_named() -> None:
    assert "partner" in wrong("add dealer life -2", "add hunter life -2")[0]


def test_a_partner_needs_teams() -> None:
    page = PAGE.replace("teams = 2\nteam-titles", "# team-titles").replace('of = "team"', 'of = "seat"')
    with pytest.raises(PageError, match="“partner” is nobody here"):
        read_description(page)


# Places


def test_two_things_change_places() -> None:
    session = session_after(*FULL, "swap ana wolf hare")
    assert places(session) == {"wolf": ("active", 1), "fox": ("bench", 2), "hare": ("bench", 1)}


def test_a_place_that_stays_full_refuses_the_line() -> None:
    with pytest.raises(RuleError, match=r"All 1 lanes of Active are taken\."):
        session_after(*FULL, "forward ana wolf")


def test_a_line_that_moves_nothing_is_refused() -> None:
    with pytest.raises(RuleError, match=r"Hare is already there\."):
        session_after(*FULL, "forward ana hare")


def test_a_move_by_hand_is_checked_at_once() -> None:
    with pytest.raises(RuleError, match="All 2 lanes of Bench are taken"):
        session_after(*FULL, "move hare zone bench")


def test_a_place_is_a_condition() -> None:
    with pytest.raises(RuleError, match="only possible if Hare is in Bench"):
        session_after(*FULL, "swap ana hare wolf")
    with pytest.raises(RuleError, match="only possible if Hare is not in Active"):
        session_after(*FULL, 'grow ana hare "Big Wolf"')
    assert parse_condition("THING in bench") == parse_condition("THING is in zone bench")


def test_only_things_lie_somewhere() -> None:
    assert "Only a THING that the line takes lies somewhere, not “me”." in wrong("THING in bench", "me in bench")[0]
    assert "There is no zone “bank”; there is: active, bench." in wrong("THING in bench", "THING in bank")[0]


# Names


def test_a_thing_gets_a_name_and_the_figures_of_the_list() -> None:
    session = session_after(*FULL, "set fox harm 20", 'grow ana fox "Big Wolf"')
    assert places(session)["big-wolf"] == ("bench", 2)
    assert figure(session, "big-wolf", "hp") == 125
    assert figure(session, "big-wolf", "harm") == 20
    assert session.counters_of("fox") is None


def test_a_new_name_can_be_given_by_hand() -> None:
    session = session_after(*FULL, 'become fox "Red Fox"')
    assert figure(session, "red-fox", "hp") == 60
    with pytest.raises(RuleError, match="is called so already"):
        session.enter('become red-fox "Red Fox"')


def test_one_thing_replaces_another_on_a_full_bench() -> None:
    session = session_after(*FULL, "set fox harm 20", 'replace ana fox "Big Wolf"')
    assert places(session) == {"wolf": ("bench", 1), "hare": ("active", 1), "big-wolf": ("bench", 2)}
    assert figure(session, "big-wolf", "harm") == 20


def test_what_was_removed_cannot_be_named_behind_it() -> None:
    lines = '"put TEXT beast of me", "set TEXT harm THING.harm", "remove THING"'
    turned = '"remove THING", "put TEXT beast of me", "set TEXT harm THING.harm"'
    assert "THING has left play by then" in wrong(lines, turned)[0]


@pytest.mark.parametrize("first", ["move THING2 zone bench", "move THING zone active"])
def test_random_games_exchange_things(first: str) -> None:
    other = {"move THING2 zone bench": "move THING zone active"}.get(first, "move THING2 zone bench")
    page = PAGE.replace('does = ["move THING zone active", "move THING2 zone bench"]', f'does = ["{first}", "{other}"]')
    findings = play_random(DescribedGame(read_description(page)), games=8)
    assert "actions.swap" not in {finding.place for finding in findings}


# Rounding


@pytest.mark.parametrize(
    ("amount", "value"),
    [("round up(N, 100)", 300), ("round down(N, 100)", 200), ("round up(-N, 100)", -200), ("round up(200, 100)", 200)],
)
def test_an_amount_is_rounded_to_a_step(amount: str, value: int) -> None:
    page = PAGE.replace('does = ["move THING zone active"]', f'does = ["add each life {amount}"]')
    page = page.replace('takes = "THING"\nwhen = ["me has THING"]', 'takes = "N"')
    page = page.replace("start = 10", 'start = 500\nleast = "none"')
    assert figure(session_after("forward ana 250", page=page), "ben", "life") == 500 + value
    assert str(parse_amount(amount)) == amount


@pytest.mark.parametrize("amount", ["round up(N)", "round up(N, 0)", "round up(N, N)", "round up N"])
def test_a_rounding_needs_a_step(amount: str) -> None:
    with pytest.raises(NotationError):
        parse_amount(amount)


# Teams


def test_a_counter_of_a_player_moves_that_of_the_team() -> None:
    assert figure(session_after("add cy bet 4"), "sun", "points") == 40


@pytest.mark.parametrize("line", ["won moon", "won dee", "won ben dee"])
def test_a_team_wins_by_its_name(line: str) -> None:
    session = session_after("add ana bet 2", line)
    assert str(describe_outcome(session.view())) == "The win goes to Moon."
    ending = tell_ending(session.game, session.moments())
    assert str(ending.title) == "A win for Moon"
    assert [(str(name), str(figures)) for name, figures in ending.people] == [
        ("Sun (Ana and Cy)", "Points 20"),
        ("Moon (Ben and Dee)", "Points 0"),
        ("Ana", "Life 10 · Bet 2"),
        ("Ben", "Life 10 · Bet 0"),
        ("Cy", "Life 10 · Bet 0"),
        ("Dee", "Life 10 · Bet 0"),
    ]


@pytest.mark.parametrize(("word", "is_met"), [("moon", True), ("team-2", True), ("sun", False)])
def test_an_outcome_is_checked_by_the_name_of_a_team(word: str, is_met: bool) -> None:
    assert bool(unmet(session_after("won moon"), Expect("table", "outcome", (word,)))) != is_met


def test_a_house_rule_on_players_is_named() -> None:
    page = PAGE.replace('players = "4"', 'players = "2-4"').replace("teams = 2\n", "").replace('of = "team"', "")
    page = page.replace('team-titles = ["Sun", "Moon"]\n', "").replace("partner", "left")
    rule = '\n[house.pairs]\nask = "Pairs?"\nvalues = { no = {}, yes = { "play.players" = "4" } }\n'
    session = Session.new(DescribedGame(read_description(page + rule)))
    for line in ("seat ana", "seat ben", "rule pairs yes"):
        session.enter(line)
    with pytest.raises(RuleError, match="is for 4 players by the house rule Pairs yes; 2 sit here"):
        session.enter("begin")
