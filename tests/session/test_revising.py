"""Amend, insert and undo: what came before is put right, what follows is told first, and nothing is lost."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest

from companion.games import registry
from companion.session.core.moments import Line
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading import options
from companion.session.reading.line_reading import read_line
from companion.session.table.confirmations import required_confirmation
from companion.tabletop.action import NotationError, RuleError

LANES = ("seat ana", "seat ben", "begin seed 5", "place ana 1 wolf 3/4", "place ben 2 wyrm 5/5")
"""The wolf comes in line 5."""
FIGHT = ("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1")


def open_table(game: str, lines: Sequence[str]) -> Session:
    session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return session


def entered(session: Session, line: str) -> list[str]:
    return [str(tell.text) for tell in session.enter(line)]


def read_figure(session: Session, target: str, counter: str) -> object:
    return next(each.value for each in session.counters_of(target) or () if each.name == counter)


def lines_that_count(session: Session) -> list[str]:
    return [moment.text for moment in session.moments()]


def check_kept(session: Session) -> None:
    """The log leads to the same table again, resumed as it is stored and read from its file."""
    resumed = Session.resume(session.log.lines)
    assert resumed.view() == session.view()
    assert lines_that_count(resumed) == lines_that_count(session)
    replay = Replay(session.export())
    assert [line.failure for line in replay if line.failure] == []
    assert replay.session.view() == session.view()
    assert replay.session.export() == session.export()


# Something forgotten


def test_an_effect_that_was_forgotten_is_entered_where_it_belongs() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1", "set wolf health 1"))
    assert entered(session, "insert 8 buff wolf +0/+3") == ["Inserted before line 8, as line 9: buff wolf +0/+3"]
    assert lines_that_count(session)[-3:] == ["damage wolf 1", "buff wolf +0/+3", "set wolf health 1"]
    assert read_figure(session, "wolf", "health") == 1
    check_kept(session)


def test_what_an_inserted_line_makes_illegal_is_listed_first_and_comes_back_by_undo() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1", "buff wolf +1/+1"))
    action = session.notation.parse("insert 7 destroy wolf")
    question = required_confirmation(session, (action,))
    assert question is not None
    assert question.left_out == ("damage wolf 1", "buff wolf +1/+1")
    assert "Left out, as it no longer fits: damage wolf 1" in question.text
    session.do(action)
    assert session.counters_of("wolf") is None
    assert entered(session, "undo") == ["Taken back: insert 7 destroy wolf"]
    assert read_figure(session, "wolf", "health") == 4
    session.enter("redo")
    assert session.counters_of("wolf") is None
    check_kept(session)


def test_an_inserted_line_is_amended_by_its_own_number() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1"))
    session.enter("insert 7 damage wolf 2")
    session.enter("amend 8 damage wolf 1")
    assert read_figure(session, "wolf", "health") == 2
    session.enter("insert 8 buff wolf +5/+0")
    assert lines_that_count(session)[-3:] == ["buff wolf +5/+0", "damage wolf 1", "damage wolf 1"]
    session.enter("resume-from 10")
    assert lines_that_count(session)[-1] == "buff wolf +5/+0"
    check_kept(session)


def test_several_inserted_lines_stand_in_the_order_in_which_they_were_entered() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1"))
    session.enter("insert 7 buff wolf +1/+1")
    session.enter("insert 7 buff wyrm +1/+1")
    assert lines_that_count(session)[-3:] == ["buff wolf +1/+1", "buff wyrm +1/+1", "damage wolf 1"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("insert 99 damage wolf 1", "Line 99 has no action that counts now"),
        ("insert 1 note x", "Line 1 has no action that counts now"),
        ("insert 5 damage wolf 1", "wolf"),
        ("insert 7 undo", "Only an action of the game can be inserted, not `undo`."),
        ("insert 7 insert 6 note x", "Only an action of the game can be inserted"),
        ("insert 7 expect wolf gone", "Only an action of the game can be inserted"),
    ],
)
def test_an_insertion_that_cannot_be_is_refused_with_the_reason(line: str, reason: str) -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1"))
    before = session.view()
    with pytest.raises(RuleError, match=reason):
        session.enter(line)
    assert session.view() == before


def test_a_file_counts_its_own_lines() -> None:
    text = "# a match\ntable solforge\n\nseat ana\nseat ben\nbegin seed 5\nplace ana 1 wolf 3/4\ndamage wolf 1\n"
    replay = Replay(
        f"{text}insert 8 damage wolf 2\nexpect wolf health 1\namend 9 damage wolf 1\nexpect wolf health 2\n"
    )
    assert [line.failure for line in replay if line.failure] == []


# Names


def test_an_amended_name_is_carried_on() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1", "buff wolf +1/+1", "heal wolf 1"))
    assert entered(session, "amend 5 place ana 1 fox 3/4") == [
        "Amended: place ana 1 wolf 3/4 → place ana 1 fox 3/4",
        "Changed with it: damage wolf 1 → damage fox 1",
        "Changed with it: buff wolf +1/+1 → buff fox +1/+1",
        "Changed with it: heal wolf 1 → heal fox 1",
    ]
    assert session.counters_of("wolf") is None
    assert read_figure(session, "fox", "health") == 5
    check_kept(session)
    assert entered(session, "undo") == ["Taken back: amend 5 place ana 1 fox 3/4"]
    assert read_figure(session, "wolf", "health") == 5


def test_a_name_is_carried_into_lists_and_behind_keywords() -> None:
    lines = ("seat ana", "seat ben", "first ana", "begin seed 1", "keep ana", "keep ben", "next")
    session = open_table("oddfrontier", lines)
    session.enter("set ana energy 9")
    at = len(session.log.lines) + 1
    session.enter("summon ana wolf 3/3")
    session.enter("damage wolf 1")
    session.enter("set wolf cranked no")
    session.enter(f"amend {at} summon ana fox 3/3")
    assert lines_that_count(session)[-2:] == ["damage fox 1", "set fox cranked no"]
    check_kept(session)


def test_a_seat_that_is_called_otherwise_is_so_in_every_line() -> None:
    session = open_table("decknforge", (*FIGHT, "reveal ana 9S", "set table active ana"))
    session.enter("amend 2 seat anna")
    assert [seat.seat for seat in session.view().seats] == ["anna", "ben", "cy"]
    assert lines_that_count(session)[3:5] == ["bosses anna:AS", "active anna"]
    assert lines_that_count(session)[-2:] == ["reveal anna 9S", "set table active anna"]
    check_kept(session)


def test_a_spell_that_was_called_wrong_is_negated_by_its_right_name() -> None:
    lines = ("seat ana", "seat ben", "first ana", "begin seed 1", "keep ana", "keep ben", "next")
    session = open_table("oddfrontier", lines)
    at = len(session.log.lines) + 1
    session.enter('queue ana "flare"')
    session.enter('negate "flare"')
    session.enter(f'amend {at} queue ana "jolt"')
    assert lines_that_count(session)[-1] == 'negate "jolt"'
    check_kept(session)


def test_a_log_of_before_carries_no_name() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1"))
    texts = (*(line.text for line in session.log.lines), "amend 5 place ana 1 fox 3/4", "damage fox 2")
    resumed = Session.resume(Line(number, text, number) for number, text in enumerate(texts, 1))
    assert lines_that_count(resumed)[-2:] == ["place ben 2 wyrm 5/5", "damage fox 2"]
    assert read_figure(resumed, "fox", "health") == 2


def test_an_amendment_that_changes_no_name_is_written_as_ever() -> None:
    session = open_table("solforge", (*LANES, "damage wolf 1"))
    session.enter("amend 5 place ana 1 wolf 3/9")
    assert session.log.lines[-1].text == "amend 5 place ana 1 wolf 3/9"
    assert read_figure(session, "wolf", "health") == 8


# Short lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("amend 8 ks", "amend 8 reveal ana KS"),
        ("insert 8 boss -3", "insert 8 add boss hp -3"),
        ("insert 8 boss 20", "insert 8 set boss hp 20"),
        ("insert 9 qh", "insert 9 reveal ben QH"),
    ],
)
def test_a_shorter_text_is_read_on_the_table_as_it_was(text: str, expected: str) -> None:
    session = open_table("decknforge", (*FIGHT, "reveal ana 9S", "reveal ben 10H"))
    (action,) = read_line(text, session)
    assert session.notation.format(action) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("insert 8 9h kd", "is several lines"),
        ("insert 99 ks", "Line 99 has no action that counts now"),
        ("insert 8 xyz", "is not a card"),
        ("insert 8 ana 10", "say which"),
    ],
)
def test_a_shorter_text_that_is_no_one_line_is_refused(text: str, reason: str) -> None:
    session = open_table("decknforge", (*FIGHT, "reveal ana 9S"))
    with pytest.raises(NotationError, match=reason):
        read_line(text, session)


def test_a_line_that_is_offered_to_be_amended_offers_one_before_it() -> None:
    session = open_table("decknforge", (*FIGHT, "reveal ana 9S"))
    assert [row.line for row in options.options("amend 8 reveal ana 9S ", session).answers] == ["insert 8"]


def test_another_minion_than_came_is_that_one_in_every_line() -> None:
    lines = ("reveal ana 2S", "reveal ben 3H", "reveal cy 4C", "next", "damage", "next", "refill minion cy:AD")
    session = open_table("decknforge", (*FIGHT, *lines))
    at = len(session.log.lines)
    session.enter("set minion cy:AD hp 10")
    session.enter(f"amend {at} refill minion ben:AD")
    assert lines_that_count(session)[-1] == "set minion ben:AD hp 10"
    assert read_figure(session, "minion ben:AD", "hp") == 10
    check_kept(session)


def test_a_wrong_card_is_the_right_one_where_later_lines_name_it() -> None:
    session = open_table(
        "decknforge", (*FIGHT, "reveal ana 9S", "reveal ben 10H", "reveal cy 2D", "next", "convert ana card 9S")
    )
    session.enter("amend 8 reveal ana 8S")
    assert lines_that_count(session)[-1] == "convert ana card 8S"
    check_kept(session)
    session.enter("undo")
    session.enter("amend 9 reveal ben JH")
    assert session.log.lines[-1].text == "amend 9 reveal ben JH"


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_revised_the_log_leads_to_the_same_table_again(seed: int) -> None:
    chance = Random(seed)
    session = open_table("solforge", LANES)
    for _ in range(60):
        number, name = chance.randint(4, len(session.log.lines) + 1), chance.choice(("wolf", "wyrm", "fox", "ram"))
        lane, seat = chance.randint(1, 5), chance.choice(("ana", "ben"))
        line = chance.choice(
            (
                f"damage {name} {chance.randint(1, 2)}",
                f"buff {name} +1/+2",
                f"place {seat} {lane} {name} 2/5",
                f"set {name} health 4",
                "undo",
                "redo",
                f"amend {number} place {seat} {lane} {name} 3/6",
                f"amend {number} damage {name} 1",
                f"insert {number} buff {name} +0/+1",
                f"insert {number} damage {name} 9",
                f"resume-from {number}" if chance.random() < 0.2 else "undo",
            )
        )
        with suppress(RuleError, NotationError):
            session.enter(line)
    check_kept(session)
