"""A game whose rules are a table: which action does what, and in which steps it is taken.

Separate from `game.py`, which says what others may ask of any game, however its rules are written.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.games.action import Action, RuleError, Step
from companion.games.choices import Candidates, by_kind
from companion.games.draft import Draft
from companion.games.game import Game
from companion.games.rules import ActionRule, Resolution


class GameOfSteps(Game):
    """It has `apply` and `candidates` from here. A step may be a phase or a stage, as its book calls them."""

    rules: ClassVar[Mapping[type[Action], ActionRule]]
    """What each of its actions does, and in which steps."""
    resolution: ClassVar[type[Resolution[Any]]]
    """What its actions change, while one is carried out."""

    @abstractmethod
    def step_of(self, state: Any) -> str:
        """The step in which the table is, `setup` before the game."""
        ...

    @abstractmethod
    def not_now(self, verb: str, rule: ActionRule, step: str) -> str:
        """Why an action does not fit in this step, and when it does."""
        ...

    @abstractmethod
    def proposed(self, state: Any, draft: Draft, field: str) -> Candidates | None:
        """What might stand in a field, besides what is plain from its kind; None where that is all."""
        ...

    def check(self, state: Any, action: Action) -> None:
        """Raises RuleError where the table takes no such action any more, whatever its step."""

    def carry_out(self, rule: ActionRule, resolution: Any, action: Action) -> None:
        """Does what an action says, and what follows from it by itself. Raises RuleError."""
        rule.act(resolution, action)

    def apply(self, state: Any, action: Action) -> Step:
        """The table after an action, and what there is to tell. Raises RuleError."""
        rule = self.rules[type(action)]
        self.check(state, action)
        step = self.step_of(state)
        if step not in rule.steps:
            raise RuleError(self.not_now(action.verb(), rule, step))
        resolution = self.resolution(state)
        self.carry_out(rule, resolution, action)
        return Step(resolution.state, tuple(resolution.tells))

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field; nothing in a step to which the action does not belong."""
        if self.step_of(state) not in self.rules[draft.action].steps:
            return ()
        proposed = self.proposed(state, draft, field)
        return by_kind(self, state, draft, field) if proposed is None else proposed
