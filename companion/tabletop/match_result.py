"""How a game ended, as facts that last: who played which deck, who won, with what left, and where the match stands.

A session stores it with the line that ends its game (`companion.archive.entries.StoredLine.result`), so that a list, a
league or a story reads it without playing the log again (`companion.archive.match_results.read_result`).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import msgspec

from companion.tabletop.action import DeckId

Result = Literal["won", "lost", "draw"]
"""How a game ended for one deck."""


class MatchScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a match stands: best of how many games, the number of the present one, and games won by each seat.

    Games that are drawn count for nobody, so a match may take more games than `best_of`.
    """

    best_of: int = 1
    game: int = 1
    wins: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def needed(self) -> int:
        """The games that win the match."""
        return self.best_of // 2 + 1

    @property
    def winner(self) -> str:
        """The seat that has won the match; "" as long as nobody has."""
        return next((seat for seat, wins in self.wins.items() if wins >= self.needed), "")

    def after(self, outcome: str, seats: tuple[str, ...]) -> MatchScore:
        """The score once the present game has this outcome: one more for the seat that it names."""
        if outcome not in seats:
            return self
        return msgspec.structs.replace(self, wins={**self.wins, outcome: self.wins.get(outcome, 0) + 1})


class Contender(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who played. `person` is their id where it is known; `deck`, `called` and `version` are the stored deck
    that lay before them. `final` are the figures that were left, by the words of the game's counters (`life`, `level`).
    `place` is 1 for whoever is first, and shared in a tie; 0 if it follows from the results, or was not kept yet
    (`MatchResult.places`).
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


class Ranking(NamedTuple):
    """The counter by which a game ranks people once it is over, and whether the lowest figure is the best."""

    counter: str
    lowest_wins: bool = False


class Tally(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that statistics count of a game. `kind` is a word for ever: `hit` and `save` mean the same in every
    game, all others are those that the game names (`companion.tabletop.game.Game.tally_kinds`).

    `name` is what it was, `seat` whose, `other` whom it was done to, `amount` how much of it. `won` says how it went
    for it where the game as a whole does not.
    """

    kind: str
    name: str = ""
    seat: str = ""
    other: str = ""
    amount: int = 0
    won: bool | None = None


HIT: Final = "hit"
"""The hardest hit: `name` is with what, `amount` the damage."""
SAVE: Final = "save"
"""Somebody kept another from falling: `name` is how."""


class TallyKind(NamedTuple):
    """A kind of things that a game counts, by which statistics can be grouped: its permanent word, what to call it, and
    what the sum of its amounts is ("" where that says nothing).
    """

    kind: str
    title: str
    plural: str
    amounts: str = ""


class MatchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One game that is over.

    `outcome` is the winner's seat, several joined by `+` if they share the win, `draw`, or where all play together, the
    game's own word (`win`, `loss`). `players` are in the order of the seats. `turns` is how many turns (or rounds) were
    played, 0 where nothing counts them. `score` is that of the match after this game: a game that was no part of a
    longer match is best of 1. `figures` are what else the game counts of itself. `rules` are the house rules that
    differ from the book, None where that was not kept yet; `minutes` is how long it took where that is known. `venue`
    is where it was, and `tallies` are what statistics count of it; both are kept with the seal. `first` is the seat
    that had the first turn, "" if nobody had or it was not kept yet.

    `game`, `session` and `at` (UTC in ISO 8601) are not stored with it, but known from where it is read.
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
        """Whether nobody has won this game."""
        return self.outcome == "draw"

    @property
    def is_shared(self) -> bool:
        """Whether all play together, so that all have won or lost it."""
        return self.outcome in ("win", "loss")

    @property
    def is_match_over(self) -> bool:
        """Whether no further game of the match follows."""
        return self.score.best_of == 1 or self.score.winner != ""

    def player(self, seat: str) -> Contender | None:
        """Who played at a seat; None where nobody did."""
        return next((player for player in self.players if player.seat == seat), None)

    def places(self, ranking: Ranking | None = None) -> tuple[int, ...]:
        """The place of each of the players, 1 for the first and shared in a tie; 0 if all play together.

        Where no places were kept they follow from who won, and behind that from what was left of the counter by which
        the game ranks people.
        """
        if self.is_shared:
            return (0,) * len(self.players)
        if self.players and all(player.place for player in self.players):
            return tuple(player.place for player in self.players)
        losers = [player for player in self.players if player.result == "lost"]
        is_ranked = ranking is not None and all(ranking.counter in player.final for player in losers)
        sign = -1 if ranking and ranking.lowest_wins else 1
        # Of a deck's mark that names nobody else, whoever won is not among the players.
        first_behind = max(2, 1 + len(self.players) - len(losers))
        figures = [sign * player.final[ranking.counter] if ranking and is_ranked else 0 for player in losers]
        behind = iter([first_behind + sum(other > own for other in figures) for own in figures])
        return tuple(next(behind) if player.result == "lost" else 1 for player in self.players)

    @property
    def winner(self) -> Contender | None:
        """The only winner of this game; None for a draw or a shared win, and where all play together."""
        return self.player(self.outcome)

    @property
    def loser(self) -> Contender | None:
        """Who lost, where exactly one did."""
        lost = [player for player in self.players if player.result == "lost"]
        return lost[0] if len(lost) == 1 and self.winner is not None else None


def result_of_seat(outcome: str, seat: str, seats: tuple[str, ...]) -> Result:
    """How a game ended for a seat; where the outcome names no seat, for all alike."""
    if outcome == "draw":
        return "draw"
    if won := seats_of_outcome(outcome, seats):
        return "won" if seat in won else "lost"
    return "won" if outcome == "win" else "lost"


def seats_of_outcome(outcome: str | None, seats: tuple[str, ...]) -> tuple[str, ...]:
    """The seats that an outcome names as winners, one or several joined by `+`; empty if it names none."""
    named = (outcome or "").split("+")
    return tuple(named) if set(named) <= set(seats) else ()
