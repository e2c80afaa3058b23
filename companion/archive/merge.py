"""Stories that come in beside those that are here: what each is to ours, and taking it in without losing a mark.

Separate from `travel`, which knows files and no archive's contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from companion.archive import chain, imports, same
from companion.archive.archive import Archive
from companion.archive.decks import StoryLine, check_name, name_taken, tell_story
from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError, NameTaken
from companion.archive.lists import deck_stream
from companion.archive.marks import marks_of, opened
from companion.archive.same import ForkedStory
from companion.archive.transaction import Transaction
from companion.archive.travel import Story
from companion.games import registry
from companion.tabletop.records import Joined
from companion.tabletop.text import quoted

Side = Literal["mine", "theirs"]


_AT_ONCE: Final = 2_000
"""Entries that are written at once."""


class Verdict(StrEnum):
    """What a story that comes in is to the one that is here.

    One that is `REVERSED` diverged before, and both homes decided since: what was decided there, later, undoes what was
    decided here.
    """

    NEW = "new"
    UNCHANGED = "unchanged"
    NEWER = "newer"
    OLDER = "older"
    DIVERGED = "diverged"
    REVERSED = "reversed"


class ImportResult(NamedTuple):
    """A story that came in, and what it is here. `mine` and `theirs` are what is told on each side after mark `fork`.

    Where it did not diverge, `mine` is what counts here no more once it is taken in, and `theirs` what counts again.
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


def take_in(
    archive: Archive, stories: Iterable[Story], keep: Side | None = None, *, reverse: bool = True, file: str = ""
) -> tuple[ImportResult, ...]:
    """Takes in what is new and newer, of all stories or of none; nothing that is here is lost.

    A story that diverged is taken in only where `keep` says which side holds: the other is told too, and corrected.
    One that undoes what was decided here before is left where not `reverse`, and its result says what it would change.
    `file` is what the stories came in; `imports.undo` takes all of them back.
    Raises NameTaken where another deck has a new one's name, and what `stories` raises while they are read.
    """
    with archive.store.writing() as transaction:
        record = imports.Record(transaction, archive, file)
        taking = _Taking(transaction, archive, keep, record, reverse=reverse)
        results = tuple(result for some in _some(stories) for result in taking.take(some))
        record.end()
        return results


def _some(stories: Iterable[Story]) -> Iterator[list[Story]]:
    """Stories in lots that are written at once; each deck at most once in a lot."""
    lot: dict[str, Story] = {}
    held = 0
    for story in stories:
        if held >= _AT_ONCE or story.deck in lot:
            yield list(lot.values())
            lot, held = {}, 0
        lot[story.deck] = story
        held += len(story.entries)
    yield list(lot.values())


class _Taking:
    """What takes stories in, in a transaction that is open; `keep` and `reverse` are as in `take_in`."""

    def __init__(
        self, transaction: Transaction, archive: Archive, keep: Side | None, record: imports.Record, *, reverse: bool
    ) -> None:
        self._transaction, self._archive, self._keep, self._reverse = transaction, archive, keep, reverse
        self._record = record
        self._seen: set[str] = set()

    def take(self, stories: Sequence[Story]) -> Iterator[ImportResult]:
        """Takes in a lot of stories, each of another deck."""
        here = self._transaction.known([deck_stream(story.deck) for story in stories])
        new = [story for story in stories if deck_stream(story.deck) not in here]
        self._seen.update(story.deck for story in new)
        if (taken := name_taken(self._transaction, [story.row for story in new])) is not None:
            raise _name_taken(taken.name)
        self._transaction.write([entry for story in new for entry in story.entries])
        self._transaction.put_new([story.row for story in new])
        for story in stories:
            if deck_stream(story.deck) in here:
                yield self._take_on(story)
            else:
                self._record.add(0, story.entries[-1])
                yield ImportResult(story.deck, story.name, Verdict.NEW, taken=True)

    def _take_on(self, story: Story) -> ImportResult:
        """Takes in the story of a deck that is here."""
        transaction, stream = self._transaction, deck_stream(story.deck)
        mine = transaction.read(stream)
        comparison = compare(mine, story)
        verdict = comparison.result.verdict
        if comparison.sides is not None and self._keep is not None:
            entries = _joined(comparison.sides, self._keep, self._archive)
        elif verdict is Verdict.NEWER or (verdict is Verdict.REVERSED and self._reverse):
            entries = comparison.entries
        else:
            return comparison.result
        _check_name(transaction, story.deck, entries)
        kept = next((at for at, pair in enumerate(zip(mine, entries, strict=False)) if pair[0] != pair[1]), len(mine))
        transaction.cut(stream, kept)
        transaction.write(entries[kept:])
        transaction.enlist(stream, entries[kept:])
        # Files that were put one after the other may each go on with a deck.
        self._record.add(kept, entries[-1], mine[kept:], again=story.deck in self._seen)
        self._seen.add(story.deck)
        return comparison.result._replace(taken=True)


def _check_name(transaction: Transaction, deck: str, entries: Sequence[Entry]) -> None:
    game = registry.game(opened(entries).game)
    name = game.record(marks_of(entries)).name
    try:
        check_name(transaction, game.name, name, but=deck)
    except NameTaken as error:
        raise _name_taken(name) from error


def _name_taken(name: str) -> NameTaken:
    return NameTaken(
        f"Another deck here is called {quoted(name)} already; give one of the two another name with companion deck "
        "rename, and import again (V1.15)."
    )


class Comparison(NamedTuple):
    """Two stories of a deck side by side. `entries` are what is here after taking the other in as far as nothing is in
    doubt; of stories that diverged they are ours, and `sides` are ours and theirs.
    """

    result: ImportResult
    entries: tuple[Entry, ...]
    sides: tuple[ForkedStory, ForkedStory] | None = None


def compare(mine: tuple[Entry, ...], story: Story) -> Comparison:
    """What a story is to ours (no entries where the deck is not here)."""
    deck, name, theirs, _ = story
    if not mine:
        return Comparison(ImportResult(deck, name, Verdict.NEW), theirs)
    if opened(mine).game != opened(theirs).game:
        raise ArchiveError(
            f"{quoted(name)} is a deck of another game in the file than here; nothing can be made of it."
        )
    my_chain, their_chain = chain.hashes(deck, mine), chain.hashes(deck, theirs)
    mine_to, theirs_to = _passport_of(mine, their_chain), _passport_of(theirs, my_chain)
    links = zip(my_chain, their_chain, strict=False)
    fork = next((at for at, pair in enumerate(links) if pair[0] != pair[1]), min(len(mine), len(theirs)))
    # Where a box was adopted twice, only the dates of its first entry differ, and that says no more than the game.
    fork = max(1, fork, mine_to, theirs_to)
    ours = ForkedStory(_lifted(mine, theirs[:mine_to]), fork, my_chain[-1], lifted=mine_to > 0)
    other = ForkedStory(_lifted(theirs, mine[:theirs_to]), fork, their_chain[-1], lifted=theirs_to > 0)
    return _compared(ImportResult(deck, name, Verdict.NEWER, fork), ours, other)


def _passport_of(entries: Sequence[Entry], links: Sequence[str]) -> int:
    """How many entries of the other story a deck's passport stood for, where it began by one; else 0."""
    first = marks_of(entries[:2])[0]
    length = int(getattr(first, "length", 0))
    return length if 0 < length <= len(links) and getattr(first, "story", "") == links[length - 1] else 0


def _lifted(entries: tuple[Entry, ...], beginning: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """A story that began with a passport, after the beginning that this stood for; as it is where there is none."""
    if not beginning:
        return entries
    shift = len(beginning) - 2
    later = (same.renumbered(one, one.seq + shift, lambda of: of + shift if of > 1 else of) for one in entries[2:])
    return (*beginning, *later)


def _compared(result: ImportResult, mine: ForkedStory, theirs: ForkedStory) -> Comparison:
    """Two stories that are one up to their fork."""
    more, news = mine.only(theirs), theirs.only(mine)
    if more and news:
        return _both(result, mine, theirs)
    if not news and not mine.lifted:
        known = more or theirs.lifted or mine.entries != theirs.entries
        return Comparison(result._replace(verdict=Verdict.OLDER if known else Verdict.UNCHANGED), mine.entries)
    longer = theirs if news else mine
    end = [Joined(longer.head, longer.fork, "both")] if longer.lifted and (news or more) else []
    after = same.closed(longer.entries, end)
    return Comparison(_with_reversal(result, mine, longer, after), after)


def _with_reversal(
    result: ImportResult, mine: ForkedStory, whole: ForkedStory, after: tuple[Entry, ...]
) -> ImportResult:
    """What a newer story changes of what ours says until now."""
    lost, again, undone = same.reversal(mine, whole, after)
    if not lost and not again:
        return result
    lines = tell_story(mine.entries)
    return result._replace(
        verdict=Verdict.REVERSED if undone else Verdict.NEWER,
        mine=tuple(line for line in lines if line.number in lost),
        theirs=tuple(line for line in lines if line.number in again),
    )


def _both(result: ImportResult, mine: ForkedStory, theirs: ForkedStory) -> Comparison:
    """Two stories that both tell what the other does not know."""
    kept = same.undisputed(mine, theirs)
    if kept is None:
        sides = tuple(
            tuple(line for line in tell_story(side.entries) if side.names[line.number] not in other.at)
            for side, other in ((mine, theirs), (theirs, mine))
        )
        result = result._replace(verdict=Verdict.DIVERGED, mine=sides[0], theirs=sides[1])
        return Comparison(result, mine.entries, (mine, theirs))
    other = theirs if kept is mine else mine
    whole = kept.with_all_of(other)
    ended = Joined(other.head, kept.fork, "both")
    after = same.closed(whole.entries, (*same.correct_until_equal(whole, kept, same.DECIDED_LATER, ""), ended))
    return Comparison(_with_reversal(result, mine, whole, after), after)


def _joined(sides: tuple[ForkedStory, ForkedStory], keep: Side, archive: Archive) -> tuple[Entry, ...]:
    """Two stories that diverged as one: theirs told after ours, and the one that does not hold corrected."""
    mine, theirs = sides
    whole = mine.with_all_of(theirs)
    kept, reason = (mine, same.HOLDS_HERE) if keep == "mine" else (theirs, same.HOLDS_ELSEWHERE)
    ended = Joined(theirs.head, mine.fork, keep)
    return same.followed(
        whole.entries, (*same.correct_until_equal(whole, kept, reason, archive.by), ended), archive.now(), archive.by
    )
