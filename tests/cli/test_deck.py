"""`companion deck`: what decks there are, what each is today, and what happened to it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, deck_id
from companion.cli.main import main
from tests.archive.keepsake import Founded, Played, Retired
from tests.bench.photos import qr


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def choir(place: str) -> str:
    """A deck of some renown, and another that is retired."""
    with Archive.open(place, by="tests") as archive:
        choir = archive.found_deck("keepsake", [Founded("Grave Choir", "Ana"), Played(3)])
        archive.found_deck("keepsake", [Founded("Iron Lanterns"), Retired()])
    return choir


@pytest.fixture
def deck(place: str) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["deck", *arguments, "--archive", place])

    return run


def test_an_empty_archive_says_what_to_do(deck: Callable[..., Result], place: str) -> None:
    Archive.open(place).close()
    result = deck("list")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "companion deck new" in result.stdout


def test_the_list_has_every_deck_by_name(deck: Callable[..., Result], choir: str) -> None:
    heading, first, second = deck("list").stdout.splitlines()
    assert heading.split() == ["NAME", "ID", "GAME", "GLORY", "DUNGEONS", "HOLDER", "CHANGED"]
    assert first.split()[:6] == ["Grave", "Choir", deck_id.show(choir), "keepsake", "3", "1"]
    assert second.startswith("Iron Lanterns (retired)")
    data = json.loads(deck("list", "--json").stdout)
    assert [(row["name"], row["retired"]) for row in data] == [("Grave Choir", False), ("Iron Lanterns", True)]
    assert data[0]["deck"] == choir


def test_a_deck_is_shown_as_it_is_today(deck: Callable[..., Result], choir: str) -> None:
    heading, *facts = deck("show", "grave").stdout.splitlines()
    assert heading == f"Grave Choir · {deck_id.show(choir)} · Keepsake"
    assert facts == ["Holder: Ana", "Retired: no", "Glory: 3", "Dungeons: 1"]
    data = json.loads(deck("show", choir, "--json").stdout)
    assert (data["deck"], data["name"], data["glory"]) == (choir, "Grave Choir", 3)


def test_a_story_is_told_newest_first_with_date_and_writer(deck: Callable[..., Result], choir: str) -> None:
    _, _, *story = deck("history", deck_id.show(choir).lower()).stdout.splitlines()
    assert [line.split()[0] for line in story] == ["2", "1"]
    assert [line.split()[3:] for line in story] == [["tests", "played"], ["tests", "founded"]]
    data = json.loads(deck("history", "Grave Choir", "--json").stdout)
    assert [(mark["number"], mark["text"], mark["by"]) for mark in data["story"]] == [
        (2, "played", "tests"),
        (1, "founded", "tests"),
    ]
    assert all(mark["at"] for mark in data["story"])


def test_a_picture_of_its_code_names_a_deck(deck: Callable[..., Result], choir: str, tmp_path: Path) -> None:
    picture, stranger = tmp_path / "box.png", tmp_path / "other.png"
    qr(deck_id.payload(choir)).save(picture)
    qr("https://example.org").save(stranger)
    assert deck("show", str(picture)).stdout.startswith("Grave Choir")
    for path in (stranger, Path(__file__)):
        result = deck("show", str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.usefixtures("choir")
@pytest.mark.parametrize(
    ("text", "status", "sentence"),
    [
        ("Nobody", 1, "companion deck list"),
        ("7K3M-9QPX-2B4T-5", 2, "check symbol"),
        ("7K3M-9QPX-2B4T-C", 1, "is not in this archive"),
        ("7K3M-9QPX", 2, "8 symbols instead of the 13"),
        ("", 1, "companion deck list"),
        ("x" * 5000, 1, "companion deck list"),
    ],
)
def test_what_leads_to_no_deck_is_one_sentence(
    deck: Callable[..., Result], text: str, status: int, sentence: str
) -> None:
    for command in ("show", "history"):
        result = deck(command, text)
        assert (result.exit_code, result.stdout) == (status, "")
        assert sentence in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert len(result.stderr) < 160
