"""The duel with stored champions: a game whose finished table is sealed into its decks' records."""

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games import lines, registry
from companion.games.action import Action, DeckId, Step
from companion.games.kinds import Text
from companion.games.records import Mark, Record
from tests.games.miniature import Draw, Duel, Miniature, Spend


class Seat(lines.Seat, frozen=True, tag="seat"):
    """Seat a player, with the champion that a stored deck is."""

    champion: Text = ""


class Named(Mark, frozen=True, tag="named"):
    """A champion began."""

    name: str


class Fought(Mark, frozen=True, tag="fought"):
    """A champion came through a duel."""

    won: bool


class Bout(Duel, frozen=True):
    """A duel that knows whose champion sits where."""

    decks: dict[str, DeckId] = {}  # noqa: RUF012 – msgspec copies it


class Champions(Miniature):
    """The rules of the duel, and what it leaves in the records."""

    name, title = "champions", "Champions"
    actions = (Seat, *lines.COMMON[1:], Draw, Spend)
    mark_types = (Named, Fought)

    def new(self) -> Bout:
        return Bout()

    def apply(self, state: Duel, action: Action) -> Step:
        step = super().apply(state, action)
        if isinstance(action, Seat) and action.deck:
            assert isinstance(step.state, Bout)
            return step._replace(state=replace(step.state, decks=step.state.decks | {action.seat: action.deck}))
        return step

    def setup_lines(self, seat: str, record: Record, coppers: int = 0) -> tuple[Action, ...]:  # noqa: ARG002
        return (Seat(seat, champion=record.name), lines.Set(seat, "life", str(20 + record.glory)))

    def marks(self, state: Bout) -> Mapping[DeckId, tuple[Mark, ...]]:
        winner = state.outcome
        return {deck: (Fought(seat == winner),) for seat, deck in state.decks.items()} if winner else {}

    def record(self, marks: tuple[Mark, ...]) -> Record:
        fights = [mark.won for mark in marks if isinstance(mark, Fought)]
        name = next(mark.name for mark in marks if isinstance(mark, Named))
        return Record(self.name, name, glory=sum(fights), dungeons=len(fights), holder="Ada")

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        return tuple(str(mark.__struct_config__.tag) for mark in marks)


registry.register(Champions())
