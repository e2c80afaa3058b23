"""The duel with stored champions: a game whose finished table is sealed into its decks' records."""

from companion.games import registry
from companion.tabletop.action import Action, DeckId
from companion.tabletop.notation.arguments import Text
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.table import common_actions
from tests.games.miniature import Draw, Duel, FighterDecks, Miniature, Spend


class Seat(common_actions.Seat, frozen=True, tag="seat"):
    """Seat a player, with the champion that a stored deck is."""

    champion: Text = ""


class Named(Mark, frozen=True, tag="named"):
    """A champion began."""

    name: str


class Fought(Mark, frozen=True, tag="fought"):
    """A champion came through a duel."""

    won: bool


class Champion(Record, frozen=True):
    """A champion as it is today: how many duels it won, and how many it fought."""

    won: int = 0
    fought: int = 0


class ChampionDecks(FighterDecks):
    """The figures and the story of a champion."""

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        assert isinstance(record, Champion)
        return (DeckFigure("won", "Won", record.won),)

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        return tuple(str(mark.__struct_config__.tag) for mark in marks)


class Champions(Miniature):
    """The rules of the duel, and what it leaves in the records."""

    name, title = "champions", "Champions"
    actions = (Seat, *common_actions.COMMON[1:], Draw, Spend)
    mark_types, decks = (Named, Fought), ChampionDecks()

    def setup_lines(self, seat: str, record: Record, *_: object) -> tuple[Action, ...]:
        assert isinstance(record, Champion)
        return (Seat(seat, champion=record.name), common_actions.Set(seat, "life", str(20 + record.won)))

    def marks(self, state: Duel) -> dict[DeckId, tuple[Mark, ...]]:
        winner = state.outcome
        return {deck: (Fought(seat == winner),) for seat, deck in state.decks.items() if deck} if winner else {}

    def record(self, marks: tuple[Mark, ...]) -> Champion:
        fights = [mark.won for mark in marks if isinstance(mark, Fought)]
        name = next(mark.name for mark in marks if isinstance(mark, Named))
        return Champion(self.name, name, holder="Ada", won=sum(fights), fought=len(fights))


registry.register(Champions())
