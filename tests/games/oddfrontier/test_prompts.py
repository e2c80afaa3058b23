"""What the table asks and offers at some moments: the questions, the choices with what they mean, the hints."""

from __future__ import annotations

import pytest

from companion.games.oddfrontier.game import GAME
from companion.games.oddfrontier.rules import actions as do
from companion.session.core.session import Session
from companion.tabletop.action import Action, RuleError
from companion.tabletop.constructed.table import SeatPlayer
from companion.tabletop.table.choices import Choice, Open, choices
from companion.tabletop.table.common_actions import Rule
from companion.tabletop.table.table import Draft, draft
from tests.games.rendering import render_texts

TO_COMBAT = (
    *("seat ana", "seat ben", "begin seed 1", "next", "next", "summon ana wolf 6/5", "summon ana fox 3/2", "next"),
    *("next", "next", "next", "summon ben cat 2/3", "summon ben owl 3/4", "next", "next", "next", "next", "next"),
)


def played(*lines: str) -> Session:
    session = Session.new(GAME)
    for line in lines:
        session.enter(line)
    return session


def questions(session: Session) -> list[str]:
    """The questions with the lines that answer them; what can be said at any time is left out."""
    prompts = [prompt for prompt in session.view().prompts if not set(_verbs(prompt.answers)) & {"queue", "wound"}]
    return [f"{prompt.text}: {' | '.join(answer.line for answer in prompt.answers)}" for prompt in prompts]


def _verbs(answers: tuple[Draft, ...]) -> list[str]:
    return [answer.action.verb() for answer in answers]


def chosen(session: Session, unfinished: Draft, field: str) -> tuple[Choice, ...] | Open:
    offered: tuple[Choice, ...] | Open = render_texts(choices(GAME, session.state, unfinished, field))
    return offered


def hints(session: Session) -> tuple[str, ...]:
    return tuple(map(str, session.view().hints))


def test_the_set_up_asks_for_two() -> None:
    assert questions(played()) == ["Who sits next, clockwise?: seat"]
    assert [prompt.due for prompt in played("seat ana").view().prompts] == [True, False]
    assert questions(played("seat ana", "seat ben"))[1:] == [
        "Begin; Ana has the first turn: begin",
        "Who has the first turn?: first",
        "Draw lots to decide who begins?: first lot",
        "A match of several games? 3 is best of three: match",
        "How many cards are in an archive, if not 40?: deck-size",
        "What shall I keep track of?: rule track all | rule track figures",
    ]


def test_a_deck_lies_before_one_person() -> None:
    table = GAME.apply(GAME.new(), SeatPlayer("ana", deck="7K3M9QPX2B4TC")).state
    assert table.brought["ana"].deck == "7K3M9QPX2B4TC"
    with pytest.raises(RuleError, match="one person"):
        GAME.apply(table, SeatPlayer("ben", deck="7K3M9QPX2B4TC"))


def test_who_begins_is_asked_first_about_a_mulligan() -> None:
    assert questions(played("seat ana", "seat ben", "first ben", "begin seed 1", "mulligan ben")) == [
        "Ben: keep 7 cards, or mulligan to 6: keep ben | mulligan ben",
        "Ana: keep 7 cards, or mulligan to 7: keep ana | mulligan ana",
        "Everybody else keeps: next",
    ]


def test_what_the_table_waits_for_is_due() -> None:
    session = played("seat ana", "seat ben", "begin seed 1", "keep ana")
    assert [(prompt.due, prompt.seat) for prompt in session.view().prompts] == [(True, "ben"), (False, "")]
    for line in ("next", "next", "summon ana wolf 2/2", "set ana hand 9", "set table phase post-combat"):
        session.enter(line)
    assert [prompt.line for prompt in session.view().prompts if prompt.due] == ["discard ana 2"]
    session.enter("discard ana 2")
    assert questions(session) == [
        "Ana: end the turn, or play a card (0 energy): next | engine ana | summon ana | summon ana | permanent ana"
    ]


def test_plays_are_asked_before_combat_the_end_after_it() -> None:
    """Enter alone plays the Engine; Engines are cranked by themselves for a cost, so that comes last."""
    session = played("seat ana", "seat ben", "begin seed 1", "next", "next")
    (first,) = questions(session)
    assert first == (
        "Ana: play an Engine, a Creature or another permanent (0 energy), or go on: "
        "engine ana | summon ana | summon ana | permanent ana | next"
    )
    assert not session.view().prompts[0].due
    session.enter("engine ana")
    session.enter("set ana engines 3")
    assert [answer.line for answer in session.view().prompts[0].answers] == [
        *("summon ana", "summon ana", "permanent ana", "crank ana", "crank ana 3", "next")
    ]
    assert "(0 energy, 3 Engines to crank)" in session.view().prompts[0].text
    session.enter("crank ana 2")
    assert session.view().prompts[0].line == "summon ana"
    session.enter("set ana hand 0")
    assert [prompt.line for prompt in session.view().prompts if prompt.due] == ["next"]


def test_without_an_engine_to_crank_a_cost_does_not_call_for_one() -> None:
    session = played("seat ana", "seat ben", "begin seed 1", "next", "next", "set ana engines 1")
    with pytest.raises(RuleError, match="`crank ana` adds 1"):
        session.enter("spend ana 2")
    session.enter("crank ana")
    with pytest.raises(RuleError, match="no uncranked Engine is left"):
        session.enter("spend ana 2")


def test_a_stored_deck_has_said_how_many_cards_it_has() -> None:
    table = GAME.apply(GAME.new(), SeatPlayer("ana", deck="7K3M9QPX2B4TC")).state
    assert "deck-size" not in [prompt.line for prompt in GAME.view(table).prompts]
    both = GAME.apply(table, SeatPlayer("ben")).state
    assert "deck-size" in [prompt.line for prompt in GAME.view(both).prompts]


def test_combat_is_asked_in_its_order() -> None:
    session = played(*TO_COMBAT)
    assert questions(session) == ["Ana: declare attackers: attack wolf on ben | attack fox on ben | next"]
    session.enter("attack wolf on ben")
    assert questions(session) == [
        "Ana: declare attackers; after that, blocks or the damage: "
        "attack fox on ben | fight | block cat on wolf | block owl on wolf",
        "Ben: block Wolf 6/5, or let the damage through: fight | block cat on wolf | block owl on wolf",
        "Deal the damage: First Assault, then the rest: fight",
    ]
    assert [prompt.due for prompt in session.view().prompts[:3]] == [True, True, True]
    session.enter("block cat on wolf")
    session.enter("block owl on wolf")
    assert questions(session) == ["Ana: split Wolf's 6 among Cat 2/3, Owl 3/4: split wolf"]
    assert hints(session) == ("Wolf has 6 damage to split among its blockers (R3.8).",)
    session.enter("split wolf among cat 3 owl 3")
    assert questions(session) == ["Deal the damage: First Assault, then the rest: fight"]
    assert hints(session) == (
        "Now: Cat: damage 3 of 3.",
        "Now: Owl: damage 3 of 4.",
        "Now: Wolf: damage 2 + 3 = 5 of 5.",
        "Now: Wolf dies: 5 damage, 5 defense (R3.9).",
        "Now: Cat dies: 3 damage, 3 defense (R3.9).",
    )
    session.enter("fight")
    assert questions(session) == ["Ana: go on without combat: next"]


def test_what_a_thing_does_stands_beside_it() -> None:
    session = played(*TO_COMBAT)
    for line in ("attack wolf on ben", "block cat on wolf", "block owl on wolf", "split wolf among cat 4 owl 2"):
        session.enter(line)
    assert {thing.target: thing.words for thing in session.view().things()} == {
        "wolf": ("attacks", "blocked", "splits cat 4, owl 2"),
        "fox": (),
        "cat": ("blocks Wolf",),
        "owl": ("blocks Wolf",),
    }
    session.enter("destroy wolf")
    session.enter("damage cat 1")
    session.enter("crank fox")
    cat, fox = (next(t for t in session.view().things() if t.target == name) for name in ("cat", "fox"))
    assert render_texts((cat.brief[-3:], cat.flags, fox.flags)) == (" −1", ("its attacker has left",), ("cranked",))


def test_a_fight_waits_for_the_queue_and_so_does_its_forecast() -> None:
    session = played(*TO_COMBAT, "attack wolf on ben", 'queue ben "Fog" magic')
    assert questions(session) == ['Ben: Fog resolves, if nobody adds to the queue: resolve | negate "Fog"']
    assert not any(str(hint).startswith("Now") for hint in session.view().hints)
    session.enter('negate "Fog"')
    assert questions(session) == ["Ben: Fog does nothing, if nobody adds to the queue: resolve"]
    assert render_texts(session.view().zones[0].things[0].notes) == ("magic", "does nothing")


def test_a_discard_is_asked_with_its_number() -> None:
    session = played("seat ana", "seat ben", "begin seed 1", "next", "next", "set ana hand 9", "next", "next")
    assert questions(session)[0].startswith("Ana: discard 2 (9 in hand, 7 may stay): discard ana 2 | engine ana")
    assert "Ana: end the turn: next" not in questions(session)
    assert "Ana discards 2 at the end of the turn (R3.10)." in hints(session)


def test_energy_that_would_be_lost_and_given_twice_is_told() -> None:
    session = played("seat ana", "seat ben", "begin seed 1", "next", "set ana engines 2")
    twice = "Ana: 2 Engines cranked now are uncranked by the Reset and give energy twice (A3.2)."
    assert twice in hints(session)
    for line in ("next", "crank ana", "next", "next"):
        session.enter(line)
    assert "Ana: 1 energy is lost at the end of the turn (R3.5)." in hints(session)
    without = played("seat ana", "seat ben", "rule crank-before-reset no", "begin seed 1", "next", "set ana engines 2")
    assert twice not in hints(without)


def test_choices_say_what_people_need_to_know() -> None:
    session = played(*TO_COMBAT, "damage cat 1", "crank fox")
    assert chosen(session, draft(do.Damage), "handle") == (
        Choice("wolf", "Wolf", "6/5"),
        Choice("fox", "Fox", "3/2, cranked"),
        Choice("cat", "Cat", "2/3, damage 1"),
        Choice("owl", "Owl", "3/4"),
    )
    assert chosen(session, draft(do.Attack, handle="wolf"), "seat") == (Choice("ben", "Ben", "life 137"),)
    assert chosen(session, draft(do.Attack), "handle") == (Choice("wolf", "Wolf", "6/5"),)
    assert chosen(session, draft(do.Uncrank), "what") == (
        Choice("ana", "Ana's Engines", "0 of 0 cranked"),
        Choice("ben", "Ben's Engines", "0 of 0 cranked"),
        Choice("fox", "Fox", "3/2, cranked"),
    )


def test_numbers_and_names_say_their_bounds() -> None:
    session = played(*TO_COMBAT, "attack wolf on ben", "block cat on wolf", "block owl on wolf", "set ana engines 3")
    session.enter("crank ana 2")
    split = chosen(session, draft(do.Split, handle="wolf"), "shares")
    assert split == Open("how much of 6 each blocker takes", (("cat", 6), ("owl", 0)), least=1, most=2)
    assert chosen(session, draft(do.Crank, what="ana"), "engines") == Open("a whole number", 1, 1, 1)
    assert chosen(session, draft(do.Spend, seat="ana"), "energy") == Open("a whole number", 1, 1, 3)
    assert chosen(session, draft(do.Discard, seat="ben"), "cards") == Open("a whole number", 1, 1, 6)
    assert chosen(session, draft(do.Draw), "cards") == Open("a whole number", 1, 1, None)
    assert chosen(session, draft(do.Wound), "wounds") == Open("who is wounded, and by how much", (("ana", 1),))
    assert chosen(session, draft(do.Queue, seat="ana", name="Fog"), "cost") == Open("a whole number", 0, 0, 3)


def test_what_comes_onto_the_table_is_any_word() -> None:
    session = played(*TO_COMBAT[:-1])
    assert chosen(session, draft(do.Summon, seat="ana"), "handle") == Open("a word to call it by", "card-1")
    assert chosen(played(*TO_COMBAT), draft(do.Summon, seat="ana"), "handle") == ()
    set_up = played("seat ana")
    assert chosen(set_up, draft(do.DeckSize, seat="ana"), "cards") == Open("a whole number", 40, least=0)


def test_what_waits_on_the_queue_can_be_negated() -> None:
    session = played(*TO_COMBAT, 'queue ben "Fog" magic', 'queue ana "Howl"', 'queue ben "Fog"', 'negate "Howl"')
    assert chosen(session, draft(do.Negate), "name") == (Choice("Fog", "Fog", "Ben's ability"),)


def test_house_rules_can_be_chosen_and_are_explained() -> None:
    session = played("seat ana", "seat ben")
    keys = chosen(session, draft(Rule), "key")
    assert not isinstance(keys, Open)
    assert all(choice.detail for choice in keys)
    assert [choice.value for choice in keys] == [rule.key for rule in GAME.house.all() if rule.is_choice]
    assert "draws" not in {choice.value for choice in keys}, "chance decides nothing in this game but what a line says"
    assert chosen(session, draft(Rule, key="deck-out"), "value") == (
        Choice("nothing", "", "the book"),
        Choice("lose", "", ""),
    )
    assert chosen(session, draft(Rule, key="max-hand"), "value") == Open("a whole number", "7", least=0)
    assert chosen(session, draft(SeatPlayer), "seat") == Open("a word for the seat", "player-1")


def test_a_blocker_blocks_no_longer_than_its_combat() -> None:
    session = played(*TO_COMBAT, "attack wolf on ben", "block cat on wolf", "destroy wolf")
    assert session.state.permanent("cat").blocks == "wolf"
    session.enter("next")
    assert session.state.permanent("cat").blocks == ""


def test_of_a_list_what_the_pool_pays_for_is_offered() -> None:
    listed = ('lists ana "4 Fox | creature | Beast | 4/3 | cost 3"', 'lists ana "2 Lantern | artifact | cost 0"')
    session = played("seat ana", "seat ben", *listed, "begin seed 1", "next", "next", "set ana engines 2")

    def offered(action: type[Action]) -> list[str]:
        open_ = chosen(session, draft(action, seat="ana"), "handle")
        assert isinstance(open_, Open)
        return [choice.value for choice in open_.fitting]

    def notes(verb: str) -> list[str]:
        return [str(answer.note) for answer in session.view().prompts[0].answers if answer.action.verb() == verb]

    assert (offered(do.Summon), offered(do.PlayPermanent)) == ([], ["lantern"])
    why = "the cheapest, Fox, costs 3; energy is 0, with 2 Engines to crank"
    assert (notes("summon")[0], notes("permanent")) == (f"a Creature: {why}", ["an Artifact or a Phenomenon"])
    asked_for = chosen(session, draft(do.Summon, seat="ana"), "handle")
    assert isinstance(asked_for, Open)
    assert asked_for.what == f"a word to call it by ({why})"
    session.enter("set ana engines 3")
    assert offered(do.Summon) == ["fox"]
    assert notes("summon")[0] == "a Creature"
