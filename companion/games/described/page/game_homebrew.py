"""The page of a described game as its homebrew: its permanent numbers, and its changes between editions."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.described.page.description import Description
from companion.games.described.page.editions import describe_changes
from companion.games.described.page.numbers import permanent_numbers
from companion.tabletop.homebrew import GameHomebrew
from templates.languages.messages import Text


class PageHomebrew(GameHomebrew):
    """The page of a described game."""

    def __init__(self, description: Description) -> None:
        self.description = description

    @property
    def permanent_numbers(self) -> Mapping[str, str]:
        """The names of the page's inscriptions by their permanent numbers."""
        return permanent_numbers(self.description)

    def changes_since(self, earlier: GameHomebrew) -> tuple[Text, ...]:
        """Return the changes of the page since an earlier edition."""
        return describe_changes(earlier.description, self.description) if isinstance(earlier, PageHomebrew) else ()
