"""The evenings of DecknForge: a dungeon's facts, its tallies, its summaries, and the playtest watchlist."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.decknforge.decks import evening as facts
from companion.games.decknforge.decks import record, refresh
from companion.games.decknforge.decks.evening import BOSS, INSCRIPTION, Dungeon
from companion.games.decknforge.decks.marks import DungeonPlayed
from companion.games.decknforge.table import chronicle, evening_card, watchlist
from companion.tabletop.action import DeckId
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.evening import ChapterText, EveningCard, NameOf
from companion.tabletop.evenings import GameEvenings, PlayedAction, Review
from companion.tabletop.records import Mark
from companion.tabletop.table.match_result import MatchResult, Tally, TallyKind


class DungeonEvenings(GameEvenings):
    """An evening is one dungeon."""

    @property
    def tally_kinds(self) -> tuple[TallyKind, ...]:
        """The kinds of tallies: Bosses and inscriptions."""
        return BOSS, INSCRIPTION

    def evening(self, played: Sequence[PlayedAction]) -> Dungeon | None:
        """Return the dungeon's facts."""
        return chronicle.dungeon(played)

    def without_stale(self, evening: Dungeon, stale: Sequence[StaleMark]) -> Dungeon:
        """Return an evening without the marks that were left out."""
        return refresh.without_stale(evening, stale)

    def tallies(self, evening: Dungeon) -> tuple[Tally, ...]:
        """Return the tallies of a dungeon for statistics."""
        return tuple(facts.tallies(evening))

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:
        """Return the outcome of a dungeon from the mark that it left on a band."""
        return record.played_result(mark, deck)

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:
        """Return a dungeon as a chapter of a band's story."""
        return evening_card.chapter(mark, deck, name_of) if isinstance(mark, DungeonPlayed) else None

    def card(self, evening: Dungeon) -> EveningCard:
        """Return the dungeon on one page."""
        return evening_card.card(evening)

    def review(self, played: Sequence[PlayedAction]) -> Review:
        """Return the playtest watchlist of §8."""
        return watchlist.review(played)
