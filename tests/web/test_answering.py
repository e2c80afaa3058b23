"""Answers on a phone: what is tapped and typed there is the same line as on every screen."""

import pytest

from companion.session.log import Log
from companion.session.session import Session
from companion.web import answering
from companion.web.answering import Asking

LISTED = ("seat ana", "seat ben", 'lists ana "2 Jolt | magic | cost 2"', "begin seed 1", "next", "next")


@pytest.mark.parametrize("typed", ["Jolt", "jolt"])
def test_a_listed_card_costs_what_the_list_says(typed: str) -> None:
    session = Session(Log.open("table oddfrontier"))
    for line in LISTED:
        session.enter(line)
    reached = answering.reached(Asking.now(session), answering.typed("ana:queue ana TEXT", typed))
    assert reached.action is not None
    assert session.notation.format(reached.action) == session.notation.format(
        session.notation.parse('queue ana "Jolt"')
    )
    assert "cost 2" in session.notation.format(reached.action)
