"""The readings of a typed line: the actions that it may stand for, and the question that tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from companion.session.core.session import Session
from companion.tabletop.action import Action, AmbiguousLine, NotationError
from companion.tabletop.table.table import TableView, Thing
from companion.tabletop.words import join_with_or, title_of_word
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

Intention = tuple[Action, ...]

MOST_NAMED: Final = 6
"""Maximum number of lines named in a question; more are not worth reading."""
_COPY: Final = re.compile(r"[ -]?\d+$")


class Readings(msgspec.Struct, frozen=True):
    """The actions that a line may stand for: those that the rules accept, and those that they refuse.

    `certain` is the intention if no other reading counts. `question` is what the user must be asked or told instead.
    `unreadable` is the error in a line that looked like one of its kind; it is no reading.
    """

    accepted: tuple[Action, ...] = ()
    refused: tuple[Action, ...] = ()
    certain: Intention = ()
    question: NotationError | None = None
    unreadable: NotationError | None = None

    def __bool__(self) -> bool:
        return bool(self.accepted or self.refused or self.certain or self.question)

    @classmethod
    def of(cls, outcome: Intention | NotationError) -> Readings:
        """Return the one reading that a line has, or the reason why it has none."""
        return cls(question=outcome) if isinstance(outcome, NotationError) else cls(certain=outcome)


def join_readings(readings: Iterable[Readings], session: Session) -> Readings:
    """Return the readings of several kinds together."""
    several = [each for each in readings if each]
    if len(several) == 1:
        return several[0]
    accepted = unlike_actions((action for each in several for action in each.accepted), session)
    return Readings(accepted, tuple(action for each in several for action in each.refused))


# Equal and similar lines


def unlike_actions(actions: Iterable[Action], session: Session, *, copies: bool = True) -> tuple[Action, ...]:
    """Return each action once; of actions that differ only in equal copies of one thing, return the first."""
    several = tuple(actions)
    if len(several) <= 1:
        return several
    unlike: dict[Any, Action] = {}
    things: dict[str, tuple[Any, ...]] = {}
    if copies:
        things = {
            thing.target: (seat.seat, zone.column, thing)
            for seat in session.view().seats
            for zone in seat.zones
            for thing in zone.things
        }
    for action in several:
        line = session.notation.format(action)
        verb, *words = line.split()
        seen = (verb, *(_look(*things[word]) if word in things else word for word in words)) if copies else line
        unlike.setdefault(seen, action)
    return tuple(unlike.values())


def _look(seat: str, column: int, thing: Thing) -> tuple[Any, ...]:
    """Return a thing as the user sees it: equal copies look the same."""
    return (seat, column, stem(thing.title), thing.brief, thing.flags, thing.notes, thing.counters)


def stem(title: Text) -> str:
    """Return the title of a copy without its number: `Ash Wolf 2` is an Ash Wolf."""
    return _COPY.sub("", str(title))


def distinguish(line: str, view: TableView) -> Message:
    """Return the marks that distinguish the things in a line from others of the same name; it is false without any."""
    things = {thing.target: thing for thing in view.things()}
    names = [stem(thing.title) for thing in things.values()]
    meant = (things[word] for word in line.split()[1:] if word in things)
    marks = [
        listed(part for part in (thing.brief, *map(title_of_word, thing.flags)) if part)
        for thing in meant
        if names.count(stem(thing.title)) > 1
    ]
    return joined("; ", filter(None, marks))


def ask_which(text: str, lines: Sequence[str], session: Session) -> AmbiguousLine:
    """Return the error that several lines could be meant, with the marks that distinguish them."""
    view = session.view()
    marks = ((line, distinguish(line, view)) for line in lines[:MOST_NAMED])
    names = join_with_or(
        # Translators: A line of notation, with what tells the card in it from others of the same name.
        phrase("`{line}` ({marks})", line=line, marks=mark) if mark else f"`{line}`"
        for line, mark in marks
    )
    if len(lines) <= MOST_NAMED:
        return AmbiguousLine(phrase("“{text}” could be {lines}; say which.", text=text, lines=names), lines)
    why = phrases(
        "“{text}” could be {lines}, or one of {n} more; say which.",
        "“{text}” could be {lines}, or one of {n} more; say which.",
        n=len(lines) - MOST_NAMED,
        text=text,
        lines=names,
    )
    return AmbiguousLine(why, lines)
