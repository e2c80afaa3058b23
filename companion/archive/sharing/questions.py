"""The questions that the sharing leaves open: which of two histories of a deck counts, and what each of them has."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.archive.archive import Archive
from companion.archive.exchange.deck_import import ImportVerdict, Side
from companion.archive.sharing.local_state import InUse, LocalState
from companion.archive.sharing.shared_folder import SharedFolder
from companion.archive.sharing.sharing import is_shared
from companion.archive.sharing.story_import import NO_SENSE, Decisions, Waiting, compare_deck
from companion.archive.storage.lists import deck_stream
from companion.archive.storage.lookup import StoryLine
from companion.archive.storage.wal_guard import READ_ERRORS


class DeckQuestion(NamedTuple):
    """A deck whose history went on here and at another device: its id and name, and the device's export and name.

    `mine` and `theirs` are the lines of each side after mark `fork`. If `is_reversal` is True, it was decided here and
    there; then `mine` are the lines here that would no longer count, and `theirs` those that would count again.
    """

    deck: str
    name: str
    writer: str
    device: str
    is_reversal: bool
    fork: int
    mine: tuple[StoryLine, ...]
    theirs: tuple[StoryLine, ...]

    def decide(self, keep: Side | None) -> Decisions:
        """Return the decision on this question alone: the side that counts; None agrees to a reversal."""
        return Decisions(keep, self.is_reversal and keep is None, (self.deck,), self.writer)


def read_questions(archive: Archive) -> tuple[DeckQuestion, ...]:
    """Return the open questions about decks, as of the last synchronization. Raises ArchiveError.

    A question whose files cannot be read at the moment is left out.
    """
    file = archive.store.file
    if file is None or not is_shared(file):
        return ()
    with contextlib.suppress(InUse, OSError, *READ_ERRORS), LocalState.open(file) as state:
        return () if state is None else tuple(_read_questions(archive, state))
    return ()


def is_still_open(archive: Archive, question: DeckQuestion) -> bool:
    """Return True if a question still waits for a decision, as while the folder is not there."""
    with contextlib.suppress(*READ_ERRORS), LocalState.open(archive.store.file or Path()) as state:
        return state is not None and (question.writer, deck_stream(question.deck)) in state.waiting()
    return False


def _read_questions(archive: Archive, state: LocalState) -> Iterator[DeckQuestion]:
    folder, names = SharedFolder(state.folder), {each.writer: each.name for each in state.devices()}
    streams: dict[str, list[str]] = {}
    for (writer, stream), (reason, _) in state.waiting().items():
        if reason in (Waiting.DIVERGED, Waiting.REVERSED):
            streams.setdefault(writer, []).append(stream)
    if not streams or not folder.is_there:
        return
    with archive.store.reading() as transaction:
        for writer, some in streams.items():
            for story in folder.read_stories(writer, some, transaction).values():
                with contextlib.suppress(*NO_SENSE):
                    result = compare_deck(transaction, story)
                    if result.verdict in (ImportVerdict.DIVERGED, ImportVerdict.REVERSED):
                        yield DeckQuestion(
                            result.deck,
                            result.name,
                            writer,
                            names.get(writer, ""),
                            result.verdict is ImportVerdict.REVERSED,
                            result.fork,
                            result.mine,
                            result.theirs,
                        )
