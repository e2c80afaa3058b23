"""Duels of which only the figures are tracked: a turn is a whole, and nobody walks through its phases."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from companion.tabletop.display import P, S
from companion.tabletop.table import RoundStep
from companion.tabletop.tracking import TrackedDisplay, TrackingRules, tracking

WHOLE_TURN: Final = "turn"
"""The phase of a turn through whose phases nobody walks: all that belongs to any of them fits."""


class DuelRules(TrackingRules, frozen=True):
    """What people may agree on in every game with constructed decks."""

    track: Annotated[
        Literal["all", "figures"],
        tracking(
            "Everything is tracked; or the figures alone, without hands, piles, phases. It may change during a game.",
            "hands, decks and each phase too",
            "figures",
            "the figures; hands, decks and phases are left to the real cards",
            "the figures, no hands, no phases",
        ),
    ] = "all"


class DuelDisplay(TrackedDisplay[S, P]):
    """What such a game shows: without the figures and the phases that nobody tracks."""

    def steps_of(self, state: Any) -> tuple[RoundStep, ...]:
        """None where nobody walks through them."""
        return self.steps if state.tracks_all else ()
