"""What kept rehearsals foretell, beside what really happened."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.cli.main import main
from companion.rehearsal.forecast import forecasts


def run_command(place: str, *words: str) -> Result:
    result = CliRunner().invoke(main, [*words, "--archive", place])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.slow
def test_statistics_tell_what_kept_rehearsals_foretell(tmp_path: Path) -> None:
    place = str(tmp_path / "archive.sqlite")
    words = ("rehearse", "decknforge", "--games", "6", "--jobs", "1", "--wizards", "greedy", "--json")
    whole = json.loads(run_command(place, *words, "--rule", "pressure=3", "--against", "default").stdout)
    run_command(place, *words, "--players", "2", "--seed", "2")
    run_command(place, *words, "--players", "2", "--seed", "3")
    with Archive.open(place) as archive:
        some = forecasts(archive)
        assert forecasts(archive, "solforge") == ()
    # The newer of two that rehearsed the same, and both sides of a comparison.
    assert [(each.setting.players, each.setting.rules) for each in some] == [
        (2, ()),
        (3, (("pressure", "3"),)),
        (3, ()),
    ]
    assert [each.estimate.value for each in some[1:]] == [
        whole["figures"]["win"]["value"],
        whole["figures"]["win"]["against"]["value"],
    ]
    text = run_command(place, "stats").stdout
    assert "What rehearsals predict" in text
    assert "DecknForge, 3 players (greedy), pressure=3: Dungeons won" in text
    plain = json.loads(run_command(place, "stats", "--json").stdout)["rehearsed"]
    assert [(each["figure"], each["units"]) for each in plain] == [("win", 6)] * 3


def test_without_rehearsals_nothing_is_foretold(tmp_path: Path) -> None:
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place) as archive:
        assert forecasts(archive) == ()
    assert "foretell" not in run_command(place, "stats").stdout
