"""The record of a deck: its marks, their reasons, its story in sentences, and its facts as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from companion.tabletop.action import RuleError, written_out
from companion.tabletop.words import title_of_word
from templates.languages.messages import (
    Language,
    Message,
    Text,
    declared,
    joined,
    listed,
    phrase,
    phrases,
    render_value,
)


class Reason(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A reason that the program gives. Codes are stored and never change; arguments are facts."""

    code: str
    args: tuple[int | str, ...] = ()


ReasonOrText = str | Reason
"""A user's own words, which stay unchanged, or a reason of the program."""

Texts = Mapping[str, Callable[..., Text]]
"""The texts of reasons, by their codes; each takes the arguments of its code, and returns a message.

Codes and arguments are stored, and may come from a newer program or another archive: what an argument must be, such as
a number, has to be checked by the function itself, not when its message is rendered.
"""

# Translators: Reasons stand in brackets or behind a colon: “Ana corrected entry 3 (set by hand).”
GENERAL_REASONS: Final[Texts] = {
    "renamed": lambda: phrase("a new name"),
    "box-looked-through": lambda: phrase("the box was checked"),
    "photographed": lambda: phrase("seen in a photograph"),
    "told-elsewhere-holds": lambda: phrase("the history from the other home holds"),
    "told-here-holds": lambda: phrase("the history diverged in another home; the one from here holds"),
    "decided-later": lambda: phrase("two homes decided differently; the later decision holds"),
    "ticked-by-mistake": lambda: phrase("ticked off by mistake"),
    "ticked-at-once": lambda: phrase("ticked off by mistake, and undone at once"),
    "by-hand": lambda: phrase("set by hand"),
    "outcome": lambda outcome: title_of_word(str(outcome)),
    "won": lambda players: phrase("{players} won", players=str(players)),
    "draw": lambda: phrase("a draw"),
    "counter": lambda counter, value: joined(" ", (str(counter), title_of_word(str(value)))),
    "step": lambda step: title_of_word(str(step)),
}
"""Reasons that belong to no particular game."""


def describe_reason(reason: ReasonOrText, texts: Texts = GENERAL_REASONS) -> Text:
    """Return the words for a reason; for an unknown code (from a newer program), its code and arguments."""
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
    """One permanent mark in the life of a deck. Its time and author are in the entry of the archive, not here.

    Marks are numbered from 1 in the order in which they were made.
    """


class Corrected(Mark, frozen=True, tag="corrected"):
    """A correction of an earlier mark: the mark no longer counts, or `instead` counts in its place.

    `of` is the number of the mark. A correction can be corrected, which puts the mark back in force. If a game can
    replace marks and not only take them back, its subclass defines the marks that `instead` may be.
    """

    of: int
    reason: ReasonOrText
    by: str = ""
    instead: Mark | None = None


class Renamed(Mark, frozen=True, tag="renamed"):
    """A new name of the deck."""

    name: str
    reason: ReasonOrText
    by: str = ""


class HandedOn(Mark, frozen=True, tag="handed-on"):
    """A new holder of the deck; `person` is their id if the name is ambiguous."""

    holder: str
    person: str = ""


class Retired(Mark, frozen=True, tag="retired"):
    """The retirement of the deck; its name is never used again."""

    by: str = ""


class Done(Mark, frozen=True, tag="done"):
    """A tick: a user did by hand what earlier marks required; `chores` are ids in the form of `Chore.id`.

    `seen`: the work was found done. `did` are the spots with their new texts, which do not depend on any order in the
    program; older ticks have only ids.
    """

    chores: tuple[str, ...]
    by: str = ""
    seen: bool = False
    did: dict[str, str] = msgspec.field(default_factory=dict)


class Joined(Mark, frozen=True, tag="joined"):
    """A merge of the deck's story from another archive, up to the entry with the hash `head`.

    Both stories are the same before the mark number `fork`. `kept` says which one holds from there on; the merged marks
    precede this mark.
    """

    head: str
    fork: int
    kept: Literal["mine", "theirs", "both"]


class Tagged(Mark, frozen=True, tag="tagged"):
    """Tags that users add to a deck, or remove (`off`), to find it among others: `league`, `to be repaired`.

    Tags do not change the deck itself, so games ignore them.
    """

    tags: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class EditionTaken(Mark, frozen=True, tag="edition-taken"):
    """A change of the edition: the deck follows the page with the digest `page` from now on.

    Earlier marks stay as they are; the deck itself does not change.
    """

    page: str
    edition: int
    title: str = ""
    by: str = ""


class Recognized(Mark, frozen=True, tag="recognized"):
    """Labels without a card that were seen on the deck and placed by a user: their numbers, with the spots.

    The deck itself does not change.
    """

    labels: dict[str, str]
    by: str = ""


GENERAL_MARKS: tuple[type[Mark], ...] = (Corrected, Done, Joined, Tagged, EditionTaken, Recognized)
"""Marks that decks of every game can have."""

SILENT_MARKS: Final = (Joined, Tagged, EditionTaken, Recognized)
"""Marks that do not change the deck itself."""


class Chore(msgspec.Struct, frozen=True):
    """Something to do by hand, until a user ticks it off.

    `spot` is the place on paper and `value` its new text ("" for nothing). `mark` is the number of the mark that
    requires it, and `place` numbers the chores of one mark. `unsure`: the spot must be empty, and its text was never
    ticked off as written.
    """

    mark: int
    place: int
    spot: str
    value: str
    text: Text
    unsure: bool = False

    @property
    def id(self) -> str:
        """The id that ticks it off: `12.1`."""
        return f"{self.mark}.{self.place}"


class Due(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A chore as stored in lists, without its sentence; see `Chore`."""

    mark: int
    place: int
    spot: str
    value: str
    unsure: bool = False


class Record(msgspec.Struct, frozen=True):
    """The common part of a deck's record; a game adds its own fields.

    `holders` are all holders in order. `person` is the id of the present holder if the name is ambiguous. `page` is the
    digest of the page that describes its game, as `Game.page`.
    """

    game: str
    name: str
    holder: str = ""
    retired: bool = False
    holders: tuple[str, ...] = ()
    person: str = ""
    page: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """The record as plain facts for people: its fields by their names, in JSON's types."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class Payment(msgspec.Struct, frozen=True):
    """An amount that went into a person's purse, or out of it (below 0), and the reason; in the currency of the game.

    `person` is the id of the person if the name is ambiguous; see `companion.archive.people.people`.
    """

    name: str
    amount: int
    reason: ReasonOrText
    person: str = ""


class DeckReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A reading of a deck's record: the number of its entries then, and the checksum of the last."""

    deck: str
    length: int
    checksum: int


class DeckFigure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A figure of a deck in lists: its name in data formats, its title, and its value.

    The `title` is stored in English, and is shown as `caption`.
    """

    name: str
    title: str
    value: int

    @property
    def caption(self) -> Message:
        """The title for display."""
        return declared(self.title)


class Keepsake(msgspec.Struct, frozen=True):
    """A keepsake besides money that a person keeps until a later game uses it up: `change` more (or fewer) of `what`.

    `what` is a word of the game, which returns the keepsakes at the next set-up. `person` is the id of the person if
    the name is ambiguous.
    """

    name: str
    what: str
    change: int
    person: str = ""


def corrections(marks: Sequence[Mark]) -> Mapping[int, int]:
    """Return the numbers of corrected marks with those of their corrections; corrected corrections do not count."""
    mended: dict[int, int] = {}
    for number in range(len(marks), 0, -1):
        mark = marks[number - 1]
        if isinstance(mark, Corrected) and number not in mended:
            mended.setdefault(mark.of, number)
    return mended


def effective(marks: Sequence[Mark]) -> Iterator[tuple[int, Mark]]:
    """Yield the marks that count with their numbers: corrected marks are left out or replaced.

    Ticks are included; corrections are not, nor marks that do not change the deck.
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
    """Raise RuleError if a mark's number is wrong, or the mark is already corrected."""
    if not 1 <= of <= len(marks):
        raise RuleError(
            phrase(
                "There is no entry {number}; the history has the entries 1 to {last}.",
                number=str(of),
                last=str(len(marks)),
            )
        )
    if isinstance(marks[of - 1], Joined):
        raise RuleError(
            phrase(
                "Entry {number} adds the history from another home and cannot be reverted as a "
                "whole; correct single entries.",
                number=str(of),
            )
        )
    if isinstance(marks[of - 1], EditionTaken):
        raise RuleError(
            phrase(
                "Entry {number} sets the deck's edition; set the right edition instead.",
                number=str(of),
            )
        )
    mended = corrections(marks)
    if of in mended:
        raise RuleError(
            phrase(
                "Entry {number} is corrected already, by entry {later}; correct that one to go back.",
                number=str(of),
                later=str(mended[of]),
            )
        )


_MOST_NAMED: Final = 4

AT_ONCE: Final = Reason("ticked-at-once")
"""The reason for taking back a tick within the visit in which it was made: it is never reported."""


def hidden_marks(marks: Sequence[Mark]) -> frozenset[int]:
    """Return the numbers of marks that are not reported: ticks taken back at once, and their corrections."""
    return frozenset(
        number
        for of, by in corrections(marks).items()
        if isinstance(marks[of - 1], Done) and getattr(marks[by - 1], "reason", None) == AT_ONCE
        for number in (of, by)
    )


class RecordStory:
    """The marks of a deck as sentences; some depend on other marks: the chores of a tick, the mark that was corrected.

    `did` are the chores of each tick, by its number (`PaperState.did`).
    """

    reason: Callable[[ReasonOrText], Text] = staticmethod(describe_reason)
    """The words for the reason of a correction."""

    def __init__(self, marks: Sequence[Mark], did: Mapping[int, Sequence[Chore]]) -> None:
        self._marks = marks
        self._did = did

    def plain(self, number: int, mark: Mark) -> Text:
        """Return the sentence of a mark of the game itself, with this number or in place of the mark with it."""
        raise NotImplementedError

    def otherwise(self, number: int, before: Mark, after: Mark) -> Text:
        """Return the sentence for a mark that was replaced by another."""
        # Translators: {before} and {after} are whole sentences.
        return phrase(
            "Instead of “{before}”: {after}", before=self.plain(number, before), after=self.plain(number, after)
        )

    def sentences(self) -> tuple[Text, ...]:
        """Return one sentence for each mark, oldest first; corrected marks say so."""
        mended = corrections(self._marks)
        return tuple(
            joined(" ", (self._of(number), phrase("(Corrected by entry {number}.)", number=str(mended[number]))))
            if number in mended
            else self._of(number)
            for number in range(1, len(self._marks) + 1)
        )

    def _of(self, number: int) -> Text:
        mark = self._marks[number - 1]
        if isinstance(mark, Corrected):
            return self._correction(number, mark)
        if isinstance(mark, Done):
            return _done_text(self._did[number], mark)
        return describe_general(mark) or self.plain(number, mark)

    def _correction(self, number: int, mark: Corrected) -> Message:
        of, why, target = str(mark.of), self.reason(mark.reason), self._marks[mark.of - 1]
        if mark.by:
            who = phrase("{person} corrected entry {number} ({reason}).", person=mark.by, number=of, reason=why)
        else:
            who = phrase("Entry {number} was corrected ({reason}).", number=of, reason=why)
        if isinstance(target, Corrected):
            again = phrase("Entry {number} holds again as it did before.", number=str(target.of))
            return joined(" ", (who, again))
        if mark.instead is None:
            # Translators: {sentence} is what the mark says.
            return joined(" ", (who, phrase("This does not count: “{sentence}”", sentence=self._of(mark.of))))
        earlier = reversed(self._marks[: number - 1])
        before = next((one.instead for one in earlier if isinstance(one, Corrected) and one.of == mark.of), None)
        return joined(" ", (who, self.otherwise(mark.of, before or target, mark.instead)))


def describe_general(mark: Mark) -> Text:
    """Return the sentence of a mark that does not change the deck and reads alike in every game; "" for any other."""
    match mark:
        case Joined():
            return _joined_text(mark)
        case Tagged(tags, off):
            if tags and off:
                return phrase(
                    "It is tagged {tags} and no longer tagged {removed}.", tags=listed(tags), removed=listed(off)
                )
            if off:
                return phrase("It is no longer tagged {tags}.", tags=listed(off))
            return phrase("It is tagged {tags}.", tags=listed(tags))
        case EditionTaken():
            return _edition_text(mark)
        case Recognized(labels, by):
            if by:
                return phrases(
                    "One label is known by its code now, as {person} said.",
                    "{n} labels are known by their codes now, as {person} said.",
                    n=len(labels),
                    person=by,
                )
            return phrases(
                "One label is known by its code now.", "{n} labels are known by their codes now.", n=len(labels)
            )
    return ""


def _joined_text(mark: Joined) -> Message:
    fork = str(mark.fork)
    match mark.kept:
        case "mine":
            return phrase(
                "Its history from another home, from entry {number} on, was imported but does not count.", number=fork
            )
        case "theirs":
            return phrase(
                "Its history from another home, from entry {number} on, was imported and counts "
                "instead of the one from here.",
                number=fork,
            )
        case "both":
            return phrase("Its history from another home, from entry {number} on, was imported.", number=fork)


def _edition_text(mark: EditionTaken) -> Message:
    edition = str(mark.edition)
    if mark.title and mark.by:
        return phrase(
            "It goes by edition {edition} of {game} now, as {person} decided.",
            edition=edition,
            game=mark.title,
            person=mark.by,
        )
    if mark.title:
        return phrase("It goes by edition {edition} of {game} now.", edition=edition, game=mark.title)
    if mark.by:
        return phrase("It goes by edition {edition} now, as {person} decided.", edition=edition, person=mark.by)
    return phrase("It goes by edition {edition} now.", edition=edition)


class _Uncapitalized(Message):
    """A sentence without its capital letter, for a place behind a colon."""

    __slots__ = ("sentence",)

    def __init__(self, sentence: Text) -> None:
        self.sentence = sentence

    def render(self, language: Language) -> str:
        text = render_value(self.sentence, language)
        return text[:1].lower() + text[1:]

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.sentence,)


def _done_text(done: Sequence[Chore], mark: Done) -> Message:
    texts: list[Text] = [_Uncapitalized(chore.text) for chore in done]
    more = len(texts) - _MOST_NAMED
    if more > 1:
        # Translators: It ends a list of things that were done: “write the name on the box; and 3 more”.
        texts[_MOST_NAMED:] = [phrases("and {n} more", "and {n} more", n=more)]
    what = joined("; ", texts) if texts else phrase("nothing")
    # Translators: {what} is what was done, such as “write the name on the box”.
    if mark.seen:
        if mark.by:
            return phrase("Found in the box by {person}: {what}.", person=mark.by, what=what)
        return phrase("Found in the box: {what}.", what=what)
    if mark.by:
        return phrase("Done by hand, by {person}: {what}.", person=mark.by, what=what)
    return phrase("Done by hand: {what}.", what=what)


_IN_THE_TITLE: Final = ("game", "name", "person", "page")
_BETWEEN: Final = " · "


class Fact(NamedTuple):
    """A row at a nesting level: a `name` alone heads the following rows, a `text` alone is one of several values."""

    level: int
    name: Text
    text: Text


def facts(record: Record) -> Iterator[Fact]:
    """Yield the contents of a record, without empty fields and those in its title."""
    return _fields(record, 0, _IN_THE_TITLE)


def _stored_values(value: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a struct by their stored names, each with its value."""
    for name, field in zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True):
        yield name, getattr(value, field)


def _fields(value: msgspec.Struct, level: int, but: tuple[str, ...] = ()) -> Iterator[Fact]:
    for field, held in _stored_values(value):
        if field in but or held in (None, "", (), False) or (isinstance(held, dict) and not held):
            continue
        yield from _field(declared(field.replace("_", " ").capitalize()), held, level)


def _field(name: Text, held: Any, level: int) -> Iterator[Fact]:
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


def _in_a_row(held: Any) -> Text:
    """Return a value in one row: a struct by the contents of its fields, a list by its items."""
    if isinstance(held, msgspec.Struct):
        parts = (_part(field, part) for field, part in _stored_values(held) if part not in (None, "", (), False))
        return joined(_BETWEEN, parts)
    if isinstance(held, tuple | list | frozenset):
        return listed(_in_a_row(item) for item in held)
    return title_of_word("yes") if held is True else str(held)


def _part(field: str, part: Any) -> Text:
    name = declared(field.replace("_", " "))
    return name if part is True else joined(" ", (name, str(part))) if isinstance(part, int) else _in_a_row(part)
