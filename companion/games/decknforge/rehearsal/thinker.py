"""The thinker: evaluates each choice by quick random continuations, based on what its seat can know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from companion.games.decknforge.book.ledger import wound_damage
from companion.games.decknforge.book.state import Foe, Upcard
from companion.games.decknforge.rehearsal.continuations import Continuations, Question
from companion.games.decknforge.rehearsal.temperaments import (
    PLAYERS,
    CarefulWizard,
    DungeonView,
    GreedyWizard,
    RandomWizard,
    Tactic,
    after_tactic,
    cheapest_dodge,
    expected_kill,
    is_deadly,
    possible_tactics,
    suits_of,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import labelling, reveal
from companion.games.decknforge.rules.arithmetic import atk, face
from companion.tabletop.notation.cards import SUITS, Card, suit
from companion.tabletop.rehearsal import Temperament

DEFAULT_EFFORT: Final = 24
"""Default number of continuations for each choice; permanent, as stored rehearsals depend on it."""
_MOST_CARDS: Final = 6
_MOST_TACTICS: Final = 5

_GREEDY: Final = GreedyWizard()
_CAREFUL: Final = CarefulWizard()


def cards_to_reveal(view: DungeonView) -> list[Card]:
    """Return the cards worth evaluating: a greedy player's, the highest, the best Item of each suit, inscribed ones,
    the middle, the lowest.
    """
    order = sorted(view.hand, key=lambda card: (-view.face(card), card))
    items = [card for card in order if not view.is_hero(card)]
    best = [card for one in SUITS for card in [card for card in items if suit(card) == one][:1]]
    inscribed = [card for card in order if view.inscriptions(card)]
    middle = order[len(order) // 2]
    return _first_distinct((_GREEDY.reveal(view), order[0], *best, *inscribed, middle, order[-1]), _MOST_CARDS)


def tactics_to_use(view: DungeonView) -> list[Tactic | None]:
    """Return None and the Tactics worth evaluating, those first that change who takes the kill."""
    now = expected_kill(view.table)

    def matters(tactic: Tactic) -> bool:
        then = expected_kill(after_tactic(view.table, tactic))
        return (then is None) != (now is None) or (
            then is not None and now is not None and then.controller != now.controller
        )

    possible = list(possible_tactics(view, _GREEDY.by_worth(view)))
    possible.sort(key=lambda tactic: not matters(tactic))
    return _first_distinct((None, *possible), _MOST_TACTICS)


def labels_to_add(view: DungeonView) -> list[do.AddLabel | None]:
    """Return None and one label of each tier that neither curses nor wipes."""
    book = view.table.book
    by_tier: dict[Any, str] = {}
    for name in labelling.labels_left(view.table):
        if not is_deadly(book.labels[name]):
            by_tier.setdefault(book.labels[name].tier, name)
    return [None, *(do.AddLabel(view.seat, name, "draw") for name in by_tier.values())]


def swaps_to_make(view: DungeonView) -> list[do.Will | None]:
    """Return None and the swaps of the wizard's own card with each other one."""
    own = view.table.cards_of(view.seat)
    others = [upcard for upcard in view.table.revealed if upcard.controller != view.seat]
    if not own:
        return [None]
    swaps = [do.Will(view.seat, view.seat, other.controller, (own[0].card, other.card)) for other in others]
    return [None, *swaps[:_MOST_TACTICS]]


def patrons_to_play(view: DungeonView) -> list[do.Patron]:
    """Return the wizards to steal from or to heal with The Patron."""
    others = view.table.clockwise(view.seat)[1:]
    heals = [do.Patron(view.seat, "heal", one.seat) for one in others]
    steals = [do.Patron(view.seat, "steal", one.seat) for one in others]
    return [
        one
        for one in (*steals, *heals)
        if not reveal.patron_refusal(view.wizard, one.choice, view.table.wizard(one.other))
    ]


def uses_of(view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> list[do.Convert | do.Target | None]:
    """Return None for an attack on the Boss, each Convert, and two Minions, those first that the card kills."""
    value = face(view.table, upcard)
    aims = sorted(minions, key=lambda minion: (minion.hp > value, minion.hp))[:2]
    converts = [do.Convert(view.seat, upcard.card, one) for one in suits_of(view, upcard)]
    return [None, *converts, *(do.Target(view.seat, minion.ref, upcard.card) for minion in aims)]


def dodges(view: DungeonView, foe: Foe) -> list[tuple[Card, ...]]:
    """Return () to take the attack, and the dodge with the least valuable cards."""
    order = _GREEDY.by_worth(view)
    if not view.hand or not wound_damage(view.wizard, atk(view.table, foe)):
        return [()]
    return _first_distinct(((), cheapest_dodge(view, foe, order)), 3)


def _first_distinct(options: Iterable[Any], most: int) -> list[Any]:
    """Return the first `most` distinct options."""
    return list(dict.fromkeys(options))[:most]


class Thinker(GreedyWizard):
    """A player who evaluates each choice."""

    name = "thinker"
    text = (
        "Wants Coppers and Glory, and the dungeon won. At each choice in the round lists up to six sensible answers, "
        "imagines what a person at that seat cannot see (hands, decks, Bosses and Minions to come, drawn anew each "
        "time), and plays every answer on in the same imagined tables, by quick players, to the end of the fight or "
        "for three rounds. In every second one of them all others answer as greedily as they can, so that it reckons "
        "with what it would leave lying for them. Takes the answer that leaves it most on the mean: Coppers, Glory, "
        "Mythics, cards left, HP while the fight goes on, the dungeon. Does not bluff, plan with others or remember "
        "how they play. It takes them for people who attack: where several of it sit at one table, each waits for the "
        "others, and the dungeon is lost more often. After the last fight it chooses and buys as greedy does. The "
        "effort says how many continuations a choice gets."
    )
    looks_ahead: ClassVar[bool] = True

    def __init__(self, effort: int = DEFAULT_EFFORT) -> None:
        self.effort = effort or DEFAULT_EFFORT

    def _weigh_answers(self, view: DungeonView, question: Question, answers: Sequence[Any]) -> Any:
        """Return the best of several answers."""
        if len(answers) == 1:
            return answers[0]
        return answers[Continuations(view, question, answers).best(self.effort)]

    def label(self, view: DungeonView) -> do.AddLabel | None:
        """Return the label with the best continuations, or None."""
        chosen: do.AddLabel | None = self._weigh_answers(view, ("label",), labels_to_add(view))
        return chosen

    def reveal(self, view: DungeonView) -> Card:
        """Return the card with the best continuations."""
        chosen: Card = self._weigh_answers(view, ("reveal",), cards_to_reveal(view))
        return chosen

    def reveal_more(self, view: DungeonView) -> Card | None:
        """Return the second card with the best continuations, or None."""
        chosen: Card | None = self._weigh_answers(view, ("reveal-more",), [None, *cards_to_reveal(view)])
        return chosen

    def patron(self, view: DungeonView) -> do.Patron:
        """Return the use of The Patron with the best continuations."""
        chosen: do.Patron = self._weigh_answers(view, ("patron",), patrons_to_play(view))
        return chosen

    def will(self, view: DungeonView) -> do.Will | None:
        """Return the swap with the best continuations, or None."""
        chosen: do.Will | None = self._weigh_answers(view, ("will",), swaps_to_make(view))
        return chosen

    def tactic(self, view: DungeonView) -> Tactic | None:
        """Return the Tactic with the best continuations, or None."""
        chosen: Tactic | None = self._weigh_answers(view, ("tactic",), tactics_to_use(view))
        return chosen

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        """Return the Convert or target with the best continuations, or None."""
        question = ("declare", upcard.owner, upcard.card)
        chosen: do.Convert | do.Target | None = self._weigh_answers(view, question, uses_of(view, upcard, minions))
        return chosen

    def dodge(self, view: DungeonView, foe: Foe) -> tuple[Card, ...]:
        """Return the dodge with the best continuations, or ()."""
        chosen: tuple[Card, ...] = self._weigh_answers(view, ("dodge", foe.ref), dodges(view, foe))
        return chosen


def player(name: str, effort: int) -> RandomWizard:
    """Return the player of a temperament; `effort` is a thinker's continuations for each choice, 0 for the default."""
    return Thinker(effort) if name == Thinker.name else PLAYERS[name]


TEMPERAMENTS: Final = (
    *(Temperament(one.name, one.text) for one in PLAYERS.values()),
    Temperament(Thinker.name, Thinker.text, thinks=True),
)
