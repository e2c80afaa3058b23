"""`companion session card`: the evening on one page."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from companion.archive import Archive
from companion.cli.main import main
from companion.session.core import archive_journal
from tests.printing.evenings import play

Run = Callable[..., Result]


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def friday(place: str) -> str:
    """A sealed session."""
    with Archive.open(place, by="Ana", create=True) as archive:
        return play(archive)


@pytest.fixture
def run(place: str) -> Run:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["session", "card", *arguments, "--archive", place])

    return run


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize(("end", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("md", b"# All six")])
def test_the_end_of_the_name_says_what_is_written(run: Run, tmp_path: Path, end: str, begins: bytes) -> None:
    out = tmp_path / f"friday.{end}"
    result = run("-o", str(out))
    assert (result.exit_code, out.read_bytes()[: len(begins)]) == (0, begins)
    assert str(out) in result.stdout
    again = run("-o", str(out))
    assert again.exit_code == 1
    assert "--force" in again.stderr
    assert run("-o", str(out), "--force").exit_code == 0


@pytest.mark.usefixtures("friday")
def test_without_a_file_it_is_printed_as_text(run: Run) -> None:
    assert run().stdout.startswith("# All six Bosses fell\n")
    assert run("-o", "-").stdout == run().stdout


@pytest.mark.usefixtures("friday")
def test_a_picture_goes_into_a_pipe_alone(run: Run) -> None:
    result = run("--format", "png", "-o", "-")
    with Image.open(BytesIO(result.stdout_bytes)) as picture:
        assert picture.format == "PNG"
    assert result.stderr == "standard output: the evening as a picture.\n"


def test_programs_get_the_facts_and_the_card(run: Run, friday: str) -> None:
    facts = json.loads(run(friday, "--json").stdout)
    assert (facts["session"], facts["game"], facts["card"]["headline"]) == (friday, "decknforge", "All six Bosses fell")
    assert facts["evening"]["fights"][0]["killer"] == "ben"


@pytest.mark.usefixtures("friday")
def test_another_end_is_no_card(run: Run) -> None:
    result = run("-o", "friday.docx")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("A card is a .png, a .pdf or a .md; “friday.docx” ends in none of these.")


def test_a_table_that_has_not_begun_has_no_card(run: Run, place: str) -> None:
    with Archive.open(place, create=True) as archive:
        archive_journal.start(archive, "solforge").enter("seat ana")
    result = run()
    assert (result.exit_code, result.stdout) == (1, "")
    assert "its card begins with the first fight or turn" in result.stderr


def test_a_game_that_is_not_over_says_so(run: Run, place: str) -> None:
    with Archive.open(place, create=True) as archive:
        session = archive_journal.start(archive, "solforge")
        for line in ("seat ana", "seat ben", "begin seed 1", "damage ben 3"):
            session.enter(line)
    assert run().stdout.startswith("# Not over after 1 turn\n")
