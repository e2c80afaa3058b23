"""Rehearsed Soul-Forger against reckonings of small cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.soulforger.game import GAME
from companion.games.soulforger.rehearsal.exchange import Exchange, foresee_fight
from companion.games.soulforger.rules.state import SoulForgerTable
from companion.rehearsal.play import rehearse_one
from companion.tabletop.action import RuleError
from companion.tabletop.notation.notation import Notation
from companion.tabletop.rehearsal import RehearsalSetting
from tests.games.constructed.rehearsed import play, rehearsal_of

_NOTATION = Notation(GAME.actions)
GEAR = "soulforger gear\nBare Hand | weapon | starting | power 0/0 | hands 1\n"
NOTHING = f"soulforger main\n60 Blank | action | ronum 0\n{GEAR}"


def fastest_win(power: int, begins: bool) -> int:
    """The turn in which creatures of no Ronum deal 30 damage to somebody who does nothing: 5 cards, 2 more each own
    turn and 1 in the very first, all summoned at once, and all attack at once.
    """
    damage, there, turn, hand = 0, 0, 0, 5
    while damage < 30:
        turn += 1
        if (turn % 2 == 1) == begins:
            there, hand = there + hand + (1 if turn == 1 else 2), 0
            damage += there * power
    return turn


@pytest.mark.parametrize("power", [1, 2, 6])
def test_creatures_without_a_defence_win_when_they_should(power: int) -> None:
    imps = f"soulforger main\n60 Imp | creature | ronum 0 | power {power}/0 | endurance 1\n{GEAR}"
    for number in range(2):
        duel = play(RehearsalSetting("soulforger", 2, (), ("greedy",), decks=(imps, NOTHING)), 1, number)
        assert duel.table.outcome == "ana"
        assert duel.table.turn == fastest_win(power, begins=number == 0)


def test_cards_are_exchanged_as_often_as_enumeration_says() -> None:
    text = f"soulforger main\n24 Ox | creature | ronum 4 | power 9/0 | endurance 9\n36 Blank | action | ronum 0\n{GEAR}"
    setting = RehearsalSetting("soulforger", 2, (), ("greedy",), decks=(text,))
    games = 100
    exchanged = sum(rehearse_one(setting, 3, number).figures["exchanged"][0] for number in range(games))
    expected, variance = 5 * 24 / 60, 5 * 0.4 * 0.6 * 55 / 59
    assert abs(exchanged / (2 * games) - expected) < 4 * (variance / (2 * games)) ** 0.5


def test_a_deck_that_is_empty_ends_the_game() -> None:
    outcome = rehearse_one(RehearsalSetting("soulforger", 2, (), ("careful",), decks=(NOTHING,)), 3, 0)
    # 60 cards, 5 in hand: the one who begins draws 1 and then 2 a turn, so that 28 turns empty the deck; then 6 × 5.
    assert outcome.figures["decked"] == (1, 1)
    assert outcome.tables["damage"]["empty deck"][0] >= 30


def test_a_list_without_a_weapon_is_refused() -> None:
    bare = "soulforger main\n60 Imp | creature | ronum 0 | power 1/0 | endurance 1\n"
    with pytest.raises(RuleError, match="starting weapon"):
        rehearsal_of("soulforger").check(RehearsalSetting("soulforger", 2, decks=(bare,)))


_few = st.integers(0, 6)
KEYWORDS = ("fast-hand", "reflex", "range", "impale", "flight", "protector")
fighters = st.tuples(
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(1, 6),
    st.lists(st.sampled_from(KEYWORDS), unique=True, max_size=3),
)


@given(fighters, fighters, st.integers(0, 5), st.integers(0, 5), st.sampled_from(["creature", "player", "weapon"]))
def test_people_foresee_what_a_fight_does(
    one: tuple[int, int, int, list[str]],
    other: tuple[int, int, int, list[str]],
    own_weapon: int,
    weapon: int,
    meets: str,
) -> None:
    table: SoulForgerTable = GAME.new()

    def do(line: str) -> None:
        nonlocal table
        table = GAME.apply(table, _NOTATION.parse(line)).state

    for line in (
        "seat ana",
        "seat ben",
        f"gear ana knife weapon power {own_weapon}/0",
        f"gear ben axe weapon power {weapon}/0",
    ):
        do(line)
    for line in ("begin seed 0", "next", "next", "next", "set ben damage 27", "set ana damage 27"):
        do(line)
    for seat, word, (on, off, endurance, keywords) in (("ana", "wolf", one), ("ben", "bear", other)):
        says = f" keywords {' '.join(keywords)}" if keywords else ""
        do(f"token {seat} {word} power {on}/{off} endurance {endurance}{says}")
    do("next")
    attacker = table.card("knife" if meets == "weapon" else "wolf")
    target = "ben" if meets == "player" else "bear"
    do(f"attack {attacker.handle} on {target}")
    expected = foresee_fight(table, attacker, "ben" if meets == "player" else table.card("bear"))
    before = {player.seat: player.damage for player in table.players}
    do("fight")
    lost = {player.seat: player.damage - before[player.seat] for player in table.players}
    ended = table.outcome is not None
    dies = meets != "weapon" and "wolf" not in table.cards and not table.player("ana").out
    falls = meets != "player" and "bear" not in table.cards and not table.player("ben").out
    if ended:
        assert (expected.hurt, expected.dealt) == (lost["ana"], lost["ben"])
    else:
        assert expected == Exchange(dies, falls, lost["ana"], lost["ben"])
