"""The evenings of a described game, by the kind of decks on its page: none, inscribed, or lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from companion.games.described.decks import evening as facts
from companion.games.described.page.book import DescribedBook
from companion.games.described.page.description import SEAT, Description
from companion.games.described.page.texts import PageTexts, several
from companion.games.described.records import GameEvening
from companion.tabletop.action import DeckId
from companion.tabletop.constructed.evenings import ConstructedEvenings
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.evening import ChapterText, EveningCard, NameOf
from companion.tabletop.evenings import GameEvenings, PlayedAction
from companion.tabletop.records import Mark
from companion.tabletop.table.display import Display
from companion.tabletop.table.match_result import MatchResult, Tally, TallyKind
from templates.languages.messages import Finished


class PageEvenings(GameEvenings):
    """The evenings of a described game without decks."""

    def __init__(self, description: Description, texts: PageTexts, display: Display[Any, Any]) -> None:
        self.description = description
        self.texts = texts
        self.display = display

    def evening(self, played: Sequence[PlayedAction]) -> GameEvening | None:
        """Return the facts of the evening."""
        return facts.evening_of(played, self.description, self.display)

    def card(self, evening: Any) -> EveningCard | None:
        """Return the summary of the evening on one page."""
        return facts.card(self.description, self.texts, evening) if isinstance(evening, GameEvening) else None


class InscribedEvenings(PageEvenings):
    """The evenings of a game whose decks have permanent inscriptions."""

    @cached_property
    def tally_kinds(self) -> tuple[TallyKind, ...]:
        """The tally kind of inscriptions, titled as on the page."""
        called = DescribedBook(self.description, self.texts).inscription_word
        one, many = (Finished(word, begins=True, ends=False) for word in (called, several(called)))
        return (TallyKind(facts.INSCRIPTION, one, many),)

    def without_stale(self, evening: Any, stale: Sequence[StaleMark]) -> Any:
        """Return an evening without the marks that no longer apply, because a card was changed meanwhile."""
        return facts.without_stale(evening, stale) if isinstance(evening, GameEvening) else evening

    def tallies(self, evening: Any) -> tuple[Tally, ...]:
        """Return the tallies of the inscriptions on the decks."""
        return tuple(facts.tallies(evening)) if isinstance(evening, GameEvening) else ()

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:
        """Return the result of a game from its mark on a deck."""
        return facts.played_result(mark, deck)

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:
        """Return the chapter of a game in a deck's story."""
        return facts.chapter(mark, self.texts, deck, name_of)


def evenings_of(page: Description, texts: PageTexts, display: Display[Any, Any]) -> GameEvenings:
    """Return the evenings for the page's kind of decks."""
    if page.keeps_records:
        return InscribedEvenings(page, texts, display)
    return _match_evenings(page, display) if page.decks else PageEvenings(page, texts, display)


def _match_evenings(page: Description, display: Display[Any, Any]) -> ConstructedEvenings:
    """Return the evenings of duels, told turn by turn if players lose when their main figure falls to its limit."""
    main = next((counter for counter in page.counters.values() if counter.of == SEAT), None)
    has_life = main is not None and main.out.strip().startswith("<")
    return ConstructedEvenings(page.title, page.credit, display, lambda _: (), has_life=has_life)
