"""Stories that come in beside those that are here: what each is to ours, and taking it in without losing a mark.

Separate from `travel`, which knows files and no archive's contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

import msgspec

from companion.archive import chain, lists
from companion.archive.archive import Archive, StoryLine, check_name, enlist, told
from companion.archive.entries import Entry, draft
from companion.archive.errors import ArchiveError, NameTaken, quoted
from companion.archive.lists import deck_stream
from companion.archive.store import Transaction
from companion.archive.travel import Story
from companion.games import registry
from companion.games.reasons import Reason
from companion.games.records import Corrected, Done, Joined, Mark, corrections, effective, moved

Side = Literal["mine", "theirs"]

_REFERRING = frozenset({"corrected", "done"})
_OF_NO_GAME = frozenset({"joined", "tagged"})
"""Kinds of marks that say nothing of the deck itself."""


class Verdict(StrEnum):
    """What a story that comes in is to the one that is here."""

    NEW = "new"
    UNCHANGED = "unchanged"
    NEWER = "newer"
    OLDER = "older"
    DIVERGED = "diverged"


class ImportResult(NamedTuple):
    """A story that came in, and what it is here. `mine` and `theirs` are what is told on each side after mark `fork`.

    `taken`: this archive has all of it now.
    """

    deck: str
    name: str
    verdict: Verdict
    fork: int = 0
    mine: tuple[StoryLine, ...] = ()
    theirs: tuple[StoryLine, ...] = ()
    taken: bool = False


def look(archive: Archive, stories: Iterable[Story]) -> tuple[ImportResult, ...]:
    """What each story would be here; nothing is taken in."""
    with archive.store.reading() as transaction:
        return tuple(compare(transaction.read(deck_stream(story.deck)), story).result for story in stories)


def take_in(archive: Archive, stories: Iterable[Story], keep: Side | None = None) -> tuple[ImportResult, ...]:
    """Takes in what is new and newer, of all stories or of none; nothing that is here is lost.

    A story that diverged is taken in only where `keep` says which side holds: the other is told too, and corrected.
    Raises NameTaken where another deck has a new one's name, and what `stories` raises while they are read.
    """
    with archive.store.writing() as transaction:
        return tuple(_take(transaction, archive, story, keep) for story in stories)


def _take(transaction: Transaction, archive: Archive, story: Story, keep: Side | None) -> ImportResult:
    stream = deck_stream(story.deck)
    mine = transaction.read(stream)
    comparison = compare(mine, story)
    if comparison.result.verdict is Verdict.DIVERGED and keep is not None:
        entries = _joined(comparison, keep, archive)
    elif comparison.result.verdict in (Verdict.NEW, Verdict.NEWER):
        entries = _with(comparison.entries, comparison.closing, archive)
    else:
        return comparison.result
    _check_name(transaction, story.deck, entries)
    same = next((at for at, pair in enumerate(zip(mine, entries, strict=False)) if pair[0] != pair[1]), len(mine))
    transaction.cut(stream, same)
    transaction.write(entries[same:])
    enlist(transaction, stream, entries[same:])
    return comparison.result._replace(taken=True)


def _check_name(transaction: Transaction, deck: str, entries: Sequence[Entry]) -> None:
    game = registry.game(lists.opened(entries).game)
    name = game.record(lists.marks_of(entries)).name
    try:
        check_name(transaction, game.name, name, but=deck)
    except NameTaken as error:
        raise NameTaken(
            f"Another deck here is called {quoted(name)} already; give one of the two another name with companion deck "
            "rename, and import again (V1.15)."
        ) from error


class Comparison(NamedTuple):
    """Two stories of a deck side by side. `entries` are what is here after taking the other in as far as nothing is in
    doubt, and `closing` the marks that end that; of stories that diverged `entries` are ours, and `tail` is theirs.
    """

    result: ImportResult
    entries: tuple[Entry, ...]
    closing: tuple[Mark, ...] = ()
    tail: tuple[Entry, ...] = ()
    head: str = ""


def compare(mine: tuple[Entry, ...], story: Story) -> Comparison:
    """What a story is to ours (no entries where the deck is not here)."""
    deck, name, theirs = story
    if not mine:
        return Comparison(ImportResult(deck, name, Verdict.NEW), theirs)
    if lists.opened(mine).game != lists.opened(theirs).game:
        raise ArchiveError(
            f"{quoted(name)} is a deck of another game in the file than here; nothing can be made of it."
        )
    my_chain, their_chain = chain.hashes(deck, mine), chain.hashes(deck, theirs)
    links = zip(my_chain, their_chain, strict=False)
    fork = next((at for at, pair in enumerate(links) if pair[0] != pair[1]), min(len(mine), len(theirs)))
    # Where a box was adopted twice, only the dates of its first entry differ, and that says no more than the game.
    fork = max(1, fork)
    if my_chain[fork - 1] != their_chain[fork - 1] or fork < min(len(mine), len(theirs)):
        if _knows(theirs, my_chain[-1]):
            return Comparison(ImportResult(deck, name, Verdict.NEWER, fork), theirs)
        if _knows(mine, their_chain[-1]):
            return Comparison(ImportResult(deck, name, Verdict.OLDER, fork), mine)
        if length := _passport_of(mine, their_chain):
            lifted = (*theirs[:length], *_moved(mine[2:], 2, length))
            return _compared(story, lifted, theirs, length, their_chain[-1], my_head=my_chain[-1])
        if length := _passport_of(theirs, my_chain):
            lifted = (*mine[:length], *_moved(theirs[2:], 2, length))
            return _compared(story, mine, lifted, length, their_chain[-1], their_head=their_chain[-1])
    return _compared(story, mine, theirs, fork, their_chain[-1])


def _knows(entries: Sequence[Entry], head: str) -> bool:
    """Whether a story was told in which another, up to the hash `head`, was taken in."""
    marks = lists.marks_of(entries)
    return any(isinstance(mark, Joined) and mark.head == head for mark in marks)


def _passport_of(entries: Sequence[Entry], links: Sequence[str]) -> int:
    """How many entries of the other story a deck's passport stood for, where it began by one; else 0."""
    first = lists.marks_of(entries[:2])[0]
    length = int(getattr(first, "length", 0))
    return length if 0 < length <= len(links) and getattr(first, "story", "") == links[length - 1] else 0


def _compared(
    story: Story,
    mine: tuple[Entry, ...],
    theirs: tuple[Entry, ...],
    fork: int,
    head: str,
    my_head: str = "",
    their_head: str = "",
) -> Comparison:
    """Two stories that are one up to `fork`; `head` ends theirs.

    Of a story that began with a passport and was put on the beginning that this stood for, its own head is given.
    """
    deck, name, _ = story
    more, tail = mine[fork:], theirs[fork:]
    if more and tail and (_say_nothing(more) or _say_nothing(tail)):
        # What says nothing of the deck itself contradicts nothing: it is told after the rest.
        kept, added, of = (
            (mine, tail, head) if _say_nothing(tail) else (theirs, more, my_head or chain.head(deck, mine))
        )
        entries = (*kept, *_moved(added, fork, len(kept)))
        return Comparison(ImportResult(deck, name, Verdict.NEWER, fork), entries, (Joined(of, fork, "both"),))
    if more and tail:
        result = ImportResult(deck, name, Verdict.DIVERGED, fork, told(mine)[fork - 1 :], told(theirs)[fork - 1 :])
        return Comparison(result, mine, tail=tail, head=head)
    if tail:
        closing = (Joined(their_head, fork, "both"),) if their_head else ()
        return Comparison(ImportResult(deck, name, Verdict.NEWER, fork), theirs, closing)
    if my_head:
        closing = (Joined(my_head, fork, "both"),) if more else ()
        return Comparison(ImportResult(deck, name, Verdict.NEWER, fork), mine, closing)
    verdict = Verdict.OLDER if more or their_head else Verdict.UNCHANGED
    return Comparison(ImportResult(deck, name, verdict, fork), mine)


def _say_nothing(entries: Sequence[Entry]) -> bool:
    return all(entry.kind in _OF_NO_GAME for entry in entries)


def _joined(comparison: Comparison, keep: Side, archive: Archive) -> tuple[Entry, ...]:
    """Two stories that diverged as one: theirs told after ours, and the one that does not hold corrected."""
    fork, mine = comparison.result.fork, comparison.entries
    end = Joined(comparison.head, fork, keep)
    if keep == "theirs":
        reason = Reason("told-elsewhere-holds")
        corrected = _with(mine, _taken_back(mine, fork, reason, archive.by), archive)
        return _with((*corrected, *_moved(comparison.tail, fork, len(corrected))), (end,), archive)
    both = (*mine, *_moved(comparison.tail, fork, len(mine)))
    reason = Reason("told-here-holds")
    return _with(both, (*_taken_back(both, len(mine), reason, archive.by), end), archive)


def _taken_back(entries: Sequence[Entry], first: int, reason: Reason, by: str) -> Iterator[Mark]:
    """Corrections after which nothing counts that was made from mark `first` on. What was done by hand stays done."""
    marks = lists.marks_of(entries)
    counting, mended = dict(effective(marks)), corrections(marks)
    for number in range(len(marks), first - 1, -1):
        mark = marks[number - 1]
        if isinstance(mark, Corrected):
            if mark.of < first and number not in mended:
                yield Corrected(number, reason, by)
        elif number in counting and not isinstance(mark, Done | Joined):
            yield Corrected(number, reason, by)


def _moved(tail: Sequence[Entry], first: int, to: int) -> tuple[Entry, ...]:
    """Entries that were numbered from `first` on, numbered from `to` on, with what they say of each other's numbers."""
    return tuple(_renumbered(entry, first, to - first) for entry in tail)


def _renumbered(entry: Entry, first: int, shift: int) -> Entry:
    change = msgspec.structs.replace
    if entry.kind not in _REFERRING:
        return change(entry, seq=entry.seq + shift)
    body = msgspec.json.decode(entry.body)
    if entry.kind == "corrected" and body["of"] >= first:
        body["of"] += shift
    if entry.kind == "done":
        body["chores"] = [moved(chore, first, shift) for chore in body["chores"]]
    return change(entry, seq=entry.seq + shift, body=msgspec.json.encode(body).decode())


def _with(entries: tuple[Entry, ...], marks: Iterable[Mark], archive: Archive) -> tuple[Entry, ...]:
    """Entries with further marks made now, by whoever has opened the archive."""
    at, stream = archive.now(), entries[0].stream
    made = (draft(mark) for mark in marks)
    further = (
        Entry(stream, seq, at, archive.by, kind, body) for seq, (kind, body) in enumerate(made, start=len(entries))
    )
    return (*entries, *further)
