"""Decks found again and looked at elsewhere: `deck tag`, `deck list --tag`, `deck show --text`, `deck picking`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, deck_records
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from tests.archive.keepsake import Founded
from tests.printing import evenings


@pytest.fixture
def choir(archive: Archive) -> str:
    """A band with a life behind it, all of which stands on its cards."""
    deck = evenings.create_deck(archive)
    evenings.live(archive, deck)
    deck_records.tick(archive, deck, ("all",))
    return deck


@pytest.fixture
def deck(place: str) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["deck", *arguments, "--archive", place])

    return run


def _names(result: Result) -> list[str]:
    return [row["name"] for row in json.loads(result.stdout)]


def test_decks_are_tagged_and_found_by_their_tags(archive: Archive, deck: Callable[..., Result], choir: str) -> None:
    evenings.create_deck(archive, "Salt and Iron")
    assert deck("tag", choir, "league", "to be repaired").stdout == "Grave Choir: league, to be repaired.\n"
    assert deck("tag", "salt", "League").stdout == "Salt and Iron: League.\n"
    assert _names(deck("list", "--json")) == ["Grave Choir", "Salt and Iron"]
    assert _names(deck("list", "--tag", "LEAGUE", "--json")) == ["Grave Choir", "Salt and Iron"]
    assert _names(deck("list", "--tag", "league", "--tag", "to be repaired", "--json")) == ["Grave Choir"]
    heading, row = deck("list", "--tag", "to be repaired").stdout.splitlines()
    assert heading.endswith("TAGS")
    assert row.endswith("league, to be repaired")


def test_decks_are_listed_by_what_is_a_tag_alone(deck: Callable[..., Result], choir: str) -> None:
    deck("tag", choir, "to be repaired")
    assert _names(deck("list", "--tag", " to  be repaired ", "--json")) == ["Grave Choir"]
    for none in ("", " ", "x" * 41):
        refused = deck("list", "--tag", none)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert refused.stderr == "A tag is a word or a few, of at most 40 letters, such as league.\n"


def test_tags_are_said_and_taken_away(deck: Callable[..., Result], choir: str) -> None:
    assert deck("tag", choir).stdout == "Grave Choir: no tags.\n"
    deck("tag", choir, "league", "away")
    assert json.loads(deck("tag", choir, "--off", "League", "--json").stdout)["tags"] == ["away"]
    assert "Tags: away" in deck("show", choir).stdout.splitlines()
    assert json.loads(deck("show", choir, "--json").stdout)["tags"] == ["away"]
    assert "It is no longer tagged league." in deck("history", choir).stdout


def test_a_list_without_tags_has_no_column_for_them(deck: Callable[..., Result], choir: str) -> None:
    assert choir
    assert deck("list").stdout.splitlines()[0].endswith("CHANGED")
    assert deck("list", "--tag", "league").stdout.startswith("No deck is tagged league.")


def test_what_is_no_tag_is_one_sentence(deck: Callable[..., Result], choir: str) -> None:
    result = deck("tag", choir, "x" * 41)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("A tag is a word or a few")


def test_tags_go_to_another_home(deck: Callable[..., Result], choir: str, tmp_path: Path) -> None:
    deck("tag", choir, "league")
    file, home = str(tmp_path / "choir.decks"), str(tmp_path / "home.sqlite")
    assert deck("export", choir, "-o", file).exit_code == 0
    assert CliRunner().invoke(main, ["deck", "import", file, "--archive", home]).exit_code == 0
    result = CliRunner().invoke(main, ["deck", "list", "--tag", "league", "--json", "--archive", home])
    assert _names(result) == ["Grave Choir"]


def test_a_picking_list_goes_through_the_box(deck: Callable[..., Result], choir: str) -> None:
    rows = deck("picking", choir).stdout.splitlines()
    assert rows[0].startswith("Grave Choir · ")
    assert rows[1:3] == ["[ ] On the box: Grave Choir, Glory 10, 2 dungeons", "[ ] Ben holds it"]
    assert rows[3] == "[ ] A♠: Tithe Collector, HP 15, ATK 3, Rampage, Tough"
    assert "[ ] K♠: Royal Decree" in rows
    assert not any(row.startswith("[ ] 5♣") for row in rows), "what faded is crossed out"


def test_a_picking_list_says_what_is_not_on_the_cards_yet(
    archive: Archive, deck: Callable[..., Result], choir: str
) -> None:
    archive.mark(choir, archive.find_deck(choir).length, [m.Drifted("Cy")])
    output = deck("picking", choir).stdout
    assert "[ ] Ben holds it" in output
    assert "Not on the cards yet: 1 · companion deck chores" in output
    listed = json.loads(deck("picking", choir, "--json").stdout)
    assert (listed["name"], listed["chores"]) == ("Grave Choir", 1)
    assert {"spot": "holder", "says": "Ben"} in listed["spots"]


def test_a_deck_is_told_as_text(deck: Callable[..., Result], choir: str) -> None:
    rows = deck("show", choir, "--text").stdout.splitlines()
    assert rows[0] == "Grave Choir"
    assert rows[1].startswith("DecknForge · ")
    monster = next(row for row in rows if row.startswith("- A♠"))
    assert monster.startswith("- A♠ · Tithe Collector · HP 15 · ATK 3 · Built from 2♠ 4♥ 9♣ · Labels Rampage ▲▲▲ (")
    assert "Glory: 10" in rows
    assert "Dungeons: 2" in rows
    assert "Blessed cards" in rows
    assert not [row for row in rows if row != row.strip()]


LIST = "solforge main\n3 Ash Wolf | Uterra | 4/4\n2 Ember | spell\n"


def test_a_deck_with_a_list_is_printed_as_one_to_read_again(
    archive: Archive, deck: Callable[..., Result], tmp_path: Path
) -> None:
    file = tmp_path / "pack.txt"
    file.write_text(LIST, encoding="utf-8")
    assert deck("new", "solforge", "Ash Pack", "--holder", "Ana", "--list", str(file)).exit_code == 0
    output = deck("show", "Ash Pack", "--text").stdout
    heading, *rows = output.splitlines()
    assert heading.startswith("# Ash Pack · ")
    assert heading.endswith(" · version 1")
    assert rows == LIST.splitlines()
    (row,) = archive.decks()
    file.write_text(output, encoding="utf-8")
    again = deck("rebuild", "Ash Pack", str(file))
    assert "exactly this list already" in again.stderr
    assert deck("tag", "Ash Pack", "league").stdout == "Ash Pack: league.\n"
    assert archive.story(row.deck)[-1].text == "It is tagged league."
    assert "[ ] main Ash Wolf: 3" in deck("picking", "Ash Pack").stdout.splitlines()


def test_a_deck_of_a_game_without_paper_is_refused(archive: Archive, deck: Callable[..., Result]) -> None:
    archive.found_deck("keepsake", [Founded("Box", "Ana")])
    for command in (("show", "Box", "--text"), ("picking", "Box")):
        result = deck(*command)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
