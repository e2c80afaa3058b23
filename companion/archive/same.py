"""Entries of a deck's story by what they say, whatever number they have in which home: so two stories become one.

Separate from `merge`, which decides what is done with a story that comes in. Everything here follows from the entries
alone, so two homes that take each other in at once come to the same story.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec

from companion.archive.entries import Entry, draft
from companion.archive.marks import marks_of
from companion.tabletop.records import Corrected, Done, Joined, Mark, Reason, Tagged, corrections

HOLDS_HERE: Final = Reason("told-here-holds")
HOLDS_ELSEWHERE: Final = Reason("told-elsewhere-holds")
DECIDED_LATER: Final = Reason("decided-later")

_REFERRING: Final = frozenset({"corrected", "done"})
_OF_NO_GAME: Final = frozenset({"joined", "tagged"})
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
                entries.append(renumbered(other.entries[seq], at[name], here))
        return ForkedStory(tuple(entries), self.fork, self.head)


def _name(entry: Entry, names: Sequence[str]) -> str:
    body = entry.body
    if entry.kind in _REFERRING:
        said = _referring(entry, lambda of: names[of] if 0 < of < len(names) else str(of))
        body = msgspec.json.encode(said, order="sorted").decode()
    told = msgspec.json.encode((entry.at, entry.by, entry.session, entry.kind, body))
    return hashlib.sha256(told).hexdigest()


def renumbered(entry: Entry, seq: int, to: Callable[[int], int]) -> Entry:
    """An entry under another number, with what it says of other marks' numbers."""
    if entry.kind not in _REFERRING:
        return msgspec.structs.replace(entry, seq=seq)
    body = msgspec.json.encode(_referring(entry, to)).decode()
    return msgspec.structs.replace(entry, seq=seq, body=body)


def _referring(entry: Entry, to: Callable[[int], int | str]) -> dict[str, object]:
    """The body of an entry that refers to marks, with other numbers (or names) for them."""
    body: dict[str, object] = msgspec.json.decode(entry.body)
    if entry.kind == "corrected" and isinstance(of := body["of"], int):
        body["of"] = to(of)
    if entry.kind == "done" and isinstance(chores := body["chores"], list):
        body["chores"] = [_chore(chore, to) for chore in chores]
    return body


def _chore(chore: str, to: Callable[[int], int | str]) -> str:
    number, point, place = chore.partition(".")
    return f"{to(int(number))}{point}{place}" if number.isdecimal() else chore


def undisputed(mine: ForkedStory, theirs: ForkedStory) -> ForkedStory | None:
    """Which of two stories holds where nobody need be asked; None where they contradict each other.

    What says nothing of the deck itself contradicts nothing. Where neither tells anything new, but only which of two
    stories shall hold, what was decided later holds.
    """
    more, news = mine.only(theirs), theirs.only(mine)
    if _say_nothing(more) != _say_nothing(news):
        return theirs if _say_nothing(more) else mine
    if all(map(_decides, (*more, *news))):
        later = max((max(entry.at for entry in only), side.head) for only, side in ((more, mine), (news, theirs)))
        return mine if later[1] == mine.head else theirs
    return None


def _say_nothing(entries: Sequence[Entry]) -> bool:
    return all(entry.kind in _OF_NO_GAME for entry in entries)


def _decides(entry: Entry) -> bool:
    """Whether an entry tells nothing new of the deck."""
    if entry.kind in _OF_NO_GAME:
        return True
    reason = msgspec.json.decode(entry.body).get("reason") if entry.kind == "corrected" else None
    return isinstance(reason, dict) and reason.get("code") in _DECISIONS


def correct_until_equal(whole: ForkedStory, side: ForkedStory, reason: Reason, by: str) -> Iterator[Mark]:
    """Corrections after which of a whole story that counts which counts on one side. What was done by hand stays."""
    marks, mended_there = marks_of(whole.entries), corrections(marks_of(side.entries))
    mended: dict[int, int] = {}
    for number in range(len(marks), whole.fork - 1, -1):
        mark, there = marks[number - 1], side.at.get(whole.names[number])
        counts = number not in mended
        counts_there = there is not None and there not in mended_there
        if counts and not counts_there and not isinstance(mark, Done | Joined | Tagged):
            yield Corrected(number, reason, by)
            counts = False
        if counts and isinstance(mark, Corrected):
            mended.setdefault(mark.of, number)


def reversal(
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
        if there is None or isinstance(mark, Corrected | Done | Joined | Tagged):
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


def followed(entries: tuple[Entry, ...], marks: Iterable[Mark], at: datetime, by: str) -> tuple[Entry, ...]:
    """A story with further marks, made then and by whom."""
    made = enumerate(map(draft, marks), start=len(entries))
    return (*entries, *(Entry(entries[0].stream, seq, at, by, kind, body) for seq, (kind, body) in made))


def closed(entries: tuple[Entry, ...], marks: Iterable[Mark]) -> tuple[Entry, ...]:
    """A story with marks that follow from it, which nobody made: they are dated as the latest that it tells."""
    return followed(entries, marks, max(entry.at for entry in entries), "")
