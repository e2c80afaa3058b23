"""Every `.table` file under tests/tables/described is played: a game of each ready page, and each key of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session.replay import Replay
from tests.games.described import pages

READY = sorted(pages.TABLES.glob("*.table"))
KEYS = sorted((pages.TABLES / "keys").glob("*.table"))


def _failures(path: Path) -> list[str]:
    events = list(Replay(path.read_text(encoding="utf-8")))
    return [f"line {line.number}: {line.text}: {line.failure}" for line in events if line.failure]


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_a_ready_game_plays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    pages.ready(next(line.split()[1] for line in text.splitlines() if line.startswith("table ")))
    assert _failures(path) == []


@pytest.mark.parametrize("path", KEYS, ids=lambda path: path.stem)
def test_a_key_of_a_page_does_what_it_says(path: Path) -> None:
    pages.load(path.with_suffix(".toml"))
    assert _failures(path) == []


def test_every_ready_game_has_a_table() -> None:
    assert {path.stem for path in READY} >= set(pages.NAMES)
