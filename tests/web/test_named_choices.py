"""Choices on a phone: every button says what it does, a field is asked for in a whole question, and what happens
without a tap stands beside the buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.web import answering
from companion.web.answering import AnswerForm, Asking, follow_steps, opening
from companion.web.table_page import build_view_page
from templates.languages.catalogues import load_language
from templates.languages.messages import speaking
from tests.web.serving import Host, serving
from tests.web.test_permissions import _send, lines, seated

FIGHT = ("seat ana", "seat ben", "active ana", "begin seed 1")
CURSED = ("set boss hp 1", "reveal ana KS", "reveal ben 7C", "next", "damage")
"""Ana kills the first Boss."""
DECLARED = (*FIGHT, "reveal ana 9S", "reveal ben QH", "next")


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """A host that lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


def table_after(*lines: str, game: str = "decknforge") -> Session:
    """A table with these lines."""
    session = Session(Log.open(f"table {game}"))
    for line in lines:
        session.enter(line)
    return session


def boss(label: str, *inscribed: str) -> tuple[str, ...]:
    """A table before its first Boss, which has a label."""
    monster = f'monster ben AS "Bone Idol" hp 18 atk 3 labels {label}'
    return ("seat ana", "seat ben", *inscribed, monster, "bosses ben:AS", *FIGHT[2:])


def forms(session: Session) -> dict[str, AnswerForm]:
    """The forms of a table's questions, by the question."""
    asking = Asking.now(session)
    opened = ((prompt, opening(asking, prompt, at_once=prompt.due)) for prompt in asking.prompts)
    return {str(prompt.text): form for prompt, form in opened if form}


def form_behind(session: Session, path: str) -> AnswerForm:
    """The form for the next field of an answer."""
    form = follow_steps(Asking.now(session), path).form
    assert form
    return form


def test_the_attack_that_a_card_makes_anyway_stands_beside_convert() -> None:
    form = forms(table_after(*DECLARED))["Ana: 9♠ (9) attacks, or Converts"]
    assert (form.otherwise, [answer.title for answer in form.buttons]) == ("Attack for 9", ["Convert"])


def test_the_attack_beside_convert_is_what_the_labels_leave() -> None:
    tough = table_after(*boss("tough"), *DECLARED[len(FIGHT) :])
    assert forms(tough)["Ana: 9♠ (9) attacks, or Converts"].otherwise == "Attack for 8"


def test_a_phone_says_what_happens_without_a_tap(host: Host) -> None:
    session = host.table(*DECLARED)
    page = seated(host, session, "ana").get(f"/t/{session}").text
    assert re.search(r"<strong>Attack for 9</strong><small>unless you tap something else</small></p>\s*<button", page)
    assert "Attack for" not in seated(host, session, "ben").get(f"/t/{session}").text, "a Hero always attacks"


@pytest.mark.parametrize(
    ("code", "path", "says"),
    [
        ("en", "ana:dodge ana CARD…|N", "Dodge"),
        ("de", "ana:dodge ana CARD…|N", "Ausweichen"),
        ("en", "ana:set ana COUNTER VALUE›=hp", "Set it"),
        ("en", "ana:coach ana CARD…", "Ask the coach"),
    ],
)
def test_a_form_is_sent_by_the_name_of_what_it_does(code: str, path: str, says: str) -> None:
    with speaking(load_language(code)):
        session = table_after(*DECLARED, "damage")
        assert form_behind(session, path).sends == says


def test_a_field_that_others_follow_goes_on() -> None:
    session = table_after("seat ana", "seat ben", "first ana", "begin", game="solforge")
    assert form_behind(session, "ana:cast ana TEXT").sends == "Cast"
    assert form_behind(session, "ana:forge ana N THING ATK/HEALTH›=2").sends == "Go on"


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("ana:coach ana CARD…", "What would help Ana now? What is in your hand?"),
        ("ana:set ana COUNTER VALUE", "By hand: Ana · Which figure?"),
        ("ana:set ana COUNTER VALUE›=hp", "By hand: Ana · HP · What is it now?"),
        ("ana:dodge ana CARD…|N", "With which cards do you dodge?"),
    ],
)
def test_a_field_is_asked_for_in_a_whole_question(path: str, question: str) -> None:
    assert form_behind(table_after(*DECLARED, "damage"), path).text.endswith(question)


def test_what_can_be_chosen_in_one_way_only_is_one_button() -> None:
    one = table_after(*boss("cursed", "inscribed ana 4H quick"), *CURSED)
    (form,) = (form for text, form in forms(one).items() if "Cursed takes" in text)
    assert [str(answer.title) for answer in form.buttons] == ["Curse 4♥"]
    assert follow_steps(Asking.now(one), form.buttons[0].key).action is not None, "one tap is enough"
    two = table_after(*boss("cursed", "inscribed ana 4H quick", "inscribed ana 7C echo"), *CURSED)
    (form,) = (form for text, form in forms(two).items() if "Cursed takes" in text)
    assert {str(answer.title or answer.name) for answer in form.buttons} == {"4♥", "7♣"}


def test_the_only_choice_is_taken_by_a_tap_and_never_by_itself(host: Host) -> None:
    session = host.table(*boss("cursed", "inscribed ana 4H quick"), *CURSED)
    ana = seated(host, session, "ana")
    (step,) = re.findall(r'name="step" value="([^"]*)"[^>]*>Curse', ana.get(f"/t/{session}").text)
    assert _send(ana, session, "answer", step=step).status == 303
    assert lines(host, session)[-1] == ("curse ana 4H", "Ana")


def test_a_heading_says_whose_the_questions_are(host: Host) -> None:
    session = host.table(*FIGHT, "reveal ana 9S")
    ana, ben = seated(host, session, "ana"), seated(host, session, "ben")
    assert "<h2>Asked now: Ben</h2>" in ana.get(f"/t/{session}").text
    assert "<h2>Asked now</h2>" in ben.get(f"/t/{session}").text
    host.sitting(session).enter("reveal ben QH")
    host.sitting(session).enter("next")
    page = ben.get(f"/t/{session}").text
    assert "<h2>Asked now: the host</h2>" in page
    assert "The host’s screen answers that." in page
    assert answering.ShownQuestions(()).heading == "Asked now"


@pytest.mark.parametrize(
    ("game", "lines", "sentence"),
    [
        ("decknforge", (*FIGHT, "set table outcome loss"), "The game is lost."),
        ("decknforge", (*FIGHT, "set table outcome win"), "The game is won."),
        ("solforge", ("seat ana", "seat ben", "begin", "draw-agreed"), "The game ends in a draw."),
        ("solforge", ("seat ana", "seat ben", "begin", "concede ana"), "Ben has won."),
        ("decknforge", FIGHT, ""),
    ],
)
def test_a_result_is_a_sentence(game: str, lines: tuple[str, ...], sentence: str) -> None:
    assert build_view_page(table_after(*lines, game=game).view()).outcome == sentence
