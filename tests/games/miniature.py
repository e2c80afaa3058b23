"""A duel over a pile of nine cards, with decks that are kept: to show that the house is built for any game."""

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from msgspec import field
from msgspec.structs import replace

from companion.games import registry
from companion.tabletop.action import Action, Step, Tell
from companion.tabletop.decks.form import Field, Form
from companion.tabletop.decks.game_decks import GameDecks
from companion.tabletop.decks.paper import LabelText, PrintedMatter
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import CARD, Bare, SeatName, Text
from companion.tabletop.notation.cards import RANKS, Card, pretty
from companion.tabletop.records import Mark, Record
from companion.tabletop.table import common_actions
from companion.tabletop.table.counters import Gauge
from companion.tabletop.table.display import Display
from companion.tabletop.table.state import State
from companion.tabletop.table.table import Counter, Prompt, RoundStep, Thing, Zone, draft

WORTH: Final = {Card(f"{rank}S"): worth for worth, rank in enumerate(RANKS[:9], 2)}


class Seat(common_actions.Seat, frozen=True, tag="seat"):
    """Seat a player, with the fighter that a stored deck is."""

    fighter: Text = ""


class Draw(Action, frozen=True, tag="draw"):
    """Draw a card from the pile, or name the one that was drawn."""

    seat: SeatName
    card: Annotated[Card | None, CARD, Bare()] = None


class Spend(Action, frozen=True, tag="spend"):
    """Strike: the rival loses what the card is worth. Heal: gain half of it."""

    seat: SeatName
    how: Literal["strike", "heal"]


class Player(NamedTuple):
    seat: str
    name: str
    life: int


class Duel(State, frozen=True):
    names: dict[str, str] = field(default_factory=dict)
    decks: dict[str, str] = field(default_factory=dict)
    life: dict[str, int] = field(default_factory=dict)
    pile: tuple[Card, ...] = tuple(WORTH)
    card: Card | None = None
    turn: int = 0  # 0 is the set-up; the first player has the odd ones

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(Player(seat, self.names[seat], life) for seat, life in self.life.items())

    @property
    def active(self) -> str:
        return list(self.life)[1 - self.turn % 2]

    @property
    def outcome(self) -> str | None:
        if not self.turn or (all(self.life.values()) and (self.pile or self.card)):
            return None
        low, high = sorted(self.life, key=lambda seat: self.life[seat])
        return high if self.life[low] < self.life[high] else "draw"


def with_life(duel: Duel, seat: str, life: int) -> Duel:
    return replace(duel, life=duel.life | {seat: max(0, life)})


LIFE: Final = Gauge[Duel, Player]("life", "Life", lambda _, player: player.life, with_life, top=lambda *_: 20, big=True)
TURN: Final = Gauge[Duel, Duel]("turn", "Turn", lambda duel, _: duel.turn)
OUTCOME: Final = Gauge[Duel, Duel]("outcome", "Outcome", lambda duel, _: duel.outcome, keeps="word")


class DuelDisplay(Display[Duel, Player]):
    table_gauges, seat_gauges = (TURN, OUTCOME), (LIFE,)
    steps = (RoundStep("draw", "Draw"), RoundStep("spend", "Spend"))

    def step_of(self, state: Duel) -> str:
        return "spend" if state.card else "draw"

    def zones(self, state: Duel) -> Iterator[Zone]:
        pile = (Thing("pile", "Pile", (Counter("cards", len(state.pile), "Cards"),)),) if state.pile else ()
        yield Zone("middle", "Middle", pile)

    def prompts(self, state: Duel) -> tuple[Prompt, ...]:
        if not state.turn:
            return (Prompt("Seat two, then begin.", draft(common_actions.Begin if len(state.life) == 2 else Seat)),)
        seat, name = state.active, state.names[state.active]
        if state.card and not state.outcome:
            strike, heal = (draft(Spend, seat=seat, how=how) for how in ("strike", "heal"))
            return (Prompt(f"{name} strikes or heals.", strike, seat, others=(heal,)),)
        return () if state.outcome else (Prompt(f"{name} draws a card.", draft(Draw, seat=seat), seat),)


def spend(duel: Duel, how: str) -> Step:
    worth, (rival,) = WORTH[duel.card or duel.pile[0]], duel.life.keys() - {duel.active}
    whom, change = (rival, -worth) if how == "strike" else (duel.active, worth // 2)
    after = replace(with_life(duel, whom, duel.life[whom] + change), card=None, turn=duel.turn + 1)
    tell = f"{duel.names[duel.active]} {how}s with {worth}: {duel.names[whom]} has {after.life[whom]} life."
    return Step(after, (Tell(tell, whom),))


class Founded(Mark, frozen=True, tag="founded"):
    name: str
    holder: str


class Fought(Mark, frozen=True, tag="fought"):
    won: bool


class Founding(Form):
    about, example, first_mark = "Build a fighter for the duel.", 'Rex --holder "Ada"', Founded
    fields = (Field("name", "Name", required=True), Field("holder", "Holder", "Who fights with it.", required=True))


class FighterDecks(GameDecks):
    founding = Founding()


class Miniature(Game):
    name, title, state, display = "duel", "Duel", Duel, DuelDisplay()
    actions = (Seat, *common_actions.COMMON[1:], Draw, Spend)
    mark_types: ClassVar[tuple[type[Mark], ...]] = (Founded, Fought)
    decks, paper = FighterDecks(), PrintedMatter(LabelText("Strike", "The rival loses it."))

    def resolve(self, state: Duel, action: Action, rng: Random) -> Action:
        by_chance = isinstance(action, Draw) and not action.card and state.pile
        return replace(action, card=rng.choice(state.pile)) if by_chance else super().resolve(state, action, rng)

    def apply(self, state: Duel, action: Action) -> Step:
        offered = {answer.line for prompt in self.display.prompts(state) for answer in prompt.answers}
        match action:
            case common_actions.Seat(seat, name, deck) if "seat" in offered and seat not in state.life:
                names, decks = state.names | {seat: name or seat.title()}, state.decks | {seat: deck}
                return Step(with_life(replace(state, names=names, decks=decks), seat, 20))
            case common_actions.Begin(seed) if "begin" in offered:
                return Step(replace(state, seed=seed, turn=1))
            case Draw(seat, str(card)) if f"draw {seat}" in offered and card in state.pile:
                pile = tuple(other for other in state.pile if other != card)
                tell = Tell(f"{state.names[seat]} draws {pretty(card)}.", seat, by_hand=True)
                return Step(replace(state, pile=pile, card=card, draws=state.draws + 1), (tell,))
            case Spend(seat, how) if f"spend {seat} {how}" in offered:
                return spend(state, how)
            case common_actions.Next() if state.card and not state.outcome:
                return spend(state, "heal")
        return super().apply(state, action)

    def setup_lines(self, seat: str, record: Record, *_: object) -> tuple[Action, ...]:
        return (Seat(seat, fighter=record.name),)

    def marks(self, state: Duel) -> dict[str, tuple[Mark, ...]]:
        return {deck: (Fought(seat == state.outcome),) for seat, deck in state.decks.items() if deck and state.outcome}

    def record(self, marks: tuple[Any, ...]) -> Record:
        return Record(self.name, marks[0].name, marks[0].holder)


registry.register(GAME := Miniature())
