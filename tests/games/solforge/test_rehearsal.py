"""Rehearsed SolForge against reckonings of small cases, and the cards on their round."""

from __future__ import annotations

from companion.games.solforge.rehearsal.rehearsal import SolForgeRehearsal
from companion.rehearsal.play import rehearse_one
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from companion.tabletop.table.common_actions import Begin
from tests.games.constructed.rehearsed import play, rehearsal_of

BLANKS = "solforge main\n30 Blank | spell\n"


def fastest_win(attack: int, begins: bool) -> int:
    """The turn in which creatures of one attack take 120 health from somebody who does nothing: awake ones hit in every
    Battle, those of the turn before wake with the next own one, and two come each own turn up to five.
    """
    health, awake, asleep, turn = 120, 0, 0, 0
    while health > 0:
        turn += 1
        own = (turn % 2 == 1) == begins
        if own:
            awake, asleep = awake + asleep, 0
        health -= awake * attack
        if own:
            asleep = min(1 if turn == 1 else 2, 5 - awake)
    return turn


def test_creatures_without_a_defence_win_when_they_should() -> None:
    for attack in (3, 12, 30):
        setting = RehearsalSetting(
            "solforge", 2, (), ("greedy",), decks=(f"solforge main\n30 Imp | creature | {attack}/1\n", BLANKS)
        )
        for number in range(2):
            duel = play(setting, 1, number)
            assert duel.table.outcome == "ana"
            assert duel.table.turn == fastest_win(attack, begins=number == 0)


def test_a_card_is_in_the_first_hand_as_often_as_it_must() -> None:
    setting = RehearsalSetting(
        "solforge", 2, decks=("solforge main\n1 Giant | creature | 9/9\n11 Blank | spell\n", BLANKS)
    )
    games, there = 600, 0
    for number in range(games):
        duel = rehearsal_of("solforge").begin(setting, Chance(6, number))
        there += "Giant" in {copy.card.name for copy in duel.piles["ana"].deck[-5:]}
    share = 5 / 12
    assert abs(there / games - share) < 4 * (share * (1 - share) / games) ** 0.5


def test_who_begins_wins_as_often_as_enumeration_says() -> None:
    """Six cards, five in hand: whoever has the Giant wins at once, and it comes with the second hand for sure."""
    text = "solforge main\n1 Giant | creature | 200/1 has aggressive\n5 Blank | spell\n"
    setting = RehearsalSetting("solforge", 2, (), ("greedy",), decks=(text,))
    games = 400
    outcomes = [rehearse_one(setting, 9, number).figures for number in range(games)]
    expected = 5 / 6 + 1 / 6 * 1 / 6
    begins = sum(figures["win-beginning"][0] for figures in outcomes) / games
    assert abs(begins - expected) < 4 * (expected * (1 - expected) / games) ** 0.5
    turns = [figures["turns"][0] for figures in outcomes]
    assert set(turns) == {1, 2, 3}
    assert abs(turns.count(1) / games - 5 / 6) < 4 * (5 / 36 / games) ** 0.5


def test_consistent_cards_come_within_a_rank() -> None:
    text = "solforge main\n2 Clock | creature | 0/1 has consistent\n58 Blank | spell\n"
    setting = RehearsalSetting("solforge", 2, decks=(text, text))
    places = set()
    for number in range(60):
        duel = rehearsal_of("solforge").begin(setting, Chance(6, number))
        duel.do(duel.first_line("ana"))
        duel.do(Begin(0))
        duel.deal()
        piles = duel.piles["ana"]
        deep = {at for at, copy in enumerate((*piles.hand, *reversed(piles.deck))) if copy.card.has("consistent", 1)}
        assert max(deep) < 20
        places |= deep
    assert len(places) == 20


def test_cards_come_back_a_level_higher() -> None:
    setting = RehearsalSetting(
        "solforge", 2, (), ("greedy",), decks=("solforge main\n10 Imp | creature | 0/7 | level 2 0/8 | level 3 0/9\n",)
    )
    duel = play(setting, 2)
    assert duel.lines is not None
    for level, health in ((1, 7), (2, 8), (3, 9)):
        written = f"0/{health}" if level == 1 else f"0/{health} level {level}"
        assert [line for line in duel.lines if f" {written}" in line], level
    assert duel.table.outcome is None
    assert rehearse_one(setting, 2, 0).figures["unfinished"] == (1, 1)


def test_missing_levels_and_texts_are_told_by_card() -> None:
    text = (
        "solforge main\n3 Ghoul | creature | 5/2 has vengeance armor=1 | level 2 6/6 | level 3 7/7\n"
        "2 Yeti | creature | 7/6\n1 Ember | spell\n"
    )
    setting = RehearsalSetting("solforge", 2, decks=(text,))
    remarks = [*map(str, SolForgeRehearsal(rehearsal_of("solforge").game).remarks(setting))]
    assert "With text that is not computed, 3 cards: Ghoul (Vengeance)." in remarks
    assert "Without figures at some level, so they keep those of another level, 2 cards: Yeti." in remarks
    assert "Without figures, so nothing happens when they are played, 1 card: Ember." in remarks
