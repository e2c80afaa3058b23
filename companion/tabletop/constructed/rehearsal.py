"""Duels that are rehearsed: two lists against each other, with real decks and hands, by the game's own rules.

What such games have in common stands here: the lists and what is not computed of them, shuffled decks, the loop from
`begin` to the outcome, and what is counted of any duel. A game adds how a turn goes, who decides what in it, and what
else it counts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import msgspec

from companion.tabletop.action import Action, RuleError
from companion.tabletop.arguments import RESERVED
from companion.tabletop.common_actions import Begin, Rule
from companion.tabletop.constructed.game import ConstructedGame, ListedDecks
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.constructed.table import ConstructedTable, Lists, SeatPlayer
from companion.tabletop.decklist import DeckCard, handle
from companion.tabletop.notation import write
from companion.tabletop.rehearsal import (
    Chance,
    Figure,
    FigureTally,
    Outcome,
    Setting,
    Stream,
    Temperament,
    check_names,
)
from companion.tabletop.text import quantity

SEATS: Final = ("ana", "ben")
"""Who plays the first list, and who the second."""
LISTS: Final = ("first", "second")
"""What the lists are called in figures."""

FIGURES: Final = (
    Figure("win", "Won by the first list", "share", "games", "Of all games; each list begins as often as the other."),
    Figure("win-beginning", "Won by who began", "share", "games", "Of the games that somebody won."),
    Figure("drawn", "Drawn", "share", "games", "Over, and nobody won."),
    Figure("turns", "Turns", "mean", "turns", "Of both together, in all games."),
)
"""What is counted of any duel, in the order of a report; a game puts its own behind them."""
TABLES: Final = (
    Figure("first-won", "Won with the card drawn, first list", "part", "games", "Of the games in which it was drawn."),
    Figure("second-won", "Won with the card drawn, second list", "part", "games", "As of the first list."),
    Figure("first-opening", "Won with it in the first hand, first list", "part", "games", "Of the hand that was kept."),
    Figure("second-opening", "Won with it in the first hand, second list", "part", "games", "As of the first list."),
    Figure("first-played", "Played of each card, first list", "mean", "a game", "Copies that were played."),
    Figure("second-played", "Played of each card, second list", "mean", "a game", "Copies that were played."),
)

_PLACES: Final = 2**62
"""So many that no two cards share one."""


def unfinished(turns: int) -> Figure:
    """The figure of games that did not end within so many turns."""
    text = "Ended there, and won by nobody."
    return Figure("unfinished", f"Not over after {turns} turns", "share", "games", text)


class Copy:
    """One copy of a card of a list: a card of paper, which is in one place."""

    __slots__ = ("card", "level", "number")

    def __init__(self, card: Any, number: int) -> None:
        self.card = card
        """The card as its game reads it."""
        self.number = number
        """Among the copies of the whole deck."""
        self.level = 1
        """Where cards grow."""


class Piles:
    """The cards of one seat: the shuffled deck, the hand, and the discard pile. No table shows what lies in the first
    two.
    """

    __slots__ = ("chance", "copies", "deck", "discard", "hand", "seat", "seen", "shuffles")

    def __init__(self, copies: Sequence[Copy], seat: str, chance: Chance) -> None:
        self.copies = copies
        self.chance = chance
        self.seat = seat
        self.shuffles = 0
        self.deck: list[Copy] = []
        """Its top is the last."""
        self.hand: list[Copy] = []
        self.discard: list[Copy] = []
        self.seen: set[str] = set()
        """The names of the cards that were drawn so far."""
        self.shuffle_in(copies)

    def shuffle_in(self, cards: Iterable[Copy]) -> None:
        """Shuffle cards into the deck. Each copy has its own place in every shuffle, so that two games in which other
        cards lie elsewhere draw what they share in the same order.
        """
        draws = self.chance.stream("deck", self.seat, self.shuffles)
        self.shuffles += 1
        places = [draws.below(_PLACES) for _ in self.copies]
        self.deck = sorted((*self.deck, *cards), key=lambda copy: places[copy.number])

    def draw(self, cards: int) -> int:
        """Draw so many cards, or as many as there are; gives how many."""
        taken = [self.deck.pop() for _ in range(min(cards, len(self.deck)))]
        self.hand += taken
        self.seen.update([copy.card.name for copy in taken])
        return len(taken)

    def return_hand(self, cards: Sequence[Copy]) -> None:
        """Put cards of the hand to the bottom of the deck, in the order in which they are given."""
        for copy in cards:
            self.hand.remove(copy)
        self.deck[:0] = [*reversed(cards)]


class Prepared(NamedTuple):
    """What is the same in every game of a setting: the table after the lines of its set-up, and the cards by seat."""

    table: Any
    lines: tuple[Action, ...]
    cards: Mapping[str, tuple[Any, ...]]
    """Of each seat, a card for each copy of what is shuffled."""
    beside: Mapping[str, tuple[Any, ...]]
    """The same of what lies beside the deck, open to its owner."""


def read_list(game: ListedDecks, text: str, called: str = "A deck list") -> tuple[DeckCard, ...]:
    """The cards of a deck list, called so in the RuleError that names the first line that cannot be read."""
    deck = game.lists.read(text)
    for finding in deck.findings:
        if finding.unreadable:
            raise RuleError(f"{called} cannot be read: {finding.text}")
    return tuple(_say_everywhere(deck.cards))


def _say_everywhere(cards: Iterable[DeckCard]) -> Iterator[DeckCard]:
    """The cards of a list, what is said of one in any of its parts said in all.

    Raises RuleError where lines would call two cards by the same word.
    """
    cards = tuple(cards)
    words: dict[str, DeckCard] = {}
    for card in cards:
        other = words.setdefault(handle(card.name), card)
        if other.name.casefold() != card.name.casefold() or (other.says and card.says and other.says != card.says):
            raise RuleError(
                f"Lines call “{other.name}” of {other.part} and “{card.name}” of {card.part} by one word, "
                f"{handle(card.name)}, and their list says different things of them; give one another name."
            )
        if card.says and not other.says:
            words[handle(card.name)] = card
    for card in cards:
        yield msgspec.structs.replace(card, says=words[handle(card.name)].says)


def list_name(text: str) -> str:
    """What a list is called: by a comment in its first line; "" where none stands there."""
    first = text.lstrip().partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


class DuelTally(FigureTally):
    """The counts of one duel, kept line by line; a game adds what it counts."""

    def __init__(self, figures: Sequence[Figure], tables: Sequence[Figure]) -> None:
        super().__init__(figures, tables)
        self.played: dict[str, dict[str, int]] = {seat: {} for seat in SEATS}
        """How many copies of each card a seat has played."""

    def play(self, seat: str, card: str) -> None:
        """A copy of a card was played."""
        played = self.played[seat]
        played[card] = played.get(card, 0) + 1

    def add(self, before: Any, action: Action, after: Any) -> None:
        """Count what one line did; here nothing."""

    def outcome(self, duel: SimulatedDuel[Any, Any], lines: tuple[str, ...] = ()) -> Outcome:
        """All of it, once the duel is over."""
        won = duel.table.outcome
        decided = won in SEATS
        self.count("win", won == SEATS[0])
        self.count("win-beginning", decided and won == duel.first, decided)
        self.count("drawn", won == "draw")
        self.count("unfinished", won is None)
        self.count("turns", duel.table.turn)
        for seat, which in zip(SEATS, LISTS, strict=True):
            for name in duel.piles[seat].seen:
                self.count_name(f"{which}-won", name, won == seat, decided)
            for name in duel.first_hands[seat]:
                self.count_name(f"{which}-opening", name, won == seat, decided)
            for name in duel.names[seat]:
                self.count_name(f"{which}-played", name, self.played[seat].get(name, 0), 1)
        return self.total(lines)


TableT = TypeVar("TableT", bound=ConstructedTable)
PlayerT = TypeVar("PlayerT")


class SimulatedDuel(Generic[TableT, PlayerT]):
    """A duel under way: the table, the cards, and who decides at each seat. `apply` is the only thing that changes the
    table, and the cards follow what it says.
    """

    most_turns: ClassVar[int]
    """After so many turns of both together it ends, and nobody has won."""
    reserved: ClassVar[frozenset[str]]
    """Words that no card on the table can be called by."""

    def __init__(
        self,
        game: ConstructedGame,
        prepared: Prepared,
        players: Mapping[str, PlayerT],
        chance: Chance,
        tally: DuelTally | None = None,
        keep_lines: bool = False,
    ) -> None:
        self.game = game
        self.table: TableT = prepared.table
        self.players = players
        self.chance = chance
        self.tally = tally
        self.lines: list[str] | None = [f"table {game.name}", *map(write, prepared.lines)] if keep_lines else None
        self.piles = {seat: Piles(_as_copies(cards), seat, chance) for seat, cards in prepared.cards.items()}
        self.beside = {seat: _as_copies(cards) for seat, cards in prepared.beside.items()}
        self.names = {
            seat: {card.name for card in (*cards, *prepared.beside[seat])} for seat, cards in prepared.cards.items()
        }
        """Of all cards of a seat."""
        self.first = SEATS[chance.number % 2]
        """Who begins: the first list in games of even numbers."""
        self.first_hands: dict[str, set[str]] = {}
        """The names of the cards in the hands that were kept."""
        self.decisions = 0

    def do(self, action: Action) -> None:
        """One line, which must be by the rules."""
        before = self.table
        self.table = self.game.apply(before, action).state
        if self.lines is not None:
            self.lines.append(write(action))
        if self.tally is not None:
            self.tally.add(before, action, self.table)

    def play(self) -> None:
        """Go on to the outcome, or to the last turn that is played."""
        self.do(self.first_line(self.first))
        self.do(Begin(0))
        self.deal()
        self.first_hands = {seat: {copy.card.name for copy in piles.hand} for seat, piles in self.piles.items()}
        while not self.table.outcome and self.turn_number <= self.most_turns:
            self.step()

    @property
    def turn_number(self) -> int:
        """Of the present turn."""
        table: Any = self.table
        return int(table.turn)

    def draws(self, seat: str) -> Stream:
        """The chance of one decision: the same however much was drawn for others."""
        self.decisions += 1
        return self.chance.stream("player", seat, self.turn_number, self.decisions)

    def free_handle(self, seat: str, name: str) -> str:
        """A word by which a new thing can be called, and that stands for its card and no other one of the list:
        `ash-wolf`, `ash-wolf-2`; Ana's Block is `ana-block`.
        """
        table: Any = self.table
        word = handle(name)
        brought = table.brought[seat]
        card = brought.cards.get(word)
        if word in self.reserved or word in RESERVED or word in SEATS:
            word = f"{seat}-{word}"
        words = chain((word,), (f"{word}-{number}" for number in count(2)))
        return next(free for free in words if free not in table.handles and brought.card(free, seat) is card)

    @abstractmethod
    def first_line(self, seat: str) -> Action:
        """The line that says who begins."""
        ...

    @abstractmethod
    def deal(self) -> None:
        """Draw the hands that the table has, and have people keep or exchange them."""
        ...

    @abstractmethod
    def step(self) -> None:
        """Go on by a step of the turn, or a whole one."""
        ...


def _as_copies(cards: Sequence[Any]) -> list[Copy]:
    return [Copy(card, number) for number, card in enumerate(cards)]


class Flaw(NamedTuple):
    """What of a card is not computed."""

    kind: str
    """Before `, 12 cards: Ghoul`: `With text that is not computed`."""
    card: str
    copies: int


class DuelRehearsal:
    """What a game of duels gives to be rehearsed."""

    usual_players = 2
    usual_temperaments = ("careful",)
    temperaments: tuple[Temperament, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Figure, ...]
    duel: type[SimulatedDuel[Any, Any]]
    players: Mapping[str, Any]
    """Who can play, by the names of the temperaments."""
    beside: tuple[str, ...] = ()
    """Parts of a list that lie beside the deck, open to their owner."""
    outside: tuple[str, ...] = ()
    """Parts that the lines of the set-up lay out."""

    def __init__(self, game: ConstructedGame) -> None:
        self.game = game
        self.prepare = lru_cache(maxsize=16)(self._prepare)

    @abstractmethod
    def read_card(self, card: DeckCard) -> Any:
        """A card as the duel needs it, with a `name`."""
        ...

    @abstractmethod
    def flaws(self, card: DeckCard) -> Iterator[Flaw]:
        """What of a card is not computed."""
        ...

    def set_up(self, deck: tuple[DeckCard, ...], seat: str) -> Iterator[Action]:
        """The lines that seat somebody with a list."""
        yield SeatPlayer(seat, seat.capitalize())
        yield from self.game.deck_lines(seat, ConstructedRecord(self.game.name, "", cards=deck))
        yield from (Lists(seat, card.line) for card in deck)

    def _prepare(self, rules: tuple[tuple[str, str], ...], decks: tuple[str, ...]) -> Prepared:
        """Read the lists and lay out the table. Raises RuleError."""
        if not 1 <= len(decks) <= len(SEATS):
            title, lists = self.game.title, len(decks) or "none"
            raise RuleError(f"{title} is rehearsed with one or two deck lists, not {lists}: --decks LIST,LIST.")
        lines: list[Action] = [Rule(key, value) for key, value in rules]
        cards: dict[str, tuple[Any, ...]] = {}
        beside: dict[str, tuple[Any, ...]] = {}
        for seat, text in zip(SEATS, (decks[0], decks[-1]), strict=True):
            deck = read_list(self.game, text)
            lines += self.set_up(deck, seat)
            cards[seat] = self._copies(card for card in deck if card.part not in (*self.beside, *self.outside))
            beside[seat] = self._copies(card for card in deck if card.part in self.beside)
        table = self.game.new()
        for line in lines:
            table = self.game.apply(table, line).state
        if table.house.table_draws:
            raise RuleError("Nobody draws real cards in a rehearsal; it needs the house rule draws program.")
        if not table.tracks_all:
            raise RuleError("A rehearsal plays every card; it needs the house rule track all.")
        return Prepared(table, tuple(lines), cards, beside)

    def _copies(self, cards: Iterable[DeckCard]) -> tuple[Any, ...]:
        read_cards = [(self.read_card(card), card.copies) for card in cards]
        return tuple(card for card, copies in read_cards for _ in range(copies))

    def check(self, setting: Setting) -> None:
        """Raises RuleError with one sentence where a setting cannot be rehearsed."""
        check_names(setting, self.temperaments, range(2, 3))
        if setting.evenings != 1:
            raise RuleError(f"Evenings change nothing in a deck of {self.game.title}; rehearse 1, and more games.")
        if setting.edition not in (0, self.game.edition):
            raise RuleError(
                f"That is edition {setting.edition} of the rules of {self.game.title}, and this program has edition "
                f"{self.game.edition}; rehearse it anew."
            )
        self.prepare(setting.rules, setting.decks)

    def remarks(self, setting: Setting) -> tuple[str, ...]:
        """Which lists they are, what they break of the rules for decks, and what of their cards is not computed."""
        remarks: list[str] = []
        for which, text in zip(LISTS, setting.decks, strict=False):
            name = list_name(text)
            deck = read_list(self.game, text)
            title = f"The {which} list{f', {name},' if name else ''}"
            remarks.append(f"{title} has {quantity(sum(card.copies for card in deck), 'card')}.")
            if broken := self.game.lists.flaws(deck):
                remarks.append(f"It is no deck by the rules: {broken}")
            kinds: dict[str, list[Flaw]] = {}
            for card in deck:
                for flaw in self.flaws(card):
                    kinds.setdefault(flaw.kind, []).append(flaw)
            for kind, flaws in kinds.items():
                copies = quantity(sum(flaw.copies for flaw in flaws), "card")
                remarks.append(f"{kind}, {copies}: {', '.join(flaw.card for flaw in flaws)}.")
        if len(setting.decks) == 1:
            remarks.append("Both play that list.")
        return tuple(remarks)

    def tally(self) -> DuelTally:
        """Counts for a game that begins."""
        return DuelTally(self.figures, self.tables)

    def begin(self, setting: Setting, chance: Chance, keep_lines: bool = False) -> SimulatedDuel[Any, Any]:
        """A duel that is set up; `play` plays it."""
        players = {seat: self.players[setting.temperament(place)] for place, seat in enumerate(SEATS)}
        prepared = self.prepare(setting.rules, setting.decks)
        return self.duel(self.game, prepared, players, chance, self.tally(), keep_lines)

    def play(self, setting: Setting, chance: Chance, keep_lines: bool = False) -> Outcome:
        """One game."""
        duel = self.begin(setting, chance, keep_lines)
        duel.play()
        assert duel.tally is not None
        return duel.tally.outcome(duel, tuple(duel.lines or ()))
