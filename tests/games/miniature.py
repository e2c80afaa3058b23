"""A duel over a pile of nine cards: a small game of its own, to show that the house is built for any."""

from random import Random
from typing import Annotated, Final, Literal

from msgspec import field
from msgspec.structs import replace

from companion.games import lines, registry
from companion.games.action import Action, RuleError, State, Step, Tell
from companion.games.cards import RANKS, Card, pretty
from companion.games.counters import Gauge, overwritten
from companion.games.draft import draft
from companion.games.game import Game
from companion.games.kinds import CARD, Bare, SeatName
from companion.games.table import Counter, Prompt, RoundStep, SeatView, TableView, Thing, Zone

WORTH: Final = {Card(f"{rank}S"): worth for worth, rank in enumerate(RANKS[:9], 2)}


class Draw(Action, frozen=True, tag="draw"):
    """Draw a card from the pile, or name the one that was drawn."""

    seat: SeatName
    card: Annotated[Card | None, CARD, Bare()] = None


class Spend(Action, frozen=True, tag="spend"):
    """Strike: the rival loses what the card is worth. Heal: gain half of it."""

    seat: SeatName
    how: Literal["strike", "heal"]


class Duel(State, frozen=True):
    names: dict[str, str] = field(default_factory=dict)
    life: dict[str, int] = field(default_factory=dict)
    pile: tuple[Card, ...] = tuple(WORTH)
    card: Card | None = None
    turn: int = 0  # 0 is the set-up; the first player has the odd ones

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


def spent(duel: Duel, how: str) -> Step:
    worth, (rival,) = WORTH[duel.card or duel.pile[0]], duel.life.keys() - {duel.active}
    whom, change = (rival, -worth) if how == "strike" else (duel.active, worth // 2)
    after = replace(with_life(duel, whom, duel.life[whom] + change), card=None, turn=duel.turn + 1)
    tell = f"{duel.names[duel.active]} {how}s with {worth}: {duel.names[whom]} has {after.life[whom]} life."
    return Step(after, (Tell(tell, whom),))


def prompts(duel: Duel) -> tuple[Prompt, ...]:
    if not duel.turn:
        return (Prompt("Seat two, then begin.", draft(lines.Begin if len(duel.life) == 2 else lines.Seat)),)
    seat, name = duel.active, duel.names[duel.active]
    if duel.card and not duel.outcome:
        strike, heal = (draft(Spend, seat=seat, how=how) for how in ("strike", "heal"))
        return (Prompt(f"{name} strikes or heals.", strike, seat, others=(heal,)),)
    return () if duel.outcome else (Prompt(f"{name} draws a card.", draft(Draw, seat=seat), seat),)


LIFE: Final = Gauge[Duel, str]("life", "Life", lambda duel, who: duel.life[who], with_life, top=lambda *_: 20, big=True)
TURN: Final = Gauge[Duel, str]("turn", "Proposal", lambda duel, _: duel.turn)
OUTCOME: Final = Gauge[Duel, str]("outcome", "Outcome", lambda duel, _: duel.outcome, keeps="word")
STEPS: Final = (RoundStep("draw", "Draw"), RoundStep("spend", "Spend"))


class Miniature(Game):
    name, title = "duel", "Duel"
    actions = (*lines.COMMON, Draw, Spend)

    def new(self) -> Duel:
        return Duel()

    def resolve(self, state: Duel, action: Action, rng: Random) -> Action:
        by_chance = isinstance(action, Draw) and not action.card and state.pile
        return replace(action, card=rng.choice(state.pile)) if by_chance else action

    def apply(self, state: Duel, action: Action) -> Step:
        offered = {answer.line for prompt in prompts(state) for answer in prompt.answers}
        match action:
            case lines.Note(text):
                return Step(state, (Tell(text),))
            case lines.Set(target) | lines.Add(target):
                return Step(overwritten((LIFE,) if target in state.life else (TURN, OUTCOME), state, target, action))
            case lines.Seat(seat, name) if "seat" in offered and seat not in state.life:
                return Step(with_life(replace(state, names=state.names | {seat: name or seat.title()}), seat, 20))
            case lines.Begin(seed) if "begin" in offered:
                return Step(replace(state, seed=seed, turn=1))
            case Draw(seat, str(card)) if f"draw {seat}" in offered and card in state.pile:
                pile = tuple(other for other in state.pile if other != card)
                tell = Tell(f"{state.names[seat]} draws {pretty(card)}.", seat, by_hand=True)
                return Step(replace(state, pile=pile, card=card, drawn=state.drawn + 1), (tell,))
            case Spend(seat, how) if f"spend {seat} {how}" in offered:
                return spent(state, how)
            case lines.Next() if state.card and not state.outcome:
                return spent(state, "heal")
        raise RuleError(f"Not now: {prompts(state)[0].text if prompts(state) else 'the duel is over.'}")

    def view(self, state: Duel) -> TableView:
        figures = tuple(gauge.counter(state, "table") for gauge in (TURN, OUTCOME))
        pile = (Thing("pile", "Pile", (Counter("cards", len(state.pile), "Cards"),)),) if state.pile else ()
        seats = tuple(SeatView(seat, state.names[seat], counters=(LIFE.counter(state, seat),)) for seat in state.life)
        middle, step, now = (Zone("middle", "Middle", pile),), STEPS[bool(state.card)].name, prompts(state)
        return TableView("duel", "Duel", figures, middle, seats, STEPS, step, now, outcome=state.outcome)


registry.register(Miniature())
