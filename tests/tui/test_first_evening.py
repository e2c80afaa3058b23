"""The first evening on a real terminal, from the welcome to a round that was played: what must work on every system."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from companion.archive import Archive
from tests.bench.emulated import EmulatedTerminal
from tests.terminal import companion

pytestmark = pytest.mark.posix

KEYS = ("", "1\r", "Ana\r", "\r", "Ben\r", "\r", "\x13", "\r", "ana:as\r", "9s qh\r")
"""What is typed, the same in all languages."""
SCREENS = {
    "en": (
        *("What do you play?", "New table", "a loose band", "Seats 2", "a loose band", "Seats 3", "Begin the dungeon"),
        *("which Monster did you flip?", "HP of 36", "reveals Q♥"),
    ),
    "de": (
        *("Was spielt ihr?", "Neuer Tisch", "eine lose Bande", "Plätze 2", "eine lose Bande", "Plätze 3"),
        *("Dungeon beginnen", "Welches Monster habt ihr umgedreht?", "LP von 36", "Ben deckt Q♥ auf"),
    ),
}
"""What the screen shows then, by language."""
STEPS = tuple(zip(KEYS, SCREENS["en"], strict=True))
"""What is typed, and what an English screen shows then."""


def play_first_evening(
    command: Sequence[str], environment: Mapping[str, str] | None = None, language: str = "en"
) -> None:
    """Start a companion on an archive that is not there yet, play until a round has begun, and quit."""
    with EmulatedTerminal((*command, "--language", language), environment) as terminal:
        for keys, text in zip(KEYS, SCREENS[language], strict=True):
            terminal.press(keys)
            terminal.until_displayed(text)
            terminal.settle()
        assert terminal.quit() == 0
        assert "Traceback" not in terminal.text


@pytest.mark.parametrize("language", SCREENS)
def test_a_first_evening_from_the_welcome_to_a_round(tmp_path: Path, language: str) -> None:
    place = tmp_path / "archive.sqlite"
    play_first_evening(companion(place), language=language)
    with Archive.open(str(place)) as archive:
        lines = [line.line for line in archive.lines(archive.sessions()[0].session)]
    assert lines[-3:] == ["bosses ana:AS", "reveal ana 9S", "reveal ben QH"]
    assert lines[0] == "table decknforge"
