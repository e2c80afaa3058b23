"""What is unclear about a deck list, and what a user decides about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.tabletop.decks.list_words import fold_heading, load_words
from templates.languages.messages import Text

NOWHERE: Final = "none"
"""The answer for a section that is left out of the deck."""
BELOW: Final = "below"
"""The title of the cards below a blank line, for answers."""


class ListWishes(NamedTuple):
    """What a user has decided about a list: the part of each section by its title, and to leave out unclear lines."""

    parts: Mapping[str, str] = {}
    skips_unread: bool = False

    def part_of(self, title: str) -> str:
        """Return the wished part for a section; "" if nothing is wished."""
        wishes = {_section_key(wish): part for wish, part in self.parts.items()}
        return wishes.get(_section_key(title), "").strip().lower()


NO_WISHES: Final = ListWishes()


def _section_key(title: str) -> str:
    word = fold_heading(title)
    return load_words().section(word) or word


class OpenSection(NamedTuple):
    """A section whose part is unclear, with the number of its cards.

    `title` stands in answers, `name` in sentences.
    """

    title: str
    name: Text
    line: int
    cards: int
