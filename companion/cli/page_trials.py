"""Random games of a page, as `companion game check` and `companion game add` play them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from companion.games.described.check import play_random
from companion.games.described.game import DescribedGame
from companion.games.described.page.reading import place_faults, read_description

if TYPE_CHECKING:
    from companion.games.described.page.reading import LineFault

GAMES: Final = 200
"""The usual number of random games."""
_SECONDS: Final = 20
"""Seconds for the random games of a page; the game that is being played then is the last."""


def faults_in_play(text: str, games: int = GAMES) -> list[LineFault]:
    """Return the faults that random games of a page find, by line. Raises PageError if the page cannot be read."""
    game = DescribedGame(read_description(text))
    until = time.monotonic() + _SECONDS
    findings = play_random(game, games, goes_on=lambda: time.monotonic() < until) if games else ()
    return place_faults(text, findings)
