"""Import of stories of decks that may be here already: which entries are the same, and one story made of two."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, Literal, NamedTuple

import msgspec

from companion.archive import page_texts
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, NameTaken
from companion.archive.exchange import export_format, import_log
from companion.archive.exchange.deck_export import DeckStory
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import append_marks, deck_stream, game_of, marks_of, opening_of, page_stream
from companion.archive.storage.lookup import StoryLine, check_name, find_taken_name, tell_story
from companion.archive.storage.transaction import Transaction
from companion.games.described import load
from companion.tabletop.records import SILENT_MARKS, Corrected, Done, Joined, Mark, Reason, corrections
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

HOLDS_HERE: Final = Reason("told-here-holds")
HOLDS_ELSEWHERE: Final = Reason("told-elsewhere-holds")
DECIDED_LATER: Final = Reason("decided-later")

_REFERRING: Final = frozenset({"corrected", "done"})
_OF_NO_GAME: Final = frozenset({"joined", "tagged", "edition-taken", "recognized"})
"""Kinds of marks that do not affect the deck itself."""
_DECISIONS: Final = frozenset(reason.code for reason in (HOLDS_HERE, HOLDS_ELSEWHERE, DECIDED_LATER))


class ForkedStory:
    """A story whose first `fork` entries another archive has as well, with a name for each further entry.

    An entry's name is the same in every archive: time, author and content, with references replaced by the names of the
    entries that they refer to. `at` maps a name to the entry's number. `head` is the hash of the story as its archive
    has it. That differs from the hash of these entries if the story began with a passport and was `lifted` onto the
    beginning that the passport stood for.
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
        """Return the entries that the other story lacks."""
        return tuple(entry for entry, name in zip(self.entries, self.names, strict=True) if name not in other.at)

    def with_all_of(self, other: ForkedStory) -> ForkedStory:
        """Return this story followed by the entries that only the other has, with their references renumbered."""
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
    """Return an entry under another number, with its references to other marks renumbered."""
    if entry.kind not in _REFERRING:
        return msgspec.structs.replace(entry, seq=seq)
    body = msgspec.json.encode(_renumber_body(entry, to)).decode()
    return msgspec.structs.replace(entry, seq=seq, body=body)


def _renumber_body(entry: Entry, to: Callable[[int], int | str]) -> dict[str, object]:
    """Return the body of an entry that refers to marks, with other numbers (or names) for them."""
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
    """Return which of two stories holds if no user has to decide; None if they contradict each other.

    Entries that do not affect the deck itself contradict nothing. If both sides add only decisions between stories, the
    later decision holds.
    """
    more, news = mine.only(theirs), theirs.only(mine)
    if are_of_no_game(more) != are_of_no_game(news):
        return theirs if are_of_no_game(more) else mine
    if all(map(_decides, (*more, *news))):
        later = max((max(entry.at for entry in only), side.head) for only, side in ((more, mine), (news, theirs)))
        return mine if later[1] == mine.head else theirs
    return None


def are_of_no_game(entries: Sequence[Entry]) -> bool:
    """Return True if none of the entries affects the deck itself."""
    return all(entry.kind in _OF_NO_GAME for entry in entries)


def _decides(entry: Entry) -> bool:
    """Return True if an entry adds nothing new about the deck."""
    if entry.kind in _OF_NO_GAME:
        return True
    reason = msgspec.json.decode(entry.body).get("reason") if entry.kind == "corrected" else None
    return isinstance(reason, dict) and reason.get("code") in _DECISIONS


def correct_until_equal(whole: ForkedStory, side: ForkedStory, reason: Reason, by: str) -> Iterator[Mark]:
    """Yield corrections after which the same marks count in a whole story as on one side. Work by hand stays."""
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
    """Return what decisions between archives in `after` change in our story.

    `whole` is our story with all entries of the other; its entries are the first of `after`.

    Returns:
        The numbers of our marks that no longer count, the numbers of those that count again, and True if that undoes a
        decision made in our story.
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


def append_derived(entries: tuple[Entry, ...], marks: Iterable[Mark]) -> tuple[Entry, ...]:
    """Return a story with derived marks, which have no author: they are dated as the latest entry."""
    return append_marks(entries, marks, max(entry.at for entry in entries), "")


Side = Literal["mine", "theirs"]


_ENTRIES_AT_ONCE: Final = 2_000
"""The number of entries from which on a group is full and written."""


class ImportVerdict(StrEnum):
    """The relation of an imported story to the one that is here.

    A `REVERSED` story diverged before, and both archives decided since: the decision made there, later, undoes the one
    made here.
    """

    NEW = "new"
    UNCHANGED = "unchanged"
    NEWER = "newer"
    OLDER = "older"
    DIVERGED = "diverged"
    REVERSED = "reversed"


class ImportResult(NamedTuple):
    """An imported story, and its relation to the one here.

    `mine` and `theirs` are the lines of each side after mark `fork`. If the story did not diverge, `mine` are the lines
    here that no longer count after the import, and `theirs` those that count again. `taken`: this archive has all of it
    now.
    """

    deck: str
    name: str
    verdict: ImportVerdict
    fork: int = 0
    mine: tuple[StoryLine, ...] = ()
    theirs: tuple[StoryLine, ...] = ()
    taken: bool = False


def preview_import(archive: Archive, stories: Iterable[DeckStory]) -> tuple[ImportResult, ...]:
    """Return what the import of each story would do; nothing is imported."""
    with archive.store.reading() as transaction:
        return tuple(compare(transaction.read(deck_stream(story.deck)), story).result for story in stories)


def import_decks(
    archive: Archive,
    stories: Iterable[DeckStory],
    keep: Side | Mapping[str, Side] | None = None,
    *,
    reverse: bool | Collection[str] = True,
    file: str = "",
) -> tuple[ImportResult, ...]:
    """Import what is new and newer, of all stories or of none; nothing that is here is lost.

    A story that diverged is imported only if `keep` selects the side that holds, for all decks or for each by its id:
    the other side is stored too, and corrected. A story that undoes an earlier decision of this archive is skipped if
    `reverse` is False, or lacks its deck; its result says what it would change. `file` names the source;
    `import_log.undo_import` undoes the whole import. Raises NameTaken if another deck has a new one's name, and what
    `stories` raises while they are read.
    """
    with archive.store.writing() as transaction:
        record = import_log.ImportRecord(transaction, archive, file)
        taking = _DeckImport(transaction, archive, record, keep, reverse)
        results = tuple(result for some in _split_lots(stories) for result in taking.take(some))
        record.close()
        return results


def _split_lots(stories: Iterable[DeckStory]) -> Iterator[list[DeckStory]]:
    """Yield groups of stories that are written at once; a group has each deck at most once."""
    lot: dict[str, DeckStory] = {}
    size = 0
    for story in stories:
        if size >= _ENTRIES_AT_ONCE or story.deck in lot:
            yield list(lot.values())
            lot, size = {}, 0
        lot[story.deck] = story
        size += len(story.entries)
    yield list(lot.values())


class _DeckImport:
    """An import of stories in an open transaction; `keep` and `reverse` are as in `import_decks`."""

    def __init__(
        self,
        transaction: Transaction,
        archive: Archive,
        record: import_log.ImportRecord,
        keep: Side | Mapping[str, Side] | None,
        reverse: bool | Collection[str],
    ) -> None:
        self._transaction, self._archive, self._keep, self._reverse = transaction, archive, keep, reverse
        self._record = record
        self._imported: set[str] = set()

    def take(self, stories: Sequence[DeckStory]) -> Iterator[ImportResult]:
        """Import a group of stories, each of another deck."""
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
                yield ImportResult(story.deck, story.name, ImportVerdict.NEW, taken=True)

    def _keep_pages(self, stories: Sequence[DeckStory]) -> None:
        """Store the pages that the stories are read by.

        None of them is listed: the meaning of a game's name here does not change, unless no game has that name yet.
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

    def _take_on(self, story: DeckStory) -> ImportResult:
        """Import the story of a deck that is here."""
        transaction, stream = self._transaction, deck_stream(story.deck)
        mine = transaction.read(stream)
        comparison = compare(mine, story)
        verdict = comparison.result.verdict
        keep = self._keep.get(story.deck) if isinstance(self._keep, Mapping) else self._keep
        reverse = self._reverse if isinstance(self._reverse, bool) else story.deck in self._reverse
        if comparison.sides is not None and keep is not None:
            entries = join_sides(comparison.sides, keep, self._archive)
        elif verdict is ImportVerdict.NEWER or (verdict is ImportVerdict.REVERSED and reverse):
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
        # Concatenated files may each continue the same deck.
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
        phrase(
            "Another deck here is called {name} already; give one of the two another name with companion deck "
            "rename, and import again (V1.15).",
            name=in_quotes(name),
        )
    )


class StoryComparison(NamedTuple):
    """Two stories of a deck side by side.

    `entries` are those of this archive after importing everything undisputed; of stories that diverged they are ours,
    and `sides` are ours and theirs.
    """

    result: ImportResult
    entries: tuple[Entry, ...]
    sides: tuple[ForkedStory, ForkedStory] | None = None


def compare(mine: tuple[Entry, ...], story: DeckStory) -> StoryComparison:
    """Compare a story to ours (no entries if the deck is not here)."""
    deck, name, theirs = story.deck, story.name, story.entries
    if not mine:
        return StoryComparison(ImportResult(deck, name, ImportVerdict.NEW), theirs)
    if opening_of(mine).game != opening_of(theirs).game:
        raise ArchiveError(
            phrase(
                "{name} is a deck of another game in the file than here, so it cannot be imported.",
                name=in_quotes(name),
            )
        )
    ours, other = fork_stories(mine, story)
    return _compare_from_fork(ImportResult(deck, name, ImportVerdict.NEWER, ours.fork), ours, other)


def fork_stories(mine: tuple[Entry, ...], story: DeckStory) -> tuple[ForkedStory, ForkedStory]:
    """Return our story of a deck and another one, from where they differ on."""
    deck, theirs = story.deck, story.entries
    my_chain, their_chain = export_format.story_hashes(deck, mine), export_format.story_hashes(deck, theirs)
    mine_to, theirs_to = _passport_length(mine, their_chain), _passport_length(theirs, my_chain)
    links = zip(my_chain, their_chain, strict=False)
    fork = next((at for at, pair in enumerate(links) if pair[0] != pair[1]), min(len(mine), len(theirs)))
    # If a box was adopted twice, only the dates of the first entries differ, and a first entry only names the game.
    fork = max(1, fork, mine_to, theirs_to)
    ours = ForkedStory(_lift(mine, theirs[:mine_to]), fork, my_chain[-1], lifted=mine_to > 0)
    other = ForkedStory(_lift(theirs, mine[:theirs_to]), fork, their_chain[-1], lifted=theirs_to > 0)
    return ours, other


def _passport_length(entries: Sequence[Entry], links: Sequence[str]) -> int:
    """Return how many entries of the other story a deck's passport stands for, if the story began with one; else 0."""
    first = marks_of(entries[:2])[0]
    length = int(getattr(first, "length", 0))
    return length if 0 < length <= len(links) and getattr(first, "story", "") == links[length - 1] else 0


def _lift(entries: tuple[Entry, ...], beginning: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Append a story that began with a passport to the beginning that the passport stood for.

    Returns it unchanged if there is none.
    """
    if not beginning:
        return entries
    shift = len(beginning) - 2
    later = (renumber(one, one.seq + shift, lambda of: of + shift if of > 1 else of) for one in entries[2:])
    return (*beginning, *later)


def _compare_from_fork(result: ImportResult, mine: ForkedStory, theirs: ForkedStory) -> StoryComparison:
    """Compare two stories that are equal up to their fork."""
    more, news = mine.only(theirs), theirs.only(mine)
    if more and news:
        return _compare_forked(result, mine, theirs)
    if not news and not mine.lifted:
        is_older = more or theirs.lifted or mine.entries != theirs.entries
        return StoryComparison(
            result._replace(verdict=ImportVerdict.OLDER if is_older else ImportVerdict.UNCHANGED), mine.entries
        )
    longer = theirs if news else mine
    end = [Joined(longer.head, longer.fork, "both")] if longer.lifted and (news or more) else []
    after = append_derived(longer.entries, end)
    return StoryComparison(_with_reversal(result, mine, longer, after), after)


def _with_reversal(
    result: ImportResult, mine: ForkedStory, whole: ForkedStory, after: tuple[Entry, ...]
) -> ImportResult:
    """Add to the result what a newer story changes in the marks that count here."""
    lost, again, undone = find_reversal(mine, whole, after)
    if not lost and not again:
        return result
    lines = tell_story(mine.entries)
    return result._replace(
        verdict=ImportVerdict.REVERSED if undone else ImportVerdict.NEWER,
        mine=tuple(line for line in lines if line.number in lost),
        theirs=tuple(line for line in lines if line.number in again),
    )


def _compare_forked(result: ImportResult, mine: ForkedStory, theirs: ForkedStory) -> StoryComparison:
    """Compare two stories that both have entries that the other lacks."""
    preferred = settle_undisputed(mine, theirs)
    if preferred is None:
        sides = tuple(
            tuple(line for line in tell_story(side.entries) if side.names[line.number] not in other.at)
            for side, other in ((mine, theirs), (theirs, mine))
        )
        result = result._replace(verdict=ImportVerdict.DIVERGED, mine=sides[0], theirs=sides[1])
        return StoryComparison(result, mine.entries, (mine, theirs))
    other = theirs if preferred is mine else mine
    whole = preferred.with_all_of(other)
    joined = Joined(other.head, preferred.fork, "both")
    after = append_derived(whole.entries, (*correct_until_equal(whole, preferred, DECIDED_LATER, ""), joined))
    return StoryComparison(_with_reversal(result, mine, whole, after), after)


def join_sides(sides: tuple[ForkedStory, ForkedStory], keep: Side, archive: Archive) -> tuple[Entry, ...]:
    """Join two stories that diverged: ours followed by theirs, with the side corrected that the user does not keep."""
    mine, theirs = sides
    whole = mine.with_all_of(theirs)
    preferred, reason = (mine, HOLDS_HERE) if keep == "mine" else (theirs, HOLDS_ELSEWHERE)
    joined = Joined(theirs.head, mine.fork, keep)
    return append_marks(
        whole.entries, (*correct_until_equal(whole, preferred, reason, archive.by), joined), archive.now(), archive.by
    )
