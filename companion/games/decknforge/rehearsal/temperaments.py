"""Simulated wizards: what each temperament does at each decision, from what a person at that seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from companion.games.decknforge import actions as do
from companion.games.decknforge import labelling, reveal, tactics
from companion.games.decknforge.arithmetic import base_face, dodge_bar
from companion.games.decknforge.inscriptions import counts_as_hero, effects
from companion.games.decknforge.state import DungeonTable, Foe, Upcard, Wizard
from companion.tabletop.cards import Card, suit
from companion.tabletop.rehearsal import Chance, Stream, Temperament


class View:
    """What a person at a seat sees: the open table, the own hand, and what others have said of theirs.

    The table also holds what nobody sees (which Bosses come, the lots); nobody here looks at it.
    """

    __slots__ = ("chance", "hand", "open_hands", "seat", "table")

    def __init__(
        self,
        table: DungeonTable,
        seat: str,
        hand: Sequence[Card],
        chance: Chance,
        open_hands: Mapping[str, Sequence[Card]],
    ) -> None:
        self.table = table
        self.seat = seat
        self.hand = hand
        self.chance = chance
        self.open_hands = open_hands
        """The hands of those who talk about them, by seat, the own one among them; empty for who does not talk."""

    @property
    def wizard(self) -> Wizard:
        """Who looks."""
        return self.table.wizard(self.seat)

    @property
    def boss(self) -> Foe:
        """The Boss that is fought."""
        assert self.table.boss is not None
        return self.table.boss

    def draws(self, *what: str | int) -> Stream:
        """The chance of one decision: the same however many were made before it."""
        return self.chance.stream("wizard", self.seat, self.table.number, self.table.round, *what)

    def face(self, card: Card) -> int:
        """F that a card of the hand would have, revealed now (R1.40)."""
        return base_face(self.table, self.seat, self.seat, card, leaving=(card,))

    def is_hero(self, card: Card) -> bool:
        """Whether a card of the hand counts as a Hero."""
        return counts_as_hero(self.table, self.seat, card)

    def inscriptions(self, card: Card) -> tuple[str, ...]:
        """What stands on a card of the own band."""
        return self.table.bands[self.seat].inscribed.get(card, ())


Tactic = do.Spike | do.Foil | do.Snipe | do.Brace


def payment(view: View, order: Sequence[Card], cost: tactics.Cost) -> tuple[Card, ...] | None:
    """Cards that pay a Tactic, the first of an order that fit; None where the hand has not enough (R1.23)."""
    if len(order) < cost.cards:
        return None
    heroes = [card for card in order if view.is_hero(card)][: cost.heroes] if cost.heroes else []
    if len(heroes) < cost.heroes:
        return None
    others = [card for card in order if card not in heroes] if heroes else order
    return (*heroes, *others[: cost.cards - cost.heroes])


def possible_tactics(view: View, order: Sequence[Card]) -> Iterator[Tactic]:
    """Every Tactic that a wizard can use now, paid with the first cards of an order (R1.23)."""
    table, seat = view.table, view.seat
    own = table.cards_of(seat)
    for upcard in own:
        if pay := payment(view, order, tactics.tactic_cost(table, "spike", upcard)):
            yield do.Spike(seat, pay, upcard.card)
    may_foil = not tactics.foil_forbidden(table)
    for upcard in table.revealed:
        if upcard.controller == seat or tactics.is_untouchable(table, upcard) or _is_ambiguous(table, upcard):
            continue
        if may_foil and (pay := payment(view, order, tactics.tactic_cost(table, "foil", upcard))):
            yield do.Foil(seat, upcard.controller, pay, upcard.card)
        if own and (pay := payment(view, order, tactics.tactic_cost(table, "snipe", upcard))):
            yield do.Snipe(seat, upcard.controller, pay, upcard.card, own[0].card)
    if pay := payment(view, order, tactics.tactic_cost(table, "brace", None)):
        yield do.Brace(seat, pay)


def _is_ambiguous(table: DungeonTable, upcard: Upcard) -> bool:
    """Whether its controller has two alike, from two bands, so that a line cannot say which."""
    return sum(other.card == upcard.card for other in table.cards_of(upcard.controller)) > 1


def suits_of(view: View, upcard: Upcard) -> tuple[str, ...]:
    """As what a revealed card may be Converted; nothing where it may not (R1.34, R1.I20)."""
    if upcard.declared or not reveal.may_convert(view.table, upcard) or not reveal.declared_now(view.table):
        return ()
    wild = any(effect.any_suit for effect in effects(view.table, upcard.owner, upcard.card))
    return ("S", "H", "C", "D") if wild else (suit(upcard.card),)


def cheapest_dodge(view: View, foe: Foe, order: Sequence[Card]) -> tuple[Card, ...]:
    """The first cards of an order that together beat an attack (R1.43), as few as can be; () where none do."""
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
            return _verified(view, foe, tuple(cards))
    return ()


def _verified(view: View, foe: Foe, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """A dodge of several cards, if it holds though a Royal Decree among them no longer helps the others (A1.53)."""
    from companion.games.decknforge.arithmetic import is_dodge

    return cards if is_dodge(view.table, view.seat, foe, cards) else ()


class Player:
    """Somebody at the table; here the one who decides everything by lot."""

    name: ClassVar[str] = "random"
    text: ClassVar[str] = (
        "Decides everything by lot: which card to reveal, whether to use a Tactic and which, whether to Convert, whether "
        "to dodge and with what. Each kind of answer that the rules allow is as likely as any other. Nobody plays like "
        "this; it is the quickest to rehearse, and shows what the rules alone do."
    )
    talks: ClassVar[bool] = False
    """Whether they say openly what they hold; who talks hears the others who do."""
    looks_ahead: ClassVar[bool] = False
    """Whether they need the table exactly as it is, with every pass said aloud."""

    # the round

    def label(self, view: View) -> do.AddLabel | None:
        """A label for the Boss, or None (R1.71)."""
        draws = view.draws("label")
        if not draws.below(2):
            return None
        label = draws.choice(labelling.labels_left(view.table))
        return do.AddLabel(view.seat, label, ("draw", "heal")[draws.below(2)])

    def reveal(self, view: View) -> Card:
        """The card that is plotted (R1.20)."""
        return view.draws("reveal").choice(view.hand)

    def reveal_more(self, view: View) -> Card | None:
        """A second card, by Doublestrike, or None (R1.I12)."""
        draws = view.draws("more", len(view.table.revealed))
        return draws.choice(view.hand) if draws.below(2) else None

    def patron(self, view: View) -> do.Patron:
        """What The Patron does (R1.I24)."""
        others = [one for one in view.table.wizards if one.seat != view.seat]
        draws = view.draws("patron", view.wizard.patrons)
        other = draws.choice(others)
        choice: tuple[str, ...] = tuple(
            choice for choice in ("heal", "steal") if not reveal.patron_refusal(view.wizard, choice, other)
        )
        return do.Patron(view.seat, "heal" if draws.choice(choice) == "heal" else "steal", other.seat)

    def will(self, view: View) -> do.Will | None:
        """Whether and whose cards Wizard's Will swaps (R1.I14)."""
        draws = view.draws("will")
        seats = list(dict.fromkeys(upcard.controller for upcard in view.table.revealed))
        if len(seats) < 2 or draws.below(2):
            return None
        one, other = draws.sample(seats, 2)
        cards = tuple(draws.choice(view.table.cards_of(seat)).card for seat in (one, other))
        return do.Will(view.seat, one, other, cards)

    def tactic(self, view: View) -> Tactic | None:
        """A Tactic, or None for a pass (R1.22)."""
        draws = view.draws("tactic")
        kind = draws.choice((None, do.Spike, do.Foil, do.Snipe, do.Brace))
        if kind is None or not view.hand:
            return None
        order = draws.sample(view.hand, len(view.hand))
        options = [one for one in possible_tactics(view, order) if type(one) is kind]
        return draws.choice(options) if options else None

    def declare(self, view: View, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:
        """What a revealed card does instead of attacking the Boss, or None (R1.24a, R1.60)."""
        suits = suits_of(view, upcard)
        options = ("attack", *(("convert",) if suits else ()), *(("target",) if minions else ()))
        if len(options) == 1:
            return None
        draws = view.draws("declare", upcard.owner, upcard.card)
        option = draws.choice(options)
        if option == "convert":
            return do.Convert(view.seat, upcard.card, draws.choice(suits))
        return do.Target(view.seat, draws.choice(minions).ref, upcard.card) if option == "target" else None

    def dodge(self, view: View, foe: Foe) -> tuple[Card, ...]:
        """The cards that dodge an attack; () takes it (R1.43)."""
        draws = view.draws("dodge", foe.ref)
        if not view.hand or draws.below(2):
            return ()
        return cheapest_dodge(view, foe, draws.sample(view.hand, min(4, len(view.hand))))

    def curse(self, view: View) -> do.Curse:
        """What Cursed takes (R1.L13)."""
        inscribed = view.table.bands[view.seat].inscribed
        draws = view.draws("curse")
        card = draws.choice(sorted(inscribed))
        return do.Curse(view.seat, card, draws.choice(inscribed[card]))

    def bonus(self, view: View) -> do.Bonus:
        """The Killer's bonus (R1.54)."""
        choices: tuple[do.Bonus, ...] = (do.Bonus("rally"), do.Bonus("surge"))
        if not view.table.is_last_boss:
            choices = (*choices, do.Bonus("momentum"))
        return view.draws("bonus").choice(choices)

    # after the game

    def fades(self, view: View, cards: Sequence[Card]) -> Card:
        """Which of two drawn cards fades (R1.55)."""
        return view.draws("fades").choice(cards)

    def heirloom(self, view: View) -> str:
        """The inscription that a retired band leaves (R1.81)."""
        return view.draws("heirloom").choice(view.table.bands[view.seat].history)

    def pick(self, view: View, decks: Sequence[str]) -> str:
        """The deck to draft, by the seat that brought it (R1.82)."""
        return view.draws("pick").choice(decks)

    def mythic(self, view: View, options: Sequence[do.Mythic]) -> do.Mythic:
        """The Mythic to place (R1.83)."""
        return view.draws("mythic", len(view.table.changes)).choice(options)

    def buy(self, view: View, options: Sequence[do.Buy]) -> do.Buy | None:
        """What to buy, or None to keep the Coppers (R1.83)."""
        draws = view.draws("buy", len(view.table.changes))
        return draws.choice(options) if draws.below(2) else None


RANDOM: Final = Player()
PLAYERS: Final[dict[str, Player]] = {player.name: player for player in (RANDOM,)}
"""By their permanent names."""
TEMPERAMENTS: Final = tuple(Temperament(player.name, player.text) for player in PLAYERS.values())
