"""What programs read is the same, byte by byte, in all languages."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.archive import Archive
from companion.cli.main import main
from companion.league import season
from tests.session.campaign import play_campaign

EXPORTS = (
    ("stats", "--json"),
    ("people", "list", "--json"),
    ("deck", "list", "--json"),
    ("deck", "show", "Grave Choir", "--json"),
    ("league", "standings", "Winter", "--json"),
    ("league", "standings", "Winter", "--csv"),
    ("league", "pairings", "Winter", "--csv"),
    ("session", "list", "--json"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An archive with two evenings and a league."""
    place = str(tmp_path_factory.mktemp("exports") / "archive.sqlite")
    with Archive.open(place, by="tests") as archive:
        play_campaign(archive, 2)
        played = season.create(archive, "Winter", ["Ana", "Ben", "Cy"], season.LeagueSettings(seed=2))
        season.drop(archive, season.draw_next(archive, played, 1), "Cy")
    return place


@pytest.mark.slow
@pytest.mark.parametrize("arguments", EXPORTS, ids=" ".join)
def test_exports_are_the_same_in_all_languages(place: str, arguments: Sequence[str]) -> None:
    outputs = []
    for language in ("en", "de", "en-XA"):
        result = CliRunner().invoke(main, ["--archive", place, *arguments, "--language", language])
        assert result.exit_code == 0, result.output
        outputs.append(result.stdout_bytes)
    assert outputs[1:] == outputs[:1] * 2


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["json", "csv"])
def test_figures_of_rehearsals_are_the_same_in_all_languages(tmp_path: Path, ending: str) -> None:
    files = []
    for language in ("en", "de"):
        file = tmp_path / f"{language}.{ending}"
        arguments = ["rehearse", "decknforge", "--games", "2", "--jobs", "1", "-o", str(file), "--language", language]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        files.append(file.read_bytes())
    assert files[0] == files[1]
