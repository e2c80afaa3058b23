"""What the end of a typed line can go on with: only words that lead to something the rules accept."""

from collections.abc import Sequence
from random import Random
from typing import Annotated, ClassVar

import pytest

from companion.session.core.session import Session
from companion.tabletop.action import Action, RuleError, Step
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import CARD, PAYMENT, SUIT, KeywordArgument, Many, SeatName, one_of
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.choices import Candidates, Choice, Open, by_kind
from companion.tabletop.table.common_actions import Add, Rule, Set
from companion.tabletop.table.completion import complete
from companion.tabletop.table.state import State
from companion.tabletop.table.table import Counter, Draft, SeatView, TableView, Thing, Zone
from tests.games.choosing import Choosing
from tests.games.miniature import Miniature


class _Pay(Action, frozen=True, tag="pay"):
    """Pay for something."""

    seat: SeatName
    cost: Annotated[tuple[Card, ...] | int, KeywordArgument("pay"), PAYMENT]
    as_: Annotated[str | None, SUIT] = None
    loudly: bool = False


class _Fade(Action, frozen=True, tag="fade"):
    """Take two cards out, under a mood."""

    cards: Annotated[tuple[Card, ...], Many(CARD, most=2)]
    mood: Annotated[str, one_of("mood", ["glad", "dour", "grim", "wry", "keen", "calm", "bold"])] = "glad"


HAND = (Card("9S"), Card("9H"), Card("KD"))


class Wide(Game):
    """Everything is allowed that two cards of the hand pay for, but nothing costs the king alone, and nobody is wry."""

    name, title = "wide", "Wide"
    actions: ClassVar[tuple[type[Action], ...]] = (_Pay, _Fade, Set, Add, Rule)

    def new(self) -> State:
        return State()

    def apply(self, state: State, action: Action) -> Step:
        cards = getattr(action, "cards", getattr(action, "cost", ()))
        if isinstance(cards, tuple) and (len(cards) > 2 or len(set(cards)) < len(cards) or cards == HAND[2:]):
            raise RuleError("Not these.")
        if getattr(action, "mood", "") == "wry" or getattr(action, "seat", "") == "cy":
            raise RuleError("Not so.")
        return Step(state)

    def view(self, state: State) -> TableView:  # noqa: ARG002 – it is always the same table
        minion = Thing("minion ana:AS", "Wyrm", (Counter("hp", 3, "HP"),))
        seats = tuple(SeatView(seat, seat.title(), counters=(Counter("out", False),)) for seat in ("ana", "ben", "cy"))
        return TableView(
            "wide", "Wide", zones=(Zone("minions", "Minions", (minion, Thing("ana's 9S", "9♠"))),), seats=seats
        )

    def candidates(self, state: State, draft: Draft, field: str) -> Candidates:
        if field not in ("cost", "cards"):
            return by_kind(self, state, draft, field)
        given = draft.given.get(field, ())
        of = tuple(Choice(card) for card in HAND if card not in given)
        return Open("2 cards", 2 if field == "cost" else HAND[:2], 1 if field == "cards" else 2, 2, of)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pa", ["pay"]),
        ("PA", ["pay"]),
        ("pay ", ["ana", "ben"]),
        ("pay b", ["ben"]),
        ("pay zoe ", ["pay"]),
        ("pay ana ", ["pay"]),
        ("pay ana pay ", ["2", "9S", "9H", "KD"]),
        ("pay ana pay 9", ["9S", "9H"]),
        ("pay ana pay 9S ", ["9H", "KD", "as", "loudly"]),
        ("pay ana pay t♠ k", ["KD"]),
        ("pay ana pay 2 ", ["as", "loudly"]),
        ("pay ana pay 2 as ", list("SHCD")),
        ("pay ana pay 2 as S lou", ["loudly"]),
        ("pay ana pay 9S 9H ", ["as", "loudly"]),
        ("fade ", ["9S", "9H", "KD"]),
        ("fade KD ", ["9S", "9H"]),
        ("fade 9S mood g", ["glad", "grim"]),
        ("fade 9S 9H mood w", []),
        ("set ", ["ana", "ben", "cy", "minion ana:AS"]),
        ("set m", ["minion ana:AS"]),
        ("set minion ", ["ana:AS"]),
        ("set minion ana:AS ", ["hp"]),
        ("set ana out ", ["yes", "no"]),
        ("nonsense ", []),
        ("pay 7 ", []),
        ('pay "ana', []),
        ("pay ana pay 2 as S loudly ", []),
    ],
)
def test_completion_offers_what_can_stand_next(typed: str, offered: Sequence[str]) -> None:
    assert [way.word for way in complete(Wide(), State(), typed)] == offered


def test_each_word_comes_with_what_it_means() -> None:
    verb, *_ = complete(Wide(), State(), "pa")
    assert (verb.word, str(verb.detail)) == ("pay", "Pay for something.")
    count, *_ = complete(Wide(), State(), "pay ana pay ")
    assert (count.word, count.title) == ("2", "2 cards")
    (minion,) = complete(Wide(), State(), "set min")
    assert (minion.word, minion.title, str(minion.detail)) == ("minion ana:AS", "Wyrm", "HP 3")


def test_a_verb_is_offered_only_while_it_can_be_said() -> None:
    session = Session.new(Miniature())
    words = [way.word for way in complete(session.game, session.state, "")]
    assert words == ["seat", "track", "clock", "note", "venue", "roll", "coin"]
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    words = [way.word for way in complete(session.game, session.state, "")]
    assert words == ["set", "add", "track", "clock", "note", "venue", "roll", "coin", "draw"]
    session.enter("draw ana 9S")
    assert [way.word for way in complete(session.game, session.state, "s")] == ["set", "spend"]
    assert [way.word for way in complete(session.game, session.state, "spend ")] == ["ana"]


@pytest.mark.parametrize("seed", range(5))
def test_a_duel_offers_what_its_rules_accept(seed: int) -> None:
    chance = Random(seed)
    session = Session.new(Miniature())
    choosing = Choosing(session.game, chance)
    for line in ("seat ana", "seat ben", "begin seed 1"):
        session.enter(line)
    while not session.view().outcome:
        choosing.check(session.state)
        choosing.walk(session.state)
        (prompt,) = session.view().prompts
        session.do(chance.choice(prompt.answers).build())
