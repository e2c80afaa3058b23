"""A deck's life in sentences, one a mark: how corrections, ticks and joined stories are told, whatever the game.

Separate from the games, each of which only tells its own marks (`Story.plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.games.reasons import Reason, Said, told
from companion.games.records import Chore, Corrected, Done, Joined, Mark, Tagged, corrections

_KEPT: Final = {"mine": ", and does not count", "theirs": ", and counts instead of what was told here", "both": ""}
_MOST_NAMED: Final = 4

AT_ONCE: Final = Reason("ticked-at-once")
"""Why a tick was taken back within the visit in which it was made: nobody need ever hear of it."""


def untold(marks: Sequence[Mark]) -> frozenset[int]:
    """The numbers of the marks that nobody need hear of: ticks taken back at once, with what took them back."""
    return frozenset(
        number
        for of, by in corrections(marks).items()
        if isinstance(marks[of - 1], Done) and _at_once(marks[by - 1])
        for number in (of, by)
    )


def _at_once(mark: Mark) -> bool:
    return isinstance(mark, Corrected) and mark.reason == AT_ONCE


class Story:
    """A deck's marks as sentences; some need what other marks say: what a tick did, what a correction mended.

    `did` is what each tick did, by its number (`PaperState.did`).
    """

    reason: Callable[[Said], str] = staticmethod(told)
    """The words for why something was mended."""

    def __init__(self, marks: Sequence[Mark], did: Mapping[int, Sequence[Chore]]) -> None:
        self._marks = marks
        self._did = did

    def plain(self, number: int, mark: Mark) -> str:
        """The sentence of a mark of the game's own, that stands under this number or in place of what did."""
        raise NotImplementedError

    def otherwise(self, number: int, before: Mark, after: Mark) -> str:
        """What a mark says now in place of what it said."""
        return f"Instead of “{self.plain(number, before)}” it is: {self.plain(number, after)}"

    def told(self) -> tuple[str, ...]:
        """A sentence a mark, oldest first; what a correction mended says so."""
        mended = corrections(self._marks)
        return tuple(self._of(number) + _mended(mended.get(number)) for number in range(1, len(self._marks) + 1))

    def _of(self, number: int) -> str:
        mark = self._marks[number - 1]
        if isinstance(mark, Corrected):
            return self._correction(number, mark)
        if isinstance(mark, Done):
            return _done(self._did[number], mark)
        return of_no_game(mark) or self.plain(number, mark)

    def _correction(self, number: int, mark: Corrected) -> str:
        who = f"{mark.by} mended mark {mark.of}" if mark.by else f"Mark {mark.of} was mended"
        why, target = self.reason(mark.reason), self._marks[mark.of - 1]
        if isinstance(target, Corrected):
            return f"{who} ({why}). Mark {target.of} stands again as it did before that."
        if mark.instead is None:
            return f"{who} ({why}). It does not count: “{self._of(mark.of)}”"
        earlier = reversed(self._marks[: number - 1])
        before = next((one.instead for one in earlier if isinstance(one, Corrected) and one.of == mark.of), None)
        return f"{who} ({why}). {self.otherwise(mark.of, before or target, mark.instead)}"


def of_no_game(mark: Mark) -> str:
    """The sentence of a mark that says nothing of the deck itself and is told alike in every game; "" of any other."""
    match mark:
        case Joined(_, fork, kept):
            return f"What another home told of it from mark {fork} on was taken in{_KEPT[kept]}."
        case Tagged(tags, off):
            told = [f"tagged {', '.join(tags)}"] if tags else []
            told += [f"no longer tagged {', '.join(off)}"] if off else []
            return f"It is {' and '.join(told)}."
    return ""


def _mended(by: int | None) -> str:
    return f" (Corrected by mark {by}.)" if by else ""


def _done(done: Sequence[Chore], mark: Done) -> str:
    texts = [f"{chore.text[0].lower()}{chore.text[1:]}" for chore in done]
    more = len(texts) - _MOST_NAMED
    listed = "; ".join(texts[:_MOST_NAMED] if more > 1 else texts)
    tail = f"; and {more} more" if more > 1 else ""
    what = "Found so in the box" if mark.seen else "Done by hand"
    return f"{what}{f', by {mark.by}' if mark.by else ''}: {listed or 'nothing'}{tail}."
