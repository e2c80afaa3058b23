"""Columns of a score sheet that everybody chooses in secret."""

from typing import Final

import pytest

from companion.games.described import load
from companion.games.described.page.reading import PageError
from companion.session.core.session import Session
from companion.session.table import going_on
from companion.tabletop.table.table import Prompt

PAGE: Final = """
name = "sealed-bids"
title = "Sealed bids"

[play]
players = "2-4"
order = "together"
rounds = 2

[[steps]]
name = "bid"

[[steps]]
name = "play"

[counters.points]

[sheet]
columns = ["bid", "won"]
secret = ["bid"]
at = { bid = "bid", won = "play" }

[end]
most = "points"
"""


def table() -> Session:
    """A table of three before their first bids."""
    session = Session.new(load.game_from_text(PAGE))
    for line in ("seat ana", "seat ben", "seat cy", "begin"):
        session.enter(line)
    return session


def due(session: Session) -> list[Prompt]:
    """What the table waits for."""
    return [prompt for prompt in session.view().prompts if prompt.due]


def test_a_secret_column_is_asked_of_all_at_once() -> None:
    assert [(prompt.seat, prompt.is_secret) for prompt in due(table())] == [("ana", True), ("ben", True), ("cy", True)]


def test_an_open_column_is_asked_of_one_after_the_other() -> None:
    session = table()
    for line in ("enter ana bid 1", "enter ben bid 2", "enter cy bid 0", "next"):
        session.enter(line)
    assert [(prompt.seat, prompt.is_secret) for prompt in due(session)] == [("ana", False)]


def test_who_has_chosen_is_not_asked_again_before_it_is_turned_up() -> None:
    session = table()
    session.enter("face-down ben")
    assert [prompt.seat for prompt in due(session)] == ["ana", "cy"]
    session.enter("enter ana bid 1")
    session.enter("face-down cy")
    assert [prompt.seat for prompt in due(session)] == [""]
    assert [action.verb() for action in going_on.course(session).actions] == ["turn-up"]
    session.enter("turn-up")
    assert [prompt.seat for prompt in due(session)] == ["ben", "cy"]


def test_an_open_entry_takes_the_place_of_what_lies_face_down() -> None:
    session = table()
    session.enter("face-down ben")
    session.enter("enter ben bid 2")
    assert session.state.face_down == ()


def test_only_columns_can_be_secret() -> None:
    with pytest.raises(PageError, match="bids"):
        load.game_from_text(PAGE.replace('secret = ["bid"]', 'secret = ["bids"]'))
