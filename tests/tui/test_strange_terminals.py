"""The real program on terminals that send what they should not, or do not do what they claim."""

import re
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.terminal import PATIENCE, Terminal, companion
from tests.tui.sequences import cut_anywhere, random_input
from tests.tui.test_terminal_input import IS_SENT_LAST

pytestmark = pytest.mark.posix

FIRST = "What do you play?"


@pytest.mark.parametrize(
    "sent",
    [
        b"\x1b[48;36;120;0;0t\x1b[<35;10;10M\x1b[<0;10;10M\x1b[<0;10;10m",
        b"\x1b[48;0;0;0;0t\x1b[<35;10;10M",
        b"\x1b[97:65;2;65u",
        b"\x1b[M \xff\xff\xc3",
    ],
    ids=["size without pixels", "no size", "kitty's alternates", "no text"],
)
def test_what_cannot_be_read_does_not_end_the_program(tmp_path: Path, sent: bytes) -> None:
    with Terminal(companion(tmp_path / "archive.sqlite")) as terminal:
        terminal.until(FIRST)
        terminal.settle()
        terminal.send_bytes(sent)
        terminal.settle()
        assert terminal.quit() == 0
        assert "Traceback" not in terminal.text


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_strange_sequences_do_not_end_the_program(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    with Terminal(companion(tmp_path / "archive.sqlite")) as terminal:
        terminal.until(FIRST)
        terminal.settle()
        for _ in range(20):
            for piece in cut_anywhere(random, b"".join(random_input(random, 20))):
                terminal.send_bytes(piece)
            terminal.settle(0.05)
        terminal.press(IS_SENT_LAST)
        assert terminal.quit() == 0
        assert "Traceback" not in terminal.text


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["\x1b[?2048;1$y", "\x1b[?2048;2$y"], ids=["is on", "is off"])
def test_a_terminal_that_claims_to_report_its_size_is_asked_all_the_same(tmp_path: Path, claim: str) -> None:
    # Where tests run beside each other, these say that every terminal has one size.
    environment = {"COLUMNS": "", "LINES": ""}
    with Terminal(companion(tmp_path / "archive.sqlite"), environment) as terminal:
        terminal.until(FIRST)
        terminal.press(claim)
        terminal.settle()
        terminal.resize(190, 60)
        deadline = time.monotonic() + PATIENCE
        while not re.search(r"\x1b\[60;\d+H", terminal.raw):
            assert time.monotonic() < deadline, "the last row is not painted"
            terminal.settle()
        assert terminal.quit() == 0


CANNOT_READ = """
from companion.cli.__main__ import main
from companion.tui.terminal.terminal_input import PasteKeepingParser

def fail(self, data):
    raise ZeroDivisionError("nothing was read")

PasteKeepingParser.feed = fail
main()
"""
"""The program, which fails at whatever is typed."""


@pytest.mark.slow
def test_where_nothing_can_be_read_any_more_the_program_says_so_and_fails(tmp_path: Path) -> None:
    _, _, _, *words = companion(tmp_path / "archive.sqlite")
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    with Terminal((sys.executable, "-c", CANNOT_READ, *words), environment) as terminal:
        terminal.until(FIRST)
        terminal.settle()
        terminal.press("a")
        assert terminal.ended() == 1
        assert "ZeroDivisionError: nothing was read" in terminal.text.strip().splitlines()[-1]
        assert "Traceback" not in terminal.text
