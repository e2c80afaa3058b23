"""Stories that come in beside those that are here: which entries are the same, and one story made of two."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal, NamedTuple

import msgspec

from companion.archive import export_format, import_log, page_texts
from companion.archive.archive import Archive
from companion.archive.deck_export import Story
from companion.archive.entries import Entry, draft
from companion.archive.errors import ArchiveError, NameTaken
from companion.archive.lists import deck_stream, game_of, marks_of, opening_of, page_stream
from companion.archive.lookup import StoryLine, check_name, find_taken_name, tell_story
from companion.archive.transaction import Transaction
from companion.games.described import load
from companion.tabletop.records import SILENT_MARKS, Corrected, Done, Joined, Mark, Reason, corrections
from companion.tabletop.text import quoted

HOLDS_HERE: Final = Reason("told-here-holds")
HOLDS_ELSEWHERE: Final = Reason("told-elsewhere-holds")
DECIDED_LATER: Final = Reason("decided-later")

_REFERRING: Final = frozenset({"corrected", "done"})
_OF_NO_GAME: Final = frozenset({"joined", "tagged", "edition-taken", "recognized"})
"""Kinds of marks that say nothing of the deck itself."""
_DECISIONS: Final = frozenset(reason.code for reason in (HOLDS_HERE, HOLDS_ELSEWHERE, DECIDED_LATER))


class ForkedStory:
    """A story whose first `fork` entries another home tells alike, with what each further entry says.

    An entry's name is the same in every home: when, by whom and what was written, its references by the names of what
    they refer to. `at` is where an entry of a name stands. `head` is the hash of the story as its home has it, which is
    another than this one's where it began with a passport and was `lifted` onto the beginning that this stood for.
    """

    def __init__(self, entries: tuple[Entry, ...], fork: int, head: str, *, lifted: bool = False) -> None:
        self.entries, self.fork, self.head, self.lifted = entries, fork, head, lifted
        self.names = [str(seq) for seq in range(fork)]
        seen: Counter[str] = Counter()
        for entry in entries[fork:]:
            name = _name(entry, self.names)
            seen[name] += 1
            self.names.append(f"{name} {seen[name]}")
        self.at: Mapping[str, int] = {name: seq for seq, name in enumerate(self.names)}

    def only(self, other: ForkedStory) -> tuple[Entry, ...]:
        """The entries that the other does not know."""
        return tuple(entry for entry, name in zip(self.entries, self.names, strict=True) if name not in other.at)

    def with_all_of(self, other: ForkedStory) -> ForkedStory:
        """This story, and after it what only the other tells, its references to the numbers that hold here."""
        entries, at = list(self.entries), dict(self.at)

        def here(of: int) -> int:
            return at.get(other.names[of], of) if of < len(other.names) else of

        for seq, name in enumerate(other.names):
            if name not in at:
                at[name] = len(entries)
                entries.append(renumber(other.entries[seq], at[name], here))
        return ForkedStory(tuple(entries), self.fork, self.head)


def _name(entry: Entry, names: Sequence[str]) -> str:
    body = entry.body
    if entry.kind in _REFERRING:
        fields = _renumber_body(entry, lambda of: names[of] if 0 < of < len(names) else str(of))
        body = msgspec.json.encode(fields, order="sorted").decode()
    facts = msgspec.json.encode((entry.at, entry.by, entry.session, entry.kind, body))
    return hashlib.sha256(facts).hexdigest()


def renumber(entry: Entry, seq: int, to: Callable[[int], int]) -> Entry:
    """An entry under another number, with what it says of other marks' numbers."""
    if entry.kind not in _REFERRING:
        return msgspec.structs.replace(entry, seq=seq)
    body = msgspec.json.encode(_renumber_body(entry, to)).decode()
    return msgspec.structs.replace(entry, seq=seq, body=body)


def _renumber_body(entry: Entry, to: Callable[[int], int | str]) -> dict[str, object]:
    """The body of an entry that refers to marks, with other numbers (or names) for them."""
    body: dict[str, object] = msgspec.json.decode(entry.body)
    if entry.kind == "corrected" and isinstance(of := body["of"], int):
        body["of"] = to(of)
    if entry.kind == "done" and isinstance(chores := body["chores"], list):
        body["chores"] = [_renumber_chore(chore, to) for chore in chores]
    return body


def _renumber_chore(chore: str, to: Callable[[int], int | str]) -> str:
    number, point, place = chore.partition(".")
    return f"{to(int(number))}{point}{place}" if number.isdecimal() else chore


def settle_undisputed(mine: ForkedStory, theirs: ForkedStory) -> ForkedStory | None:
    """Which of two stories holds where nobody need be asked; None where they contradict each other.

    What says nothing of the deck itself contradicts nothing. Where neither tells anything new, but only which of two
    stories shall hold, what was decided later holds.
    """
    more, news = mine.only(theirs), theirs.only(mine)
    if _are_of_no_game(more) != _are_of_no_game(news):
        return theirs if _are_of_no_game(more) else mine
    if all(map(_decides, (*more, *news))):
        later = max((max(entry.at for entry in only), side.head) for only, side in ((more, mine), (news, theirs)))
        return mine if later[1] == mine.head else theirs
    return None


def _are_of_no_game(entries: Sequence[Entry]) -> bool:
    return all(entry.kind in _OF_NO_GAME for entry in entries)


def _decides(entry: Entry) -> bool:
    """Whether an entry tells nothing new of the deck."""
    if entry.kind in _OF_NO_GAME:
        return True
    reason = msgspec.json.decode(entry.body).get("reason") if entry.kind == "corrected" else None
    return isinstance(reason, dict) and reason.get("code") in _DECISIONS


def correct_until_equal(whole: ForkedStory, side: ForkedStory, reason: Reason, by: str) -> Iterator[Mark]:
    """Corrections after which of a whole story that counts which counts on one side. What was done by hand stays."""
    marks, corrected_there = marks_of(whole.entries), corrections(marks_of(side.entries))
    corrected: dict[int, int] = {}
    for number in range(len(marks), whole.fork - 1, -1):
        mark, there = marks[number - 1], side.at.get(whole.names[number])
        counts = number not in corrected
        counts_there = there is not None and there not in corrected_there
        if counts and not counts_there and not isinstance(mark, (Done, *SILENT_MARKS)):
            yield Corrected(number, reason, by)
            counts = False
        if counts and isinstance(mark, Corrected):
            corrected.setdefault(mark.of, number)


def find_reversal(
    mine: ForkedStory, whole: ForkedStory, after: Sequence[Entry]
) -> tuple[frozenset[int], frozenset[int], bool]:
    """What of our story counts no more, and what counts again, by decisions between homes that `after` tells: numbers
    of our marks, and whether a decision that stands in our story is undone by that.

    `whole` is the story with all of ours, whose entries are the first of `after`.
    """
    before, then = marks_of(mine.entries), marks_of(after)
    mended, mended_then = corrections(before), corrections(then)
    lost, again = set(), set()
    for number, mark in enumerate(before, 1):
        there = whole.at.get(mine.names[number])
        if there is None or isinstance(mark, (Corrected, Done, *SILENT_MARKS)):
            continue
        if number not in mended and there in mended_then and _is_decision(then[mended_then[there] - 1]):
            lost.add(number)
        elif number in mended and there not in mended_then and _is_decision(before[mended[number] - 1]):
            again.add(number)
    ends = (number for number, mark in enumerate(before, 1) if isinstance(mark, Joined) and mark.kept != "both")
    decided = max(ends, default=0)
    return frozenset(lost), frozenset(again), any(number < decided for number in lost | again)


def _is_decision(mark: Mark) -> bool:
    return isinstance(mark, Corrected) and isinstance(mark.reason, Reason) and mark.reason.code in _DECISIONS


def append_marks(entries: tuple[Entry, ...], marks: Iterable[Mark], at: datetime, by: str) -> tuple[Entry, ...]:
    """A story with further marks, made then and by whom."""
    drafts = enumerate(map(draft, marks), start=len(entries))
    return (*entries, *(Entry(entries[0].stream, seq, at, by, kind, body) for seq, (kind, body) in drafts))


def append_derived(entries: tuple[Entry, ...], marks: Iterable[Mark]) -> tuple[Entry, ...]:
    """A story with marks that follow from it, which nobody made: they are dated as the latest that it tells."""
    return append_marks(entries, marks, max(entry.at for entry in entries), "")


Side = Literal["mine", "theirs"]


_ENTRIES_AT_ONCE: Final = 2_000
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


def preview_import(archive: Archive, stories: Iterable[Story]) -> tuple[ImportResult, ...]:
    """What each story would be here; nothing is taken in."""
    with archive.store.reading() as transaction:
        return tuple(compare(transaction.read(deck_stream(story.deck)), story).result for story in stories)


def import_decks(
    archive: Archive, stories: Iterable[Story], keep: Side | None = None, *, reverse: bool = True, file: str = ""
) -> tuple[ImportResult, ...]:
    """Takes in what is new and newer, of all stories or of none; nothing that is here is lost.

    A story that diverged is taken in only where `keep` says which side holds: the other is told too, and corrected.
    One that undoes what was decided here before is left where not `reverse`, and its result says what it would change.
    `file` is what the stories came in; `import_log.undo_import` takes all of them back.
    Raises NameTaken where another deck has a new one's name, and what `stories` raises while they are read.
    """
    with archive.store.writing() as transaction:
        record = import_log.ImportRecord(transaction, archive, file)
        taking = _DeckImport(transaction, archive, keep, record, reverse=reverse)
        results = tuple(result for some in _split_lots(stories) for result in taking.take(some))
        record.close()
        return results


def _split_lots(stories: Iterable[Story]) -> Iterator[list[Story]]:
    """Stories in lots that are written at once; each deck at most once in a lot."""
    lot: dict[str, Story] = {}
    size = 0
    for story in stories:
        if size >= _ENTRIES_AT_ONCE or story.deck in lot:
            yield list(lot.values())
            lot, size = {}, 0
        lot[story.deck] = story
        size += len(story.entries)
    yield list(lot.values())


class _DeckImport:
    """What takes stories in, in a transaction that is open; `keep` and `reverse` are as in `take_in`."""

    def __init__(
        self,
        transaction: Transaction,
        archive: Archive,
        keep: Side | None,
        record: import_log.ImportRecord,
        *,
        reverse: bool,
    ) -> None:
        self._transaction, self._archive, self._keep, self._reverse = transaction, archive, keep, reverse
        self._record = record
        self._imported: set[str] = set()

    def take(self, stories: Sequence[Story]) -> Iterator[ImportResult]:
        """Takes in a lot of stories, each of another deck."""
        here = self._transaction.existing_streams([deck_stream(story.deck) for story in stories])
        new = [story for story in stories if deck_stream(story.deck) not in here]
        self._imported.update(story.deck for story in new)
        if (name_owner := find_taken_name(self._transaction, [story.row for story in new])) is not None:
            raise _name_taken(name_owner.name)
        self._keep_pages(stories)
        self._transaction.write([entry for story in new for entry in story.entries])
        self._transaction.put_new([story.row for story in new])
        for story in stories:
            if deck_stream(story.deck) in here:
                yield self._take_on(story)
            else:
                self._record.add(0, story.entries[-1])
                yield ImportResult(story.deck, story.name, Verdict.NEW, taken=True)

    def _keep_pages(self, stories: Sequence[Story]) -> None:
        """Has the pages here that the stories are read by. None of them is added: what its game's name means here stays
        as it is, unless nothing is called so yet.
        """
        texts = {page: text for story in stories for page, text in story.pages.items()}
        for page, text in texts.items():
            name = next(opening_of(story.entries).game for story in stories if page in story.pages)
            kept = page_texts.entries_to_keep(self._transaction, name, load.remember(text))
            stream = page_stream(page)
            if kept:
                added = self._transaction.append(stream, 0, kept, self._archive.by, self._archive.now())
                self._transaction.update_list(stream, added)
                self._record.add(0, added[-1])

    def _take_on(self, story: Story) -> ImportResult:
        """Takes in the story of a deck that is here."""
        transaction, stream = self._transaction, deck_stream(story.deck)
        mine = transaction.read(stream)
        comparison = compare(mine, story)
        verdict = comparison.result.verdict
        if comparison.sides is not None and self._keep is not None:
            entries = _join(comparison.sides, self._keep, self._archive)
        elif verdict is Verdict.NEWER or (verdict is Verdict.REVERSED and self._reverse):
            entries = comparison.entries
        else:
            return comparison.result
        _check_name(transaction, story.deck, entries)
        unchanged = next(
            (at for at, pair in enumerate(zip(mine, entries, strict=False)) if pair[0] != pair[1]), len(mine)
        )
        transaction.truncate(stream, unchanged)
        transaction.write(entries[unchanged:])
        transaction.update_list(stream, entries[unchanged:])
        # Files that were put one after the other may each go on with a deck.
        self._record.add(unchanged, entries[-1], mine[unchanged:], again=story.deck in self._imported)
        self._imported.add(story.deck)
        return comparison.result._replace(taken=True)


def _check_name(transaction: Transaction, deck: str, entries: Sequence[Entry]) -> None:
    game = game_of(entries)
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
    deck, name, theirs = story.deck, story.name, story.entries
    if not mine:
        return Comparison(ImportResult(deck, name, Verdict.NEW), theirs)
    if opening_of(mine).game != opening_of(theirs).game:
        raise ArchiveError(
            f"{quoted(name)} is a deck of another game in the file than here; nothing can be made of it."
        )
    my_chain, their_chain = export_format.story_hashes(deck, mine), export_format.story_hashes(deck, theirs)
    mine_to, theirs_to = _passport_length(mine, their_chain), _passport_length(theirs, my_chain)
    links = zip(my_chain, their_chain, strict=False)
    fork = next((at for at, pair in enumerate(links) if pair[0] != pair[1]), min(len(mine), len(theirs)))
    # Where a box was adopted twice, only the dates of its first entry differ, and that says no more than the game.
    fork = max(1, fork, mine_to, theirs_to)
    ours = ForkedStory(_lift(mine, theirs[:mine_to]), fork, my_chain[-1], lifted=mine_to > 0)
    other = ForkedStory(_lift(theirs, mine[:theirs_to]), fork, their_chain[-1], lifted=theirs_to > 0)
    return _compare_from_fork(ImportResult(deck, name, Verdict.NEWER, fork), ours, other)


def _passport_length(entries: Sequence[Entry], links: Sequence[str]) -> int:
    """How many entries of the other story a deck's passport stood for, where it began by one; else 0."""
    first = marks_of(entries[:2])[0]
    length = int(getattr(first, "length", 0))
    return length if 0 < length <= len(links) and getattr(first, "story", "") == links[length - 1] else 0


def _lift(entries: tuple[Entry, ...], beginning: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """A story that began with a passport, after the beginning that this stood for; as it is where there is none."""
    if not beginning:
        return entries
    shift = len(beginning) - 2
    later = (renumber(one, one.seq + shift, lambda of: of + shift if of > 1 else of) for one in entries[2:])
    return (*beginning, *later)


def _compare_from_fork(result: ImportResult, mine: ForkedStory, theirs: ForkedStory) -> Comparison:
    """Two stories that are one up to their fork."""
    more, news = mine.only(theirs), theirs.only(mine)
    if more and news:
        return _compare_forked(result, mine, theirs)
    if not news and not mine.lifted:
        is_older = more or theirs.lifted or mine.entries != theirs.entries
        return Comparison(result._replace(verdict=Verdict.OLDER if is_older else Verdict.UNCHANGED), mine.entries)
    longer = theirs if news else mine
    end = [Joined(longer.head, longer.fork, "both")] if longer.lifted and (news or more) else []
    after = append_derived(longer.entries, end)
    return Comparison(_with_reversal(result, mine, longer, after), after)


def _with_reversal(
    result: ImportResult, mine: ForkedStory, whole: ForkedStory, after: tuple[Entry, ...]
) -> ImportResult:
    """What a newer story changes of what ours says until now."""
    lost, again, undone = find_reversal(mine, whole, after)
    if not lost and not again:
        return result
    lines = tell_story(mine.entries)
    return result._replace(
        verdict=Verdict.REVERSED if undone else Verdict.NEWER,
        mine=tuple(line for line in lines if line.number in lost),
        theirs=tuple(line for line in lines if line.number in again),
    )


def _compare_forked(result: ImportResult, mine: ForkedStory, theirs: ForkedStory) -> Comparison:
    """Two stories that both tell what the other does not know."""
    preferred = settle_undisputed(mine, theirs)
    if preferred is None:
        sides = tuple(
            tuple(line for line in tell_story(side.entries) if side.names[line.number] not in other.at)
            for side, other in ((mine, theirs), (theirs, mine))
        )
        result = result._replace(verdict=Verdict.DIVERGED, mine=sides[0], theirs=sides[1])
        return Comparison(result, mine.entries, (mine, theirs))
    other = theirs if preferred is mine else mine
    whole = preferred.with_all_of(other)
    joined = Joined(other.head, preferred.fork, "both")
    after = append_derived(whole.entries, (*correct_until_equal(whole, preferred, DECIDED_LATER, ""), joined))
    return Comparison(_with_reversal(result, mine, whole, after), after)


def _join(sides: tuple[ForkedStory, ForkedStory], keep: Side, archive: Archive) -> tuple[Entry, ...]:
    """Two stories that diverged as one: theirs told after ours, and the one that does not hold corrected."""
    mine, theirs = sides
    whole = mine.with_all_of(theirs)
    preferred, reason = (mine, HOLDS_HERE) if keep == "mine" else (theirs, HOLDS_ELSEWHERE)
    joined = Joined(theirs.head, mine.fork, keep)
    return append_marks(
        whole.entries, (*correct_until_equal(whole, preferred, reason, archive.by), joined), archive.now(), archive.by
    )
