"""Rehearsed Odd Frontier against reckonings of small cases."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.oddfrontier.game import GAME
from companion.games.oddfrontier.rehearsal.temperaments import fight_out
from companion.rehearsal.play import rehearse_one
from companion.tabletop.notation.notation import Notation
from companion.tabletop.rehearsal import RehearsalSetting
from tests.games.constructed.rehearsed import play

ENGINES = "oddfrontier main\n40 Mill | engine\n"
_NOTATION = Notation(GAME.actions)


def fastest_win(attack: int, begins: bool) -> int:
    """The turn in which creatures that cost nothing take 137 life from somebody who has none: 6 in hand after two
    mulligans, one more each own turn but in the very first one, and all attack but in that.
    """
    life, hand, there, turn = 137, 6, 0, 0
    while life > 0:
        turn += 1
        if (turn % 2 == 1) == begins:
            there, hand = there + hand + (turn > 1), 0
            life -= there * attack if turn > 1 else 0
    return turn


@pytest.mark.parametrize("attack", [1, 4, 23])
def test_creatures_without_a_defence_win_when_they_should(attack: int) -> None:
    imps = f"oddfrontier main\n40 Imp | creature | Beast | {attack}/1 | cost 0\n"
    for number in range(2):
        duel = play(RehearsalSetting("oddfrontier", 2, (), ("greedy",), decks=(imps, ENGINES)), 1, number)
        assert duel.table.outcome == "ana"
        assert duel.table.turn == fastest_win(attack, begins=number == 0)


def test_hands_go_back_as_often_as_enumeration_says() -> None:
    engines, cards, hand = 12, 36, 7
    kept = sum(comb(engines, held) * comb(cards - engines, hand - held) for held in range(2, 6)) / comb(cards, hand)
    expected = (1 - kept) + (1 - kept) ** 2
    text = f"oddfrontier main\n{engines} Mill | engine\n{cards - engines} Imp | creature | Beast | 30/1 | cost 0\n"
    setting = RehearsalSetting("oddfrontier", 2, (), ("greedy",), decks=(text,))
    games = 250
    back = sum(rehearse_one(setting, 3, number).figures["mulligans"][0] for number in range(games))
    assert abs(back / (2 * games) - expected) < 4 * (expected / (2 * games)) ** 0.5


def test_engines_are_cranked_early_only_where_the_rules_let_them() -> None:
    text = "oddfrontier main\n20 Mill | engine\n20 Ox | creature | Beast | 6/6 | cost 5\n"
    early = [
        rehearse_one(RehearsalSetting("oddfrontier", 2, rules, ("careful",), decks=(text,)), 3, 0).figures["early"][0]
        for rules in ((), (("crank-before-reset", "no"),))
    ]
    assert early[0] > 0
    assert early[1] == 0


figures = st.tuples(st.integers(0, 9), st.integers(1, 9), st.booleans())


@given(figures, figures)
def test_people_foresee_what_a_fight_does(one: tuple[int, int, bool], other: tuple[int, int, bool]) -> None:
    table = GAME.new()
    lines = ["seat ana", "seat ben", "begin seed 0", "set ana hand 0", "set ben hand 0", *["next"] * 9]
    for line in lines:
        table = GAME.apply(table, _NOTATION.parse(line)).state
    assert table.active == "ana"
    assert table.phase == "reset"
    table = GAME.apply(table, _NOTATION.parse("next")).state
    for seat, word, (attack, defense, assault) in (("ana", "wolf", one), ("ben", "bear", other)):
        line = f"token {seat} {word} {attack}/{defense}{' first-assault' if assault else ''}"
        table = GAME.apply(table, _NOTATION.parse(line)).state
    for line in ("next", "attack wolf on ben", "block bear on wolf"):
        table = GAME.apply(table, _NOTATION.parse(line)).state
    attacker, blocker = table.permanent("wolf"), table.permanent("bear")
    after = GAME.apply(table, _NOTATION.parse("fight")).state
    there = {permanent.handle for permanent in after.permanents}
    assert fight_out(attacker, blocker) == ("wolf" not in there, "bear" not in there)
