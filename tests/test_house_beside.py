"""A game of another package that is installed beside the companion makes no test fail."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import registry


@pytest.fixture
def installed_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a game that a package on the path brings; its module is there as well."""
    information = tmp_path / "haunted_game-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: haunted-game\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[companion.games]\nhaunted = haunted_game:GAME\n", encoding="utf-8")
    (tmp_path / "haunted_game.py").write_text("from tests.games.miniature import GAME\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    registry._elsewhere.cache_clear()
    yield "haunted"
    registry._elsewhere.cache_clear()


def test_tests_know_the_bundled_games_alone(installed_game: str) -> None:
    assert installed_game not in registry.GAMES
    assert set(registry.GAMES) == {"decknforge", "soulforger", "oddfrontier", "solforge"}


def test_the_companion_itself_would_know_it(installed_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GROUP", "companion.games")
    assert installed_game in registry.GAMES
