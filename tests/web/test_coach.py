"""The coach on a phone: asked from the own seat, card by card, and answered there alone."""

import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from tests.session.test_coaching import UNDER_ATTACK
from tests.web.serving import Host, serving
from tests.web.test_described import section
from tests.web.test_permissions import _send, lines, seated

BUTTON = re.compile(r'name="step" value="([^"]+)"[^>]*>What would help now\?<')


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


def test_a_phone_asks_for_its_own_seat_and_is_answered_there(host: Host) -> None:
    session = host.table(*UNDER_ATTACK)
    ana = seated(host, session, "ana")
    (first,) = BUTTON.findall(ana.get(f"/t/{session}").text)
    form = ana.get(_send(ana, session, "answer", step=first).leads_to).text.partition('id="mine"')[0]
    assert "What would help you now? What is in your hand?</h2>" in form
    assert ">Ask the coach</button>" in form
    assert 'name="item" value="2S"' in form
    assert 'name="item" value="KS"' not in form, "it lies in the pile"
    page = _send(ana, session, "answer", said=first, item="2S")
    assert page.status == 200
    assert f'data-until="{len(lines(host, session))}"' in page.text, "it goes with the position"
    assert "This would help you: Take the damage; nothing else fits now." in page.text
    assert "10 cards of your hand are not known." in page.text
    assert lines(host, session)[-1] == ("coach ana", "Ana")
    ben = seated(host, session, "ben")
    seen = ben.get(f"/t/{session}").text
    assert "Ana asks the coach what would help." in seen
    assert "Take the damage; nothing else" not in seen
    more = _send(ana, session, "answer", said=first, item="3S")
    assert "9 cards of your hand are imagined" in more.text, "what was said before holds"


def test_what_the_coach_asks_looks_like_no_play(host: Host) -> None:
    session = host.table(*UNDER_ATTACK)
    ana = seated(host, session, "ana")
    (first,) = BUTTON.findall(ana.get(f"/t/{session}").text)
    form = section(ana.get(_send(ana, session, "answer", step=first).leads_to).text, "answering")
    assert '<form method="post"' in form
    assert 'class="answer advice"' in form
    assert "Only for the advice" in form
    assert "Nobody else sees this, and nothing is played." in form
    assert "Ask the coach" in form
    assert "Do it" not in form
    # What is played says nothing of the kind.
    questions = section(ana.get(f"/t/{session}").text, "asked")
    assert "Nobody else sees this, and nothing is played." not in questions


def test_a_button_does_what_was_advised(host: Host) -> None:
    session = host.table(*UNDER_ATTACK)
    ana = seated(host, session, "ana")
    (first,) = BUTTON.findall(ana.get(f"/t/{session}").text)
    page = _send(ana, session, "answer", said=first, item="2S").text
    (advice,) = re.findall(r'name="advice" value="([^"]+)"', page)
    ben = seated(host, session, "ben")
    assert _send(ben, session, "answer", advice=advice).status == 403 or lines(host, session)[-1][0] == "coach ana"
    assert _send(ana, session, "answer", advice=advice).status == 303
    assert lines(host, session)[-1] == ("take ana", "Ana")
    assert "This question is no longer open." in _send(ana, session, "answer", advice=advice).text


def test_nobody_asks_for_the_seat_of_another(host: Host) -> None:
    session = host.table(*UNDER_ATTACK)
    ben = seated(host, session, "ben")
    (first,) = BUTTON.findall(ben.get(f"/t/{session}").text)
    assert "ana" not in first
    assert _send(ben, session, "answer", step="ana:coach ana CARD…›+2S›.").status == 403
    assert lines(host, session)[-1][0] == UNDER_ATTACK[-1]


def test_a_phone_that_looks_on_or_another_game_is_not_offered_it(host: Host) -> None:
    session = host.table(*UNDER_ATTACK)
    assert not BUTTON.search(seated(host, session, "ana", "look").get(f"/t/{session}").text)
    duel = host.table("seat ana", "seat ben", "begin", game="solforge")
    assert not BUTTON.search(seated(host, duel, "ben").get(f"/t/{duel}").text)
