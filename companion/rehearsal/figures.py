"""What a rehearsal counts: by its key, which stays for ever, what a figure is called and of what it is one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """A figure: a `share` (shown in %), or a `mean`; `about` says what of what."""

    title: str
    kind: Literal["share", "mean"]
    about: str


FIGURES: Final[Mapping[str, Figure]] = MappingProxyType(
    {
        "win": Figure("Dungeons won", "share", "of all dungeons"),
        "bosses": Figure("Bosses killed", "mean", "a dungeon, of six"),
        "rounds": Figure("Rounds", "mean", "a Boss"),
        "deaths": Figure("Wizards killed", "mean", "a dungeon; who falls is back for the next Boss"),
        "hp-left": Figure("HP left", "mean", "of all wizards, as a Boss falls"),
        "overkill": Figure("Overkill", "mean", "a kill, before the cap"),
        "kill-hero": Figure("Kills by a Hero", "share", "of all kills with a card"),
        "kill-spiked": Figure("Kills with a Spike", "share", "of all kills with a card"),
        "kill-taken": Figure("Kills taken", "share", "that another card had made without Tactics"),
        "dodges": Figure("Attacks dodged", "share", "of all attacks that were answered"),
        "spikes": Figure("Spikes", "mean", "a round"),
        "foils": Figure("Foils", "mean", "a round"),
        "snipes": Figure("Snipes", "mean", "a round"),
        "braces": Figure("Braces", "mean", "a round"),
        "converts": Figure("Converts", "mean", "a round"),
        "coppers": Figure("Coppers earned", "mean", "a wizard and dungeon"),
        "coppers-apart": Figure("Coppers apart", "mean", "between who earned most and least"),
        **{f"coppers-{seat}": Figure(f"Coppers, seat {seat}", "mean", "a dungeon") for seat in range(1, 6)},
        **{f"glory-{seat}": Figure(f"Glory, seat {seat}", "mean", "personal, a dungeon") for seat in range(1, 6)},
    }
)
"""Of DecknForge, in the order in which a report has them."""
