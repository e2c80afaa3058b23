"""Two screens at one table: what is entered behind lines of the other is done if it means the same, else asked."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.table.concurrent_lines import leaves_question_open
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected, Reloaded
from companion.session.table.shared_session import SharedSession, SharedSessions
from companion.session.table.table_client import TableClient
from companion.session.table.table_lock import TableLock
from companion.tabletop.table.common_actions import Concede
from tests.session.test_going_on import at_table

SEATS = ("seat ana", "seat ben", "seat cy", "active ana", "begin seed 1")
REVEALED = (*SEATS, "bosses default", "reveal ana 5S")


def two_screens(*lines: str) -> tuple[TableClient, TableClient]:
    """Two screens at a fight of three in which these lines were entered."""
    live = SharedSession(at_table("decknforge", *lines).session)
    return TableClient(live), TableClient(live)


@pytest.mark.parametrize(
    ("others", "entered"),
    [
        ("note hello", "reveal ben 6S"),
        ("add ana coppers +2", "reveal ben 6S"),
        ("add ben coppers +2", "reveal ben 6S"),
        ("reveal cy 7S", "reveal ben 6S"),
        ("reveal ben 6S", "note hello"),
        ("undo", "note hello"),
        ("reveal ben 6S", "add ana coppers +2"),
        ("add ana coppers +1", "add ana coppers +2"),
        ("add ana hp -1", "set ana coppers 9"),
    ],
)
def test_what_leaves_it_open_does_not_hold_it_up(others: str, entered: str) -> None:
    one, other = two_screens(*SEATS, "reveal ana 5S")
    if isinstance(one.enter(others), ConfirmationNeeded):
        one.confirm()
    reply = other.enter(entered)
    assert isinstance(reply, ActionDone)
    assert reply.earlier
    assert one.session.lines() == other.session.lines()
    assert other.session.lines()[-1].startswith(entered.split()[0])


@pytest.mark.parametrize(
    ("others", "entered"),
    [
        # The same said twice, at two screens.
        ("reveal ben 6S", "reveal ben 7S"),
        ("add ana coppers +2", "add ana coppers +2"),
        ("set ana coppers 8", "add ana coppers +2"),
        # A card without a name answers another question now.
        ("reveal ben 6S", "7S"),
        # What is said for everybody was said before somebody else acted.
        ("reveal ben 6S", "next"),
        # What takes back takes back what was seen.
        ("note hello", "undo"),
        ("undo", "reveal ben 6S"),
    ],
)
def test_what_may_mean_something_else_now_is_asked_about(others: str, entered: str) -> None:
    one, other = two_screens(*SEATS, "reveal ana 5S")
    if isinstance(one.enter(others), ConfirmationNeeded):
        one.confirm()
    lines = other.session.lines()
    assert isinstance(other.enter(entered), Reloaded)
    assert other.session.lines() == lines


@pytest.mark.parametrize("others", ["note hello", "add ana hp -1"])
def test_what_is_said_for_everybody_is_done_behind_notes_and_figures(others: str) -> None:
    one, other = two_screens(*SEATS, "reveal ana 5S", "reveal ben 6S", "reveal cy 7S")
    assert isinstance(one.enter(others), ActionDone)
    assert isinstance(other.enter("next"), ActionDone)


@pytest.mark.parametrize(
    ("game", "lines", "others", "entered"),
    [
        ("decknforge", ("seat ana", "seat ben"), "active ben", "active ana"),
        ("oddfrontier", ("seat ana", "seat ben"), "first ben", "first ana"),
        ("soulforger", ("seat ana", "seat ben"), "first ben", "first ana"),
        ("decknforge", (*SEATS, "add ana hp -3"), "amend 7 add ben hp -3", "add ana hp +3"),
        ("decknforge", (*SEATS, "add ana hp -3"), "amend 7 add ben hp -3", "set ana hp 19"),
        ("decknforge", (*SEATS, "reveal ana 5S"), "add ana hp -1", "set ana hp 21"),
        ("solforge", ("seat ana", "seat ben"), "first ben", "begin"),
        ("decknforge", ("seat ana", "seat ben", "seat cy"), "active ben", "begin"),
    ],
)
def test_what_others_have_answered_or_changed_is_looked_at_first(
    game: str, lines: Sequence[str], others: str, entered: str
) -> None:
    live = SharedSession(at_table(game, *lines).session)
    one, other = TableClient(live), TableClient(live)
    if isinstance(one.enter(others), ConfirmationNeeded):
        assert isinstance(one.confirm(), ActionDone)
    assert isinstance(other.enter(entered), Reloaded)


def test_a_line_of_another_seat_leaves_open_whatever_its_field_is_called() -> None:
    """The seat of `crank` stands in the field of the thing that is cranked."""
    lines = ("seat ana", "seat ben", "begin seed 1")
    crank = at_table("oddfrontier", *lines).notation.parse("crank ben")
    note = at_table("oddfrontier", *lines).notation.parse("note hello")
    assert leaves_question_open(crank, {"ana"})
    assert not leaves_question_open(crank, {"ben"})
    assert leaves_question_open(note, {"ben"})


def test_nobody_goes_on_twice() -> None:
    one, other = two_screens(*SEATS, "reveal ana 5S", "reveal ben 6S", "reveal cy 7S")
    assert isinstance(one.go_on(), ActionDone)
    assert isinstance(other.go_on(), Reloaded)


def test_what_was_asked_about_is_confirmed_behind_lines_that_leave_it_open() -> None:
    one, other = two_screens(*SEATS, "reveal ana 5S")
    reply = other.submit(Concede("ana"), shortened=True)
    assert isinstance(reply, ConfirmationNeeded)
    assert isinstance(one.enter("note wait"), ActionDone)
    assert other.follow()
    assert isinstance(other.confirm(), ActionDone)


def test_what_would_do_something_else_now_is_asked_about_anew() -> None:
    one, other = two_screens(*SEATS, "reveal ana 5S")
    reply = other.enter("undo")
    if isinstance(reply, ActionDone):
        reply = other.enter("undo")
    assert isinstance(one.enter("note wait"), ActionDone)
    assert isinstance(other.confirm(), Rejected | Reloaded)


def test_the_host_gets_a_table_before_guests_who_wait_for_it() -> None:
    lock, order = TableLock(), list[str]()

    def take(name: str, *, is_guest: bool) -> None:
        assert lock.acquire(10.0, is_guest=is_guest)
        order.append(name)
        lock.release()

    lock.acquire()
    guests = [threading.Thread(target=take, args=(f"guest {n}",), kwargs={"is_guest": True}) for n in range(4)]
    host = threading.Thread(target=take, args=("host",), kwargs={"is_guest": False})
    for thread in guests:
        thread.start()
    while len(lock._condition._waiters) < len(guests):  # type: ignore[attr-defined]
        pass
    host.start()
    while len(lock._condition._waiters) < len(guests) + 1:  # type: ignore[attr-defined]
        pass
    lock.release()
    for thread in (*guests, host):
        thread.join()
    assert order[0] == "host"
    assert sorted(order[1:]) == [f"guest {n}" for n in range(4)]


def test_a_lock_is_not_waited_for_longer_than_asked_and_holds_for_its_thread() -> None:
    lock, got = TableLock(), list[bool]()
    with lock, lock:
        thread = threading.Thread(target=lambda: got.append(lock.acquire(0.01)))
        thread.start()
        thread.join()
    assert got == [False]
    assert lock.acquire(0.01, is_guest=True)
    lock.release()
    with pytest.raises(RuntimeError):
        lock.release()


def test_two_programs_at_one_table_lose_no_line(tmp_path: Path) -> None:
    """Neither sees what the other writes but by its own lines: all of them are kept, in one order."""
    place = str(tmp_path / "one.sqlite")
    with Archive.open(place, by="host") as first, Archive.open(place, by="lines") as second:
        session = archive_journal.start(first, "decknforge")
        for line in SEATS:
            session.enter(line)
        replies: list[object] = []

        def enter(archive: Archive, make: Callable[[int], str]) -> None:
            client = TableClient(SharedSessions(archive).open(session.id))
            replies.extend(client.enter(make(number)) for number in range(40))

        threads = [
            threading.Thread(target=enter, args=(first, lambda number: f"add ana coppers +{number + 1}")),
            threading.Thread(target=enter, args=(second, lambda number: f"add ben coppers +{number + 1}")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [type(reply) for reply in replies] == [ActionDone] * 80
        kept = archive_journal.resume(first, session.id).lines()
        assert len(kept) == 1 + len(SEATS) + 80
        assert [line for line in kept if line.startswith("add ben")] == [f"add ben coppers +{n + 1}" for n in range(40)]
