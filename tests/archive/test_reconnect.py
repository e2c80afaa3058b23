"""A server that goes away: what was acknowledged stays, what is unknown may be repeated, and who waits is told."""

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, Conflict, StoredLine, maintenance
from companion.archive import store as stores
from companion.archive.errors import Unsure
from companion.archive.people import people
from companion.archive.storage.waiting import describe_wait
from tests.archive import postgres, standby
from tests.archive.keepsake import Founded, Played

pytestmark = pytest.mark.posix
ROOT = Path(__file__).parents[2]


@pytest.fixture
def own() -> Iterator[postgres.Server]:
    """A server that a test may stop."""
    with postgres.running() as server:
        server.sql("CREATE DATABASE evening")
        yield server


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a server that this test leaves away."""
    monkeypatch.setattr(stores, "BUSY_SECONDS", 0.5)


def soon(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_an_evening_goes_on_after_the_server_was_away(own: postgres.Server) -> None:
    with Archive.open(own.url("evening")) as archive:
        session = archive.new_session("keepsake")
        archive.append_lines(session, 1, [StoredLine("note one")])
        own.stop()
        with pytest.raises(ArchiveError, match=r"does not answer; try again once it is back: postgresql://"):
            archive.append_lines(session, 2, [StoredLine("note two")])
        with pytest.raises(ArchiveError, match="does not answer"):
            archive.sessions()
        own.start()
        assert archive.append_lines(session, 2, [StoredLine("note two")]) == 3
        assert [line.line for line in archive.lines(session)] == ["note one", "note two"]
        assert maintenance.check_archive(archive) == ()


@pytest.mark.slow
def test_who_writes_waits_for_a_server_that_comes_back(own: postgres.Server, seconds_waited: list[int]) -> None:
    with Archive.open(own.url("evening")) as archive:
        session = archive.new_session("keepsake")
        own.stop()

        def come_back() -> None:
            soon(lambda: 1 in seconds_waited)
            own.start()

        back = threading.Thread(target=come_back)
        back.start()
        assert archive.append_lines(session, 1, [StoredLine("note one")]) == 2
        back.join()
    soon(lambda: seconds_waited[-1] == 0)
    assert describe_wait(seconds_waited[0]) == "waiting for the archive, 1 s"
    assert describe_wait(seconds_waited[-1]) == ""


@pytest.mark.slow
def test_waiting_for_another_writer_is_shown(place: str, archive: Archive, seconds_waited: list[int]) -> None:
    session = archive.new_session("keepsake")
    with Archive.open(place) as other, contextlib.ExitStack() as writing:
        writing.enter_context(other.store.writing())
        mine = threading.Thread(target=lambda: archive.append_lines(session, 1, [StoredLine("note one")]))
        mine.start()
        soon(lambda: 2 in seconds_waited)
        writing.close()
        mine.join()
    soon(lambda: seconds_waited[-1] == 0)
    assert seconds_waited[:2] == [1, 2]
    assert len(archive.lines(session)) == 1


# A connection that breaks at the commit, either before the server did it or after.


@pytest.mark.parametrize("reached", [False, True])
def test_a_connection_lost_at_the_commit_loses_nothing(wire: postgres.Wire, reached: bool) -> None:
    with Archive.open(wire.url) as archive:
        session = archive.new_session("keepsake")
        wire.cut_at_commit(reached=reached)
        if reached:
            assert archive.append_lines(session, 1, [StoredLine("note one")]) == 2
        else:
            with pytest.raises(ArchiveError, match="does not answer; try again"):
                archive.append_lines(session, 1, [StoredLine("note one")])
            assert archive.append_lines(session, 1, [StoredLine("note one")]) == 2
        assert [line.line for line in archive.lines(session)] == ["note one"]
        assert wire.cuts == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("reached", [False, True])
def test_what_nobody_knows_may_be_repeated(wire: postgres.Wire, reached: bool) -> None:
    with Archive.open(wire.url) as archive:
        choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
        session = archive.new_session("keepsake")
        lines, marks = [StoredLine("note one"), StoredLine("seal")], {choir: [Played(3)]}
        wire.cut_at_commit(reached=reached, stay_away=True)
        with pytest.raises(Unsure, match="it is not known whether it did"):
            archive.seal(session, 1, lines, marks)
        wire.come_back()
        archive.seal(session, 1, lines, marks)
        assert [line.line for line in archive.lines(session)] == ["note one", "seal"]
        assert archive.find_deck(choir).figure("dungeons") == 1
        assert maintenance.check_archive(archive) == ()


@pytest.mark.usefixtures("impatient")
def test_what_somebody_else_wrote_meanwhile_is_still_a_conflict(
    wire: postgres.Wire, server: postgres.Server, database: str
) -> None:
    with Archive.open(wire.url, by="ana") as archive, Archive.open(server.url(database), by="ben") as other:
        session = archive.new_session("keepsake")
        wire.cut_at_commit(reached=False, stay_away=True)
        with pytest.raises(Unsure):
            archive.append_lines(session, 1, [StoredLine("note one")])
        other.append_lines(session, 1, [StoredLine("note one")])
        wire.come_back()
        with pytest.raises(Conflict):
            archive.append_lines(session, 1, [StoredLine("note one")])
        assert [line.by for line in archive.lines(session)] == ["ben"]


@pytest.mark.slow
def test_a_standby_has_every_acknowledged_line() -> None:
    _, acknowledged = standby.taken_over(tables=2, lines=20)
    assert acknowledged > 20


@pytest.mark.slow
def test_a_command_that_waits_says_so_and_then_does_it(place: str, archive: Archive) -> None:
    with archive.store.writing():
        adding = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "people", "add", "Ana", "--archive", place],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        assert adding.stderr is not None
        notice = adding.stderr.readline()
    assert adding.communicate()[1] == ""
    assert notice == "waiting for the archive, 3 s\n"
    assert adding.returncode == 0
    assert [person.name for person in people.all_people(archive)] == ["Ana"]
