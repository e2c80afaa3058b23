"""The games that come along with the companion, and no others: tests and documents are about them alone."""

from companion.games import registry


def ignore_installed_games() -> None:
    """From now on this process knows no game of another package, whatever is installed beside the companion."""
    registry.GROUP = "companion.games of no package"  # type: ignore[misc]
    registry._elsewhere.cache_clear()
