"""The names at a table that typed words can match, whether or not the rules accept them now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.session.core.session import Session
from companion.session.reading.typed_line import TypedLine, TypedWord
from companion.tabletop.notation.arguments import COUNTER, HANDLE, HANDLE_OR_SEAT, SEAT, TARGET, ArgumentKind
from companion.tabletop.notation.naming import Name, best_named
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.choices import Candidates, Open, is_word
from companion.tabletop.table.table import Draft


class KnownNames:
    """The seats, things, counters and listed names of one table."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.game, self.state = session.game, session.state
        self.view = session.view()
        self.things = {thing.target: thing for thing in self.view.things()}
        self._names: dict[Any, tuple[Name, ...]] = {}

    @classmethod
    def at(cls, line: TypedLine) -> KnownNames:
        """Return the names at the table of a line."""
        return line.find_once(_names_at)

    @property
    def turn_player(self) -> str:
        """The seat whose turn it is; "" in a game without turns."""
        count = self.view.count
        if count is None or count.name != "turn":
            return ""
        return self.active_seat

    @property
    def active_seat(self) -> str:
        """The seat that acts at present, in a game with turns or without; "" if there is none."""
        return next((seat.seat for seat in self.view.seats if "active" in seat.flags), "")

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats, beginning with the turn player."""
        seats = tuple(seat.seat for seat in self.view.seats)
        at = seats.index(self.turn_player) if self.turn_player in seats else 0
        return (*seats[at:], *seats[:at])

    def is_seat(self, value: object) -> bool:
        """Return True if a value is the word of a seat."""
        return any(seat.seat == value for seat in self.view.seats)

    def names(self, draft: Draft, argument: Argument, kind: ArgumentKind[Any]) -> tuple[Name, ...]:
        """Return the names that a word in a field can match, whether or not the rules accept them there now."""
        key = (draft.action, argument.field, kind.shape, tuple(draft.given.items()))
        if key not in self._names:
            self._names[key] = tuple(self._find_names(draft, argument, kind))
        return self._names[key]

    def _find_names(self, draft: Draft, argument: Argument, kind: ArgumentKind[Any]) -> Iterator[Name]:
        if kind is SEAT:
            yield from self.named_seats()
            return
        if kind is COUNTER:
            for counter in self.view.counters_of(str(draft.given.get("target", ""))) or ():
                yield Name(counter.name, str(counter.caption))
            return
        candidates = self.vocabulary(draft, argument)
        is_made_up = isinstance(candidates, Open)
        if isinstance(candidates, Open):
            candidates = (*candidates.fitting, *candidates.unfit, *candidates.of)
        words = [(choice, word) for choice in candidates if isinstance(word := _single(choice.value), str)]
        names = [Name(word, str(choice.title), self.number_of(word)) for choice, word in words]
        if kind in (HANDLE_OR_SEAT, TARGET):
            names += self.named_seats()
        if kind in (HANDLE, HANDLE_OR_SEAT, TARGET) and not is_made_up:
            named = (thing for thing in self.things.values() if is_word(thing.target))
            names += [Name(thing.target, str(thing.title), thing.number) for thing in named]
        names += map(Name, kind.choices)
        different: dict[str, Name] = {}
        for name in names:
            different.setdefault(name.value, name)
        yield from different.values()

    def vocabulary(self, draft: Draft, argument: Argument) -> Candidates:
        """Return the vocabulary of a field, regardless of the rules now; empty if an earlier field is omitted."""
        try:
            candidates = self.game.vocabulary(self.state, draft, argument.field)
            return candidates if isinstance(candidates, Open) else tuple(candidates)
        except LookupError:
            return ()

    def named_seats(self) -> Iterator[Name]:
        """Yield the names of all seats."""
        return (Name(seat.seat, seat.name) for seat in self.view.seats)

    def number_of(self, target: str) -> int:
        """Return the number of a thing on the board; 0 if it has none."""
        thing = self.things.get(target)
        return thing.number if thing else 0


def _names_at(line: TypedLine) -> KnownNames:
    return KnownNames(line.session)


def _single(value: Any) -> Any:
    """Return the item of a tuple of one item; any other value as it is."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def best_of(names: Iterable[Name], tokens: Sequence[TypedWord]) -> tuple[str, ...]:
    """Return the names that the words match best; several words must match a name exactly."""
    if len(tokens) > 1 and any(token.is_quoted for token in tokens):
        return ()
    word = " ".join(token.word for token in tokens)
    return best_named(names, word, whole=tokens[0].is_quoted or len(tokens) > 1)


def names_alone(line: TypedLine) -> tuple[str, ...]:
    """Return the names of the seats and things that the first word of a line matches best."""
    view = line.session.view()
    seats = [Name(seat.seat, seat.name) for seat in view.seats]
    things = [Name(thing.target, str(thing.title), thing.number) for thing in view.things() if is_word(thing.target)]
    titles = {name.value: name.title for name in (*seats, *things)}
    return tuple(dict.fromkeys(titles[value] for value in best_of((*seats, *things), line.tokens[:1])))
