"""One sitting: people's lines go in, the journal keeps them, the table follows. Nothing is shown that is not kept."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeGuard

import msgspec

from companion.games.action import Action, DeckId, NotationError, RuleError, Tell
from companion.games.game import Game
from companion.games.lines import Amend, Begin, Redo, Seat, Undo
from companion.games.notation import Notation
from companion.games.records import Mark, Payment, Record
from companion.games.table import TableView
from companion.session.log import Line, Log, Moment, Proposal

Marks = Mapping[DeckId, tuple[Mark, ...]]


class Sealing(NamedTuple):
    """What a sealed game writes into its decks' records and its people's purses; nothing as long as it goes on."""

    marks: Marks = MappingProxyType({})
    payments: tuple[Payment, ...] = ()


class Journal(Protocol):
    """Where a sitting's lines are kept."""

    session: str
    """What the sitting is called there."""

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> None:
        """Write the lines, and what a sealed game leaves behind with them, durably: all of it or nothing.

        Raises Conflict where somebody else wrote in between; nothing of ours is kept then.
        """
        ...


class Shelf(Protocol):
    """What people bring to a table: their decks and their purses."""

    def deck(self, text: str) -> tuple[DeckId, Record]:
        """A stored deck by its id or its name. Raises RuleError where there is none."""
        ...

    def purse(self, name: str) -> int:
        """The Coppers in somebody's purse; 0 for somebody new."""
        ...


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Session:
    """A sitting at a table. Every change is one call of `enter`, `do`, `undo` or `redo`: one intention each."""

    def __init__(self, log: Log, journal: Journal | None = None, shelf: Shelf | None = None, by: str = "") -> None:
        self.log = log
        self._journal = journal
        self._shelf = shelf
        self._by = by
        self._viewed: tuple[Any, TableView] | None = None

    @classmethod
    def new(cls, game: Game, journal: Journal | None = None, shelf: Shelf | None = None, by: str = "") -> Session:
        """A fresh table; its first line is kept at once."""
        session = cls(Log(game), journal, shelf, by)
        if journal is not None:
            first = msgspec.structs.replace(session.log.lines[0], at=_now(), by=by)
            session.log.lines[0] = first
            journal.keep([first], Sealing(), session.view())
        return session

    @classmethod
    def resume(
        cls, lines: Iterable[Line], journal: Journal | None = None, shelf: Shelf | None = None, by: str = ""
    ) -> Session:
        """The table that stored lines add up to, undo history included.

        Raises RuleError where a line does not fit the rules of this program.
        """
        first, *rest = lines
        log = Log.open(first.text)
        log.lines[0] = first
        for line in rest:
            try:
                log.recall(line)
            except (NotationError, RuleError) as error:
                raise RuleError(f"Line {line.number} of this session cannot be played again: {error}") from error
        return cls(log, journal, shelf, by)

    @property
    def id(self) -> str:
        """What this sitting is called where it is kept; "" where it is not."""
        return self._journal.session if self._journal else ""

    @property
    def game(self) -> Game:
        """The rules in force."""
        return self.log.game

    @property
    def notation(self) -> Notation:
        """The notation of this table."""
        return self.log.notation

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.log.state

    def view(self) -> TableView:
        """What to show of the table now; drawn once for each state, however often it is asked for."""
        if self._viewed is None or self._viewed[0] is not self.state:
            self._viewed = (self.state, self.game.view(self.state))
        return self._viewed[1]

    def enter(self, text: str) -> tuple[Tell, ...]:
        """Do what a line of notation says. Raises NotationError, RuleError, or what the journal raises."""
        return self.do(self.notation.parse(text))

    def do(self, *actions: Action) -> tuple[Tell, ...]:
        """Do one intention: all of its actions, or none. Gives back what there is to tell.

        `undo` and `redo` are of the last intention, as it was done in one go.
        """
        if actions == (Undo(),):
            return self.undo()
        if actions == (Redo(),):
            return self.redo()
        return self._take(self.preview(*actions))

    def preview(self, *actions: Action) -> list[Proposal]:
        """What an intention would do, without doing it. Raises RuleError."""
        group = self.log.lines[-1].group + 1
        position, number = self.log.position, len(self.log.lines)
        proposals: list[Proposal] = []
        for action in self._spelled_out(actions):
            number += 1
            proposals.append(self.log.preview(action, group, position, number))
            position = proposals[-1].position
        return proposals

    def undo(self) -> tuple[Tell, ...]:
        """Take back the last intention."""
        return self._take(self.preview(*[Undo()] * max(1, len(self.undoable()))))

    def redo(self) -> tuple[Tell, ...]:
        """Do the last intention again that was taken back."""
        return self._take(self.preview(*[Redo()] * max(1, len(self.redoable()))))

    def undoable(self) -> tuple[Moment, ...]:
        """What `undo` would take back, newest first."""
        taken: list[Moment] = []
        moment: Moment | None = self.log.position.head
        while moment is not None and moment.back is not None and moment.group == self.log.position.head.group:
            taken.append(moment)
            moment = moment.back
        return tuple(taken)

    def redoable(self) -> tuple[Moment, ...]:
        """What `redo` would do again, in order."""
        undone = self.log.position.undone
        count = 0
        while count < len(undone) and undone[count].group == undone[0].group:
            count += 1
        return undone[:count]

    def sealing(self) -> Sealing:
        """What the game as it stands leaves behind."""
        return _sealing(self.game, self.state)

    def moments(self) -> tuple[Moment, ...]:
        """What holds now, oldest first."""
        return self.log.moments()

    def export(self) -> str:
        """The whole log as a `.table` file, one line a line."""
        return "".join(f"{line.text}\n" for line in self.log.lines)

    def _spelled_out(self, actions: Sequence[Action]) -> list[Action]:
        """Actions as the log keeps them: with a seed, and stored decks written out as the lines that describe them."""
        spelled: list[Action] = []
        for action in actions:
            spelled += self._brought(action) if _is_bare(action) else [_seeded(action)]
        return spelled

    def _brought(self, seat: Seat) -> tuple[Action, ...]:
        """A stored deck as the lines that describe it. Raises RuleError where there is none for this table."""
        if self._shelf is None:
            raise RuleError(f"No decks are stored here, so “{seat.deck}” cannot be found; enter the deck by hand.")
        deck, record = self._shelf.deck(seat.deck)
        if record.game != self.game.name:
            raise RuleError(f"{record.name} is a deck of {record.game}; this table plays {self.game.name}.")
        name = seat.name or record.holder
        first, *rest = self.game.setup_lines(seat.seat, record, self._shelf.purse(name))
        return (msgspec.structs.replace(first, name=name, deck=deck), *rest)

    def _take(self, proposals: Sequence[Proposal]) -> tuple[Tell, ...]:
        """Keep first, then show: what the journal did not take never happened."""
        at = _now()
        stamped = [
            proposal._replace(line=msgspec.structs.replace(proposal.line, at=at, by=self._by)) for proposal in proposals
        ]
        if self._journal is not None:
            state = stamped[-1].position.head.state
            self._journal.keep(
                [proposal.line for proposal in stamped], _sealing(self.game, state), self.game.view(state)
            )
        for proposal in stamped:
            self.log.add(proposal)
        return tuple(tell for proposal in stamped for tell in proposal.tells)


def _sealing(game: Game, state: Any) -> Sealing:
    return Sealing(game.marks(state), game.purses(state))


def _is_bare(action: Action) -> TypeGuard[Seat]:
    """Whether this seats somebody with a stored deck, and says nothing yet of what is in it."""
    if isinstance(action, Amend) and _is_bare(action.action):
        raise RuleError("A stored deck stands in several lines; undo the seat, or amend those lines one by one.")
    told = {"seat", "name", "deck"}
    return (
        isinstance(action, Seat)
        and action.deck != ""
        and all(
            field.name in told or getattr(action, field.name) == field.default
            for field in msgspec.structs.fields(type(action))
        )
    )


def _seeded(action: Action) -> Action:
    """A beginning with the seed of its chance, so that it replays to the same table."""
    if isinstance(action, Amend):
        return msgspec.structs.replace(action, action=_seeded(action.action))
    if isinstance(action, Begin) and action.seed is None:
        return msgspec.structs.replace(action, seed=secrets.randbelow(2**32))
    return action
