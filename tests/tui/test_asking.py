"""What typed words mean at a table, without a screen."""

from companion.games.action import Action
from companion.games.cards import Card
from companion.games.decknforge.actions import Reveal
from companion.session.replay import Replay
from companion.session.session import Session
from companion.tui import asking


def table() -> Session:
    replay = Replay("table decknforge\nseat ana\nseat ben\nseat cy\nbosses ana:AS\nbegin seed 1\n")
    assert not [told.failure for told in replay if told.failure]
    return replay.session


def read(text: str) -> tuple[Action, ...]:
    session = table()
    return asking.read(text, session.view(), session.notation)


def test_all_cards_may_follow_the_line_that_enter_began() -> None:
    assert read("reveal ana 9c 7c 8d") == read("9c 7c 8d")
    assert read("Reveal ANA 9c 7c") == (Reveal("ana", Card("9C")), Reveal("ben", Card("7C")))


def test_one_card_behind_that_line_is_that_wizards_alone() -> None:
    assert read("reveal ana 9c") == (Reveal("ana", Card("9C")),)
    assert read("reveal cy 8d") == (Reveal("cy", Card("8D")),)
