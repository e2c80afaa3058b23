"""The first evening on a real terminal, from the welcome to a round that was played: what must work on every system."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from companion.archive import Archive
from tests.bench.emulated import EmulatedTerminal
from tests.terminal import companion

pytestmark = pytest.mark.posix

STEPS = (
    ("", "What do you play?"),
    ("1\r", "New table"),
    ("Ana\r", "a loose band"),
    ("\r", "Seats 2"),
    ("Ben\r", "a loose band"),
    ("\r", "Seats 3"),
    ("\x13", "Begin the dungeon"),
    ("\r", "which Monster did you flip?"),
    ("ana:as\r", "HP of 36"),
    ("9s qh\r", "reveals Q♥"),
)
"""What is typed, and what the screen shows then."""


def play_first_evening(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Start a companion on an archive that is not there yet, play until a round has begun, and quit."""
    with EmulatedTerminal(command, environment) as terminal:
        for keys, text in STEPS:
            terminal.press(keys)
            terminal.until_displayed(text)
            terminal.settle()
        assert terminal.quit() == 0
        assert "Traceback" not in terminal.text


def test_a_first_evening_from_the_welcome_to_a_round(tmp_path: Path) -> None:
    place = tmp_path / "archive.sqlite"
    play_first_evening(companion(place))
    with Archive.open(str(place)) as archive:
        lines = [line.line for line in archive.lines(archive.sessions()[0].session)]
    assert lines[-3:] == ["bosses ana:AS", "reveal ana 9S", "reveal ben QH"]
    assert lines[0] == "table decknforge"
