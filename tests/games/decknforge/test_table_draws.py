"""Drawing: where the table draws, nothing comes that nobody named, and names on cards are understood everywhere."""

import pytest

from companion.games.decknforge.game import GAME
from companion.games.decknforge.rehearsal.advice import DungeonAdviser
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.session.reading.options import options
from companion.session.reading.table_questions import due_prompts, offer_to_draw
from companion.session.table import going_on
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import AmbiguousLine, NotationError, RuleError
from companion.tabletop.rehearsal import Chance
from companion.tabletop.table.common_actions import Coach
from tests.games.decknforge.sessions import session_after

SEATED = (
    "rule draws table",
    "seat ana",
    'monster ana AS "Grave Wyrm"',
    'monster ana AH "Penny Ghoul" legend',
    "seat ben",
    'monster ben AD "Toll Ghoul"',
    "active ana",
)
BEGUN = (*SEATED, "begin seed 1")
OLD_HANDS = ("seat ana", "seat ben", "dungeons ana 1", "dungeons ben 1", "bosses ana:AS")
IN_FIGHT = (*BEGUN, "bosses ana:AS")
AT_REFILL = (*IN_FIGHT, "reveal ana 2S", "reveal ben 3S", "next", "damage", "next")


def typed(session: Session, text: str) -> None:
    """Enter what people type, as a screen does."""
    session.do(*read_line(text, session))


def test_nothing_is_drawn_before_the_table_says_what_came() -> None:
    session = session_after(*BEGUN)
    assert session.state.boss is None
    assert not session.state.order
    assert session.log.lines[-1].text.startswith("begin seed 1")
    assert "bosses" not in session.log.lines[-1].text
    assert str(due_prompts(session.view())[0].text) == "Boss 1: which Monster did you flip?"


@pytest.mark.parametrize("lines", [BEGUN, AT_REFILL])
def test_neither_next_nor_going_on_draws_unasked(lines: tuple[str, ...]) -> None:
    session = session_after(*lines)
    assert going_on.course(session).actions == ()
    with pytest.raises(RuleError, match="Say which Monster"):
        session.enter("next")


def test_a_monster_is_flipped_by_the_name_on_its_card() -> None:
    session = session_after(*BEGUN)
    typed(session, "wyrm")
    assert session.state.boss.ref == "ana:AS"
    assert session.log.lines[-1].text == "bosses ana:AS"


def test_a_name_that_two_bear_is_asked() -> None:
    session = session_after(*BEGUN)
    with pytest.raises(AmbiguousLine, match="`bosses ana:AH` or `bosses ben:AD`"):
        typed(session, "ghoul")


def test_a_minion_comes_by_its_name_and_is_aimed_at_by_it() -> None:
    session = session_after(*AT_REFILL)
    typed(session, "penny")
    assert [minion.ref for minion in session.state.minions] == ["ana:AH"]
    for line in ("reveal ana 4S", "reveal ben 5S", "next"):
        session.enter(line)
    typed(session, "target ana penny")
    assert session.state.revealed[0].target == "ana:AH"


def test_files_may_say_names_as_well() -> None:
    session = session_after(*BEGUN, 'bosses "grave wyrm"', *AT_REFILL[len(IN_FIGHT) :], "refill minion toll")
    assert session.state.boss.ref == "ana:AS"
    assert session.log.lines[-1].text == "refill minion ben:AD"
    with pytest.raises(RuleError, match="No Monster at this table is called “dragon”"):
        session_after(*BEGUN, "bosses dragon")


def test_the_list_has_every_monster_that_can_come() -> None:
    session = session_after(*AT_REFILL)
    names = [answer.name for answer in options("", session).answers]
    assert names[:2] == ["⭐ Penny Ghoul", "A♣ of Ana"]
    assert "Grave Wyrm" not in names
    assert len(names) == 12 == len(session.state.pool) + 1
    assert names[-1] == "draw one for us"


@pytest.mark.parametrize("lines", [BEGUN, AT_REFILL])
def test_one_key_lets_the_program_draw(lines: tuple[str, ...]) -> None:
    session = session_after(*lines)
    offer = offer_to_draw(session.view())
    assert offer is not None
    before = len(session.state.pool)
    session.do(offer.build())
    assert len(session.state.pool) == before - 1
    again = Session.resume(session.log.lines)
    assert again.state == session.state


def test_the_flip_is_put_right_without_a_trace_on_the_table() -> None:
    session, right = session_after(*BEGUN, "bosses ben:AD"), session_after(*IN_FIGHT)
    session.enter("bosses wyrm")
    assert session.state.boss == right.state.boss
    assert set(session.state.pool) == set(right.state.pool)
    session.enter("reveal ana KS")
    with pytest.raises(RuleError, match="under way"):
        session.enter("bosses ben:AD")


def test_who_draws_may_change_during_the_game() -> None:
    session = session_after(*(line for line in BEGUN if not line.startswith("rule")))
    assert len(session.state.order) == 6
    boss = session.state.boss
    session.enter("rule draws table")
    assert session.state.order == (boss.ref,)
    assert len(session.state.pool) == 11
    for line in ("set boss hp 1", "reveal ana KS", "reveal ben 2C", "next", "damage", "bonus surge"):
        session.enter(line)
    assert session.state.step == "flip"
    session.enter("rule draws program")
    session.enter("next")
    assert len(session.state.order) == 6


def test_whoever_joins_at_a_flip_counts_for_the_boss_that_comes() -> None:
    session = session_after(*BEGUN, "join cy")
    session.enter("bosses ana:AS")
    assert session.state.boss.max == 3 * 18
    assert len(session.state.pool) == 17


def test_everybody_may_leave_at_a_flip() -> None:
    session = session_after(*BEGUN, "concede ana", "concede ben")
    assert session.state.outcome == "loss"
    assert session.state.step != "flip"


def test_a_tie_in_the_draft_waits_for_its_lot() -> None:
    session = session_after(*IN_FIGHT, "set table outcome loss")
    assert str(due_prompts(session.view())[0].text) == "Ana and Ben are tied in the draft: who wins the lot?"
    session.enter("lots ben")
    assert session.state.draft == ("ben", "ana")
    session_of_lot = session_after(*IN_FIGHT, "set table outcome loss", "lots drawn")
    assert sorted(session_of_lot.state.draft) == ["ana", "ben"]
    assert Session.resume(session_of_lot.log.lines).state == session_of_lot.state


def test_a_lot_is_drawn_only_among_those_who_are_tied() -> None:
    session = session_after(*IN_FIGHT, "set ana personal 1", "set table outcome loss")
    assert session.state.draft == ("ana", "ben")
    with pytest.raises(RuleError, match="`lots`"):
        session.enter("lots ben")


def test_the_fading_card_is_asked_for() -> None:
    lines = ("inscribed ana 9S sharp", "inscribed ana 8S glint")
    session = session_after(*SEATED, *lines, "begin seed 1", "bosses ana:AS", "set table outcome loss")
    with pytest.raises(RuleError, match="Say what Ana drew, 1 Blessed card"):
        session.enter("fade ana")
    assert str(due_prompts(session.view())[0].text) == "Ana: draw 1 Blessed card for Fading: which came?"
    session.enter("fade ana drawn")
    assert session.state.wizard("ana").has_faded


def test_the_coach_weighs_what_the_table_has_not_drawn() -> None:
    session = session_after(*IN_FIGHT, "hold ana KS", "hold ana 2S")
    advice = next(iter(DungeonAdviser(GAME).advise(session.state, Coach("ana"), Chance(1, 0))))
    assert "Ana" in advice.text


def test_of_three_of_one_card_none_is_left_out() -> None:
    session = session_after(*SEATED, "seat cy", "begin seed 1")
    with pytest.raises(AmbiguousLine, match="`bosses ana:BJ` or `bosses ben:BJ` or `bosses cy:BJ`"):
        typed(session, "black")


def test_what_names_nothing_that_can_come_says_so() -> None:
    with pytest.raises(NotationError, match="Nothing that can come now is called “dragon”"):
        typed(session_after(*BEGUN), "dragon")


@pytest.mark.parametrize("text", ["6s", "fade 6s", "fades 6S"])
def test_of_two_cards_drawn_for_fading_the_one_that_is_typed_fades(text: str) -> None:
    inscribed = ("monster ana AS legend", "inscribed ana 5C sharp", "inscribed ana 6S thorns")
    killed = ("bosses ana:AS", "set boss hp 1", "reveal ana KS", "reveal ben 2H", "next", "damage", "bonus rally")
    session = session_after(*SEATED, *inscribed, "begin seed 1", *killed, "set table outcome loss", "fade ana 5C 6S")
    typed(session, text)
    assert session.log.lines[-1].text == "fade ana fades 6S"
    assert "6S" not in session.state.bands["ana"].inscribed


@pytest.mark.parametrize("text", ["salt widow", "tuogh draw", "wyrm", "grave wyrm", "label salt draw", "label ana x "])
def test_whatever_is_typed_where_labels_are_added_lists_what_it_may_be(text: str) -> None:
    session = session_after(*OLD_HANDS, "begin seed 1")
    assert session.state.step == "labels"
    client = TableClient(SharedSession(session))
    for end in range(len(text) + 1):
        client.options(text[:end])
        client.explain(text[:end])
