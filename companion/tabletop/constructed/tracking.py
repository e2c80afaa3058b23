"""Duels with only their figures tracked: a turn is one step, without phases."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from companion.tabletop.table.display import P, S
from companion.tabletop.table.table import RoundStep
from companion.tabletop.tracking import TrackedDisplay, TrackingRules, tracking

WHOLE_TURN: Final = "turn"
"""The only phase of a turn without phases: the actions of all phases are allowed."""


class DuelRules(TrackingRules, frozen=True):
    """The rules that players may agree on in every game with constructed decks."""

    track: Annotated[
        Literal["all", "figures"],
        tracking(
            "What is tracked: everything, or only the figures, without hands, piles and phases. Can be changed during "
            "a game.",
            "hands, decks and each phase too",
            "figures",
            "the figures; hands, decks and phases are left to the real cards",
            "the figures, no hands, no phases",
        ),
    ] = "all"


class DuelDisplay(TrackedDisplay[S, P]):
    """The display of such a game, without untracked figures and phases."""

    def steps_of(self, state: Any) -> tuple[RoundStep, ...]:
        """Return the phases of a turn; none if they are not tracked."""
        return self.steps if state.tracks_all else ()
