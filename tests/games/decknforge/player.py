"""Somebody who plays DecknForge without a plan: answers what the table asks, and says other things now and then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from companion.games.decknforge.book.inscriptions import counts_as_hero
from companion.games.decknforge.book.state import BOSSES, DungeonTable
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.actions import INSCRIPTION, LABEL, VOCABULARY
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.session.core.session import Session
from companion.tabletop.notation.arguments import CARD, PAYMENT, REF, SEAT, TEXT
from companion.tabletop.notation.cards import Card
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import Draft
from tests.games.decknforge.bands import CARDS


class Player:
    """Draws lines from one seed.

    `exact` people name every card that leaves a hand, as it was dealt, and leave hands and purses to the companion;
    others count cards, set counters and amend. `hurry` is how often a Boss is cut down by hand, `late` a line by which
    somebody comes late, once.
    """

    def __init__(self, chance: Random, session: Session, exact: bool, hurry: float, late: str = "") -> None:
        self.chance = chance
        self.session = session
        self.exact = exact
        self.hurry = hurry
        self.late = late
        self.deals = {wizard.seat: chance.sample(CARDS, len(CARDS)) for wizard in session.state.wizards}

    @property
    def state(self) -> DungeonTable:
        """The table now."""
        state: DungeonTable = self.session.state
        return state

    def hand(self, seat: str) -> list[Card]:
        """The cards in a hand, by the order in which the deck was shuffled."""
        wizard = self.state.wizard(seat)
        if seat not in self.deals:
            self.deals[seat] = self.chance.sample(CARDS, len(CARDS))
        out_of_hand = {entry.card for entry in wizard.pile}
        out_of_hand |= {upcard.card for upcard in self.state.revealed if upcard.owner == seat}
        return [card for card in self.deals[seat][: len(CARDS) - wizard.deck] if card not in out_of_hand]

    def line(self) -> str:
        """What is said next; it may be against the rules, and rarely cannot be read at all."""
        if self.state.step == "setup":
            return self.chance.choice(("redo", "redo", "begin seed 7"))
        roll = self.chance.random()
        if self.late and roll < 0.01:
            return self._latecomer()
        if roll < 0.05:
            return self.chance.choice(("undo", "undo", "redo"))
        if roll < 0.09:
            return self._by_hand()
        if roll < 0.12:
            return self._known_card()
        if roll < 0.16:
            return self._out_of_turn()
        if self.state.step == "reveal" and self.state.boss and self.chance.random() < self.hurry:
            return f"set boss hp {self.chance.randint(1, 15)}"
        return self._answer()

    def _answer(self) -> str:
        """An answer to one of the prompts, completed by what is offered."""
        prompts = self.session.view().prompts
        due = [prompt for prompt in prompts if prompt.due]
        prompt = self.chance.choice(due if due and self.chance.random() < 0.4 else prompts)
        return self._completed(self.chance.choice(prompt.answers), self._offered)

    def _out_of_turn(self) -> str:
        """Any action, of anybody, completed by guessing."""
        return self._completed(Draft(self.chance.choice(VOCABULARY)), self._guessed)

    def _completed(self, draft: Draft, values: Callable[[Draft, Argument], Sequence[Any]]) -> str:
        """A line; as far as it goes, where nothing fits."""
        while draft.missing:
            argument = draft.missing[0]
            options = values(draft, argument)
            if not options:
                return draft.line
            draft = draft.having(argument.field, self.chance.choice(options))
        for argument in draft.optional:
            options = self._offered(draft, argument) if argument.kind is not TEXT else ()
            if len(options) > 1 and self.chance.random() < 0.7:
                draft = draft.having(argument.field, self.chance.choice(options))
        return draft.line

    def _offered(self, draft: Draft, argument: Argument) -> Sequence[Any]:
        """What can stand in a field, of cards from the hand only those that are in it."""
        offered = choices(GAME, self.state, draft, argument.field)
        if argument.kind is PAYMENT:
            most = offered.most if isinstance(offered, Open) else None
            return [self._cards(draft, self.chance.randint(1, 3) if draft.action is do.Dodge else most or 1)]
        if isinstance(offered, Open):
            return (
                [tuple(self.chance.sample([one.value for one in offered.of], offered.least or 1))] if offered.of else ()
            )
        values = [choice.value for choice in offered]
        if draft.action is do.Reveal:
            hand = self.hand(draft.given["seat"])
            return [card for card in values if card in hand] or ([] if self.exact else values)
        return values

    def _guessed(self, draft: Draft, argument: Argument) -> Sequence[Any]:
        """What a field might hold for all that its kind says."""
        if argument.kind is SEAT:
            return [wizard.seat for wizard in self.state.wizards]
        if argument.kind is PAYMENT:
            return [self._cards(draft, self.chance.randint(1, 4))]
        if argument.kind is REF:
            return tuple(self.state.monsters)
        if argument.kind is CARD:
            return self.hand(draft.given["seat"]) or CARDS
        if argument.kind is INSCRIPTION:
            return tuple(self.state.book.inscriptions)
        if argument.kind is LABEL:
            return tuple(self.state.book.labels)
        return tuple(argument.kind.choices)

    def _seat(self) -> str:
        return self.chance.choice(self.state.wizards).seat

    def _cards(self, draft: Draft, count: int) -> tuple[Card, ...] | int:
        """Cards to part with: named, or only counted where people are not exact; a Hero first where one is due."""
        count = count if self.chance.random() < 0.9 else self.chance.randint(1, 4)
        if not self.exact and self.chance.random() < 0.4:
            return count
        seat = draft.given["seat"]
        hand = self.hand(seat)
        self.chance.shuffle(hand)
        if draft.action is do.Snipe:
            hand.sort(key=lambda card: not counts_as_hero(self.state, seat, card))
        return tuple(hand[:count]) or (self.chance.choice(CARDS),)

    # what nobody asked for

    def _latecomer(self) -> str:
        """Somebody comes late; once they are there, somebody goes or says what they brought."""
        seat = self.late.split()[1]
        if all(wizard.seat != seat for wizard in self.state.wizards):
            return self.late
        brought = (f"dungeons {seat} 2", f"purse {seat} 5", f"monster {seat} AS hp 20", f"mythics {seat} 1")
        return self.chance.choice((*brought, f"concede {self._seat()}"))

    def _known_card(self) -> str:
        """A card that somebody says they hold, or do not hold after all."""
        seat = self._seat()
        bears = [card for card in self.hand(seat) if card in self.state.bands[seat].inscribed]
        if self.state.wizard(seat).known_hand and self.chance.random() < 0.3:
            return f"unhold {seat} {self.chance.choice(self.state.wizard(seat).known_hand)}"
        return f"hold {seat} {self.chance.choice(bears or self.hand(seat) or CARDS)}"

    def _by_hand(self) -> str:
        """The table is right: counters set by hand, notes, and earlier lines amended."""
        seat, some = self._seat(), self.chance.randint
        foe = self.chance.choice(["boss", *(f"minion {minion.ref}" for minion in self.state.minions)])
        sanitize = [
            f"set {seat} hp {some(0, 20) if self.chance.random() < 0.2 else some(8, 20)}",
            f"add {foe} hp {some(-9, 9):+d}",
            f"set {foe} atk {some(1, 6)}",
            f"set table active {seat}",
            'note "so be it"',
        ]
        if self.exact:
            return self.chance.choice(sanitize)
        bold = [
            f"add {seat} coppers {some(-3, 5):+d}",
            f"add {seat} hand {some(-2, 2):+d}",
            f"set {seat} deck {some(0, 20)}",
            f"set {seat} shield {some(0, 4)}",
            f"set {seat} in-fight {self.chance.choice(('yes', 'no'))}",
            f"set {seat} skips-plot {self.chance.choice(('yes', 'no'))}",
            f"set {seat} personal {some(0, 3)}",
            f"set {seat} mythics {some(0, 2)}",
            f"set boss legend {self.chance.choice(('yes', 'no'))}",
            f"set boss number {some(1, BOSSES)}",
            f"set table round {some(1, 6)}",
            f"set table killer {self.chance.choice((seat, 'none'))}",
            f"set table pool {some(0, 8)}",
            f"set table minions {some(0, 3)}",
            f"set table step {self.chance.choice(ROUND_STEPS)}",
            f"amend {some(2, len(self.session.log.lines))} {self._answer()}",
        ]
        if self.chance.random() < 0.02:
            return f"set table outcome {self.chance.choice(('win', 'loss', 'none'))}"
        return self.chance.choice(sanitize + bold)
