"""What is rehearsed, and what came of one game of it."""

from __future__ import annotations

import msgspec

SEATS = ("ana", "ben", "cy", "dee", "eve")
"""Whoever sits at a rehearsed table, clockwise."""


class Setting(msgspec.Struct, frozen=True):
    """A game with its house rules (`key, value` as the notation writes them) and who plays it.

    `temperaments` are those of the seats, clockwise; where they are fewer, they come again.
    """

    game: str = "decknforge"
    players: int = 3
    rules: tuple[tuple[str, str], ...] = ()
    temperaments: tuple[str, ...] = ("random",)


class Outcome(msgspec.Struct, frozen=True):
    """What came of one game: by a figure's key, what was counted, and of how many it is a share or a mean.

    `lines` are the game in the table's notation, where they were asked for.
    """

    figures: dict[str, tuple[float, float]]
    lines: tuple[str, ...] = ()
