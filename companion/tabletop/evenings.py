"""The evenings of a game: the facts kept at the seal, and the summaries, tallies and reviews made from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.tabletop.action import Action, DeckId
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.records import Mark
from companion.tabletop.table.match_result import MatchResult, Tally, TallyKind
from templates.languages.messages import Text

if TYPE_CHECKING:
    # The parts of evening cards are loaded on demand: a table does not need them.
    from companion.tabletop.evening import ChapterText, Evening, EveningCard, NameOf


class PlayedAction(NamedTuple):
    """One action that counts, with the table before and after it.

    If later corrections changed these tables, `entered` holds them as they were when it was entered.
    """

    before: Any
    action: Action
    after: Any
    entered: tuple[Any, Any] | None = None

    @property
    def is_absorbed(self) -> bool:
        """Return True if corrections cancelled all that it changed, or if it is such a correction itself."""
        if self.entered is None or self.before != self.after:
            return False
        before, after = self.entered
        return bool(before != after)

    def least_change(self, measure: Callable[[Any, Any], int]) -> int:
        """Return its change by the rules, or the smaller change that corrections left of it.

        `measure` computes the change from the table before and the table after.
        """
        change = measure(self.before, self.after)
        return change if self.entered is None else min(change, measure(*self.entered))


class PlaytestQuestion(msgspec.Struct, frozen=True):
    """A question about the evening. `answer` is yes, no, or "" if nobody answered it and the log cannot.

    `evidence` is what the log says about it, `note` the comment of the players.
    """

    key: str
    text: Text
    answer: str = ""
    evidence: tuple[Text, ...] = ()
    note: str = ""


class Symptom(msgspec.Struct, frozen=True):
    """A problem of the evening, the evidence in the log, and the lever that the rulebook proposes."""

    text: Text
    evidence: Text
    lever: Text


class Review(msgspec.Struct, frozen=True):
    """The review of a whole evening. `headings` and `rows` are a table of its fights (or other units of the game)."""

    questions: tuple[PlaytestQuestion, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    headings: tuple[Text, ...] = ()
    rows: tuple[tuple[Text, ...], ...] = ()


class GameEvenings:
    """The evenings of a game. This class is for games that keep nothing of them; every method is pure."""

    @property
    def tally_kinds(self) -> tuple[TallyKind, ...]:
        """The events that statistics count besides hits and saves; the word of a kind never changes."""
        return ()

    def evening(self, played: Sequence[PlayedAction]) -> Evening | None:  # noqa: ARG002 – used by overrides
        """Return the facts of an evening, from its actions as corrected; None if there are none, or none yet."""
        return None

    def without_stale(self, evening: Any, stale: Sequence[StaleMark]) -> Any:  # noqa: ARG002 – used by overrides
        """Return an evening without any mention of marks that are no longer true."""
        return evening

    def tallies(self, evening: Any) -> tuple[Tally, ...]:  # noqa: ARG002 – used by overrides
        """Return the events of an evening that statistics count."""
        return ()

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:  # noqa: ARG002 – used by overrides
        """Return the result of a game from the mark that it left on a deck; None if the mark holds none.

        This serves games sealed before results were kept with the seal, or before as much was kept as today.
        """
        return None

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:  # noqa: ARG002
        """Return the section of a deck's story for the mark of an evening; None if the mark has no story.

        `name_of` returns the names to use for people in the evening.
        """
        return None

    def card(self, evening: Any) -> EveningCard | None:  # noqa: ARG002 – used by overrides
        """Return an evening on one page."""
        return None

    def review(self, played: Sequence[PlayedAction]) -> Review:  # noqa: ARG002 – used by overrides
        """Return the evidence of an evening about the rules, from its actions as corrected."""
        return Review()
