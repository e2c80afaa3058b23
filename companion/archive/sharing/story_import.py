"""Import of the stories of another device: each is compared with ours, and taken, joined, or left to wait.

Nothing that is here is overwritten. Stories of decks are joined by the rules of `deck_import`; the user decides what
they leave open. Sessions that went on in two places become two tables. All other streams are merged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from companion.archive import page_texts
from companion.archive.archive import Archive
from companion.archive.errors import NameTaken
from companion.archive.exchange import deck_export, deck_import
from companion.archive.exchange.deck_import import ImportResult, ImportVerdict, Side
from companion.archive.exchange.export_format import NONSENSE
from companion.archive.people import forgetting
from companion.archive.sharing import branches, merging
from companion.archive.storage import lists, results
from companion.archive.storage.entries import Entry, PersonMerged, draft
from companion.archive.storage.lists import deck_stream, person_stream
from companion.archive.storage.lookup import check_name, find_taken_name
from companion.archive.storage.rows import DeckRow, PageRow, PersonRow, PlayRow, Row
from companion.archive.storage.transaction import Transaction
from companion.games.described import load
from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes

_ON_THE_DESK: Final = ("printer", "sheet")
"""Kinds of streams about things that lie beside one device; those of another device may have the same name."""
NO_SENSE: Final = (*NONSENSE, NotationError, ArithmeticError, AssertionError)
"""Errors that the stories of another device can cause; each means that they make no sense."""


class UnwritableStory(Exception):
    """A story that made sense, but that the archive cannot hold. It may be half written: the transaction must end."""


class Waiting(StrEnum):
    """The reasons why a story of another device is not here yet."""

    DIVERGED = "diverged"
    """A deck's story went on here as well, and the user decides which one counts."""
    REVERSED = "reversed"
    """It would undo a decision that was made here, and the user agrees to that, or not."""
    NAME = "name"
    """Another deck, or another game, has its name here."""
    PARTS = "parts"
    """Parts of it have not arrived."""
    NONSENSE = "nonsense"
    """It makes no sense to this companion; a newer one may have written it."""


class HeldStory(NamedTuple):
    """A story that was not imported: what it waits for, and the name of its deck or game, "" if that is not known."""

    reason: Waiting
    title: str = ""


class Decisions(NamedTuple):
    """Decisions of the user about stories that wait: the side that counts, and whether decisions may be undone.

    `decks` are the ids of the decks that it is about; None for all. `writer` is the export that it is about; "" for
    those of all devices.
    """

    keep: Side | None = None
    reverse: bool = False
    decks: Collection[str] | None = None
    writer: str = ""

    def is_about(self, deck: str) -> bool:
        """Return True if the decision is about a deck."""
        return self.decks is None or deck in self.decks

    def of_writer(self, writer: str) -> Decisions:
        """Return what is decided about the stories of an export."""
        return self if self.writer in ("", writer) else UNDECIDED


UNDECIDED: Final = Decisions()


def compare_deck(transaction: Transaction, theirs: Sequence[Entry]) -> ImportResult:
    """Compare a whole story of a deck, as another device has it, to ours. Raises NO_SENSE."""
    stream = theirs[0].stream
    deck = stream.partition(":")[2]
    row = _deck_row(transaction, deck, tuple(theirs))
    return deck_import.compare(
        transaction.read(stream), deck_export.DeckStory(deck, row.name, tuple(theirs), row)
    ).result


def _deck_row(transaction: Transaction, deck: str, entries: tuple[Entry, ...]) -> DeckRow:
    """Return the row of a deck after replaying its story. Raises ArchiveError if that makes no sense."""
    page = lists.page_of(entries)
    if page and not load.text_of(page) and not page_texts.read_text(transaction, page):
        return lists.deck_row_without_page(deck, entries)
    return deck_export.check_story(in_quotes(deck), deck, entries)


class StoryImport:
    """An import of stories in an open transaction; a trial only counts what it would write."""

    def __init__(
        self, transaction: Transaction, archive: Archive, decisions: Decisions = UNDECIDED, *, is_trial: bool = False
    ) -> None:
        self._transaction, self._archive, self._decisions = transaction, archive, decisions
        self._is_trial = is_trial
        self._sessions: set[str] = set()
        self._title = ""
        self.entries = 0
        """The number of entries that were written."""

    def take(self, theirs: Sequence[Entry]) -> HeldStory | None:
        """Import a whole story, or leave all as it is and return what it waits for. Raises UnwritableStory."""
        self._title = ""
        try:
            waiting = self._take(theirs)
        except NameTaken:
            waiting = Waiting.NAME
        except NO_SENSE:
            waiting = Waiting.NONSENSE
        return HeldStory(waiting, self._title) if waiting else None

    def _take(self, theirs: Sequence[Entry]) -> Waiting | None:
        kind, _, key = theirs[0].stream.partition(":")
        match kind:
            case "session":
                here, after = branches.find_place(self._transaction, theirs)
                self._write(here, after)
            case "deck":
                return self._take_deck(key, tuple(theirs))
            case "page":
                return self._take_page(tuple(theirs))
            case _:
                self._take_merged(kind, key, tuple(theirs))
        return None

    def finish(self) -> None:
        """Update the results of the sessions and plays that were written."""
        if self._sessions:
            results.relist(self._transaction, self._sessions)

    def _write(self, here: Sequence[Entry], after: Sequence[Entry], row: Row | None = None) -> None:
        """Write a story over ours, which is a part of it. All that can be refused is refused before."""
        if len(here) == len(after) and tuple(here) == tuple(after):
            return
        stream = after[0].stream
        row = row or lists.row_of(stream, after)
        if self._is_trial:
            self.entries += 1
            return
        kept = next((at for at, pair in enumerate(zip(here, after, strict=False)) if pair[0] != pair[1]), len(here))
        try:
            if kept < len(here):
                self._transaction.truncate(stream, kept)
            self._transaction.write(after[kept:])
            if isinstance(row, PersonRow):
                self._transaction.forget_names(row.person)
            self._transaction.put(row)
        except NO_SENSE as error:
            raise UnwritableStory from error
        self.entries += len(after) - kept
        kind, _, key = stream.partition(":")
        if kind == "session":
            self._sessions.add(key)
        elif isinstance(row, PlayRow):
            self._sessions.add(results.key_of_play(row.source))

    # Decks

    def _take_deck(self, deck: str, theirs: tuple[Entry, ...]) -> Waiting | None:
        mine = self._transaction.read(deck_stream(deck))
        row = _deck_row(self._transaction, deck, theirs)
        self._title = row.name
        if not mine:
            if find_taken_name(self._transaction, [row]) is not None:
                return Waiting.NAME
            self._write((), theirs, row)
            return None
        if mine == theirs[: len(mine)]:
            after, waiting = theirs, None
        elif theirs == mine[: len(theirs)]:
            return None
        else:
            after, waiting = self._join_deck(mine, deck_export.DeckStory(deck, row.name, theirs, row))
        if waiting is None and after != mine:
            row = _deck_row(self._transaction, deck, after)
            check_name(self._transaction, row.game, row.name, but=deck)
            self._write(mine, after, row)
        return waiting

    def _join_deck(
        self, mine: tuple[Entry, ...], story: deck_export.DeckStory
    ) -> tuple[tuple[Entry, ...], Waiting | None]:
        """Return one story of two that differ, by the rules of imports, or what it waits for."""
        ours, other = deck_import.fork_stories(mine, story)
        more, news = ours.only(other), other.only(ours)
        if more and news and (deck_import.are_of_no_game(more) or deck_import.are_of_no_game(news)):
            # Without a mark that joins them: three devices would go on making such marks for ever.
            return merging.merge_deck(ours, other), None
        comparison = deck_import.compare(mine, story)
        may_decide = self._decisions.is_about(story.deck)
        match comparison.result.verdict:
            case ImportVerdict.DIVERGED:
                if comparison.sides is None or self._decisions.keep is None or not may_decide:
                    return mine, Waiting.DIVERGED
                return deck_import.join_sides(comparison.sides, self._decisions.keep, self._archive), None
            case ImportVerdict.REVERSED if not (self._decisions.reverse and may_decide):
                return mine, Waiting.REVERSED
            case ImportVerdict.NEWER | ImportVerdict.REVERSED:
                return comparison.entries, None
        return mine, None

    # Pages

    def _take_page(self, theirs: tuple[Entry, ...]) -> Waiting | None:
        """Import a page. If another game has its name here, only its text comes in."""
        here = self._transaction.read(theirs[0].stream)
        after = merging.merge_entries(here, theirs) if here else theirs
        row = lists.row_of(after[0].stream, after)
        assert isinstance(row, PageRow)
        self._title = row.title
        if row.listed and not row.withdrawn and self._is_name_of_another(row):
            if not here:
                self._write((), theirs[:1])
            return Waiting.NAME
        self._write(here, after, row)
        return None

    def _is_name_of_another(self, row: PageRow) -> bool:
        its = page_texts.identity(row.word, row.author, row.title)
        others = (each for each in self._transaction.pages_named(row.name) if each.page != row.page)
        return any(
            each.listed and not each.withdrawn and page_texts.identity(each.word, each.author, each.title) != its
            for each in others
        )

    # Everything else

    def _take_merged(self, kind: str, key: str, theirs: tuple[Entry, ...]) -> None:
        here = self._transaction.read(theirs[0].stream)
        if kind in _ON_THE_DESK and here and here[0] != theirs[0]:
            return
        if kind == "person":
            after = merging.merge_person(key, here, theirs)
            if forgetting.is_forgotten(key, after):
                self._transaction.overwrite_deleted()
        else:
            after = merging.merge_entries(here, theirs)
        self._write(here, after)
        if kind == "person":
            self._end_circle(key)

    def _end_circle(self, person: str) -> None:
        """If people were merged into each other on two devices, let the one with the smallest id be the whole person.

        Every device adds the same entry.
        """
        circle = self._merges_from(person)
        if person not in circle.values():
            return
        first = min(circle)
        entries = self._transaction.read(person_stream(first))
        merged = next(entry for entry in reversed(entries) if entry.holds(PersonMerged))
        end = Entry(merged.stream, len(entries), merged.at, "", merged.kind, draft(PersonMerged("")).body)
        self._write(entries, (*entries, end))

    def _merges_from(self, person: str) -> Mapping[str, str]:
        """Return into whom a person was merged, and that one, and so on, until nobody or a circle follows."""
        merges: dict[str, str] = {}
        while person not in merges and (row := self._transaction.row(PersonRow, person)) is not None and row.merged:
            merges[person] = row.merged
            person = row.merged
        return merges
