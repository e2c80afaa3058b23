"""Monsters and figures put right in a dungeon: nothing of what it replaces is told of the evening."""

from __future__ import annotations

import pytest

from companion.games.decknforge.decks.evening import Dungeon, TurningPoint
from companion.games.decknforge.game import GAME
from companion.session.core import changes
from companion.session.core.evenings import card_of, corrected_actions, evening_of
from companion.session.core.session import Session
from companion.session.reports.courses import read_courses
from companion.session.reports.report import report
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import RuleError
from companion.tabletop.evening import CardFigure

SEATS = ('seat ana name "Ana"', 'seat ben name "Ben"', "active ana")
SECOND = ("set boss hp 5", "reveal ana KS", "reveal ben 2H", "next", "damage", "bonus rally")
"""From the first Boss to the second."""
ROUND = ("reveal ana QD", "reveal ben 3C", "next", "damage", "take ana", "take ben")
"""A round that the Boss survives, up to the Refill."""


def kill(ana: str = "J", ben: str = "4") -> tuple[str, ...]:
    """The end of a fight by one blow."""
    return ("set boss hp 1", f"reveal ana {ana}D", f"reveal ben {ben}D", "next", "damage", "bonus rally")


KILL = kill()


def first_fights(*lines: str, bosses: str = "ana:AS ana:AH ben:AS ben:AH ana:AC ben:AC") -> Session:
    session = Session.new(GAME)
    for line in (*SEATS, *([f"bosses {bosses}"] if bosses else []), "begin seed 1", *lines):
        session.enter(line)
    return session


def facts(session: Session) -> Dungeon:
    evening = evening_of(session.game, session.log.position.head, session.log.lines)
    assert isinstance(evening, Dungeon)
    return evening


def figures(session: Session) -> dict[str, CardFigure]:
    return {str(figure.title): figure for figure in card_of(GAME, facts(session)).figures}


def test_another_boss_was_never_fought() -> None:
    corrected = first_fights(*SECOND, "bosses ana:AS ben:AD", "bosses ana:AS ben:AH", *ROUND)
    right = first_fights(*SECOND, *ROUND, bosses="ana:AS ben:AH ana:AH ben:AS ana:AC ben:AC")
    assert [(fight.number, fight.band, fight.card) for fight in facts(corrected).fights] == [
        (1, "ana", "AS"),
        (2, "ben", "AH"),
    ]
    assert facts(corrected) == facts(right)
    assert str(figures(corrected)["Bosses"].note) == "in 2 rounds"


def test_what_was_said_of_another_boss_goes_with_it() -> None:
    corrected = first_fights(*SECOND, "set boss hp 2", "set boss legend yes", "bosses ana:AS ben:AH", *ROUND)
    assert not corrected.state.monsters["ana:AH"].legend
    assert facts(corrected).fights[1].hp_after == (21,)


def test_a_wrong_boss_that_comes_later_falls_once() -> None:
    corrected = first_fights(*SECOND, "bosses ana:AS ben:AH ana:AH", *KILL, *kill("9", "5"))
    assert [fight.card for fight in facts(corrected).fights if fight.dead] == ["AS", "AH", "AH"]
    assert figures(corrected)["Bosses"].value == "3 / 6"


def test_another_boss_is_no_fallen_one() -> None:
    session = first_fights(*SECOND, "bosses ana:AS ben:AH")
    assert changes.last_fallen(session.game, session.moments()) == ()
    for line in (*KILL, *kill("9", "5"), *kill("8", "6"), *kill("7", "3"), *kill("6", "T")):
        session.enter(line)
    fallen = [name for point in changes.tell_ending(session.game, session.moments()).points for name in point.fell]
    assert len(fallen) == 6


def test_another_minion_came_from_the_start() -> None:
    corrected = first_fights(*ROUND, "refill minion ana:BJ", "refill minion ben:BJ")
    right = first_fights(*ROUND, "refill minion ben:BJ")
    assert corrected.state == right.state
    assert facts(corrected) == facts(right)
    courses = (read_courses(GAME, corrected_actions(GAME, each.log.position.head)) for each in (corrected, right))
    assert len({repr(each) for each in courses}) == 1


def test_another_minion_can_be_said_until_the_first_card() -> None:
    session = first_fights(*ROUND, "refill minion ana:BJ")
    with pytest.raises(RuleError, match="is the Minion that came"):
        session.enter("refill minion ana:BJ")
    with pytest.raises(RuleError, match="not in the Minion Pool"):
        session.enter("refill minion ben:AS")
    TableClient(SharedSession(session)).enter("refill minion ben:BJ")
    assert [minion.ref for minion in session.state.minions] == ["ben:BJ"]
    session.enter("reveal ana 5S")
    with pytest.raises(RuleError, match="belongs to the step"):
        session.enter("refill minion ana:RJ")


@pytest.mark.parametrize("put_right", ["set ana hp 14", "add ana hp 9"])
def test_the_narrowest_moment_is_no_wrong_figure(put_right: str) -> None:
    wrong = ("set ana hp 5",) if put_right[0] == "a" else ("add ana hp -12",)
    narrowest = facts(first_fights(*ROUND, *wrong, "refill minion ana:BJ", put_right, *KILL)).narrowest
    assert narrowest is not None
    assert (narrowest.seat, narrowest.hp, narrowest.round) == ("ana", 14, 1)


def test_what_an_attack_did_is_put_right_in_the_next_round() -> None:
    narrowest = facts(first_fights(*ROUND, "refill minion ana:BJ", "set ana hp 19", "set ben hp 18", *KILL)).narrowest
    assert narrowest is not None
    assert (narrowest.seat, narrowest.hp, narrowest.round) == ("ben", 18, 1)


def test_a_figure_that_stood_for_a_whole_round_was_right() -> None:
    rounds = (*ROUND, "refill minion ana:BJ", "reveal ana 3D", "reveal ben 4C", "next", "damage", "dodge ana 1", "next")
    narrowest = facts(first_fights(*rounds, "refill minion ben:BJ", "set ana hp 9", "set ana hp 8", *KILL)).narrowest
    assert narrowest is not None
    assert (narrowest.hp, narrowest.round) == (8, 3)


def test_a_wrong_round_is_no_round() -> None:
    corrected = first_fights("set table round 7", "reveal ana QD", "set table round 1", *ROUND[1:])
    assert facts(corrected) == facts(first_fights(*ROUND))
    assert facts(corrected).fights[0].rounds == 1


def test_a_wrong_number_is_no_other_boss() -> None:
    corrected = first_fights("set boss number 4", *ROUND, "set boss number 1")
    assert facts(corrected) == facts(first_fights(*ROUND))


def test_who_did_not_fall_is_no_turning_point() -> None:
    fell = first_fights("set ana hp 3", *ROUND)
    assert TurningPoint("fell", 1, 1, "ana") in facts(fell).turning_points
    fell.enter("set ana hp 2")
    assert facts(fell).turning_points == ()
    fell.enter("undo")
    assert TurningPoint("fell", 1, 1, "ana") in facts(fell).turning_points


def test_a_boss_that_was_put_right_was_not_healed() -> None:
    assert facts(first_fights(*ROUND, "set boss hp 36")).turning_points == ()


def test_another_killer_took_the_boss_without_that_card() -> None:
    session = first_fights("set boss hp 5", "reveal ana KS", "reveal ben 2H", "next", "damage", "set table killer ben")
    session.enter("bonus rally")
    fight = facts(session).fights[0]
    assert (fight.killer, fight.kill_card) == ("ben", "")
    assert ["Ben" in row for row in _boss_rows(session)] == [True, False]
    assert "Thorns" not in str(_boss_rows(session))


def test_a_kill_of_a_sum_is_not_told_as_thorns() -> None:
    session = first_fights("rule track fight", "damage 36 by ben", "bonus rally")
    assert _boss_rows(session)[0][2] == "Ben"


def _boss_rows(session: Session) -> tuple[tuple[str, ...], ...]:
    (bosses,) = (part for part in card_of(GAME, facts(session)).parts if str(part.title) == "Bosses")
    return tuple(tuple(map(str, row)) for row in getattr(bosses, "rows", ()))


def test_a_report_counts_no_correction() -> None:
    corrected = first_fights(*ROUND, "set ana hp 1", "set ana hp 17", "note well")
    assert (
        report(corrected).partition("* Outcome")[2]
        == report(first_fights(*ROUND, "note well")).partition("* Outcome")[2]
    )
