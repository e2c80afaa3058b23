"""Every `.table` file under tests/tables/solforge is played: worked examples, rules, rulings, house rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session.core.replay import Replay

TABLES = Path(__file__).parents[2] / "tables" / "solforge"


@pytest.mark.parametrize("path", sorted(TABLES.rglob("*.table")), ids=lambda path: path.stem)
def test_table_plays(path: Path) -> None:
    events = list(Replay(path.read_text(encoding="utf-8")))
    assert [f"line {line.number}: {line.text}: {line.failure}" for line in events if line.failure] == []
