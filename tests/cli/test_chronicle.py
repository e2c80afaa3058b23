"""`companion chronicle`: a campaign's booklet by command."""

import json
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.cli.main import main
from tests.session.campaign import found_bands


@pytest.fixture
def place(tmp_path: Path) -> str:
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place, by="tests") as archive:
        found_bands(archive)
    return place


def run(place: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["chronicle", *arguments, "--archive", place])


def test_a_chronicle_is_written_of_all_decks_or_of_some(place: str, tmp_path: Path) -> None:
    out = tmp_path / "all.pdf"
    result = run(place, "-o", str(out), "--title", "Our road")
    assert (result.exit_code, result.stdout) == (0, f"{out}: the chronicle, 0 evenings.\n")
    with pypdfium2.PdfDocument(out) as document:
        cover = document[0].get_textpage().get_text_range()
    assert "Our road" in cover
    assert "Salt and Iron" in cover
    whole = json.loads(run(place, "grave", "--json").stdout)
    assert [deck["name"] for deck in whole["decks"]] == ["Grave Choir"]
    assert whole["title"] == "Grave Choir"


def test_a_file_that_exists_is_left_alone(place: str, tmp_path: Path) -> None:
    out = tmp_path / "choir.pdf"
    out.write_text("mine", encoding="utf-8")
    result = run(place, "-o", str(out))
    assert result.exit_code == 1
    assert "--force" in result.stderr
    assert out.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ((), 2, "name its file with -o FILE"),
        (("nobody", "-o", "-"), 1, "No deck is called “nobody”"),
        (("--game", "solforge", "-o", "-"), 1, "There is no deck to write about yet"),
        (("grave", "--game", "decknforge", "-o", "-"), 2, "not both"),
        (("--game", "chess", "-o", "-"), 2, "chess"),
        (("-o", "-", "--url", "no address {}"), 2, "address"),
    ],
)
def test_what_cannot_be_told_is_one_sentence(
    place: str, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    result = run(place, *arguments)
    assert (result.exit_code, sentence in result.stderr) == (status, True), result.stderr
    assert len(result.stderr.splitlines()) == 1
