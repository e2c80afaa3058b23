"""Files of decks that the host uploads: what the import of each deck would do, and the decisions on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast, get_args

from companion.archive import Archive, ArchiveError
from companion.archive.errors import NameTaken
from companion.archive.exchange import deck_export, deck_import
from companion.archive.exchange.deck_import import ImportResult, ImportVerdict, Side
from companion.archive.exchange.import_doubts import Doubt, find_doubts
from companion.archive.storage.lookup import StoryLine
from templates.languages.messages import Text, joined, phrase, phrases

_KEEP: Final = "keep-"
"""The beginning of the names of fields that say which history of a deck counts."""
_VERDICTS: Final[Mapping[ImportVerdict, Text]] = {
    ImportVerdict.NEW: phrase("This deck is new."),
    ImportVerdict.UNCHANGED: phrase("It is here already, and the same."),
    ImportVerdict.NEWER: phrase("It went on there; here its history goes on in the same way."),
    ImportVerdict.OLDER: phrase("The file has an earlier state than there is here; nothing changes."),
    ImportVerdict.DIVERGED: phrase("It went on here and in the file. Which of the two counts?"),
    ImportVerdict.REVERSED: phrase("In the other archive it was decided later, and differently, what counts."),
}


class ShownDeck(NamedTuple):
    """A deck of a file: what its import would do, and what each side of its history has that the other lacks."""

    deck: str
    name: str
    text: Text
    sides: tuple[tuple[Text, Sequence[StoryLine]], ...]
    is_diverged: bool
    is_reversed: bool


class DeckPreview(NamedTuple):
    """The effects that the import of a file of decks would have."""

    decks: tuple[ShownDeck, ...]
    doubts: tuple[Doubt, ...]
    has_new: bool

    @property
    def is_refused(self) -> bool:
        """True if a name of a deck is in use here, so that nothing can be taken in."""
        return any(doubt.name_taken for doubt in self.doubts)


def preview_decks(archive: Archive, path: Path) -> DeckPreview:
    """Return what the import of a file of decks would do. Raises ArchiveError, OSError."""
    results = deck_import.preview_import(archive, deck_export.read_stories(path))
    nothing = (ImportVerdict.UNCHANGED, ImportVerdict.OLDER)
    return DeckPreview(
        tuple(map(_show_deck, results)),
        find_doubts(archive, path),
        any(result.verdict not in nothing for result in results),
    )


def _show_deck(result: ImportResult) -> ShownDeck:
    return ShownDeck(
        result.deck,
        result.name,
        _VERDICTS[result.verdict],
        tuple(_list_sides(result)),
        result.verdict is ImportVerdict.DIVERGED,
        result.verdict is ImportVerdict.REVERSED,
    )


def _list_sides(result: ImportResult) -> Iterator[tuple[Text, Sequence[StoryLine]]]:
    """Yield the lines of each side under a heading, unless it has none."""
    is_diverged = result.verdict is ImportVerdict.DIVERGED
    mine, theirs = (
        (
            phrase("Here, from entry {fork} on:", fork=result.fork),
            phrase("In the file, from entry {fork} on:", fork=result.fork),
        )
        if is_diverged
        else (phrase("What would not count here any more:"), phrase("What would count here again:"))
    )
    if result.mine:
        yield mine, result.mine
    if result.theirs:
        yield theirs, result.theirs


def take_decks(archive: Archive, path: Path, fields: Sequence[tuple[str, str]]) -> Text:
    """Import a file of decks as the fields of its form decide, and return a sentence about it.

    Raises ArchiveError, OSError.
    """
    keep = {
        name.removeprefix(_KEEP): cast("Side", value)
        for name, value in fields
        if name.startswith(_KEEP) and value in get_args(Side)
    }
    reverse = {value for name, value in fields if name == "reverse"}
    stories = deck_export.read_stories(path)
    try:
        results = deck_import.import_decks(archive, stories, keep, reverse=reverse, file=path.name)
    except NameTaken as error:
        raise ArchiveError(
            phrase(
                "Another deck here has the name of one in the file. Nothing was taken in: give one of the two another "
                "name, and send the file again."
            ),
            "decks",
        ) from error
    return _describe(results)


def _describe(results: Sequence[ImportResult]) -> Text:
    taken = sum(result.taken for result in results)
    open_ones = (ImportVerdict.DIVERGED, ImportVerdict.REVERSED)
    waiting = sum(result.verdict in open_ones and not result.taken for result in results)
    sentences: list[Text] = [
        phrases("{n} deck was taken in.", "{n} decks were taken in.", n=taken)
        if taken
        else phrase("No deck was taken in.")
    ]
    if waiting:
        sentences.append(
            phrases(
                "{n} deck stays as it is here; send the file again to decide otherwise.",
                "{n} decks stay as they are here; send the file again to decide otherwise.",
                n=waiting,
            )
        )
    return joined(" ", sentences)
