"""A primary with a standby that takes over: real streaming replication on one machine.

Separate because the soak runs it over and over, and a test once: python -m tests.archive.standby [TIMES]
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import tests.archive.keepsake  # noqa: F401
from companion.archive import Archive, ArchiveError, Conflict, StoredLine, maintenance
from tests.archive import postgres


@dataclass
class Evening:
    """What people at a table were told: the numbers of lines that were acknowledged, and how long they waited most."""

    acknowledged: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    longest: float = 0.0


@contextlib.contextmanager
def pair() -> Iterator[tuple[postgres.Server, postgres.Server]]:
    """A primary that acknowledges only what its standby has, too, and that standby."""
    with postgres.running(postgres.DURABLE) as primary, postgres.folder() as place:
        primary.sql("CREATE DATABASE evening")
        standby = postgres.Server(place, postgres.DURABLE)
        postgres.run(
            *("pg_basebackup", "-h", str(primary.folder), "-U", "postgres", "-D", str(standby.data)),
            *("-R", "-X", "stream", "-c", "fast", "--no-sync"),
        )
        standby.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        _soon(lambda: primary.sql("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"))
        try:
            yield primary, standby
        finally:
            standby.stop()


def both(primary: postgres.Server, standby: postgres.Server) -> str:
    """The URL that leads to whichever of the two is written to."""
    return f"postgresql://postgres@/evening?host={primary.folder},{standby.folder}&target_session_attrs=read-write"


def taken_over(tables: int = 2, lines: int = 40) -> tuple[float, int]:
    """Plays at some tables while the primary is killed and its standby takes over.

    Gives the longest wait in seconds, and how many lines were acknowledged; raises AssertionError if one is missing.
    """
    with pair() as (primary, standby), Archive.open(both(primary, standby)) as archive:
        sessions = [archive.new_session("keepsake", str(table)) for table in range(tables)]
        evenings = [Evening() for _ in sessions]
        playing = [
            threading.Thread(target=_play, args=(both(primary, standby), session, evening, lines))
            for session, evening in zip(sessions, evenings, strict=True)
        ]
        for player in playing:
            player.start()
        _soon(lambda: all(len(evening.acknowledged) >= lines // 4 for evening in evenings))
        primary.kill()
        # It waits for no standby of its own: that the primary does was set after it was copied.
        postgres.run("pg_ctl", "-s", "-w", "-D", str(standby.data), "promote")
        for player in playing:
            player.join()
        for session, evening in zip(sessions, evenings, strict=True):
            notes = [line.line for line in archive.lines(session)]
            assert len(set(notes)) == len(notes), f"a line stands there twice: {notes}"
            kept = {line.number for line in archive.lines(session)}
            assert set(evening.acknowledged) <= kept, f"acknowledged and gone: {set(evening.acknowledged) - kept}"
            assert len(notes) == lines, evening.refused
        assert maintenance.check_archive(archive) == ()
        return max(evening.longest for evening in evenings), sum(len(evening.acknowledged) for evening in evenings)


def _play(url: str, session: str, evening: Evening, lines: int) -> None:
    """Enters lines as somebody at a table would: what was refused is entered again, after a look at the table."""
    with Archive.open(url) as archive:
        number = 1
        while number <= lines:
            began = time.monotonic()
            try:
                archive.append_lines(session, number, [StoredLine(f"note {number}")])
            except Conflict as error:
                evening.refused.append(str(error))
                number = len(archive.lines(session)) + 1
            except ArchiveError as error:
                evening.refused.append(str(error))
            else:
                evening.acknowledged.append(number)
                number += 1
            evening.longest = max(evening.longest, time.monotonic() - began)
            time.sleep(0.01)


def _soon(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def main(times: int) -> None:
    """Says of each time how long people waited and what they kept."""
    for turn in range(1, times + 1):
        longest, acknowledged = taken_over()
        print(f"{turn}: {acknowledged} lines acknowledged, none missing; the longest wait {longest:.2f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
