"""The homebrew of DecknForge: what its text changes in the book, for users and for the archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.homebrew import (
    Homebrew,
    book_of,
    homebrew_warnings,
    places_of_labels,
    read_homebrew,
    read_kept_homebrew,
)
from companion.games.decknforge.book.homebrew_changes import describe_changes
from companion.tabletop.homebrew import GameHomebrew
from templates.languages.messages import Text


class BandHomebrew(GameHomebrew):
    """A campaign's own inscriptions and labels; without a text, the printed book."""

    def __init__(self, book: EffectBook, text: Homebrew | None) -> None:
        self.book = book
        self.text = text

    @classmethod
    def read(cls, text: str, *, kept: bool) -> tuple[Homebrew, EffectBook]:
        """Return a homebrew and its book; with `kept`, unreadable parts are ignored. Raises PageError."""
        homebrew = read_kept_homebrew(text) if kept else read_homebrew(text)
        return homebrew, book_of(homebrew)

    @property
    def permanent_numbers(self) -> Mapping[str, str]:
        """The meanings of its numbers."""
        return self.text.permanent if self.text else {}

    def changes_since(self, earlier: GameHomebrew) -> tuple[Text, ...]:
        """Return the changes of the book against an earlier edition, or the rulebook."""
        return tuple(describe_changes(earlier.book, self.book)) if isinstance(earlier, BandHomebrew) else ()

    @property
    def doubts(self) -> Sequence[tuple[str, Text]]:
        """Warnings: what can be played but is probably a mistake."""
        return tuple(homebrew_warnings(self.text)) if self.text else ()

    @property
    def label_texts(self) -> Mapping[str, str]:
        """Keys of the texts on labels, by the labels' titles."""
        return places_of_labels(self.text) if self.text else {}
