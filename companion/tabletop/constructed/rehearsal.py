"""Rehearsals of duels: two lists against each other, with real decks and hands, by the game's own rules.

This is the common part of such games: the lists and their uncomputed parts, shuffled decks, the loop from `begin` to
the outcome, and the counts of any duel. A game adds the course of a turn, the decisions in it, and further counts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.tabletop.action import Action, RuleError
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.constructed.table import ConstructedTable, First, Lists, SeatPlayer
from companion.tabletop.decks.decklist import DeckCard, handle
from companion.tabletop.notation.arguments import RESERVED
from companion.tabletop.notation.notation import write
from companion.tabletop.rehearsal import (
    Chance,
    Figure,
    FigureTally,
    RehearsalSetting,
    Stream,
    Temperament,
    UnitOutcome,
    check_names,
)
from companion.tabletop.table.common_actions import Begin, Rule
from companion.tabletop.words import title_of_word
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

SEATS: Final = ("ana", "ben")
"""The seats of the first and the second list."""
LISTS: Final = ("first", "second")
"""The names of the lists in figures."""

FIGURES: Final = (
    Figure("win", "Won by the first list", "share", "games", "Of all games; each list begins as often as the other."),
    Figure("win-beginning", "Won by the starting player", "share", "games", "Of the games that somebody won."),
    Figure("drawn", "Drawn", "share", "games", "Finished games that nobody won."),
    Figure("turns", "Turns", "mean", "turns", "Of both players together, in all games."),
)
"""The figures of any duel, in the order of a report; a game appends its own."""
TABLES: Final = (
    Figure("first-won", "Won with the card drawn, first list", "part", "games", "Of the games in which it was drawn."),
    Figure("second-won", "Won with the card drawn, second list", "part", "games", "As for the first list."),
    Figure(
        "first-opening",
        "Won with the card in the first hand, first list",
        "part",
        "games",
        "Of the hand that was kept.",
    ),
    Figure(
        "second-opening", "Won with the card in the first hand, second list", "part", "games", "As for the first list."
    ),
    Figure(
        "first-played",
        "Copies played of each card, first list",
        "mean",
        "a game",
        "The number of copies that were played.",
    ),
    Figure(
        "second-played",
        "Copies played of each card, second list",
        "mean",
        "a game",
        "The number of copies that were played.",
    ),
)

_PLACES: Final = 2**62
"""So large that no two cards get the same place."""


def unfinished_figure(turns: int) -> Figure:
    """Return the figure for games that did not end within `turns` turns."""
    text = "Stopped there, without a winner."
    return Figure("unfinished", f"Not over after {turns} turns", "share", "games", text)


class Copy:
    """One copy of a card of a list, like a paper card in exactly one place."""

    __slots__ = ("card", "level", "number")

    def __init__(self, card: Any, number: int) -> None:
        self.card = card
        """The card as read by its game."""
        self.number = number
        """Its number among the copies of the whole deck."""
        self.level = 1
        """Its level, in games whose cards grow."""


class Piles:
    """The cards of one seat: the shuffled deck, the hand, and the discard pile. A table shows only the last."""

    __slots__ = ("chance", "copies", "deck", "discard", "hand", "seat", "seen", "shuffles")

    def __init__(self, copies: Sequence[Copy], seat: str, chance: Chance) -> None:
        self.copies = copies
        self.chance = chance
        self.seat = seat
        self.shuffles = 0
        self.deck: list[Copy] = []
        """The last item is the top."""
        self.hand: list[Copy] = []
        self.discard: list[Copy] = []
        self.seen: set[str] = set()
        """The names of the cards drawn so far."""
        self.shuffle_in(copies)

    def shuffle_in(self, cards: Iterable[Copy]) -> None:
        """Shuffle cards into the deck.

        Each copy has its own place in every shuffle, so that two games draw their common cards in the same order even
        if their other cards are in different places.
        """
        draws = self.chance.stream("deck", self.seat, self.shuffles)
        self.shuffles += 1
        places = [draws.below(_PLACES) for _ in self.copies]
        self.deck = sorted((*self.deck, *cards), key=lambda copy: places[copy.number])

    def draw(self, cards: int) -> int:
        """Draw up to `cards` cards, and return the number drawn."""
        taken = [self.deck.pop() for _ in range(min(cards, len(self.deck)))]
        self.hand += taken
        self.seen.update([copy.card.name for copy in taken])
        return len(taken)

    def return_hand(self, cards: Sequence[Copy]) -> None:
        """Put cards of the hand at the bottom of the deck, in the given order."""
        for copy in cards:
            self.hand.remove(copy)
        self.deck[:0] = [*reversed(cards)]


class Prepared(NamedTuple):
    """The common part of all games of a setting: the table after the lines of its set-up, and the cards by seat."""

    table: Any
    lines: tuple[Action, ...]
    cards: Mapping[str, tuple[Any, ...]]
    """By seat, a card for each copy in the shuffled deck."""
    beside: Mapping[str, tuple[Any, ...]]
    """By seat, a card for each copy beside the deck, which its owner can see."""


_A_DECK_LIST: Final = phrase("A deck list")


def read_list(game: ConstructedGame, text: str, called: Text = _A_DECK_LIST) -> tuple[DeckCard, ...]:
    """Read the cards of a deck list. Raises RuleError, with the name `called`, for the first unreadable line."""
    deck = game.lists.read(text)
    for finding in deck.findings:
        if finding.unreadable:
            raise RuleError(phrase("{list} cannot be read: {problem}", list=called, problem=finding.text))
    return tuple(_say_everywhere(deck.cards))


def _say_everywhere(cards: Iterable[DeckCard]) -> Iterator[DeckCard]:
    """Yield the cards of a list; remarks on a card in one part apply in all parts.

    Raises RuleError if lines would call two cards by the same word.
    """
    # The table does not ask for printings.
    cards = tuple(msgspec.structs.replace(card, says=card.listed_card.remarks) for card in cards)
    words: dict[str, DeckCard] = {}
    for card in cards:
        other = words.setdefault(handle(card.name), card)
        if other.name.casefold() != card.name.casefold() or (other.says and card.says and other.says != card.says):
            raise RuleError(
                phrase(
                    "“{card}” of {part} and “{other}” of {other_part} are the same word in lines, "
                    "{word}, but the list describes them differently; rename one of them.",
                    card=other.name,
                    part=other.part,
                    other=card.name,
                    other_part=card.part,
                    word=handle(card.name),
                )
            )
        if card.says and not other.says:
            words[handle(card.name)] = card
    for card in cards:
        yield msgspec.structs.replace(card, says=words[handle(card.name)].says)


def list_name(text: str) -> str:
    """Return the name of a list: a comment in its first line, or ""."""
    first = text.lstrip().partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


class DuelTally(FigureTally):
    """The counts of one duel, updated line by line; a game adds its own."""

    def __init__(self, figures: Sequence[Figure], tables: Sequence[Figure]) -> None:
        super().__init__(figures, tables)
        self.played: dict[str, dict[str, int]] = {seat: {} for seat in SEATS}
        """The number of copies of each card that a seat has played."""
        for figure in figures:
            # A duel is one unit, so lines only count the numerators of means.
            if figure.kind == "mean":
                self.counts[figure.key][1] = 1

    def play(self, seat: str, card: str) -> None:
        """Count a copy of a card as played."""
        played = self.played[seat]
        played[card] = played.get(card, 0) + 1

    def add(self, before: Any, action: Action, after: Any) -> None:
        """Count the results of one line; by default nothing."""

    def outcome(self, duel: SimulatedDuel[Any, Any], lines: tuple[str, ...] = ()) -> UnitOutcome:
        """Return the outcome with all counts, once the duel is over."""
        won = duel.table.outcome
        decided = won in SEATS
        self.count("win", won == SEATS[0])
        self.count("win-beginning", decided and won == duel.first, decided)
        self.count("drawn", won == "draw")
        self.count("unfinished", won is None)
        self.count("turns", duel.table.turn, 0)
        for seat, which in zip(SEATS, LISTS, strict=True):
            for name in duel.piles[seat].seen:
                self.count_name(f"{which}-won", name, won == seat, decided)
            for name in duel.first_hands[seat]:
                self.count_name(f"{which}-opening", name, won == seat, decided)
            for name in duel.names[seat]:
                self.count_name(f"{which}-played", name, self.played[seat].get(name, 0), 1)
        return self.total(lines)


class DuelPlayer(Protocol):
    """A simulated player; a game adds the decisions."""

    name: ClassVar[str]
    """The permanent name of the temperament."""
    text: ClassVar[str]


TableT = TypeVar("TableT", bound=ConstructedTable)
PlayerT = TypeVar("PlayerT", bound=DuelPlayer)
SeatedT = TypeVar("SeatedT")


def players_by_name(*players: PlayerT) -> dict[str, PlayerT]:
    """Return simulated players by their permanent names."""
    return {player.name: player for player in players}


class SimulatedDuel(Generic[TableT, PlayerT]):
    """A duel in progress: the table, the cards, and the player of each seat.

    Only the game's `apply` changes the table, and the cards follow its result.
    """

    most_turns: ClassVar[int] = 200
    """The number of turns of both together after which it ends without a winner."""
    reserved: ClassVar[frozenset[str]]
    """Words that cannot name a card on the table."""
    first_action: ClassVar[type[First]]
    """The action that sets the seat that begins."""

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
        """The names of all cards of a seat."""
        self.first = SEATS[chance.number % 2]
        """The seat that begins: the first list in games with even numbers."""
        self.first_hands: dict[str, set[str]] = {}
        """The names of the cards in the hands that were kept."""
        self.decisions = 0

    def do(self, action: Action) -> None:
        """Apply one line, which must be legal."""
        before = self.table
        self.table = self.game.apply(before, action).state
        if self.lines is not None:
            self.lines.append(write(action))
        if self.tally is not None:
            self.tally.add(before, action, self.table)

    def play(self) -> None:
        """Play to the outcome, or to the last turn."""
        self.do(self.first_line(self.first))
        self.do(Begin(0))
        self.deal()
        self.first_hands = {seat: {copy.card.name for copy in piles.hand} for seat, piles in self.piles.items()}
        while not self.table.outcome and self.turn_number <= self.most_turns:
            self.step()

    @property
    def turn_number(self) -> int:
        """The number of the present turn."""
        table: Any = self.table
        return int(table.turn)

    def draws(self, seat: str) -> Stream:
        """Return the stream for one decision: it does not depend on other draws."""
        self.decisions += 1
        return self.chance.stream("player", seat, self.turn_number, self.decisions)

    def free_handle(self, seat: str, name: str) -> str:
        """Return a free word for a new thing that stands for its card and for no other one of the list.

        Examples are `ash-wolf` and `ash-wolf-2`; Ana's Block is `ana-block`.
        """
        table: Any = self.table
        word = handle(name)
        brought = table.brought[seat]
        card = brought.cards.get(word)
        if word in self.reserved or word in RESERVED or word in SEATS:
            word = f"{seat}-{word}"
        words = chain((word,), (f"{word}-{number}" for number in count(2)))
        return next(free for free in words if free not in table.handles and brought.card(free, seat) is card)

    def first_line(self, seat: str) -> Action:
        """Return the line that sets the seat that begins."""
        return self.first_action(seat)

    @abstractmethod
    def deal(self) -> None:
        """Draw the opening hands of the table, and let the players keep or exchange them."""
        ...

    @abstractmethod
    def step(self) -> None:
        """Play a step of the turn, or a whole one."""
        ...


def _as_copies(cards: Sequence[Any]) -> list[Copy]:
    return [Copy(card, number) for number, card in enumerate(cards)]


class DuelView(Generic[TableT, SeatedT]):
    """The information of one player: the public table, and their own hand."""

    __slots__ = ("_duel", "hand", "seat", "table")

    def __init__(self, duel: SimulatedDuel[TableT, Any], seat: str) -> None:
        self._duel = duel
        self.seat = seat
        self.table = duel.table
        self.hand: tuple[Copy, ...] = tuple(duel.piles[seat].hand)

    @property
    def player(self) -> SeatedT:
        """The player who has this view."""
        table: Any = self.table
        player: SeatedT = table.player(self.seat)
        return player

    def draws(self) -> Stream:
        """Return the random stream for this decision."""
        return self._duel.draws(self.seat)


class Flaw(NamedTuple):
    """A part of a card that is not computed."""

    kind: Text
    """The text before the list of cards: `With text that is not computed` of `…, 12 cards: Ghoul`."""
    card: Text
    copies: int


def _size_remark(which: str, name: str, cards: int) -> Message:
    """Return the number of cards of the `first` or `second` list, which may have a name."""
    if which == LISTS[0] and name:
        return phrases(
            "The first list, {name}, has {n} card.", "The first list, {name}, has {n} cards.", n=cards, name=name
        )
    if which == LISTS[0]:
        return phrases("The first list has {n} card.", "The first list has {n} cards.", n=cards)
    if name:
        return phrases(
            "The second list, {name}, has {n} card.", "The second list, {name}, has {n} cards.", n=cards, name=name
        )
    return phrases("The second list has {n} card.", "The second list has {n} cards.", n=cards)


class DuelRehearsal:
    """The rehearsal of a game of duels."""

    usual_players = 2
    usual_temperaments = ("careful",)
    figures: tuple[Figure, ...]
    tables: tuple[Figure, ...]
    duel: type[SimulatedDuel[Any, Any]]
    players: Mapping[str, DuelPlayer]
    """The players by the names of their temperaments."""
    beside: tuple[str, ...] = ()
    """The parts of a list that are beside the deck, which its owner can see."""
    outside: tuple[str, ...] = ()
    """The parts that the lines of the set-up put on the table."""

    def __init__(self, game: ConstructedGame) -> None:
        self.game = game
        self.prepare = lru_cache(maxsize=16)(self._prepare)

    @property
    def temperaments(self) -> tuple[Temperament, ...]:
        """The available temperaments."""
        return tuple(Temperament(player.name, player.text) for player in self.players.values())

    @abstractmethod
    def read_card(self, card: DeckCard) -> Any:
        """Return a card as the duel needs it, with a `name`."""
        ...

    @abstractmethod
    def flaws(self, card: DeckCard) -> Iterator[Flaw]:
        """Yield the parts of a card that are not computed."""
        ...

    def set_up(self, deck: tuple[DeckCard, ...], seat: str) -> Iterator[Action]:
        """Yield the lines that seat a player with a list."""
        yield SeatPlayer(seat, seat.capitalize())
        yield from self.game.deck_lines(seat, ConstructedRecord(self.game.name, "", cards=deck))
        yield from (Lists(seat, card.line) for card in deck)

    def _prepare(self, rules: tuple[tuple[str, str], ...], decks: tuple[str, ...]) -> Prepared:
        """Read the lists and set up the table. Raises RuleError."""
        if not 1 <= len(decks) <= len(SEATS):
            title, lists = self.game.title, str(len(decks)) if decks else title_of_word("none")
            raise RuleError(
                phrase(
                    "{game} is rehearsed with one or two deck lists, not {lists}: --decks LIST,LIST.",
                    game=title,
                    lists=lists,
                )
            )
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
            raise RuleError(
                phrase("Nobody draws real cards in a rehearsal, so it needs the house rule `draws program`.")
            )
        if not table.tracks_all:
            raise RuleError(phrase("A rehearsal plays every card, so it needs the house rule `track all`."))
        return Prepared(table, tuple(lines), cards, beside)

    def _copies(self, cards: Iterable[DeckCard]) -> tuple[Any, ...]:
        read_cards = [(self.read_card(card), card.copies) for card in cards]
        return tuple(card for card, copies in read_cards for _ in range(copies))

    def check(self, setting: RehearsalSetting) -> None:
        """Raise RuleError with one sentence if a setting cannot be rehearsed."""
        check_names(setting, self.temperaments, range(2, 3))
        if setting.evenings != 1:
            raise RuleError(
                phrase(
                    "Decks of {game} do not change between evenings; rehearse 1 evening, and more games.",
                    game=self.game.title,
                )
            )
        if setting.edition not in (0, self.game.edition):
            raise RuleError(
                phrase(
                    "That rehearsal used edition {edition} of the rules of {game}, and this program has "
                    "edition {own}; run it again.",
                    edition=str(setting.edition),
                    game=self.game.title,
                    own=str(self.game.edition),
                )
            )
        self.prepare(setting.rules, setting.decks)

    def remarks(self, setting: RehearsalSetting) -> tuple[Text, ...]:
        """Return remarks on the lists: their names, the rules for decks that they break, and uncomputed cards."""
        remarks: list[Text] = []
        for which, text in zip(LISTS, setting.decks, strict=False):
            name = list_name(text)
            deck = read_list(self.game, text)
            remarks.append(_size_remark(which, name, sum(card.copies for card in deck)))
            if broken := self.game.lists.broken_rules(deck):
                # Translators: {flaws} are whole sentences.
                remarks.append(phrase("It is not a legal deck: {flaws}", flaws=joined(" ", broken)))
            kinds: dict[Text, list[Flaw]] = {}
            for card in deck:
                for flaw in self.flaws(card):
                    kinds.setdefault(flaw.kind, []).append(flaw)
            for kind, flaws in kinds.items():
                # Translators: {kind} is a kind of problem: “With text that is not computed, 12 cards: Ghoul.”
                remarks.append(
                    phrases(
                        "{kind}, {n} card: {cards}.",
                        "{kind}, {n} cards: {cards}.",
                        n=sum(flaw.copies for flaw in flaws),
                        kind=kind,
                        cards=listed(flaw.card for flaw in flaws),
                    )
                )
        if len(setting.decks) == 1:
            remarks.append(phrase("Both play that list."))
        return tuple(remarks)

    def tally(self) -> DuelTally:
        """Return the counts for a new game."""
        return DuelTally(self.figures, self.tables)

    def begin(self, setting: RehearsalSetting, chance: Chance, keep_lines: bool = False) -> SimulatedDuel[Any, Any]:
        """Return a duel after its set-up; `play` plays it."""
        players = {seat: self.players[setting.temperament(place)] for place, seat in enumerate(SEATS)}
        prepared = self.prepare(setting.rules, setting.decks)
        return self.duel(self.game, prepared, players, chance, self.tally(), keep_lines)

    def play(self, setting: RehearsalSetting, chance: Chance, keep_lines: bool = False) -> UnitOutcome:
        """Play one game."""
        duel = self.begin(setting, chance, keep_lines)
        duel.play()
        assert duel.tally is not None
        return duel.tally.outcome(duel, tuple(duel.lines or ()))
