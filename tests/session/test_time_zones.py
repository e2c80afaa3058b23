"""Evenings over the hours at which clocks are changed, and archives that travel: time is reckoned as it passes."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.archive.recovery import backups
from companion.printing.date_fields import FieldValues
from companion.session.core import archive_journal
from companion.session.core.evenings import minutes_of
from companion.session.core.moments import Line
from companion.session.core.session import Session
from companion.session.reports.durations import Clock
from labels.designfile import parse_design
from templates.languages.dates import long_date, short_date, time_ago
from tests.session.test_clock import LINES, played_at

# Windows has no such call, and takes what TZ says for each new process only.
pytestmark = pytest.mark.posix

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
"""As POSIX writes it, so that no list of zones is needed: two o'clock is three in March, three is two in October."""
LORD_HOWE = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"
"""Half an hour, and on the other half of the earth."""
SPRING = datetime(2026, 3, 29, 0, 0, tzinfo=UTC)
AUTUMN = datetime(2026, 10, 25, 0, 0, tzinfo=UTC)


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Puts this process into a time zone."""

    def put(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield put
    monkeypatch.undo()
    time.tzset()


def _session(began: datetime) -> Session:
    """A duel of seven lines, each a quarter of an hour after the one before."""
    return played_at([began + timedelta(minutes=15 * number) for number in range(len(LINES))])


@pytest.mark.parametrize("name", [BERLIN, LORD_HOWE, "UTC"])
@pytest.mark.parametrize("began", [SPRING, AUTUMN], ids=["spring", "autumn"])
def test_an_evening_lasts_as_long_as_it_lasted(zone: Callable[[str], None], name: str, began: datetime) -> None:
    zone(name)
    session = _session(began)
    assert minutes_of(session.log.lines) == 90
    elapsed = Clock().read(session, began + timedelta(minutes=100))
    assert elapsed is not None
    assert elapsed.evening == timedelta(minutes=100)


def test_a_pause_is_one_by_the_time_that_passed(zone: Callable[[str], None]) -> None:
    zone(BERLIN)
    # Three and a half hours by the clock on the wall, of which one was left out.
    lines = [
        Line(1, "draw ana", 1, (SPRING + timedelta(minutes=30)).isoformat()),
        Line(2, "draw ben", 2, (SPRING + timedelta(hours=3)).isoformat()),
    ]
    assert minutes_of(lines) == 150


@pytest.mark.parametrize(
    ("at", "name", "day"),
    [
        (datetime(2026, 10, 24, 22, 30, tzinfo=UTC), BERLIN, "25 Oct 2026"),
        (datetime(2026, 10, 25, 22, 30, tzinfo=UTC), BERLIN, "25 Oct 2026"),
        (datetime(2026, 10, 25, 23, 30, tzinfo=UTC), BERLIN, "26 Oct 2026"),
        (datetime(2026, 3, 28, 23, 30, tzinfo=UTC), BERLIN, "29 Mar 2026"),
        (datetime(2026, 10, 31, 23, 30, tzinfo=UTC), "UTC", "31 Oct 2026"),
    ],
)
def test_an_evening_is_of_the_day_on_the_wall(zone: Callable[[str], None], at: datetime, name: str, day: str) -> None:
    zone(name)
    assert str(short_date(at)) == day
    assert str(long_date(at)).endswith(day[-4:])


def test_how_long_ago_is_no_matter_of_clocks(zone: Callable[[str], None]) -> None:
    zone(BERLIN)
    for moment in (SPRING, AUTUMN):
        assert time_ago(moment.astimezone(), (moment + timedelta(minutes=119)).astimezone()) == "1 hour ago"
        assert time_ago(moment.astimezone(), (moment + timedelta(hours=24)).astimezone()) == "1 day ago"


def test_what_is_replaced_in_the_repeated_hour_is_kept_beside_the_first(
    zone: Callable[[str], None], archive: Archive, place: str, tmp_path: Path
) -> None:
    zone(BERLIN)
    file = Path(place)
    archive_journal.keep(archive, _session(AUTUMN), "")
    written = []
    for moment in (AUTUMN + timedelta(minutes=30), AUTUMN + timedelta(minutes=90)):
        target = backups.replaced_path(file, moment)
        backups.copy_file(file, target)
        written.append(target)
    first, second = written
    # Both at half past two.
    assert first.name.endswith("2026-10-25-023000.sqlite")
    assert second.name.startswith(first.stem)
    assert second != first
    kept = [backup.path for backup in backups.list_backups(file) if backup.why == "replaced"]
    assert sorted(kept) == sorted(written)
    assert {path.parent for path in kept} == {tmp_path}


def test_an_archive_says_the_same_in_every_zone(zone: Callable[[str], None], archive: Archive) -> None:
    zone(LORD_HOWE)
    session = archive_journal.keep(archive, _session(AUTUMN), "")
    (row,), lines = archive.sessions(), archive_journal.resume(archive, session).log.lines
    zone("PST8PDT,M3.2.0,M11.1.0")
    (again,) = archive.sessions()
    assert (again.started, again.changed) == (row.started, row.changed)
    assert archive_journal.resume(archive, session).log.lines == lines
    assert all(line.at.endswith("+00:00") for line in lines)


def test_days_on_labels_are_days_of_the_calendar(zone: Callable[[str], None]) -> None:
    zone(BERLIN)
    design = parse_design('[[part]]\ntext = "{today+1}"\n', "day", "day.toml")
    for today, tomorrow in ((date(2026, 3, 28), "2026-03-29"), (date(2026, 10, 25), "2026-10-26")):
        assert FieldValues(design, (), today).fill({}, 1) == {"today+1": tomorrow}
