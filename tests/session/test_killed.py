"""What was shown comes back: a real process that plays is killed at random moments, over and over."""

import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from tests.games.miniature import Miniature

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DUNGEON = ROOT / "tests" / "tables" / "decknforge" / "dungeon.table"
KILLS = 20


def killed_while_playing(place: str, session: str, what: str, after: float) -> int:
    """Starts a player, kills it so many seconds after its first line, and gives the last number that it showed."""
    command = [sys.executable, "-m", "tests.session.player", place, session, what]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as player:
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


def resumed_whole(place: str, name: str) -> Session:
    """The session as it comes back, once it is sure that it is what its lines add up to."""
    assert integrity(place) == "ok"
    with Archive.open(place) as archive:
        resumed = archive_journal.resume(archive, name)
        assert archive.find_session(name).standing == archive_journal.standing(resumed.view())
    replay = Replay(resumed.export())
    assert not [line.failure for line in replay if line.failure]
    assert resumed.state == replay.session.state
    return resumed


def test_every_line_that_was_shown_survives_a_kill_with_all_that_was_undone_and_amended(place: str) -> None:
    chance = random.Random(9)
    with Archive.open(place) as archive:
        session = archive_journal.start(archive, Miniature.name)
        for line in ("seat ana", "seat ben", "begin seed 3"):
            session.enter(line)
    before: list[str] = []
    for kill in range(KILLS):
        count = killed_while_playing(place, session.id, str(kill), after=chance.uniform(0, 0.04))
        lines = [line.text for line in resumed_whole(place, session.id).log.lines]
        assert len(lines) >= count > len(before)
        assert lines[: len(before)] == before
        before = lines
    # However slow the machine is: what was undone and amended was among what had to survive.
    assert before.count("undo") >= KILLS // 4
    assert any(line.startswith("amend") for line in before)


def set_up() -> Session:
    """The recorded dungeon as its first round begins."""
    replay = Replay(DUNGEON.read_text(encoding="utf-8"))
    next(line for line in replay if line.text.startswith("begin"))
    return replay.session


def test_a_dungeon_survives_a_kill_in_the_middle_of_a_round(place: str) -> None:
    chance = random.Random(10)
    before = set_up()
    steps = set()
    for _ in range(KILLS):
        with Archive.open(place) as archive:
            name = archive_journal.keep(archive, before)
        count = killed_while_playing(place, name, str(DUNGEON), after=chance.uniform(0, 0.2))
        resumed = resumed_whole(place, name)
        assert len(resumed.log.lines) >= count > len(before.log.lines)
        steps.add(resumed.view().step)
    assert len(steps) > 2, f"the kills all came at the same moment: {steps}"
