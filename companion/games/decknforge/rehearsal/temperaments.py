"""Simulated wizards: the decisions of each temperament, based on what the player at that seat can see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

import msgspec

from companion.games.decknforge.book.effect import MonsterLabel
from companion.games.decknforge.book.inscriptions import GLINT_LIMIT, counts_as_hero, effects, hand_face
from companion.games.decknforge.book.ledger import wound_damage
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import PRINTED, DungeonTable, Foe, Upcard, Wizard
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import labelling, reveal, tactics
from companion.games.decknforge.rules.arithmetic import (
    TACTIC_VALUE,
    atk,
    base_face,
    compute_strike,
    dodge_bar,
    face,
    is_dodge,
    killing_hit,
)
from companion.tabletop.game import Game
from companion.tabletop.notation.cards import Card, suit
from companion.tabletop.rehearsal import Chance, Stream


class DungeonView:
    """The view of the player at a seat: the open table, their own hand, and hands that others have declared.

    The table also contains hidden facts (the Bosses to come, the lots); players here never use them.
    """

    __slots__ = ("chance", "game", "hand", "open_hands", "seat", "table")

    def __init__(
        self,
        table: DungeonTable,
        seat: str,
        hand: Sequence[Card],
        chance: Chance,
        open_hands: Mapping[str, Sequence[Card]],
        game: Game,
    ) -> None:
        self.table = table
        self.seat = seat
        self.hand = hand
        self.chance = chance
        self.open_hands = open_hands
        """The hands of all players who talk, by seat, including their own; empty for a player who does not talk."""
        self.game = game
        """The rules, for players who look ahead."""

    @property
    def wizard(self) -> Wizard:
        """The wizard at this seat."""
        return self.table.wizard(self.seat)

    @property
    def boss(self) -> Foe:
        """The Boss that is fought."""
        assert self.table.boss is not None
        return self.table.boss

    def draws(self, *what: str | int) -> Stream:
        """Return the chance of one decision, which does not depend on the number of earlier ones."""
        return self.chance.stream("wizard", self.seat, self.table.number, self.table.round, *what)

    def face(self, card: Card) -> int:
        """Return F that a card of the hand would have, revealed now (R1.40)."""
        return base_face(self.table, self.seat, self.seat, card, leaving=(card,))

    def is_hero(self, card: Card) -> bool:
        """Return True if a card of the hand counts as a Hero."""
        return counts_as_hero(self.table, self.seat, card)

    def inscriptions(self, card: Card) -> tuple[str, ...]:
        """Return the inscriptions on a card of the wizard's own band."""
        return self.table.bands[self.seat].inscribed.get(card, ())


Tactic = do.Spike | do.Foil | do.Snipe | do.Brace


def payment(view: DungeonView, order: Sequence[Card], cost: tactics.Cost) -> tuple[Card, ...] | None:
    """Return the first cards of an order that pay a Tactic, or None if the hand is too small (R1.23)."""
    if len(order) < cost.cards:
        return None
    heroes = [card for card in order if view.is_hero(card)][: cost.heroes] if cost.heroes else []
    if len(heroes) < cost.heroes:
        return None
    others = [card for card in order if card not in heroes] if heroes else order
    return (*heroes, *others[: cost.cards - cost.heroes])


ALL_TACTICS: Final = (do.Spike, do.Foil, do.Snipe, do.Brace)


def possible_tactics(
    view: DungeonView, order: Sequence[Card], kinds: Sequence[type[Tactic]] = ALL_TACTICS
) -> Iterator[Tactic]:
    """Yield every Tactic of some kinds that a wizard can use now, paid with the first cards of an order (R1.23)."""
    table, seat = view.table, view.seat
    own = table.cards_of(seat)
    for upcard in own if do.Spike in kinds else ():
        if pay := payment(view, order, tactics.tactic_cost(table, "spike", upcard)):
            yield do.Spike(seat, pay, upcard.card)
    foils = do.Foil in kinds and not tactics.foil_forbidden(table)
    snipes = do.Snipe in kinds and bool(own)
    for upcard in table.revealed if foils or snipes else ():
        if upcard.controller == seat or tactics.is_untouchable(table, upcard) or is_double(table, upcard):
            continue
        if foils and (pay := payment(view, order, tactics.tactic_cost(table, "foil", upcard))):
            yield do.Foil(seat, upcard.controller, pay, upcard.card)
        if snipes and (pay := payment(view, order, tactics.tactic_cost(table, "snipe", upcard))):
            yield do.Snipe(seat, upcard.controller, pay, upcard.card, own[0].card)
    if do.Brace in kinds and (pay := payment(view, order, tactics.tactic_cost(table, "brace", None))):
        yield do.Brace(seat, pay)


def is_double(table: DungeonTable, upcard: Upcard) -> bool:
    """Return True if the controller has two identical cards, from two bands, so that a line may be ambiguous."""
    return sum(other.card == upcard.card for other in table.cards_of(upcard.controller)) > 1


def acts_in_hand(table: DungeonTable, seat: str, card: Card) -> bool:
    """Return True if a card has an effect while it is in hand, so that its owner declares it (§1.15)."""
    return any(effect.thorns or effect.rescues or effect.hand_face for effect in effects(table, seat, card))


def holds_will(table: DungeonTable, seat: str, hand: Sequence[Card]) -> bool:
    """Return True if a card with Wizard's Will is in a hand, or revealed by its owner (A1.39)."""
    own = [upcard.card for upcard in table.revealed if upcard.owner == seat]
    return any(effect.swaps for card in (*hand, *own) for effect in effects(table, seat, card))


def suits_of(view: DungeonView, upcard: Upcard) -> tuple[str, ...]:
    """Return the suits a revealed card may be Converted as; () if it may not Convert (R1.34, R1.I20)."""
    if upcard.declared or not reveal.may_convert(view.table, upcard) or not reveal.declared_now(view.table):
        return ()
    wild = any(effect.any_suit for effect in effects(view.table, upcard.owner, upcard.card))
    return ("S", "H", "C", "D") if wild else (suit(upcard.card),)


def cheapest_dodge(view: DungeonView, foe: Foe, order: Sequence[Card]) -> tuple[Card, ...]:
    """Return the first card of an order that beats an attack (R1.43), else its shortest prefix that does, or ()."""
    bar = dodge_bar(view.table, foe)
    values = [(view.face(card), card) for card in order]
    for value, card in values:
        if value > bar:
            return (card,)
    cards: list[Card] = []
    total = 0
    for value, card in values:
        cards.append(card)
        total += value
        if total > bar:
            return _verify_dodge(view, foe, tuple(cards))
    return ()


def _verify_dodge(view: DungeonView, foe: Foe, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return a dodge if it still suffices once a Royal Decree among its cards no longer helps the others (A1.53)."""
    return cards if is_dodge(view.table, view.seat, foe, cards) else ()


_DEAREST: Final = 6
"""Most cards that a Tactic costs: a Foil, doubled by Hexproof, at a Slippery card, and one to spare."""


class RandomWizard:
    """A player at the table; this one decides everything at random."""

    name: ClassVar[str] = "random"
    text: ClassVar[str] = (
        "Decides everything by lot: which card to reveal, whether to use a Tactic and which, whether to Convert, "
        "whether to dodge and with what. Each kind of answer that the rules allow is as likely as any other. Nobody "
        "plays like this; it is the quickest to rehearse, and shows what the rules alone do."
    )
    talks: ClassVar[bool] = False
    """True if they declare their hand; players who talk know the hands of the others who do."""
    looks_ahead: ClassVar[bool] = False
    """True if they need the exact table, with every pass applied."""

    # The round

    def label(self, view: DungeonView) -> do.AddLabel | None:
        """Return a label for the Boss, or None (R1.71)."""
        draws = view.draws("label")
        if not draws.below(2):
            return None
        label = draws.choice(labelling.labels_left(view.table))
        return do.AddLabel(view.seat, label, ("draw", "heal")[draws.below(2)])

    def reveal(self, view: DungeonView) -> Card:
        """Return the card to plot (R1.20)."""
        return view.draws("reveal").choice(view.hand)

    def reveal_more(self, view: DungeonView) -> Card | None:
        """Return a second card, by Doublestrike, or None (R1.I12)."""
        draws = view.draws("more", len(view.table.revealed))
        return draws.choice(view.hand) if draws.below(2) else None

    def patron(self, view: DungeonView) -> do.Patron:
        """Return the use of The Patron (R1.I24)."""
        others = [one for one in view.table.wizards if one.seat != view.seat]
        draws = view.draws("patron", view.wizard.patrons)
        other = draws.choice(others)
        choice: tuple[str, ...] = tuple(
            choice for choice in ("heal", "steal") if not reveal.patron_refusal(view.wizard, choice, other)
        )
        return do.Patron(view.seat, "heal" if draws.choice(choice) == "heal" else "steal", other.seat)

    def will(self, view: DungeonView) -> do.Will | None:
        """Return the swap by Wizard's Will, or None (R1.I14)."""
        draws = view.draws("will")
        seats = list(dict.fromkeys(upcard.controller for upcard in view.table.revealed))
        if len(seats) < 2 or draws.below(2):
            return None
        one, other = draws.sample(seats, 2)
        cards = tuple(draws.choice(view.table.cards_of(seat)).card for seat in (one, other))
        return do.Will(view.seat, one, other, cards)

    def tactic(self, view: DungeonView) -> Tactic | None:
        """Return a Tactic, or None for a pass (R1.22)."""
        draws = view.draws("tactic")
        kind = draws.choice((None, do.Spike, do.Foil, do.Snipe, do.Brace))
        if kind is None or not view.hand:
            return None
        # The search for Heroes needs the whole hand; no other Tactic costs more than a few cards.
        order = draws.sample(view.hand, len(view.hand) if kind is do.Snipe else min(_DEAREST, len(view.hand)))
        options = list(possible_tactics(view, order, (kind,)))
        return draws.choice(options) if options else None

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        """Return a revealed card's Convert or target, or None to attack the Boss (R1.24a, R1.60)."""
        suits = suits_of(view, upcard)
        options = ("attack", *(("convert",) if suits else ()), *(("target",) if minions else ()))
        if len(options) == 1:
            return None
        draws = view.draws("declare", upcard.owner, upcard.card)
        option = draws.choice(options)
        if option == "convert":
            return do.Convert(view.seat, upcard.card, draws.choice(suits))
        return do.Target(view.seat, draws.choice(minions).ref, upcard.card) if option == "target" else None

    def dodge(self, view: DungeonView, foe: Foe) -> tuple[Card, ...]:
        """Return the cards to dodge an attack, or () to take it (R1.43)."""
        draws = view.draws("dodge", foe.ref)
        if not view.hand or draws.below(2):
            return ()
        return cheapest_dodge(view, foe, draws.sample(view.hand, min(4, len(view.hand))))

    def curse(self, view: DungeonView) -> do.Curse:
        """Return the inscription that Cursed takes (R1.L13)."""
        inscribed = view.table.bands[view.seat].inscribed
        draws = view.draws("curse")
        card = draws.choice(sorted(inscribed))
        return do.Curse(view.seat, card, draws.choice(inscribed[card]))

    def bonus(self, view: DungeonView) -> do.Bonus:
        """Return the Killer's bonus (R1.54)."""
        choices: tuple[do.Bonus, ...] = (do.Bonus("rally"), do.Bonus("surge"))
        if not view.table.is_last_boss:
            choices = (*choices, do.Bonus("momentum"))
        return view.draws("bonus").choice(choices)

    # After the game

    def fades(self, view: DungeonView, cards: Sequence[Card]) -> Card:
        """Return the one of two drawn cards that fades (R1.55)."""
        return view.draws("fades").choice(cards)

    def heirloom(self, view: DungeonView) -> str:
        """Return the inscription that a retired band leaves (R1.81)."""
        return view.draws("heirloom").choice(view.table.bands[view.seat].history)

    def pick(self, view: DungeonView, decks: Sequence[str]) -> str:
        """Return the deck to draft, by the seat that brought it (R1.82)."""
        return view.draws("pick").choice(decks)

    def memory(self, view: DungeonView, cards: Sequence[Card]) -> Card | None:
        """Return a card for Tower's Memory to carry to the band now held, or None (R1.I23)."""
        draws = view.draws("memory", len(view.table.changes))
        return draws.choice(cards) if draws.below(2) else None

    def mythic(self, view: DungeonView, names: Sequence[str]) -> str:
        """Return the Mythic to place (R1.83)."""
        return view.draws("mythic", len(view.table.changes)).choice(names)

    def buy(self, view: DungeonView, names: Sequence[str]) -> str | None:
        """Return an inscription to buy, of those that the purse can pay, or None (R1.83)."""
        draws = view.draws("buy", len(view.table.changes))
        return draws.choice(names) if draws.below(2) else None

    def place(self, view: DungeonView, name: str, cards: Sequence[Card]) -> Card:  # noqa: ARG002 – a random choice
        """Return the card for an inscription."""
        return view.draws("place", len(view.table.changes)).choice(cards)


class SensibleWizard(RandomWizard):
    """The decisions that all sensible players share; temperaments override those in which their aims differ."""

    name = ""
    text = ""
    safe_hp: ClassVar[int] = 8
    """HP below which an attack is dodged at any price."""

    def worth(self, view: DungeonView, card: Card) -> int:
        """Return the value of keeping a card; cards of least value pay and dodge."""
        return 2 * view.face(card) + 5 * len(view.inscriptions(card))

    def by_worth(self, view: DungeonView) -> list[Card]:
        """Return the hand, the least valuable card first."""
        return sorted(view.hand, key=lambda card: (self.worth(view, card), card))

    def label(self, view: DungeonView) -> do.AddLabel | None:  # noqa: ARG002 – a label only helps the Boss
        """Return None: a label makes the Boss stronger for good."""
        return None

    def reveal(self, view: DungeonView) -> Card:
        """Return the card that does most damage."""
        return max(view.hand, key=lambda card: (view.face(card), card))

    def reveal_more(self, view: DungeonView) -> Card | None:
        """Return the next best card, if the hand is large enough."""
        return self.reveal(view) if len(view.hand) > 4 else None

    def patron(self, view: DungeonView) -> do.Patron:
        """Heal the wizard with fewest HP; if none needs it, steal."""
        everybody = view.table.clockwise(view.seat)[1:]
        others = [one for one in everybody if not reveal.patron_refusal(view.wizard, "heal", one)]
        if others and (weakest := min(others, key=lambda one: one.hp)).hp <= 15:
            return do.Patron(view.seat, "heal", weakest.seat)
        return do.Patron(view.seat, "steal", max(everybody, key=lambda one: one.purse).seat)

    def will(self, view: DungeonView) -> do.Will | None:
        """Take the card that takes the kill."""
        others = [upcard for upcard in view.table.revealed if upcard.controller != view.seat]
        own = view.table.cards_of(view.seat)
        hit = expected_kill(view.table)
        if hit is None or not own or hit.controller == view.seat or hit not in others:
            return None
        return do.Will(view.seat, view.seat, hit.controller, (own[0].card, hit.card))

    def tactic(self, view: DungeonView) -> Tactic | None:
        """Spike if that alone kills the Boss; Brace if the wizard would fall to the Boss's attack."""
        missing = missing_damage(view.table)
        order = self.by_worth(view)
        if 0 < missing <= TACTIC_VALUE and len(view.hand) > 1:
            for spike in possible_tactics(view, order, (do.Spike,)):
                return spike
        if missing > 0 and self._would_fall(view) and not cheapest_dodge(view, view.boss, order):
            for brace in possible_tactics(view, order, (do.Brace,)):
                return brace
        return None

    def _would_fall(self, view: DungeonView) -> bool:
        return wound_damage(view.wizard, atk(view.table, view.boss)) >= view.wizard.hp

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        """Attack the Boss; but if it lives anyway, kill a Minion that the card kills alone."""
        if missing_damage(view.table) <= 0:
            return None
        value = face(view.table, upcard)
        for minion in sorted(minions, key=lambda one: -atk(view.table, one)):
            if minion.hp <= value:
                return do.Target(view.seat, minion.ref, upcard.card)
        return None

    def dodge(self, view: DungeonView, foe: Foe) -> tuple[Card, ...]:
        """Dodge with the least valuable cards, if the hand is large or HP are low."""
        hp = view.wizard.hp
        harm = wound_damage(view.wizard, atk(view.table, foe))
        if not harm or not view.hand:
            return ()
        cards = cheapest_dodge(view, foe, self.by_worth(view))
        if hp - harm < self.safe_hp:
            return cards
        return cards if len(cards) == 1 and len(view.hand) > 9 else ()

    def bonus(self, view: DungeonView) -> do.Bonus:
        """Return Momentum, or Rally for the last Boss, after which the bonus has no effect."""
        return do.Bonus("rally" if view.table.is_last_boss else "momentum")

    def fades(self, view: DungeonView, cards: Sequence[Card]) -> Card:
        """Return the card with the cheapest inscriptions."""
        return min(cards, key=lambda card: (price_on(view, view.seat, card), card))

    def heirloom(self, view: DungeonView) -> str:
        """Return the most expensive inscription."""
        book = view.table.book
        return max(view.table.bands[view.seat].history, key=lambda name: (book.price(name) or 0, name))

    def pick(self, view: DungeonView, decks: Sequence[str]) -> str:
        """Return the deck with the most expensive inscriptions; in a tie, the wizard's own."""

        def worth(brought: str) -> tuple[int, bool, str]:
            cards = view.table.bands[brought].inscribed
            return sum(price_on(view, brought, card) for card in cards), brought == view.seat, brought

        return max(decks, key=worth)

    def memory(self, view: DungeonView, cards: Sequence[Card]) -> Card | None:
        """Return the first card with more expensive inscriptions than the same card of the band now held."""
        holds = view.wizard.holds
        dearer = (card for card in cards if price_on(view, view.seat, card) > price_on(view, holds, card))
        return next(dearer, None)

    def mythic(self, view: DungeonView, names: Sequence[str]) -> str:  # noqa: ARG002 – all are good
        """Return the first of the book."""
        return names[0]

    wishes: ClassVar[tuple[str, ...]] = ("doublestrike", "pierce", "vampiric", "banner", "quick", "sharp")
    """Inscriptions to buy, the best first."""

    def buy(self, view: DungeonView, names: Sequence[str]) -> str | None:
        """Return the dearest homebrew inscription that the band lacks, as its value is unknown; else the best wish."""
        if own := [name for name in names if name not in STANDARD.inscriptions]:
            borne = {name for names in view.table.bands[view.wizard.holds].inscribed.values() for name in names}
            if untried := [name for name in own if name not in borne]:
                return max(untried, key=lambda name: (view.table.book.price(name) or 0, name))
        return next((name for name in self.wishes if name in names), None)

    def place(self, view: DungeonView, name: str, cards: Sequence[Card]) -> Card:  # noqa: ARG002 – for any inscription
        """Return the highest card."""
        return max(cards, key=lambda card: (PRINTED[card], card))


def price_on(view: DungeonView, brought: str, card: Card) -> int:
    """Return the price of the inscriptions on a card of a band; a Mythic counts as 30."""
    book = view.table.book
    return sum(book.price(name) or 30 for name in view.table.bands[brought].inscribed.get(card, ()))


def expected_kill(table: DungeonTable) -> Upcard | None:
    """Return the card that takes the kill if all attack as things are now; None if the Boss lives."""
    assert table.boss is not None
    strike = compute_strike(table, table.boss)
    hit = killing_hit(table, strike) if strike.kills else None
    return hit.upcard if hit else None


def missing_damage(table: DungeonTable) -> int:
    """Return the HP that the Boss would have left if all attacked as things are now; 0 or less if it dies."""
    assert table.boss is not None
    strike = compute_strike(table, table.boss)
    return table.boss.hp - strike.total


class GreedyWizard(SensibleWizard):
    """A player who wants Coppers."""

    name = "greedy"
    text = (
        "Wants Coppers, and the dungeon only as far as it pays. Reveals the highest card when the Boss may die this "
        "round, else Glint, else the best Diamond, which is Converted. Spikes, Foils or Snipes whenever that takes the "
        "kill, and swaps for it with Wizard's Will; aims at Minions that one card kills, adds the dearest label that "
        "does not curse or wipe, steals with The Patron, and buys what pays. Keeps Diamonds, and dodges late."
    )
    safe_hp = 6
    wishes = ("blood-money", "mercenary-pact", "echo", "glint")

    def worth(self, view: DungeonView, card: Card) -> int:
        """Return the value of keeping a card, with a bonus for Diamonds, which earn Coppers."""
        return super().worth(view, card) + (8 if suit(card) == "D" and not view.is_hero(card) else 0)

    def label(self, view: DungeonView) -> do.AddLabel | None:
        """Return the hardest label that neither wipes the party nor curses."""
        book = view.table.book
        labels = [name for name in labelling.labels_left(view.table) if not is_deadly(book.labels[name])]
        if not labels:
            return None
        return do.AddLabel(view.seat, max(labels, key=lambda name: book.labels[name].tier), "draw")

    def reveal(self, view: DungeonView) -> Card:
        """Return the highest card if the Boss may die this round, else Glint, else a Diamond."""
        boss = view.boss
        if boss.hp <= _USUAL_CARD * len(view.table.fighting()) + 4:
            return super().reveal(view)
        glints = [card for card in view.hand if "glint" in view.inscriptions(card)]
        if glints and view.wizard.glint < GLINT_LIMIT:
            return max(glints)
        diamonds = [card for card in view.hand if suit(card) == "D" and not view.is_hero(card) and view.face(card) >= 5]
        return max(diamonds, key=lambda card: (view.face(card), card)) if diamonds else super().reveal(view)

    def patron(self, view: DungeonView) -> do.Patron:
        """Steal from the richest."""
        richest = max(view.table.clockwise(view.seat)[1:], key=lambda one: one.purse)
        return do.Patron(view.seat, "steal", richest.seat)

    def tactic(self, view: DungeonView) -> Tactic | None:
        """Return the cheapest Tactic by which the wizard's own card takes the kill."""
        now = expected_kill(view.table)
        if now is not None and now.controller == view.seat:
            return None
        if now is None and missing_damage(view.table) > most_added(view.table):
            return super().tactic(view)
        for tactic in possible_tactics(view, self.by_worth(view), (do.Spike, do.Snipe, do.Foil)):
            taken = expected_kill(after_tactic(view.table, tactic))
            if taken is not None and taken.controller == view.seat:
                return tactic
        return None if now is not None else super().tactic(view)

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        """Convert Diamonds to Coppers, unless the card takes the kill."""
        kill = expected_kill(view.table)
        takes = kill is not None and (kill.owner, kill.card) == (upcard.owner, upcard.card)
        if not takes and "D" in suits_of(view, upcard):
            return do.Convert(view.seat, upcard.card, "D")
        return super().declare(view, upcard, minions)


def most_added(table: DungeonTable) -> int:
    """Return the most damage a Tactic can add: its own value, or the Banners and Decrees of a new controller."""
    return TACTIC_VALUE + sum(wizard.banner + hand_face(table, wizard.seat) for wizard in table.wizards)


def is_deadly(label: MonsterLabel) -> bool:
    """Return True if a label curses or wipes the party."""
    return label.curses or label.wipes_after is not None


def after_tactic(table: DungeonTable, tactic: Tactic) -> DungeonTable:
    """Return the table with a Tactic's change to the revealed cards, and none of its other effects."""

    def change_upcard(upcard: Upcard) -> Upcard:
        match tactic:
            case do.Spike(seat=seat, card=card) if (upcard.controller, upcard.card) == (seat, card):
                return msgspec.structs.replace(upcard, tactics=(*upcard.tactics, TACTIC_VALUE))
            case do.Foil(other=other, card=card) if (upcard.controller, upcard.card) == (other, card):
                return msgspec.structs.replace(upcard, tactics=(*upcard.tactics, -TACTIC_VALUE))
            case do.Snipe(seat=seat, other=other, card=card) if (upcard.controller, upcard.card) == (other, card):
                return msgspec.structs.replace(upcard, controller=seat)
            case do.Snipe(seat=seat, other=other, own=own) if (upcard.controller, upcard.card) == (seat, own):
                return msgspec.structs.replace(upcard, controller=other)
        return upcard

    return msgspec.structs.replace(table, revealed=tuple(map(change_upcard, table.revealed)))


class CarefulWizard(SensibleWizard):
    """A player who wants to survive."""

    name = "careful"
    text = (
        "Wants to stay alive. Reveals the highest card, when hurt a high Heart to heal with, and Converts Spades to a "
        "shield when that stops much; never where the Boss dies this round. Dodges every attack that one low card "
        "stops, when hurt at any price, and Braces rather than fall. Spikes only to finish the Boss, uses no Tactic "
        "against anybody, aims at Minions that one card kills, adds no label, and buys what heals or saves."
    )
    safe_hp = 14
    wishes = ("phoenix", "vampiric", "sturdy", "quick", "sharp")

    def reveal(self, view: DungeonView) -> Card:
        """Return a high Heart when hurt, else the card that does most damage."""
        if view.wizard.hp <= 9 and view.boss.hp > _USUAL_CARD * len(view.table.fighting()):
            hearts = [
                card for card in view.hand if suit(card) == "H" and not view.is_hero(card) and view.face(card) >= 6
            ]
            if hearts:
                return max(hearts, key=lambda card: (view.face(card), card))
        return super().reveal(view)

    def will(self, view: DungeonView) -> do.Will | None:  # noqa: ARG002 – never
        """Return None: a swap would only take a kill from another wizard."""
        return None

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        """Heal when hurt, raise a shield when it stops much; else attack."""
        if missing_damage(view.table) > 0:
            suits, wizard = suits_of(view, upcard), view.wizard
            if "H" in suits and wizard.hp <= 10 and reveal.convert_yield(view.table, upcard, "H") >= 3:
                return do.Convert(view.seat, upcard.card, "H")
            if "S" in suits and reveal.convert_yield(view.table, upcard, "S") >= wizard.shield + 3:
                return do.Convert(view.seat, upcard.card, "S")
        return super().declare(view, upcard, minions)

    def dodge(self, view: DungeonView, foe: Foe) -> tuple[Card, ...]:
        """Dodge with one low card always, with more when hurt."""
        if not view.hand or not wound_damage(view.wizard, atk(view.table, foe)):
            return ()
        cards = cheapest_dodge(view, foe, self.by_worth(view))
        cheap = len(cards) == 1 and view.face(cards[0]) <= 6 and len(view.hand) > 3
        return cards if cheap else super().dodge(view, foe)


class TableMindedPlayer(SensibleWizard):
    """A player who plans the kill together with others."""

    name = "table"
    text = (
        "Plays for the table. Those of this temperament say openly what they hold (no rule forbids to talk) and plan "
        "together: when their cards can kill the Boss this round, they lay no more than that takes, and whoever has "
        "fewest Coppers keeps the highest; else each lays the strongest. Dodges when hurt, aims at Minions that one "
        "card kills, Spikes only to finish the Boss, Braces rather than fall, takes no kill from anybody, adds no "
        "label, and buys what helps all."
    )
    talks = True
    safe_hp = 10
    wishes = ("banner", "doublestrike", "vampiric", "quick", "sharp", "bright")

    def reveal(self, view: DungeonView) -> Card:
        """Return the wizard's own card in the plan, which all players who talk compute identically."""
        return kill_plan(view).get(view.seat) or super().reveal(view)

    def will(self, view: DungeonView) -> do.Will | None:  # noqa: ARG002 – never
        """Return None: a swap would only take a kill from another wizard."""
        return None


def kill_plan(view: DungeonView) -> dict[str, Card]:
    """Return cards of all players who talk that kill the Boss this round with the least overkill; {} if they cannot.

    Everybody starts from their highest card. Then, from most to fewest Coppers, each goes down to the lowest card that
    still suffices. Players who do not talk count with a usual card.
    """
    table = view.table
    seats = [wizard.seat for wizard in reveal.plotters(table)]
    hands = {seat: view.open_hands[seat] for seat in seats if seat in view.open_hands}

    def value(seat: str, card: Card) -> int:
        return base_face(table, seat, seat, card, leaving=(card,))

    plan = {seat: max(hand, key=lambda card: (value(seat, card), card)) for seat, hand in hands.items()}
    silent = _USUAL_CARD * (len(seats) - len(hands))
    spare = sum(value(seat, card) for seat, card in plan.items()) + silent - view.boss.hp
    if spare < 0:
        return {}
    for seat in sorted(plan, key=lambda seat: (-table.wizard(seat).purse, seat)):
        best = value(seat, plan[seat])
        low = min(
            (card for card in hands[seat] if best - value(seat, card) <= spare),
            key=lambda card: (value(seat, card), card),
        )
        spare -= best - value(seat, low)
        plan[seat] = low
    return plan


_USUAL_CARD: Final = 8
"""Damage to be expected of another player's unknown card."""

_EVERYBODY: Final = (RandomWizard(), GreedyWizard(), CarefulWizard(), TableMindedPlayer())
PLAYERS: Final[dict[str, RandomWizard]] = {player.name: player for player in _EVERYBODY}
"""Players without lookahead, by their permanent names."""
