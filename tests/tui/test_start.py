"""How the program starts on a terminal: what is asked for is there, and nothing was loaded that it does not need."""

import sys
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session import archive_journal
from tests.bench.bench_rules import DUNGEON, played
from tests.terminal import Terminal

UNUSED = ("click.core", "textual.widgets._tree", "textual.widgets._select", "sqlalchemy.sql", "companion.games.decknforge.view")
"""What the first screen does without."""


@pytest.fixture
def archive_file(tmp_path: Path) -> tuple[Path, str]:
    """An archive with a game that was played, and that game's id."""
    place = tmp_path / "archive.db"
    with Archive.open(str(place), by="test") as archive:
        return place, archive_journal.keep(archive, played(DUNGEON.read_text()), "Friday")


@pytest.mark.parametrize("kind", ["home", "newest", "table", "named before"])
def test_a_screen_is_there_before_what_it_does_not_need(archive_file: tuple[Path, str], kind: str) -> None:
    place, session = archive_file
    words, text = {
        "home": (("--archive", str(place)), "Friday"),
        "newest": (("--archive", str(place)), "Ana, Ben, Cy"),
        "table": (("play", session, "--archive", str(place)), "Grave Choir"),
        "named before": (("--archive", str(place), "play", session[:6].lower()), "Grave Choir"),
    }[kind]
    # Each module is named on the terminal as it is loaded.
    with Terminal((sys.executable, "-X", "importtime", "-m", "companion.cli", *words)) as terminal:
        terminal.until(text)
        loaded = terminal.text.partition(text)[0]
    assert "companion.tui.app" in loaded
    assert [name for name in UNUSED if name in loaded] == []


@pytest.mark.parametrize("words", [("play", "NONE"), ("play", "a", "b"), ("--archive",), ("--bold",), ("deck", "x")])
def test_what_cannot_be_opened_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    environment = {"COMPANION_ARCHIVE": str(tmp_path / "archive.db")}
    with Terminal((sys.executable, "-m", "companion.cli", *words), environment) as terminal:
        assert terminal.ended() in (1, 2)
        assert len(terminal.text.strip().splitlines()) == 1
