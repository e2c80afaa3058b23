"""A deck's record: the marks made on it, and what they add up to. Each game derives its own from these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from companion.games.action import RuleError, written_out
from companion.games.reasons import Said


class Mark(msgspec.Struct, frozen=True, tag_field="mark", tag=written_out):
    """One permanent mark in a deck's life. When and by whom stands in the archive's entry, not here.

    Marks are numbered from 1 in the order in which they were made.
    """


class Corrected(Mark, frozen=True, tag="corrected"):
    """Mends an earlier mark: it counts no more, or `instead` counts in its place.

    `of` is the mark's number. A correction can be corrected, which puts the mark back in force. A game whose marks are
    replaced and not only taken back says in a subclass which marks `instead` may be.
    """

    of: int
    reason: Said
    by: str = ""
    instead: Mark | None = None


class Done(Mark, frozen=True, tag="done"):
    """Somebody did by hand what earlier marks called for; `chores` are ids as `Chore.id` gives them.

    `seen`: nobody did it now, it was found to be so. `did` are the spots with what they say since, which no order of
    the program's decides; ticks of before have only ids.
    """

    chores: tuple[str, ...]
    by: str = ""
    seen: bool = False
    did: dict[str, str] = msgspec.field(default_factory=dict)


class Joined(Mark, frozen=True, tag="joined"):
    """The story of the same deck from another home was taken in, up to the entry with the hash `head`.

    Both stories are the same before the mark number `fork`; `kept` says which holds from there on, and what was made of
    them stands before this mark.
    """

    head: str
    fork: int
    kept: Literal["mine", "theirs", "both"]


class Tagged(Mark, frozen=True, tag="tagged"):
    """People call the deck so from now on, or no longer (`off`), to find it among others: `league`, `to be repaired`.

    It says nothing of the deck itself, so no game asks for it.
    """

    tags: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


GENERAL: tuple[type[Mark], ...] = (Corrected, Done, Joined, Tagged)
"""Marks that every game's decks can bear."""


class Chore(msgspec.Struct, frozen=True):
    """Something to do by hand, until somebody ticks it off.

    `spot` is the place on paper and `value` what it shall say then ("" for nothing any more); `mark` is the number of
    the mark that calls for it and `place` tells apart what one mark calls for.
    """

    mark: int
    place: int
    spot: str
    value: str
    text: str

    @property
    def id(self) -> str:
        """What ticks it off: `12.1`."""
        return f"{self.mark}.{self.place}"


class Due(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A chore as a list keeps it, without its sentence; see `Chore`."""

    mark: int
    place: int
    spot: str
    value: str


class Record(msgspec.Struct, frozen=True):
    """What every deck's record has; a game adds its own fields.

    `holders` are all who ever held it, in order; `person` is who holds it now, where the name alone does not say it.
    """

    game: str
    name: str
    holder: str = ""
    retired: bool = False
    holders: tuple[str, ...] = ()
    person: str = ""


class Payment(msgspec.Struct, frozen=True):
    """What came into somebody's purse, or went out of it (below 0), and why; in whatever the game pays in.

    `person` is who that is where the name alone does not say it; see `companion.archive.people`.
    """

    name: str
    amount: int
    reason: Said
    person: str = ""


class DeckFigure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A figure by which people know a deck in a list: its name in what programs read, its title, how much it is."""

    name: str
    title: str
    value: int


class Keepsake(msgspec.Struct, frozen=True):
    """What a game leaves with somebody besides money, until a later one uses it up: `change` more (or fewer) of `what`.

    `what` is a word of the game's own, by which it gets them back at the next set-up; `person` is who that is where the
    name alone does not say it.
    """

    name: str
    what: str
    change: int
    person: str = ""


def corrections(marks: Sequence[Mark]) -> Mapping[int, int]:
    """Which marks are corrected by which, by their numbers; a correction that was itself corrected does not count."""
    mended: dict[int, int] = {}
    for number in range(len(marks), 0, -1):
        mark = marks[number - 1]
        if isinstance(mark, Corrected) and number not in mended:
            mended.setdefault(mark.of, number)
    return mended


def effective(marks: Sequence[Mark]) -> Iterator[tuple[int, Mark]]:
    """The marks that count, each with its number: what corrections took back is left out or replaced.

    Ticks are among them; corrections are not, and nothing that says nothing of the deck itself.
    """
    mended = corrections(marks)
    for number, mark in enumerate(marks, 1):
        if number in mended:
            correction = marks[mended[number] - 1]
            if isinstance(correction, Corrected) and correction.instead is not None:
                yield number, correction.instead
        elif not isinstance(mark, Corrected | Joined | Tagged):
            yield number, mark


def check_correctable(marks: Sequence[Mark], of: int) -> None:
    """Raises RuleError where a mark's number is wrong, or the mark is corrected already."""
    if not 1 <= of <= len(marks):
        raise RuleError(f"There is no mark {of}; the story has the marks 1 to {len(marks)}.")
    if isinstance(marks[of - 1], Joined):
        raise RuleError(f"Mark {of} joins the story of another home and takes nothing back; correct single marks.")
    mended = corrections(marks)
    if of in mended:
        raise RuleError(f"Mark {of} is corrected already, by mark {mended[of]}; correct that one to go back.")
