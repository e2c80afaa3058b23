"""Shared parts of the commands of `companion homebrew`."""

from __future__ import annotations

from companion.cli.common import Misused, sanitize
from companion.games import registry
from companion.games.described import load
from templates.languages.messages import phrase


def require_homebrew(text: str, where: str) -> None:
    """Raise Misused if a text does not declare itself a homebrew."""
    if not load.base_of(text):
        raise Misused(
            phrase(
                "{where} is no homebrew: above its first table it names the game that it belongs to, as in homebrew "
                '= "{first_brewable}".',
                where=sanitize(where),
                first_brewable=first_brewable(),
            )
        )


def first_brewable() -> str:
    return registry.GAMES[0]
