"""Games that are entered with mistakes, each put right in one of the ways that people have; and what a game leaves in
records, with mistakes or without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.session.core.evenings import corrected_actions, evening_of, tallies_of
from companion.session.core.moments import Moment
from companion.session.core.session import Session
from companion.session.reports.courses import read_courses
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.table.common_actions import Add, Seat, Set
from companion.tabletop.table.table import Value

_LATER: Final = 4
"""Lines at most that are entered before somebody notices a mistake."""
POSITIONS: Final = ("step", "phase", "outcome", "active", "battle")
"""Counters that say where a table is, and are no figures that were wrong."""


class Leavings(NamedTuple):
    """All that a game leaves in records, statistics and reports."""

    marks: Any
    payments: Any
    result: Any
    evening: Any
    tallies: Any
    review: Any
    courses: Any


def leavings(session: Session) -> Leavings:
    """Return what a game leaves behind as it stands; how long it took is not compared."""
    game, head = session.game, session.log.position.head
    evening = evening_of(game, head, ())
    played = corrected_actions(game, head)
    return Leavings(
        game.marks(head.state),
        (*game.purses.payments(head.state), *game.purses.keepsakes(head.state)),
        game.results.match_result(head.state),
        evening,
        tallies_of(game, evening) if evening is not None else (),
        game.evenings.review(played),
        read_courses(game, played),
    )


def replayed(session: Session) -> Session:
    """The same game, entered line by line as it counts: without what was taken back, inserted or amended."""
    again = Session.new(session.game)
    for moment in session.moments():
        again.enter(moment.line)
    return again


Mistake = Callable[["Correcting"], bool]
"""Enters the next lines with a mistake that is put right; False where it could not be made here."""


class Correcting:
    """People who enter a game that was `right`, with mistakes.

    Each is taken back or put right within a few lines; where it has changed what happened, it was none to correct, and
    the lines are entered as they are. `same` compares tables; `own` are the mistakes of the game alone.
    """

    def __init__(
        self,
        right: Session,
        chance: Random,
        share: float,
        own: Sequence[Mistake] = (),
        same: Callable[[Any], Any] = lambda table: table,
    ) -> None:
        self.chance = chance
        self.moments: Sequence[Moment] = right.moments()
        self.session = Session.new(right.game)
        self.at = 0
        self.mistakes_made: list[str] = []
        self._share = share
        self._same = same
        self._own = own

    @property
    def game(self) -> Game:
        """Its rules."""
        return self.session.game

    def play(self) -> Session:
        """Enter the whole game."""
        while self.at < len(self.moments):
            for mistake in (*self._own, misspelled, self.chance.choice(_OF_ANY_GAME)):
                if self.at < len(self.moments) and self.chance.random() < self._share:
                    self._try(mistake)
            if self.at < len(self.moments):
                self.go_on(1)
        return self.session

    def _try(self, mistake: Mistake) -> None:
        lines, position, at = [*self.session.log.lines], self.session.log.position, self.at
        try:
            is_put_right = mistake(self) and self.is_right()
        except (NotationError, RuleError):
            is_put_right = False
        if is_put_right:
            self.mistakes_made.append(mistake.__name__)
        else:
            self.session.log.lines[:], self.session.log.position, self.at = lines, position, at

    def table(self, ahead: int = 0) -> Any:
        """The table as it should be after so many further lines."""
        return self.moments[self.at + ahead - 1].state if self.at + ahead else self.game.new()

    def is_right(self) -> bool:
        """Return True where the table is as it should be."""
        same: bool = self._same(self.session.log.state) == self._same(self.table())
        return same

    def go_on(self, count: int) -> None:
        """Enter the next lines. Raises RuleError."""
        for moment in self.moments[self.at : self.at + count]:
            self.session.enter(moment.line)
            self.at += 1

    def later(self) -> int:
        """Return how many lines pass before a mistake is noticed."""
        return min(self.chance.randint(0, _LATER), len(self.moments) - self.at - 1)

    def figures(self) -> list[tuple[str, str, Value]]:
        """The figures that can be set now: of what, which, and its value."""
        view = self.session.view()
        return [
            (target, counter.name, counter.value)
            for target in view.targets()
            for counter in view.counters_of(target) or ()
            if counter.settable and counter.name not in POSITIONS and isinstance(counter.value, int)
        ]


def wrong_figure(self: Correcting) -> bool:
    """Sets a figure by hand that is not so, and puts it right while nothing else has changed it."""
    figures = self.figures()
    if not figures:
        return False
    target, counter, value = self.chance.choice(figures)
    assert isinstance(value, int)
    later, display = self.later(), self.game.display
    passed = [self.table(ahead) for ahead in range(later + 1)]
    right = {display.figure(table, target, counter) for table in passed}
    if len(right) > 1:
        return False
    is_exact = self.game.carries_out_all and self.session.state.tracks_all
    if not is_exact and len({self.game.corrections.round_key(table) for table in passed}) > 1:
        return False
    by = self.chance.choice((-9, -4, -1, 1, 3, 8))
    with_add = not isinstance(value, bool) and self.chance.random() < 0.4
    wrong = not value if isinstance(value, bool) else value + by
    if wrong < 0:
        return False
    self.session.do(Add(target, counter, by) if with_add else Set(target, counter, _word(wrong)))
    self.go_on(later)
    now = display.figure(self.session.log.state, target, counter)
    if now is None or now.value != wrong:
        return False
    # Where people say by `add` what happens, only one that follows at once takes it back.
    takes_back = with_add and (later == 0 or not self.game.corrections.adds_are_play(self.session.state))
    self.session.do(Add(target, counter, -by) if takes_back else Set(target, counter, _word(value)))
    return True


def _word(value: int) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def taken_back(self: Correcting) -> bool:
    """Enters another line and takes it back."""
    line = self.chance.choice(self.moments).line
    self.session.enter(line)
    self.session.enter("undo")
    return True


def amended(self: Correcting) -> bool:
    """Enters another line of the same verb, goes on, and amends it."""
    right = self.moments[self.at]
    alike = [each.line for each in self.moments if type(each.action) is type(right.action) and each.line != right.line]
    if not alike:
        return False
    self.session.enter(self.chance.choice(alike))
    number = len(self.session.log.lines)
    self.at += 1
    self.go_on(self.later())
    self.session.enter(f"amend {number} {right.line}")
    return True


def inserted(self: Correcting) -> bool:
    """Forgets a line, goes on, and puts it in its place."""
    right, later = self.moments[self.at], self.later()
    if later < 1:
        return False
    self.at += 1
    number = len(self.session.log.lines) + 1
    self.go_on(later)
    self.session.enter(f"insert {number} {right.line}")
    return True


def misspelled(self: Correcting) -> bool:
    """Seats somebody by a wrong name, and amends it later."""
    right = self.moments[self.at]
    if not isinstance(right.action, Seat):
        return False
    self.session.do(replace(right.action, name="Wrogn"))
    number = len(self.session.log.lines)
    self.at += 1
    self.go_on(self.later())
    self.session.enter(f"amend {number} {right.line}")
    return True


_OF_ANY_GAME: Final = (wrong_figure, wrong_figure, taken_back, amended, inserted)
