"""A deck's record: the marks made on it, why each was made, its story in sentences, and its facts as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from companion.tabletop.action import RuleError, written_out


class Reason(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reason that the program gives. Codes are for ever, like everything that is stored; arguments are facts."""

    code: str
    args: tuple[int | str, ...] = ()


ReasonOrText = str | Reason
"""People's own words, which stay as they are, or a reason of the program."""

Texts = Mapping[str, Callable[..., str]]
"""How reasons are told, by their codes; each takes the arguments of its code."""

GENERAL_REASONS: Final[Texts] = {
    "renamed": "a new name".format,
    "box-looked-through": "the box was looked through".format,
    "photographed": "seen in a photograph".format,
    "told-elsewhere-holds": "the story as told in another home holds".format,
    "told-here-holds": "told otherwise in another home; the story as told here holds".format,
    "decided-later": "two homes decided differently, and what was decided later holds".format,
    "ticked-by-mistake": "ticked off by mistake".format,
    "ticked-at-once": "ticked off by mistake, and taken back at once".format,
    "by-hand": "set by hand".format,
    "outcome": str,
    "won": "{} won".format,
    "draw": "a draw".format,
    "counter": "{} {}".format,
    "step": str,
}
"""Reasons that have nothing to do with any one game."""


def describe_reason(reason: ReasonOrText, texts: Texts = GENERAL_REASONS) -> str:
    """The words for a reason; of one that no text is known for (a newer program's), its code and arguments."""
    if isinstance(reason, str):
        return reason
    text = texts.get(reason.code) or GENERAL_REASONS.get(reason.code)
    try:
        return text(*reason.args) if text else _plain(reason)
    except (TypeError, ValueError, LookupError, AttributeError):
        return _plain(reason)


def _plain(reason: Reason) -> str:
    return " ".join(map(str, (reason.code, *reason.args)))


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
    reason: ReasonOrText
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


class EditionTaken(Mark, frozen=True, tag="edition-taken"):
    """From now on the deck goes by another edition of its game's page, the one with the digest `page`.

    What was marked before stays as it is; it says nothing of the deck itself.
    """

    page: str
    edition: int
    title: str = ""
    by: str = ""


class Recognized(Mark, frozen=True, tag="recognized"):
    """Labels that know no card were seen on the deck, and somebody said on which: their numbers, with the spots.

    It says nothing of the deck itself.
    """

    labels: dict[str, str]
    by: str = ""


GENERAL_MARKS: tuple[type[Mark], ...] = (Corrected, Done, Joined, Tagged, EditionTaken, Recognized)
"""Marks that every game's decks can bear."""

SILENT_MARKS: Final = (Joined, Tagged, EditionTaken, Recognized)
"""Those that say nothing of the deck itself."""


class Chore(msgspec.Struct, frozen=True):
    """Something to do by hand, until somebody ticks it off.

    `spot` is the place on paper and `value` what it shall say then ("" for nothing any more); `mark` is the number of
    the mark that calls for it and `place` tells apart what one mark calls for. `unsure`: it shall say nothing, and
    nobody ever ticked off that it says anything.
    """

    mark: int
    place: int
    spot: str
    value: str
    text: str
    unsure: bool = False

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
    unsure: bool = False


class Record(msgspec.Struct, frozen=True):
    """What every deck's record has; a game adds its own fields.

    `holders` are all who ever held it, in order; `person` is who holds it now, where the name alone does not say it.
    `page` is the digest of the page that its game is described on, as `Game.page`.
    """

    game: str
    name: str
    holder: str = ""
    retired: bool = False
    holders: tuple[str, ...] = ()
    person: str = ""
    page: str = ""


class Payment(msgspec.Struct, frozen=True):
    """What came into somebody's purse, or went out of it (below 0), and why; in whatever the game pays in.

    `person` is who that is where the name alone does not say it; see `companion.archive.people`.
    """

    name: str
    amount: int
    reason: ReasonOrText
    person: str = ""


class DeckReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A reading of a deck's record: how many entries it had then, and the checksum of the last."""

    deck: str
    length: int
    checksum: int


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
        elif not isinstance(mark, (Corrected, *SILENT_MARKS)):
            yield number, mark


def check_correctable(marks: Sequence[Mark], of: int) -> None:
    """Raises RuleError where a mark's number is wrong, or the mark is corrected already."""
    if not 1 <= of <= len(marks):
        raise RuleError(f"There is no mark {of}; the story has the marks 1 to {len(marks)}.")
    if isinstance(marks[of - 1], Joined):
        raise RuleError(f"Mark {of} joins the story of another home and takes nothing back; correct single marks.")
    if isinstance(marks[of - 1], EditionTaken):
        raise RuleError(f"Mark {of} says by which edition the deck goes; take the edition that it shall go by instead.")
    mended = corrections(marks)
    if of in mended:
        raise RuleError(f"Mark {of} is corrected already, by mark {mended[of]}; correct that one to go back.")


_KEPT: Final = {"mine": ", and does not count", "theirs": ", and counts instead of what was told here", "both": ""}
_MOST_NAMED: Final = 4

AT_ONCE: Final = Reason("ticked-at-once")
"""Why a tick was taken back within the visit in which it was made: nobody need ever hear of it."""


def hidden_marks(marks: Sequence[Mark]) -> frozenset[int]:
    """The numbers of the marks that nobody need hear of: ticks taken back at once, with what took them back."""
    return frozenset(
        number
        for of, by in corrections(marks).items()
        if isinstance(marks[of - 1], Done) and getattr(marks[by - 1], "reason", None) == AT_ONCE
        for number in (of, by)
    )


class Story:
    """A deck's marks as sentences; some need what other marks say: what a tick did, what a correction mended.

    `did` is what each tick did, by its number (`PaperState.did`).
    """

    reason: Callable[[ReasonOrText], str] = staticmethod(describe_reason)
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

    def sentences(self) -> tuple[str, ...]:
        """A sentence a mark, oldest first; what a correction mended says so."""
        mended = corrections(self._marks)
        return tuple(
            self._of(number) + (f" (Corrected by mark {mended[number]}.)" if number in mended else "")
            for number in range(1, len(self._marks) + 1)
        )

    def _of(self, number: int) -> str:
        mark = self._marks[number - 1]
        if isinstance(mark, Corrected):
            return self._correction(number, mark)
        if isinstance(mark, Done):
            return _done(self._did[number], mark)
        return describe_general(mark) or self.plain(number, mark)

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


def describe_general(mark: Mark) -> str:
    """The sentence of a mark that says nothing of the deck itself and is told alike in every game; "" of any other."""
    match mark:
        case Joined(_, fork, kept):
            return f"What another home told of it from mark {fork} on was taken in{_KEPT[kept]}."
        case Tagged(tags, off):
            parts = [f"tagged {', '.join(tags)}"] if tags else []
            parts += [f"no longer tagged {', '.join(off)}"] if off else []
            return f"It is {' and '.join(parts)}."
        case EditionTaken(_, edition, title, by):
            decided = f", as {by} decided" if by else ""
            return f"It goes by edition {edition}{f' of {title}' if title else ''} now{decided}."
        case Recognized(labels, by):
            text = (
                "One label is known by its code"
                if len(labels) == 1
                else f"{len(labels)} labels are known by their codes"
            )
            return f"{text} now{f', as {by} said' if by else ''}."
    return ""


def _done(done: Sequence[Chore], mark: Done) -> str:
    texts = [f"{chore.text[0].lower()}{chore.text[1:]}" for chore in done]
    more = len(texts) - _MOST_NAMED
    listed = "; ".join(texts[:_MOST_NAMED] if more > 1 else texts)
    tail = f"; and {more} more" if more > 1 else ""
    what = "Found so in the box" if mark.seen else "Done by hand"
    return f"{what}{f', by {mark.by}' if mark.by else ''}: {listed or 'nothing'}{tail}."


_IN_THE_TITLE: Final = ("game", "name", "person", "page")
_BETWEEN: Final = " · "


class Fact(NamedTuple):
    """A row, so many steps within others: `name` alone heads those that follow, `told` alone is one of several."""

    level: int
    name: str
    text: str


def facts(record: Record) -> Iterator[Fact]:
    """What a record holds, without what its title says and without what holds nothing."""
    return _fields(record, 0, _IN_THE_TITLE)


def _stored_values(value: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """The fields of a struct by the names that are stored, each with its value."""
    for name, field in zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True):
        yield name, getattr(value, field)


def _fields(value: msgspec.Struct, level: int, but: tuple[str, ...] = ()) -> Iterator[Fact]:
    for field, held in _stored_values(value):
        if field in but or held in (None, "", (), False) or (isinstance(held, dict) and not held):
            continue
        yield from _field(field.replace("_", " ").capitalize(), held, level)


def _field(name: str, held: Any, level: int) -> Iterator[Fact]:
    if isinstance(held, msgspec.Struct):
        yield Fact(level, name, "")
        yield from _fields(held, level + 1)
    elif isinstance(held, tuple | list) and any(isinstance(item, msgspec.Struct) for item in held):
        yield Fact(level, name, "")
        yield from (Fact(level + 1, "", _in_a_row(item)) for item in held)
    elif isinstance(held, dict):
        yield Fact(level, name, "")
        yield from (Fact(level + 1, str(key), _in_a_row(item)) for key, item in held.items())
    else:
        yield Fact(level, name, _in_a_row(held))


def _in_a_row(held: Any) -> str:
    """A value in one row: a struct by what its fields hold, a list by its items."""
    if isinstance(held, msgspec.Struct):
        parts = (_part(field, part) for field, part in _stored_values(held) if part not in (None, "", (), False))
        return _BETWEEN.join(parts)
    if isinstance(held, tuple | list | frozenset):
        return ", ".join(_in_a_row(item) for item in held)
    return "yes" if held is True else str(held)


def _part(field: str, part: Any) -> str:
    name = field.replace("_", " ")
    return name if part is True else f"{name} {part}" if isinstance(part, int) else _in_a_row(part)
