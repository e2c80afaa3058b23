"""What a rehearsal counts: the catalogue of figures, and the tally that a dungeon keeps while it is played."""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.state import DungeonTable
from companion.tabletop.action import Action
from companion.tabletop.rehearsal import Counts, Figure, Outcome

FIGURES: Final = (
    Figure("win", "Dungeons won", "share", "dungeons", "All six Bosses were killed (R1.17)."),
    Figure("bosses", "Bosses killed", "mean", "Bosses", "How many of the six died."),
)
TABLES: Final[tuple[Figure, ...]] = ()


class Tally:
    """The counts of one dungeon."""

    def __init__(self) -> None:
        self.figures: Counts = {}
        self.tables: dict[str, Counts] = {}

    def add(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:
        """Count what one line did."""

    def outcome(self, end: DungeonTable, lines: tuple[str, ...]) -> Outcome:
        """All of it, once the dungeon is over."""
        self.figures["win"] = (float(end.outcome == "win"), 1)
        self.figures["bosses"] = (len(end.killed_bosses), 1)
        return Outcome(self.figures, self.tables, lines)
