"""The simulated people: what each does with the cards in hand and what lies open on the table, and nothing else.

A temperament is asked at each decision of the rules. It sees the table as everybody does, the hand of its own seat, and
no other hand and no deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from companion.games.decknforge import actions as do
from companion.games.decknforge import attacks, reveal, tactics
from companion.games.decknforge.arithmetic import atk, base_face, compute_strike, dodge_bar, face, killing_hit
from companion.games.decknforge.inscriptions import counts_as_hero
from companion.games.decknforge.state import FULL_HP, DungeonTable, Foe, Upcard
from companion.rehearsal.chance import Chance
from companion.tabletop.action import Action
from companion.tabletop.cards import Card, suit

Bonus = Literal["rally", "surge", "momentum"]


class Seen(NamedTuple):
    """What somebody sees: the open table, their seat, their hand, and the chance that their whims have."""

    state: DungeonTable
    seat: str
    hand: Sequence[Card]
    chance: Chance

    @property
    def boss(self) -> Foe:
        """The Boss."""
        assert self.state.boss is not None
        return self.state.boss

    @property
    def hp(self) -> int:
        """One's own HP."""
        return self.state.wizard(self.seat).hp

    def whim(self, *purpose: object) -> float:
        """From 0 to below 1, by what it is for and when."""
        state = self.state
        return self.chance.share("whim", self.seat, state.number, state.round, *purpose)

    def value(self, card: Card) -> int:
        """F of a card of one's own hand (R1.40)."""
        return base_face(self.state, self.seat, self.seat, card, leaving=(card,))

    def by_value(self) -> list[Card]:
        """The hand, the lowest first; equal cards in the order of the deck."""
        return sorted(self.hand, key=lambda card: (self.value(card), card))

    def cheapest(self, cards: int, heroes: int = 0, keep: Card | None = None) -> tuple[Card, ...]:
        """The lowest cards that pay a price, with so many Heroes; () where the hand cannot."""
        left = [card for card in self.by_value() if card != keep]
        paid = [card for card in left if counts_as_hero(self.state, self.seat, card)][:heroes] if heroes else []
        if len(paid) < heroes:
            return ()
        paid += [card for card in left if card not in paid][: cards - len(paid)]
        return tuple(paid) if len(paid) == cards else ()

    def cheapest_dodge(self, foe: Foe, most: int = 2) -> tuple[Card, ...]:
        """The lowest card that dodges an attack, else two of them; () where the hand cannot (R1.43)."""
        bar, cards = dodge_bar(self.state, foe), self.by_value()
        for card in cards:
            if self.value(card) > bar:
                return (card,)
        if most > 1:
            pairs = ((low, high) for at, low in enumerate(cards) for high in cards[at + 1 :])
            return min(
                (pair for pair in pairs if self.value(pair[0]) + self.value(pair[1]) > bar),
                key=lambda pair: self.value(pair[0]) + self.value(pair[1]),
                default=(),
            )
        return ()


class Temperament:
    """Plays at random; the others say where they know better."""

    title = "Random"
    about = (
        "Reveals any card, uses any Tactic now and then, Converts, dodges and aims at Minions by the toss of a coin. "
        "Nobody plays like that; it is what the rules do by themselves, and what the others are measured by."
    )

    def label(self, seen: Seen, labels: Sequence[str]) -> str:
        """The label to add to the Boss, "" to decline (R1.71)."""
        return seen.chance.choose(labels, "label", seen.seat, seen.state.number) if seen.whim("label") < 0.2 else ""

    def reveal(self, seen: Seen) -> Card:
        """The card to reveal (R1.21)."""
        return seen.hand[int(seen.whim("reveal") * len(seen.hand))]

    def tactic(self, seen: Seen) -> Action | None:
        """A Tactic, None to pass (R1.23)."""
        if seen.whim("tactic") >= 0.25:
            return None
        ways = [way for way in (spike(seen), brace(seen), *foils(seen), *snipes(seen)) if way is not None]
        return ways[int(seen.whim("which") * len(ways))] if ways else None

    def convert(self, seen: Seen, upcard: Upcard) -> bool:
        """Whether a revealed card Converts (R1.24a)."""
        return seen.whim("convert", upcard.card) < 0.25

    def aim(self, seen: Seen, upcard: Upcard) -> str:
        """The Minion that a revealed card is aimed at, "" for the Boss (R1.60)."""
        minions = seen.state.minions
        if not minions or seen.whim("aim", upcard.card) >= 0.2:
            return ""
        return minions[int(seen.whim("which minion", upcard.card) * len(minions))].ref

    def dodge(self, seen: Seen, foe: Foe) -> tuple[Card, ...]:
        """The cards to dodge an attack with, () to take it (R1.26)."""
        return seen.cheapest_dodge(foe) if seen.whim("dodge", foe.ref) < 0.5 else ()

    def bonus(self, seen: Seen, choices: Sequence[Bonus]) -> Bonus:
        """The Killer's bonus (R1.54)."""
        return choices[int(seen.whim("bonus") * len(choices))]


class Careful(Temperament):
    """Stays alive."""

    title = "Careful"
    about = (
        "Wants everybody alive: adds no label, heals with Hearts when two thirds of the HP are gone, dodges whatever one "
        "cheap card dodges, Braces when the next hit would kill, and aims at Minions that one card kills."
    )

    def label(self, seen: Seen, labels: Sequence[str]) -> str:  # noqa: ARG002
        """None: each makes the Boss worse."""
        return ""

    def reveal(self, seen: Seen) -> Card:
        """A middling card; the highest Heart where it is needed."""
        cards = seen.by_value()
        hearts = [card for card in cards if suit(card) == "H" and not counts_as_hero(seen.state, seen.seat, card)]
        return hearts[-1] if hearts and is_hurt(seen) else cards[len(cards) * 2 // 3]

    def tactic(self, seen: Seen) -> Action | None:
        """Brace where the Boss's next hit would kill and no card dodges it."""
        falls = seen.hp <= atk(seen.state, seen.boss)
        return brace(seen) if falls and not seen.cheapest_dodge(seen.boss) else None

    def convert(self, seen: Seen, upcard: Upcard) -> bool:
        """Hearts where they heal whom they must; nothing else."""
        return suit(upcard.card) == "H" and is_hurt(seen)

    def aim(self, seen: Seen, upcard: Upcard) -> str:
        """A Minion that this card kills, the strongest first, unless the Boss is about to fall."""
        state = seen.state
        if compute_strike(state, seen.boss).kills:
            return ""
        aimed = {each.target for each in state.revealed}
        weak = [foe for foe in state.minions if foe.hp <= face(state, upcard) and foe.ref not in aimed]
        return max(weak, key=lambda foe: atk(state, foe)).ref if weak else ""

    def dodge(self, seen: Seen, foe: Foe) -> tuple[Card, ...]:
        """With one cheap card; with two where the hit would kill."""
        falls = seen.hp <= atk(seen.state, foe)
        cards = seen.cheapest_dodge(foe, most=2 if falls else 1)
        is_cheap = bool(cards) and len(seen.hand) > 3 and seen.value(cards[0]) <= dodge_bar(seen.state, foe) + 4
        return cards if falls or is_cheap else ()

    def bonus(self, seen: Seen, choices: Sequence[Bonus]) -> Bonus:  # noqa: ARG002
        """Cards for everybody's next fight."""
        return "surge"


class Greedy(Careful):
    """Plays for Coppers."""

    title = "Greedy"
    about = (
        "Plays for Coppers: adds the first label that may be added, since each pays; Converts Diamonds while the Boss "
        "stands firm; when the kill is near reveals the highest card, Spikes it, and Snipes or Foils whoever would take "
        "the kill instead. Looks after HP only when they run out."
    )

    def label(self, seen: Seen, labels: Sequence[str]) -> str:
        """The first there is."""
        return labels[0] if labels else ""

    def reveal(self, seen: Seen) -> Card:
        """The highest card where the Boss may fall now, else the highest Diamond that Converts."""
        cards = seen.by_value()
        if is_near(seen):
            return cards[-1]
        diamonds = [card for card in cards if suit(card) == "D" and not counts_as_hero(seen.state, seen.seat, card)]
        return diamonds[-1] if diamonds else cards[len(cards) // 2]

    def tactic(self, seen: Seen) -> Action | None:
        """What takes the kill, where somebody else would have it now, or where a Spike makes it fall."""
        strike = compute_strike(seen.state, seen.boss)
        own = seen.state.cards_of(seen.seat)
        if not own:
            return None
        if not strike.kills:
            short = seen.boss.hp - strike.total
            return spike(seen) if short <= tactics.TACTIC_VALUE else super().tactic(seen)
        hit = killing_hit(seen.state, strike)
        if hit is None or hit.upcard.controller == seen.seat:
            return None
        if face(seen.state, own[0]) + tactics.TACTIC_VALUE > hit.face:
            return spike(seen)
        return next((way for way in snipes(seen) if way.other == hit.upcard.controller), None)

    def convert(self, seen: Seen, upcard: Upcard) -> bool:
        """Diamonds unless the Boss falls now."""
        return suit(upcard.card) == "D" and not compute_strike(seen.state, seen.boss).kills

    def dodge(self, seen: Seen, foe: Foe) -> tuple[Card, ...]:
        """Where few HP are left."""
        return super().dodge(seen, foe) if seen.hp <= FULL_HP // 2 else ()


class TableMinded(Careful):
    """Plans the kill together."""

    title = "Table-minded"
    about = (
        "Plans with the others, as people may talk about all but their cards: reveals its share of what the Boss has "
        "left, the highest card when all together may kill it now, Spikes when that makes the kill, never Foils or "
        "Snipes, Converts Hearts and Spades when somebody is about to fall, and lets the Killer take Momentum."
    )

    def reveal(self, seen: Seen) -> Card:
        """The lowest card that does one's share of the kill, where that is in reach; else the highest but two."""
        cards, state = seen.by_value(), seen.state
        open_total = compute_strike(state, seen.boss).total
        still = len(reveal.plotters(state))
        share = -(-(seen.boss.hp - open_total) // max(1, still))
        enough = [card for card in cards if seen.value(card) >= share]
        if enough:
            return enough[0]
        if is_near(seen):
            return cards[-1]
        return super().reveal(seen) if is_hurt(seen) else cards[max(0, len(cards) - 3)]

    def tactic(self, seen: Seen) -> Action | None:
        """A Spike that makes the kill."""
        strike = compute_strike(seen.state, seen.boss)
        short = seen.boss.hp - strike.total
        if 0 < short <= tactics.TACTIC_VALUE and seen.state.cards_of(seen.seat):
            return spike(seen)
        return super().tactic(seen)

    def convert(self, seen: Seen, upcard: Upcard) -> bool:
        """Hearts and Spades in need, and never what the kill needs."""
        strike = compute_strike(seen.state, seen.boss)
        if strike.kills and strike.total - face(seen.state, upcard) < seen.boss.hp:
            return False
        return suit(upcard.card) in "HS" and is_hurt(seen)

    def bonus(self, seen: Seen, choices: Sequence[Bonus]) -> Bonus:
        """Momentum, where another Boss comes."""
        return "momentum" if "momentum" in choices else "surge"


def is_hurt(seen: Seen) -> bool:
    """Whether two thirds of the HP are gone."""
    return seen.hp * 3 <= FULL_HP


def is_near(seen: Seen) -> bool:
    """Whether the cards that are still to be revealed may kill the Boss, each taken as a good Item."""
    good = 9
    left = seen.boss.hp - compute_strike(seen.state, seen.boss).total
    return left <= good * len(reveal.plotters(seen.state))


def spike(seen: Seen) -> do.Spike | None:
    """A Spike on one's first revealed card, paid with the lowest cards; None where the hand cannot."""
    for upcard in seen.state.cards_of(seen.seat)[:1]:
        if pay := seen.cheapest(tactics.tactic_cost(seen.state, "spike", upcard).cards):
            return do.Spike(seen.seat, pay, upcard.card)
    return None


def brace(seen: Seen) -> do.Brace | None:
    """Brace, paid with the lowest cards; None where the hand cannot."""
    pay = seen.cheapest(tactics.tactic_cost(seen.state, "brace", None).cards)
    return do.Brace(seen.seat, pay) if pay else None


def foils(seen: Seen) -> list[do.Foil]:
    """A Foil of each card of the others that may be Foiled."""
    if tactics.foil_forbidden(seen.state):
        return []
    ways = []
    for upcard in _targets(seen):
        if pay := seen.cheapest(tactics.tactic_cost(seen.state, "foil", upcard).cards):
            ways.append(do.Foil(seen.seat, upcard.controller, pay, upcard.card))
    return ways


def snipes(seen: Seen) -> list[do.Snipe]:
    """A Snipe of each card of the others that may be Sniped, for one's first revealed card."""
    ways = []
    for own in seen.state.cards_of(seen.seat)[:1]:
        for upcard in _targets(seen):
            price = tactics.tactic_cost(seen.state, "snipe", upcard)
            if pay := seen.cheapest(price.cards, price.heroes):
                ways.append(do.Snipe(seen.seat, upcard.controller, pay, upcard.card, own.card))
    return ways


def _targets(seen: Seen) -> list[Upcard]:
    revealed = seen.state.revealed
    others = (upcard for upcard in revealed if upcard.controller != seen.seat)
    return [upcard for upcard in others if not tactics.is_untouchable(seen.state, upcard)]


TEMPERAMENTS: Final[Mapping[str, Temperament]] = MappingProxyType(
    {"random": Temperament(), "greedy": Greedy(), "careful": Careful(), "table": TableMinded()}
)
"""By the word that asks for each; the words stay for ever, as rehearsals are kept by them."""


def next_attack(state: DungeonTable, seat: str) -> Foe | None:
    """Whose attack somebody answers next (R1.26, R1.28)."""
    return next(iter(attacks.open_attacks(state, state.wizard(seat))), None)
