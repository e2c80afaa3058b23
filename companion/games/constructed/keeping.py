"""Constructed decks on a shelf: their answers to what any kept deck is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.action import RuleError
from companion.games.constructed import box, passport
from companion.games.constructed import marks as m
from companion.games.constructed.form import DeckLists
from companion.games.constructed.record import record, versions
from companion.games.form import refuse_errors
from companion.games.keeping import Keeping, ListVersion, Rebuilt
from companion.games.reasons import Said
from companion.games.records import Chore, Corrected, Mark, check_correctable
from companion.games.spots import Spots


class ConstructedKeeping(Keeping):
    """See `companion.games.keeping.Keeping`; `lists` are those of the game whose decks these are."""

    example = "main Ash Wolf: 4"

    def __init__(self, lists: DeckLists) -> None:
        self._lists = lists
        self.game = lists.game

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """What comes into the box, what goes out of it, and what is to be written on it."""
        return box.paper_state(marks).due

    def chore_text(self, spot: str, value: str, mark: Mark) -> str:
        """`Have 4 × Ash Wolf in main`"""
        return box.BOX.text(spot, value, mark)

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """The box, then its cards in the order of the list."""
        return box.sheet(marks)

    def question(self, spot: str, text: str) -> str:
        """`main Ash Wolf: 4?`"""
        return box.question(spot, text)

    def read_spot(self, text: str) -> str:
        """`Main Ash Wolf` → `main Ash Wolf`"""
        return box.read_spot(text)

    def mended(self, marks: Sequence[Mark], seen: Spots, reason: Said, by: str = "") -> tuple[Mark, ...]:
        """Other cards than listed are another version."""
        return box.mended(marks, seen, reason, by)

    def corrected(self, marks: Sequence[Mark], of: int, reason: Said, by: str = "") -> Corrected:
        """Any mark but the first."""
        check_correctable(marks, of)
        why = reason.strip() if isinstance(reason, str) else reason
        if not why:
            raise RuleError("A correction needs a reason, for those who read the story later.")
        correction = m.ConstructedCorrected(of, why, by)
        box.check_correction(marks, correction)
        return correction

    def renamed(self, marks: Sequence[Mark], name: str, reason: Said, by: str = "") -> Mark:  # noqa: ARG002
        """The deck with another name."""
        return box.renamed(name, reason, by)

    def retired(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """The deck is not played any more; it leaves nothing."""
        deck = record(self.game, marks)
        if deck.retired:
            raise RuleError(f"{deck.name} has retired already.")
        if heirloom:
            raise RuleError(f"{deck.name} leaves no heirloom; its cards stay where they are.")
        return m.Retired(by)

    def rebuilt(self, marks: Sequence[Mark], text: str, reason: Said, by: str = "") -> Rebuilt:
        """The deck with another list, its next version. Raises RuleError where that is the list which it has."""
        deck, found = record(self.game, marks), self._lists.read(text)
        warnings = refuse_errors(found.findings)
        if deck.cards == found.cards:
            raise RuleError(f"{deck.name} has exactly this list already, as version {deck.version}.")
        return Rebuilt(m.Rebuilt(found.cards, reason, by), warnings)

    def lists(self, marks: Sequence[Mark]) -> tuple[ListVersion, ...]:
        """All versions."""
        return versions(marks)

    def packed(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """For a passport."""
        return passport.packed(record(self.game, marks))

    def unpacked(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """From a passport."""
        return passport.unpacked(content, story, length, by)
