"""The evenings of a game with constructed decks: a match, its summaries, and its tallies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.tabletop.action import DeckId
from companion.tabletop.constructed import chronicle
from companion.tabletop.constructed.evening import Duel
from companion.tabletop.constructed.record import ConstructedPlayed
from companion.tabletop.evening import ChapterText, EveningCard, NameOf
from companion.tabletop.evenings import GameEvenings, PlayedAction
from companion.tabletop.records import Mark
from companion.tabletop.table.display import Display
from companion.tabletop.table.match_result import MatchResult, Tally
from templates.languages.messages import Text


class ConstructedEvenings(GameEvenings):
    """An evening is one match. `attackers` returns the titles of the attackers on a table.

    Without `has_life`, no player loses by a figure that falls to its limit.
    """

    def __init__(
        self,
        title: Text,
        credit: Text,
        display: Display[Any, Any],
        attackers: chronicle.Attackers,
        *,
        has_life: bool = True,
    ) -> None:
        self._title = title
        self._credit = credit
        self._display = display
        self._attackers = attackers
        self._has_life = has_life

    def evening(self, played: Sequence[PlayedAction]) -> Duel | None:
        """Return the facts of the match."""
        return chronicle.duel(played, self._display, self._attackers, has_life=self._has_life)

    def tallies(self, evening: Duel) -> tuple[Tally, ...]:
        """Return the biggest attack."""
        return chronicle.tallies(evening)

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:
        """Return the result of a match, from the mark that it left on a deck."""
        return chronicle.played_result(mark, deck) if isinstance(mark, ConstructedPlayed) else None

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:  # noqa: ARG002 – not needed
        """Return a match as a section of a deck's story."""
        return chronicle.chapter(mark, name_of) if isinstance(mark, ConstructedPlayed) else None

    def card(self, evening: Duel) -> EveningCard:
        """Return the match on one page."""
        return chronicle.card(self._title, self._credit, evening)
