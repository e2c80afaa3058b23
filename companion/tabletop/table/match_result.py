"""The result of a game as permanent facts: players, decks, winner, final figures, and the score of the match.

A session stores it with the line that ends its game (`companion.archive.storage.entries.StoredLine.result`), so that a
list, a league or a story can read it without replaying the log (`companion.archive.match_results.read_result`).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import msgspec

from companion.tabletop.action import DeckId
from templates.languages.messages import Text

Result = Literal["won", "lost", "draw"]
"""The result of a game for one deck."""


class MatchScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of a match best of `best_of` games: the number of the present game, and the wins of each seat.

    Drawn games count for no seat, so a match may take more games than `best_of`.
    """

    best_of: int = 1
    game: int = 1
    wins: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def wins_needed(self) -> int:
        """The number of wins that decides the match."""
        return self.best_of // 2 + 1

    @property
    def winner(self) -> str:
        """The seat that has won the match; "" if it is still open."""
        return next((seat for seat, wins in self.wins.items() if wins >= self.wins_needed), "")

    def after(self, outcome: str, seats: tuple[str, ...]) -> MatchScore:
        """Return the score after the present game with this outcome: one more win for the seat that it names."""
        if outcome not in seats:
            return self
        return msgspec.structs.replace(self, wins={**self.wins, outcome: self.wins.get(outcome, 0) + 1})


class Contender(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player of a game.

    `person` is their id if it is known; `deck`, `called` and `version` are the stored deck before them. `final` are
    their final figures, by the words of the game's counters (`life`, `level`). `place` is 1 for the first, and shared
    in a tie; 0 if it follows from the results, or was not kept yet (`MatchResult.places`). `seconds` is the time of
    their turns by the clock of the table, 0 if none counted it.
    """

    seat: str
    name: str
    result: Result
    person: str = ""
    deck: DeckId = ""
    called: str = ""
    version: int = 0
    final: dict[str, int] = msgspec.field(default_factory=dict)
    place: int = 0
    seconds: int = 0


class Ranking(NamedTuple):
    """The counter by which a game ranks players once it is over, and a flag that the lowest figure wins."""

    counter: str
    lowest_wins: bool = False


class Tally(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event that statistics count. `kind` never changes.

    `hit` and `save` mean the same in every game; all other kinds are defined by the game
    (`companion.tabletop.evenings.GameEvenings.tally_kinds`). `name` is what it was, `seat` its owner, `other` its
    target, and `amount` a figure. `won` is its own result, if the result of the whole game does not give it.
    """

    kind: str
    name: str = ""
    seat: str = ""
    other: str = ""
    amount: int = 0
    won: bool | None = None


HIT: Final = "hit"
"""The hardest hit: `name` is its means, `amount` the damage."""
SAVE: Final = "save"
"""A player kept another from falling: `name` is the means."""


class TallyKind(NamedTuple):
    """A kind of event that a game counts and statistics group by.

    It has a permanent word, its titles, and a title for the sum of its amounts ("" if the sum means nothing).
    """

    kind: str
    title: Text
    plural: Text
    amounts: Text = ""


class MatchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one game that is over.

    `outcome` is the seat of the winner, several seats joined by `+` if they share the win, `draw`, or a word of the
    game if all play together (`win`, `loss`). `players` are in the order of the seats. `turns` is the number of turns
    (or rounds), 0 if nothing counts them. `score` is that of the match after this game; a single game is best of 1.
    `figures` are other figures of the game. `rules` are the house rules that differ from the book, None if that was not
    kept yet. `minutes` is the duration if it is known. `venue` and `tallies` (for statistics) are kept with the seal.
    `first` is the seat that had the first turn, "" if none had or it was not kept yet.

    `game`, `session` and `at` (UTC in ISO 8601) are not stored with it; the reader adds them.
    """

    outcome: str
    players: tuple[Contender, ...] = ()
    turns: int = 0
    score: MatchScore = MatchScore()
    figures: dict[str, int] = msgspec.field(default_factory=dict)
    rules: dict[str, str] | None = None
    minutes: int = 0
    venue: str = ""
    tallies: tuple[Tally, ...] = ()
    first: str = ""
    game: str = ""
    session: str = ""
    at: str = ""

    @property
    def is_draw(self) -> bool:
        """Return True if nobody won this game."""
        return self.outcome == "draw"

    @property
    def is_shared(self) -> bool:
        """Return True if all play together, and win or lose together."""
        return self.outcome in ("win", "loss")

    @property
    def is_match_over(self) -> bool:
        """Return True if no further game of the match follows."""
        return self.score.best_of == 1 or self.score.winner != ""

    def player(self, seat: str) -> Contender | None:
        """Return the player at a seat, or None."""
        return next((player for player in self.players if player.seat == seat), None)

    def places(self, ranking: Ranking | None = None) -> tuple[int, ...]:
        """Return the place of each player, 1 for the first and shared in a tie; 0 if all play together.

        If no places were kept, they follow from the winners, then from the final value of the counter that ranks
        players.
        """
        if self.is_shared:
            return (0,) * len(self.players)
        if self.players and all(player.place for player in self.players):
            return tuple(player.place for player in self.players)
        losers = [player for player in self.players if player.result == "lost"]
        is_ranked = ranking is not None and all(ranking.counter in player.final for player in losers)
        sign = -1 if ranking and ranking.lowest_wins else 1
        # The mark of a deck may name no other player: then the winner may be missing from the players.
        first_behind = max(2, 1 + len(self.players) - len(losers))
        figures = [sign * player.final[ranking.counter] if ranking and is_ranked else 0 for player in losers]
        behind = iter([first_behind + sum(other > own for other in figures) for own in figures])
        return tuple(next(behind) if player.result == "lost" else 1 for player in self.players)

    @property
    def winner(self) -> Contender | None:
        """The only winner of this game; None for a draw, a shared win, or if all play together."""
        return self.player(self.outcome)

    @property
    def loser(self) -> Contender | None:
        """The only loser of this game, or None."""
        lost = [player for player in self.players if player.result == "lost"]
        return lost[0] if len(lost) == 1 and self.winner is not None else None


def result_of_seat(outcome: str, seat: str, seats: tuple[str, ...]) -> Result:
    """Return the result of a game for a seat; if the outcome names no seat, it is the same for all."""
    if outcome == "draw":
        return "draw"
    if won := seats_of_outcome(outcome, seats):
        return "won" if seat in won else "lost"
    return "won" if outcome == "win" else "lost"


def seats_of_outcome(outcome: str | None, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the winning seats of an outcome, one or several joined by `+`; empty if it names none."""
    named = (outcome or "").split("+")
    return tuple(named) if set(named) <= set(seats) else ()
