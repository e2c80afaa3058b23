"""The doors of the pages for phones, as an archive keeps them: PIN, tries, phones; and who hears of a change."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.archive import Archive, ArchiveError, Unknown, web_access
from companion.archive.exchange import archive_export
from companion.archive.storage import schema
from companion.archive.storage.changes import Changes

PIN = "271828"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    """The archive's clock."""
    return Clock()


@pytest.fixture
def door(place: str, clock: Clock) -> Iterator[Archive]:
    """An archive whose pages are served."""
    with Archive.open(place, by="tests", clock=clock) as archive:
        web_access.open_access(archive, PIN)
        yield archive


def wrong(archive: Archive, times: int, address: str = "10.0.0.9") -> list[int]:
    """Wrong tries; for how many seconds each has to wait."""
    return [web_access.try_pin(archive, address, "000000").wait for _ in range(times)]


def test_doors_are_made_once_and_stay_as_they_are(archive: Archive) -> None:
    assert web_access.read_access(archive) == (None, (), {})
    access = web_access.open_access(archive)
    assert web_access.is_pin(access.pin)
    assert access.permissions == "own"
    assert web_access.open_access(archive) == access
    assert web_access.open_access(archive, permissions="look") == access._replace(permissions="look")
    assert web_access.open_access(archive).permissions == "look"


def test_another_pin_shows_everybody_out(door: Archive, place: str) -> None:
    before, _, _ = web_access.read_access(door)
    web_access.admit_phone(door, "Ana")
    wrong(door, 5)
    with Archive.open(place) as elsewhere:
        web_access.open_access(elsewhere, "314159")
    now, phones, _ = web_access.read_access(door)
    assert before is not None
    assert now is not None
    assert now.key != before.key
    assert phones == ()
    assert web_access.try_pin(door, "10.0.0.9", PIN) == (False, 0)
    assert web_access.try_pin(door, "10.0.0.9", "314159").right


@pytest.mark.parametrize(("text", "is_one"), [("271828", True), ("27182", False), ("٢٧١٨٢٨", False), ("27182a", False)])
def test_a_pin_is_six_digits(text: str, is_one: bool) -> None:
    assert web_access.is_pin(text) is is_one


def test_five_wrong_tries_a_minute_then_waits_that_grow(door: Archive, clock: Clock) -> None:
    assert wrong(door, 7) == [0, 0, 0, 0, 60, 60, 60]
    assert web_access.try_pin(door, "10.0.0.9", PIN) == (False, 60)
    clock.wait(seconds=59.5)
    assert web_access.try_pin(door, "10.0.0.9", PIN) == (False, 1)
    clock.wait(seconds=0.5)
    assert wrong(door, 5)[-1] == 120
    for wait in (240, 480, 960, 1920, 3600, 3600, 3600):
        clock.wait(hours=1)
        assert wrong(door, 5)[-1] == wait


def test_only_one_address_waits_and_the_right_pin_ends_that(door: Archive, clock: Clock) -> None:
    wrong(door, 5)
    assert web_access.try_pin(door, "10.0.0.8", PIN).right
    clock.wait(minutes=1)
    assert web_access.try_pin(door, "10.0.0.9", PIN).right
    assert wrong(door, 5)[-1] == 60


def test_slow_tries_are_no_attack_and_forgotten_in_a_day(door: Archive, clock: Clock) -> None:
    for _ in range(8):
        clock.wait(seconds=20)
        assert wrong(door, 1) == [0]
    clock.wait(minutes=2)
    wrong(door, 5)
    clock.wait(days=2)
    assert wrong(door, 5)[-1] == 60


def test_tries_are_counted_alike_by_all_who_serve(door: Archive, place: str, clock: Clock) -> None:
    with Archive.open(place, clock=clock) as elsewhere:
        assert wrong(door, 3) + wrong(elsewhere, 2) == [0, 0, 0, 0, 60]
        assert web_access.try_pin(door, "10.0.0.9", PIN) == (False, 60)


def test_a_phone_is_let_in_sits_down_and_is_sent_away(door: Archive, clock: Clock) -> None:
    ana, ben = web_access.admit_phone(door, "Ana"), web_access.admit_phone(door, "Ben")
    assert ana.phone != ben.phone
    web_access.seat_phone(door, ana.phone, "7K3M9QPX", "ana")
    web_access.set_permission(door, ana.phone, "own")
    web_access.block_phone(door, ben.phone)
    clock.wait(minutes=5)
    web_access.note_seen(door, frozenset({ana.phone}))
    _, phones, _ = web_access.read_access(door)
    by_name = {phone.name: phone for phone in phones}
    assert (by_name["Ana"].session, by_name["Ana"].seat, by_name["Ana"].permissions) == ("7K3M9QPX", "ana", "own")
    assert by_name["Ana"].seen == clock.now != by_name["Ben"].seen
    assert [by_name[name].away for name in ("Ana", "Ben")] == [False, True]
    web_access.block_phone(door, ben.phone, away=False)
    assert not any(phone.away for phone in web_access.read_access(door)[1])


def test_what_nobody_let_in_cannot_be_changed(door: Archive) -> None:
    changes: list[Callable[[], None]] = [
        lambda: web_access.seat_phone(door, "nobody", "", ""),
        lambda: web_access.set_permission(door, "nobody", "all"),
        lambda: web_access.block_phone(door, "nobody"),
    ]
    for change in changes:
        with pytest.raises(Unknown, match="No phone “nobody” was let in"):
            change()


def heard(archive: Archive, write: Callable[[], object]) -> list[bool]:
    """Whether there is news: at first, then none, then what is written, then none."""
    changes = Changes(archive.store.engine)
    try:
        changes_heard = [changes.wait(5), changes.wait(0)]
        write()
        return [*changes_heard, changes.wait(5), changes.wait(0)]
    finally:
        changes.close()


def test_who_waits_hears_of_every_change(archive: Archive, place: str) -> None:
    with Archive.open(place) as elsewhere:
        assert heard(archive, lambda: elsewhere.new_session("decknforge")) == [True, False, True, False]


def test_what_is_of_tonight_goes_to_no_other_home(door: Archive, tmp_path: Path) -> None:
    web_access.admit_phone(door, "Ana")
    archive_export.export_archive(door, tmp_path / "all.gz")
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        archive_export.import_archive(other, tmp_path / "all.gz")
        assert web_access.read_access(other) == (None, (), {})


@pytest.mark.files
@pytest.mark.posix  # Windows lets nobody rename a file that is open
def test_who_waits_for_an_archive_that_is_gone_is_told_nothing(archive: Archive, place: str, tmp_path: Path) -> None:
    changes = Changes(archive.store.engine)
    assert changes.wait(0)
    archive.close()
    Path(place).rename(tmp_path / "elsewhere")
    (tmp_path / "archive.sqlite").mkdir()
    changes.close()
    assert not changes.wait(0)
    changes.close()


def test_wrong_tries_from_everywhere_lock_the_pin_for_a_minute_at_most(door: Archive, clock: Clock) -> None:
    addresses = [f"10.0.{number}.9" for number in range(web_access.ALL_TRIES)]
    assert web_access.read_lock(door) == 0
    for address in addresses:
        wrong(door, 1, address)
    assert web_access.read_lock(door) == 60
    # Everybody waits, also who knows the PIN; and however many try on, nobody waits longer for it.
    assert web_access.try_pin(door, "10.1.0.1", PIN) == (False, 60)
    clock.wait(seconds=59)
    for address in addresses:
        wrong(door, 1, address)
    clock.wait(seconds=1)
    assert web_access.read_lock(door) == 0
    assert web_access.try_pin(door, "10.1.0.1", PIN).right


def test_a_clock_that_was_wrong_locks_nobody_out(door: Archive, clock: Clock) -> None:
    clock.wait(days=400)
    assert wrong(door, 5)[-1] == 60
    clock.wait(days=-400)
    assert web_access.try_pin(door, "10.0.0.9", PIN).right
    clock.wait(days=400)
    assert wrong(door, 6)[-1] == 60
    clock.wait(days=-400)
    assert wrong(door, 5) == [0, 0, 0, 0, 60]


def test_phones_of_yesterday_are_out(door: Archive, clock: Clock) -> None:
    web_access.admit_phone(door, "Ana")
    clock.wait(hours=15)
    web_access.admit_phone(door, "Ben")
    assert [phone.name for phone in web_access.read_access(door)[1]] == ["Ana", "Ben"]
    clock.wait(hours=2)
    assert [phone.name for phone in web_access.read_access(door)[1]] == ["Ben"]


def test_a_thousand_phones_are_here_at_most_and_who_has_gone_makes_room(door: Archive, clock: Clock) -> None:
    rows = [
        {"phone": f"{number:032x}", "name": "", "session": "", "seat": "", "permissions": "", "away": False}
        | {"since": clock.now, "seen": clock.now}
        for number in range(web_access.MAX_PHONES)
    ]
    with door.store.writing() as transaction:
        transaction.connection.execute(sa.insert(schema.phones), rows)
    with pytest.raises(ArchiveError, match="1000 phones are signed in already, which is the maximum"):
        web_access.admit_phone(door, "Ana")
    clock.wait(minutes=3)
    assert web_access.admit_phone(door, "Ana").name == "Ana"
    assert len(web_access.read_access(door)[1]) == web_access.MAX_PHONES


def test_a_phone_has_a_seat_at_each_table_and_takes_none_that_is_held(door: Archive) -> None:
    ana, ben = web_access.admit_phone(door, "Ana"), web_access.admit_phone(door, "Ben")
    web_access.seat_phone(door, ana.phone, "7K3M9QPX", "ana")
    with pytest.raises(web_access.SeatTaken, match="The phone of Ana has this seat"):
        web_access.seat_phone(door, ben.phone, "7K3M9QPX", "ana", if_free=True)
    # By another name of the same table it is nobody's.
    web_access.seat_phone(door, ben.phone, "7K3M9QPX", "ben", if_free=True)
    web_access.seat_phone(door, ben.phone, "8K3M9QPX", "ana", if_free=True)
    _, phones, _ = web_access.read_access(door)
    assert {phone.name: dict(phone.seats) for phone in phones} == {
        "Ana": {"7K3M9QPX": "ana"},
        "Ben": {"7K3M9QPX": "ben", "8K3M9QPX": "ana"},
    }
