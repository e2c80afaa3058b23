"""House rules: the switches of §3.2, chosen at set-up and kept in the session."""

from __future__ import annotations

from typing import Literal

from companion.games.house import HouseRules


class House(HouseRules, frozen=True):
    """The rules in force. Every default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    second_player_draws_turn1: bool = True
    """Whether those who do not begin draw in their own first turn (A3.1)."""
    summoning_sickness: bool = False
    """Whether a creature cannot attack in the turn in which it came (A3.1)."""
    uncrank: Literal["own", "all"] = "own"
    """Whose permanents the Reset uncranks: the turn player's, or everybody's (A3.2)."""
    crank_before_reset: bool = True
    """Whether what the Reset is about to uncrank may be cranked before it (A3.2)."""
    max_hand: int = 7
    """Cards a hand may hold at the end of its own turn (A3.4)."""
    deck_out: Literal["nothing", "lose"] = "nothing"
    """What a draw from an empty archive does (A3.6)."""
    unlimited_engines: bool = False
    """Whether an archive may hold any number of copies of an Engine (A3.8)."""
