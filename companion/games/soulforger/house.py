"""Soul-Forger's house rules: the switches that its rulings name, chosen at set-up and kept in the session."""

from __future__ import annotations

from typing import Literal

from companion.games.house import HouseRules


class House(HouseRules, frozen=True):
    """The rules in force. Every default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    xp_only_side_quest: bool = False
    """Whether a Side Quest may send no card and level up by XP alone (A2.2)."""
    end_level_ups: Literal["repeat", "once"] = "repeat"
    """How often XP buys a level in one End Phase (A2.3)."""
    xp_on_block: bool = False
    """Whether a weapon earns XP also for creatures that it destroys while it does not attack (A2.4)."""
    deck_out: Literal["empty-only", "any-missed-draw"] = "empty-only"
    """Whether only a turn that starts with an empty deck costs damage, or every draw that misses a card (A2.6)."""
    action_zones: int | None = None
    """How many Actions a player can have in zones at once; None for no limit (A2.9)."""
