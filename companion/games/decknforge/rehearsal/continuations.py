"""Continuations of a choice: tables imagined from what the player at a seat knows, played on by quick players.

What the player cannot know is drawn again each time: the hands of others, the order of every deck, the Bosses and
Minions to come. All answers to one question are played on in the same imagined tables, so that chance cancels out of
the comparison. Nothing here uses the real face-down cards or a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from companion.games.decknforge.book.inscriptions import counts_as_hero
from companion.games.decknforge.book.state import BOSSES, PRINTED, CommittedCard, DungeonTable, Foe, Upcard, Wizard
from companion.games.decknforge.rehearsal.bands import CARDS
from companion.games.decknforge.rehearsal.dungeon import ShuffledDecks, SimulatedDungeon
from companion.games.decknforge.rehearsal.temperaments import (
    CarefulWizard,
    DungeonView,
    GreedyWizard,
    RandomWizard,
    SensibleWizard,
    acts_in_hand,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import labelling
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card, suit
from companion.tabletop.rehearsal import Chance, Stream
from companion.tabletop.table.house_rules import PROGRAM
from templates.languages.messages import phrase

_BRANCHES: Final = 2**32
"""Offset above the branches of a unit's own chance, so that an imagined future is never the real one."""
_ROUNDS: Final = 3
"""Most rounds that a continuation goes on; most fights are over by then."""

_FEW: Final = 2
"""Most answers that are all tried to the end, without elimination."""

Question = tuple[str, ...]
"""Identifies a question: the decision, and the card or attack it concerns."""


class Continuation(NamedTuple):
    """The result of one answer in one imagined table, for the wizard with the choice."""

    points: int
    """Coppers, and what else counts in Coppers, in hundredths."""
    kills: bool
    """True if they took the Killing Blow of this fight."""
    ends: bool
    """True if the Boss died."""
    falls: bool
    """True if they were out of the fight at its end."""


class _TryingPlayer(GreedyWizard):
    """The wizard with the choice: gives the answer to be tried, then plays for Coppers, but dodges early to save HP."""

    safe_hp = 8

    def __init__(self, question: Question, answer: Any) -> None:
        self._question: Question | None = question
        self._answer = answer

    def _is_asked(self, *question: str) -> bool:
        """Return True if this is the question, which is asked once."""
        if self._question != question:
            return False
        self._question = None
        return True

    def label(self, view: DungeonView) -> do.AddLabel | None:  # noqa: ARG002 – the answer to be tried, or None
        return self._answer if self._is_asked("label") else None

    def reveal(self, view: DungeonView) -> Card:
        return self._answer if self._is_asked("reveal") else super().reveal(view)

    def reveal_more(self, view: DungeonView) -> Card | None:
        return self._answer if self._is_asked("reveal-more") else super().reveal_more(view)

    def will(self, view: DungeonView) -> do.Will | None:  # noqa: ARG002 – never, unless it is to be tried
        return None

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        if self._is_asked("declare", upcard.owner, upcard.card):
            tried: do.Convert | do.Target | None = self._answer
            return tried
        return super().declare(view, upcard, minions)

    def dodge(self, view: DungeonView, foe: Foe) -> tuple[Card, ...]:
        if self._is_asked("dodge", foe.ref):
            tried: tuple[Card, ...] = self._answer
            return tried
        # An attack before the one in question is taken.
        return () if self._question and self._question[0] == "dodge" else super().dodge(view, foe)


class _Usual(SensibleWizard):
    """A player of unknown temperament: reveals the highest card, and uses Tactics to finish the Boss or survive."""


_OTHERS: Final = (GreedyWizard(), CarefulWizard(), _Usual())
_GREEDIEST: Final = _OTHERS[0]


def imagine_table(
    table: DungeonTable, seat: str, hand: Sequence[Card], draws: Stream
) -> tuple[DungeonTable, ShuffledDecks, list[Ref]]:
    """Return a possible table given what a seat knows, with all decks and the order in which Minions come.

    Raises RuleError if the numbers of cards are impossible after an override.
    """
    fixed = table.order[: max(table.number, table.named_bosses)]
    unseen = sorted({*table.order, *table.pool} - {*fixed})
    draws.shuffle(unseen)
    bosses, pool = unseen[: BOSSES - len(fixed)], unseen[BOSSES - len(fixed) :]
    lots = [*table.lots, *(wizard.seat for wizard in table.wizards if wizard.seat not in table.lots)]
    lots.sort()
    draws.shuffle(lots)
    house = msgspec.structs.replace(table.house, draws=PROGRAM)
    orders: dict[str, list[Card]] = {}
    hands: dict[str, list[Card]] = {}
    wizards = []
    for wizard in table.wizards:
        gone = [entry.card for entry in wizard.pile]
        gone += [upcard.card for upcard in table.revealed if upcard.owner == wizard.seat and upcard.card not in gone]
        own = list(hand) if wizard.seat == seat else list(wizard.known_hand)
        out = {*gone, *own}
        # A card with an effect in hand is declared when it is drawn (§1.15), so other wizards do not hold one secretly.
        free = [card for card in CARDS if card not in out]
        draws.shuffle(free)
        free.sort(key=lambda card: acts_in_hand(table, wizard.seat, card))
        unnamed = _unnamed_cards(wizard, free)
        free = [card for card in free if card not in unnamed]
        own += free[: wizard.hand - len(own)]
        deck = free[wizard.hand - len(hand if wizard.seat == seat else wizard.known_hand) :]
        draws.shuffle(deck)
        if len(own) != wizard.hand or len(deck) != wizard.deck:
            raise RuleError(
                phrase(
                    "The cards of {player} do not add up to {cards}; `set` their hand or deck right.",
                    player=wizard.name,
                    cards=len(CARDS),
                )
            )
        orders[wizard.seat] = [*gone, *unnamed, *own, *deck]
        hands[wizard.seat] = own
        if unnamed:
            pile = (*wizard.pile, *(CommittedCard(card, "play") for card in unnamed))
            wizard = msgspec.structs.replace(wizard, pile=pile, unnamed_cards=0, unnamed_spades=0, spades_open=False)
        wizards.append(wizard)
    decks = ShuffledDecks(orders)
    decks.hands = hands
    decks.taken = {wizard.seat: len(CARDS) - wizard.deck for wizard in wizards}
    imagined = msgspec.structs.replace(
        table, house=house, order=(*fixed, *bosses), pool=tuple(pool), lots=tuple(lots), wizards=tuple(wizards)
    )
    return imagined, decks, pool


def _unnamed_cards(wizard: Wizard, free: Sequence[Card]) -> Sequence[Card]:
    """Return cards that may be the unnamed ones, with as many Spades as were entered (R1.35)."""
    if wizard.spades_open or wizard.untracked:
        return free[: wizard.unnamed_cards]
    spades = [card for card in free if suit(card) == "S"][: wizard.unnamed_spades]
    others = [card for card in free if suit(card) != "S"][: wizard.unnamed_cards - len(spades)]
    return (*spades, *others)


class Continuations:
    """The answers to one question, each played on in any number of imagined tables."""

    def __init__(self, view: DungeonView, question: Question, answers: Sequence[Any]) -> None:
        self.view = view
        self.question = question
        self.answers = answers
        self.tries: list[list[Continuation]] = [[] for _ in answers]
        """Results of each answer, by imagined table."""
        self._worlds: list[tuple[DungeonTable, ShuffledDecks, list[Ref], Chance, dict[str, RandomWizard]]] = []

    def _imagine_table(
        self, number: int
    ) -> tuple[DungeonTable, ShuffledDecks, list[Ref], Chance, dict[str, RandomWizard]]:
        """Return an imagined table by its number, and the other players in it.

        In every second table all others are greedy, which bounds what the best reply to an answer can take. In the
        others their temperaments are random.
        """
        while len(self._worlds) <= number:
            view = self.view
            chance = view.chance.branch(_BRANCHES + len(self._worlds))
            draws = chance.stream("imagined", view.seat, view.table.number, view.table.round, *self.question)
            imagined = imagine_table(view.table, view.seat, view.hand, draws)
            greediest = len(self._worlds) % 2 == 0
            others: dict[str, RandomWizard] = {
                wizard.seat: _GREEDIEST if greediest else draws.choice(_OTHERS) for wizard in view.table.wizards
            }
            self._worlds.append((*imagined, chance, others))
        return self._worlds[number]

    def play(self, at: int) -> None:
        """Play one answer on, in the next imagined table that it was not tried in."""
        view = self.view
        table, decks, arrivals, chance, others = self._imagine_table(len(self.tries[at]))
        players = {**others, view.seat: _TryingPlayer(self.question, self.answers[at])}
        dungeon = SimulatedDungeon(view.game, table, decks.copy(), players, chance, arrivals)
        for line in self._lines(at):
            dungeon.do(line)
        last = table.round + _ROUNDS
        dungeon.play(until=lambda now: now.number != table.number or now.round >= last or now.step not in ROUND_STEPS)
        self.tries[at].append(_compute_continuation(table, dungeon.table, view.seat))

    def _lines(self, at: int) -> Iterable[Action]:
        """Yield the lines that stand before the next question: the answer itself, unless it is the reply to that
        question, and the refusals of seats that had the option to label before (R1.71).
        """
        answer, seat = self.answers[at], self.view.seat
        if self.question == ("label",):
            offers = labelling.open_to(self.view.table)
            yield from (do.Decline(earlier) for earlier in offers[: offers.index(seat)])
        elif self.question == ("tactic",) and answer is None:
            yield do.Pass(seat)
        elif isinstance(answer, Action):
            yield answer

    def points(self, at: int) -> int:
        """Return the points of an answer in all its tries."""
        return sum(one.points for one in self.tries[at])

    def best(self, effort: int) -> int:
        """Return the index of the best answer after about `effort` continuations.

        Of more than two answers, the worse half is eliminated after half of the continuations. The remaining ones were
        tried in the same tables.
        """
        left = list(range(len(self.answers)))
        heats = 1 if len(left) <= _FEW else 2
        for _ in range(heats):
            for _ in range(max(1, effort // (heats * len(left)))):
                for at in left:
                    self.play(at)
            left.sort(key=lambda at: (-self.points(at), at))
            left = left[: (len(left) + 1) // 2]
        return left[0]


# The value of a table to a wizard, in hundredths of a Copper: integers, so that their sums are the same on any machine.

COPPER: Final = 100
_GLORY: Final = 100
_MYTHIC: Final = 500
_WIN: Final = 1000
_LOSS: Final = -333
"""For each Boss that is left."""
_DIAMOND: Final = 60
"""For each point of the face value of a Diamond that can still be Converted."""
_DIAMONDS_A_BOSS: Final = 2
_CARD: Final = 15
_HP: Final = 15
"""For each HP in a fight that goes on."""
_FALL: Final = -300
"""For being out of a fight that goes on."""
_BOSS: Final = -400
"""For a Boss with all of its HP, in a fight that goes on."""


def _compute_continuation(before: DungeonTable, after: DungeonTable, seat: str) -> Continuation:
    """Return the result of a continuation."""
    wizard, was = after.wizard(seat), before.wizard(seat)
    goes_on = after.number == before.number and after.outcome is None
    left = BOSSES - len(after.killed_bosses)
    points = COPPER * wizard.earned + _GLORY * (wizard.glory + wizard.personal) + _MYTHIC * wizard.mythics
    if after.outcome == "win":
        points += _WIN
    elif after.outcome is not None:
        points += _LOSS * left
    else:
        points += _value_of_stock(after, seat, left)
    if goes_on:
        assert after.boss is not None
        points += _HP * wizard.hp if wizard.in_fight else _FALL
        points += _BOSS * after.boss.hp // max(1, after.boss.max)
    return Continuation(
        points,
        kills=wizard.personal > was.personal,
        ends=len(after.killed_bosses) > len(before.killed_bosses),
        falls=not wizard.in_fight if goes_on else after.outcome == "loss",
    )


def _value_of_stock(table: DungeonTable, seat: str, bosses: int) -> int:
    """Return the value of the cards that are not committed, with `bosses` Bosses left."""
    gone = {entry.card for entry in table.wizard(seat).pile}
    left = [card for card in CARDS if card not in gone]
    diamonds = sorted(
        (PRINTED[card] for card in left if suit(card) == "D" and not counts_as_hero(table, seat, card)), reverse=True
    )
    return _DIAMOND * sum(diamonds[: _DIAMONDS_A_BOSS * bosses]) + _CARD * len(left)
