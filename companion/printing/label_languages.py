"""The languages of labels: that of a run, else that of each deck's owner, else that of the program."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive.people.languages import find_deck_languages
from templates import languages
from templates.languages.messages import Language, current_language, speaking

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow


class LabelLanguages(NamedTuple):
    """The languages of the labels of a run: the one that was `chosen` for all, or those of decks' owners, by deck."""

    chosen: Language | None = None
    by_deck: Mapping[str, Language] = MappingProxyType({})

    def of_deck(self, deck: str = "") -> Language:
        """Return the language of a deck's labels, or of labels without a deck."""
        return self.chosen or self.by_deck.get(deck) or current_language()

    def speak(self, deck: str = "") -> AbstractContextManager[None]:
        """Return a context in which messages are in the language of a deck's labels."""
        return speaking(self.of_deck(deck))

    def tag(self, decks: Iterable[str]) -> str:
        """Return the BCP 47 tag of the language of most of the labels: that of the first deck."""
        return self.of_deck(next(iter(decks), "")).code

    def in_order(self, decks: Iterable[str]) -> tuple[Language, ...]:
        """Return the languages of some decks, each once."""
        return tuple(dict.fromkeys(map(self.of_deck, decks)))


OF_PROGRAM: Final = LabelLanguages()
"""Every label is in the language of the program."""


def find_languages(archive: Archive, rows: Collection[DeckRow], chosen: Language | None = None) -> LabelLanguages:
    """Return the languages of the labels of some decks; `chosen` is the one that was asked for, if there is one.

    A language that the program no longer has does not count.
    """
    if chosen is not None:
        return LabelLanguages(chosen)
    codes = find_deck_languages(archive, rows)
    known_languages = {code: languages.catalogues.find_language(code) for code in {*codes.values()}}
    return LabelLanguages(None, {deck: language for deck, code in codes.items() if (language := known_languages[code])})
