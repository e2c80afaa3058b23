"""Actions in the form in which the log stores them, so that it replays without the archive and without chance."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from typing import TypeGuard

import msgspec

from companion.games import registry
from companion.session.core.decks_in_play import MovedDeck
from companion.session.core.log import Log
from companion.session.core.shelf import RecordShelf, Shelf, UnclearPerson
from companion.tabletop.action import NEW_PERSON, Action, DeckId, RuleError
from companion.tabletop.notation.notation import conceal
from companion.tabletop.records import DeckReading, Record
from companion.tabletop.table.common_actions import REVISIONS, Begin, Coach, RefreshDeck, Seat
from templates.languages.messages import joined, phrase

_SEAT_FIELDS = frozenset({"seat", "name", "deck", "person"})
"""Fields that a line may set for a seat whose stored deck is still to be written out."""


class ActionExpander:
    """Expands actions at the end of a log: seeds are drawn, and stored decks and purses become lines.

    `moved` are the decks of the table whose records have moved on.
    """

    def __init__(self, log: Log, shelf: Shelf | None, moved: Sequence[MovedDeck]) -> None:
        self._log = log
        self._shelf = shelf
        self._moved = moved

    def expand(self, actions: Sequence[Action]) -> list[tuple[Action, tuple[DeckReading, ...]]]:
        """Return actions as the log stores them, each with how far the record of its deck had come.

        Chance gets a seed, stored decks become the lines that describe them, and cards named to the coach are removed.
        """
        spelled: list[tuple[Action, tuple[DeckReading, ...]]] = []
        for action in actions:
            if isinstance(getattr(action, "action", action), Coach):
                # The cards named to the coach must fit; only the player who asked knows them.
                if isinstance(action, Coach):
                    self._log.game.apply(self._log.state, action)
                spelled.append((conceal(action), ()))
            elif isinstance(action, RefreshDeck) and action.is_bare:
                spelled.append(self._read_anew(action))
            elif _is_bare(action):
                read, (first, *rest) = self._reading(action.deck), self._deck_lines(action)
                spelled += [(first, read), *((line, ()) for line in rest)]
            else:
                # A deck that was stored during the game is known as it is now.
                deck = "" if isinstance(action, Seat | RefreshDeck) else getattr(action, "deck", "")
                first, *rest = self._with_purse(_add_seed(action))
                spelled += [(first, self._reading(deck) if deck else ()), *((line, ()) for line in rest)]
        return spelled

    def _read_anew(self, action: RefreshDeck) -> tuple[Action, tuple[DeckReading, ...]]:
        """Return a deck of this table as its record has it now. Raises RuleError."""
        stored = self._log.game.stored_decks(self._log.state).get(action.seat)
        if stored is None or self._shelf is None:
            return action, ()  # the rules say why not
        seats = (moment.action for moment in self._log.position.head.past())
        seat = next((each for each in seats if isinstance(each, Seat) and each.seat == action.seat), None)
        name, person = (seat.title, seat.person) if seat else ("", "")
        # First read how far the record has come, so that a write in between is noticed.
        read = self._reading(stored.deck)
        try:
            lines = self._deck_lines(Seat(action.seat, name, stored.deck, person))
        except RuleError as error:
            way_out = phrase("`off-record {seat}` plays on without its record.", seat=action.seat)
            raise RuleError(joined(" ", (error.message, way_out))) from error
        texts = tuple(map(self._log.notation.format, lines))
        holder = next((each.holder for each in self._moved if each.seat == action.seat), "")
        return RefreshDeck(action.seat, stored.deck, holder, texts), read

    def _reading(self, deck: str) -> tuple[DeckReading, ...]:
        """Return how far the record of a deck has come; empty for an unknown deck, which is refused later."""
        with contextlib.suppress(RuleError):
            return (self._shelf.reading(deck),) if isinstance(self._shelf, RecordShelf) else ()
        return ()

    def _with_purse(self, action: Action) -> tuple[Action, ...]:
        """Return a seat without a stored deck, followed by the lines of its player's purse.

        There are none unless the game keeps purses and the seat identifies the person. Raises UnclearPerson or
        RuleError.
        """
        is_known = isinstance(action, Seat) and action.person and not action.deck
        if not (is_known and self._log.game.purses.without_decks and self._shelf):
            return (action,)
        assert isinstance(action, Seat)
        purse = self._shelf.purse(action.title, action.person)
        seat = msgspec.structs.replace(action, person=purse.person)
        return (seat, *self._log.game.purses.setup_lines(action.seat, purse.amount))

    def _deck_lines(self, seat: Seat) -> tuple[Action, ...]:
        """Return a stored deck as the lines that describe it.

        Raises RuleError if it is missing or belongs to another game.
        """
        if self._shelf is None:
            raise RuleError(
                phrase("No decks are stored here, so “{deck}” cannot be found; enter the deck by hand.", deck=seat.deck)
            )
        deck, record = self._shelf.deck(seat.deck)
        if record.game != self._log.game.name:
            raise RuleError(
                phrase(
                    "{deck} is a deck of {game}; this table plays {other}.",
                    deck=record.name,
                    game=record.game,
                    other=self._log.game.name,
                )
            )
        if not registry.is_of(self._log.game, record.game, record.page):
            raise RuleError(
                phrase(
                    "{deck} is a deck of another game that is also called {game}.", deck=record.name, game=record.game
                )
            )
        occupant = self._occupant(seat.seat)
        if seat.seat == self._log.game.decks.table_seat:
            return self._lines_of_table(seat, deck, record)
        name = seat.name or (occupant.title if occupant else record.holder)
        person = occupant.person if occupant and not seat.person and occupant.title == name else seat.person
        try:
            purse = self._shelf.purse(name, person)
        except UnclearPerson as error:
            lines = (msgspec.structs.replace(seat, person=person) for person in (error.people[0][0], NEW_PERSON))
            same, new = map(self._log.notation.format, lines)
            # Translators: {same} and {new} are lines to type.
            answers = phrase("`{same}` says which, `{new}` that it is somebody else.", same=same, new=new)
            raise UnclearPerson(name, error.people, answers) from None
        first, *rest = self._log.game.setup_lines(seat.seat, record, purse.amount, purse.kept_of(self._log.game))
        fields = {**msgspec.structs.asdict(first), "name": name, "deck": deck, "person": purse.person}
        # A latecomer is seated by a line of its own kind.
        kind = type(seat) if isinstance(seat, type(first)) else type(first)
        return (kind(**fields), *rest)

    def _lines_of_table(self, seat: Seat, deck: DeckId, record: Record) -> tuple[Action, ...]:
        """Return the lines of a record that belongs to the whole table, and so to no person."""
        first, *rest = self._log.game.setup_lines(seat.seat, record)
        assert isinstance(first, Seat)
        return (msgspec.structs.replace(first, name=record.name, deck=deck), *rest)

    def _occupant(self, seat: str) -> Seat | None:
        """Return the line that seated the current occupant of a seat."""
        lines = (moment.action for moment in reversed(self._log.moments()))
        return next((line for line in lines if isinstance(line, Seat) and line.seat == seat), None)


def _is_bare(action: Action) -> TypeGuard[Seat]:
    """Return True if an action seats a player with a stored deck and does not describe the deck yet."""
    if isinstance(action, REVISIONS) and _is_bare(action.action):
        raise RuleError(
            phrase("A stored deck takes several lines of the log; undo the seat, or amend those lines one by one.")
        )
    return (
        isinstance(action, Seat)
        and action.deck != ""
        and all(
            field.name in _SEAT_FIELDS or getattr(action, field.name) == field.default
            for field in msgspec.structs.fields(type(action))
        )
    )


def reads_shelf(action: Action) -> bool:
    """Return True if an action reads a stored deck."""
    return _is_bare(action) or (isinstance(action, RefreshDeck) and action.is_bare)


def _add_seed(action: Action) -> Action:
    """Return a beginning with a random seed, so that it replays to the same table."""
    if isinstance(action, REVISIONS):
        return msgspec.structs.replace(action, action=_add_seed(action.action))
    if isinstance(action, Begin) and action.seed is None:
        return msgspec.structs.replace(action, seed=int.from_bytes(os.urandom(4)))
    return action
