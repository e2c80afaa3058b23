"""`companion people`, which is also called `companion wizard`: purses, decks held, and who is who."""

import json
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.cli.main import main
from companion.tabletop.records import Payment, Reason
from tests.archive import bands


@pytest.fixture
def place(tmp_path: Path) -> str:
    """An archive in which Ana has a band and a purse, and Ben a purse."""
    place = str(tmp_path / "people.sqlite")
    with Archive.open(place, by="tests") as archive:
        left, brought = Payment("Ana", 7, Reason("budget", ("Grave Choir",))), Payment("Ben", 2, "found in a coat")
        archive.found_deck("decknforge", bands.marks("Grave Choir", "Ana"), [left, brought])
    return place


def _run(place: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--archive", place, *arguments])


def data(place: str, *arguments: str) -> object:
    result = _run(place, *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", ["people", "wizard"])
def test_both_names_list_everybody(place: str, name: str) -> None:
    rows = [line.split() for line in _run(place, name, "list").stdout.splitlines()]
    assert rows[0] == ["NAME", "ID", "PURSE"]
    assert [(row[0], row[2]) for row in rows[1:]] == [("Ana", "7"), ("Ben", "2")]


@pytest.mark.parametrize("name", ["people", "wizard"])
def test_a_person_is_shown_with_decks_and_reasons(place: str, name: str) -> None:
    output = _run(place, name, "show", "ana").stdout
    assert "holds it" in output
    assert "left of the budget of Grave Choir" in output
    assert "found in a coat" in _run(place, name, "show", "Ben").stdout


def test_programs_get_what_they_got_before_and_the_id(place: str) -> None:
    old_data = data(place, "wizard", "show", "Ana")
    assert isinstance(old_data, dict)
    assert {"name", "purse", "held", "ledger", "person"} <= old_data.keys()
    assert old_data["ledger"][0].keys() == {"at", "change", "purse", "why", "session"}
    assert old_data["ledger"][0]["why"] == "left of the budget of Grave Choir"
    assert old_data["held"][0]["now"] is True


def test_a_second_ana_is_made_known_renamed_and_merged(place: str) -> None:
    added = data(place, "people", "add", "Ana")
    assert isinstance(added, dict)
    result = _run(place, "people", "show", "Ana")
    assert result.exit_code == 1
    assert "2 people are called “Ana”" in result.stderr
    assert added["person"] in result.stderr
    assert _run(place, "people", "rename", added["person"], "Ana B").exit_code == 0
    refused = _run(place, "people", "rename", "Ben", "Ana")
    assert (refused.exit_code, "Somebody else is called Ana. Are they one person?" in refused.stderr) == (1, True)
    assert "purse 7" in _run(place, "people", "show", "Ana").stdout
    assert "is both of them now; purse 9." in _run(place, "people", "merge", "ben", "ana").stdout
    assert data(place, "people", "show", "Ben") == data(place, "people", "show", "Ana")


def test_nobody_is_a_refusal(place: str) -> None:
    result = _run(place, "people", "show", "Zoe")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Nobody is called “Zoe” here; companion people list shows all.\n"


def test_forgetting_keeps_the_sums_and_says_where_the_name_stays(place: str) -> None:
    refusal = _run(place, "people", "forget", "Ana")
    assert refusal.exit_code == 1
    assert "Drop the name Ana for good? --yes does so." in refusal.stderr
    assert "The record of 1 deck (Grave Choir) still names them; it is never rewritten." in refusal.stderr
    done = _run(place, "people", "forget", "Ana", "--yes")
    assert "is what they are called now; purse 7." in done.stdout
    assert "The record of 1 deck (Grave Choir) still names them" in done.stdout
    assert _run(place, "archive", "check").exit_code == 0


def test_an_alias_is_one_thing_at_a_time(place: str) -> None:
    assert "is called Grey Fox in public." in _run(place, "people", "alias", "Ana", "Grey Fox").stdout
    assert data(place, "people", "alias", "Ana", "--hidden") == {
        "person": people_id(place, "Ana"),
        "name": "Ana",
        "nickname": "",
        "hidden": True,
    }
    assert "is called Ana in public." in _run(place, "people", "alias", "Ana", "--off").stdout
    refusal = _run(place, "people", "alias", "Ana", "Fox", "--hidden")
    assert (refusal.exit_code, refusal.stderr) == (2, "Say one of a nickname, --hidden, or --off.\n")


def people_id(place: str, name: str) -> str:
    rows = data(place, "people", "list")
    assert isinstance(rows, list)
    return next(str(row["person"]) for row in rows if row["name"] == name)


def test_a_language_is_one_of_the_programs(place: str) -> None:
    person = people_id(place, "Ana")
    assert _run(place, "people", "language", "Ana", "de").stdout == (
        f"Labels of decks that Ana ({person}) holds are in Deutsch.\n"
    )
    assert data(place, "people", "language", "Ana", "fr") == {"person": person, "name": "Ana", "language": "fr"}
    assert "Language of the labels: Français" in _run(place, "people", "show", "Ana").stdout
    assert "language of the program." in _run(place, "people", "language", "Ana", "--off").stdout
    for arguments in ((), ("de", "--off")):
        refusal = _run(place, "people", "language", "Ana", *arguments)
        assert (refusal.exit_code, refusal.stderr) == (2, "Say one of a language and --off.\n")
    refusal = _run(place, "people", "language", "Ana", "tlh")
    assert (refusal.exit_code, refusal.stderr) == (1, "There is no language “tlh”; choose en, de, es, fr.\n")


def test_labels_are_printed_in_the_language_of_a_person(place: str, tmp_path: Path) -> None:
    def print_labels(*arguments: str) -> str:
        out = tmp_path / "labels.pdf"
        result = _run(place, "labels", *arguments, "--force", "-o", str(out))
        assert result.exit_code == 0, result.stderr
        with pypdfium2.PdfDocument(out) as document:
            return " ".join(str(page.get_textpage().get_text_range()) for page in document)

    assert "Glory" in print_labels("box", "Grave Choir")
    _run(place, "people", "language", "Ana", "de")
    for arguments in (("box", "Grave Choir"), ("box", "--all")):
        assert "Ruhm" in print_labels(*arguments)
        assert "Glory" in print_labels(*arguments, "--language", "en")
    assert "Monster" in print_labels("record", "Grave Choir")
    assert "Gesegnete Karten" in print_labels("record", "Grave Choir")
