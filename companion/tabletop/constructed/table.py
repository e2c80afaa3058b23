"""Constructed decks at a table: brought with their lists before the game, sealed into their records after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

import msgspec

from companion.tabletop.action import Action, ButtonText, DeckId, NotationError, RuleError
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.batch import BATCH, EndBatch
from companion.tabletop.constructed.tracking import DuelRules
from companion.tabletop.decks.decklist import ListedCard, handle, read_card_line
from companion.tabletop.decks.stored_decks import SeatedDeck, tell_left_out
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import SEAT, Count, Many, Portion, SeatName, Share
from companion.tabletop.records import Mark
from companion.tabletop.table import common_actions
from companion.tabletop.table.choices import Choice
from companion.tabletop.table.common_actions import Add, Note, RefreshDeck, Set, Venue
from companion.tabletop.table.match_result import Contender, MatchResult, MatchScore, Result, result_of_seat
from companion.tabletop.table.state import Resolution
from companion.tabletop.table.table import Prompt, draft
from companion.tabletop.tracking import TrackedTable
from companion.tabletop.words import title_of_word
from templates.languages.messages import Finished, Message, Text, joined, listed, phrase

_NUMBERED: Final = re.compile(r"(.+?)-?\d+")


class SeatPlayer(common_actions.Seat, frozen=True, tag="seat"):
    """Seat a player, clockwise after the last one; `deck` gives them a stored deck, `person` says who they are."""

    called: arguments.Text = ""
    version: Count = 0
    flaws: arguments.Text = ""
    """The rules for decks that its list broke at that time."""


class Lists(Action, frozen=True, tag="lists"):
    """Add a card from the deck list of a seat; lines that play it can then omit its figures."""

    is_quiet: ClassVar[bool] = True
    seat: SeatName
    card: Annotated[str, common_actions.WORDS]


class Match(Action, frozen=True, tag="match"):
    """Play a match of several games (best of N); `game` is the number of this one, `score` the games won so far."""

    button_text: ClassVar[ButtonText] = phrase("That is the match")

    best_of: Count
    game: Count = 1
    score: Annotated[tuple[Portion, ...], Many(Share(SEAT))] = ()


class FirstChoice(Action, frozen=True, tag="first-choice"):
    """Set who chooses who begins; by custom, the loser of the previous game."""

    seat: SeatName


class First(Action, frozen=True, tag="first"):
    """Set who has the first turn; `first lot` draws lots."""

    seat: SeatName
    by_lot: bool = False


LOT: Final = "lot"
"""The word in place of a seat if lots are drawn."""


class SealMatch(Action, frozen=True, tag="seal"):
    """End the match for good, and write its result into the records of all stored decks."""


LINES: Final[tuple[type[Action], ...]] = (
    SeatPlayer,
    Lists,
    Match,
    FirstChoice,
    *common_actions.COMMON[1:],
    common_actions.Concede,
    common_actions.DrawAgreed,
    SealMatch,
    *BATCH,
)
"""The lines of every game with such decks."""


class Brought(msgspec.Struct, frozen=True):
    """The stored deck before a seat: its id, its name, its version, and its cards by their words in lines."""

    deck: DeckId = ""
    called: str = ""
    version: int = 0
    flaws: str = ""
    cards: Mapping[str, ListedCard] = {}
    played: Mapping[str, int] = {}
    """The number of copies of each card that came into the game, by its word in lines."""

    def card(self, word: str, seat: str = "") -> ListedCard | None:
        """Return the card of a handle or a name: `ash-wolf`, a second copy `ash-wolf-2`, `ana-ash-wolf`."""
        called = handle(word)
        for candidate in (called, called.removeprefix(f"{seat}-")):
            if card := self.cards.get(candidate):
                return card
            if (numbered := _NUMBERED.fullmatch(candidate)) and (card := self.cards.get(numbered[1])):
                return card
        return None


class ConstructedTable(TrackedTable, frozen=True):
    """The state of a table for games with such decks.

    It holds the stored decks, the seal, the numbers of things on the board, and whether effects are simultaneous now,
    with the things that they destroy at the end.
    """

    house: DuelRules = DuelRules()
    brought: dict[str, Brought] = msgspec.field(default_factory=dict)
    persons: Mapping[str, str] = {}
    """The ids of the players, by seat, if they are known."""
    score: MatchScore = MatchScore()
    """The score of the match before this game."""
    chooser: str = ""
    """The seat that still has to choose who begins."""
    first: str = ""
    """The seat that has the first turn, set by `begin` at the latest."""
    sealed: bool = False
    numbers: Mapping[str, int] = {}
    together: bool = False
    doomed: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[str, ...]:
        """The handles of things with a number as long as they lie on the board, in the order in which they came."""
        return ()

    @property
    def own_numbers(self) -> Mapping[str, int]:
        """The numbers that stand on real things of the board, such as standees, by their handles."""
        return {}

    @property
    def keeps_secrets(self) -> bool:
        """Return True until the seal, because `undo` leads back from an outcome; without a seal, until the outcome."""
        return not self.sealed and (self.outcome is None or bool(recorded_seats(self)))

    def agreeing_on_draw(self) -> Self:
        """Return the table after all agree on a draw."""
        raise NotImplementedError

    def holding(self, together: bool) -> Self:
        """Return the table within a batch, or at its end; a game also keeps all players in meanwhile."""
        return msgspec.structs.replace(self, together=together)


T = TypeVar("T", bound=ConstructedTable)


def with_numbers(state: T) -> T:
    """Return the table with a number for each new thing on its board: its own if that is free, else the smallest free
    one.
    """
    board = state.board
    if state.numbers.keys() == set(board):
        return state
    numbers = {thing: number for thing, number in state.numbers.items() if thing in board}
    own = state.own_numbers
    for thing in board:
        if thing not in numbers and own.get(thing, 0) and own[thing] not in numbers.values():
            numbers[thing] = own[thing]
    for thing in board:
        if thing not in numbers:
            numbers[thing] = next(number for number in count(1) if number not in numbers.values())
    return msgspec.structs.replace(state, numbers=numbers)


def bring(resolution: Resolution[Any], action: SeatPlayer) -> None:
    """Remember the stored deck of a seat, in place of an earlier one.

    Raises RuleError if another seat has brought the deck.
    """
    brought = resolution.state.brought
    before = brought.get(action.seat)
    if action.person:
        resolution.change(persons={**resolution.state.persons, action.seat: action.person})
    if not action.deck:
        return
    for seat, other in brought.items():
        if other.deck == action.deck and seat != action.seat:
            name = action.called or phrase("Deck {id}", id=action.deck)
            raise RuleError(
                phrase(
                    "{seat} plays {deck} at this table already; only one person can play a deck.",
                    deck=name,
                    seat=seat,
                )
            )
    deck = Brought(action.deck, action.called, action.version, action.flaws)
    resolution.change(brought={**brought, action.seat: deck})
    if before is not None:
        new = deck.called or phrase("another deck")
        text = phrase("{player} brings {deck} now.", player=action.title, deck=new)
        if before.called:
            text = phrase(
                "{player} now brings {deck} instead of {before}.", player=action.title, deck=new, before=before.called
            )
        resolution.tell(text, action.seat)
    if deck.flaws:
        resolution.tell(_all_the_same(deck), action.seat)


def stored_decks(state: Any) -> Mapping[str, SeatedDeck]:
    """Return the stored decks at a table, by the seats before which they lie."""
    return {
        seat: SeatedDeck(deck.deck, deck.called or phrase("{player}'s deck", player=state.player(seat).name))
        for seat, deck in state.brought.items()
        if deck.deck
    }


def recorded_seats(state: Any) -> tuple[str, ...]:
    """Return the seats whose stored decks record the game at the seal."""
    return tuple(seat for seat, deck in state.brought.items() if deck.deck and seat not in state.off_record)


def read_anew(resolution: Resolution[Any], action: RefreshDeck, lines: Sequence[Action]) -> None:
    """Replace the stored deck of a seat by the one in these lines; the counts of played copies stay."""
    before: Brought = resolution.state.brought[action.seat]
    seat = next((line for line in lines if isinstance(line, SeatPlayer)), SeatPlayer(action.seat))
    deck = Brought(before.deck, seat.called or before.called, seat.version, seat.flaws)
    resolution.change(brought={**resolution.state.brought, action.seat: deck})
    count = len(resolution.tells)
    for line in lines:
        if isinstance(line, Lists):
            list_card(resolution, line)
    del resolution.tells[count:]
    deck = msgspec.structs.replace(resolution.state.brought[action.seat], played=before.played)
    resolution.change(brought={**resolution.state.brought, action.seat: deck})
    if deck.version != before.version:
        text = phrase(
            "{deck} is now version {version}; before, it was version {before}.",
            deck=deck.called,
            version=str(deck.version),
            before=str(before.version),
        )
        resolution.tell(text, action.seat)
    if deck.flaws:
        resolution.tell(_all_the_same(deck), action.seat)


def _flaw_sentence(deck: Brought) -> Message:
    # Translators: {flaws} are whole sentences.
    if deck.called:
        return phrase("{deck} is not a legal deck: {flaws}", deck=deck.called, flaws=deck.flaws)
    return phrase("The deck is not legal: {flaws}", flaws=deck.flaws)


def _all_the_same(deck: Brought) -> Message:
    return joined(" ", (_flaw_sentence(deck), phrase("It can be played anyway if everybody agrees.")))


def flaws(state: Any) -> Iterator[Text]:
    """Return an iterator over the flaws of the stored decks at a table, a sentence each."""
    return (_flaw_sentence(deck) for deck in state.brought.values() if deck.flaws)


def is_stored(state: Any, seat: str) -> bool:
    """Return True if a stored deck is before a seat."""
    return bool(state.brought.get(seat, Brought()).deck)


def list_card(resolution: Resolution[Any], action: Lists) -> None:
    """Add a card by its line. Raises RuleError if the line cannot be read."""
    state = resolution.state
    name = state.player(action.seat).name
    try:
        card = read_card_line(action.card)
    except NotationError as error:
        raise RuleError(
            phrase("“{line}” is not a line of a deck list: {problem}.", line=action.card, problem=error.sentence)
        ) from None
    before = state.brought.get(action.seat, Brought())
    if not before.cards:
        if before.called:
            text = phrase("{player} brings {deck}, card by card as its list has it.", player=name, deck=before.called)
        else:
            text = phrase("{player} brings a deck, card by card as its list has it.", player=name)
        resolution.tell(text, action.seat)
    if again := before.cards.get(handle(card.name)):
        card = msgspec.structs.replace(card, count=card.count + again.count)  # from another part of the deck
    cards = {**before.cards, handle(card.name): card}
    resolution.change(brought={**state.brought, action.seat: msgspec.structs.replace(before, cards=cards)})


def count_copy(resolution: Resolution[Any], seat: str, word: str) -> None:
    """Count a card that came into the game from the hand; report if there are more copies than its list has."""
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
            phrase(
                "{player}'s list has {copies} × {card}, and this is number {number}: has one come back, or is it "
                "another card?",
                player=name,
                copies=str(card.count),
                card=card.name,
                number=str(number),
            ),
            seat,
        )


def forget_copies(resolution: Resolution[Any], seat: str) -> None:
    """Reset the counts of copies, because cards that were played can be drawn again."""
    if brought := resolution.state.brought.get(seat):
        brought = msgspec.structs.replace(brought, played={})
        resolution.change(brought={**resolution.state.brought, seat: brought})


def is_copy(state: Any, seat: str, one: str, other: str) -> bool:
    """Return True if two words name copies of one card in the list of a seat."""
    brought = state.brought.get(seat, Brought())
    card = brought.card(one, seat)
    return card is not None and card is brought.card(other, seat)


def begin_match(resolution: Resolution[Any], action: Match) -> None:
    """Agree on a match, or continue one. Raises RuleError if the match is impossible, or already won."""
    seats = {player.seat: player.name for player in resolution.state.players}
    if not (action.best_of % 2 and 1 <= action.best_of <= _MOST_GAMES):
        raise RuleError(
            phrase(
                "A match is the best of an odd number of games, from 1 to {most}; usually it is best of 3.",
                most=_MOST_GAMES,
            )
        )
    if not action.game:
        raise RuleError(phrase("The games of a match are numbered from 1."))
    for seat, _ in action.score:
        resolution.state.player(seat)
    score = MatchScore(action.best_of, action.game, dict(action.score))
    if score.winner:
        raise RuleError(
            phrase(
                "{player} has won that match already; `match {games}` begins a new one.",
                player=seats[score.winner],
                games=str(action.best_of),
            )
        )
    resolution.change(score=score)
    resolution.tell(Finished(score_text(resolution.state)))


_MOST_GAMES: Final = 99
USUAL_MATCHES: Final = (
    Choice(3, phrase("best of three")),
    Choice(5, phrase("best of five")),
    Choice(1, phrase("one game")),
)


def score_text(state: Any) -> Text:
    """Return the score with the game that is just over: `Game 2 · best of 3 · Ana 1 – 0 Ben`; "" for a single game."""
    score: MatchScore = state.score.after(state.outcome or "", tuple(player.seat for player in state.players))
    if score.best_of == 1:
        return ""
    wins = [(player.name, score.wins.get(player.seat, 0)) for player in state.players]
    if len(wins) == 2:
        (one, mine), (other, theirs) = wins
        stands: Text = f"{one} {mine} – {theirs} {other}"
    else:
        stands = listed(f"{name} {won}" for name, won in wins)
    game = phrase("Game {number}", number=str(score.game))
    best_of = phrase("best of {number}", number=str(score.best_of))
    return joined(" · ", (part for part in (game, best_of, stands) if part))


def rematch_lines(result: MatchResult) -> Iterator[Action]:
    """Yield the score of the match after a game, or a new match of the same length, and the loser's first choice."""
    score = result.score
    if score.best_of > 1 and result.is_match_over:
        yield Match(score.best_of)
    elif score.best_of > 1:
        yield Match(score.best_of, score.game + 1, tuple((seat, won) for seat, won in score.wins.items() if won))
    if result.loser:
        yield FirstChoice(result.loser.seat)


def give_first_choice(resolution: Resolution[Any], action: FirstChoice) -> None:
    """Let a player choose, before the game, which seat begins."""
    player = resolution.state.player(action.seat)
    resolution.change(chooser=player.seat)
    resolution.tell(phrase("{player} chooses who begins.", player=player.name), player.seat)


def settle_first(resolution: Resolution[Any], action: First) -> str:
    """Report the seat that begins, chosen or by lot, and return it. Raises RuleError if there is no such seat."""
    player = resolution.state.player(action.seat)
    resolution.change(chooser="", draws=resolution.state.draws + action.by_lot)
    if action.by_lot:
        text = phrase("The lot decides: {player} has the first turn.", player=player.name)
    else:
        text = phrase("{player} has the first turn.", player=player.name)
    resolution.tell(text, player.seat)
    return str(player.seat)


def draw_lot(state: Any, action: First, rng: Random) -> First:
    """Return the action with a random seat for `first lot`."""
    seats = [player.seat for player in state.players]
    return type(action)(rng.choice(seats), by_lot=True) if seats and LOT == action.seat not in seats else action


def before_begin(state: Any, first: type[First]) -> Iterator[Prompt]:
    """Yield the question before the game if a player chooses who begins."""
    players = {player.seat: player for player in state.players}
    if chooser := players.get(state.chooser):
        others = tuple(
            draft(first, phrase("{player} begins", player=player.name), seat=seat)
            for seat, player in players.items()
            if player is not chooser
        )
        text = phrase("{player} lost the game before and chooses: who begins?", player=chooser.name)
        own = draft(first, phrase("{player} begins", player=chooser.name), seat=chooser.seat)
        yield Prompt(text, own, chooser.seat, others=others)


def offers_before_begin(state: Any, first: type[First]) -> Iterator[Prompt]:
    """Yield the offers before the game: a lot for the first turn, and a match of several games."""
    yield Prompt(
        phrase("Draw lots to decide who begins?"), draft(first, seat=LOT).with_title(phrase("Draw lots")), due=False
    )
    if state.score.best_of == 1:
        yield Prompt(phrase("A match of several games? 3 is best of three"), draft(Match), due=False)


def agree_on_draw(resolution: Resolution[Any], action: common_actions.DrawAgreed) -> None:  # noqa: ARG001 – no fields
    """End the game without a winner."""
    resolution.state = resolution.state.agreeing_on_draw()
    resolution.tell(phrase("Everybody agrees on a draw."), decides=True)


AFTER_THE_END: Final = (Set, Add, Note, Venue, SealMatch, EndBatch)
"""The actions that are accepted after the outcome of the game."""


def check_goes_on(state: Any, action: Action) -> None:
    """Raise RuleError if the action would continue a game that is over or sealed."""
    if state.sealed and not isinstance(action, Note):
        raise RuleError(phrase("This game is sealed; nothing more can be done in it."))
    if state.outcome and not isinstance(action, AFTER_THE_END):
        raise RuleError(
            # Translators: {outcome} is the word of a seat, or “draw”.
            phrase(
                "The game is over ({outcome}); `seal` writes it into its decks' records, `set` "
                "corrects a wrong figure, and `undo` leads back.",
                outcome=title_of_word(state.outcome),
            )
        )


def seal(resolution: Resolution[Any], action: SealMatch) -> None:  # noqa: ARG001 – no fields
    """Write the match into the records of the stored decks. Raises RuleError before there is an outcome."""
    state = resolution.state
    if not state.outcome:
        raise RuleError(phrase("`seal` needs an outcome, and nobody has won yet; `concede SEAT` ends a game early."))
    resolution.change(sealed=True)
    tell_left_out(resolution)
    seats = tuple(player.seat for player in state.players)
    for seat, deck in state.brought.items():
        if seat in recorded_seats(state):
            name = deck.called or phrase("The deck")
            resolution.tell(_result_sentence(result_of_seat(state.outcome, seat, seats), name), seat)


def _result_sentence(result: Result, deck: Text) -> Message:
    match result:
        case "won":
            return phrase("{deck} won; the win is in its record.", deck=deck)
        case "lost":
            return phrase("{deck} lost; the loss is in its record.", deck=deck)
        case "draw":
            return phrase("{deck} drew; the draw is in its record.", deck=deck)


def match_result(state: Any, result: MatchResult) -> MatchResult:
    """Return a result with the decks, their players, the seat that began, and the score of the match."""
    players = (
        msgspec.structs.replace(
            player,
            person=state.persons.get(player.seat, ""),
            deck=(deck := state.brought.get(player.seat, Brought())).deck,
            called=deck.called,
            version=deck.version,
        )
        for player in result.players
    )
    seats = tuple(player.seat for player in result.players)
    score: MatchScore = state.score.after(result.outcome, seats)
    score = msgspec.structs.replace(score, wins={seat: score.wins.get(seat, 0) for seat in seats})
    return msgspec.structs.replace(result, players=tuple(players), score=score, first=state.first)


def sealed_marks(result: MatchResult) -> dict[DeckId, tuple[Mark, ...]]:
    """Return the marks that a sealed game writes into the records of its stored decks."""
    return {
        one.deck: (
            m.ConstructedPlayed(
                one.name,
                one.version,
                tuple(_opponent(other) for other in result.players if other is not one),
                one.result,
                result.turns,
                one.person,
                one.final,
                m.GamesWon.of(result.score, one.seat),
            ),
        )
        for one in result.players
        if one.deck
    }


def _opponent(player: Contender) -> m.Opponent:
    return m.Opponent(player.name, player.deck, player.called, player.version, player.person, player.final)


def closing(state: Any) -> tuple[Prompt, ...]:
    """Return the prompt to seal the game after its outcome, if a stored deck was played."""
    if not state.outcome or state.sealed or not recorded_seats(state):
        return ()
    names = {player.seat: player.name for player in state.players}
    if state.outcome == "draw":
        text = phrase("It is a draw. Write the match into the records of the decks?")
    else:
        winner = names.get(state.outcome, state.outcome)
        text = phrase("{player} has won. Write the match into the records of the decks?", player=winner)
    return (Prompt(text, draft(SealMatch)),)


def listed_handles(
    state: Any, seat: str, taken: Collection[str], fits: Callable[[ListedCard], bool]
) -> tuple[Choice, ...]:
    """Return the cards of a seat's list that fit, each with a free handle for one more copy."""
    cards = state.brought.get(seat, Brought()).cards
    return tuple(
        Choice(_free(word, taken), card.name, " · ".join(card.remarks)) for word, card in cards.items() if fits(card)
    )


def _free(word: str, taken: Collection[str]) -> str:
    words = (word, *(f"{word}-{number}" for number in range(2, len(taken) + 3)))
    return next(free for free in words if free not in taken)


def listed_names(state: Any, seat: str, fits: Callable[[ListedCard], bool]) -> tuple[Choice, ...]:
    """Return the cards of a seat's list that fit, by name."""
    cards = state.brought.get(seat, Brought()).cards.values()
    return tuple(Choice(card.name, "", " · ".join(card.remarks)) for card in cards if fits(card))
