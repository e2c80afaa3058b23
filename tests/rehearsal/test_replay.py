"""Rehearsed dungeons as `.table` files: `companion replay` leads to the table that was rehearsed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.games.decknforge.game import GAME
from tests.games.decknforge.rehearsed import a_campaign, a_setting, text_of


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_replay_leads_to_the_tables_of_a_campaign(tmp_path: Path, seed: int) -> None:
    for number, dungeon in enumerate(a_campaign(a_setting(seed, seed + 1, evenings=4), seed).play(keep_lines=True)):
        file = tmp_path / f"{number}.table"
        file.write_text(text_of(dungeon), encoding="utf-8")
        result = CliRunner().invoke(main, ["replay", str(file), "--json"])
        assert result.exit_code == 0, result.output
        plain = json.loads(result.stdout)
        assert plain["step"] == "sealed"
        assert plain["lines"] == text_of(dungeon).splitlines()
        tables = {"table": plain["table"], **plain["seats"], **plain["things"]}
        for target, counters in tables.items():
            expected = {one.name: one.value for one in GAME.counters_of(dungeon.table, target) or ()}
            assert counters == json.loads(json.dumps(expected)), target
