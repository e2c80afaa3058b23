"""How the program starts on a terminal: what is asked for is there, and nothing was loaded that it does not need."""

import sys
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.bench.bench_rules import DUNGEON, played
from tests.terminal import Terminal, companion

pytestmark = pytest.mark.posix

UNUSED = ("click.core", "textual.widgets._tree", "textual.widgets._select", "sqlalchemy.sql")
"""What the first screen does without."""


@pytest.fixture
def archive_file(tmp_path: Path) -> tuple[Path, str]:
    """An archive with a game that was played, and that game's id."""
    place = tmp_path / "archive.db"
    with Archive.open(str(place), by="test") as archive:
        return place, archive_journal.keep(archive, played(DUNGEON.read_text(encoding="utf-8")), "Friday")


def loaded_until(text: str, *words: str) -> str:
    """Start the program until it can be used, and return the modules that it had loaded when a text was written, each
    on a line of its own.
    """
    with Terminal((sys.executable, "-X", "importtime", "-m", "companion.cli", *words)) as terminal:
        terminal.until(text)
        loaded = terminal.text.partition(text)[0]
        assert terminal.quit() == 0
    assert "companion.tui.app" in loaded
    return loaded


@pytest.mark.parametrize("text", ["Friday", "Ana, Ben, Cy · win"])
def test_home_lists_games_before_it_loads_what_it_does_not_need(archive_file: tuple[Path, str], text: str) -> None:
    loaded = loaded_until(text, "--archive", str(archive_file[0]))
    assert [name for name in (*UNUSED, "companion.games.decknforge") if name in loaded] == []


@pytest.mark.parametrize("is_named_before", [True, False])
def test_a_table_is_there_before_what_it_does_not_need(archive_file: tuple[Path, str], is_named_before: bool) -> None:
    place, session = archive_file
    archive, play = ("--archive", str(place)), ("play", session[:6].lower())
    loaded = loaded_until("HP of 20", *(archive + play if is_named_before else play + archive))
    assert [name for name in UNUSED if name in loaded] == []


@pytest.mark.parametrize("is_early", [True, False], ids=["before it is there", "once it is there"])
def test_keys_count_from_the_start(tmp_path: Path, *, is_early: bool) -> None:
    with Terminal(companion(tmp_path / "archive.sqlite")) as terminal:
        if not is_early:
            terminal.until("What do you play?")
            terminal.settle()
        terminal.press("1\r")
        terminal.until("New table")
        assert terminal.quit() == 0


FAILS = """
import sys
from companion.cli.__main__ import main
from companion.tui.screens.home.home import Home

def fail(self, *arguments):
    raise ZeroDivisionError("nothing is shared by nobody")

setattr(Home, sys.argv.pop(1), fail)
main()
"""
"""The program with a fault in its first screen."""


@pytest.mark.parametrize("method", ["compose", "on_mount", "__init__"])
def test_a_crash_of_the_first_screen_is_one_sentence_and_status_1(tmp_path: Path, method: str) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    _, _, _, *words = companion(tmp_path / "archive.sqlite")
    with Terminal((sys.executable, "-c", FAILS, method, *words), environment) as terminal:
        assert terminal.ended() == 1
        last = terminal.text.strip().splitlines()[-1]
        assert "Traceback" not in terminal.text
    assert "ZeroDivisionError: nothing is shared by nobody" in last
    log = tmp_path / "state" / "table-companion" / "faults.log"
    assert str(log) in last
    assert "in fail" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [("play", "NONE"), ("play", "a", "b"), ("--archive",), ("--bold",), ("deck", "x")])
def test_what_cannot_be_opened_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    environment = {"COMPANION_ARCHIVE": str(tmp_path / "archive.db")}
    with Terminal((sys.executable, "-m", "companion.cli", *words), environment) as terminal:
        assert terminal.ended() in (1, 2)
        assert len(terminal.text.strip().splitlines()) == 1
