"""However the terminal goes away, the program ends in order and the table is kept: a real process, real signals."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.terminal import PATIENCE, Terminal, companion

pytestmark = pytest.mark.posix

LINES = ('seat ana name "Ana"', 'seat ben name "Ben"', 'seat cy name "Cy"', "begin seed 1")

OWNS_ITS_TERMINAL = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from companion.cli.__main__ import main
main()
"""
"""As a shell starts it: only who owns a terminal is told when it goes away."""


class Signalled(Terminal):
    """A program that can be sent a signal."""

    def send(self, number: signal.Signals) -> None:
        """Sends the signal to the program alone."""
        os.kill(self._process.pid, number)

    def until_stopped(self) -> None:
        """Waits until the program is suspended."""
        deadline = time.monotonic() + PATIENCE
        while "State:\tT" not in Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8"):
            assert time.monotonic() < deadline, "not suspended in time"
            self._read(0.05)

    def hang_up(self) -> int:
        """Closes the terminal, as a closed window or a lost connection does; the status with which the program ends."""
        os.close(self._master)
        self._master = os.open(os.devnull, os.O_RDWR)
        return self._process.wait(PATIENCE)


@pytest.fixture
def fight(archive: Archive) -> str:
    """A dungeon that has begun."""
    session = archive_journal.start(archive, "decknforge")
    for line in LINES:
        session.enter(line)
    return archive.sessions()[0].session


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_program_in_order_with_everything_kept(
    place: Path, archive: Archive, fight: str, number: signal.Signals
) -> None:
    with Signalled(companion(place, "play", fight)) as terminal:
        terminal.until("Undo")
        terminal.settle()
        terminal.press("9s qh 6c\r")
        terminal.until("Tactics")
        terminal.until("reveals 6♣")
        terminal.send(number)
        assert terminal.ended() == 0
        assert "Traceback" not in terminal.text
    assert [line.line for line in archive.lines(fight)][-3:] == ["reveal ana 9S", "reveal ben QH", "reveal cy 6C"]


def test_what_the_screen_showed_survives_a_kill(place: Path, archive: Archive, fight: str) -> None:
    with Signalled(companion(place, "play", fight)) as terminal:
        terminal.until("Undo")
        terminal.settle()
        terminal.press("9s qh 6c\r")
        terminal.until("reveals 6♣")
        terminal.send(signal.SIGKILL)
        assert terminal.ended() == -signal.SIGKILL
    assert [line.line for line in archive.lines(fight)][-3:] == ["reveal ana 9S", "reveal ben QH", "reveal cy 6C"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTSTP, None], ids=["signal", "palette"])
def test_a_suspended_program_goes_on_where_it_was(
    place: Path, archive: Archive, fight: str, number: signal.Signals | None
) -> None:
    _, _, _, *words = companion(place, "play", fight)
    # Whoever starts a program from a shell is there to wake it; without such a group it could not be stopped.
    with Signalled((sys.executable, "-c", OWNS_ITS_TERMINAL, *words)) as terminal:
        terminal.until("Undo")
        terminal.settle()
        if number is None:
            terminal.press("\x10")
            terminal.until("Search for")
            terminal.press("suspend")
            terminal.until("Back to the shell")
            terminal.settle()
            terminal.press("\r")
        else:
            terminal.send(number)
        terminal.until_stopped()
        terminal.settle()
        assert "\x1b[?1049l" in terminal.raw
        terminal.press("")
        terminal.send(signal.SIGCONT)
        terminal.until("reveal a card")
        terminal.settle()
        terminal.press("9s qh 6c\r")
        terminal.until("reveals 6♣")
        terminal.press("\x11")
        assert terminal.ended() == 0
    assert archive.lines(fight)[-1].line == "reveal cy 6C"


@pytest.mark.parametrize("no_color", ["1", ""])
def test_no_color_is_respected(place: Path, fight: str, no_color: str) -> None:
    environment = {"NO_COLOR": no_color} if no_color else {}
    with Signalled(companion(place, "play", fight), environment) as terminal:
        terminal.until("Undo")
        terminal.settle()
        coloured = {rgb for rgb in re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", terminal.raw) if len(set(rgb)) > 1}
        assert bool(coloured) is not bool(no_color)


@pytest.mark.parametrize("owns", [True, False], ids=["its own", "another's"])
def test_a_closed_terminal_ends_the_program_and_all_is_kept(
    place: Path, archive: Archive, fight: str, *, owns: bool
) -> None:
    command = companion(place, "play", fight)
    # Who does not own a terminal is sent no signal when it goes.
    with Signalled((sys.executable, "-c", OWNS_ITS_TERMINAL, *command[3:]) if owns else command) as terminal:
        terminal.until("Undo")
        terminal.settle()
        terminal.press("9s qh 6c\r")
        terminal.until("reveals 6♣")
        assert terminal.hang_up() == 0
    assert archive.lines(fight)[-1].line == "reveal cy 6C"


def test_quitting_from_home_ends_with_0(place: Path) -> None:
    with Signalled(companion(place)) as terminal:
        terminal.until("Archive:")
        terminal.settle()
        terminal.press("\x11")
        assert terminal.ended() == 0


def test_play_without_a_terminal_says_so(place: Path) -> None:
    command = companion(place, "play")
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, stdin=subprocess.DEVNULL)
    assert result.returncode == 2
    assert "this is no terminal" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"), [(("play",), "no table to go on with"), (("play", "ZZZ"), "no session “ZZZ”")]
)
def test_play_without_such_a_session_says_so(place: Path, words: tuple[str, ...], sentence: str) -> None:
    Archive.open(str(place)).close()
    with Signalled(companion(place, *words)) as terminal:
        assert terminal.ended() == 1
        assert sentence in terminal.text


def test_who_ends_at_a_game_without_its_seal_hears_of_it(archive: Archive, tmp_path: Path, fight: str) -> None:
    session = archive_journal.resume(archive, fight)
    for seat in ("ana", "ben", "cy"):
        session.enter(f"concede {seat}")
    with Terminal(companion(tmp_path / "archive.sqlite", "play", fight)) as terminal:
        terminal.until("Undo")
        terminal.settle()
        terminal.press("\x11")
        assert terminal.ended() == 0
        assert "This game is over and not sealed: no deck's record has it yet." in terminal.text
