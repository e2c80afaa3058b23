"""What was shown comes back: a real process that plays is killed at random moments, over and over."""

import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from companion.archive import Archive
from companion.session import store
from companion.session.replay import Replay
from tests.games.miniature import Miniature

ROOT = Path(__file__).parents[2]
KILLS = 20


def killed_while_playing(place: str, session: str, seed: int, after: float) -> int:
    """Starts a player, kills it so many seconds after its first line, and gives the last number that it showed."""
    command = [sys.executable, "-m", "tests.session.player", place, session, str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        first = player.stdout.readline()
        threading.Timer(after, player.kill).start()
        rest = player.stdout.read()
    assert player.returncode == -9
    return int([line for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")][-1])


def integrity(place: str) -> str:
    """What SQLite itself says of the file."""
    connection = sqlite3.connect(place)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def test_every_line_that_was_shown_survives_a_kill_and_the_table_is_the_same(place: str) -> None:
    chance = random.Random(9)
    with Archive.open(place) as archive:
        session = store.start(archive, Miniature.name)
        for line in ("seat ana", "seat ben", "begin seed 3"):
            session.enter(line)
    before: list[str] = []
    for seed in range(KILLS):
        shown = killed_while_playing(place, session.id, seed, after=chance.uniform(0, 0.04))
        assert integrity(place) == "ok"
        with Archive.open(place) as archive:
            resumed = store.resume(archive, session.id)
            lines = [line.text for line in resumed.log.lines]
            assert len(lines) >= shown > len(before)
            assert lines[: len(before)] == before
            replay = Replay(resumed.export())
            assert not [told.failure for told in replay if told.failure]
            assert resumed.state == replay.session.state
            assert archive.find_session(session.id).standing == store.standing(resumed.view())
        before = lines
    assert before.count("undo") > KILLS
