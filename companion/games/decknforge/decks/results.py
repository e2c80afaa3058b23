"""The results of dungeons: the bands that went in, and the Bosses that fell."""

from __future__ import annotations

import msgspec

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.decks.record import rounds
from companion.tabletop.results import GameResults
from companion.tabletop.table.match_result import MatchResult


class DungeonResults(GameResults):
    """The results of dungeons."""

    def match_result(self, state: DungeonTable) -> MatchResult | None:
        """Return a result with the bands, the persons who brought them, the rounds, and the Bosses that fell."""
        result = super().match_result(state)
        if result is None:
            return None
        players = (
            msgspec.structs.replace(player, person=state.wizard(player.seat).person, deck=band.deck, called=band.name)
            for player in result.players
            for band in (state.bands[player.seat],)
        )
        figures = {"bosses": len(state.killed_bosses)}
        return msgspec.structs.replace(result, players=tuple(players), turns=rounds(state), figures=figures)
