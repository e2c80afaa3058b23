"""The purses of a game: the money and the keepsakes that its players bring from game to game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.tabletop.action import Action
from companion.tabletop.records import Keepsake, Payment


class GamePurses:
    """The purses of a game. This class is for games without money; every method is pure."""

    without_decks: bool = False
    """True if people have a purse even without a stored deck, once their identity is known."""

    def setup_lines(
        self,
        seat: str,  # noqa: ARG002 – used by overrides
        purse: int,  # noqa: ARG002
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002
    ) -> tuple[Action, ...]:
        """Return the set-up lines for the purse of a person without a stored deck: its amount and their keepsakes."""
        return ()

    def is_kept(self, state: Any, seat: str) -> bool:  # noqa: ARG002 – used by overrides
        """Return True if changes of a seat's purse in this game are recorded."""
        return self.without_decks

    def payments(self, state: Any) -> tuple[Payment, ...]:  # noqa: ARG002 – used by overrides
        """Return the payments of a sealed game into and out of the purses of its players; empty if it is not sealed."""
        return ()

    def keepsakes(self, state: Any) -> tuple[Keepsake, ...]:  # noqa: ARG002 – used by overrides
        """Return the keepsakes besides money that a sealed game gives or uses up; empty if it is not sealed."""
        return ()
