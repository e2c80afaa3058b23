"""Limits on what one phone writes: told on the phone and to the host, and nobody else waits for it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, StoredLine
from companion.session.core import archive_journal
from companion.session.table.confirmations import ActionDone
from companion.web.brake import LIMITS, MINUTE, Brake, Braked, Limits, Refusal, WebEntry
from tests.web.serving import Host, serving
from tests.web.test_permissions import seated

AGAIN = "again"
HELLO = "hello"

FEW = Limits(minute_entries=3, minute_bytes=100, evening_entries=5, evening_bytes=180)
WRITTEN = st.tuples(st.floats(0, 30), st.integers(1, 120))


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """A host who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


@given(st.lists(WRITTEN, max_size=40))
def test_no_minute_and_no_evening_has_more_than_its_share(entries: list[tuple[float, int]]) -> None:
    brake, now, kept = Brake(FEW), 0.0, list[tuple[float, int]]()
    for pause, size in entries:
        now += pause
        counted = brake.count("ana", size, now)
        if isinstance(counted, WebEntry):
            kept.append((now, size))
        elif counted.seconds is not None:
            assert 0 < counted.seconds <= MINUTE
    for moment, _ in kept:
        within = [size for at, size in kept if moment - MINUTE < at <= moment]
        assert len(within) <= FEW.minute_entries
        assert len(within) == 1 or sum(within) <= FEW.minute_bytes
    assert len(kept) <= FEW.evening_entries
    assert sum(size for _, size in kept) <= FEW.evening_bytes


@given(st.lists(WRITTEN, min_size=1, max_size=20))
def test_who_waits_as_long_as_is_said_goes_on(entries: list[tuple[float, int]]) -> None:
    brake, now = Brake(FEW._replace(evening_entries=1000, evening_bytes=10**6)), 0.0
    for pause, size in entries:
        now += pause
        counted = brake.count("ana", size, now)
        if isinstance(counted, Refusal):
            assert counted.seconds is not None
            now += counted.seconds
            assert isinstance(brake.count("ana", size, now), WebEntry)


def test_what_came_to_nothing_is_not_counted_and_another_phone_is_free() -> None:
    brake = Brake(FEW)
    for _ in range(10):
        with brake.writing("ana", 90, 0.0):
            pass
    for _ in range(3):
        with brake.writing("ana", 1, 0.0) as entry:
            entry.is_made = True
    with pytest.raises(Braked, match="can continue in 60 s"), brake.writing("ana", 1, 0.0):
        pytest.fail("it may write nothing")
    assert isinstance(brake.count("ben", 1, 0.0), WebEntry)
    brake.forgive("ana")
    assert isinstance(brake.count("ana", 1, 0.0), WebEntry)


def test_what_comes_to_nothing_takes_back_itself_and_not_another() -> None:
    """A long entry that takes a while is not forgotten with short ones that are refused meanwhile."""
    brake = Brake(FEW)
    with brake.writing("ana", 80, 0.0) as long:
        with brake.writing("ana", 5, 0.0):
            pass
        long.is_made = True
    assert isinstance(brake.count("ana", 30, 1.0), Refusal)


def test_an_evening_of_one_phone_is_two_megabytes_at_most(archive: Archive, place: str) -> None:
    """Short entries cost the most: each has a row of its own besides its text."""
    session = archive_journal.start(archive, "decknforge").id
    before, size = Path(place).stat().st_size, LIMITS.evening_bytes // LIMITS.evening_entries
    for first in range(2, 2 + LIMITS.evening_entries, 500):
        numbers = range(first, first + 500)
        archive.append_lines(session, first, [StoredLine(f'note "{number:0{size}}"', number) for number in numbers])
    archive.close()
    assert Path(place).stat().st_size - before < 2_000_000


def test_a_flood_of_notes_is_stopped_told_and_does_not_hold_up_the_host(host: Host) -> None:
    session = host.fight()
    ben, cy = seated(host, session, "ben"), seated(host, session, "cy")
    token = ben.get(f"/t/{session}").token
    begun = time.monotonic()
    answers = [ben.post(f"/t/{session}/note", token, text=f"{number} {'x' * 9000}") for number in range(12)]
    assert time.monotonic() - begun < MINUTE
    statuses = [answer.status for answer in answers]
    assert statuses == [303] * statuses.index(429) + [429] * (12 - statuses.index(429))
    assert statuses.index(429) * 9000 <= LIMITS.minute_bytes
    assert "can continue in" in answers[-1].text
    # What was typed is there to be sent again.
    assert "11 xxx" in answers[-1].text
    phones = host.server.phones
    waits = {phone.name: phones.held_seconds(phone) > 0 for phone in phones.all()}
    assert waits == {"Ben": True, "Cy": False}
    assert cy.post(f"/t/{session}/note", cy.get(f"/t/{session}").token, text=HELLO).status == 303
    assert isinstance(host.sitting(session).enter("note here"), ActionDone)
    (entry,) = (phone for phone in phones.all() if phone.name == "Ben")
    phones.send_away(entry.phone)
    phones.send_away(entry.phone, away=False)
    assert ben.post(f"/t/{session}/note", token, text=AGAIN).status == 303
