"""The first evening on a real terminal, from the welcome to a round that was played: what must work on every system."""

from pathlib import Path

from companion.archive import Archive
from tests.bench.emulated import EmulatedTerminal
from tests.terminal import companion

STEPS = (
    ("", "What do you play?"),
    ("1\r", "New table"),
    ("Ana\r", "a loose band"),
    ("\r", "Seats 2"),
    ("Ben\r", "a loose band"),
    ("\r", "Seats 3"),
    ("\x13", "Begin the dungeon"),
    ("\r", "Reveal"),
    ("9s qh\r", "reveals Q♥"),
)
"""What is typed, and what the screen shows then."""


def test_a_first_evening_from_the_welcome_to_a_round(tmp_path: Path) -> None:
    place = tmp_path / "archive.sqlite"
    with EmulatedTerminal(companion(place)) as terminal:
        for keys, text in STEPS:
            terminal.press(keys)
            terminal.until_displayed(text)
            terminal.settle()
        assert terminal.quit() == 0
        assert "Traceback" not in terminal.text
    with Archive.open(str(place)) as archive:
        lines = [line.line for line in archive.lines(archive.sessions()[0].session)]
    assert lines[-2:] == ["reveal ana 9S", "reveal ben QH"]
    assert lines[0] == "table decknforge"
