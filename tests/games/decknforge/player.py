"""Somebody who plays DecknForge without a plan: answers what the table asks, and says other things now and then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from companion.games.cards import Card
from companion.games.decknforge import after, tactics
from companion.games.decknforge.actions import VOCABULARY
from companion.games.decknforge.inscriptions import INSCRIPTIONS, counts_as_hero
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.round import ROUND_STEPS
from companion.games.decknforge.state import BOSSES, DungeonTable, is_hero
from companion.session.session import Session
from tests.games.decknforge.bands import CARDS

VERBS: Final = tuple(action.verb() for action in VOCABULARY)


class Player:
    """Draws lines from one seed.

    `exact` people name every card that leaves a hand, as it was dealt, and leave hands and purses to the companion;
    others count cards, set counters and amend. `hurry` is how often a Boss is cut down by hand.
    """

    def __init__(self, chance: Random, session: Session, exact: bool, hurry: float) -> None:
        self.chance = chance
        self.session = session
        self.exact = exact
        self.hurry = hurry
        self.deals = {wizard.seat: chance.sample(CARDS, len(CARDS)) for wizard in session.state.wizards}

    @property
    def state(self) -> DungeonTable:
        """The table now."""
        state: DungeonTable = self.session.state
        return state

    def hand(self, seat: str) -> list[Card]:
        """The cards in a hand, by the order in which the deck was shuffled."""
        wizard = self.state.wizard(seat)
        gone = {entry.card for entry in wizard.pile}
        gone |= {shown.card for shown in self.state.revealed if shown.owner == seat}
        return [card for card in self.deals[seat][: len(CARDS) - wizard.deck] if card not in gone]

    def line(self) -> str:
        """What is said next; it may be against the rules, and rarely cannot be read at all."""
        if self.state.step == "setup":
            return self.chance.choice(("redo", "redo", "begin seed 7"))
        roll = self.chance.random()
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
        """An answer to one of the prompts, completed."""
        prompts = self.session.view().prompts
        due = [prompt for prompt in prompts if prompt.due]
        prompt = self.chance.choice(due if due and self.chance.random() < 0.4 else prompts)
        return self._complete(self.chance.choice([answer.line for answer in prompt.answers]))

    def _out_of_turn(self) -> str:
        """Any verb, of anybody."""
        verb = self.chance.choice(VERBS)
        return self._complete(f"{verb} {self._seat()}" if self.chance.random() < 0.8 else verb)

    def _complete(self, line: str) -> str:
        words = line.split()
        completed = _WAYS.get(words[0])
        return completed(self, words) if completed and len(words) <= 3 else line

    def _seat(self) -> str:
        return self.chance.choice(self.state.wizards).seat

    def _seat_in(self, words: Sequence[str]) -> str:
        return words[1] if len(words) > 1 else self._seat()

    def _from_hand(self, seat: str) -> Card:
        return self.chance.choice(self.hand(seat) or CARDS)

    def _cards(self, seat: str, count: int, heroes: int = 0) -> str:
        """Cards to part with: named, or only counted where people are not exact."""
        if count < 1 or (not self.exact and self.chance.random() < 0.4):
            return str(max(1, count))
        hand = self.hand(seat)
        self.chance.shuffle(hand)
        if heroes:
            hand.sort(key=lambda card: not counts_as_hero(self.state, seat, card))
        return " ".join(hand[:count]) or self.chance.choice(CARDS)

    # what completes a line, by its verb

    def _reveal(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        return f"reveal {seat} {self._from_hand(seat)}"

    def _label(self, words: Sequence[str]) -> str:
        return (
            f"label {self._seat_in(words)} {self.chance.choice(tuple(LABELS))} {self.chance.choice(('draw', 'heal'))}"
        )

    def _patron(self, words: Sequence[str]) -> str:
        return f"patron {self._seat_in(words)} {self.chance.choice(('heal', 'steal'))} {self._seat()}"

    def _will(self, words: Sequence[str]) -> str:
        one, other = self._seat(), self._seat()
        cards = [self.state.cards_of(seat) for seat in (one, other)]
        which = ""
        if any(len(shown) > 1 for shown in cards) and all(cards):
            which = " card " + " ".join(self.chance.choice(shown).card for shown in cards)
        return f"will {self._seat_in(words)} {one} {other}{which}"

    def _tactic(self, words: Sequence[str]) -> str:
        verb, seat = words[0], self._seat_in(words)
        other = words[2] if len(words) > 2 else self._seat()
        aimed = self.state.cards_of(seat if verb in ("spike", "brace") else other)
        shown = self.chance.choice(aimed) if aimed else None
        price = tactics.cost(self.state, verb, shown)
        count = price.cards if self.chance.random() < 0.9 else self.chance.randint(1, 4)
        line = f"{verb} {seat}{f' {other}' if verb in ('foil', 'snipe') else ''}"
        line += f" pay {self._cards(seat, count, price.heroes)}"
        if verb != "brace" and shown and len(aimed) > 1:
            line += f" card {shown.card}"
        own = self.state.cards_of(seat)
        if verb == "snipe" and len(own) > 1:
            line += f" own {self.chance.choice(own).card}"
        return line

    def _convert(self, words: Sequence[str]) -> str:
        as_suit = f" as {self.chance.choice('SHCD')}" if self.chance.random() < 0.2 else ""
        return f"{' '.join(words) if len(words) > 1 else f'convert {self._seat()}'}{as_suit}"

    def _target(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        refs = [minion.ref for minion in self.state.minions] or self.state.pool or self.state.order
        cards = self.state.cards_of(seat)
        which = f" card {self.chance.choice(cards).card}" if len(cards) > 1 else ""
        return f"target {seat} {self.chance.choice(refs)}{which}"

    def _dodge(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        return f"dodge {seat} {self._cards(seat, self.chance.randint(1, 3))}"

    def _refill(self, words: Sequence[str]) -> str:
        if len(words) > 1 and self.state.pool:
            return f"refill minion {self.chance.choice(self.state.pool)}"
        return "refill"

    def _curse(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        return f"curse {seat} {self.chance.choice(list(self.state.bands[seat].inscribed) or CARDS)}"

    def _fade(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        wizard, blessed = self.state.wizard(seat), list(after.blessed(self.state, seat))
        if not blessed or self.chance.random() < 0.4:
            return f"fade {seat}"
        cards = list(wizard.drawn) or self.chance.sample(blessed, after.cards_to_draw(self.state, wizard))
        fades = f" fades {self.chance.choice(cards)}" if self.chance.random() < 0.6 else ""
        return f"fade {seat} {' '.join(cards)}{fades}"

    def _memory(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        return f"memory {seat} {self.chance.choice(list(self.state.bands[seat].inscribed) or CARDS)}"

    def _inscribe(self, words: Sequence[str]) -> str:
        names = [name for name, effect in INSCRIPTIONS.items() if (effect.tier == "mythic") == (words[0] == "mythic")]
        heroes = [card for card in CARDS if is_hero(card)]
        cards = heroes if words[0] == "mythic" and self.chance.random() < 0.7 else CARDS
        return f"{words[0]} {self._seat_in(words)} {self.chance.choice(cards)} {self.chance.choice(names)}"

    def _heirloom(self, words: Sequence[str]) -> str:
        seat = self._seat_in(words)
        return f"heirloom {seat} {self.chance.choice(self.state.bands[seat].history or tuple(INSCRIPTIONS))}"

    # what nobody asked for

    def _known_card(self) -> str:
        """A card that somebody says they hold, or do not hold after all."""
        seat = self._seat()
        bears = [card for card in self.hand(seat) if card in self.state.bands[seat].inscribed]
        if self.state.wizard(seat).held and self.chance.random() < 0.3:
            return f"unhold {seat} {self.chance.choice(self.state.wizard(seat).held)}"
        return f"hold {seat} {self.chance.choice(bears or self.hand(seat) or CARDS)}"

    def _by_hand(self) -> str:
        """The table is right: counters set by hand, notes, and earlier lines amended."""
        seat, some = self._seat(), self.chance.randint
        foe = self.chance.choice(["boss", *(f"minion {minion.ref}" for minion in self.state.minions)])
        harmless = [
            f"set {seat} hp {some(0, 20) if self.chance.random() < 0.2 else some(8, 20)}",
            f"add {foe} hp {some(-9, 9):+d}",
            f"set {foe} atk {some(1, 6)}",
            f"set table active {seat}",
            'note "so be it"',
        ]
        if self.exact:
            return self.chance.choice(harmless)
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
        return self.chance.choice(harmless + bold)


_WAYS: Final[dict[str, Callable[[Player, Sequence[str]], str]]] = {
    "reveal": Player._reveal,
    "label": Player._label,
    "patron": Player._patron,
    "will": Player._will,
    **dict.fromkeys(("spike", "foil", "snipe", "brace"), Player._tactic),
    "convert": Player._convert,
    "target": Player._target,
    "dodge": Player._dodge,
    "refill": Player._refill,
    "curse": Player._curse,
    "fade": Player._fade,
    "memory": Player._memory,
    **dict.fromkeys(("buy", "mythic"), Player._inscribe),
    "heirloom": Player._heirloom,
}
