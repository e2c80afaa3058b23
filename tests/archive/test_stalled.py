"""A server that keeps its connections and says nothing: nobody waits longer than was said, and nothing is doubled."""

import re
import threading
import time
from collections.abc import Callable

import pytest

from companion.archive import Archive, ArchiveError, Conflict, StoredLine, Unreadable, maintenance
from companion.archive import store as stores
from companion.archive.errors import Unsure
from companion.archive.storage.changes import Changes
from companion.archive.storage.waiting import waits
from tests.archive import postgres, standby
from tests.archive.keepsake import Founded, Played
from tests.archive.test_reconnect import soon

pytestmark = pytest.mark.posix

TEN, SHORT = 10.0, 3.0
LATE = 3.0
"""What a machine that does other things may add to ten seconds."""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three seconds instead of ten, for tests that need not wait for all of them."""
    monkeypatch.setattr(stores, "BUSY_SECONDS", SHORT)


def seconds_of(what: Callable[[], object], error: type[ArchiveError], match: str) -> float:
    """How long it takes until something is refused."""
    began = time.monotonic()
    with pytest.raises(error, match=match):
        what()
    return time.monotonic() - began


def test_a_line_is_kept_once_a_stalled_server_answers(wire: postgres.Wire, seconds_waited: list[int]) -> None:
    with Archive.open(wire.url) as archive:
        session, line = archive.new_session("keepsake"), [StoredLine("note one")]
        wire.stall()
        took = seconds_of(lambda: archive.append_lines(session, 1, line), ArchiveError, "does not answer; try again")
        assert TEN - LATE < took < TEN + LATE
        assert seconds_waited[:3] == [1, 2, 3]
        wire.come_back()
        began = time.monotonic()
        assert archive.append_lines(session, 1, line) == 2
        assert time.monotonic() - began < LATE
        assert [kept.line for kept in archive.lines(session)] == ["note one"]


@pytest.mark.usefixtures("short")
def test_a_read_is_given_up(wire: postgres.Wire) -> None:
    with Archive.open(wire.url) as archive:
        session = archive.new_session("keepsake")
        wire.stall()
        assert seconds_of(lambda: archive.lines(session), ArchiveError, "does not answer; try again") < SHORT + LATE
        wire.come_back()
        assert archive.lines(session) == ()


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("reached", [False, True])
def test_a_commit_without_an_answer_is_kept_once(wire: postgres.Wire, reached: bool) -> None:
    with Archive.open(wire.url) as archive:
        choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
        session = archive.new_session("keepsake")
        lines, marks = [StoredLine("note one"), StoredLine("seal")], {choir: [Played(3)]}
        wire.stall_at_commit(reached=reached)
        took = seconds_of(lambda: archive.seal(session, 1, lines, marks), Unsure, "it is not known whether it did")
        assert SHORT / 2 < took < SHORT + LATE
        wire.come_back()
        archive.seal(session, 1, lines, marks)
        assert [line.line for line in archive.lines(session)] == ["note one", "seal"]
        assert archive.find_deck(choir).figure("dungeons") == 1
        assert maintenance.check_archive(archive) == ()


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("reached", [False, True])
def test_a_commit_is_found_out_where_the_server_answers_again(wire: postgres.Wire, reached: bool) -> None:
    with Archive.open(wire.url) as archive:
        session = archive.new_session("keepsake")
        wire.stall_at_commit(reached=reached)

        def come_back() -> None:
            soon(lambda: wire.is_stalled)
            time.sleep(2)
            wire.come_back()

        back = threading.Thread(target=come_back)
        back.start()
        assert archive.append_lines(session, 1, [StoredLine("note one")]) == 2
        back.join()
        assert [line.line for line in archive.lines(session)] == ["note one"]


@pytest.mark.usefixtures("short")
def test_a_commit_that_comes_through_late_is_nobody_elses_line(wire: postgres.Wire) -> None:
    with Archive.open(wire.url) as archive:
        session = archive.new_session("keepsake")
        wire.stall_at_commit(reached=False)
        with pytest.raises(Unsure):
            archive.append_lines(session, 1, [StoredLine("note one")])
        wire.come_back()
        soon(lambda: len(archive.lines(session)) == 1)
        with pytest.raises(Conflict):
            archive.append_lines(session, 1, [StoredLine("note other")])
        assert archive.append_lines(session, 1, [StoredLine("note one")]) == 2
        assert [line.line for line in archive.lines(session)] == ["note one"]


@pytest.mark.usefixtures("short")
def test_a_stall_within_a_transaction_is_given_up(wire: postgres.Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.archive.storage.postgresql.SILENCE_SECONDS", 1)
    with Archive.open(wire.url) as archive:
        session = archive.new_session("keepsake")

        def write() -> None:
            with archive.store.writing() as transaction:
                wire.stall()
                transaction.length(f"session:{session}")

        assert seconds_of(write, ArchiveError, "does not answer") < 1 + LATE
        wire.come_back()
        assert archive.append_lines(session, 1, [StoredLine("note one")]) == 2


@pytest.mark.usefixtures("short")
def test_to_open_an_archive_that_stalls_is_given_up(wire: postgres.Wire) -> None:
    wire.stall()
    assert seconds_of(lambda: Archive.open(wire.url), Unreadable, "does not answer; try again") < SHORT + LATE


@pytest.mark.usefixtures("short")
def test_who_waits_for_a_writer_is_told_so(wire: postgres.Wire) -> None:
    with Archive.open(wire.url) as archive, Archive.open(wire.url) as other, other.store.writing():
        took = seconds_of(lambda: archive.new_session("keepsake"), ArchiveError, "Another program is writing")
        assert took < SHORT + LATE


@pytest.mark.parametrize("for_good", [False, True])
def test_all_waits_end_at_once_where_somebody_wants_that(
    wire: postgres.Wire, seconds_waited: list[int], for_good: bool
) -> None:
    with Archive.open(wire.url) as archive:
        session = archive.new_session("keepsake")
        refused: list[ArchiveError] = []

        def write() -> None:
            try:
                archive.append_lines(session, 1, [StoredLine("note one")])
            except ArchiveError as error:
                refused.append(error)

        wire.stall()
        writing = threading.Thread(target=write)
        writing.start()
        soon(lambda: 1 in seconds_waited)
        waits.end(for_good=for_good)
        writing.join(1)
        assert not writing.is_alive()
        assert len(refused) == 1
        wire.come_back()


@pytest.mark.usefixtures("short")
def test_who_listens_for_news_hears_of_them_after_a_stall(
    wire: postgres.Wire, server: postgres.Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.archive.storage.changes.ASK_EVERY", 0.5)
    with Archive.open(wire.url) as archive, Archive.open(server.url(database)) as other:
        changes = Changes(archive.store.engine)
        assert changes.wait(5)
        wire.lose()
        other.new_session("keepsake")
        wire.come_back()
        assert any(changes.wait(1) for _ in range(20))
        changes.close()


@pytest.mark.slow
def test_a_standby_says_that_it_is_one_until_it_takes_over() -> None:
    why = r"This server is a standby: it can only be read; name the first server, or both with target_session_attrs="
    with standby.pair() as (primary, second):
        assert seconds_of(lambda: Archive.open(second.url("evening")), Unreadable, why) < TEN
        with Archive.open(primary.url("evening")) as archive:
            assert archive.store.read_only_reason == ""
            session = archive.new_session("keepsake", "Friday")
            # What is written reaches the standby a moment later, its tables first.
            tables = "SELECT 1 FROM pg_tables WHERE tablename = 'sessions'"
            soon(lambda: bool(second.sql(tables, database="evening")))
            soon(lambda: bool(second.sql("SELECT 1 FROM sessions", database="evening")))
        with Archive.open(second.url("evening")) as follower:
            assert re.match(why, str(follower.store.read_only_reason))
            assert [row.title for row in follower.sessions()] == ["Friday"]
            line = [StoredLine("note one")]
            assert seconds_of(lambda: follower.append_lines(session, 1, line), ArchiveError, why) < TEN
            primary.kill()
            postgres.run("pg_ctl", "-s", "-w", "-D", str(second.data), "promote")
            assert follower.append_lines(session, 1, line) == 2
            assert follower.store.read_only_reason == ""
