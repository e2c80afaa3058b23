"""The stored decks of a game: the forms that found and adopt them, their stories, portraits and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.tabletop.action import Action, DeckId
from companion.tabletop.decks.decklist import DeckCard, DeckListRules
from companion.tabletop.decks.form import Form
from companion.tabletop.decks.keeping import Keeping
from companion.tabletop.decks.portrait import Portrait
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.records import DeckFigure, Mark, Record, describe_general
from companion.tabletop.table.table import Draft, Prompt
from templates.languages.messages import Text


class GameDecks:
    """The stored decks of a game. This class is for games without any; every method is pure."""

    @property
    def keeping(self) -> Keeping | None:
        """The rules for keeping decks; None if a game leaves nothing behind."""
        return None

    @property
    def founding(self) -> Form | None:
        """The form for founding a deck; None if decks are not founded."""
        return None

    @property
    def adopting(self) -> Form | None:
        """The form for taking in a deck that existed on paper; None if that is impossible."""
        return None

    @property
    def deck_list(self) -> DeckListRules | None:
        """The checks of deck lists; None if decks have no lists."""
        return None

    @property
    def list_parts(self) -> tuple[str, ...]:
        """The parts of a deck that is built from a list, the deck itself first; () if decks have no lists."""
        return ()

    @property
    def table_seat(self) -> str:
        """The word in place of a seat for a record that the whole table brings; "" if the game has no such records."""
        return ""

    def is_of_table(self, figures: Sequence[DeckFigure]) -> bool:  # noqa: ARG002 – used by overrides
        """Return True if these are the figures of a record that the whole table brings."""
        return False

    def adoptions(self, state: Any) -> tuple[Prompt, ...]:  # noqa: ARG002 – used by overrides
        """Return prompts that offer to store what a seal would not keep of a loose deck.

        Each lacks the deck that `adoption` describes.
        """
        return ()

    def adoption(self, state: Any, draft: Draft) -> Form | None:  # noqa: ARG002 – used by overrides
        """Return the form for the stored deck that a draft lacks, filled from what the table knows of the loose one.

        None if a draft lacks no deck.
        """
        return None

    def adoption_line(self, draft: Draft, deck: DeckId, name: str) -> Action:  # noqa: ARG002 – used by overrides
        """Return the line that turns a loose deck into a stored one with this id and name, from its draft."""
        return draft.having(draft.missing[0].field, deck).build()

    def taker(self, state: Any, seat: str) -> str:  # noqa: ARG002 – used by overrides
        """Return the seat of the player who took the deck that a seat brought; "" if no player has."""
        return ""

    def stale_marks(
        self,
        records: Mapping[DeckId, tuple[Mark, ...]],  # noqa: ARG002 – used by overrides
        marks: Mapping[DeckId, Sequence[Mark]],  # noqa: ARG002
    ) -> tuple[StaleMark, ...]:
        """Return the marks of a sealed game that are no longer true, given the marks in the records of its decks."""
        return ()

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait | None:  # noqa: ARG002
        """Return the portrait of a deck for its page; None if the fields of its record are all there is."""
        return None

    def list_portrait(
        self,
        cards: Sequence[DeckCard],  # noqa: ARG002 – used by overrides
        against: Sequence[DeckCard] | None = None,  # noqa: ARG002
    ) -> Portrait:
        """Return the portrait of a deck list; with `against`, each card has the difference in copies to that list."""
        return Portrait()

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:  # noqa: ARG002 – used by overrides
        """Return the figures of a deck in lists, besides its name and holder; the name of a figure never changes."""
        return ()

    def story(self, marks: tuple[Mark, ...]) -> tuple[Text, ...]:
        """Return one sentence for each mark, oldest first; at the least, the word under which the mark is stored."""
        return tuple(describe_general(mark) or f"{str(mark.__struct_config__.tag).capitalize()}." for mark in marks)
