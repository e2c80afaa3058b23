"""The log of one sitting and the table it adds up to. Append-only: undo, redo and amend are lines of it like any other.

Every moment knows the one before, so undo costs the same however long the log is, and nothing is ever copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.games import registry
from companion.games.action import Action, NotationError, RuleError, Tell
from companion.games.game import Game
from companion.games.lines import CHECKS, LOG, Amend, Begin, OpenTable, Redo, Undo
from companion.games.notation import Notation


class Line(msgspec.Struct, frozen=True):
    """One line of the log. Lines of one intention share a `group`; `at` is UTC in ISO 8601, `by` who entered it."""

    number: int
    text: str
    group: int
    at: str = ""
    by: str = ""


class Moment:
    """The table after one action. `before` is the moment it followed on.

    `back` is the moment that undo leads to, and `entered` the line that it takes back: where an earlier line was
    amended, the `amend` and not the action that came last.
    """

    __slots__ = ("action", "back", "before", "entered", "group", "number", "state", "tells", "text")

    def __init__(
        self,
        before: Moment | None,
        action: Action,
        text: str,
        state: Any,
        tells: tuple[Tell, ...],
        number: int,
        group: int,
        back: Moment | None = None,
        entered: str = "",
    ) -> None:
        self.before = before
        self.back = back or before
        self.entered = entered or text
        self.action = action
        self.text = text
        self.state = state
        self.tells = tells
        self.number = number
        self.group = group

    def past(self) -> Iterator[Moment]:
        """This moment and those before it, newest first, without the opening of the table."""
        moment: Moment | None = self
        while moment is not None and moment.before is not None:
            yield moment
            moment = moment.before


class Position(NamedTuple):
    """Where a log stands: its newest moment, and what `redo` would bring back, next one first."""

    head: Moment
    undone: tuple[Moment, ...] = ()


class Proposal(NamedTuple):
    """What one line would do: the line as it will stand in the log, where that leads, and what there is to tell."""

    line: Line
    position: Position
    tells: tuple[Tell, ...]


def notation_of(game: Game) -> Notation:
    """Everything that can stand in a game's `.table` file."""
    return Notation((*LOG, *game.actions, *CHECKS))


class Log:
    """A game's log. `preview` says what a line would do; `add` makes it so."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.notation = notation_of(game)
        opening = OpenTable(game.name)
        text = self.notation.format(opening)
        self.lines: list[Line] = [Line(1, text, 1)]
        self.position = Position(Moment(None, opening, text, game.new(), (), 1, 1))

    @classmethod
    def open(cls, first: str) -> Log:
        """An empty log, from its first line (`table GAME`). Raises NotationError."""
        opening = Notation((OpenTable,)).parse(first)
        assert isinstance(opening, OpenTable)
        return cls(registry.game(opening.game))

    @property
    def state(self) -> Any:
        """The table now."""
        return self.position.head.state

    def preview(
        self, action: Action, group: int, position: Position | None = None, number: int | None = None
    ) -> Proposal:
        """What a line would do, without doing it. Raises RuleError where it is against the rules."""
        position = position or self.position
        number = number or len(self.lines) + 1
        if isinstance(action, Undo):
            return self._undo(position, number, group)
        if isinstance(action, Redo):
            return self._redo(position, number, group)
        if isinstance(action, Amend):
            return self._amend(action, position, number, group)
        if isinstance(action, (*CHECKS, OpenTable)):
            raise RuleError(f"`{action.verb()}` cannot be entered here; it belongs into a .table file.")
        moment = self._follow(position.head, self._complete(position.head.state, action), number, group)
        return Proposal(Line(number, moment.text, group), Position(moment), moment.tells)

    def add(self, proposal: Proposal) -> None:
        """Take a previewed line into the log."""
        self.lines.append(proposal.line)
        self.position = proposal.position

    def recall(self, line: Line) -> tuple[Tell, ...]:
        """Play a stored line again. Raises NotationError or RuleError where it does not fit the log."""
        if line.number != len(self.lines) + 1:
            raise NotationError(f"Line {line.number} of the log follows on line {len(self.lines)}; a line is missing.")
        proposal = self.preview(self.notation.parse(line.text), line.group)
        self.add(proposal._replace(line=line))
        return proposal.tells

    def moments(self) -> tuple[Moment, ...]:
        """What holds now, oldest first: neither what was undone nor what was amended away."""
        return tuple(self.position.head.past())[::-1]

    def _complete(self, state: Any, action: Action) -> Action:
        """Chance follows from the seed and the draws before: a draw undone and drawn again is the same draw."""
        seed = action.seed if isinstance(action, Begin) else state.seed
        return self.game.resolve(state, action, Random(f"{seed}:{state.drawn}"))

    def _follow(self, before: Moment, action: Action, number: int, group: int) -> Moment:
        state, tells = self.game.apply(before.state, action)
        return Moment(before, action, self.notation.format(action), state, tells, number, group)

    def _undo(self, position: Position, number: int, group: int) -> Proposal:
        head = position.head
        if head.before is None or head.back is None:
            raise RuleError("There is nothing to undo.")
        self._refuse_if_sealed(position)
        tell = Tell(f"Taken back: {head.entered}")
        return Proposal(Line(number, "undo", group), Position(head.back, (head, *position.undone)), (tell,))

    def _redo(self, position: Position, number: int, group: int) -> Proposal:
        if not position.undone:
            raise RuleError("There is nothing to redo.")
        head, *rest = position.undone
        told = head.tells if head.entered == head.text else ()
        tell = Tell(f"Done again: {head.entered}")
        return Proposal(Line(number, "redo", group), Position(head, tuple(rest)), (tell, *told))

    def _amend(self, amend: Amend, position: Position, number: int, group: int) -> Proposal:
        """Play the history again with one line replaced; what became illegal is left out and listed."""
        if isinstance(amend.action, (*LOG, *CHECKS)):
            raise RuleError(
                f"Line {amend.line} can be amended to an action of the game, not to `{amend.action.verb()}`."
            )
        self._refuse_if_sealed(position)
        past = list(position.head.past())
        at = next((index for index, moment in enumerate(past) if moment.number == amend.line), None)
        if at is None:
            raise RuleError(f"Line {amend.line} holds no action that counts now; look for its number in the log.")
        old = past[at]
        assert old.before is not None
        action = self._complete(old.before.state, amend.action)
        head = self._follow(old.before, action, old.number, old.group)
        lost: list[Tell] = []
        for moment in reversed(past[:at]):
            try:
                # What was complete on the old table may leave something to chance on this one.
                again = self._complete(head.state, moment.action)
                head = self._follow(head, again, moment.number, moment.group)
            except RuleError as error:
                lost.append(Tell(f"Left out, as it no longer fits: {moment.text} ({error})"))
        text = self.notation.format(Amend(amend.line, action))
        tells = (Tell(f"Amended: {old.text} → {self.notation.format(action)}"), *lost)
        # The amendment is one intention of its own: undo leads from it to the table as it was before.
        head = Moment(
            head.before, head.action, head.text, head.state, head.tells, head.number, group, position.head, entered=text
        )
        return Proposal(Line(number, text, group), Position(head), tells)

    def _refuse_if_sealed(self, position: Position) -> None:
        if self.game.marks(position.head.state):
            raise RuleError("This game is sealed into its decks' records; a mistake is mended there, by a correction.")
