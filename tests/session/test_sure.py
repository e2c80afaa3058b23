"""Questions before something is done in games from pages: endings, players who would be out, and those of the page."""

from __future__ import annotations

import pytest

from companion.games import registry
from companion.games.described.load import game_from_text
from companion.session.core.changes import describe_outcome
from companion.session.core.session import Session
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient

PAGE = """
name = "embers"
title = "Embers"
[play]
players = "2-4"
[counters.life]
start = 3
out = "<= 0"
[actions.burn]
title = "Burn a card"
sure = "Is this card really gone for good?"
does = ["add me life 1"]
[end]
last-left = true
"""


def embers_client(*lines: str, seats: int = 3) -> TableClient:
    """A screen at a table that has begun."""
    registry.register(game_from_text(PAGE))
    session = Session.new(registry.game("embers"))
    names = ("ana", "ben", "cleo")[:seats]
    for line in (*(f"seat {name}" for name in names), "first ana", "begin seed 1", *lines):
        session.enter(line)
    return TableClient(SharedSession(session))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("won ana", "Ana would win."),
        ("lost", "The game would be lost."),
        ("all-won", "The game would be won."),
        ("add ben life -3", "Ben would be out."),
        ("ben -5", "Ben would be out."),
        ("concede cleo", "Cleo would be out."),
        ("burn ana", "Is this card really gone for good?"),
    ],
)
def test_what_ends_something_is_asked_first(text: str, sentence: str) -> None:
    client = embers_client()
    reply = client.enter(text)
    assert isinstance(reply, ConfirmationNeeded)
    assert str(reply.sentence).startswith(sentence)
    assert isinstance(client.enter(text), ActionDone)


@pytest.mark.parametrize("text", ["add ben life -2", "next", "ana 5"])
def test_what_ends_nothing_is_done_at_once(text: str) -> None:
    assert isinstance(embers_client().enter(text), ActionDone)


def test_what_was_confirmed_is_redone_without_a_question() -> None:
    client = embers_client("add ben life -3", "undo")
    assert isinstance(client.redo(), ActionDone)


def test_who_wants_no_questions_gets_only_those_of_the_page() -> None:
    client = embers_client()
    client.warns = False
    assert isinstance(client.enter("add ben life -3"), ActionDone)
    assert isinstance(client.enter("burn ana"), ConfirmationNeeded)


def test_the_members_of_a_team_are_named_before_and_after_they_win() -> None:
    registry.register(game_from_text(PAGE.replace('players = "2-4"', 'players = "4"\nteams = 2')))
    session = Session.new(registry.game("embers"))
    for line in (*(f'seat {name} name "{name.title()}"' for name in ("ana", "ben", "cleo", "dan")), "begin seed 1"):
        session.enter(line)
    client = TableClient(SharedSession(session))
    reply = client.enter("won ana cleo")
    assert isinstance(reply, ConfirmationNeeded)
    assert str(reply.sentence).startswith("Ana and Cleo would win.")
    client.confirm()
    assert client.view.winners == ("Ana", "Cleo")
    assert str(describe_outcome(client.view)) == "Ana and Cleo have won."
