"""What the table is told and asked: hints that hold, sums that add up, offers that are taken. Tables cannot say it."""

from __future__ import annotations

import pytest

from companion.session.core.session import Session
from tests.games.decknforge.sessions import session_after


def hints(session: Session) -> str:
    return "\n".join(map(str, session.view().hints))


def sentences(session: Session, line: str) -> str:
    return "\n".join(str(tell.text) for tell in session.enter(line))


TWO = ("seat ana", "seat ben")
FIVE = ("seat ana", "seat ben", "seat cy", "seat dee", "seat eve")


# Kill


KILL = ("set boss hp 5", "reveal ana KS", "reveal ben KD", "next", "damage")


def bonuses(*lines: str) -> str:
    """What the answers to the question of the bonus say."""
    (prompt,) = session_after(*TWO, *lines).view().prompts
    return " · ".join(str(answer.note) for answer in prompt.answers)


def test_a_reset_that_makes_a_rally_useless_is_said_with_it() -> None:
    question = bonuses("begin seed 1", "set ana hp 3", "set ben hp 15", *KILL)
    assert "rally (all +5; then all HP to 20)" in question
    assert "surge (draw 3; then all draw to 12)" in question


def test_after_the_sixth_boss_no_reset_follows() -> None:
    assert "anyway" not in bonuses("begin seed 1", "set boss number 6", *KILL)


def test_bonuses_after_the_reset_are_all_worth_something() -> None:
    assert "anyway" not in bonuses("rule kill-bonus-timing after-reset", "begin seed 1", *KILL)


# Attacks


def test_who_takes_an_attack_is_told_when_hp_changes() -> None:
    lines = ("active ana", "begin seed 1", "reveal ana 2S", "reveal ben 2D", "next", "damage")
    first = session_after(*TWO, *lines)
    (sentence,) = (str(tell.text) for tell in first.enter("take ana"))
    assert str(sentence).endswith("; HP changes once all attacks are answered (R1.33).")
    last = [str(tell.text) for tell in first.enter("take ben")]
    assert "HP changes once" not in last[0]
    assert any("HP" in text for text in last)


# What must be acted on now


DOOM = ("monster ana AS hp 30 labels doom", "bosses ana:AS", "active ana", "begin seed 1")


def test_doom_counts_its_rounds_down_beside_the_forecast() -> None:
    session = session_after(*TWO, *DOOM, "set table round 4", "reveal ana 2S", "reveal ben 2D")
    first, second, *_ = session.view().hints
    assert str(first) == "Doom: round 4 of 5. The Boss must fall by round 5 (R1.L11)."
    assert str(second).startswith("Now: 2 + 2 = 4 damage")
    session.enter("set table round 5")
    assert str(session.view().hints[0]) == "Doom: round 5 of 5. The Boss must fall in this round (R1.L11)."
    session.enter("set table round 6")
    assert "Doom" not in hints(session), "who set it so goes on"


def test_pressure_is_told_before_it_follows() -> None:
    session = session_after(*TWO, "active ana", "begin seed 1", "reveal ana 2C", "reveal ben 2D", "next")
    follows = "The Boss loses nothing: Pressure 2 will follow (R1.27)."
    assert follows not in hints(session)
    session.enter("convert ana")
    assert follows not in hints(session)
    session.enter("convert ben")
    assert follows in hints(session)
    session.enter("damage")
    assert (session.view().step, follows in hints(session)) == ("attack", True)
    hp = session.state.wizard("ana").hp
    session.enter("next")
    assert session.state.wizard("ana").hp == hp - 3 - 2, "the attack and Pressure"


def test_how_to_aim_at_a_minion_is_told_while_a_card_may() -> None:
    session = session_after(*TWO, "active ana", "begin seed 1", "reveal ana 2S", "reveal ben 2D", "next", "damage")
    for line in ("next", "refill", "reveal ana 3S", "reveal ben 3D", "next"):
        session.enter(line)
    assert session.state.minions
    assert "`target SEAT REF`" in hints(session)
    for seat in ("ana", "ben"):
        session.enter(f"target {seat} {session.state.minions[0].ref}")
    assert "`target SEAT REF`" not in hints(session)


# An empty deck


def attacked(*lines: str) -> Session:
    """The Boss attacks; Ana's deck is empty."""
    play = ("begin seed 1", "set ana deck 0", "reveal ana QS", "reveal ben QD", "next", "damage")
    return session_after(*TWO, *lines, *play)


def test_an_empty_deck_warns_of_the_next_plot() -> None:
    assert "Ana's deck is empty" in hints(attacked())
    assert "Ben's deck" not in hints(attacked())


def test_with_play_from_hand_an_empty_deck_warns_with_no_hand() -> None:
    session = attacked("rule empty-deck play-from-hand")
    assert "deck is empty" not in hints(session)
    session.enter("set ana hand 0")
    assert "Ana's deck is empty" in hints(session)


# Cards that may be in hand


def with_cards(*lines: str) -> Session:
    """Ana's band has a Royal Decree, Thorns and a Phoenix."""
    cards = ("inscribed ana KS royal-decree", "inscribed ana 9H thorns", "inscribed ana 8H phoenix")
    return session_after(*TWO, *cards, "begin seed 1", *lines)


def test_royal_decree_is_asked_for_as_soon_as_it_matters() -> None:
    session = with_cards()
    assert "hold ana" not in hints(session)
    session.enter("reveal ana 2C")
    for step, line in (("reveal", "reveal ben 2D"), ("tactics", "next"), ("declare", "damage")):
        assert session.view().step == step
        assert "hold ana KS" in hints(session)
        assert "9H" not in hints(session)
        session.enter(line)
    for card in ("KS", "9H", "8H"):
        assert f"hold ana {card}" in hints(session)


def test_what_is_known_to_be_held_or_gone_is_not_asked_for() -> None:
    assert "KS" not in hints(with_cards("hold ana KS", "reveal ana 2C", "reveal ben 2D"))
    revealed = with_cards("reveal ana KS", "reveal ben 2D")
    assert "hold ana KS" not in hints(revealed)
    revealed.enter("next")
    revealed.enter("damage")
    assert "hold ana KS" not in hints(revealed)
    assert "hold ana 9H" in hints(revealed)


def test_a_decree_matters_to_who_has_a_card_on_the_table() -> None:
    session = with_cards("set ana skips-plot yes", "reveal ben 2D")
    assert session.view().step == "tactics"
    assert "hold ana" not in hints(session)


# Sums


@pytest.mark.parametrize(
    ("card", "rules", "tactics", "sums"),
    [
        ("9H", (), ("foil ana ben pay 2",), ["9 −3 → 6"]),
        ("2H", (), ("foil ana ben pay 2",), ["2 −3, at least 1 → 1"]),
        ("4H", (), ("foil ana ben pay 2",), ["4 −3 → 1"]),
        ("2H", (), ("foil ana ben pay 2", "spike ben pay 1"), ["2 −3, at least 1 → 1", "2 −3 +3 → 2"]),
        ("9H", (), ("foil ana ben pay 2", "spike ben pay 1"), ["9 −3 → 6", "6 +3 → 9"]),
        (
            "2H",
            (),
            ("foil ana ben pay 2", "pass ben", "foil cy ben pay 2"),
            ["2 −3, at least 1 → 1", "2 −3 −3, at least 1 → 1"],
        ),
        (
            "2H",
            ("rule foil-floor sequential",),
            ("foil ana ben pay 2", "spike ben pay 1", "foil cy ben pay 2"),
            ["2 −3, at least 1 → 1", "1 +3 → 4", "4 −3 → 1"],
        ),
    ],
)
def test_a_tactic_says_its_sum(card: str, rules: tuple[str, ...], tactics: tuple[str, ...], sums: list[str]) -> None:
    seats = ("seat ana", "seat ben", "seat cy")
    session = session_after(*seats, *rules, "begin seed 1", "reveal ana KS", f"reveal ben {card}", "reveal cy 2C")
    for tactic, expected in zip([line for line in tactics if "pass" not in line], sums, strict=True):
        if tactic.startswith("foil cy") and "pass ben" in tactics:
            session.enter("pass ben")
        assert sentences(session, tactic).endswith(f": {expected}.")


def test_the_forecast_names_the_killer_behind_the_converts() -> None:
    cards = ("inscribed ana KS doublestrike", "reveal ana KS", "reveal ana 9D", "reveal ben KS")
    lines = (cards[0], "rule kill-tie fewest-coppers", "active ana", "begin seed 1", "set boss hp 20", *cards[1:])
    session = session_after(*TWO, *lines, "next", "convert ana card 9D")
    assert "Ben would take the kill" in hints(session), "Ana has 9 Coppers more by then"
    assert "Ben takes the Killing Blow" in sentences(session, "damage")


# Offers


def test_a_label_is_offered_to_who_chooses_first() -> None:
    session = session_after(*TWO, "dungeons ana 1", "dungeons ben 1", "begin seed 1")
    assert [answer.line for prompt in session.view().prompts for answer in prompt.answers] == [
        "decline ana",
        "label ana",
        "decline ben",
    ]
    session.enter("decline ana")
    assert [answer.line for prompt in session.view().prompts for answer in prompt.answers] == [
        "decline ben",
        "label ben",
    ]


def test_a_dodge_is_asked_for_at_its_price() -> None:
    lines = ('monster ana AS "Wyrm" hp 18 atk 3 labels stinky', "dungeons ana 1", "bosses ana:AS", "begin seed 1")
    session = session_after(*TWO, *lines, "next", "reveal ana QS", "reveal ben QD", "next", "damage")
    assert "5+" in session.view().prompts[0].text
    assert "4♠ is 4; dodging the Boss takes more than 4" in refused(session, "dodge ana 4S")
    assert "5♠ = 5 > 4" in sentences(session, "dodge ana 5S")


def refused(session: Session, line: str) -> str:
    with pytest.raises(ValueError, match=r".") as error:
        session.enter(line)
    return str(error.value)


def test_passing_is_told_of_one_and_of_several() -> None:
    table = ("seat ana", "seat ben", "seat cy", "begin seed 1", "reveal ana 2C", "reveal ben 2D", "reveal cy 2H")
    assert sentences(session_after(*table), "next").startswith("Ana, Ben and Cy pass.")
    assert sentences(session_after(*table, "pass ana", "pass ben"), "next").startswith("Cy passes.")


# What is left when the game is sealed


def turning(*lines: str) -> Session:
    """Ana and Ben have drafted their own bands after a LOSS."""
    bands = (*TWO, "inscribed ana 9S sharp", "inscribed ana 8S sharp", *lines, "begin seed 1 lots ana ben")
    return session_after(*bands, "set table outcome loss", "fade ana 9S", "pick ana ana", "pick ben ben")


def test_sealing_says_which_mythics_are_kept() -> None:
    assert "Ana keeps 2 Mythics" in sentences(turning("mythics ana 2"), "seal")
    assert "Mythic" not in sentences(turning(), "seal")


def test_sealing_says_which_mythics_lapse() -> None:
    heroes = [f"inscribed ben {rank}{suit} sharp" for rank in "JQK" for suit in "SHCD"]
    lines = (*TWO, *heroes, "inscribed ben 2S sharp", "mythics ben 1", "begin seed 1 lots ana ben")
    session = session_after(*lines, "set table outcome loss", "fade ben 2S", "pick ana ana", "pick ben ben")
    text = sentences(session, "seal")
    assert "1 Mythic of Ben lapse" in text
    assert "A1.19" in text


# The curse that chance takes


def test_a_random_curse_stands_in_the_log() -> None:
    lines = (
        *("rule cursed-choice random", "inscribed ana 9S ascension", "inscribed ana 9S untouchable"),
        *("inscribed ana 8S sharp", 'monster ana AS "Wyrm" labels cursed', "dungeons ana 1", "bosses ana:AS"),
    )
    taken = set()
    for seed in range(40):
        session = session_after(
            *TWO, *lines, f"begin seed {seed}", "next", "set boss hp 5", "reveal ana KS", "reveal ben KD"
        )
        for line in ("next", "damage", "next"):
            session.enter(line)
        taken.add(session.log.lines[-1].text)
    assert taken == {"curse ana 9S ascension", "curse ana 9S untouchable", "curse ana 8S sharp"}


def test_five_wizards_are_not_outside_the_tuned_range() -> None:
    assert "tuned" not in hints(session_after(*FIVE))
    assert "tuned" in hints(session_after(*TWO))
