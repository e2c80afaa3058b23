"""Constructed decks at a table: brought with their lists before the game, sealed into their records after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

import msgspec

from companion.tabletop import common_actions
from companion.tabletop.action import Action, DeckId, NotationError, RuleError
from companion.tabletop.arguments import Count, SeatName, Text
from companion.tabletop.choices import Choice
from companion.tabletop.common_actions import Add, Note, Set
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.batch import BATCH, EndBatch
from companion.tabletop.decklist import ListedCard, handle, read_card_line
from companion.tabletop.display import Player
from companion.tabletop.records import Mark
from companion.tabletop.state import Resolution, State
from companion.tabletop.table import Prompt, draft

_NUMBERED: Final = re.compile(r"(.+?)-?\d+")


class SeatPlayer(common_actions.Seat, frozen=True, tag="seat"):
    """Seat somebody, clockwise from the last one; `deck` puts a stored deck before them, `person` says who it is."""

    called: Text = ""
    version: Count = 0
    flaws: Text = ""
    """What its list breaks of the rules for decks, as it was then."""


class Lists(Action, frozen=True, tag="lists"):
    """A card of the deck before a seat, as its deck list has it; lines that play it need not say its figures."""

    is_quiet: ClassVar[bool] = True
    seat: SeatName
    card: Annotated[str, common_actions.WORDS]


class Seal(Action, frozen=True, tag="seal"):
    """After an outcome: write the match into the records of all stored decks, at once or not at all."""


LINES: Final[tuple[type[Action], ...]] = (
    SeatPlayer,
    Lists,
    *common_actions.COMMON[1:],
    common_actions.Concede,
    Seal,
    *BATCH,
)
"""The lines that every game with such decks has."""


class Brought(msgspec.Struct, frozen=True):
    """The stored deck before a seat: its id, its name, its version, and its cards by the words that call them."""

    deck: DeckId = ""
    called: str = ""
    version: int = 0
    flaws: str = ""
    cards: Mapping[str, ListedCard] = {}
    played: Mapping[str, int] = {}
    """How many copies of each card came into the game, by the word that calls it."""

    def card(self, word: str, seat: str = "") -> ListedCard | None:
        """The card that a handle or a name stands for: `ash-wolf`, a second one `ash-wolf-2`, `ana-ash-wolf`."""
        called = handle(word)
        for candidate in (called, called.removeprefix(f"{seat}-")):
            if card := self.cards.get(candidate):
                return card
            if (numbered := _NUMBERED.fullmatch(candidate)) and (card := self.cards.get(numbered[1])):
                return card
        return None


class ConstructedTable(State, frozen=True):
    """What a table has on which such decks are played: which were brought, whether the game is sealed, by which number
    people may call what lies on the board, and whether effects happen together now, with what they destroy once they
    are done.
    """

    brought: dict[str, Brought] = msgspec.field(default_factory=dict)
    sealed: bool = False
    numbers: Mapping[str, int] = {}
    together: bool = False
    doomed: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[str, ...]:
        """The handles of what bears a number as long as it lies there, in the order in which it came."""
        return ()

    @property
    def keeps_secrets(self) -> bool:
        """Up to the seal, as `undo` leads back from an outcome; where there is nothing to seal, up to that."""
        return not self.sealed and (self.outcome is None or any(deck.deck for deck in self.brought.values()))

    def holding(self, together: bool) -> Self:
        """The table while effects happen together, or when they are done; a game adds that nobody is out meanwhile."""
        return msgspec.structs.replace(self, together=together)


T = TypeVar("T", bound=ConstructedTable)


def with_numbers(state: T) -> T:
    """The same table, each new thing on its board with the smallest number that no other one bears."""
    board = state.board
    if state.numbers.keys() == set(board):
        return state
    numbers = {thing: number for thing, number in state.numbers.items() if thing in board}
    for thing in board:
        if thing not in numbers:
            numbers[thing] = next(number for number in count(1) if number not in numbers.values())
    return msgspec.structs.replace(state, numbers=numbers)


def bring(resolution: Resolution[Any], action: SeatPlayer) -> None:
    """Remember the stored deck of a seat. Raises RuleError where it is at this table already."""
    brought = resolution.state.brought
    if not action.deck:
        return
    for seat, other in brought.items():
        if other.deck == action.deck:
            name = action.called or f"Deck {action.deck}"
            raise RuleError(f"{name} is at this table already, before {seat}; one deck is played by one person.")
    deck = Brought(action.deck, action.called, action.version, action.flaws)
    resolution.change(brought={**brought, action.seat: deck})
    if deck.flaws:
        resolution.tell(f"{_flawed(deck)} People may agree to play it all the same.", action.seat)


def _flawed(deck: Brought) -> str:
    return f"{deck.called or 'The deck'} is no deck by the rules: {deck.flaws}"


def flaws(state: Any) -> Iterator[str]:
    """What is wrong with the stored decks at a table, a sentence each."""
    return (_flawed(deck) for deck in state.brought.values() if deck.flaws)


def is_stored(state: Any, seat: str) -> bool:
    """Whether a stored deck lies before a seat, of which all is known."""
    return bool(state.brought.get(seat, Brought()).deck)


def list_card(resolution: Resolution[Any], action: Lists) -> None:
    """Know a card by its line. Raises RuleError where the line cannot be read."""
    state = resolution.state
    name = state.player(action.seat).name
    try:
        card = read_card_line(action.card)
    except NotationError as error:
        raise RuleError(f"“{action.card}” is no line of a deck list: {error}.") from None
    before = state.brought.get(action.seat, Brought())
    if not before.cards:
        resolution.tell(f"{name} brings {before.called or 'a deck'}, card by card as its list has it.", action.seat)
    if again := before.cards.get(handle(card.name)):
        card = msgspec.structs.replace(card, count=card.count + again.count)  # of another part of the deck
    cards = {**before.cards, handle(card.name): card}
    resolution.change(brought={**state.brought, action.seat: msgspec.structs.replace(before, cards=cards)})


def count_copy(resolution: Resolution[Any], seat: str, word: str) -> None:
    """Count a card that came into the game from the hand; of more copies than its list has, people are warned."""
    state = resolution.state
    brought = state.brought.get(seat, Brought())
    card = brought.card(word, seat)
    if card is None:
        return
    called = handle(card.name)
    number = brought.played.get(called, 0) + 1
    brought = msgspec.structs.replace(brought, played={**brought.played, called: number})
    resolution.change(brought={**state.brought, seat: brought})
    if number > card.count:
        name = state.player(seat).name
        resolution.tell(
            f"{name}'s list has {card.count} × {card.name}, and this is number {number}: has one come back, or is it "
            "another card?",
            seat,
        )


def forget_copies(resolution: Resolution[Any], seat: str) -> None:
    """Cards that were played can be drawn again: count their copies anew."""
    if brought := resolution.state.brought.get(seat):
        brought = msgspec.structs.replace(brought, played={})
        resolution.change(brought={**resolution.state.brought, seat: brought})


def is_copy(state: Any, seat: str, one: str, other: str) -> bool:
    """Whether two words call copies of one card in the list of a seat."""
    brought = state.brought.get(seat, Brought())
    card = brought.card(one, seat)
    return card is not None and card is brought.card(other, seat)


AFTER_THE_END: Final = (Set, Add, Note, Seal, EndBatch)
"""What is still taken when the game has an outcome."""


def check_goes_on(state: Any, action: Action) -> None:
    """Raises RuleError where the game is over or sealed, and the action would go on with it."""
    if state.sealed and not isinstance(action, Note):
        raise RuleError("This game is sealed; nothing more can be done in it.")
    if state.outcome and not isinstance(action, AFTER_THE_END):
        raise RuleError(
            f"The game is over ({state.outcome}); `seal` writes it into its decks' records, `set` puts right what was "
            "counted wrong, and `undo` leads back."
        )


def seal(resolution: Resolution[Any], action: Seal) -> None:  # noqa: ARG001 – a bare word
    """Write the match into the records of the stored decks. Raises RuleError before there is an outcome."""
    state = resolution.state
    if not state.outcome:
        raise RuleError("`seal` comes after an outcome, and nobody has won yet; `concede SEAT` ends a game early.")
    resolution.change(sealed=True)
    for seat, deck in state.brought.items():
        if deck.deck:
            result = _RESULTS[_result(state, seat)].format(deck.called or "The deck")
            resolution.tell(f"{result}; it stands in its record.", seat)


_RESULTS: Final[dict[m.Result, str]] = {"won": "{} won", "lost": "{} lost", "draw": "{} drew"}


def _result(state: Any, seat: str) -> m.Result:
    if state.outcome == seat:
        return "won"
    return "draw" if state.outcome == "draw" else "lost"


def sealed_marks(state: Any) -> dict[DeckId, tuple[Mark, ...]]:
    """What a sealed game writes into the records of its stored decks; nothing as long as it is not sealed."""
    if not state.sealed:
        return {}
    players: Sequence[Player] = state.players
    return {
        deck.deck: (
            m.Played(
                next(player.name for player in players if player.seat == seat),
                deck.version,
                tuple(_opponent(state, player) for player in players if player.seat != seat),
                _result(state, seat),
                state.turn,
            ),
        )
        for seat, deck in state.brought.items()
        if deck.deck
    }


def _opponent(state: Any, player: Player) -> m.Opponent:
    deck = state.brought.get(player.seat, Brought())
    return m.Opponent(player.name, deck.deck, deck.called, deck.version)


def closing(state: Any) -> tuple[Prompt, ...]:
    """What is asked once there is an outcome: to seal it, where a stored deck was played."""
    if not state.outcome or state.sealed or not any(deck.deck for deck in state.brought.values()):
        return ()
    names = {player.seat: player.name for player in state.players}
    ended = "It is a draw" if state.outcome == "draw" else f"{names.get(state.outcome, state.outcome)} has won"
    return (Prompt(f"{ended}. Write the match into the records of the decks?", draft(Seal)),)


def listed_handles(
    state: Any, seat: str, taken: Collection[str], fits: Callable[[ListedCard], bool]
) -> tuple[Choice, ...]:
    """The cards of a seat's list that fit, each by a word that is free for one more copy of it."""
    cards = state.brought.get(seat, Brought()).cards
    return tuple(
        Choice(_free(word, taken), card.name, " · ".join(card.remarks)) for word, card in cards.items() if fits(card)
    )


def _free(word: str, taken: Collection[str]) -> str:
    words = (word, *(f"{word}-{number}" for number in range(2, len(taken) + 3)))
    return next(free for free in words if free not in taken)


def listed_names(state: Any, seat: str, fits: Callable[[ListedCard], bool]) -> tuple[Choice, ...]:
    """The cards of a seat's list that fit, each by its name."""
    cards = state.brought.get(seat, Brought()).cards.values()
    return tuple(Choice(card.name, "", " · ".join(card.remarks)) for card in cards if fits(card))
