"""A game with next to no rules, whose decks have marks: what the archive keeps must not depend on any one game."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from companion.games import registry
from companion.tabletop.action import Action, DeckId, Step
from companion.tabletop.decks.game_decks import GameDecks
from companion.tabletop.game import Game
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.table.table import TableView


class Founded(Mark, frozen=True, tag="founded"):
    """The deck begins."""

    name: str
    holder: str = ""


class Played(Mark, frozen=True, tag="played"):
    """A game with it was completed."""

    glory: int


class Retired(Mark, frozen=True, tag="retired"):
    """Its life ends."""


class Kept(Record, frozen=True):
    """A keepsake as it is today."""

    glory: int = 0
    dungeons: int = 0


class KeepsakeDecks(GameDecks):
    """The figures and the story of a keepsake."""

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """What was won, and how often it was played."""
        assert isinstance(record, Kept)
        return DeckFigure("glory", "Glory", record.glory), DeckFigure("dungeons", "Dungeons", record.dungeons)

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark."""
        return tuple(str(mark.__struct_config__.tag) for mark in marks)


class Keepsake(Game):
    """The rules: founding, playing, retiring."""

    name: ClassVar[str] = "keepsake"
    title: ClassVar[str] = "Keepsake"
    actions: ClassVar[tuple[type[Action], ...]] = ()
    mark_types: ClassVar[tuple[type[Mark], ...]] = (Founded, Played, Retired)
    decks = KeepsakeDecks()

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

    def setup_lines(self, seat: str, record: Record, *_: object) -> tuple[Action, ...]:  # noqa: ARG002
        """Nothing is brought."""
        return ()

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002
        """Nothing is sealed by playing."""
        return {}

    def record(self, marks: tuple[Mark, ...]) -> Kept:
        """What the marks add up to."""
        founded = next(mark for mark in marks if isinstance(mark, Founded))
        played = [mark for mark in marks if isinstance(mark, Played)]
        glory = sum(mark.glory for mark in played)
        retired = any(isinstance(mark, Retired) for mark in marks)
        return Kept(self.name, founded.name, founded.holder, retired, glory=glory, dungeons=len(played))


registry.register(Keepsake())
