"""Who comes late, and who goes early: a stored band that joins, what is told of both, and what is sealed."""

from random import Random

import pytest

from companion.games.decknforge.game import GAME
from companion.session.core.session import Session
from companion.session.reading.options import options
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card
from tests.games.decknforge.bands import Stored, founding_marks

SET_UP = ("seat ana", "seat ben", "bosses ana:AS ana:AH", "active ana", "begin seed 1")


def dungeon_of_two(*lines: str) -> tuple[Session, Stored]:
    """A dungeon of two, with a band on the shelf that Dora could bring."""
    stored = Stored()
    stored.marks["LATE"] = founding_marks(Random(3), "Late Choir", "Dora")
    stored.purses["Dora"] = 9
    session = Session.new(GAME, shelf=stored)
    for line in (*SET_UP, *lines):
        session.enter(line)
    return session, stored


def test_a_stored_band_joins_with_all_it_has_in_one_intention() -> None:
    session, stored = dungeon_of_two()
    before = len(session.log.lines)
    session.enter("join dora name Dora deck LATE")
    record = stored.record("LATE")
    assert session.log.lines[before].text == 'join dora name "Dora" deck "LATE" band "Late Choir"'
    assert session.state.bands["dora"].inscribed == record.inscribed
    assert session.state.wizard("dora").purse == 9
    assert session.state.boss.max == 3 * 18
    assert session.state.monsters[Ref("dora:AS")].name == record.monsters[Card("AS")].name
    again = Session.resume(session.log.lines)
    assert again.state == session.state
    session.enter("undo")
    assert len(session.state.wizards) == 2


def test_the_fifth_is_asked_with_how_many_cards_they_begin() -> None:
    session = Session.new(GAME)
    for line in ("seat cy", "seat dee", *SET_UP, "join eve name Eve"):
        session.enter(line)
    prompt = session.view().prompts[0]
    assert str(prompt.text) == "Eve: begin with 12 cards, as at a Refill, or 14, as 5 wizards start with?"
    assert [answer.line for answer in prompt.answers] == ["deal eve 12", "deal eve 14"]
    (tell,) = session.enter("deal eve 14")
    assert (str(tell.text), tell.by_hand) == ("Eve draws 2 more and begins with 14 cards.", True)
    assert not any("Eve: begin" in str(prompt.text) for prompt in session.view().prompts)


def test_a_band_that_joined_is_sealed_like_any_other() -> None:
    session, stored = dungeon_of_two("join dora name Dora deck LATE", "set table outcome loss")
    assert {wizard.seat for wizard in session.state.wizards} == {"ana", "ben", "dora"}
    while session.view().step != "sealed":
        prompts = [prompt for prompt in session.view().prompts if prompt.due]
        session.do(prompts[0].answer.build())
    record = GAME.record((*stored.marks["LATE"], *GAME.marks(session.state)["LATE"]))
    assert record.dungeons == 1


def test_nothing_is_sealed_of_a_band_that_came_too_late() -> None:
    session, _ = dungeon_of_two("reveal ana KS", "join dora name Dora deck LATE")
    assert "waits" in map(str, session.view().seats[-1].flags)
    session.enter("set table outcome loss")
    assert [wizard.seat for wizard in session.state.wizards] == ["ana", "ben"]
    for line in ("pick ana ana", "pick ben ben", "seal"):
        session.enter(line)
    assert not GAME.marks(session.state)


def test_a_refused_seat_and_the_next_boss_lead_to_join() -> None:
    session, _ = dungeon_of_two()
    with pytest.raises(RuleError, match="`join` seats somebody who comes late"):
        session.enter("seat dora")
    assert not any("join" in hint for hint in session.view().hints)
    for line in ("set boss hp 1", "reveal ana KS", "reveal ben 2C", "next", "damage", "bonus rally"):
        session.enter(line)
    assert any("`join SEAT`" in hint for hint in session.view().hints)
    session.enter("concede ben")
    session.enter("set table outcome loss")
    offers = [str(prompt.text) for prompt in session.view().prompts if not prompt.due]
    assert offers == ["Ben: left and keeps Ben's band; do they draft all the same?"]
    session.enter("draft ben")
    assert "Gone early: Ben. Whoever is here picks for them." in map(str, session.view().hints)


def test_stored_decks_are_offered_to_who_comes_late() -> None:
    session, _ = dungeon_of_two()
    assert options("join dora deck ", session).input_hint == "a name or an id"
