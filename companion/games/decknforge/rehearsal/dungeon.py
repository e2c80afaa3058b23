"""A simulated dungeon: real decks and hands, players of several temperaments, and the game's own rules.

Every random result is part of the line, as for players with real cards, so the program draws nothing. Only `apply`
changes the table. Players are asked only if there is a decision: passes and attacks that are taken are left to `next`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from companion.games.decknforge.book.founding import why_useless
from companion.games.decknforge.book.state import BOSSES, EDITION, DungeonTable, Wizard
from companion.games.decknforge.rehearsal.bands import CARDS
from companion.games.decknforge.rehearsal.figures import DungeonTally
from companion.games.decknforge.rehearsal.temperaments import (
    DungeonView,
    RandomWizard,
    acts_in_hand,
    holds_will,
    is_double,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import after_fight, attacks, damage, drafting, labelling, reveal, round_steps
from companion.games.decknforge.rules.kill import asks_curse
from companion.tabletop.action import Action
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card
from companion.tabletop.notation.notation import write
from companion.tabletop.rehearsal import Chance
from companion.tabletop.table.common_actions import Next

_NEXT: Final = Next()
_DAMAGE: Final = do.Damage()
_PLACES: Final = 2**62
"""Places in a shuffle; so many that no two cards share one."""


class ShuffledDecks:
    """The shuffled decks of a table and the hands: the face-down cards, which no table contains."""

    __slots__ = ("_wizards", "hands", "orders", "taken")

    def __init__(self, orders: Mapping[str, Sequence[Card]]) -> None:
        self.orders = orders
        """The combat deck of each seat, in the order in which it is drawn."""
        self.hands: dict[str, list[Card]] = {seat: [] for seat in orders}
        self.taken = dict.fromkeys(orders, 0)
        """Cards drawn from each deck so far."""
        self._wizards: tuple[Wizard, ...] = ()
        """The wizards at the last update of the hands."""

    def copy(self) -> ShuffledDecks:
        """Return a copy that can be played on independently."""
        twin = ShuffledDecks(self.orders)
        twin.hands = {seat: [*hand] for seat, hand in self.hands.items()}
        twin.taken = dict(self.taken)
        return twin

    def follow(self, table: DungeonTable) -> list[tuple[str, Card]]:
        """Update the hands by cards that were drawn or left, as the table says. Returns (seat, card) of new ones."""
        came: list[tuple[str, Card]] = []
        if table.wizards is self._wizards:
            return came
        self._wizards = table.wizards
        for wizard in table.wizards:
            seat, hand = wizard.seat, self.hands[wizard.seat]
            taken = len(CARDS) - wizard.deck
            if taken != self.taken[seat]:
                new = self.orders[seat][self.taken[seat] : taken]
                hand += new
                came += [(seat, card) for card in new]
                self.taken[seat] = taken
            if len(hand) != wizard.hand:
                gone = {entry.card for entry in wizard.pile}
                gone |= {upcard.card for upcard in table.revealed if upcard.owner == seat}
                held = [card for card in self.orders[seat][:taken] if card not in gone]
                came += [(seat, card) for card in held if card not in hand]
                hand[:] = held
                assert len(hand) == wizard.hand, (seat, hand, wizard.hand)
        return came


def shuffle_decks(chance: Chance, seats: Sequence[str]) -> ShuffledDecks:
    """Return every seat's combat deck, shuffled by its own chance (R1.13)."""
    orders = {}
    for seat in seats:
        order = list(CARDS)
        chance.stream("deck", seat).shuffle(order)
        orders[seat] = order
    return ShuffledDecks(orders)


class SimulatedDungeon:
    """A dungeon in progress: the table, the decks, and the player at each seat.

    It can go on from any table in any step, so that a player who looks ahead can play on from a copy.
    """

    def __init__(
        self,
        game: Game,
        table: DungeonTable,
        decks: ShuffledDecks,
        players: Mapping[str, RandomWizard],
        chance: Chance,
        arrivals: Sequence[Ref] = (),
        tally: DungeonTally | None = None,
        keep_lines: bool = False,
    ) -> None:
        self.game = game
        self.table = table
        self.decks = decks
        self.players = players
        self.chance = chance
        self.arrivals = arrivals
        """The Monsters in the order in which they come as Minions, as far as they are in the pool."""
        self.tally = tally
        self.lines: list[str] | None = [] if keep_lines else None
        self._talkers = [seat for seat, player in players.items() if player.talks]

    # Applying lines, and the views of players

    def do(self, action: Action) -> None:
        """Apply one line, which must follow the rules, and update the hands."""
        before = self.table
        self.table = self.game.apply(before, action).state
        if self.lines is not None:
            self.lines.append(write(action))
        if self.tally is not None:
            self.tally.add(before, action, self.table)
        if self.table.step == "setup":
            return
        match action:
            case do.Reveal(seat=seat, card=card):
                self.decks.hands[seat].remove(card)
            case do.Spike() | do.Foil() | do.Snipe() | do.Brace():
                self._put_away(action.seat, action.pay)
            case do.Dodge(seat=seat, cards=cards):
                self._put_away(seat, cards)
        for seat, card in self.decks.follow(self.table):
            is_said = card in self.table.wizard(seat).known_hand
            if not is_said and acts_in_hand(self.table, seat, card) and self.table.step in round_steps.ROUND_STEPS:
                self.do(do.Hold(seat, card))

    def _put_away(self, seat: str, cards: tuple[Card, ...] | int) -> None:
        assert not isinstance(cards, int)
        hand = self.decks.hands[seat]
        for card in cards:
            hand.remove(card)

    def view(self, seat: str, table: DungeonTable | None = None) -> DungeonView:
        """Return the view of the player at a seat."""
        hands = self.decks.hands
        heard = {other: hands[other] for other in self._talkers} if seat in self._talkers else {}
        return DungeonView(table or self.table, seat, hands[seat], self.chance, heard, self.game)

    def play(self, until: Callable[[DungeonTable], bool] = lambda table: table.step == "sealed") -> None:
        """Play on to the seal, or until a condition holds."""
        while not until(self.table):
            _STEPS[self.table.step](self)

    # The round

    def labels(self) -> None:
        """Offer the label; the first player who wants one adds it (R1.71)."""
        earlier: list[str] = []
        for seat in labelling.open_to(self.table):
            if label := self.players[seat].label(self.view(seat)):
                for other in earlier:
                    self.do(do.Decline(other))
                self.do(label)
                return
            earlier.append(seat)
        self.do(_NEXT)

    def reveal(self) -> None:
        """Let all plot at once and reveal clockwise; then second cards and The Patron (R1.20, R1.21)."""
        if plotters := reveal.plotters(self.table):
            plots = [(wizard.seat, self.players[wizard.seat].reveal(self.view(wizard.seat))) for wizard in plotters]
            for seat, card in plots:
                self.do(do.Reveal(seat, card))
            return
        now = self.table.round, self.table.number
        while self._answer_reveal() and (self.table.round, self.table.number) == now:
            if self.table.step != "reveal":
                return
        self._declare()
        if self.table.step == "reveal":
            self.do(_NEXT)

    def _answer_reveal(self) -> bool:
        """Answer one more choice of the reveal. Returns False if none changed the table."""
        for wizard in self.table.fighting():
            if wizard.patrons:
                self.do(self.players[wizard.seat].patron(self.view(wizard.seat)))
                return True
            if reveal.may_reveal_again(self.table, wizard):
                card = self.players[wizard.seat].reveal_more(self.view(wizard.seat))
                if card is not None:
                    self.do(do.Reveal(wizard.seat, card))
                    return True
        return False

    def tactics(self) -> None:
        """Play Wizard's Will, then one Tactic or pass each, clockwise (R1.21, R1.22)."""
        if not any(wizard.has_acted for wizard in self.table.wizards):
            self._will()
        passes: list[str] = []
        for wizard in self.table.fighting():
            if wizard.has_acted:
                continue
            player = self.players[wizard.seat]
            if player.looks_ahead:
                self._say_passes(passes)
            tactic = player.tactic(self.view(wizard.seat))
            if tactic is None:
                passes.append(wizard.seat)
            else:
                self._say_passes(passes)
                self.do(tactic)
        if self.table.step == "tactics":
            self.do(_NEXT)

    def _say_passes(self, passes: list[str]) -> None:
        for seat in passes:
            self.do(do.Pass(seat))
        passes.clear()

    def _will(self) -> None:
        for wizard in self.table.fighting():
            hand = self.decks.hands[wizard.seat]
            if reveal.will_refusal(self.table, wizard) or not holds_will(self.table, wizard.seat, hand):
                continue
            if will := self.players[wizard.seat].will(self.view(wizard.seat)):
                self.do(will)

    def declare(self) -> None:
        """Declare Converts and targets, clockwise, then resolve the damage (R1.24)."""
        self._declare()
        self.do(_DAMAGE)

    def _declare(self) -> None:
        converting = reveal.declared_now(self.table)
        minions = damage.aimable_minions(self.table) if self.table.step != "reveal" else ()
        if not converting and not minions:
            return
        for wizard in self.table.clockwise():
            for upcard in self.table.cards_of(wizard.seat):
                if upcard.declared or is_double(self.table, upcard):
                    continue
                action = self.players[wizard.seat].declare(self.view(wizard.seat), upcard, minions)
                if action is not None:
                    self.do(action)

    def kill(self) -> None:
        """Answer Cursed, and choose the Killer's bonus (R1.54, R1.L13)."""
        killer = self.table.killer or ""
        player = self.players[killer]
        if asks_curse(self.table):
            self.do(player.curse(self.view(killer)))
        self.do(player.bonus(self.view(killer)))

    def attack(self) -> None:
        """Answer the Boss's attack: dodges are declared clockwise (R1.26)."""
        boss = self.table.boss
        assert boss is not None
        for wizard in self.table.fighting():
            if not wizard.answers and (cards := self.players[wizard.seat].dodge(self.view(wizard.seat), boss)):
                self.do(do.Dodge(wizard.seat, cards))
        if self.table.step == "attack":
            self.do(_NEXT)

    def minions(self) -> None:
        """Answer each Minion's attack on each wizard (R1.28)."""
        if self.table.minion_due:
            self.do(do.Escalate(self.next_minion()))
            return
        for wizard in self.table.fighting():
            takes = 0
            for minion in attacks.open_attacks(self.table, wizard):
                if cards := self.players[wizard.seat].dodge(self.view(wizard.seat), minion):
                    for _ in range(takes):
                        self.do(do.Take(wizard.seat))
                    self.do(do.Dodge(wizard.seat, cards))
                    takes = 0
                else:
                    takes += 1
        if self.table.step == "minions":
            self.do(_NEXT)

    def refill(self) -> None:
        """Refill and escalate: step 9 (R1.29, R1.30)."""
        comes = self.next_minion() if round_steps.has_escalation(self.table) else None
        self.do(do.Refill(comes))

    def next_minion(self) -> Ref | None:
        """Return the next Minion from the pool, or None."""
        pool = self.table.pool
        return next((ref for ref in self.arrivals if ref in pool), None)

    # After the game

    def fading(self) -> None:
        """Draw every band's Fading by its own chance (R1.81)."""
        for wizard in self.table.wizards:
            if wizard.has_faded:
                continue
            seat = wizard.seat
            blessed = after_fight.to_draw_from(self.table, seat)
            # Each card has its own place in the shuffle, so that one more inscription does not change the others'
            # places.
            order = sorted(blessed, key=partial(self._place_in_shuffle, seat))
            cards = tuple(order[: after_fight.cards_to_draw(self.table, wizard)])
            able = [card for card in cards if after_fight.can_fade(self.table, seat, card)]
            fades = self.players[seat].fades(self.view(seat), able) if len(able) > 1 else None
            self.do(do.Fade(seat, cards, fades))

    def _place_in_shuffle(self, seat: str, card: Card) -> int:
        return self.chance.stream("fading", seat, card).below(_PLACES)

    def _heirlooms(self) -> None:
        for wizard in self.table.wizards:
            if self.table.bands[wizard.seat].retired and not wizard.heirloom:
                self.do(do.Heirloom(wizard.seat, self.players[wizard.seat].heirloom(self.view(wizard.seat))))

    def drifting(self) -> None:
        """Pick the next deck of the draft (R1.82)."""
        seat = drafting.next_pick(self.table)
        decks = drafting.left_to_pick(self.table)
        self.do(do.Pick(seat, self.players[seat].pick(self.view(seat), decks)))

    def turning(self) -> None:
        """Choose heirlooms, place Mythics, buy, and seal (R1.83)."""
        self._heirlooms()
        for seat in [wizard.seat for wizard in self.table.wizards]:
            self._carry_over(seat)
            self._place_mythics(seat)
            self._buy(seat)
        self.do(do.Seal())

    def _carry_over(self, seat: str) -> None:
        """Carry over cards by Tower's Memory to the band now held (R1.I23)."""
        while cards := after_fight.cards_to_carry_over(self.table, seat):
            card = self.players[seat].memory(self.view(seat), cards)
            if card is None:
                return
            self.do(do.Memory(seat, card))

    def _place_mythics(self, seat: str) -> None:
        player = self.players[seat]
        while names := [one.name for one in after_fight.earned_mythics(self.table, self.table.wizard(seat))]:
            name = player.mythic(self.view(seat), names)
            cards = _cards_for(self.table, seat, name)
            if not cards:
                return
            self.do(do.Mythic(seat, player.place(self.view(seat), name, cards), name))

    def _buy(self, seat: str) -> None:
        player = self.players[seat]
        if after_fight.band_to_inscribe(self.table, self.table.wizard(seat)) is None:
            return
        while names := [one.name for one in after_fight.on_sale(self.table, self.table.wizard(seat))]:
            name = player.buy(self.view(seat), names)
            cards = _cards_for(self.table, seat, name) if name else []
            if name is None or not cards:
                return
            self.do(do.Buy(seat, player.place(self.view(seat), name, cards), name))


def _cards_for(table: DungeonTable, seat: str, name: str) -> list[Card]:
    """Return the cards of the band now held that an inscription may go on and has an effect on (R1.9)."""
    wizard = table.wizard(seat)
    band = after_fight.band_to_inscribe(table, wizard)
    if band is None:
        return []
    cards = (card for card in CARDS if not why_useless(name, card, table.book))
    return [card for card in cards if not after_fight.inscription_error(table, wizard, band, card, name)]


_STEPS: Final[dict[str, Callable[[SimulatedDungeon], None]]] = {
    "labels": SimulatedDungeon.labels,
    "reveal": SimulatedDungeon.reveal,
    "tactics": SimulatedDungeon.tactics,
    "declare": SimulatedDungeon.declare,
    "damage": SimulatedDungeon.declare,
    "kill": SimulatedDungeon.kill,
    "attack": SimulatedDungeon.attack,
    "minions": SimulatedDungeon.minions,
    "refill": SimulatedDungeon.refill,
    "fading": SimulatedDungeon.fading,
    "drifting": SimulatedDungeon.drifting,
    "turning": SimulatedDungeon.turning,
}


def begin_line(table: DungeonTable, chance: Chance) -> tuple[do.BeginDungeon, tuple[Ref, ...]]:
    """Return `begin` with the Bosses and the lots, and the order in which the others come as Minions (R1.11, R1.30).

    All Monsters are shuffled once: the first six are Bosses, the rest are the pool from its top.
    """
    order = list(table.monsters)
    chance.stream("monsters of the dungeon").shuffle(order)
    lots = [wizard.seat for wizard in table.wizards]
    chance.stream("lots").shuffle(lots)
    return do.BeginDungeon(0, tuple(order[:BOSSES]), tuple(lots), EDITION), tuple(order[BOSSES:])


def begin_dungeon(
    game: Game,
    lines: Sequence[Action],
    players: Sequence[RandomWizard],
    chance: Chance,
    tally: DungeonTally | None = None,
    keep_lines: bool = False,
) -> SimulatedDungeon:
    """Begin a dungeon: the lines of rules and bands, the first active wizard, the deal. Raises RuleError."""
    table = game.new()
    for line in lines:
        table = game.apply(table, line).state
    seats = [wizard.seat for wizard in table.wizards]
    first = do.Active(chance.stream("active").choice(seats))
    begins, arrivals = begin_line(table, chance)
    decks = shuffle_decks(chance, seats)
    by_seat = dict(zip(seats, players, strict=True))
    dungeon = SimulatedDungeon(game, table, decks, by_seat, chance, arrivals, tally, keep_lines)
    if dungeon.lines is not None:
        dungeon.lines += [f"table {game.name}", *map(write, lines)]
    dungeon.do(first)
    dungeon.do(begins)
    return dungeon
