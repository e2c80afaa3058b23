"""What a match leaves to be told, in each of the games with constructed decks."""

import pytest

from companion.games import registry
from companion.session.core.evenings import card_of, evening_of
from companion.session.core.session import Session
from companion.tabletop.constructed.evening import BestAttack, Duel, LeadChange
from companion.tabletop.evening import CardCourse


def enter_lines(game: str, lines: tuple[str, ...]) -> Session:
    session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return session


def evening(session: Session) -> Duel:
    facts = evening_of(session.game, session.log.position.head, session.log.lines)
    assert isinstance(facts, Duel)
    return facts


SEATED = ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1")
GEAR = tuple(f"gear {seat} {seat}s-blade weapon power 3/1 hands 1" for seat in ("ana", "ben"))
WON = {
    "soulforger": (*SEATED[:2], *GEAR, "begin seed 1", "next", "damage ana 9", "damage ben 12", "damage ben 18"),
    "oddfrontier": (*SEATED, "next", "next", "wound ana 40", "wound ben 100", "wound ben 37"),
    "solforge": (*SEATED, "damage ana 20", "damage ben 90", "damage ben 30"),
}
"""A match of one turn in each game, which Ana wins."""


@pytest.mark.parametrize("game", WON)
def test_a_match_keeps_how_it_ended_and_what_hurt_most(game: str) -> None:
    facts = evening(enter_lines(game, WON[game]))
    assert [each.name for each in facts.participants] == ["Ana", "Ben"]
    assert (facts.outcome, facts.turns, facts.final["ben"]) == ("ana", 1, 0)
    assert facts.best_attack is not None
    assert (facts.best_attack.target, facts.best_attack.turn) == ("ben", 1)
    assert facts.best_attack.damage == max(
        int(line.split()[2]) for line in WON[game] if " ben " in line and line[0] in "dw"
    )


@pytest.mark.parametrize("game", WON)
def test_a_house_rule_said_before_anybody_sits_changes_no_evening(game: str) -> None:
    assert evening(enter_lines(game, ("rule track all", *WON[game]))) == evening(enter_lines(game, WON[game]))


@pytest.mark.parametrize("game", WON)
def test_its_card_shows_everybodys_life(game: str) -> None:
    page = card_of(registry.game(game), evening(enter_lines(game, WON[game])))
    assert str(page.headline) == "Ana wins"
    (course,) = (part for part in page.parts if isinstance(part, CardCourse))
    assert course.keys == ("Ana", "Ben")
    assert course.points[-1].values[1] == 0


def test_who_leads_changes_at_the_end_of_turns() -> None:
    facts = evening(
        enter_lines(
            "solforge", (*SEATED, "damage ana 5", "battle", "next", "damage ben 30", "battle", "next", "battle")
        )
    )
    assert facts.lead_changes == (LeadChange("ben", 1), LeadChange("ana", 2, "ben"))


def test_an_attack_names_what_attacked() -> None:
    facts = evening(
        enter_lines("solforge", (*SEATED, "place ana 1 wolf 40/4 awake", "place ana 2 drake 9/9 awake", "battle"))
    )
    assert facts.best_attack == BestAttack("ben", 49, 1, "ana", ("Wolf", "Drake"))


def test_what_the_table_puts_right_by_hand_is_no_attack() -> None:
    assert evening(enter_lines("solforge", (*SEATED, "set ben health 3"))).best_attack is None


@pytest.mark.parametrize("game", WON)
def test_before_its_first_turn_there_is_nothing(game: str) -> None:
    session = enter_lines(game, SEATED[:2])
    assert evening_of(session.game, session.log.position.head, session.log.lines) is None


def test_where_only_figures_are_tracked_a_change_is_an_attack() -> None:
    lines = (*SEATED[:2], "rule track figures", SEATED[2], "add ben health -12")
    assert evening(enter_lines("solforge", lines)).best_attack == BestAttack("ben", 12, 1, "ana")
