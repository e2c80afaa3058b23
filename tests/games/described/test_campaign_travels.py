"""The record of a campaign in other places: exports, backups, its passport, lists, the browser, and completion."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.archive import Archive
from companion.archive.exchange.import_doubts import find_doubts
from companion.cli.main import main
from companion.session.core import archive_journal
from companion.session.reading import options
from tests.games.described import logbook
from tests.web.serving import serving

NAME = "The Gull Company"


@pytest.fixture
def company(archive: Archive) -> str:
    """The id of a campaign of two games."""
    decks = logbook.company(archive)
    logbook.first_game(archive, *decks)
    logbook.second_game(archive, *decks)
    return decks[0]


def run(archive: str | Path, *arguments: str | Path) -> str:
    """The output of a command at an archive."""
    result = CliRunner().invoke(main, ["--archive", str(archive), *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def stored_facts(archive: str | Path, name: str) -> dict[str, Any]:
    """The record of a deck as data, without the moment of its last change."""
    facts: dict[str, Any] = json.loads(run(archive, "deck", "show", name, "--json"))
    del facts["updated"]
    return facts


def test_an_archive_takes_a_campaign_to_an_empty_home(
    archive: Archive, place: str, company: str, tmp_path: Path
) -> None:
    exported, home = tmp_path / "all.archive", tmp_path / "home.sqlite"
    run(place, "archive", "export", exported)
    run(home, "archive", "import", exported)  # nothing in it is odd, so nothing is asked
    assert stored_facts(home, NAME) == stored_facts(place, NAME)
    assert run(home, "deck", "history", NAME) == run(place, "deck", "history", NAME)
    with Archive.open(str(home), by="test") as elsewhere:
        assert elsewhere.record(company) == archive.record(company)
        mira, odo = (next(row.deck for row in elsewhere.decks() if row.name == name) for name in ("Mira", "Odo"))
        logbook.third_game(elsewhere, company, mira, odo)
        assert stored_facts(home, NAME)["counts"] == {"gold": 11, "renown": 3}


def test_decks_take_a_campaign_to_an_empty_home(place: str, company: str, tmp_path: Path) -> None:
    exported, home = tmp_path / "company.decks", tmp_path / "home.sqlite"
    run(place, "deck", "export", company, "-o", exported)
    run(home, "deck", "import", exported)
    assert stored_facts(home, NAME) == stored_facts(place, NAME)


def test_a_backup_holds_the_campaign(place: str, company: str, tmp_path: Path) -> None:
    copied = tmp_path / "copy.sqlite"
    run(place, "archive", "backup", copied)
    assert stored_facts(copied, company) == stored_facts(place, company)


def test_a_campaign_comes_in_by_its_passport(place: str, company: str, tmp_path: Path) -> None:
    picture, home = tmp_path / "sheet.png", tmp_path / "home.sqlite"
    run(place, "labels", "record", company, "-o", tmp_path / "sheet.pdf", "--preview", picture)
    run(home, "scan", picture, "--adopt")
    there, here = stored_facts(home, NAME), stored_facts(place, NAME)
    assert {key: there[key] for key in ("campaign", "counts", "played", "won")} == {
        key: here[key] for key in ("campaign", "counts", "played", "won")
    }


def test_what_was_sealed_is_no_doubt_for_an_import(place: str, company: str, tmp_path: Path) -> None:
    assert company
    exported = tmp_path / "all.archive"
    run(place, "archive", "export", exported)
    with Archive.open(str(tmp_path / "home.sqlite"), by="test") as home:
        assert find_doubts(home, exported) == ()


def test_a_campaign_is_shown_by_its_titles(place: str, company: str) -> None:
    output = run(place, "deck", "show", company)
    rows = [re.split(r"  +", row) for row in output.splitlines()]
    assert ["The empty harbour", "done"] in rows
    assert ["Lights in the marsh", "open"] in rows
    assert "Unlocked: The lantern, The storm bell" in output
    assert "HARBOUR" not in output


def test_a_seat_is_offered_decks_and_the_table_campaigns(archive: Archive, company: str) -> None:
    assert company
    session = archive_journal.start(archive, logbook.GAME)

    def offered(line: str) -> set[str]:
        return {answer.name.strip('"') for answer in options.options(line, session).answers}

    assert offered("seat ana deck ") == {"Mira", "Odo"}
    assert offered("seat campaign deck ") == {NAME}


def test_the_browser_tells_the_story_of_a_campaign(archive: Archive, company: str) -> None:
    with serving(archive) as host:
        phone = host.phone("Ana")
        page = phone.get(f"/d/{company}").text
        sheet = phone.get(f"/d/{company}/record.pdf")
    words = re.sub(r"<[^>]+>", " ", page)
    for text in (NAME, "The empty harbour", "Lights in the marsh", "The storm bell is unlocked.", "Gold 9"):
        assert text in words
    assert sheet.status == 200
