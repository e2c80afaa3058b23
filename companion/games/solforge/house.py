"""House rules: the switches of §4.2 and the start health of R4.24, chosen at set-up and kept in the session."""

from __future__ import annotations

from typing import Final, Literal

from companion.games.house import HouseRules

START_HEALTH: Final = 120
"""R4.1."""
DECK: Final = 30
"""R4.1."""
OVERDRAFT: Final = 60
"""A4.12: cards of an overdraft deck."""


class House(HouseRules, frozen=True):
    """The rules in force. Every default is the default ruling."""

    poison_vs_armor: Literal["reset-first", "reset-last"] = "reset-first"
    """Whether Armor is whole again before Poison or after it (A4.1)."""
    rank_up_draw: Literal["after-shuffle", "before-shuffle"] = "after-shuffle"
    """Whether the new hand is drawn after the Rank Up's shuffle or before it (A4.2)."""
    bt_armor: Literal["subtract", "ignore"] = "subtract"
    """Whether Armor lessens what breaks through (A4.3)."""
    rank_gate: Literal["off", "on"] = "off"
    """Whether cards of a level above the rank stay in the discard pile (A4.5)."""
    tie: Literal["draw", "sudden-death"] = "draw"
    """What equal health at 0 or below is (A4.7)."""
    format: Literal["constructed", "draft", "scramble", "overdraft"] = "constructed"
    """What the decks were built for (A4.12)."""
    start_health: int = START_HEALTH
    """Health at the start; more is the format Big Health (R4.24)."""

    @property
    def deck(self) -> int:
        """Cards of a deck, Solbind's not counted."""
        return OVERDRAFT if self.format == "overdraft" else DECK
