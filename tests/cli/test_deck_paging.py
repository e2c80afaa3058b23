"""Long lists of decks: a page at a time on a terminal, whole elsewhere, and any page that is asked for."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.cli.main import main
from tests.archive import bands
from tests.bench import bench_home

Run = Callable[..., Result]
NAMES = ("Ash", "Bell", "Choir", "Debt", "Iron")


@pytest.fixture
def place(tmp_path: Path) -> str:
    """An archive with five bands, each with something to be done."""
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place, by="tests") as archive:
        for name in NAMES:
            bands.found_band(archive, name)
    return place


@pytest.fixture
def deck(place: str) -> Run:
    return lambda *arguments: CliRunner().invoke(main, ["deck", *arguments, "--archive", place])


def _names(result: Result) -> list[str]:
    assert result.exit_code == 0, result.stderr
    return [name for name in NAMES if f"{name} " in result.stdout or f"{name}\n" in result.stdout]


@pytest.mark.parametrize("listing", ["list", "chores"])
def test_a_list_is_whole_off_screen_unless_a_page_is_named(deck: Run, listing: str) -> None:
    assert _names(deck(listing)) == _names(deck(listing, "--all")) == list(NAMES)
    assert deck(listing).stderr == ""
    second = deck(listing, "--limit", "2", "--page", "2")
    assert _names(second) == ["Choir", "Debt"]
    assert "3 to 4 of 5 deck" in second.stderr
    assert "--page 3 shows the next" in second.stderr
    last = deck(listing, "--limit", "2", "--page", "3")
    assert _names(last) == ["Iron"]
    assert "shows the next" not in last.stderr
    assert deck(listing, "--page", "1").stderr == ""


@pytest.mark.parametrize("listing", ["list", "chores"])
def test_a_page_that_there_is_not_is_one_sentence(deck: Run, listing: str) -> None:
    beyond = deck(listing, "--limit", "2", "--page", "4")
    assert (beyond.exit_code, len(beyond.stderr.splitlines())) == (1, 1)
    assert "There is no page 4: of 2 deck" in beyond.stderr
    assert "page 3 is the last" in beyond.stderr
    both = deck(listing, "--all", "--page", "2")
    assert (both.exit_code, both.stdout) == (2, "")
    assert deck(listing, "--page", "0").exit_code == 2


def test_programs_get_everything_unless_they_ask_for_a_page(deck: Run) -> None:
    assert [row["name"] for row in json.loads(deck("list", "--json").stdout)] == list(NAMES)
    assert [row["name"] for row in json.loads(deck("list", "--json", "--limit", "2").stdout)] == ["Ash", "Bell"]
    assert all(row["chores"] for row in json.loads(deck("chores", "--json").stdout))
    deck("chores", "Ash", "--done", "all")
    assert [bool(row["chores"]) for row in json.loads(deck("chores", "--json").stdout)] == [False, *(True,) * 4]


def test_ticking_off_all_means_every_deck_whatever_the_page(deck: Run) -> None:
    assert len(deck("chores", "--done", "all", "--limit", "2").stdout.splitlines()) == len(NAMES)
    assert deck("chores").stdout == "Nothing is left to do by hand.\n"


@pytest.mark.posix
def test_a_terminal_shows_a_page_and_says_how_many_more(tmp_path: Path) -> None:
    from tests.terminal import Terminal

    place = str(tmp_path / "crowd.sqlite")
    bench_home.fill(place, decks=103, sessions=1, people=1)
    with Terminal((sys.executable, "-m", "companion.cli", "deck", "list", "--archive", place)) as terminal:
        terminal.until("1 to 100 of 103 decks; --page 2 shows the next, --all all of them.")
        assert terminal.text.count("decknforge") == 100
