"""A countdown for each turn: quiet, beside the log, and standing still while the table is left."""

from companion.games import registry
from companion.session.core.session import Session
from companion.session.table.countdown import Countdown, CountdownWish, draw_left, read_wish


def _table() -> Session:
    session = Session.new(registry.game("solforge"))
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    return session


def _running(text: str) -> Countdown:
    countdown, wish = Countdown(), read_wish(text)
    assert wish is not None
    countdown.wish = wish
    countdown.go_on(100)
    return countdown


def test_nothing_is_counted_unless_somebody_asks() -> None:
    countdown = Countdown()
    countdown.go_on(0)
    assert countdown.seconds_left(1000) is None
    assert not countdown.rings(1000)


def test_what_people_wish_is_read_and_nothing_else() -> None:
    assert read_wish("90") == CountdownWish(90)
    assert read_wish(" 120  BELL ") == CountdownWish(120, bell=True)
    assert read_wish("off") == read_wish("") == CountdownWish()
    assert [read_wish(text) for text in ("4", "3601", "ninety", "90 s", "-90", "90 bell bell")] == [None] * 6
    assert [wish.text for wish in (CountdownWish(90), CountdownWish(5, bell=True), CountdownWish())] == [
        "90",
        "5 bell",
        "off",
    ]


def test_each_turn_begins_anew() -> None:
    session, countdown = _table(), _running("60")
    countdown.follow(session.view(), 100)
    assert countdown.seconds_left(130) == 30
    session.enter("note slow")
    countdown.follow(session.view(), 130)
    assert countdown.seconds_left(140) == 20
    session.enter("battle")
    session.enter("next")
    countdown.follow(session.view(), 140)
    assert countdown.seconds_left(141) == 59
    assert countdown.seconds_left(1000) == 0


def test_it_stands_still_while_the_table_is_left() -> None:
    session, countdown = _table(), _running("60")
    countdown.follow(session.view(), 100)
    countdown.pause(120)
    assert countdown.seconds_left(500) == 40
    countdown.go_on(500)
    countdown.follow(session.view(), 500)
    assert countdown.seconds_left(510) == 30


def test_the_bell_rings_once_and_only_where_it_is_wanted() -> None:
    session, countdown = _table(), _running("60 bell")
    countdown.follow(session.view(), 100)
    assert [countdown.rings(at) for at in (159, 160, 161)] == [False, True, False]
    quiet = _running("60")
    quiet.follow(session.view(), 100)
    assert not quiet.rings(200)


def test_what_is_left_is_drawn_and_said() -> None:
    assert draw_left(90, 90) == "━━━━━━━━ 1:30"
    assert draw_left(56, 90) == "━━━━━─── 0:56"
    assert draw_left(1, 90) == "━─────── 0:01"
    assert str(draw_left(0, 90)) == "time is up"


def test_a_countdown_is_no_part_of_the_log() -> None:
    session, countdown = _table(), _running("60")
    before = session.export(), session.state
    countdown.follow(session.view(), 100)
    assert (session.export(), session.state) == before
