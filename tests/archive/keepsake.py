"""A game with next to no rules, whose decks have marks: what the archive keeps must not depend on any one game."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from companion.games import registry
from companion.games.action import Action, DeckId, Step
from companion.games.game import Game
from companion.games.records import Mark, Record
from companion.games.table import TableView


class Founded(Mark, frozen=True, tag="founded"):
    """The deck begins."""

    name: str
    holder: str = ""


class Played(Mark, frozen=True, tag="played"):
    """A game with it was completed."""

    glory: int


class Retired(Mark, frozen=True, tag="retired"):
    """Its life ends."""


class Keepsake(Game):
    """The rules: founding, playing, retiring."""

    name: ClassVar[str] = "keepsake"
    title: ClassVar[str] = "Keepsake"
    actions: ClassVar[tuple[type[Action], ...]] = ()
    mark_types: ClassVar[tuple[type[Mark], ...]] = (Founded, Played, Retired)

    def new(self) -> None:
        """Nothing lies on this table."""

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:  # noqa: ARG002
        """No chance here."""
        return action

    def apply(self, state: Any, action: Action) -> Step:  # noqa: ARG002
        """Nothing changes."""
        return Step(state)

    def view(self, state: Any) -> TableView:  # noqa: ARG002
        """An empty table."""
        return TableView(self.name, self.title)

    def setup_lines(self, seat: str, record: Record, coppers: int = 0) -> tuple[Action, ...]:  # noqa: ARG002
        """Nothing is brought."""
        return ()

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002
        """Nothing is sealed by playing."""
        return {}

    def record(self, marks: tuple[Mark, ...]) -> Record:
        """What the marks add up to."""
        founded = next(mark for mark in marks if isinstance(mark, Founded))
        played = [mark for mark in marks if isinstance(mark, Played)]
        glory = sum(mark.glory for mark in played)
        retired = any(isinstance(mark, Retired) for mark in marks)
        return Record(self.name, founded.name, glory, len(played), founded.holder, retired)

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark."""
        return tuple(str(mark.__struct_config__.tag) for mark in marks)


registry.register(Keepsake())
