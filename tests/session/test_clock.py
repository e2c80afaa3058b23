"""How long a round and an evening have taken, from the times of the log's lines."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reports.durations import Clock, Elapsed
from templates.languages.dates import duration
from templates.languages.messages import joined
from tests.games import miniature  # noqa: F401 – registers the duel

START = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)
LINES = ("table duel", "seat ana", "seat ben", "begin seed 7", "draw ana 9S", "spend ana strike", "draw ben 8S")
TURN_2 = 5
"""Where the second turn begins: with what ends the first."""


def _played(minutes: Sequence[int], lines: Sequence[str] = LINES) -> Session:
    """A session whose lines were entered so many minutes after the start."""
    return played_at([*map(_at, minutes)], lines)


def played_at(times: Sequence[datetime], lines: Sequence[str] = LINES) -> Session:
    """A session whose lines were entered at these times."""
    replay = Replay("\n".join(lines))
    assert not [line.failure for line in replay if line.failure]
    log = replay.session.log
    log.lines[:] = [
        msgspec.structs.replace(line, at=at.isoformat(timespec="seconds"))
        for line, at in zip(log.lines, times, strict=True)
    ]
    return replay.session


SECOND_TURN = joined(" ", ("Turn", "2"))


def _at(minute: int) -> datetime:
    return START + timedelta(minutes=minute)


def test_a_round_begins_with_the_line_that_counts_it_up() -> None:
    session = _played([0, 1, 2, 3, 10, 14, 20])
    elapsed = Clock().read(session, _at(25))
    assert elapsed == Elapsed(timedelta(minutes=25), SECOND_TURN, timedelta(minutes=11))
    assert tuple(map(str, elapsed.parts)) == ("Turn 2: 11 min", "evening: 25 min")


def test_a_clock_that_looks_again_and_again_says_the_same_as_a_new_one() -> None:
    clock, session = Clock(), _played([0, 1, 2, 3, 10, 14, 20])
    for line in ("undo", "undo", "undo", "redo", "spend ana heal", "draw ben 8S", "undo", "amend 5 draw ana 7S"):
        session.enter(line)
        now = datetime.fromisoformat(session.log.lines[-1].at) + timedelta(minutes=9)
        assert clock.read(session, now) == Clock().read(session, now), line


def test_after_a_long_pause_another_evening_begins() -> None:
    session = _played([0, 1, 2, 3, 10, 600, 605])
    assert Clock().read(session, _at(609)) == Elapsed(timedelta(minutes=9), SECOND_TURN, timedelta(minutes=9))
    session = _played([0, 1, 2, 3, 10, 14, 600])
    assert Clock().read(session, _at(604)) == Elapsed(timedelta(minutes=4), SECOND_TURN, timedelta(minutes=4))


def test_where_nobody_plays_the_clock_says_nothing() -> None:
    session = _played([0, 1, 2, 3, 10, 14, 20])
    assert Clock().read(session, _at(20 + 181)) is None
    assert Clock().read(Replay("table duel").session, _at(0)) is None, "a first line without a time"


def test_before_the_first_round_there_is_only_the_evening() -> None:
    elapsed = Clock().read(_played([0, 4], LINES[:2]), _at(5))
    assert elapsed is not None
    assert tuple(map(str, elapsed.parts)) == ("evening: 5 min",)


def test_once_a_game_is_over_the_clock_stands() -> None:
    session = _played([0, 1, 2, 3, 10, 14, 20, 30], (*LINES, "set ana life 0"))
    assert session.view().outcome == "ben"
    for minute in (31, 4000):
        elapsed = Clock().read(session, _at(minute))
        assert elapsed is not None
        assert elapsed.evening == timedelta(minutes=30)


@pytest.mark.parametrize(
    ("minutes", "text"), [(0, "0 min"), (-3, "0 min"), (59, "59 min"), (60, "1 h 00 min"), (165, "2 h 45 min")]
)
def test_a_time_is_told_in_hours_and_minutes(minutes: int, text: str) -> None:
    assert str(duration(timedelta(minutes=minutes))) == text
