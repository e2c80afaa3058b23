"""The pages that tests play: the ready ones, and those beside tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from companion.games import registry
from companion.games.described.game import DescribedGame
from companion.games.described.load import game_from_text

ROOT: Final = Path(__file__).parents[3]
READY: Final = ROOT / "templates" / "games"
TABLES: Final = ROOT / "tests" / "tables" / "described"
NAMES: Final = tuple(sorted(path.stem for path in READY.glob("*.toml")))
"""The ready games."""


@cache
def load(path: Path) -> DescribedGame:
    """The game of a page, known to the registry from now on."""
    game = game_from_text(path.read_text(encoding="utf-8"))
    assert isinstance(game, DescribedGame)
    registry.register(game)
    return game


def ready(name: str) -> DescribedGame:
    """One of the ready games."""
    game = registry.game(name)
    assert isinstance(game, DescribedGame)
    return game
