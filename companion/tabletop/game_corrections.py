"""A game's own rules for corrections: the lines that correct the table, and how far back a correction reaches."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from companion.tabletop.action import Action, Correction
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.table.display import Display


class GameCorrections:
    """The corrections of a game whose own lines correct nothing. Every method is pure.

    `companion.tabletop.corrections` handles figures changed by `set` and `add`. See docs/corrections.md.
    """

    def __init__(self, display: Display[Any, Any]) -> None:
        self._display = display

    def own_correction(self, deed: PlayedAction, previous: Action | None) -> Correction | None:  # noqa: ARG002
        """Return the correction that one of the game's own lines makes after the `previous` one; None if it is play."""
        return None

    def adds_are_play(self, state: Any) -> bool:
        """Return True if players report play by `add`, because nothing else changes the figures."""
        return not state.tracks_all

    def round_key(self, state: Any) -> Hashable:
        """Return a key that tells a round or turn from every other one."""
        return self._display.current_count(state)
