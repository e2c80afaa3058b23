"""Every `.table` file under tests/tables/decknforge is played: worked examples, files for each effect, a dungeon."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session.core.replay import Replay

TABLES = Path(__file__).parents[2] / "tables" / "decknforge"


@pytest.mark.parametrize("path", sorted(TABLES.rglob("*.table")), ids=lambda path: path.stem)
def test_table_plays(path: Path) -> None:
    lines = list(Replay(path.read_text(encoding="utf-8")))
    assert [f"line {line.number}: {line.text}: {line.failure}" for line in lines if line.failure] == []
